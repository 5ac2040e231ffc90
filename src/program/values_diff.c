// Two values of one type compared, field by field.
#include "program/values.h"

#include <string.h>

#include "base/text.h"
#include "program/values_inner.h"

struct diff {
    const struct walk *before, *w;
    struct text path;
    uint32_t n;
};

static void diff(struct diff *d, struct spot a, struct spot b);

static bool leaf_differs(struct spot a, struct spot b)
{
    if (a.bits)
        return load(a) != load(b);
    size_t n = a.shape->size;
    // an 80-bit number has padding of its own
    if (a.shape->kind == SHAPE_FLOAT && n > 10)
        n = 10;
    return memcmp(a.at, b.at, n) != 0;
}

static void diff_leaf(struct diff *d, struct spot a, struct spot b)
{
    if (!leaf_differs(a, b))
        return;
    struct text *out = d->w->out;
    text_add(out, d->n++ ? ", " : "");
    text_format(out, "%s ", text_get(&d->path));
    values_print_spot(d->before, a);
    text_add(out, " -> ");
    values_print_spot(d->w, b);
}

static void diff_fields(struct diff *d, struct spot a, struct spot b)
{
    size_t was = d->path.n;
    for (uint32_t i = 0; i < a.shape->n; i++) {
        const struct shape_field *f = &a.shape->fields[i];
        if (f->name)
            text_format(&d->path, "%s%s", was ? "." : "", f->name);
        diff(d, member(a, f), member(b, f));
        d->path.n = was;
        d->path.at[was] = 0;
    }
}

static void diff_elements(struct diff *d, struct spot a, struct spot b)
{
    size_t was = d->path.n;
    for (uint32_t i = 0; i < a.shape->n; i++) {
        text_format(&d->path, "[%u]", i);
        diff(d, element(a, i), element(b, i));
        d->path.n = was;
        d->path.at[was] = 0;
    }
}

static void diff(struct diff *d, struct spot a, struct spot b)
{
    bool text = a.shape->kind == SHAPE_ARRAY && a.shape->of->kind == SHAPE_CHAR;
    text_add(&d->path, ""); // from here on there is a string to cut
    if (a.shape->kind == SHAPE_STRUCT)
        diff_fields(d, a, b);
    else if (a.shape->kind == SHAPE_ARRAY && !text)
        diff_elements(d, a, b);
    else
        diff_leaf(d, a, b);
}

uint32_t values_diff(struct values *v, const char *type, const void *before,
                     const void *after, size_t size,
                     const struct values_names *names_before,
                     const struct values_names *names, struct text *out)
{
    const struct shape *s = shapes_find(v->shapes, type, size);
    const struct walk was = {v, names_before, out, 0};
    const struct walk w = {v, names, out, 0};
    struct diff d = {.before = &was, .w = &w};
    if (s) {
        diff(&d, (struct spot){s, before, 0, 0}, (struct spot){s, after, 0, 0});
    } else if (memcmp(before, after, size) != 0) {
        values_print_bytes(out, before, size);
        text_add(out, " -> ");
        values_print_bytes(out, after, size);
        d.n = 1;
    }
    text_free(&d.path);
    return d.n;
}

// Actors and memory that a path names, as a test has them.
#include "unit/task/writer.h"

#include "unit/literal.h"
#include "unit/spell.h"

#include <ctype.h>
#include <string.h>

u128 writer_value(const struct writer *w, term t)
{
    return term_eval(w->p->ts, t, w->p->model);
}

bool writer_fails(const struct writer *w, const char *why)
{
    *w->why = why;
    return false;
}

// ---- names --------------------------------------------------------------

static bool is_taken(const struct writer *w, const char *name)
{
    static const char *const words[] = {
        "ctx", "asked", "answer", "int", "for", "state", "main", "msg", "with"};
    for (uint32_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], name) == 0)
            return true;
    for (uint32_t i = 0; i < w->names.n; i++)
        if (strcmp(w->names.at[i], name) == 0)
            return true;
    return false;
}

static bool is_of_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

// The last word of "msg->ob", "fork1" of "self->fork[1]".
static const char *name_of(struct writer *w, const char *from)
{
    size_t n = strlen(from), k, end;
    while (n && !isalnum((unsigned char)from[n - 1]))
        n--;
    for (k = n; k && is_of_word(from[k - 1]);)
        k--;
    const char *word = arena_format(w->a, "%.*s", (int)(n - k), from + k);
    if (k > 1 && from[k - 1] == '[' && isdigit((unsigned char)*word)) {
        for (end = --k; k && is_of_word(from[k - 1]);)
            k--;
        word = arena_format(w->a, "%.*s%s", (int)(end - k), from + k, word);
    }
    if (!*word || isdigit((unsigned char)*word))
        word = arena_format(w->a, "it%s", word);
    const char *name = word;
    for (uint32_t i = 2; is_taken(w, name); i++)
        name = arena_format(w->a, "%s%u", word, i);
    vec_push(&w->names, name);
    return name;
}

// ---- actors -------------------------------------------------------------

struct cast *writer_cast(struct writer *w, uint32_t number)
{
    for (uint32_t i = 0; i < w->n_casts; i++)
        if (w->casts[i].number == number)
            return &w->casts[i];
    return NULL;
}

static struct cast *cast(struct writer *w, uint32_t number, uint32_t cls,
                         const char *name)
{
    if (w->n_casts == ACTORS_MOST)
        return NULL;
    struct cast *c = &w->casts[w->n_casts++];
    *c = (struct cast){.number = number,
                       .cls = cls,
                       .behaviour = w->ir->classes.at[cls].start,
                       .given = IR_NOTHING,
                       .actor = IR_NOTHING,
                       .name = name_of(w, name)};
    return c;
}

uint32_t writer_number(const struct writer *w, uint32_t ref)
{
    return (uint32_t)writer_value(w, sx_run_ref(w->p->run, ref)->var);
}

// Index of the cells of an actor's state: those of the object that its address
// means are known by their place.
static bool gather_actors(struct writer *w)
{
    const struct sx_path *p = w->p->path;
    const struct sx_scene *s = p->scene;
    for (uint32_t i = 0; i < s->n_actors; i++) {
        const struct sx_actor *x = &s->actors[i];
        if (x->by != IR_NOTHING)
            continue;
        struct cast *c = cast(w, x->number, x->cls,
                              i ? sx_run_ref(w->p->run, x->ref)->name : "self");
        if (!c)
            return writer_fails(w, "too many actors");
        c->actor = i;
        c->behaviour = x->behaviour;
        c->given = x->given;
        c->gone = c->own_class = x->gone;
    }
    for (uint32_t i = 0; i < p->n_refs; i++) {
        const struct sx_ref *r = sx_run_ref(w->p->run, p->refs[i]);
        uint32_t cls, number = writer_number(w, p->refs[i]);
        if (!number || !ir_is_actor(w->ir, r->type, &cls) ||
            writer_cast(w, number))
            continue;
        if (cls == IR_NOTHING)
            cls = p->scene->actors[0].cls;
        if (!cast(w, number, cls, r->name))
            return writer_fails(w, "too many actors");
    }
    return true;
}

// ---- memory behind pointers ---------------------------------------------

struct thing *writer_thing(struct writer *w, uint32_t number)
{
    for (uint32_t i = 0; i < w->n_things; i++)
        if (w->things[i].number == number)
            return &w->things[i];
    return NULL;
}

// The actor whose state leads to a reference, IR_NOTHING: a message does.
static uint32_t owner_of(const struct writer *w, uint32_t ref)
{
    const struct sx_ref *r = sx_run_ref(w->p->run, ref);
    while (r->place.from == SX_CELL)
        r = sx_run_ref(w->p->run, r->place.index);
    for (uint32_t i = 0; r->place.from == SX_SELF && i < w->n_casts; i++)
        if (w->casts[i].given == r->place.index)
            return i;
    return IR_NOTHING;
}

static bool gather_things(struct writer *w)
{
    const struct sx_path *p = w->p->path;
    for (uint32_t i = 0; i < p->n_refs; i++) {
        const struct sx_ref *r = sx_run_ref(w->p->run, p->refs[i]);
        uint32_t cls, number = writer_number(w, p->refs[i]);
        if (!number || number >= SX_FUNCTIONS || writer_thing(w, number) ||
            ir_is_actor(w->ir, r->type, &cls))
            continue;
        if (w->n_things == OBJECTS_MOST || r->type == IR_NOTHING ||
            !spell_bare(w->ir, r->type)->size)
            return writer_fails(
                w, "memory behind a pointer that a test cannot make");
        w->things[w->n_things++] =
            (struct thing){.number = number,
                           .type = r->type,
                           .size = spell_bare(w->ir, r->type)->size,
                           .owner = owner_of(w, p->refs[i]),
                           .name = name_of(w, r->name)};
        if (w->things[w->n_things - 1].owner != IR_NOTHING)
            w->casts[w->things[w->n_things - 1].owner].own_class = true;
    }
    for (uint32_t i = 0; i < p->n_cells; i++) {
        const struct sx_cell *c = &p->cells[i];
        struct thing *t =
            c->place.from == SX_CELL
                ? writer_thing(w, writer_number(w, c->place.index))
                : NULL;
        uint64_t end = (uint64_t)c->place.offset + c->bytes;
        if (t && c->place.offset < 0)
            return writer_fails(w, "memory before what a pointer points to");
        if (t && end > t->size)
            t->size = end;
    }
    return true;
}

// ---- values -------------------------------------------------------------

const char *writer_shared(struct writer *w, const struct cast *x)
{
    return arena_format(w->a, "with->%s", x->name);
}

// An actor as a value of a reference type.
static const char *reference(struct writer *w, uint32_t type,
                             const struct cast *x)
{
    uint32_t cls;
    const char *name = w->in_init ? writer_shared(w, x) : x->name;
    ir_is_actor(w->ir, type, &cls);
    if (cls == x->cls)
        return name;
    return cls == IR_NOTHING ? arena_format(w->a, "(tr_ref)%s", name)
                             : arena_format(w->a, "(%s_ref)%s",
                                            w->ir->classes.at[cls].name, name);
}

void writer_literal(const struct writer *w, uint32_t type, uint32_t bits,
                    union ir_bits v, struct text *to)
{
    if (spell_bare(w->ir, type)->kind == IR_D_BOOL && v.i <= 1)
        text_add(to, v.i ? "true" : "false");
    else
        literal(w->ir, type, bits, v, to);
}

// The value of a reference as C; NULL: it is zero, or cannot be said (*why).
const char *writer_cell(struct writer *w, const struct sx_cell *c,
                        uint32_t owner, bool *ok)
{
    u128 v = writer_value(w, c->value);
    *ok = true;
    uint32_t number = (uint32_t)((uint64_t)v >> SX_OFFSET_BITS);
    if (!number)
        return NULL;
    const struct cast *x = writer_cast(w, number);
    const struct thing *t = writer_thing(w, number);
    if (x && w->said)
        return x->name;
    if (x && owner != IR_NOTHING && x == &w->casts[owner])
        return arena_format(w->a, "tr_me(ctx, %s)",
                            w->ir->classes.at[x->cls].name);
    if (x && w->in_init)
        vec_push(&w->shared, x->number);
    if (x)
        return reference(w, sx_run_ref(w->p->run, c->ref)->type, x);
    if (t && t->owner == owner)
        return t->name;
    if (number >= SX_FUNCTIONS && number - SX_FUNCTIONS < w->ir->fns.n)
        return w->ir->fns.at[number - SX_FUNCTIONS]->name;
    *ok = writer_fails(w, "a pointer from one actor into another's memory");
    return NULL;
}

const char *writer_class(struct writer *w, const struct cast *c)
{
    const char *name = w->ir->classes.at[c->cls].name;
    return c->own_class ? arena_format(w->a, "%s_%s", w->test, c->name)
                        : arena_format(w->a, "%s_class", name);
}

const char *writer_take(struct writer *w, struct text *t)
{
    const char *out = arena_text(w->a, text_get(t));
    text_free(t);
    return out;
}

bool writer_gather(struct writer *w)
{
    return gather_actors(w) && gather_things(w);
}

void writer_release(struct writer *w)
{
    vec_free(&w->names);
    vec_free(&w->shared);
    vec_free(&w->links);
}

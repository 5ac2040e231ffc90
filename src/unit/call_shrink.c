// Each step lists all calls that are a little plainer, compiles one program
// that makes all of them, each in a process of its own, and goes over to the
// first that does the same.
#include "unit/call_shrink.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/text.h"
#include "unit/call_program.h"
#include "unit/sanitized.h"
#include "unit/subject.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIED_MOST = 48 };

struct shrink {
    struct arena *a;
    const struct unit_options *o;
    bool has_main;
    const char *pre;
    VEC(struct call_case *) calls; // the first is the one at hand
};

// ---- copies ---------------------------------------------------------------

#define COPY(to, from)                                                         \
    do {                                                                       \
        memset(&(to), 0, sizeof(to));                                          \
        for (uint32_t i_ = 0; i_ < (from).n; i_++)                             \
            vec_push(&(to), (from).at[i_]);                                    \
    } while (0)

// The parts that are changed are its own.
static struct call_case *copy_of(struct arena *a, const struct call_case *c)
{
    struct call_case *x = arena_copy(a, c, sizeof *c);
    COPY(x->objects, c->objects);
    for (uint32_t i = 0; i < c->objects.n; i++)
        COPY(x->objects.at[i].fields, c->objects.at[i].fields);
    COPY(x->before, c->before);
    COPY(x->arguments, c->arguments);
    COPY(x->after, c->after);
    return x;
}

static void release(struct call_case *x)
{
    for (uint32_t i = 0; i < x->objects.n; i++)
        vec_free(&x->objects.at[i].fields);
    vec_free(&x->objects);
    vec_free(&x->before);
    vec_free(&x->arguments);
    vec_free(&x->after);
}

// ---- names ----------------------------------------------------------------

static bool is_name(int c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool names(const char *text, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = text; (p = strstr(p, name)); p++)
        if ((p == text || (!is_name(p[-1]) && p[-1] != '.' && p[-1] != '>')) &&
            !is_name(p[n]))
            return true;
    return false;
}

static bool is_needed(const struct call_case *c, uint32_t n)
{
    const char *name = c->objects.at[n].name;
    for (uint32_t i = 0; i < c->arguments.n; i++)
        if (names(c->arguments.at[i], name))
            return true;
    for (uint32_t i = 0; i < c->before.n; i++)
        if (names(c->before.at[i].value, name))
            return true;
    for (uint32_t i = 0; i < c->objects.n; i++)
        for (uint32_t k = 0; i != n && k < c->objects.at[i].fields.n; k++)
            if (names(c->objects.at[i].fields.at[k].value, name))
                return true;
    return false;
}

static void drop_results_of(struct call_case *c, const char *name)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->after.n; i++)
        if (!names(c->after.at[i].place, name) &&
            !names(c->after.at[i].value, name))
            c->after.at[kept++] = c->after.at[i];
    c->after.n = kept;
}

// Objects that nothing points to any more.
static void drop_objects(struct call_case *c)
{
    for (uint32_t i = 0; i < c->objects.n;) {
        if (is_needed(c, i)) {
            i++;
            continue;
        }
        drop_results_of(c, c->objects.at[i].name);
        vec_free(&c->objects.at[i].fields);
        for (uint32_t k = i; k + 1 < c->objects.n; k++)
            c->objects.at[k] = c->objects.at[k + 1];
        c->objects.n--;
        i = 0;
    }
}

// ---- plainer values -------------------------------------------------------

static bool number_of(const char *text, long long *v)
{
    char *end;
    if (text[0] == '\'' && text[1] && text[1] != '\\' && text[2] == '\'') {
        *v = (unsigned char)text[1];
        return true;
    }
    *v = strtoll(text, &end, 0);
    return end != text && end[strspn(end, "uUlL")] == '\0';
}

// 0 is plainest, then by size, negative ones after.
static bool is_plainer(long long a, long long b)
{
    unsigned long long x =
        a < 0 ? 0 - (unsigned long long)a : (unsigned long long)a;
    unsigned long long y =
        b < 0 ? 0 - (unsigned long long)b : (unsigned long long)b;
    return x != y ? x < y : a > b;
}

// The i-th plainer text of a value, NULL: no more.
static const char *plainer(struct arena *a, enum call_kind kind,
                           const char *text, uint32_t i)
{
    long long v, to[] = {0, 1, -1, 0, 0};
    uint32_t n = 0;
    if (kind == CALL_POINTER)
        return i || strcmp(text, "NULL") == 0 ? NULL : "NULL";
    if (kind == CALL_FLOAT || kind == CALL_DOUBLE)
        return i || strcmp(text, "0") == 0 || strcmp(text, "0.0") == 0 ? NULL
                                                                       : "0.0";
    if ((kind != CALL_SIGNED && kind != CALL_UNSIGNED) || !number_of(text, &v))
        return NULL;
    to[3] = v / 2;
    to[4] = v > 0 ? v - 1 : v + 1;
    for (uint32_t k = 0; k < 5; k++) {
        bool again = kind == CALL_UNSIGNED && to[k] < 0;
        for (uint32_t m = 0; m < k; m++)
            again |= to[m] == to[k];
        if (!again && is_plainer(to[k], v) && n++ == i)
            return arena_format(a, "%lld", to[k]);
    }
    return NULL;
}

static enum call_kind kind_of_argument(const char *text)
{
    long long v;
    return number_of(text, &v) ? CALL_SIGNED : CALL_POINTER;
}

// ---- what is tried --------------------------------------------------------

static struct call_case *add_try(struct shrink *s)
{
    if (s->calls.n > TRIED_MOST)
        return NULL;
    struct call_case *x = copy_of(s->a, s->calls.at[0]);
    vec_push(&s->calls, x);
    return x;
}

static void try_arguments(struct shrink *s)
{
    const struct call_case *c = s->calls.at[0];
    for (uint32_t i = 0; i < c->arguments.n; i++) {
        const char *was = c->arguments.at[i], *is;
        for (uint32_t k = 0;
             (is = plainer(s->a, kind_of_argument(was), was, k)); k++) {
            struct call_case *x = add_try(s);
            if (!x)
                return;
            x->arguments.at[i] = is;
            drop_objects(x);
        }
    }
}

static void try_fields(struct shrink *s, uint32_t n)
{
    const struct call_object *o = &s->calls.at[0]->objects.at[n];
    for (uint32_t i = 0; i < o->fields.n; i++) {
        const struct call_value *v = &o->fields.at[i];
        const char *is;
        for (uint32_t k = 0; (is = plainer(s->a, v->kind, v->value, k)); k++) {
            struct call_case *x = add_try(s);
            if (!x)
                return;
            x->objects.at[n].fields.at[i].value = is;
            drop_objects(x);
        }
    }
}

static void try_before(struct shrink *s)
{
    const struct call_case *c = s->calls.at[0];
    for (uint32_t i = 0; i < c->before.n; i++) {
        const struct call_value *v = &c->before.at[i];
        const char *is;
        for (uint32_t k = 0; (is = plainer(s->a, v->kind, v->value, k)); k++) {
            struct call_case *x = add_try(s);
            if (!x)
                return;
            x->before.at[i].value = is;
            drop_objects(x);
        }
    }
}

// "[2].n" is 2; -1: no index.
static long index_of(const char *place)
{
    return *place == '[' ? strtol(place + 1, NULL, 10) : -1;
}

static void shorten(struct shrink *s, uint32_t n, long count, long to,
                    bool counts)
{
    struct call_case *x = add_try(s);
    uint32_t kept = 0;
    if (!x)
        return;
    struct call_object *o = &x->objects.at[n];
    size_t length = strlen(o->name);
    o->declaration =
        arena_format(s->a, "%.*s[%ld]", (int)strcspn(o->declaration, "["),
                     o->declaration, to);
    for (uint32_t i = 0; i < o->fields.n; i++)
        if (index_of(o->fields.at[i].place) < to)
            o->fields.at[kept++] = o->fields.at[i];
    o->fields.n = kept;
    for (uint32_t i = 0; counts && i < x->arguments.n; i++) {
        long long number;
        if (number_of(x->arguments.at[i], &number) && number == count)
            x->arguments.at[i] = arena_format(s->a, "%ld", to);
    }
    kept = 0;
    for (uint32_t i = 0; i < x->after.n; i++) {
        const char *p = x->after.at[i].place;
        long at = strncmp(p, o->name, length) == 0 ? index_of(p + length) : -1;
        if (at < to)
            x->after.at[kept++] = x->after.at[i];
    }
    x->after.n = kept;
    drop_objects(x);
}

// A local array without its end; arguments that are its count may go with it.
// Where they stay, a sanitizer must see that nothing is read behind it.
static void try_shorter(struct shrink *s, uint32_t n)
{
    const struct call_object *o = &s->calls.at[0]->objects.at[n];
    const char *at = strchr(o->declaration, '[');
    const char *end = at ? strchr(at, ']') : NULL;
    long count = at ? strtol(at + 1, NULL, 10) : 0;
    if (o->form != CALL_LOCAL || count < 2 || !end || end[1])
        return;
    shorten(s, n, count, count / 2, true);
    shorten(s, n, count, count - 1, true);
    if (s->calls.at[0]->end == CALL_RETURNS)
        shorten(s, n, count, count - 1, false);
}

// ---- what came of them ----------------------------------------------------

struct seen {
    char end[32];                 // "returns", "signal 11"
    unsigned long long way, last; // sum over pairs of blocks; the last block
    bool strange;                 // something that cannot be said plainly
};

static void take_value(struct shrink *s, struct call_case *c, uint32_t k,
                       const char *is, struct seen *to)
{
    struct call_value *v = &c->after.at[k];
    if (v->kind == CALL_SIGNED || (v->kind == CALL_UNSIGNED && *is != '-') ||
        v->kind == CALL_FLOAT || v->kind == CALL_DOUBLE)
        v->value = arena_text(s->a, is);
    else
        to->strange = true;
}

static void take_line(struct shrink *s, const char *line, struct seen *seen)
{
    unsigned i, k;
    int number, at = 0;
    unsigned long long way, last;
    if (sscanf(line, "differs %u %u %n", &i, &k, &at) == 2 && at &&
        i < s->calls.n && k < s->calls.at[i]->after.n)
        take_value(s, s->calls.at[i], k, line + at, &seen[i]);
    else if (sscanf(line, "way %u %llx %llx", &i, &way, &last) == 3 &&
             i < s->calls.n) {
        seen[i].way = way;
        seen[i].last = last;
    } else if (sscanf(line, "returns %u", &i) == 1 && i < s->calls.n)
        snprintf(seen[i].end, sizeof seen[i].end, "returns");
    else if ((sscanf(line, "exits %u %d", &i, &number) == 2 ||
              sscanf(line, "signal %u %d", &i, &number) == 2) &&
             i < s->calls.n)
        snprintf(seen[i].end, sizeof seen[i].end, "%.6s %d", line, number);
}

// Run all calls that are tried, in one program; what came of each in *seen.
static bool run_calls(struct shrink *s, struct seen *seen, const char **why)
{
    struct text said = {0};
    struct call_program p = {.options = s->o,
                             .has_main = s->has_main,
                             .ways = true,
                             .pre = s->pre,
                             .calls =
                                 (const struct call_case *const *)s->calls.at,
                             .n = s->calls.n};
    bool ok = call_program_run(s->a, &p, &said, why);
    char *all = arena_text(s->a, text_get(&said)), *save = NULL;
    for (char *line = strtok_r(all, "\n", &save); ok && line;
         line = strtok_r(NULL, "\n", &save))
        take_line(s, line, seen);
    text_free(&said);
    return ok;
}

// Does no sanitizer object to what returns?
static bool is_clean(struct shrink *s, const struct call_case *c)
{
    struct sanitized r = {0};
    return c->end != CALL_RETURNS ||
           !sanitized_calls(s->a, s->o, s->has_main, SANITIZED_ALL, &c, 1,
                            &r) ||
           !r.kind;
}

// Go over to the first that does the same; false: none does.
static bool step(struct shrink *s, struct call_shrunk *out)
{
    struct seen *seen = arena_zero(s->a, (TRIED_MOST + 2ul) * sizeof *seen);
    uint32_t best = 0;
    for (uint32_t i = 0; i < s->calls.at[0]->objects.n; i++)
        try_shorter(s, i);
    try_arguments(s);
    for (uint32_t i = 0; i < s->calls.at[0]->objects.n; i++)
        try_fields(s, i);
    try_before(s);
    const char *why;
    if (s->calls.n == 1)
        return false;
    if (!run_calls(s, seen, &why)) {
        out->why = why;
        return false;
    }
    out->tried += s->calls.n - 1;
    for (uint32_t i = 1; !best && i < s->calls.n; i++)
        if (*seen[0].end && strcmp(seen[i].end, seen[0].end) == 0 &&
            seen[i].way == seen[0].way && seen[i].last == seen[0].last &&
            !seen[i].strange && is_clean(s, s->calls.at[i]))
            best = i;
    struct call_case *to = s->calls.at[best];
    for (uint32_t i = 0; i < s->calls.n; i++)
        if (i != best)
            release(s->calls.at[i]);
    s->calls.at[0] = to;
    s->calls.n = 1;
    out->taken += best > 0;
    return best > 0;
}

void call_shrink(struct arena *a, const struct unit_options *o, bool has_main,
                 const char *pre, double seconds, struct call_case *c,
                 struct call_shrunk *out)
{
    struct shrink s = {.a = a, .o = o, .has_main = has_main, .pre = pre};
    double end = clock_now() + seconds;
    memset(out, 0, sizeof *out);
    vec_push(&s.calls, copy_of(a, c));
    while (clock_now() < end && step(&s, out))
        ;
    struct call_case *best = s.calls.at[0];
    for (uint32_t i = 1; i < s.calls.n; i++)
        release(s.calls.at[i]);
    release(c);
    c->objects = best->objects;
    c->before = best->before;
    c->arguments = best->arguments;
    c->after = best->after;
    vec_free(&s.calls);
}

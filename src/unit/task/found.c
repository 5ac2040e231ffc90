// What a search found, between processes.
#include "unit/task/found.h"

#include "base/text.h"
#include "base/wire.h"

enum { REPLY = 1 };

static const struct {
    size_t at;
} strings[] = {
#define STRING(f)                                                              \
    {                                                                          \
        offsetof(struct task_case, f)                                          \
    }
    STRING(name),   STRING(before), STRING(decisions), STRING(body),
    STRING(steps),  STRING(given),  STRING(waiting),   STRING(call),
    STRING(result), STRING(trap),   STRING(null)};
enum { STRINGS_N = sizeof strings / sizeof *strings };

static const char **string_at(struct task_case *c, uint32_t i)
{
    return (const char **)(void *)((char *)c + strings[i].at);
}

static void put_case(struct text *t, struct task_case *c, uint32_t n_sides)
{
    wire_put32(t, c->end);
    wire_put32(t, c->fn);
    wire_put32(t, c->inst);
    wire_put32(t, c->labels);
    wire_put32(t, c->receives);
    wire_put64(t, c->key);
    wire_put32(t, c->waits);
    for (uint32_t i = 0; i < STRINGS_N; i++)
        wire_put_string(t, *string_at(c, i));
    wire_put(t, c->sides, n_sides);
}

static const char *get_text(struct wire_reader *r, struct arena *a)
{
    const char *s = wire_get_string(r);
    return s ? arena_text(a, s) : NULL;
}

static void get_case(struct wire_reader *r, struct arena *a, uint32_t n_sides,
                     struct task_case *c)
{
    c->end = (enum task_end)wire_get32(r);
    c->fn = wire_get32(r);
    c->inst = wire_get32(r);
    c->labels = wire_get32(r);
    c->receives = wire_get32(r);
    c->key = wire_get64(r);
    c->waits = wire_get32(r);
    for (uint32_t i = 0; i < STRINGS_N; i++)
        *string_at(c, i) = get_text(r, a);
    c->sides = arena_zero(a, n_sides + 1ul);
    wire_get(r, c->sides, n_sides);
}

void found_send(struct task_found *f, uint32_t sides, int fd)
{
    struct text t = {0};
    wire_begin(&t, REPLY);
    wire_put(&t, f->sides, sides);
    wire_put64(&t, f->orders);
    wire_put64(&t, f->cut_switches);
    wire_put64(&t, f->cut_actors);
    wire_put64(&t, f->cut_loops);
    wire_put64(&t, f->asleep);
    wire_put32(&t, f->more);
    wire_put32(&t, f->others);
    wire_put32(&t, f->complete);
    wire_put32(&t, f->stopped);
    wire_put32(&t, f->loop);
    wire_put64(&t, (uint64_t)(f->seconds * 1e6));
    wire_put32(&t, f->n_related);
    for (uint32_t i = 0; i < f->n_related; i++)
        wire_put32(&t, f->related[i]);
    wire_put32(&t, f->cases.n);
    for (uint32_t i = 0; i < f->cases.n; i++)
        put_case(&t, &f->cases.at[i], sides);
    wire_put32(&t, f->stuck.n);
    for (uint32_t i = 0; i < f->stuck.n; i++) {
        wire_put32(&t, f->stuck.at[i].fn);
        wire_put32(&t, f->stuck.at[i].inst);
        wire_put_string(&t, f->stuck.at[i].fields);
        wire_put_string(&t, f->stuck.at[i].given);
        wire_put_string(&t, f->stuck.at[i].waiting);
        wire_put_string(&t, f->stuck.at[i].call);
    }
    wire_put32(&t, f->notes.n);
    for (uint32_t i = 0; i < f->notes.n; i++)
        wire_put_string(&t, f->notes.at[i]);
    wire_put32(&t, f->remarks.n);
    for (uint32_t i = 0; i < f->remarks.n; i++)
        wire_put_string(&t, f->remarks.at[i]);
    wire_put32(&t, f->results.n);
    for (uint32_t i = 0; i < f->results.n; i++)
        wire_put64(&t, f->results.at[i]);
    wire_send(fd, &t);
    text_free(&t);
}

void found_take(struct wire_reader *r, struct arena *a, uint32_t sides,
                struct task_found *f)
{
    f->sides = arena_zero(a, sides + 1ul);
    wire_get(r, f->sides, sides);
    f->orders = wire_get64(r);
    f->cut_switches = wire_get64(r);
    f->cut_actors = wire_get64(r);
    f->cut_loops = wire_get64(r);
    f->asleep = wire_get64(r);
    f->more = wire_get32(r);
    f->others = wire_get32(r);
    f->complete = wire_get32(r);
    f->stopped = wire_get32(r);
    f->loop = wire_get32(r);
    f->seconds = (double)wire_get64(r) * 1e-6;
    f->n_related = wire_get32(r);
    for (uint32_t i = 0; i < f->n_related && i < 64; i++)
        f->related[i] = wire_get32(r);
    for (uint32_t n = wire_get32(r); n-- && !r->bad;) {
        struct task_case c = {0};
        get_case(r, a, sides, &c);
        if (!r->bad)
            vec_push(&f->cases, c);
    }
    for (uint32_t n = wire_get32(r); n-- && !r->bad;) {
        struct task_stuck k = {.fn = wire_get32(r)};
        k.inst = wire_get32(r);
        k.fields = get_text(r, a);
        k.given = get_text(r, a);
        k.waiting = get_text(r, a);
        k.call = get_text(r, a);
        if (!r->bad)
            vec_push(&f->stuck, k);
    }
    for (uint32_t n = wire_get32(r); n-- && !r->bad;) {
        const char *s = get_text(r, a);
        vec_push(&f->notes, s ? s : "");
    }
    for (uint32_t n = wire_get32(r); n-- && !r->bad;) {
        const char *s = get_text(r, a);
        vec_push(&f->remarks, s ? s : "");
    }
    for (uint32_t n = wire_get32(r); n-- && !r->bad;)
        vec_push(&f->results, wire_get64(r));
}

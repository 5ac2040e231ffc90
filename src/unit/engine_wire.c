// The result of the engine as a message.
#include "unit/engine_wire.h"

#include "unit/input_wire.h"

enum { REPLY = 1 };

void engine_send(const struct engine_result *r, uint32_t n_sides, int fd)
{
    struct text t = {0};
    wire_begin(&t, REPLY);
    wire_put32(&t, r->labels);
    wire_put32(&t, r->complete);
    wire_put32(&t, r->loop);
    wire_put32(&t, r->cut_line);
    wire_put64(&t, r->paths);
    wire_put64(&t, r->questions);
    wire_put64(&t, r->asked);
    wire_put64(&t, r->steps);
    wire_put64(&t, r->cases);
    wire_put64(&t, r->cut);
    wire_put32(&t, r->stopped);
    wire_put(&t, r->taken, n_sides);
    wire_put32(&t, r->traces);
    wire_put32(&t, r->feasible);
    wire_put32(&t, r->undecided);
    wire_put32(&t, r->reached);
    wire_put32(&t, r->levels.n);
    wire_put(&t, r->levels.at, r->levels.n * sizeof *r->levels.at);
    wire_put32(&t, r->summaries.n);
    wire_put(&t, r->summaries.at, r->summaries.n * sizeof *r->summaries.at);
    wire_put32(&t, r->notes.n);
    for (uint32_t i = 0; i < r->notes.n; i++)
        wire_put_string(&t, r->notes.at[i]);
    wire_put32(&t, r->found.n);
    for (uint32_t i = 0; i < r->found.n; i++) {
        const struct engine_found *f = &r->found.at[i];
        wire_put32(&t, f->returned);
        wire_put32(&t, f->trap);
        wire_put_string(&t, f->kind);
        wire_put32(&t, f->fn);
        wire_put32(&t, f->inst);
        wire_put32(&t, f->labels);
        wire_put32(&t, f->loop);
        input_send(&f->in, &t);
    }
    wire_send(fd, &t);
    text_free(&t);
}

static void take_found(struct wire_reader *r, struct arena *a,
                       struct engine_result *out)
{
    struct engine_found f = {.returned = wire_get32(r)};
    f.trap = wire_get32(r);
    const char *kind = wire_get_string(r);
    f.kind = kind ? arena_text(a, kind) : NULL;
    f.fn = wire_get32(r);
    f.inst = wire_get32(r);
    f.labels = wire_get32(r);
    f.loop = wire_get32(r);
    input_receive(r, a, &f.in);
    if (!r->bad)
        vec_push(&out->found, f);
}

void engine_receive(struct wire_reader *r, struct arena *a, uint32_t n_sides,
                    struct engine_result *out)
{
    out->labels = wire_get32(r);
    out->complete = wire_get32(r);
    out->loop = wire_get32(r);
    out->cut_line = wire_get32(r);
    out->paths = wire_get64(r);
    out->questions = wire_get64(r);
    out->asked = wire_get64(r);
    out->steps = wire_get64(r);
    out->cases = wire_get64(r);
    out->cut = wire_get64(r);
    out->stopped = wire_get32(r);
    wire_get(r, out->taken, n_sides);
    out->traces = wire_get32(r);
    out->feasible = wire_get32(r);
    out->undecided = wire_get32(r);
    out->reached = wire_get32(r);
    for (uint32_t n = wire_get32(r); n-- && !r->bad;) {
        struct engine_level l = {0};
        wire_get(r, &l, sizeof l);
        vec_push(&out->levels, l);
    }
    for (uint32_t n = wire_get32(r); n-- && !r->bad;) {
        struct sx_summary m = {0};
        wire_get(r, &m, sizeof m);
        vec_push(&out->summaries, m);
    }
    for (uint32_t n = wire_get32(r); n-- && !r->bad;) {
        const char *s = wire_get_string(r);
        vec_push(&out->notes, arena_text(a, s ? s : ""));
    }
    for (uint32_t n = wire_get32(r); n-- && !r->bad;)
        take_found(r, a, out);
}

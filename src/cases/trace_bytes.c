// Each pair of functions puts and takes the same fields in the same order.
//
// Indices are checked when they are taken: whoever reads a trace may follow
// them.
#include "cases/trace_bytes.h"

#include "base/arena.h"
#include "base/text.h"

static const char *take_text(struct wire_reader *r, struct arena *a)
{
    const char *s = wire_get_string(r);
    return s ? arena_text(a, s) : NULL;
}

// A number below n, or PLAY_NONE.
static uint32_t take_index(struct wire_reader *r, uint32_t n)
{
    uint32_t i = wire_get32(r);
    r->bad |= i >= n && i != PLAY_NONE;
    return i;
}

void bug_put(struct text *to, const struct bug *b)
{
    wire_put32(to, b->kind);
    wire_put32(to, b->warning);
    wire_put32(to, (uint32_t)b->line);
#define PUT_(name) wire_put_string(to, b->name);
    BUG_STRINGS(PUT_)
#undef PUT_
}

struct bug bug_take(struct wire_reader *r, struct arena *a)
{
    struct bug b = {0};
    b.kind = (enum bug_kind)wire_get_below(r, BUG_KINDS_N);
    b.warning = wire_get32(r);
    b.line = (int)wire_get32(r);
#define TAKE_(name) b.name = take_text(r, a);
    BUG_STRINGS(TAKE_)
#undef TAKE_
    return b;
}

// ---- sends ----------------------------------------------------------------

static void put_send(struct text *to, const struct trace_send *s)
{
    wire_put32(to, s->number);
    wire_put32(to, s->by);
    wire_put_string(to, s->to);
    wire_put_string(to, s->msg);
    wire_put_string(to, s->fields);
    wire_put32(to, s->line);
    wire_put32(to, s->received_at);
}

static struct trace_send take_send(struct wire_reader *r, struct arena *a,
                                   uint32_t actors, uint32_t steps)
{
    struct trace_send s = {0};
    s.number = wire_get32(r);
    s.by = wire_get_below(r, actors);
    s.to = take_text(r, a);
    s.msg = take_text(r, a);
    s.fields = take_text(r, a);
    s.line = wire_get32(r);
    s.received_at = take_index(r, steps);
    r->bad |= !s.to || !s.msg || !s.fields;
    return s;
}

// ---- steps ----------------------------------------------------------------

static void put_step(struct text *to, const struct trace_step *s)
{
    wire_put32(to, s->actor);
    wire_put_string(to, s->msg);
    wire_put_string(to, s->fields);
    wire_put32(to, s->sender);
    wire_put32(to, s->sent_at);
    wire_put32(to, s->number);
    wire_put_string(to, s->change);
    wire_put_string(to, s->kept);
    wire_put_string(to, s->before);
    wire_put_string(to, s->after);
    wire_put_string(to, s->file);
    wire_put32(to, (uint32_t)s->line);
    wire_put_string(to, s->from);
    wire_put_string(to, s->to);
    wire_put_string(to, s->output);
    wire_put32(to, s->sends.n);
    for (uint32_t i = 0; i < s->sends.n; i++)
        put_send(to, &s->sends.at[i]);
    wire_put32(to, s->births.n);
    for (uint32_t i = 0; i < s->births.n; i++)
        wire_put32(to, s->births.at[i]);
    wire_put32(to, s->n_bugs);
    for (uint32_t i = 0; i < s->n_bugs; i++)
        bug_put(to, &s->bugs[i]);
    wire_put(to, s->picks, sizeof s->picks);
    wire_put32(to, s->n_picks);
    wire_put32(to, s->others != NULL);
    wire_put32(to, s->n_others);
    for (uint32_t i = 0; i < s->n_others; i++)
        wire_put_string(to, s->others[i]);
    wire_put32(to, s->more_others);
}

static void take_others(struct wire_reader *r, struct arena *a,
                        struct trace_step *s)
{
    bool there = wire_get32(r);
    uint32_t n = wire_get32(r);
    VEC(const char *) others = {0};
    for (uint32_t i = 0; i < n && !r->bad; i++) {
        const char *other = take_text(r, a);
        r->bad |= !other || !there;
        vec_push(&others, other);
    }
    s->n_others = others.n;
    if (there) // not NULL even if there are none
        s->others = others.n
                        ? arena_copy(a, others.at, others.n * sizeof *others.at)
                        : arena_zero(a, sizeof *others.at);
    vec_free(&others);
    s->more_others = wire_get32(r);
}

static void take_bugs(struct wire_reader *r, struct arena *a,
                      struct trace_step *s)
{
    uint32_t n = wire_get32(r);
    VEC(struct bug) bugs = {0};
    for (uint32_t i = 0; i < n && !r->bad; i++)
        vec_push(&bugs, bug_take(r, a));
    s->n_bugs = bugs.n;
    s->bugs = bugs.n ? arena_copy(a, bugs.at, bugs.n * sizeof *bugs.at) : NULL;
    vec_free(&bugs);
}

static struct trace_step take_step(struct wire_reader *r, struct arena *a,
                                   uint32_t actors, uint32_t steps)
{
    struct trace_step s = {0};
    s.actor = wire_get_below(r, actors);
    s.msg = take_text(r, a);
    s.fields = take_text(r, a);
    s.sender = wire_get_below(r, actors);
    s.sent_at = take_index(r, steps);
    s.number = wire_get32(r);
    s.change = take_text(r, a);
    s.kept = take_text(r, a);
    s.before = take_text(r, a);
    s.after = take_text(r, a);
    s.file = take_text(r, a);
    s.line = (int)wire_get32(r);
    s.from = take_text(r, a);
    s.to = take_text(r, a);
    s.output = take_text(r, a);
    uint32_t n = wire_get32(r);
    for (uint32_t i = 0; i < n && !r->bad; i++)
        vec_push(&s.sends, take_send(r, a, actors, steps));
    n = wire_get32(r);
    for (uint32_t i = 0; i < n && !r->bad; i++)
        vec_push(&s.births, wire_get_below(r, actors));
    take_bugs(r, a, &s);
    wire_get(r, s.picks, sizeof s.picks);
    s.n_picks = wire_get32(r);
    take_others(r, a, &s);
    r->bad |= !s.fields || !s.change || !s.kept || !s.before || !s.after ||
              !s.from || !s.to;
    return s;
}

// ---- actors ---------------------------------------------------------------

static void put_actor(struct text *to, const struct trace_actor *a)
{
    wire_put_string(to, a->name);
    wire_put_string(to, a->cls);
    wire_put_string(to, a->label);
    wire_put32(to, a->id);
    wire_put32(to, a->flags);
    wire_put_string(to, a->state);
    wire_put_string(to, a->first);
    wire_put_string(to, a->changed);
    wire_put_string(to, a->behaviour);
    wire_put_string(to, a->kept);
    wire_put32(to, a->held_by);
    wire_put32(to, a->last_step);
    wire_put32(to, a->waits.n);
    for (uint32_t i = 0; i < a->waits.n; i++) {
        const struct trace_wait *w = &a->waits.at[i];
        wire_put_string(to, w->what);
        wire_put32(to, w->asked);
        wire_put32(to, w->holds);
        wire_put_string(to, w->file);
        wire_put32(to, (uint32_t)w->line);
    }
}

static struct trace_wait take_wait(struct wire_reader *r, struct arena *a)
{
    struct trace_wait w = {0};
    w.what = take_text(r, a);
    w.asked = wire_get32(r);
    w.holds = wire_get32(r);
    w.file = take_text(r, a);
    w.line = (int)wire_get32(r);
    r->bad |= !w.what;
    return w;
}

static struct trace_actor take_actor(struct wire_reader *r, struct arena *a,
                                     uint32_t actors, uint32_t steps)
{
    struct trace_actor out = {0};
    out.name = take_text(r, a);
    out.cls = take_text(r, a);
    out.label = take_text(r, a);
    out.title = trace_title(a, out.name ? out.name : "", out.label);
    out.id = wire_get32(r);
    out.flags = wire_get32(r);
    out.state = take_text(r, a);
    out.first = take_text(r, a);
    out.changed = take_text(r, a);
    out.behaviour = take_text(r, a);
    out.kept = take_text(r, a);
    out.held_by = take_index(r, actors);
    out.last_step = take_index(r, steps);
    uint32_t n = wire_get32(r);
    for (uint32_t i = 0; i < n && !r->bad; i++)
        vec_push(&out.waits, take_wait(r, a));
    r->bad |= !out.name || !out.cls || !out.state || !out.first ||
              !out.changed || !out.behaviour || !out.kept;
    return out;
}

// ---- traces ---------------------------------------------------------------

void trace_put(struct text *to, const struct trace *t)
{
    wire_put32(to, t->actors.n);
    wire_put32(to, t->steps.n);
    for (uint32_t i = 0; i < t->actors.n; i++)
        put_actor(to, &t->actors.at[i]);
    for (uint32_t i = 0; i < t->steps.n; i++)
        put_step(to, &t->steps.at[i]);
}

struct trace *trace_take(struct wire_reader *r, struct arena *a)
{
    struct trace *t = arena_zero(a, sizeof *t);
    uint32_t actors = wire_get32(r), steps = wire_get32(r);
    for (uint32_t i = 0; i < actors && !r->bad; i++)
        vec_push(&t->actors, take_actor(r, a, actors, steps));
    for (uint32_t i = 0; i < steps && !r->bad; i++)
        vec_push(&t->steps, take_step(r, a, actors, steps));
    return t;
}

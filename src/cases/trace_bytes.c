// Each pair of functions puts and takes the same fields in the same order.
//
// Indices are checked when they are taken: whoever reads a trace may follow
// them.
#include "cases/trace_bytes.h"

#include "base/arena.h"
#include "base/text.h"

static const char *take_text(struct reader *r, struct arena *a)
{
    const char *s = reader_string(r);
    return s ? arena_text(a, s) : NULL;
}

// A number that is below n, or PLAY_NONE where that may be.
static uint32_t take_index(struct reader *r, uint32_t n, bool none)
{
    uint32_t i = reader_word(r);
    if (i >= n && !(none && i == PLAY_NONE)) {
        r->bad = true;
        return 0;
    }
    return i;
}

void bug_put(struct text *to, const struct bug *b)
{
    letter_word(to, b->kind);
    letter_word(to, b->warning);
    letter_string(to, b->text);
    letter_string(to, b->file);
    letter_word(to, (uint32_t)b->line);
    letter_string(to, b->function);
    letter_string(to, b->cls);
    letter_string(to, b->msg);
    letter_string(to, b->thing);
}

struct bug bug_take(struct reader *r, struct arena *a)
{
    struct bug b = {0};
    b.kind = (enum bug_kind)take_index(r, BUG_KINDS_N, false);
    b.warning = reader_word(r);
    b.text = take_text(r, a);
    b.file = take_text(r, a);
    b.line = (int)reader_word(r);
    b.function = take_text(r, a);
    b.cls = take_text(r, a);
    b.msg = take_text(r, a);
    b.thing = take_text(r, a);
    return b;
}

// ---- sends ----------------------------------------------------------------

static void put_send(struct text *to, const struct trace_send *s)
{
    letter_word(to, s->number);
    letter_word(to, s->by);
    letter_string(to, s->to);
    letter_string(to, s->msg);
    letter_string(to, s->fields);
    letter_word(to, s->line);
    letter_word(to, s->received_at);
}

static struct trace_send take_send(struct reader *r, struct arena *a,
                                   uint32_t actors, uint32_t steps)
{
    struct trace_send s = {0};
    s.number = reader_word(r);
    s.by = take_index(r, actors, false);
    s.to = take_text(r, a);
    s.msg = take_text(r, a);
    s.fields = take_text(r, a);
    s.line = reader_word(r);
    s.received_at = take_index(r, steps, true);
    r->bad |= !s.to || !s.msg || !s.fields;
    return s;
}

// ---- steps ----------------------------------------------------------------

static void put_step(struct text *to, const struct trace_step *s)
{
    letter_word(to, s->actor);
    letter_string(to, s->msg);
    letter_string(to, s->fields);
    letter_word(to, s->sender);
    letter_word(to, s->sent_at);
    letter_word(to, s->number);
    letter_string(to, s->change);
    letter_string(to, s->before);
    letter_string(to, s->from);
    letter_string(to, s->to);
    letter_string(to, s->output);
    letter_word(to, s->sends.n);
    for (uint32_t i = 0; i < s->sends.n; i++)
        put_send(to, &s->sends.at[i]);
    letter_word(to, s->births.n);
    for (uint32_t i = 0; i < s->births.n; i++)
        letter_word(to, s->births.at[i]);
    letter_word(to, s->n_bugs);
    for (uint32_t i = 0; i < s->n_bugs; i++)
        bug_put(to, &s->bugs[i]);
    letter_put(to, s->picks, sizeof s->picks);
    letter_word(to, s->n_picks);
}

static void take_bugs(struct reader *r, struct arena *a, struct trace_step *s)
{
    uint32_t n = reader_word(r);
    VEC(struct bug) bugs = {0};
    for (uint32_t i = 0; i < n && !r->bad; i++)
        vec_push(&bugs, bug_take(r, a));
    s->n_bugs = bugs.n;
    s->bugs = bugs.n ? arena_copy(a, bugs.at, bugs.n * sizeof *bugs.at) : NULL;
    vec_free(&bugs);
}

static struct trace_step take_step(struct reader *r, struct arena *a,
                                   uint32_t actors, uint32_t steps)
{
    struct trace_step s = {0};
    s.actor = take_index(r, actors, false);
    s.msg = take_text(r, a);
    s.fields = take_text(r, a);
    s.sender = take_index(r, actors, false);
    s.sent_at = take_index(r, steps, true);
    s.number = reader_word(r);
    s.change = take_text(r, a);
    s.before = take_text(r, a);
    s.from = take_text(r, a);
    s.to = take_text(r, a);
    s.output = take_text(r, a);
    uint32_t n = reader_word(r);
    for (uint32_t i = 0; i < n && !r->bad; i++)
        vec_push(&s.sends, take_send(r, a, actors, steps));
    n = reader_word(r);
    for (uint32_t i = 0; i < n && !r->bad; i++)
        vec_push(&s.births, take_index(r, actors, false));
    take_bugs(r, a, &s);
    reader_copy(r, s.picks, sizeof s.picks);
    s.n_picks = reader_word(r);
    r->bad |= !s.fields || !s.change || !s.before || !s.from || !s.to;
    return s;
}

// ---- actors ---------------------------------------------------------------

static void put_actor(struct text *to, const struct trace_actor *a)
{
    letter_string(to, a->name);
    letter_string(to, a->cls);
    letter_word(to, a->id);
    letter_word(to, a->flags);
    letter_string(to, a->state);
    letter_string(to, a->behaviour);
    letter_string(to, a->kept);
    letter_word(to, a->held_by);
    letter_word(to, a->last_step);
    letter_word(to, a->waits.n);
    for (uint32_t i = 0; i < a->waits.n; i++) {
        const struct trace_wait *w = &a->waits.at[i];
        letter_string(to, w->what);
        letter_word(to, w->asked);
        letter_word(to, w->holds);
        letter_string(to, w->file);
        letter_word(to, (uint32_t)w->line);
    }
}

static struct trace_wait take_wait(struct reader *r, struct arena *a)
{
    struct trace_wait w = {0};
    w.what = take_text(r, a);
    w.asked = reader_word(r);
    w.holds = reader_word(r);
    w.file = take_text(r, a);
    w.line = (int)reader_word(r);
    r->bad |= !w.what;
    return w;
}

static struct trace_actor take_actor(struct reader *r, struct arena *a,
                                     uint32_t actors, uint32_t steps)
{
    struct trace_actor out = {0};
    out.name = take_text(r, a);
    out.cls = take_text(r, a);
    out.id = reader_word(r);
    out.flags = reader_word(r);
    out.state = take_text(r, a);
    out.behaviour = take_text(r, a);
    out.kept = take_text(r, a);
    out.held_by = take_index(r, actors, true);
    out.last_step = take_index(r, steps, true);
    uint32_t n = reader_word(r);
    for (uint32_t i = 0; i < n && !r->bad; i++)
        vec_push(&out.waits, take_wait(r, a));
    r->bad |=
        !out.name || !out.cls || !out.state || !out.behaviour || !out.kept;
    return out;
}

// ---- traces ---------------------------------------------------------------

void trace_put(struct text *to, const struct trace *t)
{
    letter_word(to, t->actors.n);
    letter_word(to, t->steps.n);
    for (uint32_t i = 0; i < t->actors.n; i++)
        put_actor(to, &t->actors.at[i]);
    for (uint32_t i = 0; i < t->steps.n; i++)
        put_step(to, &t->steps.at[i]);
}

struct trace *trace_take(struct reader *r, struct arena *a)
{
    struct trace *t = arena_zero(a, sizeof *t);
    uint32_t actors = reader_word(r), steps = reader_word(r);
    for (uint32_t i = 0; i < actors && !r->bad; i++)
        vec_push(&t->actors, take_actor(r, a, actors, steps));
    for (uint32_t i = 0; i < steps && !r->bad; i++)
        vec_push(&t->steps, take_step(r, a, actors, steps));
    return t;
}

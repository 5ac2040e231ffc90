#include "cover/musthb.h"

#include <string.h>

const char *constraint_id(enum constraint c)
{
    static const char *const ids[] = {
#define CONSTRAINT_(name, id, text) id,
        CONSTRAINTS(CONSTRAINT_)
#undef CONSTRAINT_
    };
    return ids[c];
}

void musthb_free(struct musthb *m)
{
    vec_free(&m->before);
    vec_free(&m->past);
}

// Numbers that are compared at once.
enum { LANES = 4 };
typedef uint32_t numbers __attribute__((vector_size(4 * LANES)));

static void join(struct musthb *m, uint32_t *into, uint32_t event)
{
    if (event == NO_EVENT)
        return;
    const uint32_t *from = m->past.at + (size_t)event * m->stride;
    for (uint32_t a = 0; a < m->stride; a += LANES) {
        numbers x, y, more;
        memcpy(&x, into + a, sizeof x);
        memcpy(&y, from + a, sizeof y);
        more = (numbers)(y > x);
        x = (y & more) | (x & ~more);
        memcpy(into + a, &x, sizeof x);
    }
}

static bool caused(const struct musthb *m, uint32_t i, uint32_t j)
{
    const struct event *e = &m->record->events.at[i];
    return e->at < m->before.at[(size_t)j * m->stride + e->actor];
}

// Did the run that sent i's message come before the one that sent j's, in
// every execution that has both?
static bool sent_before(const struct musthb *m, uint32_t i, uint32_t j)
{
    const struct event *a = &m->record->events.at[i];
    const struct event *b = &m->record->events.at[j];
    if (a->source == NO_EVENT || b->source == NO_EVENT)
        return false;
    if (a->source == b->source)
        return a->nth < b->nth;
    const struct event *s = &m->record->events.at[a->source];
    return s->at < m->past.at[(size_t)b->source * m->stride + s->actor];
}

// Was timer b pending when event i fired another, and certainly due later?
static bool is_later(const struct event *b, uint32_t i)
{
    return b->set_by < i && b->ready >= i;
}

// Does one timer, set again, fire twice?  Timers without a name are in order.
static bool same_timer(const struct event *a, const struct event *b)
{
    return !a->nth || (a->set_by == b->set_by && a->nth == b->nth);
}

enum constraint musthb_promised(const struct musthb *m, uint32_t i, uint32_t j)
{
    const struct event *a = &m->record->events.at[i];
    const struct event *b = &m->record->events.at[j];
    if (a->actor != b->actor || a->body || b->body)
        return CONSTRAINT_NONE;
    if (a->timer && b->timer)
        return same_timer(a, b) || is_later(b, i) ? CONSTRAINT_TIMER
                                                  : CONSTRAINT_NONE;
    if (a->timer || b->timer)
        return CONSTRAINT_NONE;
    switch (m->record->delivery) {
    case DELIVERY_ANY:
    case DELIVERIES_N:
        return CONSTRAINT_NONE;
    case DELIVERY_PAIR:
        return a->sender == b->sender ? CONSTRAINT_SENDER : CONSTRAINT_NONE;
    case DELIVERY_CAUSAL:
    case DELIVERY_MAILBOX:
        return sent_before(m, i, j) ? CONSTRAINT_SENDER : CONSTRAINT_NONE;
    }
    return CONSTRAINT_NONE;
}

enum constraint musthb_why(const struct musthb *m, uint32_t i, uint32_t j)
{
    if (caused(m, i, j))
        return CONSTRAINT_CAUSE;
    return musthb_promised(m, i, j);
}

// ---- making -------------------------------------------------------------

// The event of the actor before this one, looked up backwards once per event
// through `last`.
void musthb_make(struct musthb *m, const struct record *r)
{
    uint32_t n = (r->actors.n + LANES - 1) / LANES * LANES;
    VEC(uint32_t) last = {0};
    VEC(uint32_t) awaited = {0}; // likewise, before the first beside the body
    VEC(bool) beside = {0};
    m->record = r;
    m->n = r->actors.n;
    m->stride = n;
    vec_clear(&m->before);
    vec_clear(&m->past);
    vec_room(&m->before, r->events.n * n);
    vec_room(&m->past, r->events.n * n);
    for (uint32_t a = 0; a < n; a++)
        vec_push(&last, NO_EVENT);
    for (uint32_t a = 0; a < n; a++) {
        vec_push(&awaited, NO_EVENT);
        vec_push(&beside, false);
    }
    for (uint32_t i = 0; i < r->events.n; i++) {
        const struct event *e = &r->events.at[i];
        uint32_t *before = m->before.at + (size_t)i * n;
        uint32_t *past = m->past.at + (size_t)i * n;
        memset(before, 0, n * sizeof *before);
        join(m, before, e->source);
        join(m, before, e->creator);
        join(m, before, e->set_by);
        if (e->body) // a later segment comes when but ticks are left
            for (uint32_t a = 0; a < r->actors.n; a++)
                join(m, before, awaited.at[a]);
        memcpy(past, before, n * sizeof *past);
        join(m, past, last.at[e->actor]);
        past[e->actor] = e->at + 1;
        last.at[e->actor] = i;
        beside.at[e->actor] |= e->beside;
        if (!beside.at[e->actor])
            awaited.at[e->actor] = i;
    }
    m->before.n = m->past.n = r->events.n * n;
    vec_free(&last);
    vec_free(&awaited);
    vec_free(&beside);
}

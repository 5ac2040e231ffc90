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
    vec_free(&m->tree);
}

static void join(struct musthb *m, uint32_t *into, uint32_t event)
{
    if (event == NO_EVENT)
        return;
    const uint32_t *from = m->past.at + (size_t)event * m->n;
    for (uint32_t a = 0; a < m->n; a++)
        if (from[a] > into[a])
            into[a] = from[a];
}

static bool caused(const struct musthb *m, uint32_t i, uint32_t j)
{
    const struct event *e = &m->record->events.at[i];
    return e->at < m->before.at[(size_t)j * m->n + e->actor];
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
    return s->at < m->past.at[(size_t)b->source * m->n + s->actor];
}

static enum constraint promised(const struct musthb *m, uint32_t i, uint32_t j)
{
    const struct event *a = &m->record->events.at[i];
    const struct event *b = &m->record->events.at[j];
    if (a->actor != b->actor || a->body || b->body)
        return CONSTRAINT_NONE;
    if (a->timer && b->timer)
        return CONSTRAINT_TIMER;
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
    return promised(m, i, j);
}

// ---- what holds in every execution -----------------------------------------

// Numbers in preorder of the tree of sends, so that a descendant's is within
// its ancestor's range.
static void number_tree(struct musthb *m)
{
    const struct record *r = m->record;
    uint32_t n = r->events.n, roots = 0;
    vec_clear(&m->tree);
    for (uint32_t i = 0; i < n; i++)
        vec_push(&m->tree, ((struct musthb_node){.size = 1}));
    for (uint32_t i = n; i-- > 0;)
        if (r->events.at[i].source != NO_EVENT)
            m->tree.at[r->events.at[i].source].size += m->tree.at[i].size;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t up = r->events.at[i].source;
        uint32_t *next = up == NO_EVENT ? &roots : &m->tree.at[up].next;
        m->tree.at[i].first = *next;
        m->tree.at[i].next = *next + 1;
        *next += m->tree.at[i].size;
    }
}

static bool sent_from(const struct musthb *m, uint32_t a, uint32_t b)
{
    const struct musthb_node *x = &m->tree.at[a], *y = &m->tree.at[b];
    return y->first - x->first < x->size; // wraps if it is before
}

// What a segment of the body led to is over before the next one that waited
// for quiet.
static void end_segments(struct musthb *m)
{
    const struct record *r = m->record;
    uint32_t next = NO_EVENT;
    for (uint32_t i = r->events.n; i-- > 0;) {
        const struct event *e = &r->events.at[i];
        if (!e->body)
            continue;
        bool over = next == NO_EVENT || r->events.at[next].quiet;
        m->tree.at[i].until = over ? e->at : m->tree.at[next].until;
        next = i;
    }
}

// The segment of the body that it all began with.  Which one a timer was set
// in, its identity does not say.
static void find_segment(struct musthb *m, uint32_t i)
{
    const struct event *e = &m->record->events.at[i];
    struct musthb_node *t = &m->tree.at[i];
    uint32_t up = e->source != NO_EVENT ? e->source : e->creator;
    if (e->body) {
        t->segment = e->at;
        return;
    }
    t->segment = up == NO_EVENT ? 0 : m->tree.at[up].segment;
    t->until = e->source == NO_EVENT ? NO_EVENT : m->tree.at[e->source].until;
}

// Segments, and where the way up has an actor whose creator is not on it.
static void look_up(struct musthb *m)
{
    const struct record *r = m->record;
    number_tree(m);
    end_segments(m);
    for (uint32_t i = 0; i < r->events.n; i++) {
        const struct event *e = &r->events.at[i];
        struct musthb_node *t = &m->tree.at[i];
        find_segment(m, i);
        if (e->creator != NO_EVENT && !sent_from(m, e->creator, i))
            t->born = i;
        else
            t->born =
                e->source == NO_EVENT ? NO_EVENT : m->tree.at[e->source].born;
    }
}

// Is a among the receives that b's identity names: who sent its message, who
// created its receiver, and theirs?
static bool ancestor(const struct musthb *m, uint32_t a, uint32_t b)
{
    const struct event *events = m->record->events.at;
    if (sent_from(m, a, b))
        return a != b;
    for (uint32_t x = m->tree.at[b].born; x != NO_EVENT && x > a;) {
        uint32_t c = events[x].creator;
        if (c >= a && (c == a || ancestor(m, a, c)))
            return true;
        if (events[x].source == NO_EVENT)
            return false;
        x = m->tree.at[events[x].source].born;
    }
    return false;
}

static enum constraint always(const struct musthb *m, uint32_t i, uint32_t j,
                              uint32_t *fuel);

// Was i sent in the run that created the actor of run s, by its init hook?  In
// `mailbox` a run's sends are one.
static bool sent_at_birth(const struct musthb *m, uint32_t i, uint32_t s)
{
    const struct event *events = m->record->events.at;
    return events[s].creator == events[i].source &&
           (m->record->delivery == DELIVERY_MAILBOX ||
            events[i].sender == events[s].actor);
}

// Is i sent before j in every execution that has both?  Up from j, through the
// sends that led to it: by the run that sent i, but later, or by a later run of
// the same actor, or by an actor that was born then.
static bool sends_in_order(const struct musthb *m, uint32_t i, uint32_t j,
                           uint32_t *fuel)
{
    const struct event *events = m->record->events.at;
    uint32_t by = events[i].source;
    bool whole = m->record->delivery == DELIVERY_MAILBOX;
    if (by == NO_EVENT)
        return false;
    for (uint32_t e = j; events[e].source != NO_EVENT; e = events[e].source) {
        uint32_t s = events[e].source;
        if (!*fuel)
            return false;
        --*fuel;
        if (s == by)
            return (whole && e != j) || events[i].nth < events[e].nth;
        if (by < s && events[s].actor == events[by].actor &&
            always(m, by, s, fuel) != CONSTRAINT_NONE)
            return true;
        if (sent_at_birth(m, i, s))
            return true;
    }
    return false;
}

static enum constraint always(const struct musthb *m, uint32_t i, uint32_t j,
                              uint32_t *fuel)
{
    const struct record *r = m->record;
    const struct event *a = &r->events.at[i], *b = &r->events.at[j];
    if (ancestor(m, i, j) || m->tree.at[i].until < m->tree.at[j].segment)
        return CONSTRAINT_CAUSE;
    if (a->actor != b->actor || a->body || b->body)
        return CONSTRAINT_NONE;
    if (a->timer && b->timer)
        return CONSTRAINT_TIMER;
    if (a->timer || b->timer || r->delivery == DELIVERY_ANY ||
        (r->delivery == DELIVERY_PAIR && a->sender != b->sender))
        return CONSTRAINT_NONE;
    return sends_in_order(m, i, j, fuel) ? CONSTRAINT_SENDER : CONSTRAINT_NONE;
}

enum { FUEL = 1000 };

enum constraint musthb_always(const struct musthb *m, uint32_t i, uint32_t j)
{
    uint32_t fuel = FUEL;
    return always(m, i, j, &fuel);
}

// ---- making -------------------------------------------------------------

// The event of the actor before this one, looked up backwards once per event
// through `last`.
void musthb_make(struct musthb *m, const struct record *r)
{
    uint32_t n = r->actors.n;
    VEC(uint32_t) last = {0};
    m->record = r;
    m->n = n;
    vec_clear(&m->before);
    vec_clear(&m->past);
    vec_room(&m->before, r->events.n * n);
    vec_room(&m->past, r->events.n * n);
    for (uint32_t a = 0; a < n; a++)
        vec_push(&last, NO_EVENT);
    for (uint32_t i = 0; i < r->events.n; i++) {
        const struct event *e = &r->events.at[i];
        uint32_t *before = m->before.at + (size_t)i * n;
        uint32_t *past = m->past.at + (size_t)i * n;
        memset(before, 0, n * sizeof *before);
        join(m, before, e->source);
        join(m, before, e->creator);
        join(m, before, e->set_by);
        if (e->body) // a later segment comes when all is quiet
            for (uint32_t a = 0; a < n; a++)
                join(m, before, last.at[a]);
        memcpy(past, before, n * sizeof *past);
        join(m, past, last.at[e->actor]);
        past[e->actor] = e->at + 1;
        last.at[e->actor] = i;
    }
    m->before.n = m->past.n = r->events.n * n;
    look_up(m);
    vec_free(&last);
}

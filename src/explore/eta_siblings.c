// Which choices of a complete execution must be taken another way.
#include "explore/eta_siblings.h"

static uint32_t sends_end(const struct world *w, uint32_t i)
{
    return i + 1 < w->trail.n ? w->trail.at[i + 1].flights : w->flights.n;
}

static bool sent_to(const struct world *w, uint32_t i, uint32_t actor)
{
    for (uint32_t a = w->trail.at[i].flights; a < sends_end(w, i); a++)
        if (w->flights.at[a].to == actor)
            return true;
    return false;
}

// Do both steps change a common queue?
static bool common_queue(const struct world *w, uint32_t i, uint32_t j)
{
    if (sent_to(w, i, w->trail.at[j].actor) ||
        sent_to(w, j, w->trail.at[i].actor))
        return true;
    for (uint32_t a = w->trail.at[i].flights; a < sends_end(w, i); a++)
        for (uint32_t b = w->trail.at[j].flights; b < sends_end(w, j); b++)
            if (w->flights.at[a].to == w->flights.at[b].to)
                return true;
    return false;
}

// Is i < j an evil ancestor of j?
static bool evil(const struct world *w, const struct order *o, uint32_t i,
                 uint32_t j)
{
    const struct order_event *a = &o->events.at[i];
    const struct order_event *b = &o->events.at[j];
    if (a->is_whole || b->is_whole)
        return false;
    if (a->actor != b->actor)
        return w->delivery == DELIVERY_MAILBOX && !order_before(o, i, j) &&
               common_queue(w, i, j);
    if (!order_may_overtake(w, i, j))
        return false;
    uint32_t source = w->flights.at[w->trail.at[j].flight].source;
    return source < i || (source > i && !order_before(o, i, source));
}

static struct child *child_of(struct siblings *n, uint32_t actor,
                              uint32_t flight)
{
    for (uint32_t i = 0; i < n->list.n; i++)
        if (n->list.at[i].choice.actor == actor &&
            n->list.at[i].choice.flight == flight)
            return &n->list.at[i];
    return NULL;
}

void siblings_mark(struct siblings *n, struct child *c)
{
    if (c->mark == UNMARKED)
        c->mark = MARKED;
    struct child *t;
    for (uint32_t k = 0; (t = child_of(n, c->choice.actor, play_timer(k))); k++)
        if (t->mark == UNMARKED)
            t->mark = MARKED;
}

void siblings_mark_all(struct siblings *n)
{
    for (uint32_t i = 0; i < n->list.n; i++)
        siblings_mark(n, &n->list.at[i]);
}

// Mark a good sibling of step i for step j.
static void mark_good(const struct world *w, const struct order *o,
                      struct siblings *n, uint32_t i, uint32_t j)
{
    const struct trail_step *taken = &w->trail.at[i];
    struct child *good = NULL;
    for (uint32_t l = i + 1; l <= j; l++) {
        const struct trail_step *t = &w->trail.at[l];
        if (l != j && !order_before(o, l, j))
            continue;
        struct child *c = child_of(n, t->actor, t->flight);
        if (!c || (t->actor == taken->actor && t->flight == taken->flight))
            continue;
        if (c->mark != UNMARKED)
            return;
        good = good ? good : c;
    }
    if (good)
        siblings_mark(n, good);
    else
        siblings_mark_all(n);
}

void siblings_look_back(const struct world *w, const struct order *o,
                        struct siblings *const *path)
{
    for (uint32_t j = w->trail.n; j-- > 0;) {
        for (uint32_t i = j; i-- > 0;) {
            if (!evil(w, o, i, j))
                continue;
            mark_good(w, o, path[i], i, j);
            if (is_flight(w->trail.at[i].flight))
                break; // a timer hides no evil ancestor before it
        }
    }
}

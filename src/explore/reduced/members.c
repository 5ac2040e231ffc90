// Sets of actors: begin with one that can move, and add whoever may disturb it.
//
// In `pair`, `any` and `causal` a member is disturbed by a message that could
// be received there before what is in flight already (is_harmless).  In
// `mailbox` every actor has one message to receive, so a member is disturbed by
// whoever may send where the member is about to send, since the order of the
// two shows in that queue, and by any message if its own queue is empty.
#include "explore/reduced/inner.h"

// ---- what disturbs a member -----------------------------------------------

static bool in_flight(const struct world *w, uint32_t to, uint32_t sender,
                      uint32_t msg)
{
    uint32_t i = w->seats.at[to].first;
    for (; i != PLAY_NONE; i = w->flights.at[i].next)
        if ((sender == PLAY_NONE || w->flights.at[i].sender == sender) &&
            (msg == PLAY_NONE || w->flights.at[i].msg == msg))
            return true;
    return false;
}

// The living actor that must move for this one to exist.
static uint32_t living(const struct reduction *r, const struct closure *c,
                       uint32_t actor)
{
    const struct world *w = r->world;
    while (actor >= w->n || w->seats.at[actor].state == PLAY_NONE)
        actor = c->actors.at[actor].creator;
    return actor;
}

static bool knows_of_flight(const struct reduction *r, uint32_t actor,
                            uint32_t to)
{
    const struct world *w = r->world;
    const struct seat *s = &w->seats.at[actor];
    uint32_t i = w->seats.at[to].first;
    for (; i != PLAY_NONE; i = w->flights.at[i].next) {
        uint32_t by = world_sent_by(w, &w->flights.at[i]);
        if (by == actor ||
            world_clock(w, s->clock, s->n_clock, by) > w->flights.at[i].index)
            return true;
    }
    return false;
}

// A new message that could not be received before those in flight.
static bool is_harmless(struct reduction *r, const struct closure *c,
                        const struct arrival *a)
{
    const struct world *w = r->world;
    if (r->off & REDUCTION_ALL_HARMLESS)
        return true;
    if (w->delivery == DELIVERY_PAIR)
        return in_flight(w, a->to, a->sender, PLAY_NONE);
    if (w->delivery == DELIVERY_CAUSAL)
        return knows_of_flight(r, living(r, c, a->mover), a->to);
    if (a->msg == PLAY_NONE)
        return false;
    bool asks = facts_asks_sender(&r->facts, w->play, a->to, a->msg);
    return in_flight(
        w, a->to, asks || r->off & REDUCTION_NO_BLIND ? a->sender : PLAY_NONE,
        a->msg);
}

// ---- the set ----------------------------------------------------------------

bool members_have(const struct reduction *r, uint32_t actor)
{
    return actor < r->member.n && r->member.at[actor];
}

static bool join(struct reduction *r, uint32_t actor)
{
    while (r->member.n <= actor)
        vec_push(&r->member, false);
    if (r->member.at[actor])
        return false;
    r->member.at[actor] = true;
    vec_push(&r->members, actor);
    return true;
}

static void disband(struct reduction *r)
{
    while (r->members.n)
        r->member.at[vec_pop(&r->members)] = false;
}

// Is a message to `to` known to follow from a choice of a member?
static bool about_to_send(struct reduction *r, const choices *all,
                          uint32_t first, uint32_t to)
{
    const struct world *w = r->world;
    for (uint32_t k = first; k < all->n; k++) {
        const struct choice *c = &all->at[k];
        if (!members_have(r, c->actor))
            continue;
        uint32_t i = reduction_outcomes(r, w->seats.at[c->actor].state,
                                        choice_msg(w, c));
        for (; i != PLAY_NONE; i = r->facts.list.at[i].next) {
            const struct effect *e = r->facts.list.at[i].effect;
            for (uint32_t s = 0; s < e->n_sends; s++)
                if (e->sends[s].to == to)
                    return true;
        }
    }
    return false;
}

static bool disturbs(struct reduction *r, const struct closure *of,
                     const choices *all, uint32_t first,
                     const struct arrival *a)
{
    const struct world *w = r->world;
    if (w->delivery != DELIVERY_MAILBOX)
        return members_have(r, a->to) && !is_harmless(r, of, a);
    if (r->off & REDUCTION_ALL_HARMLESS)
        return false;
    if (members_have(r, a->to) && !w->seats.at[a->to].n_flights)
        return true;
    return about_to_send(r, all, first, a->to);
}

// Everybody else who may change what invariants look at joins, if a member may.
static bool join_showers(struct reduction *r, const struct closure *of,
                         const choices *all, uint32_t first)
{
    const struct world *w = r->world;
    bool shows = false, joined = false;
    for (uint32_t k = first; k < all->n && !shows; k++) {
        const struct choice *c = &all->at[k];
        shows = members_have(r, c->actor) &&
                reduction_known_to_show(r, w->seats.at[c->actor].state,
                                        choice_msg(w, c));
    }
    for (uint32_t i = 0; shows && i < of->touched.n; i++) {
        uint32_t actor = of->touched.at[i];
        if (of->actors.at[actor].shows)
            joined |= join(r, living(r, of, actor));
    }
    return joined;
}

static bool join_disturbers(struct reduction *r, const struct closure *of,
                            const choices *all, uint32_t first)
{
    bool joined = false;
    for (uint32_t i = 0; i < of->arrivals.n; i++) {
        const struct arrival *a = &of->arrivals.at[i];
        if (!members_have(r, a->mover) && disturbs(r, of, all, first, a))
            joined |= join(r, living(r, of, a->mover));
    }
    return joined;
}

static uint32_t cost(const struct reduction *r, const choices *all,
                     uint32_t first)
{
    uint32_t n = 0;
    for (uint32_t k = first; k < all->n; k++)
        n += members_have(r, all->at[k].actor);
    return n;
}

// A good set with this actor in it, as members, by what may happen if nobody
// stands still: more than may happen if the set does.  False: it costs `most`
// or more.
static bool grow_roughly(struct reduction *r, struct outlook *o, uint32_t actor,
                         const choices *all, uint32_t first, uint32_t most)
{
    const struct closure *of = &o->closure;
    bool more;
    disband(r);
    join(r, actor);
    do {
        if (cost(r, all, first) >= most)
            return false;
        more = join_disturbers(r, of, all, first);
        more = join_showers(r, of, all, first) || more;
    } while (more);
    return true;
}

// The least good set with this actor in it.
static bool grow_set(struct reduction *r, uint32_t actor, const choices *all,
                     uint32_t first, uint32_t most)
{
    bool everything = r->world->delivery == DELIVERY_MAILBOX;
    struct closure *of = &r->partial;
    disband(r);
    join(r, actor);
    bool more;
    do {
        if (cost(r, all, first) >= most)
            return false;
        closure_begin(of);
        for (uint32_t i = 0; i < r->members.n; i++)
            closure_freeze(of, r->members.at[i]);
        if (!closure_run(of, PLAY_NONE, everything))
            return false;
        more = join_disturbers(r, of, all, first);
        more = join_showers(r, of, all, first) || more;
    } while (more);
    return true;
}

// Will the set move before the body does?  Timers of every() need not fire
// before; messages are received.
static bool comes_before_body(const struct reduction *r)
{
    if (!world_beside_ticks(r->world))
        return true;
    for (uint32_t i = 0; i < r->members.n; i++)
        if (r->members.at[i] < r->world->n &&
            r->world->seats.at[r->members.at[i]].n_flights)
            return true;
    return false;
}

static void keep_best(struct reduction *r)
{
    vec_clear(&r->best);
    for (uint32_t i = 0; i < r->members.n; i++)
        vec_push(&r->best, r->members.at[i]);
}

// ---- the best one ----------------------------------------------------------

// The cheapest set over all beginnings, if it costs less than `least`.  By this
// outlook; NULL: by a closure for each set.
static uint32_t find_set(struct reduction *r, struct outlook *o,
                         const choices *all, uint32_t first, uint32_t least)
{
    for (uint32_t size = 1; size < least; size++)
        for (uint32_t k = first, end; k < all->n && size < least; k = end) {
            uint32_t actor = all->at[k].actor;
            for (end = k; end < all->n && all->at[end].actor == actor;)
                end++;
            if (end - k != size ||
                !(o ? grow_roughly(r, o, actor, all, first, least)
                    : grow_set(r, actor, all, first, least)) ||
                !comes_before_body(r))
                continue;
            least = cost(r, all, first);
            keep_best(r);
        }
    return least;
}

// First as facts tell coarsely, then finely where that is not enough.
bool members_find(struct reduction *r, const choices *all, uint32_t first)
{
    uint32_t n = all->n - first, least = n;
    if (!r->partial.shows && reduction_look_out(r, &r->coarse))
        least = find_set(r, &r->coarse, all, first, least);
    if (least > 1 && reduction_look_out(r, &r->fine))
        least = find_set(r, &r->fine, all, first, least);
    if (least > 1)
        least = find_set(r, NULL, all, first, least);
    return least < n;
}

void members_take(struct reduction *r)
{
    disband(r);
    for (uint32_t i = 0; i < r->best.n; i++)
        join(r, r->best.at[i]);
}

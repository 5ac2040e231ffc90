// The pair of receives that decides: whether a bug shows depends on which of
// two messages an actor gets first.
//
// Two messages to one actor are tried the other way round: what the earlier
// receive needs is done as before, the rest follows as far as it can, since a
// run that passes only because all went another way tells nothing.  Those of
// the actor that fails come first, since most often it got them in the wrong
// order; then nearest first.  If no two decide, the message that matters may
// not have been sent yet when the run failed: a receive is put off until its
// actor got one more, or several.  Either way the other run is made to its end,
// and has no bug at all.
#include "cases/race.h"

#include "explore/follow.h"
#include "explore/order.h"

#include <stdlib.h>

struct racing {
    struct follow follow;
    uint64_t spent;     // cost of the runs tried, see spend()
    bool failed;        // the run under way
    VEC(uint32_t) plan; // steps to follow
};

static void on_bug(void *self, const struct bug *b, const struct schedule *s)
{
    struct racing *x = self;
    (void)s;
    x->failed |= !b->warning;
}

static void start(struct racing *x)
{
    follow_reset(&x->follow);
    x->failed = false;
}

// Go on to the end: does it pass?
static bool finish(struct racing *x)
{
    if (!x->failed)
        follow_rest(&x->follow);
    return !x->failed && x->follow.world.trail.n <= x->follow.search.steps;
}

static bool passes(struct racing *x, const struct schedule *s)
{
    start(x);
    for (uint32_t i = 0; i < x->plan.n && !x->failed; i++)
        follow_alike(&x->follow, s, x->plan.at[i]);
    return finish(x);
}

// ---- messages of the failing run ------------------------------------------

// The failing run, for reference.
struct failing {
    const struct schedule *all;
    const struct world *world;
    const struct order *order;
    uint32_t *step_of; // by flight: the step that received it, or PLAY_NONE
};

// Must step k be done for step j to be done?
static bool needed(const struct failing *f, uint32_t k, uint32_t j)
{
    return k == j || (k < j && order_before(f->order, k, j));
}

// Plan: as before up to `from`, then what step j needs and j, then the
// message `early` before step `late`, then the rest.  False if j needs `from`.
static bool plan_swap(struct racing *x, const struct failing *f, uint32_t from,
                      uint32_t j, uint32_t early, uint32_t late)
{
    uint32_t n = f->world->trail.n;
    vec_clear(&x->plan);
    if (j >= from && needed(f, from, j))
        return false;
    for (uint32_t i = 0; i < from; i++)
        vec_push(&x->plan, i);
    for (uint32_t i = from; i < n && i <= j; i++)
        if (needed(f, i, j))
            vec_push(&x->plan, i);
    for (uint32_t i = from; i < n; i++) {
        if (i == late)
            vec_push(&x->plan, early);
        if (i != early && !(i <= j && needed(f, i, j)))
            vec_push(&x->plan, i);
    }
    return true;
}

// Receive flight m before what step i received, a message or a timer.  In
// `mailbox` it must be sent before the message, too.
static bool try_swap(struct racing *x, struct failing *f,
                     struct schedule *with_early, uint32_t i, uint32_t m)
{
    const struct world *w = f->world;
    const struct flight *early = &w->flights.at[m];
    uint32_t late = w->trail.at[i].flight, step = f->step_of[m], from = i;
    schedule_copy(with_early, f->all);
    if (step == PLAY_NONE) {
        step = with_early->steps.n;
        schedule_add(with_early,
                     (struct step){.actor = early->to,
                                   .msg = early->msg,
                                   .sender = early->sender,
                                   .source = early->source,
                                   .nth = early->nth},
                     NULL);
    }
    bool queued = w->delivery == DELIVERY_MAILBOX && is_flight(late);
    if (queued)
        from = w->flights.at[late].source;
    if ((queued && early->source == from) ||
        !plan_swap(x, f, from, early->source, step, i))
        return false;
    return passes(x, with_early);
}

// As order_may_overtake(), for a message that was not received, too; and in
// `mailbox`, where it is the send that is put off, for any two.  A timer may
// always wait.
static bool may_swap(const struct world *w, uint32_t late, uint32_t early)
{
    if (play_is_timer(late))
        return true;
    if (w->delivery == DELIVERY_PAIR)
        return w->flights.at[late].sender != w->flights.at[early].sender;
    if (w->delivery == DELIVERY_CAUSAL)
        return !world_before(w, late, early);
    return true;
}

// ---- which two ------------------------------------------------------------

// How plain a swap is; the plainest that passes is the race.
enum rank {
    FAILING_SAME_SENDER, // messages that the failing actor received
    FAILING_RECEIVED,
    FAILING_IN_FLIGHT, // of which one was still in flight
    OTHER_SAME_SENDER, // of another actor
    OTHER_RECEIVED,
    OTHER_IN_FLIGHT,
};

struct swap {
    uint32_t step;   // that received the one
    uint32_t flight; // the other
    enum rank rank;
    uint32_t distance; // in receives of the actor
};

typedef VEC(struct swap) swaps;

static enum rank rank_of(const struct failing *f, uint32_t step, uint32_t m)
{
    const struct world *w = f->world;
    bool failing = w->trail.at[step].actor == vec_last(&w->trail).actor;
    uint32_t late = w->trail.at[step].flight;
    if (f->step_of[m] == PLAY_NONE)
        return failing ? FAILING_IN_FLIGHT : OTHER_IN_FLIGHT;
    if (is_flight(late) &&
        w->flights.at[late].sender == w->flights.at[m].sender)
        return failing ? FAILING_SAME_SENDER : OTHER_SAME_SENDER;
    return failing ? FAILING_RECEIVED : OTHER_RECEIVED;
}

static int by_rank(const void *a, const void *b)
{
    const struct swap *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    if (x->step != y->step)
        return x->step > y->step ? -1 : 1; // the last ones
    return x->flight < y->flight ? -1 : x->flight > y->flight;
}

enum { NEAR = 64, IN_FLIGHT = 16 };

static void add_swap(const struct failing *f, swaps *to, uint32_t step,
                     uint32_t m, uint32_t distance)
{
    if (may_swap(f->world, f->world->trail.at[step].flight, m))
        vec_push(to, ((struct swap){step, m, rank_of(f, step, m), distance}));
}

// Swaps of what step i received with messages that the actor got later, or was
// still to get.
static void swaps_at(const struct failing *f, uint32_t i, swaps *to)
{
    const struct world *w = f->world;
    uint32_t distance = 0, flying = 0;
    for (uint32_t k = i + 1; k < w->trail.n && distance < NEAR; k++)
        if (w->trail.at[k].actor == w->trail.at[i].actor) {
            distance++;
            if (is_flight(w->trail.at[k].flight))
                add_swap(f, to, i, w->trail.at[k].flight, distance);
        }
    for (uint32_t m = 0; m < w->flights.n && flying < IN_FLIGHT; m++)
        if (w->flights.at[m].to == w->trail.at[i].actor &&
            f->step_of[m] == PLAY_NONE) {
            flying++;
            add_swap(f, to, i, m, distance + flying);
        }
}

static void list_swaps(const struct failing *f, swaps *to)
{
    const struct world *w = f->world;
    for (uint32_t i = 1; i < w->trail.n; i++)
        if (w->trail.at[i].flight != CHOICE_BODY)
            swaps_at(f, i, to);
    if (to->n)
        qsort(to->at, to->n, sizeof *to->at, by_rank);
}

static int by_step(const void *a, const void *b)
{
    const struct race_swap *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return x->second < y->second ? -1 : x->second > y->second;
}

// Steps that may be run to find the race, and then the other swaps that pass.
enum { STEPS_FIRST = 200000, STEPS_MORE = 50000 };
enum { MOST_SPENT = 4000000 }; // cost of all runs that are tried

// A run was tried.  It costs one per step, more if many messages are in flight.
static void spend(struct racing *x)
{
    const struct world *w = &x->follow.world;
    x->spent += (uint64_t)w->trail.n * (1 + w->flights.n / 128);
}

static void note_swap(const struct failing *f, const struct world *passing,
                      const struct swap *c, struct race *race)
{
    const struct flight *m = &f->world->flights.at[c->flight];
    struct race_swap found = {c->step, f->step_of[c->flight], m->source,
                              m->nth};
    vec_push(&race->swaps, found);
    if (race->swaps.n > 1)
        return;
    race->pair = found;
    race->unsent = PLAY_NONE;
    world_schedule(passing, &race->passes);
}

// Note all swaps that pass; the race is the plainest.  True if that is one of
// the failing actor.
static bool find_swaps(struct racing *x, struct failing *f, struct race *race)
{
    struct schedule with_early = {0};
    swaps all = {0};
    uint64_t steps = 0, most = STEPS_FIRST;
    bool plain = false;
    list_swaps(f, &all);
    for (uint32_t i = 0; i < all.n && steps < most && x->spent < MOST_SPENT;
         i++) {
        const struct swap *c = &all.at[i];
        if (try_swap(x, f, &with_early, c->step, c->flight)) {
            note_swap(f, &x->follow.world, c, race);
            plain |= c->rank <= FAILING_IN_FLIGHT;
            most = race->swaps.n == 1 ? steps + STEPS_MORE : most;
        }
        steps += x->follow.world.trail.n;
        spend(x);
    }
    vec_free(&all);
    schedule_free(&with_early);
    if (race->swaps.n)
        qsort(race->swaps.at, race->swaps.n, sizeof *race->swaps.at, by_step);
    return plain;
}

// ---- more messages, perhaps not sent yet ----------------------------------

enum { OTHERS = 8, TRIES = 300 };

// Anything but this choice, actors in turn; false if there is nothing else.
static bool do_another(struct follow *f, uint32_t actor, uint32_t flight)
{
    const struct world *w = &f->world;
    uint32_t last = vec_last(&w->trail).actor, n = 0;
    struct choice c = {0};
    vec_clear(&f->choices);
    world_choices(&f->world, &f->choices);
    for (uint32_t i = 0; i < f->choices.n; i++) {
        const struct choice *o = &f->choices.at[i];
        bool same = o->actor == actor && o->flight == flight;
        if (!same && (!n++ || (c.actor <= last && o->actor > last)))
            c = *o;
    }
    if (n)
        follow_make(f, c, NULL, 0);
    return n;
}

// Put step i off until `actor` got `more` messages; the last of them is step
// *at of the new run.  True if that passes.
static bool put_off(struct racing *x, const struct failing *f, uint32_t i,
                    uint32_t actor, uint32_t more, uint32_t *at)
{
    struct world *w = &x->follow.world;
    const struct trail_step *t = &f->world->trail.at[i];
    start(x);
    for (uint32_t j = 0; j < i && !x->failed; j++)
        follow_step(&x->follow, f->all, j);
    uint32_t enough = w->seats.at[actor].receives + more;
    while (!x->failed && w->seats.at[actor].receives < enough)
        if (w->trail.n > x->follow.search.steps ||
            !do_another(&x->follow, t->actor, t->flight))
            return false;
    *at = w->trail.n - 1;
    if (!x->failed)
        follow_step(&x->follow, f->all, i);
    return finish(x);
}

// Note as the race: step i (or the last step), and the message that step `at`
// of the passing run received.  The failing run may have received it later.
static void take(const struct failing *f, const struct world *passing,
                 uint32_t i, uint32_t at, uint32_t more, struct race *race)
{
    const struct world *w = f->world;
    bool own = w->trail.at[i].actor == passing->trail.at[at].actor;
    race->pair = (struct race_swap){.first = own ? i : w->trail.n - 1,
                                    .second = PLAY_NONE,
                                    .source = PLAY_NONE};
    race->more = more - 1;
    race->unsent = at;
    world_schedule(passing, &race->passes);
    const struct step *s = &race->passes.steps.at[at];
    for (uint32_t m = 0; m < w->flights.n && is_flight(s->msg); m++)
        if (s->source < i && w->flights.at[m].source == s->source &&
            w->flights.at[m].nth == s->nth) {
            race->pair.second = f->step_of[m];
            race->pair.source = s->source;
            race->pair.nth = s->nth;
            race->unsent = PLAY_NONE;
        }
}

static bool put_off_at(struct racing *x, const struct failing *f, uint32_t i,
                       uint32_t actor, uint32_t most, uint32_t *tries,
                       struct race *race)
{
    uint32_t at = 0, before = 0;
    for (uint32_t n = 1; n <= most && ++*tries <= TRIES; n++) {
        if (x->spent >= MOST_SPENT)
            return false;
        spend(x);
        if (put_off(x, f, i, actor, n, &at)) {
            take(f, &x->follow.world, i, at, n, race);
            return true;
        }
        if (at == before)
            return false; // there are no more
        before = at;
    }
    return false;
}

// Put a receive off until its actor got one to `most` more messages.  others:
// receives of other actors than the last one's.
static bool find_delay(struct racing *x, const struct failing *f, bool others,
                       uint32_t most, struct race *race)
{
    const struct world *w = f->world;
    uint32_t last = vec_last(&w->trail).actor, tries = 0;
    for (uint32_t i = w->trail.n; i-- > 1;)
        if ((w->trail.at[i].actor != last) == others &&
            w->trail.at[i].flight != CHOICE_BODY &&
            put_off_at(x, f, i, w->trail.at[i].actor, most, &tries, race))
            return true;
    return false;
}

// In `mailbox`, a message is put off by putting off the step that sends it.
static bool find_delayed_send(struct racing *x, const struct failing *f,
                              struct race *race)
{
    const struct world *w = f->world;
    const struct trail_step *last = &vec_last(&w->trail);
    uint32_t tries = 0;
    if (w->delivery != DELIVERY_MAILBOX || !is_flight(last->flight))
        return false;
    uint32_t source = w->flights.at[last->flight].source;
    return source > 0 && is_flight(w->trail.at[source].flight) &&
           put_off_at(x, f, source, last->actor, OTHERS, &tries, race);
}

// ---- everything -----------------------------------------------------------

// Walk the failing schedule once more and note its order.
static bool walk(struct follow *f, struct order *o, const struct schedule *s)
{
    for (uint32_t i = 0; i < s->steps.n; i++) {
        if (!follow_step(f, s, i))
            return false;
        order_push(o, &f->world);
    }
    return true;
}

bool schedule_race(struct play *p, enum delivery d, const struct schedule *s,
                   struct race *race)
{
    static const struct explore_sink deaf;
    struct racing x = {0};
    struct explore_sink sink = {.self = &x, .bug = on_bug};
    struct follow base;
    struct order order;
    VEC(uint32_t) step_of = {0};
    follow_init(&base, p, d, &deaf);
    follow_init(&x.follow, p, d, &sink);
    *race = (struct race){.unsent = PLAY_NONE};
    order_init(&order, false);
    bool found = walk(&base, &order, s);
    for (uint32_t i = 0; i < base.world.flights.n; i++)
        vec_push(&step_of, PLAY_NONE);
    for (uint32_t i = 0; i < base.world.trail.n; i++)
        if (is_flight(base.world.trail.at[i].flight))
            step_of.at[base.world.trail.at[i].flight] = i;
    struct failing f = {s, &base.world, &order, step_of.at};
    found = found &&
            (find_swaps(&x, &f, race) || find_delay(&x, &f, false, 1, race) ||
             race->swaps.n || find_delay(&x, &f, false, OTHERS, race) ||
             find_delayed_send(&x, &f, race) ||
             find_delay(&x, &f, true, OTHERS, race));
    vec_free(&step_of);
    order_release(&order);
    follow_release(&base);
    follow_release(&x.follow);
    vec_free(&x.plan);
    return found;
}

void race_release(struct race *race)
{
    schedule_free(&race->passes);
    vec_free(&race->swaps);
}

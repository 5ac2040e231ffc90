// States are known by their 64-bit hashes.  Where the execution comes back to a
// state, all states in between can be reached from each other; parts that
// overlap are one such region.  If any cycle in a region is fair, the region
// is, because it passes through more states and receives more.
//
// The cycle that is told is the first fair one that begins where the region
// does.  If a fair region has no fair cycle that begins there, the longest
// cycle is told.
#include "explore/endless.h"

#include "base/die.h"
#include "explore/fairness.h"
#include "explore/search.h"

#include <stdlib.h>
#include <string.h>

enum {
    FURTHER = 2000,      // steps after the bound, if that is not less
    ALLOWANCE = 1000000, // messages looked at before it is held to the search
    LOOK_AFTER = 100000  // messages looked at between looks at the clock
};

// A state on the way: its index is the number of steps made before.
struct moment {
    uint64_t hash;
    uint32_t steps;
};

struct endless {
    struct search *search;
    struct world world;
    choices made;            // by step
    choices open;            // scratch
    VEC(struct moment) path; // by number of steps
    VEC(struct moment) sorted;
    VEC(uint32_t) last; // by number of steps: when it was last in this state
    struct fairness fairness;
    struct schedule witness;
    uint64_t spent, looked;
    // of the messages in flight where a cycle begins
    VEC(uint64_t) names;
    VEC(uint64_t) from; // by flight: those it comes from, as bits
};

struct endless *endless_new(struct search *s)
{
    struct endless *e = need_zero(sizeof *e);
    e->search = s;
    world_init(&e->world, s->play, s->options->delivery);
    e->world.guest = true;
    e->world.tireless = true;
    return e;
}

void endless_free(struct endless *e)
{
    if (!e)
        return;
    world_release(&e->world);
    vec_free(&e->made);
    vec_free(&e->open);
    vec_free(&e->path);
    vec_free(&e->sorted);
    vec_free(&e->last);
    vec_free(&e->names);
    vec_free(&e->from);
    fairness_free(&e->fairness);
    schedule_free(&e->witness);
    free(e);
}

// ---- walking ---------------------------------------------------------------

static uint64_t budget(const struct endless *e)
{
    return ALLOWANCE + 2 * e->search->result->receives;
}

bool endless_wanted(const struct endless *e)
{
    return e->spent < budget(e);
}

// As long as it is wanted, and the search has time.
static bool goes_on(struct endless *e)
{
    if (e->spent - e->looked > LOOK_AFTER) {
        e->looked = e->spent;
        search_ends(e->search);
    }
    return !e->search->over && endless_wanted(e);
}

static void note(struct endless *e)
{
    struct moment m = {world_hash(&e->world, false).low, e->world.trail.n};
    vec_push(&e->path, m);
    e->spent += 1 + e->world.pending;
}

// Answers to choose() that nobody gave are 0.
static void make(struct endless *e, struct choice c, const uint16_t *picks,
                 uint32_t n)
{
    while (world_do(&e->world, &c)->flags & EFFECT_PICK) {
        uint32_t i = c.n_picks;
        c = world_pick(&e->world, &c, picks && i < n ? picks[i] : 0);
    }
    vec_push(&e->made, c);
    note(e);
}

static bool follow(struct endless *e, const struct schedule *all)
{
    for (uint32_t i = 0; i < all->steps.n && goes_on(e); i++) {
        const struct step *t = &all->steps.at[i];
        struct choice c = {t->actor, CHOICE_BODY, 0, 0};
        if (play_is_timer(t->msg))
            c.flight = t->msg;
        else if (t->msg != PLAY_NONE)
            c.flight = world_flight(&e->world, t->actor, t->source, t->nth);
        if (c.flight == PLAY_NONE && t->msg != PLAY_NONE)
            return false;
        make(e, c, t->n_picks ? all->picks.at + t->picks : NULL, t->n_picks);
    }
    return true;
}

// Of the actor whose turn it is after `last`: the oldest of its messages, or
// its timer if it has none or timers come first.
static struct choice in_turn(const struct endless *e, uint32_t last,
                             bool timers)
{
    struct choice best = e->open.at[0];
    for (uint32_t i = 1; i < e->open.n; i++) {
        struct choice c = e->open.at[i];
        uint32_t wait = c.actor - last - 1, least = best.actor - last - 1;
        if (wait < least ||
            (wait == least && timers && play_is_timer(c.flight)))
            best = c;
    }
    return best;
}

// Timers come first every other time round.
static void go_on(struct endless *e)
{
    bool timers = false;
    uint32_t most = e->search->steps < FURTHER ? e->search->steps : FURTHER;
    for (uint32_t i = 0; i < most && goes_on(e); i++) {
        uint32_t last = vec_last(&e->world.trail).actor;
        vec_clear(&e->open);
        world_choices(&e->world, &e->open);
        if (!e->open.n)
            return;
        struct choice c = in_turn(e, last, timers);
        timers ^= c.actor <= last;
        make(e, c, NULL, 0);
    }
}

// ---- regions ---------------------------------------------------------------

static int by_hash(const void *a, const void *b)
{
    const struct moment *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return x->steps < y->steps ? -1 : x->steps > y->steps;
}

static void find_last(struct endless *e)
{
    uint32_t n = e->path.n;
    vec_clear(&e->sorted);
    vec_clear(&e->last);
    vec_room(&e->sorted, n);
    vec_room(&e->last, n);
    memcpy(e->sorted.at, e->path.at, n * sizeof *e->path.at);
    qsort(e->sorted.at, n, sizeof *e->sorted.at, by_hash);
    for (uint32_t i = n; i-- > 0;) {
        const struct moment *m = &e->sorted.at[i];
        bool again = i + 1 < n && m[1].hash == m->hash;
        e->last.at[m->steps] = again ? e->last.at[m[1].steps] : m->steps;
    }
}

// The region of the state after `from` steps ends with this many.
static uint32_t region_end(const struct endless *e, uint32_t from)
{
    uint32_t end = e->last.at[from];
    for (uint32_t i = from; i < end; i++)
        if (e->last.at[i] > end)
            end = e->last.at[i];
    return end;
}

static void go_to(struct endless *e, uint32_t steps)
{
    while (e->world.trail.n > steps)
        world_undo(&e->world);
    while (e->world.trail.n < steps)
        world_do(&e->world, &e->made.at[e->world.trail.n]);
}

// Walk the region.  The number of steps after which a cycle is closed, 0 if
// the region is not fair.
static uint32_t closed_after(struct endless *e, uint32_t from, uint32_t end)
{
    struct fairness *f = &e->fairness;
    go_to(e, from);
    fairness_clear(f);
    fairness_state(f, &e->world);
    for (uint32_t i = from; i < end; i++) {
        fairness_receive(f, receive_name(&e->world, &e->made.at[i]));
        go_to(e, i + 1);
        fairness_state(f, &e->world);
        if (e->path.at[i + 1].hash == e->path.at[from].hash && is_fair(f))
            return i + 1;
    }
    return is_fair(f) ? e->last.at[from] : 0;
}

// ---- what keeps it going ---------------------------------------------------

enum { TRACED = 64 }; // messages in flight at most

// Number the messages in flight; false if they are too many.
static bool number_flights(struct endless *e)
{
    struct world *w = &e->world;
    vec_clear(&e->names);
    vec_clear(&e->from);
    for (uint32_t i = 0; i < w->flights.n; i++)
        vec_push(&e->from, 0);
    for (uint32_t a = 0; a < w->n; a++) {
        uint32_t i = w->seats.at[a].first;
        for (; i != PLAY_NONE; i = w->flights.at[i].next) {
            if (e->names.n == TRACED)
                return false;
            e->from.at[i] = UINT64_C(1) << e->names.n;
            vec_push(&e->names, world_flight_name(w, i).low);
        }
    }
    return true;
}

// What the newest step sent comes from what it received.
static void trace_step(struct endless *e)
{
    const struct trail_step *t = &vec_last(&e->world.trail);
    uint64_t from = is_flight(t->flight) ? e->from.at[t->flight] : 0;
    while (e->from.n < e->world.flights.n)
        vec_push(&e->from, from);
}

// Back at the first state: add to[i], the messages there that message i leads
// to once round.  Equal ones stand for each other in the order they come in.
static void lead_back(struct endless *e, uint64_t *to)
{
    struct world *w = &e->world;
    uint64_t taken = 0;
    for (uint32_t a = 0; a < w->n; a++) {
        uint32_t i = w->seats.at[a].first;
        for (; i != PLAY_NONE; i = w->flights.at[i].next) {
            uint64_t name = world_flight_name(w, i).low;
            uint32_t k = 0;
            while (k < e->names.n && (e->names.at[k] != name || taken >> k & 1))
                k++;
            if (k == e->names.n)
                continue;
            taken |= UINT64_C(1) << k;
            for (uint32_t from = 0; from < e->names.n; from++)
                if (e->from.at[i] >> from & 1)
                    to[from] |= UINT64_C(1) << k;
        }
    }
}

// Is there a message that leads to itself, however many times round?
static bool has_loop(const uint64_t *to, uint32_t n)
{
    uint64_t left = n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX, before;
    do {
        before = left;
        for (uint32_t i = 0; i < n; i++)
            if (left >> i & 1 && !(to[i] & left))
                left &= ~(UINT64_C(1) << i);
    } while (left != before);
    return left;
}

// Walk the cycle: do messages keep each other going?
static bool keeps_going(struct endless *e, uint32_t from, uint32_t end)
{
    uint64_t to[TRACED] = {0};
    bool timers = false;
    for (uint32_t i = from; i < end; i++)
        timers |= play_is_timer(e->made.at[i].flight);
    if (!timers)
        return true;
    go_to(e, from);
    if (!number_flights(e))
        return false;
    for (uint32_t i = from; i < end; i++) {
        go_to(e, i + 1);
        trace_step(e);
    }
    lead_back(e, to);
    return has_loop(to, e->names.n);
}

// ---- telling ---------------------------------------------------------------

static int text_order(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

// A cycle is known by the least of the messages received, wherever it was
// entered.
static void name_cycle(struct search *s, const struct schedule *w, uint32_t n,
                       struct bug *b)
{
    for (uint32_t i = w->steps.n - n; i < w->steps.n; i++) {
        const struct step *t = &w->steps.at[i];
        if (!is_flight(t->msg))
            continue;
        const char *cls = play_actor_class(s->play, t->actor);
        const char *msg = play_msg_name(s->play, t->msg);
        int order = b->cls ? text_order(cls, b->cls) : -1;
        if (order < 0 || (order == 0 && text_order(msg, b->msg) < 0)) {
            b->cls = cls;
            b->msg = msg;
        }
    }
}

void endless_tell(struct search *s, const struct schedule *witness, uint32_t n)
{
    struct bug b = {.kind = BUG_CYCLE};
    name_cycle(s, witness, n, &b);
    b.text =
        arena_format(&s->texts, "the last %u step%s can be repeated for ever",
                     n, n == 1 ? "" : "s");
    search_bug(s, &b, witness);
    arena_clear(&s->texts);
}

void endless_look(struct endless *e, const struct schedule *all)
{
    world_reset(&e->world);
    vec_clear(&e->made);
    vec_clear(&e->path);
    vec_push(&e->path, ((struct moment){0, 0})); // before it begins
    if (!follow(e, all))
        return;
    go_on(e);
    find_last(e);
    for (uint32_t i = 1, end; i < e->path.n && !search_ends(e->search);
         i = end + 1) {
        end = region_end(e, i);
        uint32_t closed = end > i ? closed_after(e, i, end) : 0;
        if (!closed || !keeps_going(e, i, closed))
            continue;
        go_to(e, closed);
        world_schedule(&e->world, &e->witness);
        endless_tell(e->search, &e->witness, closed - i);
        return;
    }
}

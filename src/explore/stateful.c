// Every global state once, or with a reduction those that matter: depth first
// search that turns back at states seen.
//
// States are known by digests (seen.h).  Strongly connected components (Tarjan,
// 1972) are found on the way; one with a cycle in it is an endless schedule if
// it can be walked for ever in a fair way (fairness.h).  States of components
// that are not complete are open, and kept in order of discovery; the place of
// a state among them is the index that Tarjan compares.
//
// A component is complete when the search is back at its first state, so the
// world stands there; it is then walked once more, inside the component only.
//
// `reduced` takes of each state's choices only those that reduction.h says are
// enough, in passes until one learns nothing new.  Where a step leads back to a
// state that is still open, the state it comes from is expanded in full, so
// that no receive is put off for ever.
//
// Sleep sets (Godefroid, 1996) leave out receives that were explored before and
// have been independent of every step since.  A state keeps which of its
// receives slept at its first visit; whoever comes again with some of them
// awake explores those.  That is right only without cycles: at the first step
// back to an open state the pass begins again without sleep sets.
#include "explore/search.h"

#include "base/die.h"
#include "explore/endless.h"
#include "explore/fairness.h"
#include "explore/reduced/reduction.h"
#include "explore/seen.h"

#include <stdlib.h>

// The word of a state.  Of one that is open, the place in `open`; of one that
// is done, the place in `slept` of what was not explored there, 0: nothing.
#define WORD_OPEN (1u << 31)
#define WORD_WALKED (1u << 30) // by the walk through its component
#define WORD_PLACE (WORD_WALKED - 1)

struct frame {
    uint32_t first, next; // of its choices
    uint32_t left;        // choices first..left are not needed, it seems
    uint32_t picks;       // height of the world's
    uint32_t state;       // its number
    uint32_t place;       // in `open`; SEEN_NONE: it is entered once more
    uint32_t low;
    uint32_t asleep; // height of `sleepers`
    uint32_t slept;  // its word when it is done
    bool cyclic;     // an edge of its component was met
    bool full;       // all choices are needed
};

struct stateful {
    struct search *search;
    struct world world;
    choices choices;
    VEC(struct frame) frames;
    struct seen seen;
    uint64_t cap;
    // receives that had led to known states, before the last `lately` ones
    uint64_t known_before;
    uint32_t lately;
    VEC(uint32_t) open; // states, in order of discovery
    // of the reduced search
    struct reduction *reduction;  // NULL: every state is expanded in full
    bool sleep;                   // sleep sets are in use
    bool awake;                   // the pass must begin again without them
    VEC(struct awaited) sleepers; // of all frames
    VEC(struct awaited) slept;    // per state: a number of them, then they
    VEC(struct choice) some;      // scratch
    // of the walk through one component
    uint32_t root; // its place in `open`
    bool timers;   // fire or rest somewhere in it
    struct fairness fairness;
    struct schedule witness;
};

// ---- states ---------------------------------------------------------------

static struct digest digest_of(struct stateful *x)
{
    return x->reduction ? reduction_hash(x->reduction)
                        : world_hash(&x->world, false);
}

// To be called in each new state, before its digest is asked for.
static void look(struct stateful *x)
{
    if (x->reduction)
        reduction_look(x->reduction);
}

static uint32_t *word_of(const struct stateful *x, uint32_t state)
{
    return seen_word(&x->seen, state);
}

// A state that is new is open.
static uint32_t add(struct stateful *x, struct digest d)
{
    uint32_t state = seen_add(&x->seen, d);
    *word_of(x, state) = WORD_OPEN | x->open.n;
    vec_push(&x->open, state);
    x->search->result->states = x->seen.n;
    if (x->seen.n >= x->cap || x->slept.n >= WORD_PLACE / 2)
        search_stop(x->search, STOP_MEMORY);
    return state;
}

// The run asks for choose(n): one choice becomes n.
static void widen(struct stateful *x, const struct choice *c, uint16_t n)
{
    for (uint16_t i = 0; i < n; i++)
        vec_push(&x->choices, world_pick(&x->world, c, i));
}

// ---- fairness of one component --------------------------------------------

// Is the state in the component?  Those found later than it are done.
static bool is_inside(const struct stateful *x, uint32_t state)
{
    if (state == SEEN_NONE)
        return false;
    uint32_t word = *word_of(x, state);
    return word & WORD_OPEN && (word & WORD_PLACE) >= x->root;
}

// The newest step led to a state of the component.
static void walk_edge(struct stateful *x, uint32_t state, uint64_t name)
{
    fairness_receive(&x->fairness, name);
    if (state == x->open.at[x->root] && !x->witness.steps.n)
        world_schedule(&x->world, &x->witness);
}

// Is it for the first time that the walk comes here?
static bool walk_to(struct stateful *x, uint32_t state)
{
    uint32_t *word = word_of(x, state);
    bool first = !(*word & WORD_WALKED);
    *word |= WORD_WALKED;
    return first;
}

static void walk_enter(struct stateful *x)
{
    struct frame f = {
        .first = x->choices.n, .next = x->choices.n, .picks = x->world.picks.n};
    fairness_state(&x->fairness, &x->world);
    for (uint32_t a = 0; a < x->world.n; a++)
        x->timers |= x->world.seats.at[a].flags & STATE_RESTS;
    world_choices(&x->world, &x->choices);
    vec_push(&x->frames, f);
}

static void walk_leave(struct stateful *x, uint32_t base)
{
    struct frame f = vec_pop(&x->frames);
    x->choices.n = f.first;
    x->world.picks.n = f.picks;
    if (x->frames.n > base)
        world_undo(&x->world);
}

static void walk_choice(struct stateful *x, const struct choice *c)
{
    uint64_t name = receive_name(&x->world, c);
    const struct effect *e = world_do(&x->world, c);
    if (e->flags & EFFECT_PICK) {
        widen(x, c, e->pick);
        return;
    }
    look(x);
    uint32_t state = seen_find(&x->seen, digest_of(x));
    bool inside = is_inside(x, state);
    if (inside)
        walk_edge(x, state, name);
    x->timers |= inside && play_is_timer(c->flight);
    if (inside && walk_to(x, state))
        walk_enter(x);
    else
        world_undo(&x->world);
}

// Visit all states of the component from its first.
static void walk(struct stateful *x)
{
    uint32_t base = x->frames.n;
    walk_enter(x);
    while (x->frames.n > base) {
        struct frame *f = &vec_last(&x->frames);
        if (f->next == x->choices.n) {
            walk_leave(x, base);
        } else {
            struct choice c = x->choices.at[f->next++];
            walk_choice(x, &c);
        }
    }
}

// Timers fire in the component, or would fire but for the bound on ticks: the
// cycle is walked as one of an execution that was cut.
static void look_beyond_ticks(struct stateful *x)
{
    if (x->witness.steps.n && search_wants_given_up(x->search))
        endless_look(x->search->endless, &x->witness);
}

// The states from `open[from]` on are a component; the world is at the first.
static void look_for_cycle(struct stateful *x, uint32_t from)
{
    x->root = from;
    walk_to(x, x->open.at[from]);
    schedule_clear(&x->witness);
    x->timers = false;
    walk(x);
    if (x->timers)
        look_beyond_ticks(x);
    else if (is_fair(&x->fairness) && x->witness.steps.n)
        endless_tell(x->search, &x->witness,
                     x->witness.steps.n - x->world.trail.n);
    fairness_clear(&x->fairness);
}

// ---- sleep sets -----------------------------------------------------------

static bool is_among(const struct awaited *list, uint32_t n,
                     const struct awaited *v)
{
    for (uint32_t i = 0; i < n; i++)
        if (list[i].actor == v->actor && list[i].sender == v->sender &&
            list[i].msg == v->msg)
            return true;
    return false;
}

static bool sleeps(const struct stateful *x, const struct frame *f,
                   const struct awaited *v)
{
    return is_among(x->sleepers.at + f->asleep, x->sleepers.n - f->asleep, v);
}

// A state is entered for the first time: keep which of its needed receives
// sleep, and take them out of its choices.
static void put_to_sleep(struct stateful *x, struct frame *f)
{
    uint32_t to = f->left, at = x->slept.n;
    if (x->sleepers.n == f->asleep)
        return;
    vec_push(&x->slept, ((struct awaited){0}));
    for (uint32_t k = f->left; k < x->choices.n; k++) {
        struct awaited v = reduction_receive(x->reduction, &x->choices.at[k]);
        if (sleeps(x, f, &v))
            vec_push(&x->slept, v);
        else
            x->choices.at[to++] = x->choices.at[k];
    }
    x->choices.n = to;
    x->slept.at[at].actor = x->slept.n - at - 1;
    if (x->slept.n == at + 1)
        x->slept.n = at;
    else
        f->slept = at + 1;
}

// A state is met again with the sleepers above `asleep`: which of those that
// slept before are awake now?  They become choices; the others stay asleep.
static void wake(struct stateful *x, const struct frame *f)
{
    struct awaited *head = &x->slept.at[f->slept - 1], *list = head + 1;
    uint32_t n = head->actor, kept = 0;
    vec_clear(&x->some);
    world_choices(&x->world, &x->choices);
    for (uint32_t k = f->first; k < x->choices.n; k++) {
        struct awaited v = reduction_receive(x->reduction, &x->choices.at[k]);
        if (is_among(list, n, &v) && !sleeps(x, f, &v))
            vec_push(&x->some, x->choices.at[k]);
    }
    for (uint32_t i = 0; i < n; i++)
        if (sleeps(x, f, &list[i]))
            list[kept++] = list[i];
    head->actor = kept;
    x->choices.n = f->first;
    for (uint32_t i = 0; i < x->some.n; i++)
        vec_push(&x->choices, x->some.at[i]);
}

// The world has just made a step from the frame f: who sleeps on in the next
// state?  They are put above the frame's own.
static void pass_sleep(struct stateful *x, const struct frame *f,
                       uint32_t height, uint32_t state, uint32_t msg,
                       const struct effect *e)
{
    for (uint32_t i = f->asleep; i < height; i++) {
        struct awaited v = x->sleepers.at[i];
        if (reduction_independent(x->reduction, &v, state, msg, e))
            vec_push(&x->sleepers, v);
    }
}

// ---- the search -----------------------------------------------------------

static void push_frame(struct stateful *x, struct frame f)
{
    f.next = f.left;
    vec_push(&x->frames, f);
}

static void enter(struct stateful *x, struct digest d, uint32_t asleep)
{
    struct frame f = {.first = x->choices.n,
                      .left = x->choices.n,
                      .picks = x->world.picks.n,
                      .state = add(x, d),
                      .place = x->open.n - 1,
                      .low = x->open.n - 1,
                      .asleep = asleep};
    world_choices(&x->world, &x->choices);
    if (x->choices.n == f.first) {
        search_ending(x->search, &x->world);
    } else if (x->world.trail.n > x->search->steps) {
        search_give_up_schedule(x->search, NULL);
        x->choices.n = f.first;
    } else if (x->reduction) {
        f.left = reduction_choose(x->reduction, &x->choices, f.first);
        if (x->sleep)
            put_to_sleep(x, &f);
    }
    push_frame(x, f);
}

// Explore what woke up in a state seen before.  It is open meanwhile, so that
// a cycle through it is noticed.
static bool enter_again(struct stateful *x, uint32_t state, uint32_t asleep)
{
    struct frame f = {.first = x->choices.n,
                      .left = x->choices.n,
                      .picks = x->world.picks.n,
                      .state = state,
                      .place = SEEN_NONE,
                      .low = SEEN_NONE,
                      .asleep = asleep,
                      .slept = *word_of(x, state)};
    wake(x, &f);
    if (x->choices.n == f.first)
        return false;
    *word_of(x, state) = WORD_OPEN;
    push_frame(x, f);
    return true;
}

// Nothing sleeps where there are cycles.
static void close_component(struct stateful *x, const struct frame *f)
{
    bool many = x->open.n - f->place > 1;
    if ((many || f->cyclic) && !x->search->over)
        look_for_cycle(x, f->place);
    while (x->open.n > f->place)
        *word_of(x, vec_pop(&x->open)) = 0;
    *word_of(x, f->state) = f->slept;
}

static void leave(struct stateful *x)
{
    struct frame f = vec_last(&x->frames);
    x->choices.n = f.first;
    x->sleepers.n = f.asleep;
    if (f.place == SEEN_NONE)
        *word_of(x, f.state) = f.slept;
    else if (f.low == f.place)
        close_component(x, &f);
    x->frames.n--;
    x->world.picks.n = f.picks;
    if (!x->frames.n)
        return;
    struct frame *up = &vec_last(&x->frames);
    if (f.low < up->low)
        up->low = f.low;
    world_undo(&x->world);
}

// The newest step of the frame led to a state that is not done.
static void meet_open(struct stateful *x, struct frame *f, uint32_t place)
{
    x->awake =
        x->sleep && !(x->search->options->reduction_off & REDUCTION_SLEEP_ON);
    f->cyclic = true;
    f->full = true;
    if (place < f->low)
        f->low = place;
}

enum { LATELY = 1 << 16 }; // receives

static void note_growth(struct stateful *x)
{
    uint64_t known = x->search->known - x->known_before;
    if (++x->lately < LATELY)
        return;
    x->search->result->growth = 1 - (double)known / LATELY;
    x->known_before = x->search->known;
    x->lately = 0;
}

// The world is in the state that the newest step led to.
static void arrive(struct stateful *x, uint32_t asleep)
{
    note_growth(x);
    struct digest d = digest_of(x);
    uint32_t state = seen_find(&x->seen, d);
    if (state == SEEN_NONE) {
        enter(x, d, asleep);
        return;
    }
    uint32_t word = *word_of(x, state);
    x->search->known++;
    if (word & WORD_OPEN)
        meet_open(x, &vec_last(&x->frames), word & WORD_PLACE);
    else if (word && x->sleep && enter_again(x, state, asleep))
        return;
    x->sleepers.n = asleep;
    world_undo(&x->world);
}

static uint32_t message_of(const struct stateful *x, const struct choice *c)
{
    return is_flight(c->flight) ? x->world.flights.at[c->flight].msg
                                : c->flight;
}

// After a step of the reduced search: learn from it, and pass on who sleeps.
// The receive itself sleeps from now on where its siblings lead.
static void reduced_step(struct stateful *x, const struct choice *c,
                         const struct awaited *v, uint32_t state, uint32_t msg,
                         const struct effect *e)
{
    uint32_t height = x->sleepers.n;
    reduction_learn(x->reduction, state, msg, e);
    if (!x->sleep)
        return;
    if (!c->n_picks)
        vec_push(&x->sleepers, *v);
    pass_sleep(x, &vec_last(&x->frames), height, state, msg, e);
}

static void take(struct stateful *x, const struct choice *c)
{
    bool body = c->flight == CHOICE_BODY;
    uint32_t state =
        x->world.n > c->actor ? x->world.seats.at[c->actor].state : PLAY_NONE;
    uint32_t msg = body ? PLAY_NONE : message_of(x, c);
    struct awaited v = {0};
    if (x->reduction && !body)
        v = reduction_receive(x->reduction, c);
    const struct effect *e = world_do(&x->world, c);
    if (e->flags & EFFECT_PICK) {
        widen(x, c, e->pick);
        return;
    }
    search_effect(x->search, &x->world, e, true);
    if (x->reduction && e->flags & EFFECT_SHARED)
        search_refuse(x->search, REFUSAL_SHARED); // receives do not commute
    look(x);
    uint32_t asleep = x->sleepers.n;
    if (x->reduction && !body) {
        reduced_step(x, c, &v, state, msg, e);
        asleep += x->sleep && !c->n_picks;
    }
    arrive(x, asleep);
}

// The choices that were left out are needed after all.
static bool fill_up(struct stateful *x, struct frame *f)
{
    bool wanted = f->full && f->left > f->first &&
                  !(x->search->options->reduction_off & REDUCTION_NO_CYCLES);
    for (uint32_t k = f->first; wanted && k < f->left; k++)
        vec_push(&x->choices, x->choices.at[k]);
    f->left = f->first;
    return wanted;
}

// ---- passes ---------------------------------------------------------------

static void pass_begin(struct stateful *x)
{
    world_reset(&x->world);
    seen_clear(&x->seen);
    x->awake = false;
    vec_clear(&x->choices);
    vec_clear(&x->frames);
    vec_clear(&x->open);
    vec_clear(&x->sleepers);
    vec_clear(&x->slept);
    x->search->result->executions = x->search->result->cut = 0;
    if (x->reduction)
        reduction_begin(x->reduction);
}

static void pass_begin_at_start(struct stateful *x)
{
    pass_begin(x);
    look(x);
    enter(x, digest_of(x), 0);
}

// Go on with the pass.  True: it is at its end.
static bool pass(struct stateful *x)
{
    x->world.guest = x->search->guest || x->reduction;
    while (x->frames.n && !x->awake) {
        if (search_pauses(x->search))
            return false;
        struct frame *f = &vec_last(&x->frames);
        if (f->next < x->choices.n) {
            struct choice c = x->choices.at[f->next++];
            take(x, &c);
        } else if (!fill_up(x, f)) {
            leave(x);
        }
    }
    return true;
}

// Must another pass be made?
static bool again(struct stateful *x)
{
    if (!x->reduction || !(x->awake || reduction_learned(x->reduction)))
        return false;
    x->sleep &= !x->awake;
    return true;
}

static bool go(void *self)
{
    struct stateful *x = self;
    while (pass(x)) {
        if (x->search->over || !again(x))
            return false;
        pass_begin_at_start(x);
    }
    return !x->search->over;
}

static struct stateful *prepare(struct search *s)
{
    struct stateful *x = need_zero(sizeof *x);
    x->search = s;
    x->cap = s->options->max_states ? s->options->max_states : 1u << 24;
    world_init(&x->world, s->play, s->options->delivery);
    x->world.guest = s->guest;
    return x;
}

static void *begin(struct search *s)
{
    struct stateful *x = prepare(s);
    pass_begin_at_start(x);
    return x;
}

static void *begin_reduced(struct search *s)
{
    struct stateful *x = prepare(s);
    x->world.guest = true;
    x->reduction = reduction_new(s, &x->world);
    x->sleep = !(s->options->reduction_off & REDUCTION_NO_SLEEP);
    pass_begin_at_start(x);
    return x;
}

static void end(void *self)
{
    struct stateful *x = self;
    if (x->reduction)
        reduction_free(x->reduction);
    world_release(&x->world);
    vec_free(&x->choices);
    vec_free(&x->frames);
    vec_free(&x->open);
    vec_free(&x->sleepers);
    vec_free(&x->slept);
    vec_free(&x->some);
    fairness_free(&x->fairness);
    schedule_free(&x->witness);
    seen_free(&x->seen);
    free(x);
}

const struct engine engine_stateful = {begin, go, end};
const struct engine engine_reduced = {begin_reduced, go, end};

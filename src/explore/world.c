// How a world goes forward and back.
//
// Messages in flight to an actor are a doubly linked list in order of sending.
// Receiving unlinks one and leaves its own links as they are, so that undoing
// in reverse order puts it back without a search (Knuth's dancing links).
//
// `causal` keeps a clock per run: how many sends in runs of each actor are
// known to happen before it.  A message has the clock of its run and its index
// among the sends in that actor's runs; a precedes b iff both were sent in runs
// of one actor and a's index is less, or b's clock counts more of them than a's
// index.  What an init hook sends is sent in the run of the creator, in order
// with the creator's own sends, since spawn() returns after it; the new actor
// starts with what was known at the end of its init.
#include "explore/world.h"

#include "base/debug.h"

#include <assert.h>
#include <string.h>

#define check_some(w)                                                          \
    debug_check_some((w)->trail.n, (w)->trail.n + (w)->flights.n + (w)->n,     \
                     world_check(w))

// ---- beginning and end ----------------------------------------------------

void world_init(struct world *w, struct play *p, enum delivery d)
{
    *w = (struct world){.play = p, .delivery = d, .clocked = play_clocked(p)};
    world_reset(w);
}

void world_release(struct world *w)
{
    vec_free(&w->seats);
    vec_free(&w->states);
    vec_free(&w->flights);
    vec_free(&w->trail);
    vec_free(&w->births);
    vec_free(&w->clocks);
    vec_free(&w->picks);
    vec_free(&w->scratch);
    vec_free(&w->places);
    vec_free(&w->names);
    vec_free(&w->known);
}

static void seat_clear(struct seat *s)
{
    *s = (struct seat){.state = PLAY_NONE,
                       .first = PLAY_NONE,
                       .last = PLAY_NONE,
                       .creator = PLAY_NONE,
                       .hashed = s->hashed,
                       .name_hash = s->name_hash};
}

void world_reset(struct world *w)
{
    for (uint32_t i = 0; i < w->n; i++) {
        seat_clear(&w->seats.at[i]);
        w->states.at[i] = PLAY_NONE;
    }
    w->pending = w->timers = w->every = w->stamp = 0;
    w->time = 0;
    w->hash = w->shared_part = (struct digest){0};
    w->shared = PLAY_NONE;
    w->body = 0;
    w->due = true;
    vec_clear(&w->flights);
    vec_clear(&w->trail);
    vec_clear(&w->births);
    vec_clear(&w->clocks);
    vec_clear(&w->picks);
}

static struct seat *seat_of(struct world *w, uint32_t actor)
{
    while (w->n <= actor) {
        struct seat s = {0};
        seat_clear(&s);
        vec_push(&w->seats, s);
        vec_push(&w->states, PLAY_NONE);
        w->n++;
    }
    return &w->seats.at[actor];
}

// ---- vector clocks of the causal model ------------------------------------

bool world_before(const struct world *w, uint32_t a, uint32_t b)
{
    const struct flight *x = &w->flights.at[a], *y = &w->flights.at[b];
    uint32_t by = world_sent_by(w, x);
    if (by == world_sent_by(w, y))
        return x->index < y->index;
    return world_clock(w, y->clock, y->n_clock, by) > x->index;
}

// The clock of a run of `actor` that receives f (NULL: none) becomes its
// seat's: what it knew, joined with what the message brings.
static void clock_run(struct world *w, uint32_t actor, const struct flight *f)
{
    struct seat *s = &w->seats.at[actor];
    uint32_t n = w->n, at = w->clocks.n;
    vec_room(&w->clocks, n);
    w->clocks.n += n;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t know = world_clock(w, s->clock, s->n_clock, i);
        uint32_t told = f ? world_clock(w, f->clock, f->n_clock, i) : 0;
        if (f && world_sent_by(w, f) == i)
            told = f->index + 1;
        w->clocks.at[at + i] = know > told ? know : told;
    }
    w->clocks.at[at + actor] = s->sends;
    s->clock = at;
    s->n_clock = n;
}

// A new actor knows what its creator did, and the run's sends up to the end of
// its init.
static void clock_birth(struct world *w, uint32_t creator,
                        const struct birth *b)
{
    const struct seat *c = &w->seats.at[creator];
    struct seat *s = &w->seats.at[b->actor];
    uint32_t at = w->clocks.n;
    vec_room(&w->clocks, c->n_clock);
    w->clocks.n += c->n_clock;
    memcpy(w->clocks.at + at, w->clocks.at + c->clock,
           c->n_clock * sizeof *w->clocks.at);
    w->clocks.at[at + creator] = c->sends + b->sends;
    s->clock = at;
    s->n_clock = c->n_clock;
}

static void clocks_run(struct world *w, uint32_t actor, const struct flight *f,
                       const struct effect *e)
{
    clock_run(w, actor, f);
    for (uint32_t i = 0; i < e->n_births; i++)
        clock_birth(w, actor, &e->births[i]);
}

// ---- lists of messages in flight ------------------------------------------

static void unlink_flight(struct world *w, const struct flight *f)
{
    struct seat *s = &w->seats.at[f->to];
    struct flight *all = w->flights.at;
    *(f->prev == PLAY_NONE ? &s->first : &all[f->prev].next) = f->next;
    *(f->next == PLAY_NONE ? &s->last : &all[f->next].prev) = f->prev;
    s->n_flights--;
    w->pending--;
}

static void relink_flight(struct world *w, uint32_t i)
{
    struct flight *all = w->flights.at, *f = &all[i];
    struct seat *s = &w->seats.at[f->to];
    *(f->prev == PLAY_NONE ? &s->first : &all[f->prev].next) = i;
    *(f->next == PLAY_NONE ? &s->last : &all[f->next].prev) = i;
    s->n_flights++;
    w->pending++;
}

static void append_flight(struct world *w, const struct flight *f)
{
    uint32_t i = w->flights.n;
    struct seat *s = &w->seats.at[f->to];
    vec_push(&w->flights, *f);
    w->flights.at[i].prev = s->last;
    w->flights.at[i].next = PLAY_NONE;
    if (s->last == PLAY_NONE)
        s->first = i;
    else
        w->flights.at[s->last].next = i;
    s->last = i;
    s->n_flights++;
    w->pending++;
}

// ---- forward --------------------------------------------------------------

struct choice world_pick(struct world *w, const struct choice *c, uint16_t p)
{
    struct choice d = {c->actor, c->flight, w->picks.n, c->n_picks + 1};
    vec_room(&w->picks, d.n_picks);
    if (c->n_picks)
        memcpy(w->picks.at + d.picks, w->picks.at + c->picks,
               c->n_picks * sizeof *w->picks.at);
    w->picks.n += d.n_picks;
    w->picks.at[w->picks.n - 1] = p;
    return d;
}

// The counts of actors with timers: one's flags change.
static void count_timers(struct world *w, uint32_t before, uint32_t after)
{
    if (!((before | after) & (STATE_TIMER | STATE_EVERY)))
        return;
    w->timers += (after & STATE_TIMER) - (before & STATE_TIMER);
    w->every += !!(after & STATE_EVERY) - !!(before & STATE_EVERY);
}

static void set_state(struct world *w, uint32_t actor, uint32_t state)
{
    struct seat *s = &w->seats.at[actor];
    const struct play_state *p = play_state(w->play, state);
    if (!s->hashed) {
        s->hashed = true;
        s->name_hash = play_actor_hash(w->play, actor);
    }
    struct digest part = world_part(p->hash, s->name_hash);
    w->hash = digest_plus(w->hash, digest_minus(part, s->part));
    s->part = part;
    count_timers(w, s->flags, p->flags);
    s->flags = p->flags;
    s->state = w->states.at[actor] = state;
}

static void born(struct world *w, const struct birth *b, uint32_t step)
{
    seat_of(w, b->actor)->creator = step;
    set_state(w, b->actor, b->state);
    vec_push(&w->births, b->actor);
}

static void sent(struct world *w, uint32_t actor, uint32_t step,
                 const struct effect *e)
{
    struct seat *s = &w->seats.at[actor];
    for (uint32_t i = 0; i < e->n_sends; i++) {
        const struct send *m = &e->sends[i];
        if (m->to >= w->n || w->seats.at[m->to].state == PLAY_NONE)
            continue;
        struct flight f = {.to = m->to,
                           .msg = m->msg,
                           .sender = m->sender,
                           .line = m->line,
                           .source = step,
                           .nth = i,
                           .clock = s->clock,
                           .n_clock = s->n_clock,
                           .index = s->sends + i};
        append_flight(w, &f);
    }
    s->sends += e->n_sends;
}

static void trail_push(struct world *w, const struct choice *c,
                       const struct effect *e)
{
    const struct seat *s = &w->seats.at[c->actor];
    vec_room(&w->trail, 1);
    w->trail.at[w->trail.n++] = (struct trail_step){
        .actor = c->actor,
        .flight = c->flight,
        .picks = c->picks,
        .n_picks = c->n_picks,
        .effect_flags = e->flags,
        .moves_clock =
            w->clocked && (play_is_timer(c->flight) || e->clock > w->time),
        .state = s->state,
        .flags = s->flags,
        .clock = s->clock,
        .n_clock = s->n_clock,
        .sends = s->sends,
        .flights = w->flights.n,
        .births = w->births.n,
        .clocks = w->clocks.n,
        .body = w->body,
        .due = w->due,
        .early = c->flight == CHOICE_BODY && !w->due,
        .part = s->part,
        .shared = w->shared,
        .time = w->time,
    };
}

static void set_shared(struct world *w, uint32_t shared)
{
    struct digest part = {0};
    if (shared != PLAY_NONE)
        part = world_part(play_state(w->play, shared)->hash, 1);
    w->hash = digest_plus(w->hash, digest_minus(part, w->shared_part));
    w->shared = shared;
    w->shared_part = part;
}

static void apply(struct world *w, const struct choice *c,
                  const struct effect *e)
{
    uint32_t step = w->trail.n;
    trail_push(w, c, e);
    const struct flight *received = NULL; // until something is sent
    if (is_flight(c->flight)) {
        received = &w->flights.at[c->flight];
        unlink_flight(w, received);
    }
    set_state(w, c->actor, e->state);
    if (e->flags & EFFECT_SHARED)
        set_shared(w, e->shared);
    if (e->clock > w->time)
        w->time = e->clock;
    for (uint32_t i = 0; i < e->n_births; i++)
        born(w, &e->births[i], step);
    if (w->delivery == DELIVERY_CAUSAL)
        clocks_run(w, c->actor, received, e);
    sent(w, c->actor, step, e);
}

static const uint16_t *picks_of(const struct world *w, const struct choice *c)
{
    return c->n_picks ? w->picks.at + c->picks : NULL;
}

// All messages in flight, in order of sending.
static const struct send *all_flying(struct world *w, uint32_t *n)
{
    vec_clear(&w->scratch);
    for (uint32_t a = 0; a < w->n; a++) {
        uint32_t i = w->seats.at[a].first;
        for (; i != PLAY_NONE; i = w->flights.at[i].next) {
            const struct flight *f = &w->flights.at[i];
            vec_push(&w->scratch,
                     ((struct send){f->sender, f->to, f->msg, f->line}));
        }
    }
    *n = w->scratch.n;
    return w->scratch.at;
}

// Nothing happens any more.
static const struct effect *end_early(struct world *w, const struct choice *c)
{
    w->over = (struct effect){.state = w->seats.at[PLAY_ENV].state};
    apply(w, c, &w->over);
    w->body |= WORLD_OVER;
    check_some(w);
    return &w->over;
}

// The body sees the whole world.
static const struct effect *do_body(struct world *w, const struct choice *c)
{
    const uint16_t *picks = picks_of(w, c);
    struct seat *env = seat_of(w, PLAY_ENV);
    if (w->body & EFFECT_BODY_DONE)
        return end_early(w, c);
    uint32_t n;
    const struct send *flying = all_flying(w, &n);
    const struct effect *e = w->body
                                 ? play_body(w->play, env->state, w->states.at,
                                             w->n, flying, n, picks, c->n_picks)
                                 : play_body(w->play, PLAY_NONE, NULL, 0, NULL,
                                             0, picks, c->n_picks);
    if (e->flags & EFFECT_PICK)
        return e;
    apply(w, c, e);
    w->body =
        e->flags & (EFFECT_BODY_DRAIN | EFFECT_BODY_ONE | EFFECT_BODY_DONE);
    assert(w->body);
    w->due = false;
    check_some(w);
    return e;
}

// Everything that undoing and going on from here may need.
static void forget(struct world *w)
{
    VEC(uint32_t) states = {0}, msgs = {0};
    for (uint32_t i = 0; i < w->n; i++)
        if (w->seats.at[i].state != PLAY_NONE)
            vec_push(&states, w->seats.at[i].state);
    for (uint32_t i = 0; i < w->trail.n; i++) {
        if (w->trail.at[i].state != PLAY_NONE)
            vec_push(&states, w->trail.at[i].state);
        if (w->trail.at[i].shared != PLAY_NONE)
            vec_push(&states, w->trail.at[i].shared);
    }
    if (w->shared != PLAY_NONE)
        vec_push(&states, w->shared);
    for (uint32_t i = 0; i < w->flights.n; i++)
        vec_push(&msgs, w->flights.at[i].msg);
    play_forget(w->play, states.at, states.n, msgs.at, msgs.n);
    vec_free(&states);
    vec_free(&msgs);
}

const struct effect *world_do(struct world *w, const struct choice *c)
{
    if (!w->guest && play_full(w->play))
        forget(w);
    play_share(w->play, w->shared);
    play_clock(w->play, w->time);
    if (c->flight == CHOICE_BODY)
        return do_body(w, c);
    struct seat *s = &w->seats.at[c->actor];
    bool timer = play_is_timer(c->flight);
    debug_assert(timer || (c->flight < w->flights.n &&
                           w->flights.at[c->flight].to == c->actor));
    const struct flight *f = timer ? NULL : &w->flights.at[c->flight];
    const struct effect *e =
        play_run(w->play, s->state, timer ? c->flight : f->msg,
                 timer ? c->actor : f->sender, picks_of(w, c), c->n_picks);
    if (e->flags & EFFECT_PICK)
        return e;
    apply(w, c, e);
    w->seats.at[c->actor].receives++;
    w->due = w->body & EFFECT_BODY_ONE;
    check_some(w);
    return e;
}

// ---- back -----------------------------------------------------------------

static void unsend(struct world *w, uint32_t height)
{
    while (w->flights.n > height) {
        const struct flight *f = &w->flights.at[w->flights.n - 1];
        unlink_flight(w, f);
        w->flights.n--;
    }
}

static void unborn(struct world *w, uint32_t height)
{
    while (w->births.n > height) {
        uint32_t actor = vec_pop(&w->births);
        struct seat *s = &w->seats.at[actor];
        w->hash = digest_minus(w->hash, s->part);
        count_timers(w, s->flags, 0);
        seat_clear(s);
        w->states.at[actor] = PLAY_NONE;
    }
}

void world_undo(struct world *w)
{
    assert(w->trail.n > 0);
    const struct trail_step *t = &w->trail.at[--w->trail.n];
    unsend(w, t->flights);
    unborn(w, t->births);
    struct seat *s = &w->seats.at[t->actor];
    w->hash = digest_plus(w->hash, digest_minus(t->part, s->part));
    if (w->shared != t->shared)
        set_shared(w, t->shared);
    w->time = t->time;
    count_timers(w, s->flags, t->flags);
    s->state = w->states.at[t->actor] = t->state;
    s->flags = t->flags;
    s->part = t->part;
    s->clock = t->clock;
    s->n_clock = t->n_clock;
    s->sends = t->sends;
    w->clocks.n = t->clocks;
    w->body = t->body;
    w->due = t->due;
    if (t->flight != CHOICE_BODY)
        s->receives--;
    if (is_flight(t->flight))
        relink_flight(w, t->flight);
    check_some(w);
}

// ---- what can be seen -----------------------------------------------------

uint32_t world_flight(const struct world *w, uint32_t actor, uint32_t source,
                      uint32_t nth)
{
    const struct flight *all = w->flights.at;
    uint32_t i = actor < w->n ? w->seats.at[actor].first : PLAY_NONE;
    while (i != PLAY_NONE && (all[i].source != source || all[i].nth != nth))
        i = all[i].next;
    return i;
}

uint32_t world_receives(const struct world *w)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < w->trail.n; i++)
        n += w->trail.at[i].flight != CHOICE_BODY;
    return n;
}

uint32_t timer_number(struct play *p, uint32_t state, uint32_t msg)
{
    return (uint32_t)play_timer_of(p, state, play_timer_index(msg)).name;
}

// The step with this index as a part of a schedule.
static struct step step_at(const struct world *w, uint32_t i)
{
    debug_assert(i < w->trail.n);
    const struct trail_step *t = &w->trail.at[i];
    struct step s = {.actor = t->actor,
                     .sender = t->actor,
                     .source = PLAY_NONE,
                     .picks = t->picks,
                     .n_picks = t->n_picks};
    if (!is_flight(t->flight)) {
        s.msg = t->flight;
        if (play_is_timer(s.msg))
            s.nth = timer_number(w->play, t->state, s.msg);
    } else {
        const struct flight *f = &w->flights.at[t->flight];
        s.msg = f->msg;
        s.sender = f->sender;
        s.source = f->source;
        s.nth = f->nth;
    }
    return s;
}

void world_schedule(const struct world *w, struct schedule *out)
{
    schedule_clear(out);
    for (uint32_t i = 0; i < w->trail.n; i++)
        schedule_add(out, step_at(w, i),
                     w->trail.at[i].n_picks ? w->picks.at + w->trail.at[i].picks
                                            : NULL);
}

const struct bug *world_invariant(struct world *w, bool watched)
{
    uint32_t n;
    const struct send *flying = all_flying(w, &n);
    play_share(w->play, w->shared);
    play_clock(w->play, w->time);
    return (watched ? play_watched_invariant
                    : play_invariant)(w->play, w->states.at, w->n, flying, n);
}

// Walking a schedule through the play, with hashes kept per step.
#include "cover/record.h"

#include "base/hash.h"
#include "base/map.h"

#include <string.h>

// A timer that an actor has pending.
struct pending {
    uint64_t name;
    uint32_t set_by;  // event
    uint32_t nth;     // of those that it set
    uint32_t fired;   // how often before; without a name: others of the actor
    uint32_t ordinal; // which of the actor's, in the order of setting, from 1
    uint32_t ready;   // event since which it may be the next to fire
};

struct seat {
    uint32_t index; // in record.actors + 1, 0: unknown
    uint32_t state;
    uint32_t timers; // set so far, or set again
    VEC(struct pending) pending;
};

struct walk {
    struct record *r;
    struct play *play;
    const struct schedule *s;
    const struct look *look;
    VEC(struct seat) seats;
    VEC(uint32_t) states;
    VEC(struct send) flying;
    struct map sent;          // (sender, receiver, name): how many
    VEC(uint32_t) ordinals;   // of all sends so far, in their order
    VEC(uint32_t) first_send; // per event, in ordinals
    bool drains;              // the body goes on when all is quiet
    bool returned;            // the body
    struct effect over;       // of the test's early end
    uint64_t clock;           // for all actors, if there is one
};

static uint64_t mix(uint64_t a, uint64_t b)
{
    return hash_join(a, b);
}

static uint64_t hash_name(const char *s)
{
    return s ? hash_bytes(s, strlen(s)) : 0;
}

static uint64_t message_hash(const char *name, uint64_t sending, uint32_t nth)
{
    return mix(mix(hash_name(name), sending), nth + 1u);
}

static uint64_t actor_hash(const char *cls, uint64_t creating, uint32_t nth)
{
    return mix(mix(hash_name(cls) + 1, creating), nth + 1u);
}

static uint64_t event_hash(uint64_t sender, uint64_t receiver, uint64_t message)
{
    return mix(mix(sender, receiver), message);
}

static uint64_t timer_hash(uint64_t setting, const struct pending *t)
{
    return mix(mix(mix(hash_name("timer"), setting), t->nth), t->fired);
}

void record_free(struct record *r)
{
    vec_free(&r->events);
    vec_free(&r->actors);
    vec_free(&r->names);
    vec_free(&r->rank);
    vec_free(&r->first_pair);
    vec_free(&r->pairs);
}

static struct seat *seat(struct walk *w, uint32_t actor)
{
    while (w->seats.n <= actor) {
        struct seat none = {.state = PLAY_NONE};
        vec_push(&w->seats, none);
        vec_push(&w->states, (uint32_t)PLAY_NONE);
    }
    return &w->seats.at[actor];
}

static uint32_t actor_index(struct walk *w, uint32_t actor, uint64_t hash,
                            uint32_t creator)
{
    struct seat *s = seat(w, actor);
    if (!s->index) {
        struct record_actor a = {actor, hash, creator, 0};
        vec_push(&w->r->actors, a);
        s->index = w->r->actors.n;
    }
    return s->index - 1;
}

static struct pending *find_pending(const struct seat *s, uint64_t name)
{
    for (uint32_t i = 0; i < s->pending.n; i++)
        if (s->pending.at[i].name == name)
            return &s->pending.at[i];
    return NULL;
}

// The timer that a step fires.  Its name is known by the lower half.
static struct pending *find_fired(const struct seat *s, const struct step *st)
{
    for (uint32_t i = 0; i < s->pending.n; i++)
        if ((uint32_t)s->pending.at[i].name == st->nth)
            return &s->pending.at[i];
    return s->pending.n ? &s->pending.at[0] : NULL;
}

// The timers of a state, in the order of setting.  Of plays that do not tell
// when timers are due only those count that may fire.
static bool timer_at(struct walk *w, uint32_t state, uint32_t i, uint64_t *name)
{
    struct play_due d;
    if (play_due(w->play, state, i, &d)) {
        *name = d.name;
        return true;
    }
    if (play_due(w->play, state, 0, &d) ||
        i >= state_timers(play_state(w->play, state)->flags))
        return false;
    *name = play_timer_of(w->play, state, i).name;
    return true;
}

// Is the timer of this name, by its lower half, one of every()?
static bool is_every(struct walk *w, uint32_t state, uint32_t name)
{
    struct play_due d;
    for (uint32_t i = 0; play_due(w->play, state, i, &d); i++)
        if ((uint32_t)d.name == name)
            return d.every;
    return false;
}

static bool may_fire(struct walk *w, uint32_t state, uint64_t name)
{
    uint32_t n = state_timers(play_state(w->play, state)->flags);
    for (uint32_t k = 0; k < n; k++)
        if (play_timer_of(w->play, state, k).name == name)
            return true;
    return false;
}

// Those that were not there before the event were set by it.  fired, which may
// be NULL: the one that fired; if it is there still, it was set again.
static void set_timers(struct walk *w, struct seat *s, uint32_t event,
                       const struct pending *fired)
{
    VEC(struct pending) now = {0};
    uint64_t name;
    uint32_t nth = 0;
    for (uint32_t i = 0; timer_at(w, s->state, i, &name); i++) {
        const struct pending *old = find_pending(s, name);
        struct pending p = {name, event, nth, 0, 0, NO_EVENT};
        if (old)
            p = *old;
        if (old && old == fired)
            p.fired++;
        if (old && old == fired && !name)
            p.set_by = event; // it may be another one
        nth += !old;
        if (!old || old == fired) {
            p.ordinal = ++s->timers;
            p.ready = NO_EVENT;
        }
        if (p.ready == NO_EVENT && may_fire(w, s->state, name))
            p.ready = event;
        vec_push(&now, p);
    }
    vec_free(&s->pending);
    s->pending.at = now.at;
    s->pending.n = now.n;
    s->pending.cap = now.cap;
}

static void set_state(struct walk *w, uint32_t actor, uint32_t state,
                      uint32_t event, const struct pending *fired)
{
    struct seat *s = seat(w, actor);
    s->state = state;
    w->states.at[actor] = state;
    set_timers(w, s, event, fired);
}

static void land(struct walk *w, const struct step *st)
{
    for (uint32_t i = 0; i < w->flying.n; i++) {
        struct send *s = &w->flying.at[i];
        if (s->to != st->actor || s->msg != st->msg)
            continue;
        memmove(s, s + 1, (w->flying.n - i - 1) * sizeof *s);
        w->flying.n--;
        return;
    }
}

static void identify(struct walk *w, const struct step *st, struct event *e)
{
    const struct record *r = w->r;
    const struct record_actor *a = &r->actors.at[e->actor];
    if (e->body) {
        e->id = e->at ? mix(1, e->at) : 0;
        return;
    }
    if (e->timer) {
        const struct pending *t = find_fired(seat(w, st->actor), st);
        e->set_by = t->set_by;
        e->ready = t->ready;
        e->ordinal = t->ordinal;
        e->message =
            timer_hash(t->name ? r->events.at[t->set_by].id : a->hash, t);
    } else {
        e->ordinal = w->ordinals.at[w->first_send.at[e->source] + e->nth];
        e->message = message_hash(play_msg_name(w->play, st->msg),
                                  r->events.at[e->source].id, e->nth);
    }
    e->id = event_hash(r->actors.at[e->sender].hash, a->hash, e->message);
}

// Memory that actors share goes on as each step leaves it, and so does the
// clock.
static const struct effect *perform(struct walk *w, const struct step *st,
                                    uint32_t before)
{
    const uint16_t *picks = w->s->picks.at + st->picks;
    const struct effect *e;
    if (st->msg == PLAY_NONE && w->returned) {
        w->over = (struct effect){.state = before};
        return &w->over;
    }
    if (st->msg == PLAY_NONE && before == PLAY_NONE)
        play_share(w->play, PLAY_NONE);
    play_clock(w->play, w->clock);
    if (st->msg != PLAY_NONE)
        e = play_run(w->play, before, st->msg, st->sender, picks, st->n_picks);
    else
        e = play_body(w->play, before, w->states.at, w->states.n, w->flying.at,
                      w->flying.n, picks, st->n_picks);
    w->returned |= (e->flags & EFFECT_BODY_DONE) != 0;
    if (e->flags & EFFECT_SHARED)
        play_share(w->play, e->shared);
    if (e->clock > w->clock)
        w->clock = e->clock;
    return e;
}

static void look_at(struct walk *w, struct event *e, uint32_t before,
                    uint32_t after, uint32_t sender)
{
    const struct look *l = w->look;
    if (!l || e->body)
        return;
    if (l->behaviour)
        e->changes =
            l->behaviour(l->self, before) != l->behaviour(l->self, after);
    if (l->held_by && !e->timer) {
        uint32_t by = l->held_by(l->self, before);
        e->sync =
            by != PLAY_NONE && by == sender && l->held_by(l->self, after) != by;
    }
}

// A run's sends, counted.
static void number_sends(struct walk *w, const struct effect *f)
{
    vec_push(&w->first_send, w->ordinals.n);
    for (uint32_t i = 0; i < f->n_sends; i++) {
        const struct send *s = &f->sends[i];
        uint64_t pair = mix((uint64_t)s->sender + 1, (uint64_t)s->to + 1);
        uint64_t key = mix(pair, hash_name(play_msg_name(w->play, s->msg)));
        uint32_t *n = map_at(&w->sent, key);
        *n = *n == MAP_NONE ? 1 : *n + 1;
        vec_push(&w->ordinals, *n);
        vec_push(&w->flying, *s);
    }
}

static void walk_step(struct walk *w, const struct step *st)
{
    struct record *r = w->r;
    uint32_t index = r->events.n;
    struct event e = {
        .body = st->msg == PLAY_NONE,
        .quiet = st->msg == PLAY_NONE && w->drains,
        .timer = play_is_timer(st->msg),
        .source = st->source == PLAY_NONE ? NO_EVENT : st->source,
        .nth = st->nth,
    };
    e.actor = actor_index(w, st->actor, 0, NO_EVENT);
    e.sender =
        e.body || e.timer ? e.actor : actor_index(w, st->sender, 0, NO_EVENT);
    e.at = r->actors.at[e.actor].receives++;
    e.creator = r->actors.at[e.actor].creator;
    e.set_by = NO_EVENT;
    identify(w, st, &e);
    if (!e.body && !e.timer)
        land(w, st);
    uint32_t before =
        e.body && index == 0 ? PLAY_NONE : seat(w, st->actor)->state;
    e.beside = e.timer ? is_every(w, before, st->nth)
                       : e.source != NO_EVENT && r->events.at[e.source].beside;
    const struct effect *f = perform(w, st, before);
    look_at(w, &e, before, f->state, st->sender);
    const char *name = e.body    ? "body"
                       : e.timer ? "timer"
                                 : play_msg_name(w->play, st->msg);
    if (!e.body)
        e.kind = mix(hash_name(play_actor_class(w->play, st->actor)),
                     hash_name(name));
    if (e.body)
        w->drains = f->flags & EFFECT_BODY_DRAIN;
    vec_push(&r->events, e);
    vec_push(&r->names, name);
    for (uint32_t i = 0; i < f->n_births; i++) {
        uint32_t a = f->births[i].actor;
        actor_index(w, a, actor_hash(play_actor_class(w->play, a), e.id, i),
                    index);
        set_state(w, a, f->births[i].state, index, NULL);
    }
    number_sends(w, f);
    set_state(w, st->actor, f->state, index,
              e.timer ? find_fired(seat(w, st->actor), st) : NULL);
}

void record_make(struct record *r, struct play *p, enum delivery d,
                 const struct schedule *s, const struct look *look)
{
    struct walk w = {.r = r, .play = p, .s = s, .look = look};
    vec_clear(&r->events);
    vec_clear(&r->actors);
    vec_clear(&r->names);
    r->delivery = d;
    r->pairs_of = NULL;
    actor_index(&w, PLAY_ENV, 1, NO_EVENT);
    for (uint32_t i = 0; i < s->steps.n; i++)
        walk_step(&w, &s->steps.at[i]);
    for (uint32_t i = 0; i < w.seats.n; i++)
        vec_free(&w.seats.at[i].pending);
    vec_free(&w.seats);
    vec_free(&w.states);
    vec_free(&w.flying);
    vec_free(&w.ordinals);
    vec_free(&w.first_send);
    map_free(&w.sent);
}

// Walking a schedule through the play, with hashes kept per step.
#include "cover/record.h"

#include "base/hash.h"
#include "base/map.h"

#include <string.h>

struct seat {
    uint32_t index; // in record.actors + 1, 0: unknown
    uint32_t state;
    uint32_t timers; // fired so far
    uint32_t set_by;
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

static uint64_t timer_hash(uint64_t actor, uint32_t nth)
{
    return mix(mix(hash_name("timer"), actor), nth);
}

void record_free(struct record *r)
{
    vec_free(&r->events);
    vec_free(&r->actors);
    vec_free(&r->names);
}

static struct seat *seat(struct walk *w, uint32_t actor)
{
    while (w->seats.n <= actor) {
        struct seat none = {0, PLAY_NONE, 0, NO_EVENT};
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

// A timer pending after another one fired may have been set by that.
static void set_state(struct walk *w, uint32_t actor, uint32_t state,
                      uint32_t event, bool fired)
{
    struct seat *s = seat(w, actor);
    bool had = s->state != PLAY_NONE &&
               play_state(w->play, s->state)->flags & STATE_TIMER;
    bool has = play_state(w->play, state)->flags & STATE_TIMER;
    if (has && (!had || fired))
        s->set_by = event;
    s->state = state;
    w->states.at[actor] = state;
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
        e->ordinal = seat(w, st->actor)->timers + 1;
        e->message = timer_hash(a->hash, seat(w, st->actor)->timers++);
    } else {
        e->ordinal = w->ordinals.at[w->first_send.at[e->source] + e->nth];
        e->message = message_hash(play_msg_name(w->play, st->msg),
                                  r->events.at[e->source].id, e->nth);
    }
    e->id = event_hash(r->actors.at[e->sender].hash, a->hash, e->message);
}

// Memory that actors share goes on as each step leaves it.
static const struct effect *perform(struct walk *w, const struct step *st,
                                    uint32_t before)
{
    const uint16_t *picks = w->s->picks.at + st->picks;
    const struct effect *e;
    if (st->msg == PLAY_NONE && before == PLAY_NONE)
        play_share(w->play, PLAY_NONE);
    if (st->msg != PLAY_NONE)
        e = play_run(w->play, before, st->msg, st->sender, picks, st->n_picks);
    else
        e = play_body(w->play, before, w->states.at, w->states.n, w->flying.at,
                      w->flying.n, picks, st->n_picks);
    if (e->flags & EFFECT_SHARED)
        play_share(w->play, e->shared);
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
    e.set_by = e.timer ? seat(w, st->actor)->set_by : NO_EVENT;
    identify(w, st, &e);
    if (!e.body && !e.timer)
        land(w, st);
    uint32_t before =
        e.body && index == 0 ? PLAY_NONE : seat(w, st->actor)->state;
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
        set_state(w, a, f->births[i].state, index, false);
    }
    number_sends(w, f);
    set_state(w, st->actor, f->state, index, e.timer);
}

void record_make(struct record *r, struct play *p, enum delivery d,
                 const struct schedule *s, const struct look *look)
{
    struct walk w = {.r = r, .play = p, .s = s, .look = look};
    vec_clear(&r->events);
    vec_clear(&r->actors);
    vec_clear(&r->names);
    r->delivery = d;
    actor_index(&w, PLAY_ENV, 1, NO_EVENT);
    for (uint32_t i = 0; i < s->steps.n; i++)
        walk_step(&w, &s->steps.at[i]);
    vec_free(&w.seats);
    vec_free(&w.states);
    vec_free(&w.flying);
    vec_free(&w.ordinals);
    vec_free(&w.first_send);
    map_free(&w.sent);
}

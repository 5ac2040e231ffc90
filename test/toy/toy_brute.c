// Brute force by value: a configuration is copied for every step, and visited
// once per tuple of histories (in `mailbox` also per order of the queues).
// Written without the engines' own data structures, to be wrong in other ways.
#include "toy/toy_brute.h"

#include "base/die.h"

#include <stdlib.h>
#include <string.h>

enum { ACTORS = 64, MESSAGES = 192, PICKS = 4 };

static uint64_t mix(uint64_t h, uint64_t x)
{
    h = (h ^ x ^ (h >> 31)) * 0x9e3779b97f4a7c15u;
    return h ^ (h >> 29);
}

static uint64_t next_history(uint64_t history, uint64_t received,
                             const uint16_t *picks, uint32_t n)
{
    history = mix(history, received);
    for (uint32_t i = 0; i < n; i++)
        history = mix(history, picks[i] + 77u);
    return history;
}

static uint64_t all_histories(struct play *p, const uint64_t *history,
                              uint32_t n)
{
    uint64_t h = 0;
    for (uint32_t a = 0; a < n; a++)
        if (history[a])
            h += mix(play_actor_hash(p, a), history[a]);
    return h;
}

uint64_t class_key(struct play *p, const struct schedule *s)
{
    uint64_t history[ACTORS] = {0};
    uint64_t *after = need_zero((s->steps.n + 1) * sizeof *after);
    for (uint32_t i = 0; i < s->steps.n; i++) {
        const struct step *t = &s->steps.at[i];
        uint64_t id =
            t->msg >= PLAY_TIMERS ? t->msg : mix(after[t->source], t->nth + 1);
        after[i] = history[t->actor] = next_history(
            history[t->actor], id, s->picks.at + t->picks, t->n_picks);
    }
    uint64_t h = all_histories(p, history, ACTORS);
    free(after);
    return h;
}

struct message {
    uint32_t to, sender, msg;
    uint64_t id, past[MESSAGES / 64]; // past: messages known to be sent before
    bool received;
};

struct conf {
    uint32_t n, n_messages, body;
    uint32_t state[ACTORS];
    uint64_t history[ACTORS], know[ACTORS][MESSAGES / 64];
    struct message messages[MESSAGES];
};

struct walk {
    struct brute *b;
    struct play *play;
    enum delivery delivery;
    uint64_t limit;
    struct hashset visited;
};

static void go(struct walk *w, const struct conf *c);

static bool has(const uint64_t *set, uint32_t i)
{
    return set[i / 64] >> (i % 64) & 1;
}

static bool deliverable(const struct walk *w, const struct conf *c, uint32_t i)
{
    const struct message *m = &c->messages[i];
    for (uint32_t j = 0; j < c->n_messages; j++) {
        const struct message *o = &c->messages[j];
        if (j == i || o->received || o->to != m->to)
            continue;
        if (w->delivery == DELIVERY_PAIR && j < i && o->sender == m->sender)
            return false;
        if (w->delivery == DELIVERY_MAILBOX && j < i)
            return false;
        if (w->delivery == DELIVERY_CAUSAL && has(m->past, j))
            return false;
    }
    return true;
}

static bool bear(struct conf *d, const struct effect *e)
{
    for (uint32_t i = 0; i < e->n_births; i++) {
        uint32_t kid = e->births[i].actor;
        if (kid >= ACTORS)
            return false;
        for (; d->n <= kid; d->n++)
            d->state[d->n] = PLAY_NONE;
        d->state[kid] = e->births[i].state;
    }
    return true;
}

// Who is born after so many sends of the run knows what its actor knows then.
static void teach(struct conf *d, uint32_t actor, const struct effect *e,
                  uint32_t sends)
{
    for (uint32_t i = 0; i < e->n_births; i++)
        if (e->births[i].sends == sends)
            memcpy(d->know[e->births[i].actor], d->know[actor],
                   sizeof d->know[actor]);
}

static bool post(struct conf *d, uint32_t actor, const struct effect *e)
{
    for (uint32_t i = 0; i < e->n_sends; i++) {
        uint32_t to = e->sends[i].to, k = d->n_messages;
        teach(d, actor, e, i);
        if (to >= d->n || d->state[to] == PLAY_NONE)
            continue;
        if (k == MESSAGES)
            return false;
        struct message *m = &d->messages[d->n_messages++];
        *m = (struct message){
            .to = to, .sender = e->sends[i].sender, .msg = e->sends[i].msg};
        m->id = mix(d->history[actor], i + 1);
        memcpy(m->past, d->know[actor], sizeof m->past);
        d->know[actor][k / 64] |= 1ull << (k % 64);
    }
    teach(d, actor, e, e->n_sends);
    return true;
}

// One step of an actor: message i, or a timer, or PLAY_NONE for the body.
static void step(struct walk *w, const struct conf *c, uint32_t actor,
                 uint32_t i, uint16_t *picks, uint32_t n_picks)
{
    const struct message *m = i < MESSAGES ? &c->messages[i] : NULL;
    const struct effect *e =
        i != PLAY_NONE ? play_run(w->play, c->state[actor], m ? m->msg : i,
                                  m ? m->sender : actor, picks, n_picks)
                       : play_body(w->play, c->n ? c->state[0] : PLAY_NONE,
                                   c->state, c->n, NULL, 0, picks, n_picks);
    if (e->flags & EFFECT_PICK) {
        for (uint16_t k = 0; k < e->pick && n_picks < PICKS; k++) {
            picks[n_picks] = k;
            step(w, c, actor, i, picks, n_picks + 1);
        }
        return;
    }
    struct conf *d = need(sizeof *d);
    memcpy(d, c, sizeof *d);
    if (!d->n)
        d->n = 1;
    d->state[actor] = e->state;
    d->history[actor] =
        next_history(c->history[actor], m ? m->id : i, picks, n_picks);
    if (i == PLAY_NONE)
        d->body = e->flags;
    for (uint32_t k = 0; m && k < MESSAGES / 64; k++)
        d->know[actor][k] |= m->past[k];
    if (m) {
        d->messages[i].received = true;
        d->know[actor][i / 64] |= 1ull << (i % 64);
    }
    // The body's next segment comes after everything.
    for (uint32_t k = 0; i == PLAY_NONE && k < c->n_messages; k++)
        d->know[actor][k / 64] |= 1ull << (k % 64);
    if (bear(d, e) && post(d, actor, e))
        go(w, d);
    else
        w->b->too_large = true;
    free(d);
}

static uint64_t conf_key(const struct walk *w, const struct conf *c)
{
    uint64_t h = all_histories(w->play, c->history, c->n);
    for (uint32_t a = 0; a < c->n && w->delivery == DELIVERY_MAILBOX; a++) {
        uint64_t queue = a;
        for (uint32_t i = 0; i < c->n_messages; i++)
            if (!c->messages[i].received && c->messages[i].to == a)
                queue = mix(queue, c->messages[i].id);
        h += mix(queue, 3);
    }
    return h;
}

static void finish(struct walk *w, const struct conf *c)
{
    uint64_t h = 0;
    if (c->body & EFFECT_BODY_DRAIN) {
        uint16_t picks[PICKS];
        step(w, c, PLAY_ENV, PLAY_NONE, picks, 0);
        return;
    }
    for (uint32_t a = 0; a < c->n; a++)
        if (c->state[a] != PLAY_NONE)
            h += mix(mix(a + 1, 5), play_state(w->play, c->state[a])->hash.low);
    hashset_add(&w->b->finals, h);
    hashset_add(&w->b->classes, all_histories(w->play, c->history, c->n));
}

static void go(struct walk *w, const struct conf *c)
{
    uint16_t picks[PICKS];
    bool any = false;
    if (!hashset_add(&w->visited, conf_key(w, c)))
        return;
    if (++w->b->nodes > w->limit)
        w->b->too_large = true;
    if (w->b->too_large)
        return;
    for (uint32_t i = 0; i < c->n_messages; i++) {
        if (c->messages[i].received || !deliverable(w, c, i))
            continue;
        any = true;
        step(w, c, c->messages[i].to, i, picks, 0);
    }
    for (uint32_t a = 0; a < c->n; a++) {
        if (c->state[a] == PLAY_NONE)
            continue;
        uint32_t flags = play_state(w->play, c->state[a])->flags;
        for (uint32_t k = 0; k < state_timers(flags); k++) {
            any = true;
            step(w, c, a, play_timer(k), picks, 0);
        }
    }
    if (!any)
        finish(w, c);
}

void brute_force(struct brute *b, struct play *p, enum delivery d,
                 uint64_t limit)
{
    struct walk w = {.b = b, .play = p, .delivery = d, .limit = limit};
    struct conf *c = need_zero(sizeof *c);
    uint16_t picks[PICKS];
    *b = (struct brute){0};
    step(&w, c, PLAY_ENV, PLAY_NONE, picks, 0);
    hashset_free(&w.visited);
    free(c);
}

void brute_free(struct brute *b)
{
    hashset_free(&b->classes);
    hashset_free(&b->finals);
}

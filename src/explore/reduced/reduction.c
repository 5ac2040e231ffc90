// What is known of receives, and which of the choices at a state are left:
// those of the best set (members.c), or one that commutes.
#include "explore/reduced/inner.h"

#include "base/die.h"
#include "base/hash.h"
#include "explore/reduced/commute.h"

#include <stdlib.h>

enum { WIDEST = 512 }; // actors, for the table of who may send to whom

static bool shows_fact(void *self, uint32_t fact, uint32_t state, uint32_t msg);

static void closure_init(struct closure *c, struct reduction *r, bool coarse)
{
    c->world = r->world;
    c->facts = &r->facts;
    c->coarse = coarse;
    c->all_steps = &r->search->looks_ahead;
    c->shows_self = r;
    if (r->search->invariants && !(r->off & REDUCTION_BLIND_SHOWS))
        c->shows = shows_fact;
}

struct reduction *reduction_new(struct search *s, struct world *w)
{
    struct reduction *r = need_zero(sizeof *r);
    r->search = s;
    r->world = w;
    r->off = s->options->reduction_off;
    s->watched = true;
    closure_init(&r->partial, r, false);
    closure_init(&r->coarse.closure, r, true);
    closure_init(&r->fine.closure, r, false);
    return r;
}

static void outlook_free(struct outlook *o)
{
    closure_free(&o->closure);
    vec_free(&o->sends);
}

void reduction_free(struct reduction *r)
{
    facts_free(&r->facts);
    closure_free(&r->partial);
    outlook_free(&r->coarse);
    outlook_free(&r->fine);
    vec_free(&r->member);
    vec_free(&r->members);
    vec_free(&r->best);
    vec_free(&r->scratch);
    free(r);
}

void reduction_begin(struct reduction *r)
{
    r->facts.grown = false;
    r->watched = play_watches(r->search->play);
}

bool reduction_learned(const struct reduction *r)
{
    bool grown = r->facts.grown || r->watched != play_watches(r->search->play);
    return grown && !(r->off & REDUCTION_ONE_PASS);
}

void reduction_learn(struct reduction *r, uint32_t state, uint32_t msg,
                     const struct effect *e)
{
    facts_add(&r->facts, r->search->play, state, msg, e);
}

uint32_t reduction_outcomes(struct reduction *r, uint32_t state, uint32_t msg)
{
    struct play *p = r->search->play;
    return facts_of(&r->facts, facts_state(&r->facts, p, state),
                    facts_msg(&r->facts, p, msg));
}

uint32_t choice_msg(const struct world *w, const struct choice *c)
{
    return is_flight(c->flight) ? w->flights.at[c->flight].msg : c->flight;
}

uint32_t choice_sender(const struct world *w, const struct choice *c)
{
    return is_flight(c->flight) ? w->flights.at[c->flight].sender : c->actor;
}

// ---- who may send to whom --------------------------------------------------

static void note_sends(struct outlook *o)
{
    uint32_t n = o->closure.actors.n;
    if (n > WIDEST) {
        o->whole = false;
        return;
    }
    if (n > o->width) {
        o->width = n < 16 ? 16 : 2 * n;
        vec_clear(&o->sends);
        for (uint32_t i = 0; i < o->width * o->width; i++)
            vec_push(&o->sends, 0);
    }
    for (uint32_t i = 0; i < o->closure.arrivals.n; i++) {
        const struct arrival *a = &o->closure.arrivals.at[i];
        o->sends.at[a->sender * o->width + a->to] = o->look;
    }
}

bool reduction_look_out(struct reduction *r, struct outlook *o)
{
    if (o->look == r->look)
        return o->whole;
    o->look = r->look;
    closure_begin(&o->closure);
    o->whole = closure_run(&o->closure, PLAY_NONE, true);
    note_sends(o);
    return o->whole;
}

// Does this outlook leave it open that one sends to the other?
static bool leaves_open(struct reduction *r, struct outlook *o, uint32_t from,
                        uint32_t to)
{
    return !reduction_look_out(r, o) ||
           o->sends.at[from * o->width + to] == o->look;
}

static bool may_send(struct reduction *r, uint32_t from, uint32_t to)
{
    return leaves_open(r, &r->coarse, from, to) &&
           leaves_open(r, &r->fine, from, to);
}

void reduction_look(struct reduction *r)
{
    r->look++;
}

// ---- messages whose sender does not matter ----------------------------------

static bool alone_in_channel(const struct world *w, const struct flight *f)
{
    uint32_t i = w->seats.at[f->to].first;
    for (; i != PLAY_NONE; i = w->flights.at[i].next)
        if (&w->flights.at[i] != f && w->flights.at[i].sender == f->sender)
            return false;
    return true;
}

static bool is_blind(struct reduction *r, const struct flight *f)
{
    const struct world *w = r->world;
    if (r->off & REDUCTION_ALL_BLIND)
        return true;
    if (r->off & REDUCTION_NO_BLIND ||
        facts_asks_sender(&r->facts, w->play, f->to, f->msg))
        return false;
    if (w->delivery == DELIVERY_ANY)
        return true;
    return w->delivery == DELIVERY_PAIR && !may_send(r, f->sender, f->to) &&
           alone_in_channel(w, f);
}

static struct digest blind_hash(struct reduction *r, const struct flight *f)
{
    return digest_with(play_msg_hash(r->world->play, f->msg),
                       r->world->seats.at[f->to].name_hash + 1);
}

struct digest reduction_hash(struct reduction *r)
{
    struct world *w = r->world;
    struct digest h = {0};
    if (w->delivery != DELIVERY_ANY && w->delivery != DELIVERY_PAIR)
        return world_hash(w, false);
    for (uint32_t a = 0; a < w->n; a++) {
        uint32_t i = w->seats.at[a].first;
        for (; i != PLAY_NONE; i = w->flights.at[i].next) {
            const struct flight *f = &w->flights.at[i];
            h = digest_plus(h, is_blind(r, f) ? blind_hash(r, f)
                                              : world_flight_name(w, i));
        }
    }
    return digest_join(digest_with(w->hash, w->body + 256u * w->due), h);
}

struct awaited reduction_receive(struct reduction *r, const struct choice *c)
{
    struct awaited v = {c->actor, choice_sender(r->world, c),
                        choice_msg(r->world, c)};
    if (is_flight(c->flight) && is_blind(r, &r->world->flights.at[c->flight]))
        v.sender = PLAY_NONE;
    return v;
}

// ---- invariants -------------------------------------------------------------

static bool sends_shown(struct play *p, const struct effect *e)
{
    for (uint32_t i = 0; i < e->n_sends; i++)
        if (play_watches_msg(p, e->sends[i].msg))
            return true;
    return false;
}

static bool births_shown(struct play *p, const struct effect *e)
{
    for (uint32_t i = 0; i < e->n_births; i++)
        if (play_watches_actor(p, e->births[i].actor))
            return true;
    return false;
}

bool reduction_shows(struct reduction *r, uint32_t state, uint32_t msg,
                     const struct effect *e)
{
    struct play *p = r->search->play;
    if (e->flags & EFFECT_PICK)
        return false;
    if (!play_alike(p, state, e->state) &&
        play_watches_actor(p, play_state(p, state)->actor))
        return true;
    if (!play_is_timer(msg) && play_watches_msg(p, msg))
        return true;
    return sends_shown(p, e) ||
           (births_shown(p, e) && !(r->off & REDUCTION_BIRTHS_HIDE));
}

// The same of a fact, remembered as long as invariants look at nothing else.
static bool shows_fact(void *self, uint32_t fact, uint32_t state, uint32_t msg)
{
    struct reduction *r = self;
    struct fact *f = &r->facts.list.at[fact];
    uint64_t now = play_watches(r->search->play) + 1;
    if (f->judged != now) {
        f->shows = reduction_shows(r, state, msg, f->effect);
        f->judged = now;
    }
    return f->shows;
}

bool reduction_known_to_show(struct reduction *r, uint32_t state, uint32_t msg)
{
    uint32_t i =
        r->partial.shows ? reduction_outcomes(r, state, msg) : PLAY_NONE;
    for (; i != PLAY_NONE; i = r->facts.list.at[i].next)
        if (shows_fact(r, i, state, msg))
            return true;
    return false;
}

// ---- choosing -------------------------------------------------------------

// Put the choices that `keep` does not want first.
static uint32_t put_behind(struct reduction *r, choices *all, uint32_t first,
                           bool (*keep)(struct reduction *, const choices *,
                                        uint32_t first, uint32_t k))
{
    vec_clear(&r->scratch);
    uint32_t at = first;
    for (uint32_t k = first; k < all->n; k++)
        if (keep(r, all, first, k))
            vec_push(&r->scratch, all->at[k]);
    for (uint32_t k = first; k < all->n; k++)
        if (!keep(r, all, first, k))
            vec_push(&r->scratch, all->at[k]);
    uint32_t kept = 0;
    for (uint32_t k = first; k < all->n; k++)
        kept += keep(r, all, first, k);
    at = all->n - kept;
    for (uint32_t i = 0; i < r->scratch.n; i++) {
        uint32_t to = i < kept ? at + i : first + i - kept;
        all->at[to] = r->scratch.at[i];
    }
    return at;
}

static bool same_receive(const struct awaited *a, const struct awaited *b)
{
    return a->actor == b->actor && a->sender == b->sender && a->msg == b->msg;
}

// The first of those that receive the same.
static bool is_first_of_its_kind(struct reduction *r, const choices *all,
                                 uint32_t first, uint32_t k)
{
    struct awaited mine = reduction_receive(r, &all->at[k]);
    for (uint32_t i = first; i < k; i++) {
        struct awaited other = reduction_receive(r, &all->at[i]);
        if (all->at[i].actor == mine.actor && same_receive(&mine, &other))
            return false;
    }
    return true;
}

static bool is_of_member(struct reduction *r, const choices *all,
                         uint32_t first, uint32_t k)
{
    (void)first;
    return members_have(r, all->at[k].actor);
}

// Where only timers of every() are left the body, which looks at everybody,
// comes before or after any of them.
static bool must_be_full(const struct reduction *r)
{
    const struct world *w = r->world;
    return w->due || w->body & EFFECT_BODY_ONE || r->search->options->shared ||
           (world_beside_ticks(w) && !w->pending);
}

// A single receive that commutes with everything else of its actor.
static bool choose_commuting(struct reduction *r, choices *all, uint32_t first)
{
    if (r->off & REDUCTION_NO_COMMUTE || r->world->delivery == DELIVERY_MAILBOX)
        return false;
    for (uint32_t k = first; k < all->n; k++)
        if (is_flight(all->at[k].flight) && commute_alone(r, &all->at[k])) {
            struct choice alone = all->at[k];
            all->at[k] = all->at[all->n - 1];
            all->at[all->n - 1] = alone;
            return true;
        }
    return false;
}

uint32_t reduction_choose(struct reduction *r, choices *all, uint32_t first)
{
    if (all->n - first < 2 || must_be_full(r))
        return first;
    first = put_behind(r, all, first, is_first_of_its_kind);
    if (all->n - first < 2)
        return first;
    uint32_t from = first;
    if (members_find(r, all, first)) {
        members_take(r);
        first = put_behind(r, all, first, is_of_member);
    }
    if (all->n - first > 1 && choose_commuting(r, all, from))
        return all->n - 1;
    return first;
}

// ---- sleep sets -----------------------------------------------------------

static bool common_target(const struct effect *a, const struct effect *b)
{
    for (uint32_t i = 0; i < a->n_sends; i++)
        for (uint32_t k = 0; k < b->n_sends; k++)
            if (a->sends[i].to == b->sends[k].to)
                return true;
    return false;
}

bool reduction_independent(struct reduction *r, const struct awaited *waits,
                           uint32_t state, uint32_t msg, const struct effect *e)
{
    const struct world *w = r->world;
    uint32_t its = w->seats.at[waits->actor].state;
    if (waits->actor == play_state(w->play, state)->actor)
        return false;
    bool shown = r->partial.shows && reduction_shows(r, state, msg, e);
    if (w->delivery != DELIVERY_MAILBOX && !shown)
        return true;
    uint32_t i = reduction_outcomes(r, its, waits->msg);
    if (i == PLAY_NONE)
        return false;
    for (; i != PLAY_NONE; i = r->facts.list.at[i].next) {
        const struct effect *other = r->facts.list.at[i].effect;
        if (w->delivery == DELIVERY_MAILBOX && common_target(e, other))
            return false;
        if (shown && shows_fact(r, i, its, waits->msg))
            return false;
    }
    return true;
}

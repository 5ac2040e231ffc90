// The memo in front of a play.
//
// Two open-addressing tables, never more than 3/4 full.
//   - `fast`: (state, message) -> effect.  A hit is one probe.  The mark
//     `by_sender` in place of an effect says that the run asked for its sender.
//     The first place tried keeps states of one age together, since a search
//     mostly asks for states it has just seen; the next ones are scattered.
//   - `slow`: any list of words -> effect or mark, for keys that also hold the
//     sender, picks, or (test bodies) a whole global state.
// A run that did not ask for its sender is the same for all senders, so the
// key has the sender only after the mark.  Likewise memory that actors share,
// and the clock: after the mark `by_world` the key has sender, shared memory
// and clock.  Effects live in an arena until play_forget().
#include "play/play.h"

#include "base/arena.h"
#include "base/debug.h"
#include "base/die.h"
#include "base/hash.h"
#include "base/vec.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct fast {
    uint32_t state, msg;
    const struct effect *effect; // NULL: free
};

struct slow {
    uint64_t hash;
    const uint32_t *key; // NULL: free
    uint32_t n;
    const struct effect *effect;
};

struct play {
    const struct play_ops *ops;
    void *self;
    uint64_t limit;
    struct fast *fast;
    uint32_t fast_mask, fast_n;
    struct slow *slow;
    uint32_t slow_mask, slow_n;
    struct arena arena;
    VEC(uint32_t) key; // of the slow probe under way
    uint32_t shared;   // memory that actors share
    uint64_t clock;
    bool rested; // see play_rested
    bool early;  // see play_early_ends
    bool grown;  // something was remembered since `full` was found
    bool full;
    struct play_counts counts;
};

static const struct effect by_sender = {.state = PLAY_NONE};
static const struct effect by_world = {.state = PLAY_NONE};
#define WORLD_FOLLOWS UINT32_C(0xffff0000) // in keys; no pick

enum { FIRST_SIZE = 1024 };

struct play *play_new(const struct play_ops *ops, void *self, uint64_t limit)
{
    struct play *p = need_zero(sizeof *p);
    p->ops = ops;
    p->self = self;
    p->limit = limit ? limit : 1u << 30;
    p->shared = PLAY_NONE;
    p->fast = need_zero(FIRST_SIZE * sizeof *p->fast);
    p->slow = need_zero(FIRST_SIZE * sizeof *p->slow);
    p->fast_mask = p->slow_mask = FIRST_SIZE - 1;
    return p;
}

void play_free(struct play *p)
{
    if (!p)
        return;
    arena_free(&p->arena);
    vec_free(&p->key);
    free(p->fast);
    free(p->slow);
    free(p);
}

// ---- the fast table -------------------------------------------------------

static inline uint32_t fast_near(uint32_t state, uint32_t msg)
{
    return state + msg * UINT32_C(0x9e3779b1);
}

static inline uint64_t fast_far(uint32_t state, uint32_t msg)
{
    uint64_t k = ((uint64_t)state << 32 | msg) * UINT64_C(0x9e3779b97f4a7c15);
    return (k ^ k >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
}

// The place of this key: where it is, or where it would be put.  Steps after
// the first are odd and differ from key to key: near places form long runs.
static inline struct fast *fast_find(const struct play *p, uint32_t state,
                                     uint32_t msg)
{
    struct fast *f = &p->fast[fast_near(state, msg) & p->fast_mask];
    if (!f->effect || (f->state == state && f->msg == msg))
        return f;
    uint64_t far = fast_far(state, msg);
    uint32_t i = (uint32_t)(far >> 32), step = (uint32_t)far | 1;
    do {
        f = &p->fast[i & p->fast_mask];
        i += step;
    } while (f->effect && (f->state != state || f->msg != msg));
    return f;
}

static void fast_grow(struct play *p)
{
    struct fast *old = p->fast;
    uint32_t n = p->fast_mask + 1;
    p->fast = need_table(2ul * n * sizeof *p->fast);
    p->fast_mask = 2 * n - 1;
    for (uint32_t i = 0; i < n; i++)
        if (old[i].effect)
            *fast_find(p, old[i].state, old[i].msg) = old[i];
    free(old);
}

// Put what is known under the key, unless something is there already.
static void fast_note(struct play *p, uint32_t state, uint32_t msg,
                      const struct effect *e)
{
    struct fast *f = fast_find(p, state, msg);
    if (f->effect)
        return;
    if (++p->fast_n > p->fast_mask / 4 * 3) {
        fast_grow(p);
        f = fast_find(p, state, msg);
    }
    *f = (struct fast){state, msg, e};
}

// ---- the slow table -------------------------------------------------------

static struct slow *slow_find(const struct play *p, uint64_t hash,
                              const uint32_t *key, uint32_t n)
{
    for (uint64_t i = hash;; i++) {
        struct slow *s = &p->slow[i & p->slow_mask];
        if (!s->key || (s->hash == hash && s->n == n &&
                        !memcmp(s->key, key, n * sizeof *key)))
            return s;
    }
}

static void slow_grow(struct play *p)
{
    struct slow *old = p->slow;
    uint32_t n = p->slow_mask + 1;
    p->slow = need_table(2ul * n * sizeof *p->slow);
    p->slow_mask = 2 * n - 1;
    for (uint32_t i = 0; i < n; i++)
        if (old[i].key)
            *slow_find(p, old[i].hash, old[i].key, old[i].n) = old[i];
    free(old);
}

static uint64_t key_hash(const struct play *p)
{
    return hash_bytes(p->key.at, p->key.n * sizeof *p->key.at);
}

static const struct effect *key_find(const struct play *p)
{
    return slow_find(p, key_hash(p), p->key.at, p->key.n)->effect;
}

static void key_put(struct play *p, const struct effect *e)
{
    if (++p->slow_n > p->slow_mask / 4 * 3)
        slow_grow(p);
    uint64_t hash = key_hash(p);
    struct slow *s = slow_find(p, hash, p->key.at, p->key.n);
    s->hash = hash;
    s->n = p->key.n;
    s->key = arena_copy(&p->arena, p->key.at, p->key.n * sizeof *p->key.at);
    s->effect = e;
}

static void key_words(struct play *p, const uint32_t *words, uint32_t n)
{
    vec_room(&p->key, n);
    if (n)
        memcpy(p->key.at + p->key.n, words, n * sizeof *words);
    p->key.n += n;
}

static void key_picks(struct play *p, const uint16_t *picks, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        vec_push(&p->key, picks[i]);
}

// sender is PLAY_NONE while it is not known to matter.
static void key_receive(struct play *p, uint32_t state, uint32_t msg,
                        uint32_t sender, const uint16_t *picks,
                        uint32_t n_picks)
{
    vec_clear(&p->key);
    key_words(p, (uint32_t[]){state, msg, sender}, 3);
    key_picks(p, picks, n_picks);
}

// ---- receives -------------------------------------------------------------

static void key_world(struct play *p)
{
    uint32_t low = (uint32_t)p->clock, high = (uint32_t)(p->clock >> 32);
    key_words(p, (uint32_t[]){WORLD_FOLLOWS, p->shared, low, high}, 4);
}

// Put what is known under the key, unless something is there already.
static void key_note(struct play *p, const struct effect *e)
{
    if (!key_find(p))
        key_put(p, e);
}

// The memo needs the clock and the memory that actors share in its keys only;
// the implementation behind it is told when it is going to run something.
static void set_world(struct play *p)
{
    if (p->ops->clock)
        p->ops->clock(p->self, p->clock);
    if (p->ops->share)
        p->ops->share(p->self, p->shared);
}

static inline void note_rest(struct play *p, const struct effect *e)
{
    uint32_t flags = 0;
    if (e->flags & EFFECT_PICK)
        return;
    flags |= play_state(p, e->state)->flags;
    for (uint32_t i = 0; i < e->n_births; i++)
        flags |= play_state(p, e->births[i].state)->flags;
    p->rested |= flags & STATE_RESTS;
}

static const struct effect *run(struct play *p, uint32_t state, uint32_t msg,
                                uint32_t sender, const uint16_t *picks,
                                uint32_t n_picks)
{
    struct effect *e = arena_get(&p->arena, sizeof *e);
    *e = (struct effect){0};
    p->grown = true;
    set_world(p);
    p->ops->run(p->self, state, msg, sender, picks, n_picks, e);
    note_rest(p, e);
    if (!(e->flags & EFFECT_PICK))
        p->counts.runs++;
    if (e->flags & EFFECT_ONCE)
        p->counts.once++;
    bool whose = e->flags & EFFECT_SENDER;
    bool world = e->flags & (EFFECT_SHARED | EFFECT_CLOCK);
    const struct effect *mark = world ? &by_world : whose ? &by_sender : e;
    if (!n_picks) {
        fast_note(p, state, msg, mark);
    } else {
        key_receive(p, state, msg, PLAY_NONE, picks, n_picks);
        key_note(p, mark);
    }
    if (whose || world) {
        key_receive(p, state, msg, sender, picks, n_picks);
        key_note(p, world ? &by_world : e);
    }
    if (world) {
        key_world(p);
        key_put(p, e);
    }
    debug_check_some(p->counts.runs, p->fast_n + p->slow_n, play_check(p));
    return e;
}

static const struct effect *run_slow(struct play *p, uint32_t state,
                                     uint32_t msg, uint32_t sender,
                                     const uint16_t *picks, uint32_t n_picks)
{
    const struct effect *e = &by_sender;
    if (n_picks) {
        key_receive(p, state, msg, PLAY_NONE, picks, n_picks);
        e = key_find(p);
    }
    if (e == &by_sender || e == &by_world) {
        key_receive(p, state, msg, sender, picks, n_picks);
        e = key_find(p);
    }
    if (e == &by_world) {
        key_world(p);
        e = key_find(p);
    }
    if (!e)
        return run(p, state, msg, sender, picks, n_picks);
    p->counts.hits++;
    return e;
}

const struct effect *play_run(struct play *p, uint32_t state, uint32_t msg,
                              uint32_t sender, const uint16_t *picks,
                              uint32_t n_picks)
{
    if (n_picks)
        return run_slow(p, state, msg, sender, picks, n_picks);
    const struct effect *e = fast_find(p, state, msg)->effect;
    if (!e)
        return run(p, state, msg, sender, NULL, 0);
    if (e == &by_sender || e == &by_world)
        return run_slow(p, state, msg, sender, NULL, 0);
    p->counts.hits++;
    return e;
}

void play_share(struct play *p, uint32_t shared)
{
    p->shared = shared;
}

bool play_clocked(const struct play *p)
{
    return p->ops->clock;
}

void play_clock(struct play *p, uint64_t clock)
{
    p->clock = clock;
}

struct digest play_state_hash(struct play *p, uint32_t state, uint64_t clock)
{
    return p->ops->state_hash ? p->ops->state_hash(p->self, state, clock)
                              : play_state(p, state)->hash;
}

struct digest play_message_hash(struct play *p, uint32_t msg, uint64_t clock)
{
    return p->ops->message_hash ? p->ops->message_hash(p->self, msg, clock)
                                : play_msg_hash(p, msg);
}

struct digest play_final_hash(struct play *p, uint32_t state, uint64_t clock)
{
    return p->ops->final_hash ? p->ops->final_hash(p->self, state, clock)
                              : play_state_hash(p, state, clock);
}

bool play_due(struct play *p, uint32_t state, uint32_t i, struct play_due *out)
{
    return p->ops->due && p->ops->due(p->self, state, i, out);
}

void play_set_early_ends(struct play *p, bool matter)
{
    p->early = matter;
}

bool play_early_ends(const struct play *p)
{
    return p->early;
}

bool play_rested(const struct play *p)
{
    return p->rested;
}

// ---- test bodies and invariants -------------------------------------------

const struct effect *play_body(struct play *p, uint32_t env,
                               const uint32_t *states, uint32_t n,
                               const struct send *in_flight,
                               uint32_t n_in_flight, const uint16_t *picks,
                               uint32_t n_picks)
{
    vec_clear(&p->key);
    key_words(p, (uint32_t[]){env, PLAY_NONE, n, n_in_flight}, 4);
    key_words(p, states, n);
    for (uint32_t i = 0; i < n_in_flight; i++)
        key_words(p, (uint32_t[]){in_flight[i].to, in_flight[i].msg}, 2);
    key_picks(p, picks, n_picks);
    key_world(p);
    const struct effect *known = key_find(p);
    if (known)
        return known;
    struct effect *e = arena_zero(&p->arena, sizeof *e);
    p->grown = true;
    p->counts.bodies++;
    set_world(p);
    p->ops->body(p->self, env, states, n, in_flight, n_in_flight, picks,
                 n_picks, e);
    note_rest(p, e);
    key_put(p, e);
    return e;
}

const struct bug *play_invariant(struct play *p, const uint32_t *states,
                                 uint32_t n, const struct send *in_flight,
                                 uint32_t n_in_flight)
{
    if (!p->ops->invariant)
        return NULL;
    p->grown = true; // the text of a bug takes memory, too
    set_world(p);
    return p->ops->invariant(p->self, states, n, in_flight, n_in_flight);
}

const struct bug *play_watched_invariant(struct play *p, const uint32_t *states,
                                         uint32_t n,
                                         const struct send *in_flight,
                                         uint32_t n_in_flight)
{
    if (!p->ops->watched_invariant || !p->ops->invariant)
        return play_invariant(p, states, n, in_flight, n_in_flight);
    set_world(p);
    return p->ops->watched_invariant(p->self, states, n, in_flight,
                                     n_in_flight);
}

bool play_alike(struct play *p, uint32_t a, uint32_t b)
{
    return a == b || (p->ops->alike && p->ops->alike(p->self, a, b));
}

bool play_has_invariants(const struct play *p)
{
    return p->ops->invariant;
}

uint32_t play_mailbox(const struct play *p, uint32_t actor)
{
    return p->ops->mailbox ? p->ops->mailbox(p->self, actor) : 0;
}

bool play_watches_actor(const struct play *p, uint32_t actor)
{
    return !p->ops->watches_actor || p->ops->watches_actor(p->self, actor);
}

uint64_t play_watches(const struct play *p)
{
    return p->ops->watches ? p->ops->watches(p->self) : 0;
}

bool play_watches_msg(const struct play *p, uint32_t msg)
{
    return !p->ops->watches_msg || p->ops->watches_msg(p->self, msg);
}

// ---- names, counts, forgetting --------------------------------------------

const struct play_state *play_state(struct play *p, uint32_t state)
{
    return p->ops->state(p->self, state);
}

struct play_pending play_timer_of(struct play *p, uint32_t state, uint32_t k)
{
    struct play_pending t = {.msg = PLAY_NONE, .of = "", .first = true};
    if (p->ops->timer)
        p->ops->timer(p->self, state, k, &t);
    return t;
}

const char *play_actor_name(struct play *p, uint32_t actor)
{
    return p->ops->actor_name(p->self, actor);
}

const char *play_actor_class(struct play *p, uint32_t actor)
{
    return p->ops->actor_class(p->self, actor);
}

const char *play_msg_name(struct play *p, uint32_t msg)
{
    return p->ops->msg_name(p->self, msg);
}

uint32_t play_actor_named(struct play *p, const char *name)
{
    return p->ops->actor_named(p->self, name);
}

uint64_t play_actor_hash(struct play *p, uint32_t actor)
{
    return p->ops->actor_hash(p->self, actor);
}

struct digest play_msg_hash(struct play *p, uint32_t msg)
{
    return p->ops->msg_hash(p->self, msg);
}

const struct play_counts *play_counts(const struct play *p)
{
    return &p->counts;
}

static uint64_t bytes(const struct play *p)
{
    return p->arena.bytes + (p->fast_mask + 1ul) * sizeof *p->fast +
           (p->slow_mask + 1ul) * sizeof *p->slow +
           (p->ops->bytes ? p->ops->bytes(p->self) : 0);
}

uint64_t play_bytes(struct play *p)
{
    return bytes(p);
}

// Asked after every receive, so `bytes` is asked for only if something was
// added since the last answer.
bool play_full(struct play *p)
{
    if (p->grown)
        p->full = bytes(p) >= p->limit;
    p->grown = false;
    return p->full;
}

void play_forget(struct play *p, const uint32_t *states, uint32_t n_states,
                 const uint32_t *msgs, uint32_t n_msgs)
{
    free(p->fast);
    free(p->slow);
    p->fast = need_zero(FIRST_SIZE * sizeof *p->fast);
    p->slow = need_zero(FIRST_SIZE * sizeof *p->slow);
    p->fast_mask = p->slow_mask = FIRST_SIZE - 1;
    p->fast_n = p->slow_n = 0;
    p->grown = true;
    arena_clear(&p->arena);
    if (p->ops->forget)
        p->ops->forget(p->self, states, n_states, msgs, n_msgs);
}

void play_again(struct play *p)
{
    memset(p->fast, 0, (p->fast_mask + 1ul) * sizeof *p->fast);
    memset(p->slow, 0, (p->slow_mask + 1ul) * sizeof *p->slow);
    p->fast_n = p->slow_n = 0;
}

void play_check(const struct play *p)
{
    uint32_t fast = 0, slow = 0;
    assert(p->fast_n <= p->fast_mask && p->slow_n <= p->slow_mask);
    for (uint32_t i = 0; i <= p->fast_mask; i++) {
        const struct fast *f = &p->fast[i];
        assert(!f->effect || fast_find(p, f->state, f->msg) == f);
        fast += f->effect != NULL;
    }
    for (uint32_t i = 0; i <= p->slow_mask; i++) {
        const struct slow *s = &p->slow[i];
        assert(!s->key || slow_find(p, s->hash, s->key, s->n) == s);
        assert(!s->key || s->effect);
        slow += s->key != NULL;
    }
    assert(fast == p->fast_n && slow == p->slow_n);
}

// The solo manager's insides, shared by the files of runtime/solo.
//
// Invariants:
//   - A mail is in exactly one place: in flight (the list in order of sends,
//     and its channel), a timer, kept or held by its actor, a watcher's notice,
//     with the task that handles it, or the answer inside a request.
//   - Code of actors runs on task stacks; init and fini run on their caller's.
//     The scheduler runs on the stack of whoever called drain or tr_wait.
//   - Nothing is ordered by address.  Ids of actors are not used again.
#ifndef RUNTIME_SOLO_CORE_H
#define RUNTIME_SOLO_CORE_H

#include "runtime/bounds.h"
#include "runtime/common.h"
#include "runtime/seam.h"
#include "runtime/solo/solo.h"

#include "base/rng.h"

#include <signal.h>

struct solo;
struct actor;
struct task;
struct channel;

struct mail {
    struct mail *next, *prev; // in order of the sends; or in a struct mails
    struct mail *behind;      // in its channel
    struct channel *channel;
    const tr_msg *type;
    enum solo_what what;
    bool nothing;  // a reply: the value is NULL
    bool moved;    // its contents were sent on
    bool answered; // a request: it was replied to
    bool counted;  // waits in a bounded mailbox
    uint32_t to, from;
    uint64_t nr;
    uint64_t timer;      // its id, 0: never was one
    uint64_t due;        // a timer's
    uint64_t every;      // a timer's: its period; 0: it fires once
    struct pace pace;    // likewise
    uint32_t fired;      // a timer's: others of its kind before it was set
    uint64_t future;     // request, reply, limit of an ask: whose; else 0
    struct mail *answer; // a request's reply, made with it
    uint32_t *clock;     // SOLO_CAUSAL: sends known of at the send
    uint32_t n_clock;
    void *payload;
};

struct mails {
    struct mail *first, *last;
    uint32_t n;
};

// Mail between one pair, in order; exists while there is some.
struct channel {
    struct mail *first, *last;
    uint32_t from, to;
    uint32_t at;          // in solo.channels
    struct channel *next; // in its bucket, or spare
};

struct solo_ctx {
    tr_ctx face;
    struct solo *solo;
    struct actor *self; // the environment has one too
    struct mail *mail;  // being handled, NULL: none
    struct task *task;  // NULL: environment, init, fini
    uint32_t taken;     // futures to release at the end: index + 1
    bool stop;          // when the handler ends
    bool block;         // wait when a mailbox is full
};

// How often timers of one kind of an actor fired one after the other; see
// struct tick in stage/region.h.
struct solo_tick {
    uint32_t to;
    const tr_msg *type;
    bool limit; // of asks with such a request
    uint32_t n;
};

enum task_is { TASK_RUNS, TASK_DONE, TASK_AWAITS, TASK_GETS, TASK_PAUSED };

struct task {
    struct solo_ctx ctx;
    struct task *next, *prev; // of its actor, in order of suspension; or spare
    enum task_is is;
    uint64_t future; // waited for
    const tr_handler *row;
    void *stack; // lowest address: a guard page
    size_t size;
    void *sp;
    void *fiber; // the sanitizers' idea of it
    bool listed; // among its actor's suspended tasks
};

struct actor {
    uint32_t id, creator;
    const tr_class *cls;
    const tr_behaviour *behaviour;
    void *state;
    struct mails kept;    // deferred, in order of receipt
    struct mails held;    // came while a task held the actor
    struct mails timers;  // by due time, then number; with bounds by number
    struct mails notices; // for those who watch
    struct mails open;    // answers to requests handled without a reply
    struct task *tasks, *last_task; // suspended
    struct task *holder;            // the one in get
    uint32_t waiting, most;         // messages
    uint64_t now;                   // logical time if none passes by itself
    uint64_t time;                  // what its own clock shows
    struct bounds bounds;           // of its timers; at NULL: none are kept
    uint32_t tick;                  // index + 1 in solo.ticking, 0: no timer
    struct solo_tick *ticks;
    uint32_t n_ticks, cap_ticks;
    bool changed; // became something since kept mail was looked at
    bool ran;     // a handler ran since paused tasks were tested
    bool stopped;
    uint64_t seen; // stamp of option lists
    uint32_t *clock;
    uint32_t n_clock;
};

struct future {
    uint32_t generation;
    uint32_t owner;
    uint32_t asked; // actor
    uint32_t next;  // taken by the same ctx, or free: index + 1
    bool live, done, taken;
    const tr_msg *request;
    struct mail *value; // the reply; NULL: there is none
    uint64_t limit;     // its timer, 0: none
};

struct class_row {
    const tr_class *cls;
    tr_stats stats;
};

struct exposed {
    tr_ref ref;
    char *name;
};

struct solo {
    tr_runtime face;
    tr_config config;
    struct solo_options opt;
    char *params;
    struct rng rng;
    volatile sig_atomic_t shutdown;

    struct actor **actors; // by id; NULL: stopped and forgotten
    uint32_t n_actors, cap_actors;
    uint32_t *rows; // by id: in classes
    uint32_t cap_rows;
    struct actor *env;
    struct solo_ctx env_ctx;

    struct mails flight; // in order of the sends
    struct channel **channels;
    uint32_t n_channels, cap_channels;
    struct channel **buckets;
    uint32_t n_buckets;
    struct channel *spare_channels;
    struct actor **ticking; // those with timers
    uint32_t n_ticking, cap_ticking;
    uint32_t n_timers; // of all
    uint32_t n_every;  // of these, those that are set again
    bool waits;        // in tr_wait, where these count as something left
    bool drains;       // in drain, or a get of the environment's
    uint64_t wanted;   // the future that it waits for, 0: none
    struct solo_option *options;
    struct mail **option_mail;
    uint32_t cap_options;

    struct future *futures;
    uint32_t n_futures, cap_futures, free_future;
    struct class_row *classes;
    uint32_t n_classes, cap_classes;
    struct exposed *exposed;
    uint32_t n_exposed, cap_exposed;

    struct task *spare; // tasks without work
    struct task *running;
    void *back;       // where the running task was entered
    void *back_fiber; // the same for the sanitizers
    const void *back_stack;
    size_t back_size;
    void (*escape)(void *); // leave all of this, from the caller's stack
    void *escape_arg;
    struct task *lost;      // what ran when it was called
    struct mail *lost_mail; // what was told as a fault then

    uint64_t now; // the clock for all, in logical time
    uint64_t last_nr, last_timer, stamp, steps;
    uint64_t effects; // operations that somebody else can see
    uint64_t judged;  // effects when the invariants were checked last
    bool receiving;
    bool unsettled; // a future is done without a receive of its owner
    bool ending;
    struct solo_option receive;
    uint32_t each_at; // cursors of tr_each_ and tr_flying_
    struct mail *flying_at;
};

static inline struct solo_ctx *solo_ctx_of(tr_ctx *ctx)
{
    return (struct solo_ctx *)(void *)ctx;
}

static inline tr_ref solo_ref(uint32_t id)
{
    return id ? (tr_ref)((uintptr_t)id << 4) : NULL;
}

// The table of new contexts.
static inline const struct tr_ops *solo_ops(const struct solo *s)
{
    return s->opt.tale ? s->opt.tale->ops : &tr__solo_ops;
}

// For who follows the run beside it.
static inline void solo_copied(const struct solo *s, const void *to,
                               const void *from, size_t size)
{
    if (s->opt.tale)
        s->opt.tale->copied(s->opt.tale->user, to, from, size);
}

static inline void solo_enters(const struct solo *s, enum solo_code code,
                               uint32_t actor, const void *of, const void *a,
                               const void *b)
{
    if (s->opt.tale)
        s->opt.tale->enters(s->opt.tale->user, code, actor, of, a, b);
}

// solo.c
bool tr__solo_step(struct solo *s);
void tr__solo_drain(struct solo *s);
void tr__solo_bug(struct solo *s, enum solo_kind kind, const char *text,
                  const char *file, int line);
void tr__solo_misuse(struct solo *s, const char *text);
// An array of *cap elements with room for n; false without memory.
bool tr__solo_room(struct solo *s, void *array, uint32_t *cap, uint32_t n,
                   size_t size);

// solo/mail.c
void tr__solo_mails_add(struct mails *l, struct mail *m);
void tr__solo_mails_before(struct mails *l, struct mail *at, struct mail *m);
struct mail *tr__solo_mails_take(struct mails *l, struct mail *m);
struct mail *tr__solo_mail_new(struct solo *s, const tr_msg *type, size_t size,
                               size_t align);
// Let the message's own drop run, then free it.
void tr__solo_mail_drop(struct solo *s, struct mail *m);
void tr__solo_mail_free(struct solo *s, struct mail *m);
// Put in flight; false without memory: nothing has happened.
bool tr__solo_mail_post(struct solo *s, struct mail *m);
// The way of a lost message: fault, a request is answered with NULL.
void tr__solo_mail_dead(struct solo *s, struct mail *m);
// Drop it; a request is answered with NULL.
void tr__solo_mail_refuse(struct solo *s, struct mail *m);
void tr__solo_mail_landed(struct solo *s, struct mail *m);
// SOLO_CAUSAL: actor a knows from now on of the sends that `from` knows of.
void tr__solo_learn(struct solo *s, struct actor *a, const struct actor *from);
// Nothing is left of channels.
void tr__solo_mail_release(struct solo *s);
void tr__solo_fault(struct solo *s, tr_fault_kind kind, const struct mail *m);
// A mail with this payload, of which it takes over what it owns; not in any
// place yet.  NULL without memory: told as a fault, the payload is lost.
struct mail *tr__solo_mail_take(struct solo_ctx *x, uint32_t to,
                                const tr_msg *type, const void *payload);

// solo/pick.c: what is received next, told in `receive`; taken out of its
// place.
struct mail *tr__solo_next(struct solo *s);

// solo/actor.c
struct actor *tr__solo_actor(struct solo *s, tr_ref ref); // or NULL
struct actor *tr__solo_actor_new(struct solo *s, uint32_t creator,
                                 const tr_class *cls, const void *state);
void tr__solo_actor_receive(struct solo *s, struct mail *m);
void tr__solo_actor_settle(struct solo *s, struct actor *a);
void tr__solo_actor_end(struct solo *s, struct actor *a);
void tr__solo_actor_forget(struct solo *s, struct actor *a);
tr_stats *tr__solo_stats(struct solo *s, struct actor *a); // not of env

// solo/future.c
struct future *tr__solo_future_of(struct solo *s, uint64_t handle);
uint64_t tr__solo_future_new(struct solo *s, struct actor *owner);
void tr__solo_future_free(struct solo *s, uint64_t handle);
// The reply has come; takes m, NULL for none.
void tr__solo_future_done(struct solo *s, uint64_t handle, struct mail *m);
void tr__solo_futures_of(struct solo *s, uint32_t owner); // free all
void tr__solo_future_release(struct solo *s, struct solo_ctx *x);

// solo/time.c
struct mail *tr__solo_timer_first(struct solo *s); // of all, or NULL
// Of an actor that has timers: the one that is next if no time passes; the k-th
// of those that may be the next, NULL if there are fewer.
struct mail *tr__solo_timer_soonest(struct solo *s, const struct actor *a);
struct mail *tr__solo_timer_ready(struct solo *s, const struct actor *a,
                                  uint32_t k);
// Has it fired as often as the bound on ticks allows?
bool tr__solo_timer_rests(const struct solo *s, const struct mail *m);
// May a timer fire that does not rest?
bool tr__solo_ticks(struct solo *s);
// Nothing can be received: does a timer rest for which drain would wait?
bool tr__solo_owes(const struct solo *s);
void tr__solo_timer_take(struct solo *s, struct mail *m); // it fires
// Time passes before the next receive of the actor, which may be NULL.
void tr__solo_pass(struct actor *a);
void tr__solo_timer_fire(struct solo *s, struct actor *a, struct mail *m);
void tr__solo_timer_stop(struct solo *s, struct actor *a, uint64_t timer);
uint64_t tr__solo_timer_set(struct solo *s, struct actor *a, uint64_t ms,
                            struct mail *m); // takes m on success; 0: no memory
void tr__solo_timers_drop(struct solo *s, struct actor *a);
void tr__solo_current(struct solo *s, bool open);

// solo/task.c
struct task *tr__solo_task_new(struct solo *s); // with a stack; NULL: no memory
void tr__solo_task_enter(struct solo *s, struct task *t);
void tr__solo_task_leave(struct solo *s, struct task *t, enum task_is why);
// Back to the spare ones; abandoned tasks start afresh.
void tr__solo_task_free(struct solo *s, struct task *t);
void tr__solo_tasks_release(struct solo *s);

// The operations, where they live.
tr_ref tr__solo_spawn(tr_ctx *, const tr_class *, const void *, const char *);
void tr__solo_send(tr_ctx *, tr_ref, const tr_msg *, const void *);
int tr__solo_try_send(tr_ctx *, tr_ref, const tr_msg *, const void *);
tr_future tr__solo_ask(tr_ctx *, tr_ref, const tr_msg *, const void *,
                       uint64_t);
void tr__solo_reply(tr_ctx *, const tr_msg *, const void *, size_t);
const void *tr__solo_await(tr_ctx *, tr_future);
const void *tr__solo_get(tr_ctx *, tr_future);
void tr__solo_pause(tr_ctx *);
tr_timer tr__solo_after(tr_ctx *, uint64_t, tr_ref, const tr_msg *,
                        const void *);
tr_timer tr__solo_every(tr_ctx *, uint64_t, tr_ref, const tr_msg *,
                        const void *);
void tr__solo_cancel(tr_ctx *, tr_timer);
tr_time tr__solo_time(tr_ctx *);
void tr__solo_watch(tr_ctx *, tr_ref, const tr_msg *, const void *);
const void *tr__solo_peek(tr_ctx *, tr_ref, const tr_class *);
const void *tr__solo_each(tr_ctx *, const tr_class *, const void *);
const void *tr__solo_flying(tr_ctx *, const tr_msg *, const void *);
void tr__solo_look(tr_runtime *, tr_ref, struct tr_look *out);

#endif

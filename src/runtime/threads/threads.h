// The threads manager from inside: N workers, each with a run queue, run actors
// that have mail.
//
// An actor is a slot in a table of type-stable memory, named by index and
// generation; a reference is that name and is never dereferenced.  A message
// carries the generation it was sent to and its receiver compares: whatever is
// stale becomes a dead letter, so a send needs no look at the receiver.
//
// Who owns what:
//   - An actor with top != NULL is in exactly one run queue or being run by
//     exactly one worker, and all but its atomics belong to that worker.
//   - A free slot is a slot too: mail may still come, and is run as dead.
//   - A desk (a worker, or a thread outside that entered) owns its pools and
//     counters.
//   - rt->lock guards the overflow queue, who sleeps, the table of slots,
//     receptionists and what threads outside wait for.
#ifndef RUNTIME_THREADS_THREADS_H
#define RUNTIME_THREADS_THREADS_H

#include "base/rng.h"
#include "runtime/common.h"
#include "runtime/seam.h"
#include "runtime/threads/mail.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

enum {
    SIZES = 6, // blocks of 64, 128 ... 2048 bytes
    POOLED = 64 << (SIZES - 1),
    BIG = SIZES, // larger: from the hook, one by one
    BATCH = 64,  // blocks that change hands at once
    OTHERS = 5,  // blocks that a free block names
    RING = 256,  // actors in a worker's run queue
    PAGE = 64,   // classes per page of counters
    PAGES = 64,
    SEGMENTS = 21, // segment k of the table has FIRST << k slots
    FIRST = 256,
    RANGE = 64,         // slots that a desk takes at once
    SMALL = 40,         // state kept inside the slot,
    IN_SLOT = 0xff,     // whose size of block is this
    SHIFTED = 0xfe,     // or this: a large one aligned by hand
    SLICE = 100,        // messages an actor runs in a row, unless told
    STACK = 256 * 1024, // of a worker's loop, and so of a task
};

// ---- actors ---------------------------------------------------------------

enum {
    ACTOR_LIVE = 1,
    ACTOR_DYING = 2, // stopped; the slot is free when its mailbox is empty
};

struct actor {
    // The newest mail; NULL: none, and nobody runs the actor.
    _Atomic(struct mail *) top;
    _Atomic uint32_t gen;
    uint32_t index;
    uint32_t next; // in the runtime's queue: index + 1
    // If the class has a bound: what senders count, and the bound.  If not:
    // unused, and the length that was seen last.
    _Atomic uint32_t waiting, limit;
    _Atomic uint32_t most;
    uint32_t taken; // towards the mark, while nobody runs the actor
    uint16_t cid;
    uint8_t flags, size;
    _Atomic(const tr_class *) cls;
    struct mail *last; // taken, but the mailbox may still point to it
    struct extra *x;   // what few actors need; NULL: nothing of it
    // A line of its own for the one who runs the actor.
    _Alignas(64) union {
        char small[SMALL];
        void *large;        // the state, if it is not in here
        struct actor *free; // the next free slot; `next` may be in use
    };
    _Atomic(struct mail *) inbox; // the oldest mail, if it is known
    struct mail *mark;            // see threads/mail.c
    const tr_behaviour *behaviour;
};

_Static_assert(sizeof(struct actor) == 128, "two cache lines");

// Bit 31 of a generation says that the class has a bound, so that other sends
// need not look.
#define GEN_BOUNDED 0x80000000u

static inline tr_ref ref_of(uint32_t index, uint32_t gen)
{
    return (tr_ref)(uintptr_t)((uint64_t)gen << 32 | (uint64_t)index << 4);
}

static inline uint32_t ref_gen(tr_ref r)
{
    return (uint32_t)((uint64_t)(uintptr_t)r >> 32);
}

static inline uint32_t ref_index(tr_ref r)
{
    return (uint32_t)(uintptr_t)r >> 4;
}

struct stack;

enum future_state { FUTURE_FREE, FUTURE_OPEN, FUTURE_DONE };

// A future is a slot of its asker, named by index and generation too.
struct future {
    uint32_t gen, state;
    struct mail *value;   // NULL when done: no answer will come
    struct stack *waiter; // at most one
    tr_timer limit;
    uint64_t deadline; // outside actors, instead of limit
    uint32_t next;     // free, or taken in one turn
    bool taken;        // its value was handed out
};

struct futures {
    struct future *at;
    uint32_t n, free;
    uint32_t owner; // its actor's index + 1; 0: threads outside
};

struct extra {
    struct mail_list deferred, kept, watchers;
    struct mail_list open; // requests handled without a reply
    struct stack *tasks;   // all that are suspended or resumed
    struct stack *holder;  // the one in get
    struct stack *paused;  // in order of suspension
    struct stack *ready;   // go on as soon as nobody holds
    uint64_t suspensions;
    struct futures futures;
    uint32_t timers; // first of a list, see threads/timer.c
    bool became;     // look at the deferred again
    bool ran;        // look at the paused again
    bool testing;    // that is what is going on
};

// ---- contexts -------------------------------------------------------------

// A turn: what a handler, init, fini or a thread outside sees as its tr_ctx.
struct turn {
    struct tr_ctx base;
    struct desk *desk;   // changes when a task is resumed elsewhere
    struct actor *actor; // NULL outside
    tr_ref self;
    struct mail *mail;   // being handled
    struct stack *stack; // NULL where one may not wait
    uint32_t taken;      // futures whose value was handed out
    bool replied, stop;
    bool refuse;   // no memory for the reply: answer NULL in the end
    uint32_t acts; // operations so far, to see whether a task went on
    tr_time now;   // plus 1; 0: the run has not looked at the clock
};

enum task_state { TASK_RUNS, TASK_AWAITS, TASK_GETS, TASK_PAUSED, TASK_DONE };

// A stack lies at the top of its own memory.  It carries a worker's loop, and
// when a handler on it waits it becomes that handler's task.
struct stack {
    void *sp; // while not running
    char *low;
    size_t size; // usable, from low
    void *memory;
    size_t bytes;
    struct worker *worker;
    struct stack *back; // who resumed the task
    struct stack *next; // in the pool or among the paused
    struct stack *next_task, **link_task;
    uint64_t since; // when it was suspended
    struct turn turn;
    enum task_state state;
    bool task;
    void *fake, *fiber; // the sanitizers'
};

struct counts {
    _Atomic uint64_t spawned, stopped, received, sent, deferred, dead,
        unhandled, high_water;
};

// A free block that names others: those lie untouched, so that to free them
// and to take them again costs no look at memory that another core wrote.
struct block {
    struct block *next, *batch;
    uint32_t n;
    void *at[OTHERS];
};

_Static_assert(sizeof(struct block) == 64, "the smallest block");

struct slab {
    struct slab *next;
    size_t size;
};

struct remains {
    struct remains *next;
    size_t left;
};

// Blocks of one size, in two halves so that a batch is passed on whole.
struct pool {
    struct block *list, *full;
    uint32_t n; // blocks in list, at most
};

struct desk {
    struct runtime *rt;
    struct worker *worker; // NULL outside
    struct pool pools[SIZES];
    char *slab;
    size_t slab_left;
    uint32_t n_slabs;
    struct actor *slots; // free
    uint32_t n_slots;
    uint32_t fresh, fresh_end; // indices never used
    const tr_class *cls;       // the class spawned last, and its number
    uint16_t cid;
    struct rng rng;
    _Atomic(struct counts *) pages[PAGES];
    struct desk *next; // of those outside
};

struct ring {
    _Alignas(64) _Atomic uint32_t head; // owner and thieves take here
    uint32_t seen;                      // head at the watcher's last look
    _Alignas(64) _Atomic uint32_t tail; // the owner puts here
    _Atomic(struct actor *) at[RING];
};

struct worker {
    struct desk desk;
    uint32_t number;
    uint32_t tick;
    struct actor *current;
    uint32_t budget; // messages that current may still run
    uint32_t taken;  // by current up to its mark
    struct stack *stack;
    struct stack home; // the thread's own
    struct stack *pool;
    uint32_t n_pool;
    pthread_t thread;
    bool sleeping;         // under rt->lock
    _Atomic uint32_t wake; // futex
    struct ring ring;
};

struct outside {
    struct turn turn;
    struct desk desk;
    struct mail *values; // handed out by get
    bool block;
    uint32_t each;
};

// ---- the runtime ----------------------------------------------------------

struct timer {
    uint64_t when, order;
    uint64_t every; // ns; 0: it fires once
    struct mail *mail;
    tr_ref owner, to;
    uint32_t gen;
    uint32_t heap; // position + 1; 0: not in the heap
    uint32_t prev, next;
    bool used;
};

struct timers {
    pthread_mutex_t lock;
    pthread_cond_t cond;
    pthread_t thread;
    bool running, stop;
    struct timer *at;
    uint32_t n, cap, free; // free: index + 1
    uint32_t *heap;
    uint32_t n_heap, cap_heap;
    uint64_t order;
    _Atomic uint32_t pending; // in the heap, of those that fire once
    _Atomic uint32_t every;   // not cancelled, of the others
};

struct name {
    struct name *next;
    char *text;
    tr_ref ref;
    const tr_class *cls;
};

struct runtime {
    struct tr_runtime base;
    const struct tr_ops *ops; // of contexts
    tr_config config;
    char *params;
    struct worker *workers;
    void *worker_memory;
    uint32_t n_workers, n_started, slice;
    uint64_t began;        // ns
    _Atomic bool stopping; // no handler starts
    bool ending;           // only tr_end runs
    struct mail born;      // marks a slot as busy while it is made

    _Atomic(struct actor *) segments[SEGMENTS];
    void *segment_memory[SEGMENTS];

    pthread_mutex_t lock;
    pthread_cond_t news; // to threads outside
    struct actor *queue, *queue_last;
    _Atomic uint32_t n_queue, n_idle, n_searching, n_blocked;
    _Atomic bool watching; // a sleeper looks after stuck queues
    _Atomic uint32_t n_slots;
    struct actor *slots;
    const tr_class **classes;
    uint32_t n_classes, cap_classes;
    struct name *names;
    struct desk *outside; // desks of those who entered
    uint32_t n_outside;
    struct desk rest;       // counters of those who left; used by tr_end
    struct futures futures; // of threads outside
    pthread_t signals;
    bool has_signals;
    sigset_t old_signals;

    pthread_mutex_t pool_lock;
    _Atomic(struct block *) batches[SIZES]; // changed under pool_lock
    struct slab *slabs;
    struct remains *remains; // of slabs whose desks are gone
    struct counts lost;      // where a desk without memory counts

    struct timers timers;
};

static inline struct actor *actor_at(struct runtime *rt, uint32_t index)
{
    uint32_t k = 31u - (uint32_t)__builtin_clz(index / FIRST + 1);
    struct actor *s =
        atomic_load_explicit(&rt->segments[k], memory_order_acquire);
    return s + (index - ((1u << k) - 1) * FIRST);
}

static inline uint32_t actor_gen(struct actor *a)
{
    return atomic_load_explicit(&a->gen, memory_order_relaxed);
}

static inline tr_ref actor_ref(struct actor *a)
{
    return ref_of(a->index, actor_gen(a));
}

static inline void *actor_state(struct actor *a)
{
    return LIKELY(a->size == IN_SLOT) ? a->small : a->large;
}

static inline const tr_class *actor_class(struct actor *a)
{
    return atomic_load_explicit(&a->cls, memory_order_relaxed);
}

// Only the desk's thread writes; tr_stats_of reads: an atomic add is not
// needed, an atomic store is.
static inline void bump(_Atomic uint64_t *c, uint64_t n)
{
    uint64_t old = atomic_load_explicit(c, memory_order_relaxed);
    atomic_store_explicit(c, old + n, memory_order_relaxed);
}

// ---- threads/pool.c -------------------------------------------------------

// Mail with a copy of the payload (NULL: none), not sent yet; NULL without
// memory.  size is msg->size, but for replies.
struct mail *tr__mail_new(struct desk *, enum mail_kind, const tr_msg *,
                          const void *payload, size_t size);
// Give the memory back; the payload was dropped, or taken, before.
void tr__mail_free(struct desk *, struct mail *);
void *tr__block_get(struct desk *, size_t bytes, uint8_t *size);
void tr__block_put(struct desk *, void *at, uint8_t size);
// A slot that nobody else runs, with top at &rt->born; NULL without memory.
struct actor *tr__slot_get(struct desk *);
void tr__slot_put(struct desk *, struct actor *);
struct counts *tr__counts_make(struct desk *, uint16_t cid);
bool tr__class_number(struct desk *, const tr_class *, uint16_t *cid);
void tr__desk_init(struct desk *, struct runtime *, struct worker *,
                   uint64_t seed);
// Hand all that a desk pooled to the runtime.
void tr__desk_release(struct desk *);
void tr__pools_free(struct runtime *);

static inline struct counts *counts_of(struct desk *p, uint16_t cid)
{
    struct counts *page =
        atomic_load_explicit(&p->pages[cid / PAGE], memory_order_relaxed);
    return LIKELY(page) ? page + cid % PAGE : tr__counts_make(p, cid);
}

// ---- threads/mail.c -------------------------------------------------------

// Send e to `to`: one exchange, and whoever finds the mailbox empty puts the
// actor into a run queue.
void tr__post(struct desk *, tr_ref to, struct mail *e);
// The oldest mail, which stays; NULL if there is none.
struct mail *tr__mail_look(struct desk *, struct actor *);
// It was the oldest, and is the caller's from here on.
static inline struct mail *tr__mail_unlink(struct actor *a, struct mail *e)
{
    // Pairs with the store in tr__post().
    struct mail *next = atomic_load_explicit(&e->next, memory_order_acquire);
    atomic_store_explicit(&a->inbox, next, memory_order_relaxed);
    if (!next)
        a->last = e;
    return next;
}
// The same for the worker's current actor, counting.
void tr__mail_take(struct worker *, struct actor *, struct mail *);
// The worker begins to take an actor's mail; stops for now.
void tr__mail_begin(struct worker *, struct actor *);
void tr__mail_pause(struct worker *, struct actor *);
// Leave the actor if its mailbox is empty: then it is no longer the caller's.
bool tr__mail_idle(struct desk *, struct actor *);
// e is done with: drop what it owns, free it.
void tr__mail_done(struct desk *, struct actor *, struct mail *e);
// The same, with nothing to drop.
void tr__mail_retire(struct desk *, struct actor *, struct mail *e);
// e goes elsewhere, or into a list: the mailbox must not point to it.
void tr__mail_detach(struct desk *, struct actor *, struct mail *e);
void tr__mail_drop(struct mail *e);
// Stop counting e against its receiver's bound.
void tr__mail_uncount(struct desk *, struct actor *, struct mail *e);
// e cannot be handled by a, to which it came: it is a dead letter.
void tr__mail_dead(struct desk *, struct actor *, struct mail *e);
void tr__fault_at(struct desk *, tr_fault_kind, const tr_msg *,
                  const void *payload, tr_ref from, tr_ref to,
                  struct actor *receiver);
// Answer a request with NULL; takes it.  Needs no memory.
void tr__mail_refuse(struct desk *, struct actor *, struct mail *ask);

// ---- threads/actor.c ------------------------------------------------------

tr_ref tr__actor_spawn(struct turn *, const tr_class *, const void *state);
// fini and all that ends with the actor, but not its slot.
void tr__actor_end(struct desk *, struct actor *, bool quiet);
// What only some actors need, made when it is first asked for; NULL without
// memory.
struct extra *tr__extra(struct desk *, struct actor *);

// ---- threads/receive.c ----------------------------------------------------

// Run the worker's current actor until it has nothing to do or its slice is
// over.  May never return: see threads/task.c.
void tr__actor_run(struct stack *);
void tr__turn_init(struct turn *, struct desk *, struct actor *);
// A handler has returned: free what was its own.
void tr__turn_end(struct turn *, struct actor *);
// A message was handled.  A request without a reply so far can get none any
// more: it is answered with NULL when the actor stops.
void tr__handled(struct desk *, struct actor *, struct mail *, bool replied);

// ---- threads/task.c -------------------------------------------------------

// A stack that will run tr__loop(); NULL without memory.
struct stack *tr__stack_get(struct worker *);
void tr__stack_put(struct worker *, struct stack *);
void tr__stack_free(struct runtime *, struct stack *);
void tr__stack_switch(struct stack *from, struct stack *to, bool final);
void tr__stack_entered(struct stack *);
// The calling thread's own stack.
void tr__stack_home(struct stack *);
// The turn's handler waits; returns when it is resumed.  False without memory.
bool tr__task_suspend(struct turn *, enum task_state);
// Let a task go on, on the caller's worker, until it waits again or ends.
void tr__task_resume(struct stack *self, struct stack *task);
// On a task's own stack: its handler has returned.
_Noreturn void tr__task_over(struct stack *);
// The runtime stops and the handler cannot wait: leave it and the loop below.
_Noreturn void tr__task_leave(struct turn *);
void tr__task_remove(struct stack *);
// The task waits for a condition, after all others that do.
void tr__task_paused(struct actor *, struct stack *);
// A worker's loop, on a fresh stack (threads/sched.c).
void tr__loop(void *stack);

// ---- threads/future.c -----------------------------------------------------

tr_future tr__ask(tr_ctx *, tr_ref, const tr_msg *, const void *, uint64_t);
void tr__reply(tr_ctx *, const tr_msg *, const void *, size_t);
const void *tr__await(tr_ctx *, tr_future);
const void *tr__get_future(tr_ctx *, tr_future);
void tr__pause(tr_ctx *);
// A reply or a limit has come.  The task to resume, or NULL.
struct stack *tr__future_resolve(struct desk *, struct actor *, struct mail *);
void tr__futures_end_turn(struct turn *);
void tr__futures_free(struct desk *, struct actor *);
// An answer for a thread outside.
void tr__outside_resolve(struct desk *, struct mail *);
void tr__outside_values_free(struct outside *);
void tr__outside_futures_free(struct runtime *);

// ---- threads/timer.c ------------------------------------------------------

int tr__timers_init(struct timers *);
void tr__timers_stop(struct runtime *);
void tr__timers_release(struct runtime *);
// A timer for owner (NULL: a thread outside) that sends e to `to`, after ms, or
// every ms; takes e.  0 without memory: e is still the caller's.
tr_timer tr__timer_add(struct desk *, struct actor *owner, tr_ref to,
                       uint64_t ms, bool every, struct mail *e);
// The timer fired and its mail is being handled: false if it was cancelled.
// every: it is to be set again.
bool tr__timer_take(struct desk *, struct actor *, tr_timer, tr_ref *to,
                    bool *every);
// Set it again, with another mail; due times that have passed are left out.
void tr__timer_again(struct desk *, struct actor *, tr_timer, struct mail *e);
void tr__timer_cancel(struct desk *, struct actor *, tr_timer);
void tr__timer_cancel_all(struct desk *, struct actor *);
uint64_t tr__now(void); // ns, monotonic

// ---- threads/sched.c ------------------------------------------------------

void tr__schedule(struct desk *, struct actor *);
void *tr__worker_main(void *worker);
void tr__worker_wake(struct worker *);
// Under rt->lock: nothing runs, waits to run, or is timed; the same but for
// timers that fire again and again.
bool tr__quiet(struct runtime *);
bool tr__drained(struct runtime *);
// Tell threads outside to look again.
void tr__news(struct runtime *);

// ---- threads/send.c -------------------------------------------------------

void tr__send(tr_ctx *, tr_ref, const tr_msg *, const void *);
int tr__try_send(tr_ctx *, tr_ref, const tr_msg *, const void *);
void tr__watch(tr_ctx *, tr_ref, const tr_msg *, const void *);
tr_timer tr__after(tr_ctx *, uint64_t, tr_ref, const tr_msg *, const void *);
tr_timer tr__every(tr_ctx *, uint64_t, tr_ref, const tr_msg *, const void *);
void tr__cancel(tr_ctx *, tr_timer);
// Room in a bounded mailbox: 0 or TR_EFULL.  Counts e if there is.
int tr__reserve(struct runtime *, tr_ref to, struct mail *e);
// A thread outside that asked to block waits for room.  False: do not try
// again.
bool tr__wait_for_room(struct turn *, tr_ref to);
// e, whose payload is a bytewise copy, will be sent: make it own what it has.
void tr__own(struct turn *, struct mail *e, const void *payload);
// It will not be sent after all, and the sender thinks it was.
void tr__lose(struct turn *, const tr_msg *, const void *payload);

// ---- threads/outside.c ----------------------------------------------------

tr_ctx *tr__outside_enter(tr_runtime *);
void tr__outside_leave(tr_ctx *);
void tr__expose(tr_ctx *, tr_ref, const char *);
tr_ref tr__receptionist(tr_ctx *, const char *, const tr_class *);
void tr__drain(tr_ctx *);
bool tr__deliver_one(tr_ctx *);
const void *tr__peek(tr_ctx *, tr_ref, const tr_class *);
const void *tr__each(tr_ctx *, const tr_class *, const void *);
const void *tr__flying(tr_ctx *, const tr_msg *, const void *);
void tr__block_when_full(tr_ctx *, bool);
void tr__threads_look(tr_runtime *, tr_ref, struct tr_look *out);
bool tr__threads_rest(tr_runtime *,
                      void (*each)(void *self, const tr_class *,
                                   const struct tr_look *),
                      void *self);
int tr__threads_wait(tr_runtime *);
// Use of the library where it makes no sense: told in the log, in tests a bug.
void tr__misuse(struct turn *, const char *what);

#endif

// Workers: who runs which actor, who sleeps, and when all is quiet.
//
// Each worker has a run queue, a ring that its owner fills and that owner and
// thieves empty at the same end, so it is first in, first out; what does not
// fit goes to the runtime's queue.  A worker keeps what it wakes: handing an
// actor to another core costs more than most handlers.  Only surplus, two or
// more in a ring, wakes a sleeper and is stolen, by halves.  One sleeper, the
// watcher, looks every WATCH_NS whether a ring is stuck behind a long handler
// and then takes what is in it.
//
// A worker sleeps only with an empty ring, so if all sleep, the queue is
// empty and no timer is pending, nothing will ever happen again by itself:
// quiet.
#include "runtime/threads/threads.h"
#include "runtime/switch.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    WATCH_NS = 2 * 1000 * 1000,
    SEARCHES = 64, // rounds over all rings before a worker sleeps, some 30 us
    PAUSES = 10,   // between two rounds: each disturbs the owners of the rings
    FAIR = 61,     // one actor in FAIR is taken from the queue, before the ring
};

// ---- the ring -------------------------------------------------------------

static uint32_t ring_size(struct ring *r)
{
    uint32_t head = atomic_load_explicit(&r->head, memory_order_relaxed);
    uint32_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
    return tail - head;
}

// Owner only.  False if it is full.
static bool ring_put(struct ring *r, struct actor *a)
{
    uint32_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
    // Acquire pairs with the release in ring_advance(): those slots are read.
    uint32_t head = atomic_load_explicit(&r->head, memory_order_acquire);
    if (tail - head == RING)
        return false;
    atomic_store_explicit(&r->at[tail % RING], a, memory_order_relaxed);
    // Pairs with the load of tail in ring_steal().
    atomic_store_explicit(&r->tail, tail + 1, memory_order_release);
    return true;
}

static bool ring_advance(struct ring *r, uint32_t head, uint32_t n)
{
    return atomic_compare_exchange_strong_explicit(
        &r->head, &head, head + n, memory_order_acq_rel, memory_order_relaxed);
}

// Owner only.
static struct actor *ring_take(struct ring *r)
{
    for (;;) {
        uint32_t head = atomic_load_explicit(&r->head, memory_order_relaxed);
        uint32_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
        struct actor *a;
        if (head == tail)
            return NULL;
        a = atomic_load_explicit(&r->at[head % RING], memory_order_relaxed);
        if (!ring_advance(r, head, 1))
            continue;
        if (head + 1 != tail)
            __builtin_prefetch(atomic_load_explicit(&r->at[(head + 1) % RING],
                                                    memory_order_relaxed),
                               1);
        return a;
    }
}

// Move half of another's ring, rounded up, to our own empty one.  Leaves alone
// what has no more than `spare` actors.
static uint32_t ring_steal(struct ring *from, struct ring *to, uint32_t spare)
{
    uint32_t head = atomic_load_explicit(&from->head, memory_order_acquire);
    // Pairs with the release in ring_put().
    uint32_t tail = atomic_load_explicit(&from->tail, memory_order_acquire);
    uint32_t n = tail - head, at;
    if (n <= spare || n > RING)
        return 0;
    n = (n + 1) / 2;
    at = atomic_load_explicit(&to->tail, memory_order_relaxed);
    for (uint32_t i = 0; i < n; i++) {
        struct actor *a = atomic_load_explicit(&from->at[(head + i) % RING],
                                               memory_order_relaxed);
        atomic_store_explicit(&to->at[(at + i) % RING], a,
                              memory_order_relaxed);
    }
    if (!ring_advance(from, head, n))
        return 0;
    atomic_store_explicit(&to->tail, at + n, memory_order_release);
    return n;
}

// ---- sleeping -------------------------------------------------------------

static void futex_wait(_Atomic uint32_t *at, uint32_t value, uint64_t ns)
{
    struct timespec t = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
    syscall(SYS_futex, at, FUTEX_WAIT_PRIVATE, value, ns ? &t : NULL, NULL, 0);
}

// Async-signal-safe.
void tr__worker_wake(struct worker *w)
{
    // Release pairs with the exchange in doze().
    if (atomic_exchange_explicit(&w->wake, 1, memory_order_acq_rel) == 0)
        syscall(SYS_futex, &w->wake, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

// True if woken, false after ns (0: never).
static bool doze(struct worker *w, uint64_t ns)
{
    if (atomic_exchange_explicit(&w->wake, 0, memory_order_acq_rel))
        return true;
    futex_wait(&w->wake, 0, ns);
    return atomic_exchange_explicit(&w->wake, 0, memory_order_acq_rel);
}

static bool stopping(struct runtime *rt)
{
    return atomic_load_explicit(&rt->stopping, memory_order_relaxed);
}

static void idle_add(struct runtime *rt, int n)
{
    uint32_t now = atomic_load_explicit(&rt->n_idle, memory_order_relaxed);
    atomic_store_explicit(&rt->n_idle, now + (uint32_t)n, memory_order_relaxed);
}

// Under rt->lock.  The sleeper counts as awake from here on.
static void wake_one(struct runtime *rt)
{
    for (uint32_t i = 0; i < rt->n_workers; i++) {
        struct worker *w = &rt->workers[i];
        if (!w->sleeping)
            continue;
        w->sleeping = false;
        idle_add(rt, -1);
        tr__worker_wake(w);
        return;
    }
}

bool tr__drained(struct runtime *rt)
{
    return atomic_load_explicit(&rt->n_idle, memory_order_relaxed) ==
               rt->n_workers &&
           !rt->queue && !atomic_load(&rt->timers.pending);
}

bool tr__quiet(struct runtime *rt)
{
    return tr__drained(rt) && !atomic_load(&rt->timers.every);
}

void tr__news(struct runtime *rt)
{
    pthread_mutex_lock(&rt->lock);
    pthread_cond_broadcast(&rt->news);
    pthread_mutex_unlock(&rt->lock);
}

// ---- the runtime's queue --------------------------------------------------

// Under rt->lock.
static void queue_put(struct runtime *rt, struct actor *a)
{
    a->next = 0;
    if (rt->queue)
        rt->queue_last->next = a->index + 1;
    else
        rt->queue = a;
    rt->queue_last = a;
    atomic_store_explicit(&rt->n_queue, rt->n_queue + 1, memory_order_relaxed);
}

static struct actor *queue_pop(struct runtime *rt)
{
    struct actor *a = rt->queue;
    if (!a)
        return NULL;
    rt->queue = a->next ? actor_at(rt, a->next - 1) : NULL;
    atomic_store_explicit(&rt->n_queue, rt->n_queue - 1, memory_order_relaxed);
    return a;
}

// A share of the queue into the ring; the first of it is returned.
static struct actor *queue_take(struct worker *w)
{
    struct runtime *rt = w->desk.rt;
    struct actor *a;
    uint32_t n;
    if (!atomic_load_explicit(&rt->n_queue, memory_order_relaxed))
        return NULL;
    pthread_mutex_lock(&rt->lock);
    n = rt->n_queue / rt->n_workers;
    if (n > RING / 2)
        n = RING / 2;
    a = queue_pop(rt);
    for (uint32_t i = 1; i < n && rt->queue; i++) {
        struct actor *next = rt->queue;
        if (!ring_put(&w->ring, next))
            break;
        queue_pop(rt);
    }
    pthread_mutex_unlock(&rt->lock);
    return a;
}

static void inject(struct runtime *rt, struct actor *a)
{
    pthread_mutex_lock(&rt->lock);
    queue_put(rt, a);
    wake_one(rt);
    pthread_mutex_unlock(&rt->lock);
}

// The ring is full: its older half goes to the queue, and a behind it.
static void overflow(struct worker *w, struct actor *a)
{
    struct runtime *rt = w->desk.rt;
    pthread_mutex_lock(&rt->lock);
    for (int i = 0; i < RING / 2; i++) {
        struct actor *old = ring_take(&w->ring);
        if (!old)
            break;
        queue_put(rt, old);
    }
    queue_put(rt, a);
    wake_one(rt);
    pthread_mutex_unlock(&rt->lock);
}

// Somebody sleeps: is there surplus for him, or nobody who watches?
static void offer(struct worker *w)
{
    struct runtime *rt = w->desk.rt;
    if (atomic_load_explicit(&rt->n_searching, memory_order_relaxed))
        return;
    if (ring_size(&w->ring) < 2 &&
        atomic_load_explicit(&rt->watching, memory_order_relaxed))
        return;
    pthread_mutex_lock(&rt->lock);
    wake_one(rt);
    pthread_mutex_unlock(&rt->lock);
}

void tr__schedule(struct desk *p, struct actor *a)
{
    struct worker *w = p->worker;
    if (UNLIKELY(!w)) {
        inject(p->rt, a);
        return;
    }
    if (UNLIKELY(!ring_put(&w->ring, a)))
        overflow(w, a);
    else if (atomic_load_explicit(&p->rt->n_idle, memory_order_relaxed))
        offer(w);
}

// ---- looking for work -----------------------------------------------------

static struct actor *steal(struct worker *w, uint32_t spare)
{
    struct runtime *rt = w->desk.rt;
    for (uint32_t i = 1; i < rt->n_workers; i++) {
        uint32_t v = (w->number + i) % rt->n_workers;
        if (ring_steal(&rt->workers[v].ring, &w->ring, spare))
            return ring_take(&w->ring);
    }
    return NULL;
}

static void relax(void)
{
#if defined __x86_64__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}

static struct actor *search(struct worker *w)
{
    struct runtime *rt = w->desk.rt;
    struct actor *a = NULL;
    atomic_fetch_add_explicit(&rt->n_searching, 1, memory_order_relaxed);
    for (int i = 0; i < SEARCHES && !a && !stopping(rt); i++) {
        a = queue_take(w);
        if (!a)
            a = steal(w, 1);
        for (int k = 0; k < PAUSES && !a; k++)
            relax();
    }
    atomic_fetch_sub_explicit(&rt->n_searching, 1, memory_order_relaxed);
    return a;
}

// Is there a ring that nobody has taken from since the last look?  Only the
// watcher asks.
static bool stuck(struct runtime *rt)
{
    bool found = false;
    for (uint32_t i = 0; i < rt->n_workers; i++) {
        struct ring *r = &rt->workers[i].ring;
        uint32_t head = atomic_load_explicit(&r->head, memory_order_relaxed);
        if (ring_size(r) && head == r->seen)
            found = true;
        r->seen = head;
    }
    return found;
}

// Under rt->lock.  False if there is something to do after all.
static bool fall_asleep(struct worker *w)
{
    struct runtime *rt = w->desk.rt;
    if (rt->queue || stopping(rt))
        return false;
    w->sleeping = true;
    idle_add(rt, 1);
    if (tr__drained(rt))
        pthread_cond_broadcast(&rt->news);
    return true;
}

// Under rt->lock, which is released meanwhile.  Somebody must watch while
// somebody works.  True if the watcher found a stuck ring.
static bool doze_or_watch(struct worker *w)
{
    struct runtime *rt = w->desk.rt;
    bool watcher = rt->n_idle < rt->n_workers && !rt->watching, found;
    if (watcher)
        rt->watching = true;
    pthread_mutex_unlock(&rt->lock);
    doze(w, watcher ? WATCH_NS : 0);
    found = watcher && stuck(rt);
    pthread_mutex_lock(&rt->lock);
    if (watcher)
        rt->watching = false;
    return found;
}

// Sleep until there is reason to look again; true if that is a stuck ring.
static bool sleep_now(struct worker *w)
{
    struct runtime *rt = w->desk.rt;
    bool found = false;
    pthread_mutex_lock(&rt->lock);
    if (fall_asleep(w)) {
        while (w->sleeping && !found && !stopping(rt))
            found = doze_or_watch(w);
        if (w->sleeping)
            idle_add(rt, -1);
        w->sleeping = false;
    }
    pthread_mutex_unlock(&rt->lock);
    return found;
}

// The next actor to run; NULL when the runtime stops.
static struct actor *next_actor(struct worker *w)
{
    struct runtime *rt = w->desk.rt;
    struct actor *a = NULL;
    if (UNLIKELY(++w->tick % FAIR == 0))
        a = queue_take(w);
    if (!a)
        a = ring_take(&w->ring);
    while (!a && !stopping(rt)) {
        a = search(w);
        if (!a && sleep_now(w))
            a = steal(w, 0);
    }
    return a;
}

void tr__loop(void *stack)
{
    struct stack *st = stack;
    struct worker *w = st->worker;
    struct runtime *rt = w->desk.rt;
    tr__stack_entered(st);
    while (!stopping(rt)) {
        if (!w->current) {
            w->current = next_actor(w);
            w->budget = rt->slice;
            if (!w->current)
                break;
            tr__mail_begin(w, w->current);
        }
        tr__actor_run(st);
    }
    tr__stack_switch(st, &w->home, true);
}

void *tr__worker_main(void *worker)
{
    struct worker *w = worker;
    tr__stack_home(&w->home);
    tr__stack_switch(&w->home, w->stack, false);
    tr__stack_put(w, w->stack);
    tr__news(w->desk.rt);
    return NULL;
}

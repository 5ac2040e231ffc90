// Timers: one heap for the runtime, one thread that serves it, started with the
// first timer.
//
// A timer is a slot named by index and generation; it belongs to the actor that
// set it, which alone may cancel it, and is in a list of that actor.  When its
// time comes its mail, made beforehand, goes to the owner; the slot stays until
// the owner handles that mail, so that cancel works up to then.  One that fires
// again and again is set again by the owner when it handles the mail, so no two
// of its mails wait at a time; of one set outside, the thread sends copies.
// timers.lock guards all of it.
#include "runtime/threads/threads.h"

#include <string.h>
#include <time.h>

uint64_t tr__now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// ---- the heap, by time and then by age ------------------------------------

static bool earlier(struct timers *ts, uint32_t a, uint32_t b)
{
    struct timer *x = &ts->at[a], *y = &ts->at[b];
    return x->when != y->when ? x->when < y->when : x->order < y->order;
}

static void heap_set(struct timers *ts, uint32_t pos, uint32_t timer)
{
    ts->heap[pos] = timer;
    ts->at[timer].heap = pos + 1;
}

static void heap_up(struct timers *ts, uint32_t pos)
{
    uint32_t timer = ts->heap[pos];
    while (pos > 0 && earlier(ts, timer, ts->heap[(pos - 1) / 2])) {
        heap_set(ts, pos, ts->heap[(pos - 1) / 2]);
        pos = (pos - 1) / 2;
    }
    heap_set(ts, pos, timer);
}

static void heap_down(struct timers *ts, uint32_t pos)
{
    uint32_t timer = ts->heap[pos];
    for (;;) {
        uint32_t kid = 2 * pos + 1;
        if (kid + 1 < ts->n_heap &&
            earlier(ts, ts->heap[kid + 1], ts->heap[kid]))
            kid++;
        if (kid >= ts->n_heap || !earlier(ts, ts->heap[kid], timer))
            break;
        heap_set(ts, pos, ts->heap[kid]);
        pos = kid;
    }
    heap_set(ts, pos, timer);
}

static void heap_remove(struct timers *ts, struct timer *t)
{
    uint32_t pos = t->heap - 1, last = ts->heap[--ts->n_heap];
    t->heap = 0;
    if (pos == ts->n_heap)
        return;
    heap_set(ts, pos, last);
    heap_up(ts, pos);
    heap_down(ts, ts->at[last].heap - 1);
}

// ---- slots ----------------------------------------------------------------

static tr_timer timer_id(struct timers *ts, struct timer *t)
{
    return (uint64_t)t->gen << 32 | (uint64_t)(t - ts->at + 1);
}

static struct timer *timer_find(struct timers *ts, tr_timer id, tr_ref owner)
{
    uint32_t i = (uint32_t)id;
    struct timer *t = i && i <= ts->n ? &ts->at[i - 1] : NULL;
    return t && t->used && t->gen == id >> 32 && t->owner == owner ? t : NULL;
}

// Room for one more timer and for all in the heap.
static bool timers_room(const tr_config *c, struct timers *ts)
{
    if (ts->free)
        return true;
    if (ts->n == ts->cap) {
        uint32_t cap = ts->cap ? 2 * ts->cap : 16;
        uint32_t *heap = tr__resize(c, ts->heap, cap * sizeof *heap);
        struct timer *at;
        if (!heap)
            return false;
        ts->heap = heap;
        at = tr__resize(c, ts->at, cap * sizeof *at);
        if (!at)
            return false;
        ts->at = at;
        ts->cap = cap;
    }
    memset(&ts->at[ts->n], 0, sizeof *ts->at);
    ts->free = ++ts->n;
    return true;
}

static struct timer *timer_new(struct timers *ts)
{
    struct timer *t = &ts->at[ts->free - 1];
    uint32_t gen = t->gen + 1;
    ts->free = t->next;
    memset(t, 0, sizeof *t);
    t->gen = gen;
    t->used = true;
    return t;
}

// The owner's list is kept by index + 1.
static void own(struct timers *ts, struct timer *t, uint32_t *list)
{
    uint32_t i = (uint32_t)(t - ts->at + 1);
    t->next = *list;
    if (t->next)
        ts->at[t->next - 1].prev = i;
    *list = i;
}

static void timer_free(struct timers *ts, struct timer *t, uint32_t *list)
{
    if (t->prev)
        ts->at[t->prev - 1].next = t->next;
    else if (list)
        *list = t->next;
    if (t->next)
        ts->at[t->next - 1].prev = t->prev;
    t->used = false;
    t->prev = 0;
    t->next = ts->free;
    ts->free = (uint32_t)(t - ts->at + 1);
}

// ---- the thread -----------------------------------------------------------

// One pending timer less.  If it was the last, all may be quiet now, which
// threads outside may be waiting for.
static void no_longer(struct runtime *rt, _Atomic uint32_t *count)
{
    if (atomic_fetch_sub(count, 1) == 1)
        tr__news(rt);
}

static void heap_add(struct timers *ts, struct timer *t)
{
    t->order = ts->order++;
    heap_set(ts, ts->n_heap++, (uint32_t)(t - ts->at));
    heap_up(ts, ts->n_heap - 1);
    if (t->heap == 1)
        pthread_cond_signal(&ts->cond);
}

// Due times that have passed are left out.
static void heap_again(struct timers *ts, struct timer *t)
{
    uint64_t now = tr__now();
    t->when += t->every;
    if (t->when <= now)
        t->when += ((now - t->when) / t->every + 1) * t->every;
    heap_add(ts, t);
}

// Another mail like e; NULL without memory.
static struct mail *another(struct desk *p, const struct mail *e)
{
    const void *payload = mail_payload((struct mail *)(uintptr_t)e);
    struct mail *new = tr__mail_new(p, e->kind, e->msg, payload, e->msg->size);
    if (new && e->msg->copy)
        e->msg->copy(mail_payload(new), payload);
    if (new)
        new->from = e->from;
    return new;
}

// Set outside: nobody to handle it there.  The mail to send now, which may be
// NULL for want of memory.
static struct mail *fire_outside(struct desk *p, struct timers *ts,
                                 struct timer *t)
{
    struct mail *e = t->every ? another(p, t->mail) : t->mail;
    if (e)
        e->kind = MAIL_MESSAGE;
    if (t->every) {
        heap_again(ts, t);
    } else {
        t->mail = NULL;
        timer_free(ts, t, NULL);
    }
    return e;
}

// Under the lock, which is released meanwhile.
static void fire(struct desk *p, struct timer *t)
{
    struct runtime *rt = p->rt;
    struct timers *ts = &rt->timers;
    struct mail *e = t->mail;
    bool every = t->every;
    tr_ref to = t->owner ? t->owner : t->to;
    heap_remove(ts, t);
    if (t->owner)
        t->mail = NULL;
    else
        e = fire_outside(p, ts, t);
    pthread_mutex_unlock(&ts->lock);
    if (e)
        tr__post(p, to, e);
    if (!every)
        no_longer(rt, &ts->pending);
    pthread_mutex_lock(&ts->lock);
}

static void *timers_main(void *runtime)
{
    struct runtime *rt = runtime;
    struct timers *ts = &rt->timers;
    struct desk p;
    tr__desk_init(&p, rt, NULL, 0);
    pthread_mutex_lock(&ts->lock);
    while (!ts->stop) {
        struct timer *t = ts->n_heap ? &ts->at[ts->heap[0]] : NULL;
        if (!t) {
            pthread_cond_wait(&ts->cond, &ts->lock);
        } else if (t->when <= tr__now()) {
            fire(&p, t);
        } else {
            struct timespec until = {(time_t)(t->when / 1000000000u),
                                     (long)(t->when % 1000000000u)};
            pthread_cond_timedwait(&ts->cond, &ts->lock, &until);
        }
    }
    pthread_mutex_unlock(&ts->lock);
    tr__desk_release(&p);
    return NULL;
}

static bool thread_runs(struct runtime *rt)
{
    struct timers *ts = &rt->timers;
    if (!ts->running && !ts->stop)
        ts->running = pthread_create(&ts->thread, NULL, timers_main, rt) == 0;
    return ts->running;
}

int tr__timers_init(struct timers *ts)
{
    pthread_condattr_t attr;
    pthread_mutex_init(&ts->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&ts->cond, &attr);
    pthread_condattr_destroy(&attr);
    return 0;
}

void tr__timers_stop(struct runtime *rt)
{
    struct timers *ts = &rt->timers;
    pthread_mutex_lock(&ts->lock);
    ts->stop = true;
    pthread_cond_signal(&ts->cond);
    pthread_mutex_unlock(&ts->lock);
    if (ts->running)
        pthread_join(ts->thread, NULL);
    ts->running = false;
}

// Those of actors went with their actors; what is left was set outside.
void tr__timers_release(struct runtime *rt)
{
    struct timers *ts = &rt->timers;
    for (uint32_t i = 0; i < ts->n; i++) {
        struct mail *e = ts->at[i].used ? ts->at[i].mail : NULL;
        if (!e)
            continue;
        tr__mail_drop(e);
        tr__mail_free(&rt->rest, e);
    }
    tr__put(&rt->config, ts->at);
    tr__put(&rt->config, ts->heap);
    pthread_cond_destroy(&ts->cond);
    pthread_mutex_destroy(&ts->lock);
}

// ---- operations -----------------------------------------------------------

static uint64_t time_after(uint64_t ms)
{
    uint64_t now = tr__now(), most = (UINT64_MAX - now) / 1000000u;
    return now + (ms < most ? ms : most) * 1000000u;
}

static uint64_t period(uint64_t ms)
{
    uint64_t most = UINT64_MAX / 4 / 1000000u;
    return (ms < most ? ms : most) * 1000000u;
}

tr_timer tr__timer_add(struct desk *p, struct actor *owner, tr_ref to,
                       uint64_t ms, bool every, struct mail *e)
{
    struct timers *ts = &p->rt->timers;
    struct extra *x = owner ? tr__extra(p, owner) : NULL;
    struct timer *t;
    tr_timer id = 0;
    if (owner && !x)
        return 0;
    pthread_mutex_lock(&ts->lock);
    if (timers_room(&p->rt->config, ts) && thread_runs(p->rt)) {
        t = timer_new(ts);
        t->when = time_after(ms);
        t->every = every ? period(ms) : 0;
        t->mail = e;
        t->owner = owner ? actor_ref(owner) : NULL;
        t->to = to;
        id = timer_id(ts, t);
        if (e->kind == MAIL_TIMER)
            *mail_id(e) = id;
        if (owner)
            own(ts, t, &x->timers);
        heap_add(ts, t);
        atomic_fetch_add(every ? &ts->every : &ts->pending, 1);
    }
    pthread_mutex_unlock(&ts->lock);
    return id;
}

bool tr__timer_take(struct desk *p, struct actor *a, tr_timer id, tr_ref *to,
                    bool *every)
{
    struct timers *ts = &p->rt->timers;
    struct timer *t;
    pthread_mutex_lock(&ts->lock);
    t = timer_find(ts, id, actor_ref(a));
    if (t) {
        *to = t->to;
        *every = t->every;
    }
    if (t && !t->every)
        timer_free(ts, t, &a->x->timers);
    pthread_mutex_unlock(&ts->lock);
    return t;
}

// Only the owner cancels it, and the thread does not know of it meanwhile.
void tr__timer_again(struct desk *p, struct actor *a, tr_timer id,
                     struct mail *e)
{
    struct timers *ts = &p->rt->timers;
    struct mail *next = another(p, e);
    struct timer *t;
    if (!next) {
        tr__fault_at(p, TR_FAULT_NOMEM, e->msg, mail_payload(e), e->from,
                     actor_ref(a), a);
        tr__timer_cancel(p, a, id);
        return;
    }
    next->flags |= e->flags & MAIL_ONWARD;
    *mail_id(next) = id;
    pthread_mutex_lock(&ts->lock);
    t = timer_find(ts, id, actor_ref(a));
    t->mail = next;
    heap_again(ts, t);
    pthread_mutex_unlock(&ts->lock);
}

// One that has fired is forgotten too: its mail will not find it.
static void cancel(struct desk *p, struct timer *t, uint32_t *list)
{
    struct timers *ts = &p->rt->timers;
    struct mail *e = t->mail;
    bool every = t->every;
    if (t->heap)
        heap_remove(ts, t);
    timer_free(ts, t, list);
    pthread_mutex_unlock(&ts->lock);
    if (e) {
        tr__mail_drop(e);
        tr__mail_free(p, e);
    }
    if (every || e)
        no_longer(p->rt, every ? &ts->every : &ts->pending);
    pthread_mutex_lock(&ts->lock);
}

void tr__timer_cancel(struct desk *p, struct actor *a, tr_timer id)
{
    struct timers *ts = &p->rt->timers;
    struct timer *t;
    pthread_mutex_lock(&ts->lock);
    t = timer_find(ts, id, a ? actor_ref(a) : NULL);
    if (t)
        cancel(p, t, a ? &a->x->timers : NULL);
    pthread_mutex_unlock(&ts->lock);
}

void tr__timer_cancel_all(struct desk *p, struct actor *a)
{
    struct timers *ts = &p->rt->timers;
    pthread_mutex_lock(&ts->lock);
    while (a->x->timers)
        cancel(p, &ts->at[a->x->timers - 1], &a->x->timers);
    pthread_mutex_unlock(&ts->lock);
}

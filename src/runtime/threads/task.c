// Stacks and tasks.
//
// A worker's loop runs on a pooled stack, and plain handlers run on it too and
// never pay for that.  When a handler waits for the first time, the stack it
// runs on, with the remains of the loop underneath, becomes its task, and the
// worker goes on with a new loop on a fresh stack.  To resume the task any
// worker switches to it; when the handler returns, run_handler() notices that
// it is not in a worker's loop any more and switches back for good.  So nothing
// of a loop may be held in local variables across a handler.
//
// The sanitizers are told of every switch.
#include "runtime/threads/threads.h"
#include "runtime/switch.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#if defined __has_feature
#if __has_feature(address_sanitizer)
#define WITH_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define WITH_TSAN 1
#endif
#endif
#if defined __SANITIZE_ADDRESS__ && !defined WITH_ASAN
#define WITH_ASAN 1
#endif
#if defined __SANITIZE_THREAD__ && !defined WITH_TSAN
#define WITH_TSAN 1
#endif
#ifdef WITH_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef WITH_TSAN
#include <sanitizer/tsan_interface.h>
#endif

enum { KEEP = 32 }; // stacks in a worker's pool

// ---- stacks ---------------------------------------------------------------

static void fiber_new(struct stack *s)
{
#ifdef WITH_TSAN
    s->fiber = __tsan_create_fiber(0);
#else
    s->fiber = NULL;
#endif
}

static void fiber_free(struct stack *s)
{
#ifdef WITH_TSAN
    if (s->fiber)
        __tsan_destroy_fiber(s->fiber);
#endif
#ifdef WITH_ASAN
    // Frames that were left for good are still fenced off.
    __asan_unpoison_memory_region(s->low, s->size);
#endif
    s->fiber = NULL;
}

// Memory with a guard page below: mapped, or from the user's hook.
static void *memory_get(struct runtime *rt, size_t page, size_t *bytes)
{
    char *m;
    if (rt->config.alloc) {
        *bytes = STACK + 2 * page;
        m = tr__get(&rt->config, *bytes);
        if (!m)
            return NULL;
        return m;
    }
    *bytes = STACK + page;
    m = mmap(NULL, *bytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    return m == MAP_FAILED ? NULL : m;
}

static struct stack *stack_new(struct runtime *rt)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes;
    char *memory = memory_get(rt, page, &bytes), *guard;
    struct stack *s;
    if (!memory)
        return NULL;
    guard = (char *)(((uintptr_t)memory + page - 1) / page * page);
    if (mprotect(guard, page, PROT_NONE) != 0) {
        if (rt->config.alloc)
            tr__put(&rt->config, memory);
        else
            munmap(memory, bytes);
        return NULL;
    }
    s = (struct stack *)((uintptr_t)(guard + page + STACK - sizeof *s) &
                         ~(uintptr_t)63);
    memset(s, 0, sizeof *s);
    s->memory = memory;
    s->bytes = bytes;
    s->low = guard + page;
    s->size = (size_t)((char *)s - s->low);
    return s;
}

void tr__stack_free(struct runtime *rt, struct stack *s)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *memory = s->memory;
    fiber_free(s);
    if (!rt->config.alloc) {
        munmap(memory, s->bytes);
        return;
    }
    mprotect(s->low - page, page, PROT_READ | PROT_WRITE);
    tr__put(&rt->config, memory);
}

struct stack *tr__stack_get(struct worker *w)
{
    struct stack *s = w->pool;
    if (s) {
        w->pool = s->next;
        w->n_pool--;
    } else {
        s = stack_new(w->desk.rt);
        if (!s)
            return NULL;
    }
    s->next = s->back = NULL;
    s->task = false;
    s->state = TASK_RUNS;
    s->fake = NULL;
    s->worker = w;
    tr__turn_init(&s->turn, &w->desk, NULL);
    s->turn.stack = s;
    fiber_new(s);
    s->sp = tr__switch_prepare(s, tr__loop, s);
    return s;
}

void tr__stack_put(struct worker *w, struct stack *s)
{
    if (w->n_pool >= KEEP) {
        tr__stack_free(w->desk.rt, s);
        return;
    }
    fiber_free(s);
    s->next = w->pool;
    w->pool = s;
    w->n_pool++;
}

void tr__stack_switch(struct stack *from, struct stack *to, bool final)
{
#ifdef WITH_ASAN
    __sanitizer_start_switch_fiber(final ? NULL : &from->fake, to->low,
                                   to->size);
#endif
#ifdef WITH_TSAN
    __tsan_switch_to_fiber(to->fiber, 0);
#endif
    (void) final;
    tr__switch(&from->sp, to->sp);
    tr__stack_entered(from);
}

// The first thing on a stack that was switched to.
void tr__stack_entered(struct stack *s)
{
#ifdef WITH_ASAN
    __sanitizer_finish_switch_fiber(s->fake, NULL, NULL);
    s->fake = NULL;
#endif
    (void)s;
}

void tr__stack_home(struct stack *s)
{
#ifdef WITH_ASAN
    pthread_attr_t attr;
    void *low;
    pthread_getattr_np(pthread_self(), &attr);
    pthread_attr_getstack(&attr, &low, &s->size);
    pthread_attr_destroy(&attr);
    s->low = low;
#endif
#ifdef WITH_TSAN
    s->fiber = __tsan_get_current_fiber();
#endif
    (void)s;
}

// ---- tasks ----------------------------------------------------------------

static void task_add(struct actor *a, struct stack *s)
{
    s->next_task = a->x->tasks;
    if (s->next_task)
        s->next_task->link_task = &s->next_task;
    s->link_task = &a->x->tasks;
    a->x->tasks = s;
}

void tr__task_remove(struct stack *s)
{
    *s->link_task = s->next_task;
    if (s->next_task)
        s->next_task->link_task = s->link_task;
}

void tr__task_paused(struct actor *a, struct stack *s)
{
    struct stack **end = &a->x->paused;
    while (*end)
        end = &(*end)->next;
    s->next = NULL;
    *end = s;
}

// A first wait: the stack is the task's from now on, the worker gets another.
static bool leave_loop(struct turn *t)
{
    struct stack *st = t->stack, *fresh;
    struct worker *w = st->worker;
    fresh = tr__stack_get(w);
    if (!fresh || !tr__extra(t->desk, t->actor)) {
        if (fresh)
            tr__stack_put(w, fresh);
        return false;
    }
    st->task = true;
    task_add(t->actor, st);
    w->stack = fresh;
    return true;
}

// Before, the caller noted the task where whoever resumes it will look (see
// tr__await()).  Until the switch nobody else runs this actor.
bool tr__task_suspend(struct turn *t, enum task_state state)
{
    struct stack *st = t->stack, *back = st->back;
    if (!back) {
        if (!leave_loop(t))
            return false;
        back = st->worker->stack;
    }
    t->actor->x->ran = true;
    st->since = t->actor->x->suspensions++;
    if (state == TASK_GETS)
        t->actor->x->holder = st;
    if (state == TASK_PAUSED && !t->actor->x->testing)
        tr__task_paused(t->actor, st);
    st->state = state;
    st->back = NULL;
    tr__stack_switch(st, back, false);
    t->desk = &st->worker->desk;
    t->now = 0;
    return true;
}

void tr__task_resume(struct stack *self, struct stack *task)
{
    task->state = TASK_RUNS;
    task->back = self;
    task->worker = self->worker;
    tr__stack_switch(self, task, false);
}

_Noreturn void tr__task_over(struct stack *st)
{
    struct stack *back = st->back;
    st->state = TASK_DONE;
    tr__stack_switch(st, back, true);
    abort(); // nobody switches to a task that is over
}

_Noreturn void tr__task_leave(struct turn *t)
{
    struct worker *w = t->stack->worker;
    tr__turn_end(t, t->actor);
    tr__stack_switch(t->stack, &w->home, true);
    abort();
}

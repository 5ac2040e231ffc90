// Tasks: every handler runs on a stack of its own, so that it can be left in
// the middle.  One that ends leaves its stack, still in task_main's loop, to
// the next handler; only abandoned stacks are prepared again.
#include "runtime/solo/core.h"
#include "runtime/switch.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

// The sanitizers are found at run time: a program may be built with one though
// the library is not.
#define SANITIZER(result, name, ...)                                           \
    extern result name(__VA_ARGS__) __attribute__((weak))
SANITIZER(void, __sanitizer_start_switch_fiber, void **, const void *, size_t);
SANITIZER(void, __sanitizer_finish_switch_fiber, void *, const void **,
          size_t *);
SANITIZER(void, __asan_unpoison_memory_region, const volatile void *, size_t);
SANITIZER(void *, __tsan_get_current_fiber, void);
SANITIZER(void *, __tsan_create_fiber, unsigned);
SANITIZER(void, __tsan_destroy_fiber, void *);
SANITIZER(void, __tsan_switch_to_fiber, void *, unsigned);

enum { STACK = 512 * 1024 };

// The sanitizers are told of every switch: before it, and after it on the
// other side.
static void to_task(struct solo *s, struct task *t)
{
    if (__sanitizer_start_switch_fiber)
        __sanitizer_start_switch_fiber(&s->back_fiber, t->stack, t->size);
    if (__tsan_switch_to_fiber) {
        s->back_fiber = __tsan_get_current_fiber();
        __tsan_switch_to_fiber(t->fiber, 0);
    }
}

static void in_task(struct solo *s, struct task *t)
{
    if (__sanitizer_finish_switch_fiber)
        __sanitizer_finish_switch_fiber(t->fiber, &s->back_stack,
                                        &s->back_size);
}

static void to_back(struct solo *s, struct task *t)
{
    if (__sanitizer_start_switch_fiber)
        __sanitizer_start_switch_fiber(&t->fiber, s->back_stack, s->back_size);
    if (__tsan_switch_to_fiber)
        __tsan_switch_to_fiber(s->back_fiber, 0);
}

static void in_back(struct solo *s)
{
    if (__sanitizer_finish_switch_fiber)
        __sanitizer_finish_switch_fiber(s->back_fiber, NULL, NULL);
}

// Handlers are called through the type tables hold them by.
#if defined __clang__
__attribute__((no_sanitize("function")))
#endif
static void
task_main(void *arg)
{
    struct task *t = arg;
    struct solo *s = t->ctx.solo;
    in_task(s, t);
    for (;;) {
        struct solo_ctx *x = &t->ctx;
        errno = 0;
        solo_enters(s, SOLO_HANDLER, x->self->id, t->row, t, x->mail->payload);
        t->row->fn(&x->face, x->self->state, x->mail->payload);
        tr__solo_task_leave(s, t, TASK_DONE);
    }
}

static void prepare(struct task *t)
{
    if (__asan_unpoison_memory_region)
        __asan_unpoison_memory_region(t->stack, t->size);
    if (__tsan_destroy_fiber && t->fiber)
        __tsan_destroy_fiber(t->fiber);
    t->fiber = __tsan_create_fiber ? __tsan_create_fiber(0) : NULL;
    t->sp = tr__switch_prepare((char *)t->stack + t->size, task_main, t);
}

static void *stack_new(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *p =
        mmap(NULL, size + page, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    if (mprotect(p, page, PROT_NONE)) {
        munmap(p, size + page);
        return NULL;
    }
    return p + page;
}

struct task *tr__solo_task_new(struct solo *s)
{
    struct task *t = s->spare;
    if (t) {
        s->spare = t->next;
    } else {
        t = tr__get_zero(&s->config, sizeof *t);
        if (!t)
            return NULL;
        t->size = STACK;
        t->stack = s->opt.stack ? s->opt.stack(s->opt.user, t->size)
                                : stack_new(t->size);
        if (!t->stack) {
            tr__put(&s->config, t);
            return NULL;
        }
        prepare(t);
    }
    t->next = t->prev = NULL;
    t->is = TASK_RUNS;
    t->ctx = (struct solo_ctx){.face = {solo_ops(s)}, .solo = s, .task = t};
    return t;
}

void tr__solo_task_enter(struct solo *s, struct task *t)
{
    s->running = t;
    t->is = TASK_RUNS;
    to_task(s, t);
    tr__switch(&s->back, t->sp);
    in_back(s);
    s->running = NULL;
    if (s->escape) {
        s->lost = t->listed ? NULL : t;
        s->escape(s->escape_arg);
    }
}

_Noreturn void tr__solo_escape(tr_runtime *r, void (*fn)(void *), void *arg)
{
    struct solo *s = (struct solo *)(void *)r;
    s->escape = fn;
    s->escape_arg = arg;
    if (s->running)
        tr__solo_task_leave(s, s->running, TASK_PAUSED);
    fn(arg);
    abort();
}

void tr__solo_task_leave(struct solo *s, struct task *t, enum task_is why)
{
    t->is = why;
    to_back(s, t);
    tr__switch(&t->sp, s->back);
    in_task(s, t);
}

void tr__solo_task_free(struct solo *s, struct task *t)
{
    tr__solo_future_release(s, &t->ctx);
    if (t->is != TASK_DONE)
        prepare(t);
    t->next = s->spare;
    s->spare = t;
}

void tr__solo_tasks_release(struct solo *s)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    while (s->spare) {
        struct task *t = s->spare;
        s->spare = t->next;
        if (__asan_unpoison_memory_region)
            __asan_unpoison_memory_region(t->stack, t->size);
        if (__tsan_destroy_fiber)
            __tsan_destroy_fiber(t->fiber);
        if (!s->opt.stack)
            munmap((char *)t->stack - page, t->size + page);
        tr__put(&s->config, t);
    }
}

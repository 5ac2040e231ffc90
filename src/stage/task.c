// Switching to task code and back: the stack it runs on, what it finds there,
// and what is looked at when it has come back.
#include "stage/task.h"

#include "runtime/switch.h"
#include "stage/check.h"
#include "stage/output.h"
#include "stage/raw.h"
#include "stage/verdict.h"

#include <errno.h>
#include <string.h>

#ifdef STAGE_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

// The stack protector's secret would stand in suspended frames: give task code
// one that is the same in every process.
static uint64_t swap_canary(uint64_t value)
{
    uint64_t old = 0;
#if defined __x86_64__
    __asm__ volatile("movq %%fs:0x28, %0\n\tmovq %1, %%fs:0x28"
                     : "=&r"(old)
                     : "r"(value)
                     : "memory");
#endif
    return old;
}

// The address sanitizer wants to know which stack it is on.
#ifdef STAGE_ASAN
static void announce(const void *bottom, size_t size)
{
    __sanitizer_start_switch_fiber(NULL, bottom, size);
}

void task_arrive(struct native *n)
{
    __sanitizer_finish_switch_fiber(NULL, &n->host_bottom, &n->host_size);
}

static void back(void)
{
    __sanitizer_finish_switch_fiber(NULL, NULL, NULL);
}

static void unpoison(void *p, size_t size)
{
    ASAN_UNPOISON_MEMORY_REGION(p, size);
}
#else
static void announce(const void *bottom, size_t size)
{
    (void)bottom, (void)size;
}

void task_arrive(struct native *n)
{
    (void)n;
}

static void back(void)
{
}

static void unpoison(void *p, size_t size)
{
    (void)p, (void)size;
}
#endif

// Did the task change the rounding mode or the floating-point traps?  In
// production the next handler on the thread, whichever actor's, would find them
// so.
static void check_rounding(struct native *n, struct region *r)
{
    struct region *outer = n->region;
    if ((n->why != WHY_DONE && n->why != WHY_WAIT) || r->actor == PLAY_ENV ||
        !tr__switch_rounds((void *)(uintptr_t)r->running.sp))
        return;
    n->region = r;
    bug_at_handler(n, bug_note(n, BUG_ISOLATION,
                               "the floating-point mode (rounding, traps) was "
                               "left changed"));
    n->region = outer;
}

static void go(struct native *n, struct region *r, void *sp)
{
    struct region *outer = n->region;
    void *host = n->host;
    const void *host_bottom = n->host_bottom;
    size_t host_size = n->host_size;
    uint64_t canary = swap_canary(UINT64_C(0x5afe5afe5afe5a00));
    if (!outer)
        output_begin(n);
    n->region = r;
    errno = 0;
    announce(region_stack(r, n->stack) - region_stack_size(r),
             region_stack_size(r));
    tr__switch(&n->host, sp);
    back();
    n->region = outer;
    n->host = host;
    n->host_bottom = host_bottom;
    n->host_size = host_size;
    check_writes(n, r);
    check_rounding(n, r);
    if (n->why == WHY_OVER)
        verdicts_record(n, r);
    if (!outer)
        output_end(n);
    swap_canary(canary);
}

void task_leave(struct native *n, enum why why)
{
    struct region *r = n->region;
    n->why = why;
    announce(n->host_bottom, n->host_size);
    tr__switch((void **)(void *)&r->running.sp, n->host);
    task_arrive(r->native);
}

enum {
    STACK_FILLED = 16384, // bytes that a repeated run finds filled
    STACK_MARGIN = 512,   // how much deeper than ever a run may go
};

// Task code finds unused stack filled with `fill`, as deep as stacks were ever
// seen to be used; and the floating-point flags as another handler might have
// left them.
static void clear_stack(struct native *n, struct region *r, uint32_t k,
                        unsigned char *below)
{
    unsigned char *top = region_stack(r, k);
    uint32_t deep = r->dirty[k], size = region_stack_size(r);
    if (n->fill && deep < STACK_FILLED)
        deep = STACK_FILLED;
    unpoison(top - size, size);
    if (top - deep < below)
        memset(top - deep, n->fill, (size_t)(below - (top - deep)));
    uint32_t most = (uint32_t)(top - below) + n->deepest + STACK_MARGIN;
    if (n->fill && deep > most)
        most = deep;
    r->dirty[k] = most < size ? most : size;
}

void task_run(struct native *n, struct region *r, uint32_t k, size_t above,
              void (*fn)(void *), void *arg)
{
    unsigned char *top = region_stack(r, k) - above;
    clear_stack(n, r, k, top);
    n->stack = k;
    go(n, r, tr__switch_prepare(top, fn, arg));
}

void task_resume(struct native *n, struct region *r, const struct task *t)
{
    unsigned char *sp = (unsigned char *)(uintptr_t)t->sp;
    r->running = *t;
    r->running.wait = WAIT_NOT;
    clear_stack(n, r, t->stack, sp);
    n->stack = t->stack;
    go(n, r, sp);
}

// How deep was the stack used?  Only pages next to the top are looked at, and
// only in sampled runs.
RAW void task_measure(struct native *n, const struct region *r, uint32_t k)
{
    const uint64_t *top = (const uint64_t *)(const void *)region_stack(r, k);
    uint32_t words = 65536 / 8;
    if (!(r->stacks >> k & 1))
        return;
    for (uint32_t i = words; i > 0; i--)
        if (top[-(long)i]) {
            if (i * 8 > n->deepest)
                n->deepest = i * 8;
            return;
        }
}

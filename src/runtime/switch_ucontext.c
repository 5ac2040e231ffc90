// Stack switch for the machines that have none in assembler.  A saved stack is
// the address of a ucontext_t that lies on it.  swapcontext saves the signal
// mask too, with a system call: some 350 ns a switch instead of some 10.
#include "runtime/switch.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined TR_SWITCH_UCONTEXT || (!defined __x86_64__ && !defined __aarch64__)
#include <ucontext.h>

struct first {
    ucontext_t context;
    void (*fn)(void *);
    void *arg;
};

void tr__switch(void **save, void *to)
{
    ucontext_t here;
    *save = &here;
    swapcontext(&here, to);
}

// makecontext hands over ints only.
static void start(unsigned high, unsigned low)
{
    uint64_t at = (uint64_t)high << 32 | low;
    struct first *f = (struct first *)(uintptr_t)at;
    f->fn(f->arg);
}

void *tr__switch_prepare(void *top, void (*fn)(void *), void *arg)
{
    uintptr_t at = ((uintptr_t)top - sizeof(struct first)) & ~(uintptr_t)63;
    struct first *f = (struct first *)at;
    memset(f, 0, sizeof *f);
    getcontext(&f->context);
    f->fn = fn;
    f->arg = arg;
    // Only the end of the stack matters to makecontext.
    f->context.uc_stack.ss_sp = (void *)(at - 1024);
    f->context.uc_stack.ss_size = 1024;
    makecontext(&f->context, (void (*)(void))start, 2,
                (unsigned)((uint64_t)at >> 32), (unsigned)at);
    return f;
}

bool tr__switch_rounds(const void *saved)
{
    (void)saved; // not to be seen there
    return false;
}

#else
typedef int switch_is_in_assembler; // a file may not be empty
#endif

// First frames for the assembler switches: what tr__switch pops when it goes to
// a stack for the first time.  The layout mirrors the pushes in
// switch_x86_64.S and switch_aarch64.S.
#include "runtime/switch.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if !defined TR_SWITCH_UCONTEXT && (defined __x86_64__ || defined __aarch64__)

__attribute__((visibility("hidden"))) void tr__switch_start(void);

#if defined __x86_64__
enum { MXCSR = 0x1f80, MXCSR_FLAGS = 0x3f, X87 = 0x037f }; // the ABI's

struct frame {
    uint32_t mxcsr, x87;
    uint64_t r15, r14, r13, r12, rbx, rbp, rip;
    uint64_t zero[2]; // ends the chain of frames; keeps rsp a multiple of 16
};

static void fill(struct frame *f, void (*fn)(void *), void *arg)
{
    f->mxcsr = MXCSR;
    f->x87 = X87;
    f->r12 = (uint64_t)(uintptr_t)fn;
    f->rbx = (uint64_t)(uintptr_t)arg;
    f->rip = (uint64_t)(uintptr_t)tr__switch_start;
}

bool tr__switch_rounds(const void *saved)
{
    const struct frame *f = saved;
    return (f->mxcsr & ~MXCSR_FLAGS) != MXCSR || (f->x87 & 0xffff) != X87;
}
#else
struct frame {
    uint64_t x19, x20, x21_28[8], x29, x30;
    uint64_t d8_15[8];
    uint64_t fpcr, zero;
};

static void fill(struct frame *f, void (*fn)(void *), void *arg)
{
    f->x19 = (uint64_t)(uintptr_t)fn;
    f->x20 = (uint64_t)(uintptr_t)arg;
    f->x30 = (uint64_t)(uintptr_t)tr__switch_start;
}

bool tr__switch_rounds(const void *saved)
{
    const struct frame *f = saved;
    return f->fpcr != 0;
}
#endif

void *tr__switch_prepare(void *top, void (*fn)(void *), void *arg)
{
    uintptr_t end = (uintptr_t)top & ~(uintptr_t)15;
    size_t size = (sizeof(struct frame) + 15) & ~(size_t)15;
    struct frame *f = (struct frame *)(end - size);
    memset(f, 0, size);
    fill(f, fn, arg);
    return f;
}

#endif

// The unwinder of the compiler's own library walks the stack: it knows the
// frames of this library, of the C library and of the program, and what a
// signal interrupted.  Of registers only those are noted that calls keep; all
// where a signal came, and where an assertion failed (src/stage/wrap_assert.c).
//
// For each frame the unwinder gives its stack pointer.  The stack pointer of
// the next frame is the canonical frame address of this frame.
#include "stage/explain.h"

#include "base/die.h"
#include "program/frames.h"
#include "program/source.h"
#include "program/values.h"
#include "stage/show.h"
#include "stage/tables.h"
#include "stage/verdict.h"

#include <stdlib.h>
#include <string.h>
#include <unwind.h>

#if defined __aarch64__
static const uint8_t kept[] = {19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29};
#else
static const uint8_t kept[] = {3, 6, 12, 13, 14, 15}; // rbx, rbp, r12 to r15
#endif

enum { UNWINDER = 16 << 10 }; // of stack, that walking may use

struct capture {
    const struct native *n;
    struct frames *to;
    struct frame *inner; // the frame before, if it is the program's
    const uint64_t *registers;
    uintptr_t low, top; // of the task's stack
    bool inside;        // on that stack
};

void explain_open(struct native *n)
{
    n->frames = need_zero(sizeof *n->frames);
}

void explain_close(struct native *n)
{
    free(n->frames);
}

static void note_registers(struct _Unwind_Context *c, struct frame *f, bool all)
{
    for (uint32_t i = 0; i < sizeof kept; i++) {
        f->at[kept[i]] = _Unwind_GetGR(c, kept[i]);
        f->known |= UINT64_C(1) << kept[i];
    }
    for (int r = 0; all && r < FRAME_SP; r++) {
        f->at[r] = _Unwind_GetGR(c, r);
        f->known |= UINT64_C(1) << r;
    }
    f->at[FRAME_SP] = _Unwind_GetCFA(c);
    f->known |= UINT64_C(1) << FRAME_SP;
}

// Registers that a call need not keep, if this is the frame that made it.  What
// they hold is said of the call but for its last byte.
static void note_call(const uint64_t *registers, struct frame *f, uintptr_t pc)
{
#if defined __x86_64__
    static const uint8_t lost[] = {0, 1, 2, 4, 5, 8, 9}; // rax to r9
    if (!registers || registers[FRAME_REGISTERS] != pc)
        return;
    for (uint32_t i = 0; i < sizeof lost; i++) {
        f->at[lost[i]] = registers[lost[i]];
        f->known |= UINT64_C(1) << lost[i];
    }
    f->pc = pc - 2;
#else
    (void)registers, (void)f, (void)pc;
#endif
}

static _Unwind_Reason_Code on_frame(struct _Unwind_Context *c, void *arg)
{
    struct capture *x = arg;
    int exact = 0;
    uintptr_t pc = _Unwind_GetIPInfo(c, &exact), sp = _Unwind_GetCFA(c);
    bool here = sp >= x->low && sp <= x->top;
    if (x->inner && here)
        x->inner->cfa = sp;
    x->inner = NULL;
    if (!here && !x->inside)
        return _URC_NO_REASON; // still on the stack for signals
    x->inside = true;
    if (!here || x->to->n == FRAMES_MOST)
        return _URC_NORMAL_STOP;
    if (!verdict_in_program(x->n, pc))
        return _URC_NO_REASON;
    x->inner = &x->to->at[x->to->n++];
    *x->inner = (struct frame){.pc = pc - !exact};
    note_registers(c, x->inner, exact);
    if (x->to->n == 1)
        note_call(x->registers, x->inner, pc);
    return _URC_NO_REASON;
}

void explain_take(struct native *n)
{
    struct region *r = n->region;
    const uint64_t *registers = n->registers;
    n->registers = NULL;
    if (!n->frames || !r)
        return;
    uintptr_t top = (uintptr_t)region_stack(r, n->stack);
    struct capture x = {n,   n->frames, NULL, registers, top - STACK_SIZE,
                        top, false};
    n->frames->n = 0;
    n->frames->entry = 0;
    _Unwind_Backtrace(on_frame, &x);
    if (r->running.fn) {
        n->frames->entry = r->running.fn + n->program->bias;
        n->frames->args[0] = (uintptr_t)&r->ctx;
        n->frames->args[1] = (uintptr_t)region_self(r);
        n->frames->args[2] = r->running.payload;
    }
    uint32_t deep = (uint32_t)(top - (uintptr_t)__builtin_frame_address(0));
    if (deep < STACK_SIZE - UNWINDER && r->dirty[n->stack] < deep + UNWINDER)
        r->dirty[n->stack] = deep + UNWINDER;
}

// ---- telling --------------------------------------------------------------

// The source text that failed: of an assertion its expression, else the line.
static void code_of(const struct bug *b, struct text *to)
{
    const char *from = b->text ? strchr(b->text, '\'') : NULL;
    const char *end = from ? strrchr(from + 1, '\'') : NULL;
    if (b->kind == BUG_ASSERTION && end)
        text_bytes(to, from + 1, (size_t)(end - from - 1));
    else
        source_line(b->file, b->line, to);
}

static const char *kept_text(struct native *n, struct text *t)
{
    const char *s = t->n ? keep_text(n, text_get(t)) : NULL;
    text_free(t);
    return s;
}

static const char *values_of(struct native *n, const struct bug *b)
{
    struct show show = show_memory(n);
    struct values_names names = show_names(&show);
    struct text code = {0}, t = {0};
    code_of(b, &code);
    frames_values(n->values, n->frames, text_get(&code), &names, &t);
    text_free(&code);
    return kept_text(n, &t);
}

static const char *chain_of(struct native *n)
{
    struct text t = {0};
    frames_chain(n->program, n->frames, &t);
    return kept_text(n, &t);
}

static const char *state_of(struct native *n, const struct region *r)
{
    const tr_class *cls = n->actors.at[r->actor].cls;
    struct show show = show_memory(n);
    struct values_names names = show_names(&show);
    struct text t = {0};
    if (cls)
        values_print(n->values, cls->name, region_self(r), cls->size, &names,
                     &t);
    return kept_text(n, &t);
}

void explain_bug(struct native *n, const struct region *r, struct bug *b)
{
    if (!n->frames)
        return;
    b->chain = chain_of(n);
    b->values = values_of(n, b);
    b->state = state_of(n, r);
    n->frames->n = 0;
    n->frames->entry = 0;
}

// Each candidate is run natively, with different contents of uninitialised
// memory and with objects elsewhere: what differs then is no case.
#include "unit/searching.h"

#include "base/text.h"
#include "symex/symex.h"
#include "unit/callback.h"
#include "unit/characters.h"
#include "unit/null_parameter.h"
#include "unit/runner.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

// The trap that this hit stands for, NULL if it is none; *fn gets its function.
const struct ir_inst *search_trap_at(const struct ir *ir, uint32_t hit,
                                     const struct ir_fn **fn)
{
    for (uint32_t k = 0; hit != IR_NOTHING && k < ir->fns.n; k++)
        for (uint32_t i = 0; i < ir->fns.at[k]->insts.n; i++) {
            const struct ir_inst *in = &ir->fns.at[k]->insts.at[i];
            if (in->op == IR_TRAP && in->site == hit) {
                *fn = ir->fns.at[k];
                return in;
            }
        }
    return NULL;
}

static const char *signal_name(int s)
{
    static const struct {
        int number;
        const char *name;
    } all[] = {{SIGSEGV, "SIGSEGV"}, {SIGFPE, "SIGFPE"}, {SIGABRT, "SIGABRT"},
               {SIGBUS, "SIGBUS"},   {SIGILL, "SIGILL"}, {SIGTRAP, "SIGTRAP"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].number == s)
            return all[i].name;
    return NULL;
}

void search_note(struct search *w, const char *text)
{
    for (uint32_t i = 0; i < w->out->notes.n; i++)
        if (strcmp(w->out->notes.at[i], text) == 0)
            return;
    vec_push(&w->out->notes, text);
}

// An end that the source asks for (abort, a failed assertion, exit) and that
// this run came to.
static const struct ir_inst *
written_end(const struct ir *ir, const uint8_t *hits, const struct ir_fn **fn)
{
    for (uint32_t k = 0; k < ir->fns.n; k++) {
        const struct ir_fn *f = ir->fns.at[k];
        for (uint32_t b = 0; b < f->blocks.n; b++) {
            const struct ir_block *bl = &f->blocks.at[b];
            const struct ir_inst *in = &f->insts.at[bl->first + bl->n - 1];
            if (in->op != IR_TRAP || in->sub < IR_TRAP_ASSERT ||
                unit_is_own(f->name) || !hits[ir_block_hit(f, bl)])
                continue;
            *fn = f;
            return in;
        }
    }
    return NULL;
}

// Does the engine say that memory is used after it was freed?
bool case_uses_freed(const struct unit_case *c)
{
    return c->expected && strcmp(c->expected, sx_trap_id(SX_TRAP_FREED)) == 0;
}

bool case_overflows(const struct unit_case *c)
{
    return c->expected &&
           strcmp(c->expected, sx_trap_id(SX_TRAP_OVERFLOW)) == 0;
}

static bool is_null_access(const struct runner_outcome *n)
{
    enum { FIRST_PAGE = 4096 };
    return n->end == RUNNER_SIGNALLED && n->number == SIGSEGV &&
           n->fault < FIRST_PAGE;
}

static bool tell_trap(struct search *w, const struct runner_outcome *n,
                      struct unit_case *c)
{
    const struct ir_fn *of = w->f;
    const struct ir_inst *trap = search_trap_at(w->ir, n->trap, &of);
    struct call_trap *t = &c->call.trap;
    if (trap && trap->sub == IR_TRAP_BOUNDS && is_null_access(n))
        return false; // a wrong index, but it is a null that ends the run
    trap = trap || case_uses_freed(c) ? trap : written_end(w->ir, n->hits, &of);
    if (!trap && c->expected) { // in a function of the C library
        of = w->ir->fns.at[c->expected_fn];
        trap = &of->insts.at[c->expected_inst];
    }
    t->kind = case_uses_freed(c)        ? c->expected
              : n->end == RUNNER_EXITED ? "exit"
              : trap && trap->op == IR_TRAP
                  ? ir_trap_id((enum ir_trap)trap->sub)
              : trap                 ? c->expected
              : n->number == SIGABRT ? "abort"
                                     : "signal";
    t->file = w->ir->files.at[of->file];
    t->line = trap ? trap->line : of->line;
    t->text = "";
    c->null_parameter = IR_NOTHING;
    if (!trap) // inside the C library, where nothing of ours looks
        return true;
    if (trap->line)
        t->text =
            condition_line(&w->file, w->a, t->file, trap->line, trap->column);
    if (strcmp(t->kind, "null") == 0)
        c->null_parameter = null_parameter(w->ir, w->f, &c->in, of, trap);
    return true;
}

void search_sides_of(struct search *w, const struct runner_outcome *n,
                     struct unit_case *c)
{
    uint32_t sides = w->out->sides.at.n;
    c->sides = arena_zero(w->a, sides + 1ul);
    for (uint32_t i = 0; i < sides; i++)
        c->sides[i] = n->hits[w->out->sides.at.at[i].hit] != 0;
}

// The end that the call must have, from the native run.
static bool take_end(struct search *w, const struct runner_outcome *n,
                     struct unit_case *c)
{
    c->trap = n->trap;
    c->ends = n->end != RUNNER_RETURNED;
    if (n->end == RUNNER_RETURNED) {
        c->call.end = CALL_RETURNS;
        return true;
    }
    c->call.end = n->end == RUNNER_EXITED ? CALL_EXITS : CALL_TRAPS;
    c->call.trap.signal = n->end == RUNNER_EXITED
                              ? arena_format(w->a, "%d", n->number)
                              : signal_name(n->number);
    if (n->end == RUNNER_LATE || n->end == RUNNER_REFUSED ||
        !c->call.trap.signal)
        return false;
    return tell_trap(w, n, c);
}

// What the call gave back must lie on the heap.
static void move_freed(struct unit_case *c, const struct runner_outcome *n)
{
    for (uint32_t i = 0; i < n->freed.n; i++)
        if (c->in.objects.at[n->freed.at[i]].form != CALL_FILE)
            c->in.objects.at[n->freed.at[i]].form = CALL_HEAP;
}

// Does the native run come to the access outside of its object that the engine
// came to?  It may have gone on in silence, also to another trap.
static bool is_seen(const struct search *w, const struct runner_outcome *n,
                    const struct unit_case *c)
{
    if (!c->expected || strcmp(c->expected, ir_trap_id(IR_TRAP_BOUNDS)) != 0)
        return true;
    const struct ir_inst *i =
        &w->ir->fns.at[c->expected_fn]->insts.at[c->expected_inst];
    return n->end == RUNNER_SIGNALLED && !is_null_access(n) &&
           (i->op != IR_TRAP || n->trap == i->site);
}

// Does it go on only because there is room behind what it allocates?
static bool overruns_heap(struct search *w, const struct unit_case *c,
                          const struct runner_outcome *n)
{
    struct runner_outcome tight = {0};
    if (!w->silent || n->end == RUNNER_SIGNALLED)
        return false;
    bool is =
        runner_run(w->s, w->a, w->f, w->pre, &c->in, 0, RUNNER_HEAP, &tight) &&
        tight.end == RUNNER_SIGNALLED;
    runner_release(&tight);
    return is;
}

// With different contents of memory nobody set, and with objects elsewhere:
// first with room around them, then against pages that may not be touched.
static bool run_again(struct search *w, struct unit_case *c,
                      struct runner_outcome *n)
{
    static const struct {
        uint8_t fill;
        enum runner_guard guard;
    } more[] = {{0xa5, RUNNER_BEHIND}, {0x5a, RUNNER_BEFORE}};
    bool freed = case_uses_freed(c);
    if (!runner_run(w->s, w->a, w->f, w->pre, &c->in, 0,
                    freed ? RUNNER_FENCED : RUNNER_PLAIN, n) ||
        n->end == RUNNER_LATE || n->end == RUNNER_REFUSED)
        return false;
    c->doubtful = !is_seen(w, n, c);
    if (c->doubtful)
        return true; // a sanitizer looks at it
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        struct runner_outcome other = {0};
        int differ = -1;
        if (runner_run(w->s, w->a, w->f, w->pre, &c->in, more[i].fill,
                       freed ? RUNNER_FENCED : more[i].guard, &other))
            differ = runner_agree(n, &other);
        if (differ >= 0 && memcmp(n->hits, other.hits, w->ir->n_hits) != 0)
            differ = -1; // the way depends on addresses, or on what nobody set
        runner_release(&other);
        if (differ < 0)
            return false;
        w->out->unstable += (uint32_t)differ;
    }
    c->doubtful = !freed && overruns_heap(w, c, n);
    return true;
}

static void tell_freed(struct unit_case *c, const struct runner_outcome *n)
{
    for (uint32_t i = 0; i < n->freed.n; i++)
        for (uint32_t k = 0; k < c->call.objects.n; k++)
            if (strcmp(c->call.objects.at[k].name,
                       c->in.objects.at[n->freed.at[i]].name) == 0)
                c->call.objects.at[k].freed = true;
}

// A test defines the functions that no other source defines.
void search_stubs(struct search *w, struct unit_case *c)
{
    for (uint32_t i = 0; i < w->s->stubs.n; i++) {
        uint32_t fn = ir_find_fn(w->ir, w->s->stubs.at[i]);
        if (unit_starts(w->s->stubs.at[i])) // the test itself needs fork()
            continue;
        struct ir_type t = w->ir->fns.at[fn]->result;
        bool ends = w->ir->fns.at[fn]->noreturn;
        struct call_stub stub = {.is_void = t.kind == IR_VOID || ends,
                                 .ends = ends,
                                 .kind = t.kind == IR_PTR     ? CALL_POINTER
                                         : t.kind != IR_FLOAT ? CALL_SIGNED
                                         : t.bits == 32       ? CALL_FLOAT
                                                              : CALL_DOUBLE,
                                 .name = w->s->stubs.at[i]};
        for (uint32_t k = 0; k < CALL_WRITES_MOST; k++)
            stub.writes[k] = (uint8_t)sx_written(w->ir, fn, k);
        const struct unit_callback *callback = callback_of(w->s, stub.name);
        if (callback) {
            stub.name = callback->name;
            stub.declaration = callback->declaration;
        }
        vec_push(&c->call.stubs, stub);
    }
    for (uint32_t i = 0; i < w->s->own.n; i++)
        vec_push(&c->call.own, w->s->own.at[i]);
}

// The case as a sanitizer is to see it.
static void doubt(struct unit_case *c)
{
    c->doubtful = true;
    c->trap = IR_NOTHING;
    c->ends = false;
    c->call.end = CALL_RETURNS;
    for (uint32_t i = 0; i < c->in.objects.n; i++)
        if (c->in.objects.at[i].form == CALL_BEHIND)
            c->in.objects.at[i].form = CALL_LOCAL;
}

bool search_confirm(struct search *w, struct unit_case *c)
{
    struct runner_outcome n = {0};
    const char *why = NULL;
    bool ok = run_again(w, c, &n);
    move_freed(c, &n);
    memset(&c->call, 0, sizeof c->call);
    ok = ok && take_end(w, &n, c);
    if (ok && c->doubtful)
        doubt(c);
    if (ok && c->trap != IR_NOTHING && !c->ends)
        ok = false; // a check failed, but nothing came of it
    ok = ok && input_call(w->ir, w->a, w->f, &c->in, &c->call, &why);
    if (ok) {
        search_stubs(w, c);
        search_sides_of(w, &n, c);
        c->steps = n.steps;
        c->weight = input_weight(w->ir, &c->in);
        for (uint32_t i = 0; i < n.after.n && !c->ends && !c->doubtful; i++)
            vec_push(&c->call.after, n.after.at[i]);
        for (uint32_t i = 0; i < n.before.n; i++)
            vec_push(&c->call.before, n.before.at[i]);
        c->call.after.n =
            characters_merge(w->a, c->call.after.at, c->call.after.n);
        tell_freed(c, &n);
    } else {
        w->out->lost++;
        if (why)
            search_note(w, why);
    }
    runner_release(&n);
    return ok;
}

// Ends that the user wrote: the way to them counts.
bool case_counts(const struct unit_case *c)
{
    static const char *const written[] = {"assert", "abort", "exit"};
    if (!c->ends)
        return true;
    for (size_t i = 0; i < sizeof written / sizeof *written; i++)
        if (strcmp(c->call.trap.kind, written[i]) == 0)
            return true;
    return false;
}

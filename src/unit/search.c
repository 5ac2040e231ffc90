// Candidates come from random native runs and from the engine; each is run
// natively twice, with different contents of uninitialised memory.  Of those
// confirmed, the simplest ones that add a side are kept.
#include "unit/search.h"

#include "base/clock.h"
#include "base/text.h"
#include "unit/callback.h"
#include "unit/condition.h"
#include "unit/endless.h"
#include "unit/engine.h"
#include "unit/fuzz.h"
#include "unit/names.h"
#include "unit/never.h"
#include "unit/null_parameter.h"
#include "unit/reasons.h"
#include "unit/characters.h"
#include "symex/symex.h"
#include "unit/spell.h"
#include "unit/suspects.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

static const double AGAIN = 2; // seconds of random runs after the engine
enum { SPARE_MOST = 200 };

struct search {
    const struct unit_subject *s;
    const struct ir *ir;
    struct arena *a;
    const struct ir_fn *f;
    const struct search_options *o;
    struct unit_result *out;
    VEC(struct unit_case) found;    // confirmed
    VEC(struct unit_case) suspects; // may go wrong in silence
    bool silent;                    // calls of the function may
    struct condition_file file;
    struct engine_result engine;
    uint32_t pre;       // IR_NOTHING: none
    const char **never; // by side: why nothing takes it, NULL: it may be taken
};

uint32_t unit_count(const struct unit_result *r, enum side_state state)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->sides.at.n; i++)
        n += r->of[i].state == state;
    return n;
}

// The trap that this hit stands for, NULL if it is none; *fn gets its function.
static const struct ir_inst *trap_at(const struct ir *ir, uint32_t hit,
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

// ---- confirming -----------------------------------------------------------

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

static void note(struct search *w, const char *text)
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
static bool uses_freed(const struct unit_case *c)
{
    return c->expected && strcmp(c->expected, sx_trap_id(SX_TRAP_FREED)) == 0;
}

static bool overflows(const struct unit_case *c)
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
    const struct ir_inst *trap = trap_at(w->ir, n->trap, &of);
    struct call_trap *t = &c->call.trap;
    if (trap && trap->sub == IR_TRAP_BOUNDS && is_null_access(n))
        return false; // a wrong index, but it is a null that ends the run
    trap = trap || uses_freed(c) ? trap : written_end(w->ir, n->hits, &of);
    if (!trap && c->expected) { // in a function of the C library
        of = w->ir->fns.at[c->expected_fn];
        trap = &of->insts.at[c->expected_inst];
    }
    t->kind = uses_freed(c)             ? c->expected
              : n->end == RUNNER_EXITED ? "exit"
              : trap                    ? ir_trap_id((enum ir_trap)trap->sub)
              : n->number == SIGABRT    ? "abort"
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

static void count_sides(struct search *w, const struct runner_outcome *n,
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
    bool freed = uses_freed(c);
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
static void add_stubs(struct search *w, struct unit_case *c)
{
    for (uint32_t i = 0; i < w->s->stubs.n; i++) {
        uint32_t fn = ir_find_fn(w->ir, w->s->stubs.at[i]);
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

static bool confirm(struct search *w, struct unit_case *c)
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
        add_stubs(w, c);
        count_sides(w, &n, c);
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
            note(w, why);
    }
    runner_release(&n);
    return ok;
}

// ---- arrays as long as they must be ---------------------------------------

static uint64_t elements_known(const struct input_object *o)
{
    uint64_t each = o->count ? o->size / o->count : o->size, n = 0;
    for (uint64_t i = 0; i < o->size; i++)
        if (o->known[i])
            n = i / each + 1;
    return n ? n : 1;
}

static void shorten(struct input_object *o, uint64_t count)
{
    uint64_t each = o->count ? o->size / o->count : o->size;
    o->count = count;
    o->size = count * each;
}

static bool same_end(const struct runner_outcome *a,
                     const struct runner_outcome *b, uint32_t n_hits)
{
    return a->end == b->end && a->number == b->number && a->trap == b->trap &&
           memcmp(a->hits, b->hits, n_hits) == 0;
}

// Try each array with no more elements than matter, against a forbidden page;
// what still runs the same way is as long as it must be.
static void fit_arrays(struct search *w, struct unit_case *c)
{
    struct runner_outcome whole = {0}, cut = {0};
    if (!runner_run(w->s, w->a, w->f, w->pre, &c->in, 0, RUNNER_PLAIN, &whole))
        return;
    for (uint32_t i = 0; i < c->in.objects.n; i++) {
        struct input_object *o = &c->in.objects.at[i], was = *o;
        if (!o->array)
            continue;
        for (uint64_t n = elements_known(o); n < was.count; n++) {
            shorten(o, n);
            o->form = CALL_BEHIND;
            bool same = runner_run(w->s, w->a, w->f, w->pre, &c->in, 0,
                                   RUNNER_PLAIN, &cut) &&
                        same_end(&whole, &cut, w->ir->n_hits);
            runner_release(&cut);
            if (same)
                break;
            *o = was;
        }
    }
    for (uint32_t i = 0; i < c->in.objects.n; i++) {
        struct input_object *o = &c->in.objects.at[i];
        o->form = o->more ? CALL_HEAP : CALL_LOCAL;
        o->array = o->array && o->count > 1;
    }
    runner_release(&whole);
}

// Ends that the user wrote: the way to them counts.
static bool is_written_end(const struct unit_case *c)
{
    static const char *const written[] = {"assert", "abort", "exit"};
    if (!c->ends)
        return true;
    for (size_t i = 0; i < sizeof written / sizeof *written; i++)
        if (strcmp(c->call.trap.kind, written[i]) == 0)
            return true;
    return false;
}

// ---- candidates -----------------------------------------------------------

static void take_candidate(struct search *w, const struct fuzz_found *f)
{
    struct unit_case c = {.null_parameter = IR_NOTHING, .telling = f->returned};
    input_copy(w->a, &f->in, &c.in);
    fit_arrays(w, &c);
    input_widen(w->ir, w->a, w->f, &c.in);
    input_rename(w->ir, w->a, &c.in);
    if (!confirm(w, &c)) {
        call_release(&c.call);
        input_release(&c.in);
    } else if (c.doubtful) {
        vec_push(&w->suspects, c);
    } else {
        vec_push(&w->found, c);
    }
}

// A run that only takes long is no trap.
static void tell_late(struct search *w, const struct call_case *c)
{
    struct text t = {0};
    text_format(&t, "Did not end within a second of processor time: %s(",
                w->f->name);
    for (uint32_t i = 0; i < c->arguments.n; i++)
        text_format(&t, "%s%s", i ? ", " : "", c->arguments.at[i]);
    text_add(&t, ").");
    note(w, arena_text(w->a, text_get(&t)));
    text_free(&t);
}

// The run of this case repeats itself.
static void take_endless(struct search *w, const struct runner_outcome *n,
                         struct unit_case *c)
{
    c->ends = true;
    c->call.end = CALL_TRAPS;
    c->call.trap = endless_trap(w->ir, w->a, &w->file, w->f, n);
    add_stubs(w, c);
    count_sides(w, n, c);
    c->steps = n->steps;
    c->weight = input_weight(w->ir, &c->in);
    vec_push(&w->found, *c);
}

// An input whose run did not end.
static void take_late(struct search *w, const struct input *in)
{
    struct unit_case c = {.null_parameter = IR_NOTHING, .trap = IR_NOTHING};
    struct runner_outcome n = {0};
    const char *why;
    if (endless_ring(in)) {
        note(w, arena_format(w->a,
                             "Does not end where its objects form a ring; "
                             "unit_acyclic() in pre_%s() excludes that.",
                             w->f->name));
        return;
    }
    input_copy(w->a, in, &c.in);
    input_rename(w->ir, w->a, &c.in);
    bool late =
        runner_run(w->s, w->a, w->f, w->pre, &c.in, 0, RUNNER_PLAIN, &n) &&
        n.end == RUNNER_LATE &&
        input_call(w->ir, w->a, w->f, &c.in, &c.call, &why);
    if (late && n.n_repeats) {
        take_endless(w, &n, &c);
    } else {
        if (late && endless_small(w->ir, &c.in))
            tell_late(w, &c.call);
        call_release(&c.call);
        input_release(&c.in);
    }
    runner_release(&n);
}

// Arrays whose overrun is the point lie against a page that may not be
// touched.
static void guard_arrays(struct unit_case *c)
{
    for (uint32_t i = 0; i < c->in.objects.n; i++)
        if (c->in.objects.at[i].role == INPUT_OBJECT)
            c->in.objects.at[i].form = CALL_BEHIND;
}

// A plain native run does not show a use of freed memory, so there is a note
// instead of a test.
static void tell_freed_use(struct search *w, const struct engine_found *f)
{
    const struct ir_inst *i = &w->ir->fns.at[f->fn]->insts.at[f->inst];
    note(w, arena_format(w->a,
                         "Memory is used after it was freed at line %u; run "
                         "under -fsanitize=address to see it.",
                         i->line));
}

// Nor does it show a signed overflow: it goes on with some number.
static void tell_overflow(struct search *w, const struct engine_found *f,
                          const struct call_case *c)
{
    uint32_t line = w->ir->fns.at[f->fn]->insts.at[f->inst].line;
    const char *where = arena_format(w->a, "Signed overflow at line %u ", line);
    struct text t = {0};
    for (uint32_t i = 0; i < w->out->notes.n; i++)
        if (strncmp(w->out->notes.at[i], where, strlen(where)) == 0)
            return;
    text_format(&t, "%sin %s(", where, w->f->name);
    for (uint32_t i = 0; i < c->arguments.n; i++)
        text_format(&t, "%s%s", i ? ", " : "", c->arguments.at[i]);
    text_add(&t, "); run under -fsanitize=undefined to see it.");
    note(w, arena_text(w->a, text_get(&t)));
    text_free(&t);
    w->out->overflows++;
}

// Tell what a case assumes, in the comment above its test.
static void tell_labels(struct unit_case *c)
{
    static const struct {
        uint32_t label;
        const char *text;
    } all[] = {
        {SX_ASSUMED_INSIDE, "Assumes that its arrays are as long as needed."},
        {SX_STUBBED, "A stub returns what this case needs."},
        {SX_MODELLED, "Leans on a model of a library function."},
        {SX_UNINITIALISED, "Reads memory that nothing was written to."}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (c->labels & all[i].label)
            vec_push(&c->call.labels, all[i].text);
}

static void take_path(struct search *w, const struct engine_found *f)
{
    const struct ir_fn *of;
    if (w->o->strict && f->labels & ~(uint32_t)SX_ALLOCATION)
        return;
    const struct ir_inst *trap = trap_at(w->ir, f->trap, &of);
    struct unit_case c = {.labels = f->labels,
                          .null_parameter = IR_NOTHING,
                          .expected = f->kind,
                          .expected_fn = f->fn,
                          .expected_inst = f->inst};
    input_copy(w->a, &f->in, &c.in);
    if (trap && trap->sub == IR_TRAP_BOUNDS)
        guard_arrays(&c);
    input_widen(w->ir, w->a, w->f, &c.in);
    input_rename(w->ir, w->a, &c.in);
    bool confirmed = confirm(w, &c);
    if (overflows(&c))
        tell_overflow(w, f, &c.call);
    if (confirmed && c.doubtful) {
        tell_labels(&c);
        vec_push(&w->suspects, c);
    } else if (confirmed && c.ends != f->returned) {
        tell_labels(&c);
        vec_push(&w->found, c);
    } else {
        if (uses_freed(&c))
            tell_freed_use(w, f);
        call_release(&c.call);
        input_release(&c.in);
    }
}

// Sides for which no input is looked for any more.
static uint8_t *taken_so_far(struct search *w)
{
    uint8_t *all = arena_zero(w->a, w->out->sides.at.n + 1ul);
    for (uint32_t k = 0; k < w->out->sides.at.n; k++)
        all[k] = w->never[k] != NULL;
    for (uint32_t i = 0; i < w->found.n; i++)
        for (uint32_t k = 0; k < w->out->sides.at.n; k++)
            all[k] |=
                w->found.at[i].sides[k] && is_written_end(&w->found.at[i]);
    return all;
}

static void symbolic_runs(struct search *w, double seconds)
{
    struct engine_options o = {.seconds = seconds,
                               .seed = w->o->seed,
                               .pre = w->pre,
                               .elsewhere = taken_so_far(w),
                               .all = w->o->all,
                               .by_path = w->o->by_path,
                               .loop = w->o->loop,
                               .loop_to = w->o->loop_to,
                               .local = w->o->local,
                               .lines = w->o->lines,
                               .n_lines = w->o->n_lines,
                               .recursion = w->o->recursion,
                               .array = w->o->array,
                               .lazy = w->o->lazy,
                               .inlined = w->o->inlined,
                               .overflow = w->o->overflow};
    struct engine_result *r = &w->engine;
    engine(w->s, w->a, w->f, &w->out->sides, &o, r);
    for (uint32_t i = 0; i < r->found.n; i++)
        take_path(w, &r->found.at[i]);
    if (r->died)
        note(w, "The engine was lost: a fault of this tool.");
    w->out->paths = r->paths;
    w->out->unsatisfied = w->pre != IR_NOTHING && r->complete && !r->paths;
    w->out->listed = r->cases;
    w->out->cut = r->cut;
    w->out->stopped = r->stopped && w->o->all;
    for (uint32_t i = 0; i < r->levels.n; i++)
        vec_push(&w->out->levels, r->levels.at[i]);
    for (uint32_t i = 0; i < r->summaries.n; i++)
        vec_push(&w->out->summaries, r->summaries.at[i]);
    w->out->steps = r->steps;
    w->out->asked = r->asked;
    w->out->traces = r->traces;
    w->out->feasible = r->feasible;
    w->out->undecided = r->undecided;
    w->out->reached = r->reached;
}

static bool is_open(struct search *w)
{
    const uint8_t *taken = taken_so_far(w);
    for (uint32_t i = 0; i < w->out->sides.at.n; i++)
        if (!taken[i] && !w->engine.complete)
            return true;
    return false;
}

static double left_of(const struct search *w, double from)
{
    double left = w->o->seconds - (clock_now() - from);
    return left < 0.1 ? 0.1 : left > AGAIN ? AGAIN : left;
}

static void random_runs(struct search *w, double seconds)
{
    struct fuzz_options o = {
        .pre = w->pre, .seconds = seconds, .seed = w->o->seed + w->out->runs};
    struct fuzz_result r;
    fuzz(w->s, w->a, w->f, &w->out->sides, &o, &r);
    w->out->runs += r.runs;
    if (r.died)
        note(w, "The process of the random runs was lost.");
    for (uint32_t i = 0; i < r.found.n; i++)
        if (r.found.at[i].late)
            take_late(w, &r.found.at[i].in);
        else
            take_candidate(w, &r.found.at[i]);
    fuzz_free(&r);
}

// ---- what goes wrong in silence -------------------------------------------

// Has another case of this trap been confirmed?
static bool is_confirmed(const struct search *w, const struct unit_case *c)
{
    for (uint32_t i = 0; i < w->found.n; i++)
        if (w->found.at[i].expected &&
            w->found.at[i].expected_fn == c->expected_fn &&
            w->found.at[i].expected_inst == c->expected_inst)
            return true;
    return false;
}

static void tell_doubt(struct search *w, const struct unit_case *c)
{
    if (!c->expected || is_confirmed(w, c))
        return;
    const struct ir_fn *of = w->ir->fns.at[c->expected_fn];
    note(w, arena_format(w->a,
                         "An access outside of its object at line %u is "
                         "possible, but no sanitizer confirms it.",
                         of->insts.at[c->expected_inst].line));
}

// Ask a sanitizer about suspects and about cases that return.
static void settle_suspects(struct search *w)
{
    uint32_t n = 0, all = w->suspects.n + w->found.n;
    struct unit_case **cases = arena_get(w->a, (all + 1ul) * sizeof *cases);
    bool *wrong = arena_zero(w->a, all + 1ul);
    if (!w->suspects.n && !w->silent)
        return;
    for (uint32_t i = 0; i < w->suspects.n; i++)
        cases[n++] = &w->suspects.at[i];
    for (uint32_t i = 0; i < w->found.n; i++)
        if (!w->found.at[i].ends)
            cases[n++] = &w->found.at[i];
    suspects_settle(w->s, w->a, cases, n, wrong);
    for (uint32_t i = 0; i < w->suspects.n; i++)
        if (wrong[i])
            vec_push(&w->found, w->suspects.at[i]);
    for (uint32_t i = 0; i < w->suspects.n; i++) {
        struct unit_case *c = &w->suspects.at[i];
        if (wrong[i])
            continue;
        w->out->lost += !c->expected || !is_confirmed(w, c);
        tell_doubt(w, c);
        call_release(&c->call);
        input_release(&c->in);
    }
    vec_free(&w->suspects);
}

// ---- choosing -------------------------------------------------------------

static int by_simplicity(const void *x, const void *y)
{
    const struct unit_case *a = x, *b = y;
    if (a->ends != b->ends)
        return a->ends ? 1 : -1;
    if (a->steps != b->steps)
        return a->steps < b->steps ? -1 : 1;
    if (a->telling != b->telling)
        return a->telling ? -1 : 1;
    return a->weight < b->weight ? -1 : a->weight > b->weight;
}

static bool is_known_trap(const struct unit_result *r,
                          const struct unit_case *c)
{
    for (uint32_t i = 0; i < r->cases.n; i++) {
        const struct unit_case *o = &r->cases.at[i];
        if (o->ends &&
            (o->null_parameter == IR_NOTHING) ==
                (c->null_parameter == IR_NOTHING) &&
            strcmp(o->call.trap.kind, c->call.trap.kind) == 0 &&
            o->call.trap.line == c->call.trap.line &&
            strcmp(o->call.trap.file, c->call.trap.file) == 0)
            return true;
    }
    return false;
}

static bool adds(struct search *w, const struct unit_case *c)
{
    struct unit_result *r = w->out;
    bool new = false;
    if (is_written_end(c))
        for (uint32_t i = 0; i < r->sides.at.n; i++)
            new |= c->sides[i] && r->of[i].state != SIDE_COVERED;
    if (!r->sides.at.n && !c->ends && !r->cases.n)
        new = true;
    if (c->ends && !is_known_trap(r, c) && !w->o->no_traps)
        new = true;
    return new || w->o->all || search_guided(w->o);
}

static uint32_t count_new(const struct search *w, const struct unit_case *c,
                          const uint8_t *seen)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < w->out->sides.at.n; k++)
        n += c->sides[k] && !seen[k] && is_written_end(c);
    return n;
}

// Greedy order: next is always the case that adds the most sides.
static void sort_for_fewest(struct search *w)
{
    uint8_t *seen = arena_zero(w->a, w->out->sides.at.n + 1ul);
    for (uint32_t i = 0; i < w->found.n; i++) {
        uint32_t best = i;
        for (uint32_t k = i + 1; k < w->found.n; k++)
            if (count_new(w, &w->found.at[k], seen) >
                count_new(w, &w->found.at[best], seen))
                best = k;
        struct unit_case c = w->found.at[best];
        w->found.at[best] = w->found.at[i];
        w->found.at[i] = c;
        for (uint32_t k = 0; k < w->out->sides.at.n; k++)
            seen[k] |= c.sides[k] && is_written_end(&c);
    }
}

static bool passes(const struct search *w, const struct unit_case *c,
                   const char *function)
{
    for (uint32_t i = 0; i < c->in.objects.n; i++) {
        const struct input_object *o = &c->in.objects.at[i];
        for (uint32_t k = 0; k < o->links.n; k++)
            if (o->links.at[k].fn != IR_NOTHING &&
                strcmp(w->ir->fns.at[o->links.at[k].fn]->name, function) == 0)
                return true;
    }
    return false;
}

// A callback that no case passes is not defined.
static void drop_callbacks(struct search *w)
{
    struct unit_result *r = w->out;
    for (uint32_t i = 0; i < w->s->callbacks.n; i++) {
        const char *name = w->s->callbacks.at[i].name;
        bool used = false;
        for (uint32_t k = 0; k < r->cases.n && !used; k++)
            used = passes(w, &r->cases.at[k], name);
        for (uint32_t k = 0; k < r->cases.n && !used; k++) {
            struct call_case *c = &r->cases.at[k].call;
            uint32_t kept = 0;
            for (uint32_t m = 0; m < c->stubs.n; m++)
                if (strcmp(c->stubs.at[m].name, name) != 0)
                    c->stubs.at[kept++] = c->stubs.at[m];
            c->stubs.n = kept;
        }
    }
}

static void choose(struct search *w)
{
    struct unit_result *r = w->out;
    if (w->found.n)
        qsort(w->found.at, w->found.n, sizeof *w->found.at, by_simplicity);
    if (w->o->fewest)
        sort_for_fewest(w);
    for (uint32_t i = 0; i < w->found.n; i++) {
        struct unit_case *c = &w->found.at[i];
        if (!adds(w, c) && r->spare.n < SPARE_MOST) {
            vec_push(&r->spare, *c);
            continue;
        }
        if (!adds(w, c)) {
            call_release(&c->call);
            input_release(&c->in);
            continue;
        }
        names_of(w->a, &r->sides, r->of, c);
        c->counts = is_written_end(c);
        for (uint32_t k = 0; k < r->sides.at.n && c->counts; k++)
            if (c->sides[k])
                r->of[k].state = SIDE_COVERED;
        vec_push(&r->cases, *c);
    }
    r->with_traps = !w->o->no_traps;
    drop_callbacks(w);
    names_unique(w->a, r->cases.at, r->cases.n);
}

void unit_search(const struct unit_subject *s, struct arena *a, uint32_t fn,
                 const struct search_options *o, struct unit_result *out)
{
    struct search w = {.s = s,
                       .ir = s->ir,
                       .a = a,
                       .f = s->ir->fns.at[fn],
                       .o = o,
                       .out = out,
                       .pre = o->pre};
    double from = clock_now();
    memset(out, 0, sizeof *out);
    out->f = w.f;
    sides_of(s->ir, w.f, a, &out->sides);
    out->of = arena_zero(a, (out->sides.at.n + 1ul) * sizeof *out->of);
    out->refused = unit_refuses(s->ir, w.f);
    w.silent = suspects_possible(s->ir, w.f);
    w.never = arena_zero(a, (out->sides.at.n + 1ul) * sizeof *w.never);
    for (uint32_t i = 0; i < out->sides.at.n; i++)
        w.never[i] = never_taken(s->ir, w.f, &out->sides.at.at[i], a);
    if (!out->refused && (o->all || search_guided(o))) {
        symbolic_runs(&w, o->seconds);
    } else if (!out->refused) {
        random_runs(&w, o->seconds < 2 ? o->seconds / 8 : 0.25);
        symbolic_runs(&w, 0.8 * (o->seconds - (clock_now() - from)));
        if (is_open(&w))
            random_runs(&w, left_of(&w, from));
    }
    settle_suspects(&w);
    choose(&w);
    struct reasons why = {s, a, w.f, o, out, &w.engine, w.never};
    reasons_say(&why);
    engine_free(&w.engine);
    vec_free(&w.found);
    out->seconds = clock_now() - from;
}

// Put it among the cases, before those that end.
static void insert(struct unit_result *r, struct arena *a, struct unit_case c)
{
    uint32_t at = r->cases.n;
    names_of(a, &r->sides, r->of, &c);
    c.counts = is_written_end(&c);
    vec_push(&r->cases, c);
    for (; !c.ends && at && r->cases.at[at - 1].ends; at--)
        r->cases.at[at] = r->cases.at[at - 1];
    r->cases.at[at] = c;
    for (uint32_t k = 0; k < r->sides.at.n && c.counts; k++)
        if (c.sides[k])
            r->of[k].state = SIDE_COVERED;
}

static void take_spare(struct unit_result *r, struct arena *a, uint32_t i)
{
    insert(r, a, r->spare.at[i]);
    for (r->spare.n--; i < r->spare.n; i++)
        r->spare.at[i] = r->spare.at[i + 1];
}

static bool cover_again(struct unit_result *r, struct arena *a, uint32_t side)
{
    for (uint32_t i = 0; i < r->spare.n; i++)
        if (r->spare.at[i].sides[side] && is_written_end(&r->spare.at[i])) {
            take_spare(r, a, i);
            return true;
        }
    return false;
}

bool unit_recount(struct unit_result *r, struct arena *a)
{
    bool all = true;
    for (uint32_t i = 0; i < r->sides.at.n; i++) {
        bool was = r->of[i].state == SIDE_COVERED, is = false;
        for (uint32_t k = 0; k < r->cases.n; k++)
            is |= r->cases.at[k].sides[i] && r->cases.at[k].counts;
        if (was && !is) {
            r->of[i].state = SIDE_OPEN;
            r->of[i].why = r->outside
                               ? r->outside
                               : "its test does not pass with every compiler";
        }
    }
    for (uint32_t i = 0; i < r->sides.at.n; i++)
        if (r->of[i].state == SIDE_OPEN && !cover_again(r, a, i))
            all = false;
    for (uint32_t i = 0; i < r->spare.n; i++)
        if (r->spare.at[i].ends && r->with_traps &&
            !is_known_trap(r, &r->spare.at[i]))
            take_spare(r, a, i--);
    names_unique(a, r->cases.at, r->cases.n);
    return all;
}

void unit_result_free(struct unit_result *r)
{
    for (uint32_t i = 0; i < r->cases.n; i++) {
        call_release(&r->cases.at[i].call);
        input_release(&r->cases.at[i].in);
    }
    for (uint32_t i = 0; i < r->spare.n; i++) {
        call_release(&r->spare.at[i].call);
        input_release(&r->spare.at[i].in);
    }
    vec_free(&r->cases);
    vec_free(&r->spare);
    vec_free(&r->levels);
    vec_free(&r->summaries);
    vec_free(&r->notes);
    sides_free(&r->sides);
}

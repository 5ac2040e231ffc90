// Candidates come from random native runs and from the engine; each is run
// natively twice, with different contents of uninitialised memory.  Of those
// confirmed, the simplest ones that add a side are kept.
#include "unit/search.h"

#include "base/clock.h"
#include "base/text.h"
#include "unit/condition.h"
#include "unit/engine.h"
#include "unit/fuzz.h"
#include "unit/names.h"
#include "symex/symex.h"
#include "unit/spell.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

static const double AGAIN = 2; // seconds of random runs after the engine

struct search {
    const struct unit_subject *s;
    const struct ir *ir;
    struct arena *a;
    const struct ir_fn *f;
    const struct search_options *o;
    struct unit_result *out;
    VEC(struct unit_case) found; // confirmed
    struct condition_file file;
    struct engine_result engine;
    uint32_t pre; // IR_NOTHING: none
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

// ---- confirming
// ---------------------------------------------------------------

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

// The parameter that a condition compares with null.
static uint32_t compared(const struct ir_fn *f, ir_id v, int depth)
{
    if (v & IR_CONST_BIT || depth > 3)
        return IR_NOTHING;
    const struct ir_inst *c = &f->insts.at[v];
    if ((c->op == IR_NE || c->op == IR_EQ) && ir_args(f, c)[0] < f->n_params &&
        f->insts.at[ir_args(f, c)[0]].type.kind == IR_PTR)
        return ir_args(f, c)[0];
    uint32_t found = IR_NOTHING;
    for (uint32_t i = 0; i < c->n && found == IR_NOTHING &&
                         (c->op == IR_OR || c->op == IR_AND || c->op == IR_XOR);
         i++)
        found = compared(f, ir_args(f, c)[i], depth + 1);
    return found;
}

// The parameter that a failed check is about, IR_NOTHING if it is none.
static uint32_t parameter_of(const struct ir_fn *f, const struct ir_inst *trap)
{
    uint32_t block = ir_block_of(f, (uint32_t)(trap - f->insts.at));
    for (uint32_t i = 0; i < f->blocks.at[block].n_preds; i++) {
        const struct ir_block *p =
            &f->blocks.at[ir_preds(f, &f->blocks.at[block])[i]];
        const struct ir_inst *end = &f->insts.at[p->first + p->n - 1];
        uint32_t found = end->op == IR_BRANCH
                             ? compared(f, ir_args(f, end)[0], 0)
                             : IR_NOTHING;
        if (found != IR_NOTHING)
            return found;
    }
    return IR_NOTHING;
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

// The parameter, null in this case, that a call is given.
static uint32_t null_argument(const struct ir_fn *f, const struct ir_inst *call,
                              const struct unit_case *c)
{
    for (uint32_t i = 1; i < call->n; i++) {
        ir_id v = ir_args(f, call)[i];
        if (v >= f->n_params || v >= c->in.objects.n ||
            f->insts.at[v].type.kind != IR_PTR)
            continue;
        const struct input_link *l = input_link_at(&c->in.objects.at[v], 0);
        if (l && l->object == IR_NOTHING && l->fn == IR_NOTHING)
            return v;
    }
    return IR_NOTHING;
}

static bool tell_trap(struct search *w, const struct runner_outcome *n,
                      struct unit_case *c)
{
    const struct ir_fn *of = w->f;
    const struct ir_inst *trap = trap_at(w->ir, n->trap, &of);
    struct call_trap *t = &c->call.trap;
    trap = trap ? trap : written_end(w->ir, n->hits, &of);
    if (!trap && c->expected) { // in a function of the C library
        of = w->ir->fns.at[c->expected_fn];
        trap = &of->insts.at[c->expected_inst];
    }
    t->kind = trap                      ? ir_trap_id((enum ir_trap)trap->sub)
              : n->end == RUNNER_EXITED ? "exit"
              : n->number == SIGABRT    ? "abort"
                                        : "signal";
    t->file = w->ir->files.at[of->file];
    t->line = trap->line;
    t->text = "";
    c->null_parameter = IR_NOTHING;
    if (trap->line)
        t->text =
            condition_line(&w->file, w->a, t->file, trap->line, trap->column);
    if (of == w->f && strcmp(t->kind, "null") == 0)
        c->null_parameter = trap->op == IR_TRAP ? parameter_of(of, trap)
                                                : null_argument(of, trap, c);
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

static bool run_twice(struct search *w, const struct unit_case *c,
                      struct runner_outcome *n)
{
    struct runner_outcome other = {0};
    if (!runner_run(w->s, w->a, w->f, w->pre, &c->in, 0, n) ||
        n->end == RUNNER_LATE || n->end == RUNNER_REFUSED ||
        !runner_run(w->s, w->a, w->f, w->pre, &c->in, 0xa5, &other))
        return false;
    int differ = runner_agree(n, &other);
    if (differ > 0)
        w->out->unstable += (uint32_t)differ;
    runner_release(&other);
    return differ >= 0;
}

static void tell_freed(struct unit_case *c, const struct runner_outcome *n)
{
    for (uint32_t i = 0; i < n->freed.n; i++)
        for (uint32_t k = 0; k < c->call.objects.n; k++)
            if (strcmp(c->call.objects.at[k].name,
                       c->in.objects.at[n->freed.at[i]].name) == 0)
                c->call.objects.at[k].freed = true;
}

// A test defines what nobody else does.
static void add_stubs(struct search *w, struct unit_case *c)
{
    for (uint32_t i = 0; i < w->s->stubs.n; i++) {
        uint32_t fn = ir_find_fn(w->ir, w->s->stubs.at[i]);
        struct ir_type t = w->ir->fns.at[fn]->result;
        struct call_stub stub = {.is_void = t.kind == IR_VOID,
                                 .kind = t.kind == IR_PTR     ? CALL_POINTER
                                         : t.kind != IR_FLOAT ? CALL_SIGNED
                                         : t.bits == 32       ? CALL_FLOAT
                                                              : CALL_DOUBLE,
                                 .name = w->s->stubs.at[i]};
        vec_push(&c->call.stubs, stub);
    }
}

static bool confirm(struct search *w, struct unit_case *c)
{
    struct runner_outcome n = {0};
    const char *why = NULL;
    bool ok = run_twice(w, c, &n);
    move_freed(c, &n);
    memset(&c->call, 0, sizeof c->call);
    ok = ok && take_end(w, &n, c);
    if (ok && c->trap != IR_NOTHING && !c->ends)
        ok = false; // a check failed, but nothing came of it
    ok = ok && input_call(w->ir, w->a, w->f, &c->in, &c->call, &why);
    if (ok) {
        add_stubs(w, c);
        count_sides(w, &n, c);
        c->steps = n.steps;
        c->weight = input_weight(w->ir, &c->in);
        for (uint32_t i = 0; i < n.after.n && !c->ends; i++)
            vec_push(&c->call.after, n.after.at[i]);
        tell_freed(c, &n);
    } else {
        w->out->lost++;
        if (why)
            note(w, why);
    }
    runner_release(&n);
    return ok;
}

// ---- arrays as long as they must be
// ---------------------------------------------

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
    if (!runner_run(w->s, w->a, w->f, w->pre, &c->in, 0, &whole))
        return;
    for (uint32_t i = 0; i < c->in.objects.n; i++) {
        struct input_object *o = &c->in.objects.at[i], was = *o;
        if (!o->array)
            continue;
        for (uint64_t n = elements_known(o); n < was.count; n++) {
            shorten(o, n);
            o->form = CALL_BEHIND;
            bool same = runner_run(w->s, w->a, w->f, w->pre, &c->in, 0, &cut) &&
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

// ---- candidates
// -------------------------------------------------------------------

static void take_candidate(struct search *w, const struct fuzz_found *f)
{
    struct unit_case c = {.null_parameter = IR_NOTHING};
    input_copy(w->a, &f->in, &c.in);
    fit_arrays(w, &c);
    input_rename(w->ir, w->a, &c.in);
    if (confirm(w, &c)) {
        vec_push(&w->found, c);
    } else {
        call_release(&c.call);
        input_release(&c.in);
    }
}

// Arrays whose overrun is the point lie against a page that may not be
// touched.
static void guard_arrays(struct unit_case *c)
{
    for (uint32_t i = 0; i < c->in.objects.n; i++)
        if (c->in.objects.at[i].role == INPUT_OBJECT)
            c->in.objects.at[i].form = CALL_BEHIND;
}

// A plain run does not show it, so there is no test of it.
static void tell_freed_use(struct search *w, const struct engine_found *f)
{
    const struct ir_inst *i = &w->ir->fns.at[f->fn]->insts.at[f->inst];
    note(w, arena_format(w->a,
                         "Memory is used after it was freed at line %u; run "
                         "under -fsanitize=address to see it.",
                         i->line));
}

// What a case leans on, above its test.
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
    if (f->kind && strcmp(f->kind, sx_trap_id(SX_TRAP_FREED)) == 0) {
        tell_freed_use(w, f);
        return;
    }
    struct unit_case c = {.labels = f->labels,
                          .null_parameter = IR_NOTHING,
                          .expected = f->kind,
                          .expected_fn = f->fn,
                          .expected_inst = f->inst};
    input_copy(w->a, &f->in, &c.in);
    if (trap && trap->sub == IR_TRAP_BOUNDS)
        guard_arrays(&c);
    input_rename(w->ir, w->a, &c.in);
    if (confirm(w, &c) && c.ends != f->returned) {
        tell_labels(&c);
        vec_push(&w->found, c);
    } else {
        call_release(&c.call);
        input_release(&c.in);
    }
}

static uint8_t *taken_so_far(struct search *w)
{
    uint8_t *all = arena_zero(w->a, w->out->sides.at.n + 1ul);
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
                               .recursion = w->o->recursion,
                               .array = w->o->array,
                               .lazy = w->o->lazy,
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
    // A wild write may end the process: the fewer runs, the rarer that is.
    for (int i = 0; i < 4; i++, o.seconds /= 4, o.seed++) {
        fuzz(w->s, w->a, w->f, &w->out->sides, &o, &r);
        if (!r.died)
            break;
    }
    w->out->runs += r.runs;
    if (r.died)
        note(w, "The process of the random runs was lost.");
    for (uint32_t i = 0; i < r.found.n; i++)
        take_candidate(w, &r.found.at[i]);
    fuzz_free(&r);
}

// ---- choosing
// -----------------------------------------------------------------------

static int by_simplicity(const void *x, const void *y)
{
    const struct unit_case *a = x, *b = y;
    if (a->ends != b->ends)
        return a->ends ? 1 : -1;
    if (a->steps != b->steps)
        return a->steps < b->steps ? -1 : 1;
    return a->weight < b->weight ? -1 : a->weight > b->weight;
}

static bool is_known_trap(const struct unit_result *r,
                          const struct unit_case *c)
{
    for (uint32_t i = 0; i < r->cases.n; i++) {
        const struct unit_case *o = &r->cases.at[i];
        if (o->ends && strcmp(o->call.trap.kind, c->call.trap.kind) == 0 &&
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
    return new || w->o->all;
}

static uint32_t count_new(const struct search *w, const struct unit_case *c,
                          const uint8_t *seen)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < w->out->sides.at.n; k++)
        n += c->sides[k] && !seen[k] && is_written_end(c);
    return n;
}

// The one that adds most comes first, again and again.
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

static void choose(struct search *w)
{
    struct unit_result *r = w->out;
    qsort(w->found.at, w->found.n, sizeof *w->found.at, by_simplicity);
    if (w->o->fewest)
        sort_for_fewest(w);
    for (uint32_t i = 0; i < w->found.n; i++) {
        struct unit_case *c = &w->found.at[i];
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
    names_unique(w->a, r->cases.at, r->cases.n);
}

// Why a side stays open: what stopped the engine first.
static const char *reason(struct search *w)
{
    const struct engine_result *e = &w->engine;
    if (e->died)
        return "the engine was lost: a fault of this tool";
    if (e->notes.n)
        return e->notes.at[0];
    if (e->cut_line)
        return arena_format(w->a,
                            "needs more than %u turn%s of the loop at line %u "
                            "(%s %u)",
                            e->loop, e->loop == 1 ? "" : "s", e->cut_line,
                            w->o->all ? "--loop" : "--time, or --loop",
                            2 * e->loop + !e->loop);
    return "no input found within the time (--time)";
}

static void say_rest(struct search *w)
{
    for (uint32_t i = 0; i < w->out->sides.at.n; i++) {
        struct side_result *s = &w->out->of[i];
        if (s->state == SIDE_COVERED)
            continue;
        if (w->engine.labels & SX_ALLOCATION && w->engine.complete) {
            s->why = "malloc is taken to succeed";
        } else if (w->engine.complete && !w->out->lost &&
                   !(w->engine.labels & ~(uint32_t)SX_ALLOCATION)) {
            s->state = SIDE_INFEASIBLE;
            s->why = "no path takes it";
        } else if (!s->why) {
            s->why = w->out->refused ? w->out->refused : reason(w);
        }
    }
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
    if (!out->refused && o->all) {
        symbolic_runs(&w, o->seconds);
    } else if (!out->refused) {
        random_runs(&w, o->seconds < 2 ? o->seconds / 8 : 0.25);
        symbolic_runs(&w, 0.8 * (o->seconds - (clock_now() - from)));
        if (is_open(&w))
            random_runs(&w, left_of(&w, from));
    }
    choose(&w);
    say_rest(&w);
    engine_free(&w.engine);
    vec_free(&w.found);
    out->seconds = clock_now() - from;
}

void unit_recount(struct unit_result *r)
{
    for (uint32_t i = 0; i < r->sides.at.n; i++) {
        bool was = r->of[i].state == SIDE_COVERED, is = false;
        for (uint32_t k = 0; k < r->cases.n; k++)
            is |= r->cases.at[k].sides[i] && r->cases.at[k].counts;
        if (was && !is) {
            r->of[i].state = SIDE_OPEN;
            r->of[i].why = "its test does not pass with every compiler";
        }
    }
}

void unit_result_free(struct unit_result *r)
{
    for (uint32_t i = 0; i < r->cases.n; i++) {
        call_release(&r->cases.at[i].call);
        input_release(&r->cases.at[i].in);
    }
    vec_free(&r->cases);
    vec_free(&r->notes);
    sides_free(&r->sides);
}

// Inputs of random runs and of the engine's paths become cases.
#include "unit/searching.h"

#include "base/text.h"
#include "unit/arms.h"
#include "unit/characters.h"
#include "unit/endless.h"
#include "unit/runner.h"
#include "unit/spell.h"

#include <stdlib.h>
#include <string.h>

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
        if (o->form == CALL_FILE)
            continue;
        o->form = o->more ? CALL_HEAP : CALL_LOCAL;
        o->array = o->array && o->count > 1;
    }
    runner_release(&whole);
}

// ---- candidates -----------------------------------------------------------

void search_take_random(struct search *w, const struct fuzz_found *f)
{
    struct unit_case c = {.null_parameter = IR_NOTHING, .telling = f->returned};
    input_copy(w->a, &f->in, &c.in);
    fit_arrays(w, &c);
    input_widen(w->ir, w->a, w->f, &w->file, &c.in);
    input_rename(w->ir, w->a, &c.in);
    c.untyped = arms_uncertain(w->ir, &c.in);
    if (!search_confirm(w, &c)) {
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
    search_note(w, arena_text(w->a, text_get(&t)));
    text_free(&t);
}

// The run of this case repeats itself.
static void take_endless(struct search *w, const struct runner_outcome *n,
                         struct unit_case *c)
{
    c->ends = true;
    c->call.end = CALL_TRAPS;
    c->call.trap = endless_trap(w->ir, w->a, &w->file, w->f, n);
    search_stubs(w, c);
    search_sides_of(w, n, c);
    c->steps = n->steps;
    c->weight = input_weight(w->ir, &c->in);
    vec_push(&w->found, *c);
}

// An input whose run did not end.
void search_take_late(struct search *w, const struct input *in)
{
    struct unit_case c = {.null_parameter = IR_NOTHING, .trap = IR_NOTHING};
    struct runner_outcome n = {0};
    const char *why;
    if (endless_ring(in)) {
        search_note(w,
                    arena_format(w->a,
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
        if (c->in.objects.at[i].role == INPUT_OBJECT &&
            c->in.objects.at[i].form != CALL_FILE)
            c->in.objects.at[i].form = CALL_BEHIND;
}

// A plain native run does not show a use of freed memory, so there is a note
// instead of a test.
static void tell_freed_use(struct search *w, const struct engine_found *f)
{
    const struct ir_inst *i = &w->ir->fns.at[f->fn]->insts.at[f->inst];
    search_note(
        w, arena_format(w->a,
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
    search_note(w, arena_text(w->a, text_get(&t)));
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

void search_take_path(struct search *w, const struct engine_found *f)
{
    const struct ir_fn *of;
    if (w->o->strict && f->labels & ~(uint32_t)SX_PRECISE)
        return;
    const struct ir_inst *trap = search_trap_at(w->ir, f->trap, &of);
    struct unit_case c = {.labels = f->labels,
                          .null_parameter = IR_NOTHING,
                          .expected = f->kind,
                          .expected_fn = f->fn,
                          .expected_inst = f->inst};
    input_copy(w->a, &f->in, &c.in);
    if (trap && trap->sub == IR_TRAP_BOUNDS)
        guard_arrays(&c);
    input_widen(w->ir, w->a, w->f, &w->file, &c.in);
    input_rename(w->ir, w->a, &c.in);
    bool confirmed = search_confirm(w, &c);
    if (case_overflows(&c))
        tell_overflow(w, f, &c.call);
    if (confirmed && c.doubtful) {
        tell_labels(&c);
        vec_push(&w->suspects, c);
    } else if (confirmed && c.ends != f->returned) {
        tell_labels(&c);
        vec_push(&w->found, c);
    } else {
        if (case_uses_freed(&c))
            tell_freed_use(w, f);
        call_release(&c.call);
        input_release(&c.in);
    }
}

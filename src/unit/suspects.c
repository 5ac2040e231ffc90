#include "unit/suspects.h"

#include "base/arena.h"
#include "unit/callees.h"
#include "unit/condition.h"
#include "unit/sanitized.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

// ---- which functions --------------------------------------------------------

static bool is_suspicious(const struct ir *ir, const struct ir_fn *of,
                          const struct ir_inst *i)
{
    const struct ir_fn *g = callees_called(ir, of, i);
    return g && !g->defined && !g->noreturn &&
           strncmp(g->name, "llvm.dbg", 8) != 0;
}

bool suspects_possible(const struct ir *ir, const struct ir_fn *f)
{
    return callees_find(ir, f, is_suspicious, NULL) != NULL;
}

// ---- settling ---------------------------------------------------------------

// The file's name as the program has it, NULL if it is none of its files.
static const char *file_of(const struct ir *ir, const char *path)
{
    char real[PATH_MAX], own[PATH_MAX];
    if (!path || !realpath(path, real))
        return NULL;
    for (uint32_t i = 0; i < ir->files.n; i++)
        if (realpath(ir->files.at[i], own) && strcmp(real, own) == 0)
            return ir->files.at[i];
    return NULL;
}

static const struct ir_inst *expected_at(const struct ir *ir,
                                         const struct unit_case *c)
{
    return c->expected ? &ir->fns.at[c->expected_fn]->insts.at[c->expected_inst]
                       : NULL;
}

// A case of random values may overrun an array of its own making, and that is
// no error of the function: only what the function allocated counts.
static bool is_own_memory(const struct sanitized *r)
{
    return strstr(r->words, "heap") || strcmp(r->kind, "freed") == 0;
}

static bool is_meant(const struct ir *ir, const struct unit_case *c,
                     const struct sanitized *r)
{
    const struct ir_inst *i = expected_at(ir, c);
    if (!r->kind || !r->line || strcmp(r->kind, "null") == 0 ||
        strcmp(r->kind, "nonnull") == 0 || strcmp(r->kind, "signal") == 0)
        return false;
    if (i)
        return strcmp(c->expected, r->kind) == 0 && i->line == r->line;
    return !c->doubtful || is_own_memory(r);
}

static void take(const struct ir *ir, struct arena *a, struct unit_case *c,
                 const struct sanitized *r, const char *file)
{
    const struct ir_inst *i = expected_at(ir, c);
    struct condition_file f = {0};
    uint32_t column = i && i->line == r->line ? i->column : r->column;
    c->ends = true;
    c->trap = IR_NOTHING;
    c->null_parameter = IR_NOTHING;
    c->call.end = CALL_REPORTED;
    c->call.after.n = 0;
    c->call.trap = (struct call_trap){
        .kind = r->kind,
        .signal = strstr(r->words, "out of bounds for type") ? CALL_BY_BOUNDS
                                                             : "sanitizer",
        .file = file,
        .line = r->line,
        .text = condition_line(&f, a, file, r->line, column)};
}

bool suspects_settle(const struct unit_subject *s, struct arena *a,
                     struct unit_case *const *cases, uint32_t n, bool *wrong)
{
    struct sanitized *r = arena_zero(a, (n + 1ul) * sizeof *r);
    const struct call_case **calls = arena_get(a, (n + 1ul) * sizeof *calls);
    for (uint32_t i = 0; i < n; i++)
        calls[i] = &cases[i]->call;
    if (!n || !sanitized_calls(a, s->options, s->has_main, SANITIZED_MEMORY,
                               calls, n, r))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        const char *file = file_of(s->ir, r[i].file);
        wrong[i] = file && is_meant(s->ir, cases[i], &r[i]);
        cases[i]->loose = r[i].kind && strcmp(r[i].kind, "nonnull") == 0;
        if (wrong[i])
            take(s->ir, a, cases[i], &r[i], file);
    }
    return true;
}

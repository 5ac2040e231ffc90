// Which of the cases that a search found become tests: simplest first, those
// that add something, as far as native runs bear them out.
#include "cli/llvm/unit_task.h"

#include <string.h>

#include "base/interrupt.h"
#include "cli/session.h"

enum { ROUNDS = 3, WRITTEN_MOST = 60 };

static bool same_place(const struct task_case *a, const struct task_case *b)
{
    return a->end == TASK_TRAPS && b->end == TASK_TRAPS && a->fn == b->fn &&
           a->inst == b->inst;
}

// A candidate is taken if it has a side that no simpler one has, or a trap at a
// new place; all are, if all were asked for.
static bool adds(const struct task_outcome *x, const struct task_case *c,
                 const uint8_t *have)
{
    if (c->end == TASK_TRAPS && x->no_traps)
        return false;
    if (x->strict && c->labels & (SX_ASSUMED_INSIDE | SX_STUBBED | SX_MODELLED))
        return false;
    if (x->o.all)
        return true;
    for (uint32_t i = 0; i < x->cases.n; i++)
        if (same_place(c, &x->cases.at[i]))
            return false;
    for (uint32_t i = 0; i < x->silent.n; i++)
        if (same_place(c, &x->silent.at[i]))
            return false;
    if (c->end == TASK_TRAPS || !x->sides.at.n)
        return c->end == TASK_TRAPS || !x->cases.n;
    for (uint32_t i = 0; i < x->sides.at.n; i++)
        if (c->sides[i] && !have[i])
            return true;
    return false;
}

// Candidates that were tried are out.  Returns how many were added.
static uint32_t choose(struct task_outcome *x, bool *tried)
{
    uint8_t have[4096] = {0};
    uint32_t n = 0;
    x->unwritten = 0;
    for (uint32_t i = 0; i < x->cases.n; i++)
        for (uint32_t k = 0; k < x->sides.at.n && k < sizeof have; k++)
            have[k] |= x->cases.at[i].sides[k];
    for (uint32_t i = 0; i < x->found.cases.n; i++) {
        const struct task_case *c = &x->found.cases.at[i];
        if (tried[i] || !adds(x, c, have))
            continue;
        if (x->cases.n == WRITTEN_MOST) {
            x->unwritten++;
            continue;
        }
        tried[i] = true;
        vec_push(&x->cases, *c);
        n++;
        for (uint32_t k = 0; k < x->sides.at.n && k < sizeof have; k++)
            have[k] |= c->sides[k];
    }
    return n;
}

bool task_interrupted(struct tasks *t)
{
    if (interrupted()) {
        t->interrupted = true;
        interrupt_forget();
    }
    return t->interrupted;
}

// Once more if it was interrupted, for the first time: it is short.
static bool try_file(struct tasks *t, struct task_outcome *x, bool *lost,
                     uint8_t *hits)
{
    bool before = t->interrupted;
    if (task_file_try(t, x, lost, hits))
        return true;
    if (before || !task_interrupted(t))
        return false;
    diag_free(&t->s->diag);
    t->s->diag = (struct diag){0};
    memset(lost, 0, x->cases.n);
    x->lost = 0;
    x->why = NULL;
    return task_file_try(t, x, lost, hits);
}

bool task_choose(struct tasks *t, struct task_outcome *x, uint8_t *hits)
{
    struct arena *a = &t->s->arena;
    bool *tried = arena_zero(a, x->found.cases.n + 1ul), ok = true;
    uint32_t lost_now = 1;
    for (uint32_t round = 0; round < ROUNDS && lost_now && ok; round++) {
        if (!choose(x, tried))
            break;
        bool *lost = arena_zero(a, x->cases.n + 1ul);
        uint32_t kept = 0;
        memset(hits, 0, x->sides.at.n);
        ok = try_file(t, x, lost, hits);
        for (uint32_t i = 0; ok && i < x->cases.n; i++)
            if (!lost[i])
                x->cases.at[kept++] = x->cases.at[i];
        lost_now = x->cases.n - kept;
        if (ok)
            x->cases.n = kept;
    }
    return ok;
}

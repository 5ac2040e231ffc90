// What is kept of a search, so that it can be gone on with.
//
// Now and then all of it is kept: figures, final states, units.  Where a caller
// takes changes too, each return is kept as a change before the units that came
// with it are handed out: then nothing that was returned is ever done again,
// whenever this process is killed.
//
// Changes are told by what members were given.  What they have written down
// since does not count there, as it comes again with what they return.
#include "crew/inner.h"

#include "base/clock.h"
#include "base/die.h"
#include "crew/shared_set.h"

#include <stdlib.h>

enum { CHECKPOINT_SECONDS = 10, LEAST_CHANGES = 1 << 20 };

static bool takes_changes(const struct crew *c)
{
    return c->co->divisible && c->sink->changed;
}

// ---- changes --------------------------------------------------------------

void changes_return(struct crew *c, const struct member *m,
                    const struct work_list *rest)
{
    struct changes *x = &c->changes;
    if (!takes_changes(c))
        return;
    x->some = true;
    x->base &= m->far; // a near worker puts final states into the set unseen
    for (uint32_t i = 0; i < m->holds.list.n; i++)
        vec_push(&x->gone, work_content(&m->holds.list.at[i]));
    for (uint32_t i = 0; i < rest->list.n; i++)
        work_list_add(&x->came, rest->list.at[i].bytes, rest->list.at[i].size);
}

void changes_final(struct crew *c, uint64_t hash)
{
    if (takes_changes(c))
        vec_push(&c->changes.finals, hash);
}

static void forget_changes(struct changes *x)
{
    x->some = false;
    vec_free(&x->gone);
    work_list_free(&x->came);
    x->came = (struct work_list){0};
    vec_free(&x->finals);
}

// ---- all of it ------------------------------------------------------------

static void borrow(struct work_list *to, const struct work_list *from)
{
    for (uint32_t i = 0; i < from->list.n; i++)
        vec_push(&to->list, from->list.at[i]);
}

// The units of a checkpoint, borrowed; false if what a worker holds cannot be
// written as units yet.
static bool collect(const struct crew *c, struct crew_figures *f,
                    struct work_list *out)
{
    bool all = !c->queue.whole && !c->suspect.whole;
    borrow(out, &c->queue.units);
    borrow(out, &c->suspect.units);
    borrow(out, &c->set_aside);
    for (uint32_t i = 0; i < c->n; i++) {
        const struct member *m = &c->members[i];
        bool written = m->written && !takes_changes(c);
        if (!m->busy || m->aside || m->discard)
            continue;
        if (written)
            explore_result_add(&f->result, &m->last.result);
        all &= written || !m->whole;
        borrow(out, written ? &m->last.rest : &m->holds);
    }
    return all;
}

// Figures without the executions that were broken off: a resumed search makes
// those again.
static struct crew_figures to_be_kept(const struct crew *c)
{
    struct crew_figures f = *c->out;
    f.result.executions -= f.result.broken_off;
    f.result.broken_off = 0;
    return f;
}

void crew_keep_all(struct crew *c)
{
    struct crew_figures f = to_be_kept(c);
    struct work_list units = {0};
    if (!c->co->divisible || !c->sink->checkpoint)
        return;
    if (collect(c, &f, &units)) {
        uint64_t n = shared_set_sum(c->finals).n;
        uint64_t *finals = need((n + 1) * sizeof *finals);
        struct crew_rest rest = {
            .units = units.list.at, .n_units = units.list.n, .finals = finals};
        rest.n_finals = shared_set_list(c->finals, finals, n);
        c->changes.whole = c->sink->checkpoint(c->sink->self, &f, &rest);
        c->changes.bytes = 0;
        c->changes.base = true;
        free(finals);
        forget_changes(&c->changes);
    }
    vec_free(&units.list);
    c->checkpointed = clock_now();
}

// ---- when -----------------------------------------------------------------

static void keep_changes(struct crew *c)
{
    struct changes *x = &c->changes;
    figures_refresh(c);
    struct crew_figures f = to_be_kept(c);
    struct crew_change change = {
        .gone = x->gone.at,
        .n_gone = x->gone.n,
        .came = {.units = x->came.list.at,
                 .n_units = x->came.list.n,
                 .finals = x->finals.at,
                 .n_finals = x->finals.n},
    };
    x->bytes += c->sink->changed(c->sink->self, &f, &change);
    forget_changes(x);
}

static double checkpoint_seconds(const struct crew *c)
{
    double own = c->co->checkpoint_seconds;
    return own > 0 ? own : CHECKPOINT_SECONDS;
}

// After a near worker returned something, the whole search must be kept again.
// Is it too early for that?  Changes until then are kept with it.
static bool waits_for_all(const struct crew *c, double at)
{
    return !c->changes.base && c->changes.whole &&
           at - c->checkpointed < checkpoint_seconds(c);
}

void crew_keep(struct crew *c, double at)
{
    struct changes *x = &c->changes;
    if (!takes_changes(c)) {
        if (at - c->checkpointed > checkpoint_seconds(c))
            crew_keep_all(c);
    } else if (x->some && waits_for_all(c, at)) {
        return;
    } else if (x->some && (!x->base || x->bytes > x->whole + LEAST_CHANGES)) {
        crew_keep_all(c);
    } else if (x->some) {
        keep_changes(c);
    }
}

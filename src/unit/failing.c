// Where memory runs out: an input that was confirmed is run again with its
// first allocation failing, its second, and so on.  No solver is needed, since
// what a function does then depends on little else.  What only traps then is
// left out: allocations are taken to succeed, unless the source says what comes
// else.
#include "unit/searching.h"

#include "base/clock.h"
#include "base/interrupt.h"

enum { ALLOCATIONS_MOST = 8, CASES_MOST = 64 };

static bool takes_new(const struct search *w, const uint8_t *hits,
                      const uint8_t *taken)
{
    for (uint32_t k = 0; k < w->out->sides.at.n; k++)
        if (!taken[k] && hits[w->out->sides.at.at[k].hit])
            return true;
    return false;
}

static bool is_all(const uint8_t *taken, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        if (!taken[k])
            return false;
    return true;
}

static void take(struct search *w, const struct input *in, uint8_t *taken)
{
    struct unit_case c = {.null_parameter = IR_NOTHING, .trap = IR_NOTHING};
    input_copy(w->a, in, &c.in);
    if (!search_confirm(w, &c) || c.doubtful || !case_counts(&c)) {
        call_release(&c.call);
        input_release(&c.in);
        return;
    }
    for (uint32_t k = 0; k < w->out->sides.at.n; k++)
        taken[k] |= c.sides[k];
    vec_push(&w->found, c);
}

// Returns how many allocations the call makes.
static uint32_t try_one(struct search *w, struct input *in, uint8_t *taken)
{
    struct runner_outcome n = {0};
    uint32_t made = 0;
    if (runner_run(w->s, w->a, w->f, w->pre, in, 0, RUNNER_PLAIN, &n)) {
        made = n.allocations;
        if (in->fails && n.trap == IR_NOTHING && takes_new(w, n.hits, taken))
            take(w, in, taken);
    }
    runner_release(&n);
    return made;
}

void search_fail_allocations(struct search *w)
{
    uint32_t n = w->found.n, sides = w->out->sides.at.n;
    uint8_t *taken = search_taken(w);
    if (w->o->all || search_guided(w->o) || w->out->refused)
        return;
    for (uint32_t i = 0; i < n && i < CASES_MOST && !is_all(taken, sides) &&
                         clock_now() < w->until && !interrupted();
         i++) {
        struct input in;
        input_copy(w->a, &w->found.at[i].in, &in);
        uint32_t made = try_one(w, &in, taken);
        for (in.fails = 1; in.fails <= made && in.fails <= ALLOCATIONS_MOST;
             in.fails++)
            try_one(w, &in, taken);
        input_release(&in);
    }
}

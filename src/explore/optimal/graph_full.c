// Mailboxes that can be full.
//
// A graph stands for many schedules, and how many messages wait at a send
// depends on the schedule.  The runs of the receiver are a chain.  So a
// beginning of an execution in which most messages wait is found by how many of
// them have happened, k: everything has happened that has at most k of them in
// its past and does not depend on the send in question, which comes last.
#include "explore/optimal/graph.h"

static bool depends(const struct graph *g, uint32_t run, uint32_t on)
{
    return in_prefix(g, on, run_clock(g, run));
}

// Has this run happened before the sends of q, k runs of the actor being made?
static bool happens(const struct graph *g, uint32_t run, uint32_t actor,
                    uint32_t k, uint32_t q)
{
    return run_clock(g, run)[actor] <= k && !depends(g, run, q);
}

static uint32_t waiting(const struct graph *g, uint32_t actor, uint32_t k,
                        uint32_t q)
{
    const struct inbox *a = &g->actors.at[actor];
    uint32_t sent = 0, read = 0;
    for (uint32_t i = 0; i < a->entries.n; i++) {
        uint32_t run = a->entries.at[i].run;
        sent += run == q || happens(g, run, actor, k, q);
    }
    for (uint32_t i = 0; i < k; i++)
        read += run_at(g, a->runs.at[i])->from != NO_RUN;
    return sent - read;
}

static void beginning(const struct graph *g, uint32_t actor, uint32_t k,
                      uint32_t q, uint16_t *within)
{
    for (uint32_t b = 0; b < g->actors.n; b++) {
        const struct inbox *a = &g->actors.at[b];
        within[b] = 0;
        while (within[b] < a->runs.n &&
               happens(g, a->runs.at[within[b]], actor, k, q))
            within[b]++;
    }
}

bool graph_overflows(const struct graph *g, uint32_t actor, uint32_t i,
                     uint32_t most, uint16_t *within)
{
    const struct inbox *a = &g->actors.at[actor];
    uint32_t q = a->entries.at[i].run;
    for (uint32_t k = run_clock(g, q)[actor]; k <= a->runs.n; k++) {
        if (k && a->runs.at[k - 1] != q && depends(g, a->runs.at[k - 1], q))
            return false;
        if (waiting(g, actor, k, q) <= most)
            continue;
        beginning(g, actor, k, q, within);
        return true;
    }
    return false;
}

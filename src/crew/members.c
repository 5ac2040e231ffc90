// Workers are started, given messages, and ended.
//
// When a worker is lost, its units go to the queue `suspect`, for workers whose
// handlers run in a process apart.  That is no blame.  When the process of a
// far worker died of its units, each unit is blamed; one that was blamed
// MOST_DEATHS times is set aside: no worker gets it any more.
#include "crew/inner.h"

#include "base/clock.h"
#include "base/die.h"

#include <errno.h>
#include <string.h>

static uint32_t number_of(const struct crew *c, const struct member *m)
{
    return (uint32_t)(m - c->members);
}

bool member_is_beside(const struct crew *c, const struct member *m)
{
    return m->aside || m->discard || c->decided;
}

void member_begin(struct crew *c, struct member *m)
{
    m->busy = true;
    m->began = m->heard = clock_now();
    c->busy++;
    c->far_busy += m->far;
    if (c->busy - c->far_busy > c->out->workers)
        c->out->workers = c->busy - c->far_busy;
}

// Add the counts of a process that has ended.  A far worker has another process
// for each order.
static void add_counts(struct crew *c, struct member *m)
{
    c->runs_gone += m->counts.runs;
    c->once_gone += m->counts.once;
    c->hits_gone += m->counts.hits;
    m->counts = (struct play_counts){0};
}

void member_idle(struct crew *c, struct member *m)
{
    if (m->busy) {
        c->busy--;
        c->far_busy -= m->far;
    }
    if (m->far)
        add_counts(c, m);
    m->busy = m->whole = m->yielding = m->ending = m->written = false;
    m->aside = m->discard = false;
    m->allowed = 0;
    m->slice = 0;
    work_list_free(&m->holds);
    work_list_free(&m->last.rest);
    memset(&m->now, 0, sizeof m->now);
}

void member_dismiss(struct crew *c, struct member *m)
{
    if (!m->here)
        return;
    add_counts(c, m);
    c->transport->dismiss(c->transport->self, number_of(c, m));
    member_idle(c, m);
    memset(m, 0, sizeof *m);
}

bool member_hire(struct crew *c, struct member *m, bool isolated)
{
    const struct crew_transport *t = c->transport;
    memset(m, 0, sizeof *m);
    if (!t->hire(t->self, number_of(c, m), isolated)) {
        if (!c->busy)
            die("no process for a worker: %s", strerror(errno));
        return false;
    }
    m->here = true;
    m->far = number_of(c, m) >= c->places.near;
    m->isolated = isolated;
    return true;
}

enum { MOST_LOSSES = 20 };

void member_lose(struct crew *c, struct member *m, uint32_t counts)
{
    if (m->busy && member_is_beside(c, m)) {
        figures_add_beside(&c->out->result, &m->now); // is not done again
    } else if (m->busy && m->written) {
        changes_return(c, m, &m->last.rest);
        figures_count(c, &m->last);
        work_list_move(&c->suspect.units, &m->last.rest);
    } else if (m->busy && m->whole && c->ending) {
        explore_result_add(&c->out->result, &m->now); // is not done again
    } else if (m->busy && m->whole) {
        c->suspect.whole = true;
    } else if (m->busy) {
        work_list_move(&c->suspect.units, &m->holds);
    }
    c->out->lost += m->busy;
    c->losses += counts;
    member_dismiss(c, m);
    if (c->losses >= MOST_LOSSES)
        crew_end(c, STOP_LOST);
}

enum { MOST_DEATHS = 3 };

// Any of the units may have killed the process, so each is blamed.  A blamed
// unit is given out alone the next time: then the harmless ones get done.
static void blame(struct crew *c, struct work_list *units)
{
    for (uint32_t i = 0; i < units->list.n; i++) {
        struct work w = units->list.at[i];
        uint32_t *deaths = map_at(&c->deaths, work_content(&w));
        *deaths = *deaths == MAP_NONE ? 1 : *deaths + 1;
        vec_push(*deaths < MOST_DEATHS ? &c->suspect.units.list
                                       : &c->set_aside.list,
                 w);
    }
    vec_free(&units->list);
}

void member_died(struct crew *c, struct member *m)
{
    if (m->busy && m->whole) {
        c->suspect.whole = ++c->whole_deaths < MOST_DEATHS;
        if (!c->suspect.whole)
            crew_end(c, STOP_LOST);
    } else if (m->busy) {
        blame(c, &m->holds);
    }
    c->out->died++;
    member_dismiss(c, m);
}

void member_recall(struct crew *c, struct member *m)
{
    if (m->whole)
        c->queue.whole = true;
    else
        queue_add(&c->queue, &m->holds);
    member_dismiss(c, m);
}

bool member_give(struct crew *c, struct member *m)
{
    const struct crew_transport *t = c->transport;
    if (t->give(t->self, number_of(c, m), &c->message))
        return true;
    member_lose(c, m, 1);
    return false;
}

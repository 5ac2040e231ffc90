// Assert what inner.h states of the supervisor: a worker that is idle holds
// nothing, and every unit is in one place.
#include "crew/inner.h"

#include <assert.h>

static void check_member(const struct member *m)
{
    bool holds = m->holds.list.n || m->last.rest.list.n;
    bool asked = m->yielding || m->ending;
    assert(m->here || !m->busy);
    assert(m->busy || (!holds && !asked && !m->whole && !m->aside &&
                       !m->discard && !m->written));
    assert(m->written || !m->last.rest.list.n);
    assert(!m->whole || !m->holds.list.n);
}

static void check_counts(const struct crew *c)
{
    uint32_t busy = 0, far = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        check_member(&c->members[i]);
        busy += c->members[i].busy;
        far += c->members[i].busy && c->members[i].far;
    }
    assert(c->busy == busy && c->far_busy == far);
}

static void check_units(struct hashset *met, const struct work_list *units)
{
    for (uint32_t i = 0; i < units->list.n; i++) {
        bool is_new = hashset_add(met, (uintptr_t)units->list.at[i].bytes);
        assert(is_new);
        (void)is_new;
    }
}

static void check_queue(const struct queue *q)
{
    for (uint32_t i = 1; q->sorted && i < q->units.list.n; i++)
        assert(q->units.list.at[i - 1].size <= q->units.list.at[i].size);
}

void crew_check(const struct crew *c)
{
    struct hashset met = {0};
    check_counts(c);
    check_queue(&c->queue);
    check_units(&met, &c->queue.units);
    check_units(&met, &c->suspect.units);
    check_units(&met, &c->set_aside);
    for (uint32_t i = 0; i < c->n; i++) {
        check_units(&met, &c->members[i].holds);
        check_units(&met, &c->members[i].last.rest);
    }
    hashset_free(&met);
}

// Questions to busy workers: to yield, or to write down what is left.  A worker
// that says nothing for too long hangs, and is treated as lost.
#include "crew/inner.h"

#include "base/clock.h"
#include "base/wire.h"

static void ask(struct crew *c, struct member *m, enum crew_word word)
{
    wire_begin(&c->message, word);
    member_give(c, m);
}

static void ask_to_yield(struct crew *c, struct member *m)
{
    if (!m->busy || m->yielding || m->far)
        return;
    m->yielding = true;
    ask(c, m, WORD_YIELD);
}

static void ask_all_to_yield(struct crew *c)
{
    for (uint32_t i = 0; i < c->n; i++)
        ask_to_yield(c, &c->members[i]);
    c->yielded = clock_now();
}

void crew_ask_all_to_end(struct crew *c)
{
    for (uint32_t i = 0; i < c->n; i++) {
        struct member *m = &c->members[i];
        if (!m->busy || m->ending || m->far)
            continue;
        m->yielding = m->ending = true;
        ask(c, m, WORD_END);
    }
    c->yielded = clock_now();
}

// Small searches end before a second process would pay, and cutting what is
// left into units costs about as much as a thousand executions.
static bool want_split(const struct crew *c, double at)
{
    return crew_wants_work(c) && at - c->began > 0.1 && at - c->yielded > 0.05;
}

enum { WRITE_SECONDS = 1, ISOLATED_SECONDS = 10 };

static void ask_to_write(struct crew *c, double at)
{
    double every = c->co->checkpoint_seconds;
    if (every <= 0 || every > WRITE_SECONDS)
        every = WRITE_SECONDS;
    if (!c->co->divisible || at - c->asked < every)
        return;
    c->asked = at;
    for (uint32_t i = 0; i < c->n; i++) {
        struct member *m = &c->members[i];
        if (m->busy && !m->yielding && !m->far)
            ask(c, m, WORD_WRITE);
    }
}

// If an isolated worker has lived for a while, what killed the last worker will
// not come back: let it yield, so that workers without isolation go on, which
// are faster.
static void end_isolation(struct crew *c, double at)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (c->co->divisible && c->members[i].isolated &&
            at - c->members[i].began > ISOLATED_SECONDS)
            ask_to_yield(c, &c->members[i]);
}

void crew_ask(struct crew *c, double at)
{
    if (c->ending) {
        crew_ask_all_to_end(c);
        return;
    }
    if (want_split(c, at))
        ask_all_to_yield(c);
    ask_to_write(c, at);
    end_isolation(c, at);
}

// A worker hangs that has said nothing for HUNG_SECONDS, or for
// LAST_WORDS_SECONDS once the search must end.  Its loss counts as HUNG_COUNTS
// losses.
enum { LAST_WORDS_SECONDS = 3, HUNG_SECONDS = 60, HUNG_COUNTS = 5 };

// Take orders back from far workers.  If the search ended because its time was
// up, their orders end at about the same time: wait for these results first.
static void recall(struct crew *c, double at)
{
    bool late = c->why != STOP_TIME || at - c->ended > LAST_WORDS_SECONDS;
    for (uint32_t i = 0; i < c->n && c->ending && late; i++)
        if (c->members[i].busy && c->members[i].far)
            member_recall(c, &c->members[i]);
}

void crew_drop_hung(struct crew *c, double at)
{
    double limit = c->co->hung_seconds > 0 ? c->co->hung_seconds : HUNG_SECONDS;
    if (c->ending && limit > LAST_WORDS_SECONDS)
        limit = LAST_WORDS_SECONDS;
    for (uint32_t i = 0; i < c->n; i++) {
        struct member *m = &c->members[i];
        if (m->busy && !m->far && at - m->heard > limit)
            member_lose(c, m, HUNG_COUNTS);
    }
    recall(c, at);
}

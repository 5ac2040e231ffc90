// Messages of the workers, and what each means for the search: bugs, figures,
// units that are left, final states.  A worker whose message cannot be read is
// treated like one that is gone (members.c).
#include "crew/inner.h"

#include "base/clock.h"
#include "base/wire.h"
#include "crew/shared_set.h"
#include "explore/bytes.h"

#include <string.h>

// If the search of states gave up, the search of the other workers goes on.
static bool gave_up(const struct explore_result *r)
{
    return r->stopped_by == STOP_MEMORY || r->stopped_by == STOP_REFUSED ||
           r->stopped_by == STOP_STEPS || r->stopped_by == STOP_CLOCK;
}

// A far worker used up its share of the schedules, but the search has more.
static bool has_more(const struct crew *c, const struct member *m,
                     const struct explore_result *r)
{
    return r->stopped_by == STOP_SCHEDULES && m->allowed &&
           explore_made(&c->out->result) < c->options->schedules;
}

// How a unit ended decides how the search ends.
static void ended(struct crew *c, const struct explore_result *r)
{
    switch (r->stopped_by) {
    case STOP_DONE:
        c->out->result.decided = r->decided;
        return;
    case STOP_ASKED: // by us, or its process is tainted: the rest is back
        return;
    case STOP_STEPS:
    case STOP_DELAYS:
    case STOP_CLOCK:
        c->why = c->why == STOP_DONE ? r->stopped_by : c->why;
        return;
    case STOP_REFUSED:
        c->out->result.refused = r->refused;
        break;
    case STOP_BUG:
    case STOP_LIMIT:
    case STOP_TIME:
    case STOP_SCHEDULES:
    case STOP_MEMORY:
    case STOP_SAMPLED:
    case STOP_LOST:
    case STOP_ASIDE:
    case STOPS_N:
        break;
    }
    crew_end(c, r->stopped_by);
    c->why = r->stopped_by;
    c->out->result.decided = r->decided;
}

// One worker has seen all states, which decides the search.  Figures of the
// others are counted beside it.
static void decide(struct crew *c, const struct explore_result *r)
{
    struct explore_result *sum = &c->out->result, before = *sum;
    *sum = *r;
    figures_add_beside(sum, &before);
    c->decided = true;
    crew_end(c, STOP_DONE);
    c->why = STOP_DONE;
}

// What is left cannot be written as units: one worker does it all again.
static void undivide(struct crew *c)
{
    struct explore_result before = c->out->result;
    c->undivided = true;
    c->aside = false;
    c->out->result = (struct explore_result){.estimate = -1, .progress = -1};
    figures_add_beside(&c->out->result, &before);
    work_list_free(&c->queue.units);
    work_list_free(&c->suspect.units);
    c->queue.whole = true;
    for (uint32_t i = 0; i < c->n; i++)
        c->members[i].discard = c->members[i].busy;
    crew_ask_all_to_end(c);
}

// Refuse a search that cannot be divided if all workers are far: none of them
// has the time to do it alone.
static void refuse(struct crew *c, const struct explore_result *r)
{
    c->out->result.refused = r->refused ? r->refused : REFUSAL_UNDIVIDED;
    crew_end(c, STOP_REFUSED);
}

static void take_figures(struct crew *c, const struct member *m,
                         const struct crew_return *r)
{
    struct explore_result *sum = &c->out->result;
    figures_count(c, r);
    if (m->whole && r->result.estimate > 0) {
        sum->estimate = r->result.estimate;
        sum->estimate_low = r->result.estimate_low;
        sum->estimate_high = r->result.estimate_high;
    }
    sum->progress = m->whole && !r->rest.list.n ? r->result.progress : -1;
    if (r->result.refused)
        sum->refused = r->result.refused;
}

// A part of `auto` refused what it was given, or cannot hand over the rest.
static bool is_undivided(const struct crew *c, const struct crew_return *r)
{
    enum stop why = r->result.stopped_by;
    return c->options->strategy == STRATEGY_AUTO && !c->ending &&
           r->undivided && (why == STOP_ASKED || why == STOP_REFUSED);
}

// Note whether a far order was done long before its slice of time was over.
static void note_early(struct crew *c, const struct member *m,
                       const struct explore_result *r)
{
    double early = r->stopped_by == STOP_DONE && r->seconds < m->slice / 2;
    double weight = 1.0 / (2 + c->places.far);
    if (m->far)
        c->early += (early - c->early) * weight;
}

static void take_return(struct crew *c, struct member *m, struct crew_return *r)
{
    bool beside = member_is_beside(c, m), was_decided = c->decided;
    bool undivided = !beside && is_undivided(c, r);
    m->counts = r->counts;
    c->losses = 0;
    c->out->orders++;
    note_early(c, m, &r->result);
    if (m->aside && r->result.complete && !c->decided) {
        decide(c, &r->result);
    } else if (beside || undivided) {
        figures_add_beside(&c->out->result, &r->result);
        work_list_free(&r->rest);
        r->rest = (struct work_list){0};
    } else {
        take_figures(c, m, r);
        changes_return(c, m, &r->rest);
    }
    if (!was_decided && !undivided && !(m->aside && gave_up(&r->result)) &&
        !has_more(c, m, &r->result))
        ended(c, &r->result);
    queue_add(&c->queue, &r->rest);
    member_idle(c, m);
    if (undivided && m->far)
        refuse(c, &r->result);
    else if (undivided)
        undivide(c);
    if (r->tainted && !m->far) {
        c->out->replaced++;
        member_dismiss(c, m);
    }
}

static void take_written(struct member *m, struct crew_return *r)
{
    work_list_free(&m->last.rest);
    m->last = *r;
    m->written = true;
}

static void make_known(struct crew *c, uint64_t key)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (c->members[i].here && !c->members[i].far) {
            wire_begin(&c->message, WORD_KNOWN);
            wire_put64(&c->message, key);
            member_give(c, &c->members[i]);
        }
}

// Schedules made so far by all workers but this one.
static uint64_t made_by_others(const struct crew *c, const struct member *m)
{
    uint64_t n = explore_made(&c->out->result);
    for (uint32_t i = 0; i < c->n; i++)
        if (&c->members[i] != m && c->members[i].busy)
            n += explore_made(&c->members[i].now);
    return n;
}

// False if the bytes are no bug.
static bool take_bug(struct crew *c, const struct member *m,
                     struct wire_reader *in)
{
    uint64_t key = wire_get64(in), nth = wire_get64(in);
    const char *text = wire_get_string(in);
    if (!text || !wire_done(in))
        return false;
    if (!hashset_add(&c->bugs, key))
        return true;
    c->sink->bug(c->sink->self, key, text, made_by_others(c, m) + nth);
    c->changes.some = true;
    make_known(c, key);
    return true;
}

// Final states that a far worker met.
static bool take_finals(struct crew *c, struct wire_reader *in)
{
    struct crew_finals f;
    if (!crew_finals_get(in, &f))
        return false;
    for (uint64_t i = 0, hash; i < f.n; i++) {
        memcpy(&hash, (const char *)f.hashes + i * sizeof hash, sizeof hash);
        if (shared_set_add(c->finals, hash))
            changes_final(c, hash);
    }
    if (f.sketch)
        shared_set_join(c->finals, f.sketch);
    return true;
}

// Take a message in.  False if a worker cannot have sent it.
static bool take(struct crew *c, struct member *m, struct wire_message *w)
{
    struct crew_return r;
    m->heard = clock_now();
    switch ((enum crew_word)w->kind) {
    case WORD_BUG:
        return m->busy && take_bug(c, m, &w->body);
    case WORD_PROGRESS:
        explore_result_get(&w->body, &m->now);
        return m->busy && wire_done(&w->body);
    case WORD_FINALS:
        return m->busy && m->far && take_finals(c, &w->body);
    case WORD_WRITTEN:
        if (!m->busy || !c->co->divisible || !crew_return_get(&w->body, &r))
            return false;
        take_written(m, &r);
        return true;
    case WORD_DONE:
        if (!m->busy || !crew_return_get(&w->body, &r))
            return false;
        take_return(c, m, &r);
        return true;
    case WORD_FAILED:
        c->out->result.refused = REFUSAL_NOT_OPENED;
        crew_end(c, STOP_REFUSED);
        return false;
    case WORD_GO:
    case WORD_YIELD:
    case WORD_END:
    case WORD_WRITE:
    case WORD_KNOWN:
        break;
    }
    return false;
}

// Only the death of a process speaks against the units that it had.  A result
// that is damaged or cannot be read does not: who knows what damaged it.
void crew_hear(struct crew *c, uint32_t ms)
{
    const struct crew_transport *t = c->transport;
    uint32_t i;
    struct wire_message w;
    for (enum crew_news n; (n = t->hear(t->self, ms, &i, &w)); ms = 0) {
        struct member *m = &c->members[i];
        if (n == NEWS_WORD && take(c, m, &w))
            figures_tell(c);
        else if (n == NEWS_DIED)
            member_died(c, m);
        else
            member_lose(c, m, n == NEWS_LOST && m->far ? 0 : 1);
    }
}

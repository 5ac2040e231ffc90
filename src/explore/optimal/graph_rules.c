// The rules of the delivery models: what may be received, by whom a new send
// may be received in place of another, and what counts as the default.
//
// In `any`, `pair` and `causal` the first unread message of an inbox, in order
// of addition, is always deliverable, because sends ordered by porf have the
// same order of addition.  Hence a receive is maximal iff it reads the first
// message that earlier receives of its actor left unread; this is known when it
// is linked, except for messages that came later and may lie in the prefix of
// the revisiting send.
#include "explore/optimal/graph.h"

// ---- deliverable ----------------------------------------------------------

static bool pair_ready(const struct inbox *a, uint32_t i)
{
    uint32_t sender = a->entries.at[i].sender;
    for (uint32_t j = a->head; j < i; j++)
        if (a->entries.at[j].reader == NO_RUN &&
            a->entries.at[j].sender == sender)
            return false;
    return true;
}

static bool causal_ready(const struct graph *g, const struct inbox *a,
                         uint32_t i)
{
    const struct entry *m = &a->entries.at[i];
    for (uint32_t j = a->head; j < i; j++) {
        const struct entry *e = &a->entries.at[j];
        if (e->reader == NO_RUN &&
            sent_before(g, e->run, e->nth, m->run, m->nth))
            return false;
    }
    return true;
}

static bool ready(const struct graph *g, const struct inbox *a, uint32_t i)
{
    if (a->entries.at[i].reader != NO_RUN)
        return false;
    switch (g->delivery) {
    case DELIVERY_ANY:
        return true;
    case DELIVERY_PAIR:
        return pair_ready(a, i);
    case DELIVERY_CAUSAL:
        return causal_ready(g, a, i);
    case DELIVERY_MAILBOX:
        return i == a->head;
    case DELIVERIES_N:
        break;
    }
    return false;
}

uint32_t graph_deliverable(struct graph *g, uint32_t actor, uint32_t i)
{
    const struct inbox *a = &g->actors.at[actor];
    for (i = i < a->head ? a->head : i; i < a->entries.n; i++)
        if (ready(g, a, i))
            return i;
    return NO_RUN;
}

// Must the message of entry t be received before the nth send of run e?
static bool comes_before(const struct graph *g, const struct entry *t,
                         uint32_t e, uint32_t nth)
{
    if (g->delivery == DELIVERY_PAIR)
        return t->sender == run_at(g, e)->effect->sends[nth].sender;
    return g->delivery == DELIVERY_CAUSAL &&
           sent_before(g, t->run, t->nth, e, nth);
}

uint32_t graph_earliest(const struct graph *g, uint32_t e, uint32_t nth)
{
    const struct send *sends = run_at(g, e)->effect->sends;
    uint32_t to = sends[nth].to;
    uint32_t k = run_clock(g, e)[to];
    if (g->delivery == DELIVERY_ANY || g->delivery == DELIVERY_MAILBOX)
        return k;
    for (uint32_t i = 0; i < nth; i++)
        if (sends[i].to == to && (g->delivery == DELIVERY_CAUSAL ||
                                  sends[i].sender == sends[nth].sender))
            return NO_RUN;
    const struct inbox *a = &g->actors.at[to];
    for (uint32_t i = 0; i < a->entries.n; i++) {
        if (!comes_before(g, &a->entries.at[i], e, nth))
            continue;
        if (a->entries.at[i].reader == NO_RUN)
            return NO_RUN;
        uint32_t after = run_at(g, a->entries.at[i].reader)->k + 1;
        k = after > k ? after : k;
    }
    return k;
}

uint32_t graph_reach(const struct graph *g, uint32_t e)
{
    const struct effect *f = run_at(g, e)->effect;
    const uint16_t *clock = run_clock(g, e);
    uint32_t end = g->order.n;
    for (uint32_t i = 0; i < f->n_sends; i++) {
        uint32_t to = f->sends[i].to;
        if (!is_born(g, to) || g->actors.at[to].runs.n <= clock[to])
            continue;
        uint32_t at = run_at(g, g->actors.at[to].runs.at[clock[to]])->r_at;
        end = at < end ? at : end;
    }
    return end < g->floor ? g->floor : end;
}

// ---- maximal --------------------------------------------------------------

// Did earlier receives of the actor leave this entry to run r?
static bool left_to(const struct graph *g, const struct entry *t,
                    const struct run *r)
{
    return t->reader == NO_RUN || run_at(g, t->reader)->k >= r->k;
}

// A receive that found its inbox empty: is there a message in the prefix of e
// that it should rather have received?
static bool had_better(const struct graph *g, const struct run *r,
                       const uint16_t *clock)
{
    const struct inbox *a = &g->actors.at[r->actor];
    uint32_t end = r->from == NO_RUN ? a->entries.n : r->at;
    for (uint32_t i = 0; i < end; i++) {
        const struct entry *t = &a->entries.at[i];
        bool known =
            in_prefix(g, t->run, clock) || (g->delivery == DELIVERY_MAILBOX &&
                                            run_at(g, t->run)->b_at < r->r_at);
        if (known && left_to(g, t, r))
            return true;
    }
    return false;
}

static bool receive_maximal(const struct graph *g, const struct run *r,
                            uint32_t e)
{
    if (r->picked || r->maximal == MAXIMAL_NO)
        return false;
    if (r->maximal == MAXIMAL_YES)
        return true;
    const uint16_t *clock = run_clock(g, e);
    if (r->from != NO_RUN && !in_prefix(g, r->from, clock))
        return false;
    if (r->from != NO_RUN && g->delivery == DELIVERY_MAILBOX)
        return true;
    return !had_better(g, r, clock);
}

// `mailbox`: the sends of q to one actor were queued last and not yet received.
static bool queued_last(const struct graph *g, uint32_t q, uint32_t to,
                        const uint16_t *clock)
{
    const struct entry *t = g->actors.at[to].entries.at;
    uint32_t b_at = run_at(g, q)->b_at;
    bool seen = false;
    for (uint32_t i = g->actors.at[to].entries.n; i-- > 0;) {
        if (t[i].run != q && seen)
            return true;
        if (t[i].run != q &&
            (run_at(g, t[i].run)->b_at < b_at || in_prefix(g, t[i].run, clock)))
            return false;
        if (t[i].run != q)
            continue;
        seen = true;
        if (t[i].reader != NO_RUN && run_at(g, t[i].reader)->r_at < b_at)
            return false;
    }
    return true;
}

static bool sends_maximal(const struct graph *g, uint32_t q, uint32_t e)
{
    const struct effect *f = run_at(g, q)->effect;
    if (g->delivery != DELIVERY_MAILBOX)
        return !run_at(g, q)->early;
    for (uint32_t i = 0; i < f->n_sends; i++)
        if (is_born(g, f->sends[i].to) &&
            !queued_last(g, q, f->sends[i].to, run_clock(g, e)))
            return false;
    return true;
}

bool graph_maximal(const struct graph *g, uint32_t event, uint32_t e)
{
    if (event & 1)
        return sends_maximal(g, event / 2, e);
    return receive_maximal(g, run_at(g, event / 2), e);
}

// ---- who is next ----------------------------------------------------------

static uint32_t urgency(const struct graph *g, const struct inbox *a)
{
    bool by_body =
        a->unread && run_at(g, a->entries.at[a->head].run)->actor == PLAY_ENV;
    return a->unread * 2 + !by_body;
}

// Who sends should go before who collects, which turns revisits into plain
// choices: the actor with the fewest unread messages, of several one that the
// test body wrote to, of several the youngest.  Ids play no part, so that a
// path can be followed in another process.
uint32_t graph_pick(const struct graph *g)
{
    uint32_t best = PLAY_NONE, least = 0xffffffffu;
    for (uint32_t w = 0; w < g->ready.n; w++) {
        for (uint64_t bits = g->ready.at[w]; bits; bits &= bits - 1) {
            uint32_t actor = w * 64 + (uint32_t)__builtin_ctzll(bits);
            const struct inbox *a = &g->actors.at[actor];
            uint32_t key = urgency(g, a);
            if (key > least ||
                (key == least && a->born < g->actors.at[best].born))
                continue;
            least = key;
            best = actor;
        }
    }
    return best;
}

// Runs m and n in both orders from every state that the actor may be in when it
// gets m, for everything that it may get before.
//
// The states are those that the actor may reach without m, as far as facts tell
// (closure.h).  Both orders must give the same state, and each of the two must
// send the same in both; then whoever else is there cannot tell the orders
// apart, provided that no actor is sent to by both (`pair`: the two sends are
// in one channel).  In `any` that does not matter; in `causal` neither may
// send, because the order shows in what later messages know.  m must not touch
// timers: when a timer was set shows in the order of timers.
#include "explore/reduced/commute.h"

#include "explore/reduced/inner.h"

enum { STATES_MOST = 24, MAIL_MOST = 64 };

struct pair {
    struct reduction *r;
    uint32_t m, m_from, n, n_from;
};

static const struct effect *run(struct reduction *r, uint32_t state,
                                uint32_t msg, uint32_t sender)
{
    const struct effect *e =
        play_run(r->search->play, state, msg, sender, NULL, 0);
    if (!(e->flags & EFFECT_PICK))
        reduction_learn(r, state, msg, e);
    return e;
}

static bool is_plain(const struct effect *e)
{
    return !(e->flags & (EFFECT_PICK | EFFECT_SHARED)) && !e->n_births &&
           !e->n_bugs;
}

static bool same_sends(const struct effect *a, const struct effect *b)
{
    if (a->n_sends != b->n_sends)
        return false;
    for (uint32_t i = 0; i < a->n_sends; i++)
        if (a->sends[i].to != b->sends[i].to ||
            a->sends[i].msg != b->sends[i].msg ||
            a->sends[i].sender != b->sends[i].sender)
            return false;
    return true;
}

static bool sends_meet(const struct world *w, const struct effect *a,
                       const struct effect *b)
{
    if (w->delivery == DELIVERY_ANY || !a->n_sends || !b->n_sends)
        return w->delivery == DELIVERY_CAUSAL && (a->n_sends || b->n_sends);
    if (w->delivery == DELIVERY_CAUSAL)
        return true;
    for (uint32_t i = 0; i < a->n_sends; i++)
        for (uint32_t k = 0; k < b->n_sends; k++)
            if (a->sends[i].to == b->sends[k].to)
                return true;
    return false;
}

static struct digest hash_of(const struct reduction *r, uint32_t state)
{
    return play_state(r->search->play, state)->hash;
}

static bool has_timers(const struct reduction *r, uint32_t state)
{
    return play_state(r->search->play, state)->flags & STATE_TIMER;
}

static bool is_seen(struct reduction *r, uint32_t state, uint32_t msg,
                    const struct effect *e)
{
    return r->partial.shows && reduction_shows(r, state, msg, e);
}

// From this state, m alone: nothing but a change of state, and sends.
static const struct effect *run_quietly(struct reduction *r, uint32_t state,
                                        uint32_t msg, uint32_t sender)
{
    const struct effect *e = run(r, state, msg, sender);
    if (!is_plain(e) || has_timers(r, state) || has_timers(r, e->state) ||
        is_seen(r, state, msg, e))
        return NULL;
    return e;
}

static bool swap_in(const struct pair *p, uint32_t state)
{
    struct reduction *r = p->r;
    const struct effect *m1, *m2, *n1, *n2;
    m1 = run_quietly(r, state, p->m, p->m_from);
    if (!m1)
        return false;
    n1 = run(r, state, p->n, p->n_from);
    if (!is_plain(n1) || sends_meet(r->world, m1, n1))
        return false;
    n2 = run(r, m1->state, p->n, p->n_from);
    m2 = run_quietly(r, n1->state, p->m, p->m_from);
    return m2 && is_plain(n2) && same_sends(m1, m2) && same_sends(n1, n2) &&
           digest_equal(hash_of(r, n2->state), hash_of(r, m2->state));
}

// Everything that is known to come to the actor before m, in one state.
static bool swap_all(struct pair *p, const struct prospect *of, uint32_t state)
{
    for (uint32_t i = 0; i < of->mail.n; i++) {
        p->n = of->mail.at[i].msg;
        p->n_from = of->mail.at[i].sender;
        if (!swap_in(p, state))
            return false;
    }
    return true;
}

bool commute_alone(struct reduction *r, const struct choice *c)
{
    const struct world *w = r->world;
    uint32_t now = w->seats.at[c->actor].state;
    struct pair p = {
        .r = r, .m = choice_msg(w, c), .m_from = choice_sender(w, c)};
    if (!run_quietly(r, now, p.m, p.m_from))
        return false;
    if (r->off & REDUCTION_ALL_COMMUTE)
        return true;
    struct closure *k = &r->partial;
    k->coarse = false;
    closure_begin(k);
    if (!closure_run(k, c->flight, false))
        return false;
    const struct prospect *of = &k->actors.at[c->actor];
    if (of->states.n > STATES_MOST || of->mail.n > MAIL_MOST)
        return false;
    for (uint32_t i = 0; i < of->states.n; i++)
        if (!swap_all(&p, of, of->states.at[i]))
            return false;
    return true;
}

// How many posts a message from inside takes at least.
//
// A receive that asks for a message from inside needs an activation that sends
// it, which needs a message itself, and so on to one from outside.  An
// activation that sends s messages in all serves at most s receives, so each of
// them takes 1/s of what the activation takes.  Rings of handlers that keep
// each other going, timers, watches, and handlers of which not all is known
// take nothing.  The sum over all receives that are open is a lower bound: a
// path that has no posts left for it need not be searched.
#include "reach/backward/backward.h"

#include "base/die.h"

#include <stdlib.h>

enum { ROUNDS = 8, HANDLERS_MOST = 64 };

// Sends of a case; 0: any number.
static uint32_t sends_of(const struct sx_path *p, uint32_t msg, bool *sends)
{
    uint32_t n = 0, sent;
    term to;
    for (uint32_t i = 0; i < p->n_effects; i++) {
        const struct sx_effect *e = &p->effects[i];
        if (e->op == IR_AFTER || e->op == IR_WATCH)
            return 0;
        n += e->op == IR_REPLY;
        if (!effect_sends(e, &to, &sent))
            continue;
        n++;
        *sends |= sent == msg;
    }
    return n ? n : 1;
}

// The share of an activation of the handler that one message of it takes;
// false: it does not send such a message.
static bool share_of(struct backward *b, uint32_t handler, uint32_t msg,
                     double *share)
{
    const struct case_list *l = b->handlers.at[handler].cases;
    uint32_t most = 1;
    bool sends = false;
    *share = 0;
    if (!l || !l->ready || !summary_complete(l->from))
        return true;
    for (uint32_t i = 0; i < l->at.n; i++) {
        uint32_t n = sends_of(l->at.at[i].path, msg, &sends);
        if (!n)
            return true;
        most = n > most ? n : most;
    }
    *share = 1.0 / most;
    return sends;
}

static bool is_under_way(const struct backward *b, uint32_t handler)
{
    for (uint32_t i = 0; i < b->start.flights.n; i++)
        if (b->start.flights.at[i].msg == b->handlers.at[handler].msg)
            return true;
    return false;
}

static bool from_outside(const struct backward *b, uint32_t handler)
{
    const struct handler *h = &b->handlers.at[handler];
    return b->flow->receptionist[h->cls] && backward_accepts(b, h->cls, h->msg);
}

// Does anybody inside send the message of this handler?
static bool has_senders(const struct backward *b, uint32_t handler)
{
    const struct handler *h = &b->handlers.at[handler];
    for (uint32_t c = 0; c < b->ir->classes.n; c++)
        if (flow_sends(b->flow, c, h->cls, h->msg))
            return true;
    return is_under_way(b, handler);
}

static double need_of(struct backward *b, uint32_t handler, const double *old)
{
    const struct handler *h = &b->handlers.at[handler];
    double least = 1e9, share;
    if (is_under_way(b, handler))
        return 0;
    for (uint32_t c = 0; c < b->ir->classes.n; c++)
        if (flow_has(b->flow, c, h->cls, FLOW_NOTICE, h->msg))
            return 0;
    for (uint32_t k = 0; k < b->handlers.n; k++) {
        if (!backward_may_send(b, b->handlers.at[k].cls, h->cls, h->msg) ||
            !share_of(b, k, h->msg, &share))
            continue;
        // From outside it takes one; from inside perhaps less.
        bool inside = old[k] < 1 && has_senders(b, k);
        double whole = from_outside(b, k) && !inside ? 1 : old[k];
        least = share * whole < least ? share * whole : least;
    }
    return least > 1e8 ? 1 : least;
}

static void find_needs(struct backward *b)
{
    double *old = need_zero((b->handlers.n + 1) * sizeof *old);
    b->needs_of = b->lists.n;
    vec_clear(&b->needs);
    for (uint32_t i = 0; i < b->handlers.n; i++)
        vec_push(&b->needs, 0.0);
    for (int round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 0; i < b->handlers.n; i++)
            old[i] = b->needs.at[i];
        for (uint32_t i = 0; i < b->handlers.n; i++)
            b->needs.at[i] = need_of(b, i, old);
    }
    free(old);
}

double backward_needs(struct backward *b, const struct node *n)
{
    double all = n->posts;
    if (b->handlers.n > HANDLERS_MOST)
        return all;
    if (b->needs_of != b->lists.n || !b->needs.n)
        find_needs(b);
    for (uint32_t i = 0; i < n->requests.n; i++) {
        const struct request *r = &n->requests.at[i];
        if (r->kind == ASKS_MESSAGE && !r->asked)
            all += b->needs.at[r->by->handler];
    }
    return all;
}

// Causal delivery: of two messages to one receiver, the one whose sending is a
// cause of the other's comes first.
//
// Steps are in the total order of the path, and what a path has so far stays so
// whatever is put in front.  So a path that breaks the rule is given up at
// once. A send that nobody receives is not looked at: the run decides.
#include "reach/backward/backward.h"

struct event { // a step of the path
    uint32_t position, actor;
    bool after; // the send in question is a cause of it
};

struct events {
    VEC(struct event) at; // in the order of time
};

static struct event *event_at(struct events *e, uint32_t position)
{
    for (uint32_t i = 0; i < e->at.n; i++)
        if (e->at.at[i].position == position)
            return &e->at.at[i];
    return NULL;
}

// Steps that a send is a cause of: later ones of its actor, the receive of what
// these send, and what the same step sends later on, itself included.
static void follow(struct events *e, const struct node *n,
                   const struct origin *first)
{
    uint32_t sender = IR_NOTHING;
    for (uint32_t i = 0; i < e->at.n; i++) {
        struct event *v = &e->at.at[i];
        v->after = sender == v->actor;
        if (v->position == first->sent)
            sender = v->actor;
        for (uint32_t k = 0; k < i && !v->after; k++)
            v->after = e->at.at[k].after && e->at.at[k].actor == v->actor;
        for (const struct origin *o = n->origins; o && !v->after; o = o->up) {
            const struct event *by = event_at(e, o->sent);
            if (o->position != v->position || !by)
                continue;
            v->after = by->after ||
                       (o->sent == first->sent && o->effect >= first->effect);
        }
    }
}

static uint32_t receiver(struct events *e, const struct origin *o)
{
    const struct event *v = event_at(e, o->position);
    return v ? v->actor : IR_NOTHING;
}

// A message of a timer or a notice is in no channel.
static bool is_sent(const struct origin *o)
{
    return o->op != IR_AFTER && o->op != IR_WATCH && o->sent;
}

bool node_is_causal(const struct node *n)
{
    struct events e = {0};
    bool ok = true;
    for (const struct path_step *s = n->path; s; s = s->later)
        vec_push(&e.at, ((struct event){s->position, s->of->actor, false}));
    for (const struct origin *x = n->origins; x && ok; x = x->up) {
        if (!is_sent(x))
            continue;
        follow(&e, n, x);
        for (const struct origin *y = n->origins; y && ok; y = y->up) {
            const struct event *by = event_at(&e, y->sent);
            bool caused = by && (by->after ||
                                 (y->sent == x->sent && y->effect > x->effect));
            // Positions fall with time.
            if (y != x && is_sent(y) && caused && y->position > x->position &&
                receiver(&e, y) == receiver(&e, x))
                ok = false;
        }
    }
    vec_free(&e.at);
    return ok;
}

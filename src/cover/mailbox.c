// A linear extension of what is kept, by taking what is ready in the record's
// order (Kahn's algorithm).  All edges but those of goals point forward in the
// record, so that a circle has a goal in it.
#include "cover/mailbox.h"

struct edge {
    uint32_t from, to;
    uint32_t next; // edge with the same from
};

// Two receives of one actor, a to come before b.
struct wish {
    uint32_t a, b;
};

struct plan {
    const struct record *r;
    const struct musthb *m;
    event_list kept; // per actor: so many of its first receives
    VEC(struct wish) wishes;
    event_list order;       // of the kept ones
    event_list sends, from; // per event: the events of its messages, by number
    VEC(struct edge) edges;
    event_list first, waits; // per event: edges from it, edges to it not done
    event_list last;         // per actor: scratch
};

static void fill(event_list *l, uint32_t n, uint32_t value)
{
    vec_clear(l);
    for (uint32_t i = 0; i < n; i++)
        vec_push(l, value);
}

static const struct event *event(const struct plan *p, uint32_t e)
{
    return &p->r->events.at[e];
}

// ---- who sent what ------------------------------------------------------

static void sort_by_number(const struct plan *p, uint32_t *at, uint32_t n)
{
    for (uint32_t x = 1; x < n; x++)
        for (uint32_t y = x;
             y > 0 && event(p, at[y - 1])->nth > event(p, at[y])->nth; y--) {
            uint32_t e = at[y];
            at[y] = at[y - 1];
            at[y - 1] = e;
        }
}

// By source, by counting, then by number of send.
static void sort_sends(struct plan *p)
{
    uint32_t n = p->r->events.n;
    fill(&p->from, n + 2, 0);
    fill(&p->sends, n, NO_EVENT);
    for (uint32_t e = 0; e < n; e++)
        if (event(p, e)->source != NO_EVENT)
            p->from.at[event(p, e)->source + 2]++;
    for (uint32_t e = 2; e < n + 2; e++)
        p->from.at[e] += p->from.at[e - 1];
    for (uint32_t e = 0; e < n; e++)
        if (event(p, e)->source != NO_EVENT)
            p->sends.at[p->from.at[event(p, e)->source + 1]++] = e;
    for (uint32_t e = 0; e < n; e++)
        sort_by_number(p, p->sends.at + p->from.at[e],
                       p->from.at[e + 1] - p->from.at[e]);
}

// ---- what is kept -------------------------------------------------------

static bool is_kept(const struct plan *p, uint32_t e)
{
    return event(p, e)->at < p->kept.at[event(p, e)->actor];
}

// The event and all that led to it.
static void keep(struct plan *p, uint32_t e)
{
    if (e == NO_EVENT)
        return;
    const uint32_t *past = p->m->past.at + (size_t)e * p->m->n;
    for (uint32_t a = 0; a < p->m->n; a++)
        if (past[a] > p->kept.at[a])
            p->kept.at[a] = past[a];
}

// Keep what makes the receive possible.  A timer was pending for as long as
// the record has it pending: its actor is kept up to the earlier of the two.
static bool wish(struct plan *p, uint32_t a, uint32_t b)
{
    const struct event *x = event(p, a), *y = event(p, b);
    uint32_t low = x->at < y->at ? x->at : y->at;
    struct wish w = {a, b};
    keep(p, x->timer ? x->set_by : x->source);
    keep(p, y->timer ? y->set_by : y->source);
    if (x->timer || y->timer)
        for (uint32_t e = 0; e < p->r->events.n; e++)
            if (event(p, e)->actor == x->actor && event(p, e)->at + 1 == low)
                keep(p, e);
    vec_push(&p->wishes, w);
    return !is_kept(p, b) &&
           (x->source != y->source || x->timer || y->timer || x->nth < y->nth);
}

// ---- their order --------------------------------------------------------

static void edge(struct plan *p, uint32_t from, uint32_t to)
{
    if (from == NO_EVENT || to == NO_EVENT || from == to)
        return;
    struct edge e = {from, to, p->first.at[from]};
    p->first.at[from] = p->edges.n;
    p->waits.at[to]++;
    vec_push(&p->edges, e);
}

// A segment of the body comes when all is quiet.
static void link_actors(struct plan *p)
{
    uint32_t segment = NO_EVENT;
    fill(&p->last, p->r->actors.n, NO_EVENT);
    for (uint32_t i = 0; i < p->r->events.n; i++) {
        const struct event *e = event(p, i);
        if (!is_kept(p, i))
            continue;
        edge(p, p->last.at[e->actor], i);
        edge(p, e->source, i);
        edge(p, e->creator, i);
        edge(p, e->set_by, i);
        edge(p, segment, i);
        p->last.at[e->actor] = i;
        if (!e->body)
            continue;
        for (uint32_t a = 0; a < p->last.n; a++)
            edge(p, p->last.at[a], i);
        segment = i;
    }
}

// Senders in the order of the queue, and those of what is left in it last.
static void link_queues(struct plan *p)
{
    fill(&p->last, p->r->actors.n, NO_EVENT);
    for (uint32_t i = 0; i < p->r->events.n; i++) {
        const struct event *e = event(p, i);
        if (e->source == NO_EVENT || !is_kept(p, e->source))
            continue;
        edge(p, p->last.at[e->actor], e->source);
        if (is_kept(p, i))
            p->last.at[e->actor] = e->source;
    }
}

static void link_events(struct plan *p)
{
    uint32_t n = p->r->events.n;
    vec_clear(&p->edges);
    fill(&p->first, n, NO_EVENT);
    fill(&p->waits, n, 0);
    link_actors(p);
    link_queues(p);
    for (uint32_t i = 0; i < p->wishes.n; i++) {
        const struct wish *w = &p->wishes.at[i];
        if (!event(p, w->a)->timer && !event(p, w->b)->timer)
            edge(p, event(p, w->a)->source, event(p, w->b)->source);
    }
}

// The lowest event that waits for nothing, but `late` only if there is no
// other; *from is at or below it.
static uint32_t ready(const struct plan *p, uint32_t late, uint32_t *from)
{
    uint32_t n = p->r->events.n, found = NO_EVENT;
    for (uint32_t e = *from; e < n; e++) {
        if (p->waits.at[e] || !is_kept(p, e))
            continue;
        if (found == NO_EVENT)
            *from = e;
        found = e;
        if (e != late)
            break;
    }
    return found;
}

// Put the kept events in order; false if there is none.  The run that sends the
// first wish's first message comes as late as it can.
static bool put_in_order(struct plan *p)
{
    uint32_t late = event(p, p->wishes.at[0].a)->source, from = 0, kept = 0;
    link_events(p);
    vec_clear(&p->order);
    for (uint32_t a = 0; a < p->kept.n; a++)
        kept += p->kept.at[a];
    for (uint32_t e; (e = ready(p, late, &from)) != NO_EVENT;) {
        vec_push(&p->order, e);
        p->waits.at[e] = NO_EVENT;
        for (uint32_t i = p->first.at[e]; i != NO_EVENT;
             i = p->edges.at[i].next) {
            uint32_t to = p->edges.at[i].to;
            p->waits.at[to]--;
            from = to < from ? to : from;
        }
    }
    return p->order.n == kept;
}

// ---- what comes after ---------------------------------------------------

static void receive(struct plan *p, uint32_t e, event_list *out)
{
    if (p->waits.at[e] == NO_EVENT)
        return;
    p->waits.at[e] = NO_EVENT;
    vec_push(out, e);
}

// Receives of one actor from its queue up to this message.
static void run_on(struct plan *p, uint32_t until, event_list *out)
{
    uint32_t actor = event(p, until)->actor;
    for (uint32_t i = 0; i < p->order.n; i++) {
        uint32_t s = p->order.at[i];
        for (uint32_t k = p->from.at[s]; k < p->from.at[s + 1]; k++) {
            if (p->waits.at[until] == NO_EVENT)
                return;
            if (event(p, p->sends.at[k])->actor == actor)
                receive(p, p->sends.at[k], out);
        }
    }
}

// Kept runs are marked as received by now.
static void fulfil(struct plan *p, const struct wish *w, event_list *out)
{
    const uint32_t pair[] = {w->a, w->b};
    for (int i = 0; i < 2; i++)
        if (event(p, pair[i])->timer)
            receive(p, pair[i], out);
        else
            run_on(p, pair[i], out);
}

// Does the list have a before b, at once if need be?
static bool comes_true(const struct plan *p, const struct wish *w,
                       const event_list *l, bool at_once)
{
    bool seen = false;
    for (uint32_t k = 0; k < l->n; k++) {
        const struct event *e = event(p, l->at[k]);
        if (l->at[k] == w->b)
            return seen;
        if (l->at[k] == w->a)
            seen = true;
        else if (seen && at_once && e->actor == event(p, w->a)->actor &&
                 event_counts(e))
            return false;
    }
    return false;
}

static void plan_free(struct plan *p)
{
    vec_free(&p->kept);
    vec_free(&p->wishes);
    vec_free(&p->order);
    vec_free(&p->sends);
    vec_free(&p->from);
    vec_free(&p->edges);
    vec_free(&p->first);
    vec_free(&p->waits);
    vec_free(&p->last);
}

// Tries to fulfil more wishes: each costs about as much as a schedule.
enum { TRIES = 50 };

// One more wish if it goes with those there are.
static void wish_more(struct plan *p, uint32_t a, uint32_t b, event_list *was)
{
    vec_clear(was);
    for (uint32_t i = 0; i < p->kept.n; i++)
        vec_push(was, p->kept.at[i]);
    if (wish(p, a, b) && put_in_order(p))
        return;
    p->wishes.n--;
    for (uint32_t i = 0; i < was->n; i++)
        p->kept.at[i] = was->at[i];
}

static void wish_all(struct plan *p, const struct coverage *c)
{
    event_list was = {0};
    uint32_t tries = 0;
    for (uint32_t j = 1; j < p->r->events.n; j++)
        for (uint32_t i = j; i-- > 0 && tries < TRIES;) {
            if (!criterion_related(p->r, i, j, CRITERION_PR) ||
                musthb(p->m, i, j) || is_kept(p, i) || event(p, i)->timer ||
                event(p, j)->timer || coverage_has(c, p->r, j, i, CRITERION_PR))
                continue;
            wish_more(p, j, i, &was);
            tries++;
        }
    put_in_order(p);
    vec_free(&was);
}

bool mailbox_schedule(const struct record *r, const struct musthb *m,
                      const struct coverage *c, enum criterion cr, uint32_t a,
                      uint32_t b, event_list *out)
{
    struct plan p = {.r = r, .m = m};
    bool ok;
    fill(&p.kept, r->actors.n, 0);
    p.kept.at[0] = 1; // the body begins
    sort_sends(&p);
    ok = wish(&p, a, b) && put_in_order(&p);
    vec_clear(out);
    if (ok) {
        if (cr == CRITERION_PR)
            wish_all(&p, c);
        for (uint32_t i = 0; i < p.order.n; i++)
            vec_push(out, p.order.at[i]);
        for (uint32_t i = 0; i < p.wishes.n; i++)
            fulfil(&p, &p.wishes.at[i], out);
        ok = comes_true(&p, &p.wishes.at[0], out, cr != CRITERION_PR);
    }
    plan_free(&p);
    return ok;
}

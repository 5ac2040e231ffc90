// An extension is found by Kahn's algorithm: of the runs that wait for no other
// the earliest of the record comes next.  All edges but those of goals point
// forward in the record, so that a circle has a goal in it.
#include "cover/mailbox.h"

// More goals are added to a schedule for PR as long as an extension exists.
// Each try finds one anew, which costs about as much as to force the schedule,
// so that fifty are what one schedule more than pays for.
enum { MORE_GOALS_TRIED = 50 };

// Run `from` comes before run `to`.
struct edge {
    uint32_t from, to;
    uint32_t next; // edge with the same from
};

// Two receives of one actor, a to come before b.
struct goal_pair {
    uint32_t a, b;
};

#define PLACED NO_EVENT // in `waits`: the event has its place in the schedule

struct search {
    const struct record *r;
    const struct musthb *m;
    event_list prefix; // per actor: how many of its first receives it has
    VEC(struct goal_pair) goals;
    event_list extension;         // the prefix in its new order
    event_list sends, first_send; // per event: the receives of what it sent,
                                  // by number of send
    VEC(struct edge) edges;
    event_list first_edge; // per event
    event_list waits;      // per event: edges to it whose run is not placed
    event_list ready;      // a heap: events that wait for nothing
    event_list last;       // per actor: scratch
};

static void fill(event_list *l, uint32_t n, uint32_t value)
{
    vec_clear(l);
    for (uint32_t i = 0; i < n; i++)
        vec_push(l, value);
}

static const struct event *event(const struct search *s, uint32_t e)
{
    return &s->r->events.at[e];
}

// ---- who sent what ------------------------------------------------------

static void sort_by_number(const struct search *s, uint32_t *at, uint32_t n)
{
    for (uint32_t x = 1; x < n; x++)
        for (uint32_t y = x;
             y > 0 && event(s, at[y - 1])->nth > event(s, at[y])->nth; y--) {
            uint32_t e = at[y];
            at[y] = at[y - 1];
            at[y - 1] = e;
        }
}

// By source, by counting, then by number of send.
static void sort_sends(struct search *s)
{
    uint32_t n = s->r->events.n;
    fill(&s->first_send, n + 2, 0);
    fill(&s->sends, n, NO_EVENT);
    for (uint32_t e = 0; e < n; e++)
        if (event(s, e)->source != NO_EVENT)
            s->first_send.at[event(s, e)->source + 2]++;
    for (uint32_t e = 2; e < n + 2; e++)
        s->first_send.at[e] += s->first_send.at[e - 1];
    for (uint32_t e = 0; e < n; e++)
        if (event(s, e)->source != NO_EVENT)
            s->sends.at[s->first_send.at[event(s, e)->source + 1]++] = e;
    for (uint32_t e = 0; e < n; e++)
        sort_by_number(s, s->sends.at + s->first_send.at[e],
                       s->first_send.at[e + 1] - s->first_send.at[e]);
}

// ---- the prefix ---------------------------------------------------------

static bool in_prefix(const struct search *s, uint32_t e)
{
    return event(s, e)->at < s->prefix.at[event(s, e)->actor];
}

// The event and all that led to it.
static void take_in(struct search *s, uint32_t e)
{
    if (e == NO_EVENT)
        return;
    const uint32_t *past = s->m->past.at + (size_t)e * s->m->stride;
    for (uint32_t a = 0; a < s->m->n; a++)
        if (past[a] > s->prefix.at[a])
            s->prefix.at[a] = past[a];
}

// The event of an actor with this number.
static uint32_t event_of(const struct search *s, uint32_t actor, uint32_t at)
{
    for (uint32_t e = 0; e < s->r->events.n; e++)
        if (event(s, e)->actor == actor && event(s, e)->at == at)
            return e;
    return NO_EVENT;
}

// Take in what makes the two receives possible.  A timer was pending for as
// long as the record has it pending: its actor goes as far as to the earlier of
// the two.  False if the goal's actor must receive b itself for that, or if one
// run sent both in the other order.
static bool add_goal(struct search *s, uint32_t a, uint32_t b)
{
    const struct event *x = event(s, a), *y = event(s, b);
    uint32_t low = x->at < y->at ? x->at : y->at;
    take_in(s, x->timer ? x->set_by : x->source);
    take_in(s, y->timer ? y->set_by : y->source);
    if ((x->timer || y->timer) && low > 0)
        take_in(s, event_of(s, x->actor, low - 1));
    vec_push(&s->goals, ((struct goal_pair){a, b}));
    return !in_prefix(s, b) &&
           (x->source != y->source || x->timer || y->timer || x->nth < y->nth);
}

// ---- what an extension keeps --------------------------------------------

static void edge(struct search *s, uint32_t from, uint32_t to)
{
    if (from == NO_EVENT || to == NO_EVENT || from == to)
        return;
    struct edge e = {from, to, s->first_edge.at[from]};
    s->first_edge.at[from] = s->edges.n;
    s->waits.at[to]++;
    vec_push(&s->edges, e);
}

// An actor's own order, and what an event comes from.  A segment of the body
// comes when all is quiet.
static void link_actors(struct search *s)
{
    uint32_t segment = NO_EVENT;
    fill(&s->last, s->r->actors.n, NO_EVENT);
    for (uint32_t i = 0; i < s->r->events.n; i++) {
        const struct event *e = event(s, i);
        if (!in_prefix(s, i))
            continue;
        edge(s, s->last.at[e->actor], i);
        edge(s, e->source, i);
        edge(s, e->creator, i);
        edge(s, e->set_by, i);
        edge(s, segment, i);
        s->last.at[e->actor] = i;
        if (!e->body)
            continue;
        for (uint32_t a = 0; a < s->last.n; a++)
            edge(s, s->last.at[a], i);
        segment = i;
    }
}

// Senders in the order of the queue, and those of what is left in it last.
static void link_queues(struct search *s)
{
    fill(&s->last, s->r->actors.n, NO_EVENT);
    for (uint32_t i = 0; i < s->r->events.n; i++) {
        const struct event *e = event(s, i);
        if (e->source == NO_EVENT || !in_prefix(s, e->source))
            continue;
        edge(s, s->last.at[e->actor], e->source);
        if (in_prefix(s, i))
            s->last.at[e->actor] = e->source;
    }
}

static void link_goals(struct search *s)
{
    for (uint32_t i = 0; i < s->goals.n; i++) {
        const struct event *a = event(s, s->goals.at[i].a);
        const struct event *b = event(s, s->goals.at[i].b);
        if (!a->timer && !b->timer)
            edge(s, a->source, b->source);
    }
}

static void link_events(struct search *s)
{
    uint32_t n = s->r->events.n;
    vec_clear(&s->edges);
    fill(&s->first_edge, n, NO_EVENT);
    fill(&s->waits, n, 0);
    link_actors(s);
    link_queues(s);
    link_goals(s);
}

// ---- the extension ------------------------------------------------------

// The heap of events that wait for nothing has the earliest of the record at
// its root, and no parent later than its children.
static void heap_push(event_list *h, uint32_t e)
{
    vec_push(h, e);
    for (uint32_t i = h->n - 1; i > 0 && h->at[(i - 1) / 2] > h->at[i];
         i = (i - 1) / 2) {
        h->at[i] = h->at[(i - 1) / 2];
        h->at[(i - 1) / 2] = e;
    }
}

static uint32_t heap_pop(event_list *h)
{
    uint32_t first = h->at[0], last = vec_pop(h), i = 0;
    for (uint32_t child; (child = 2 * i + 1) < h->n; i = child) {
        if (child + 1 < h->n && h->at[child + 1] < h->at[child])
            child++;
        if (h->at[child] >= last)
            break;
        h->at[i] = h->at[child];
    }
    if (h->n)
        h->at[i] = last;
    return first;
}

// The earliest event that waits for nothing, but `late` only if no other does.
static uint32_t next_ready(struct search *s, uint32_t late)
{
    uint32_t e = heap_pop(&s->ready);
    if (e != late || !s->ready.n)
        return e;
    e = heap_pop(&s->ready);
    heap_push(&s->ready, late);
    return e;
}

static void place(struct search *s, uint32_t e)
{
    vec_push(&s->extension, e);
    s->waits.at[e] = PLACED;
    for (uint32_t i = s->first_edge.at[e]; i != NO_EVENT;
         i = s->edges.at[i].next) {
        uint32_t to = s->edges.at[i].to;
        if (!--s->waits.at[to] && in_prefix(s, to))
            heap_push(&s->ready, to);
    }
}

// Put the prefix in an order that keeps what it must; false if there is none.
// The run that sends the first goal's first message comes as late as it can.
static bool extend(struct search *s)
{
    uint32_t late = event(s, s->goals.at[0].a)->source, size = 0;
    link_events(s);
    vec_clear(&s->extension);
    vec_clear(&s->ready);
    for (uint32_t a = 0; a < s->prefix.n; a++)
        size += s->prefix.at[a];
    for (uint32_t e = 0; e < s->r->events.n; e++)
        if (!s->waits.at[e] && in_prefix(s, e))
            heap_push(&s->ready, e);
    while (s->ready.n)
        place(s, next_ready(s, late));
    return s->extension.n == size;
}

// ---- after the prefix ---------------------------------------------------

static void receive(struct search *s, uint32_t e, event_list *out)
{
    if (s->waits.at[e] == PLACED)
        return;
    s->waits.at[e] = PLACED;
    vec_push(out, e);
}

// The actor receives from its queue, which the runs of the extension have
// filled in their order, up to this message.
static void receive_up_to(struct search *s, uint32_t message, event_list *out)
{
    uint32_t actor = event(s, message)->actor;
    for (uint32_t i = 0; i < s->extension.n; i++) {
        uint32_t run = s->extension.at[i];
        for (uint32_t k = s->first_send.at[run]; k < s->first_send.at[run + 1];
             k++) {
            if (s->waits.at[message] == PLACED)
                return;
            if (event(s, s->sends.at[k])->actor == actor)
                receive(s, s->sends.at[k], out);
        }
    }
}

static void receive_goal(struct search *s, const struct goal_pair *g,
                         event_list *out)
{
    const uint32_t pair[] = {g->a, g->b};
    for (int i = 0; i < 2; i++)
        if (event(s, pair[i])->timer)
            receive(s, pair[i], out);
        else
            receive_up_to(s, pair[i], out);
}

// Does the schedule have a before b, directly if need be?
static bool reaches(const struct search *s, const struct goal_pair *g,
                    const event_list *l, bool directly)
{
    bool seen = false;
    for (uint32_t k = 0; k < l->n; k++) {
        const struct event *e = event(s, l->at[k]);
        if (l->at[k] == g->b)
            return seen;
        if (l->at[k] == g->a)
            seen = true;
        else if (seen && directly && e->actor == event(s, g->a)->actor &&
                 event_counts(e))
            return false;
    }
    return false;
}

static void search_free(struct search *s)
{
    vec_free(&s->prefix);
    vec_free(&s->goals);
    vec_free(&s->extension);
    vec_free(&s->sends);
    vec_free(&s->first_send);
    vec_free(&s->edges);
    vec_free(&s->first_edge);
    vec_free(&s->waits);
    vec_free(&s->ready);
    vec_free(&s->last);
}

// ---- more goals ---------------------------------------------------------

// One more goal if an extension has it with those there are.
static void try_goal(struct search *s, uint32_t a, uint32_t b, event_list *was)
{
    vec_clear(was);
    for (uint32_t i = 0; i < s->prefix.n; i++)
        vec_push(was, s->prefix.at[i]);
    if (add_goal(s, a, b) && extend(s))
        return;
    s->goals.n--;
    for (uint32_t i = 0; i < was->n; i++)
        s->prefix.at[i] = was->at[i];
}

// Is "j before i" an order that the record can be turned to, and wanted?
static bool is_wanted(const struct search *s, const struct coverage *c,
                      uint32_t i, uint32_t j)
{
    return criterion_related(s->r, i, j, CRITERION_PR) && !musthb(s->m, i, j) &&
           !in_prefix(s, i) && !event(s, i)->timer && !event(s, j)->timer &&
           !coverage_has(c, s->r, j, i, CRITERION_PR);
}

static void add_goals(struct search *s, const struct coverage *c)
{
    event_list was = {0};
    uint32_t tried = 0;
    for (uint32_t j = 1; j < s->r->events.n; j++)
        for (uint32_t i = j; i-- > 0 && tried < MORE_GOALS_TRIED;)
            if (is_wanted(s, c, i, j)) {
                try_goal(s, j, i, &was);
                tried++;
            }
    extend(s);
    vec_free(&was);
}

bool mailbox_schedule(const struct making *g, uint32_t a, uint32_t b,
                      event_list *out)
{
    struct search s = {.r = g->r, .m = g->m};
    fill(&s.prefix, g->r->actors.n, 0);
    s.prefix.at[0] = 1; // the body begins
    sort_sends(&s);
    bool ok = add_goal(&s, a, b) && extend(&s);
    vec_clear(out);
    if (ok) {
        if (g->cr == CRITERION_PR)
            add_goals(&s, g->c);
        for (uint32_t i = 0; i < s.extension.n; i++)
            vec_push(out, s.extension.at[i]);
        for (uint32_t i = 0; i < s.goals.n; i++)
            receive_goal(&s, &s.goals.at[i], out);
        ok = reaches(&s, &s.goals.at[0], out, g->cr != CRITERION_PR);
    }
    search_free(&s);
    return ok;
}

// Orders are chosen greedily: next comes the message with the most wanted
// orders before the rest, less those behind.
#include "cover/in_flight.h"

#include <assert.h>

// If more than MOST_IN_FLIGHT messages are in flight to one actor, they are not
// put in order.  At most EFFORT steps are spent on holding actors back.
enum { MOST_IN_FLIGHT = 500, EFFORT = 20000000 };

struct pack {
    const struct record *r;
    const struct musthb *m;
    const struct coverage *c;
    uint32_t a, b;    // the goal
    uint32_t gain;    // wanted orders reached
    event_list kept;  // per actor: how many first receives are in the cut
    event_list far;   // the same, run as far as it goes
    event_list held;  // per actor: held back at kept
    event_list front; // in flight to one actor
    VEC(int32_t) score;
    event_list waits; // per member of front: others that must come first
};

static const struct event *event(const struct pack *p, uint32_t e)
{
    return &p->r->events.at[e];
}

static bool in(const struct pack *p, const event_list *cut, uint32_t e)
{
    assert(cut->at); // a number for each actor
    return event(p, e)->at < cut->at[event(p, e)->actor];
}

// Is all that must come before e in the cut?
static bool allowed(const struct pack *p, const event_list *cut, uint32_t e)
{
    const uint32_t *before = p->m->before.at + (size_t)e * p->m->stride;
    for (uint32_t a = 0; a < p->m->n; a++)
        if (before[a] > cut->at[a])
            return false;
    return true;
}

static void require(struct pack *p, uint32_t e)
{
    const uint32_t *before = p->m->before.at + (size_t)e * p->m->stride;
    assert(p->kept.at);
    for (uint32_t a = 0; a < p->m->n; a++)
        if (before[a] > p->kept.at[a])
            p->kept.at[a] = before[a];
}

// As far as the record goes with what is held.
static void run_far(struct pack *p)
{
    vec_clear(&p->far);
    for (uint32_t a = 0; a < p->kept.n; a++)
        vec_push(&p->far, p->kept.at[a]);
    for (uint32_t e = 0; e < p->r->events.n; e++) {
        uint32_t actor = event(p, e)->actor;
        if (!p->held.at[actor] && event(p, e)->at == p->far.at[actor] &&
            allowed(p, &p->far, e))
            p->far.at[actor]++;
    }
}

static void in_flight(struct pack *p, const event_list *cut, uint32_t actor)
{
    vec_clear(&p->front);
    for (uint32_t e = 0; e < p->r->events.n; e++)
        if (event(p, e)->actor == actor && event(p, e)->source != NO_EVENT &&
            !in(p, cut, e) && in(p, cut, event(p, e)->source))
            vec_push(&p->front, e);
}

// Hold this actor back; the cut grows by what is in flight to it then.
static void hold(struct pack *p, uint32_t actor)
{
    p->held.at[actor] = 1;
    run_far(p);
    in_flight(p, &p->far, actor);
    for (uint32_t i = 0; i < p->front.n; i++)
        require(p, p->front.at[i]);
}

// The goal's actor first, then from the last to the first: those created late
// send to those created early more often than not.
static void hold_all(struct pack *p)
{
    uint64_t cost = (uint64_t)p->r->events.n * p->m->n;
    uint64_t most = EFFORT / cost;
    hold(p, event(p, p->a)->actor);
    for (uint32_t i = p->r->actors.n; i-- > 1 && most > 0;)
        if (!p->held.at[i]) {
            hold(p, i);
            most--;
        }
}

// A body that goes on after one receive would come in between.
static bool body_waits(const struct record *r)
{
    for (uint32_t e = 1; e < r->events.n; e++)
        if (r->events.at[e].body && !r->events.at[e].quiet)
            return false;
    return true;
}

// ---- the order of what is in flight -------------------------------------

static bool wanted(const struct pack *p, uint32_t a, uint32_t b)
{
    return criterion_related(p->r, a, b, CRITERION_PR) &&
           !coverage_has(p->c, p->r, a, b, CRITERION_PR);
}

static bool must_wait(const struct pack *p, uint32_t e, uint32_t f)
{
    return (f == p->a && e == p->b) || (f < e && musthb(p->m, f, e));
}

static void weigh(struct pack *p)
{
    vec_clear(&p->score);
    vec_clear(&p->waits);
    for (uint32_t i = 0; i < p->front.n; i++) {
        int32_t score = 0;
        uint32_t e = p->front.at[i], waits = 0;
        for (uint32_t k = 0; k < p->front.n; k++) {
            uint32_t f = p->front.at[k];
            score += (int)wanted(p, e, f) - (int)wanted(p, f, e);
            waits += must_wait(p, e, f);
        }
        vec_push(&p->score, score);
        vec_push(&p->waits, waits);
    }
}

static uint32_t best(const struct pack *p)
{
    uint32_t best = NO_EVENT;
    for (uint32_t i = 0; i < p->front.n; i++)
        if (!p->waits.at[i] &&
            (best == NO_EVENT || p->score.at[i] >= p->score.at[best]))
            best = i;
    return best;
}

static void receive_all(struct pack *p, event_list *out)
{
    if (p->front.n > MOST_IN_FLIGHT)
        return;
    weigh(p);
    for (uint32_t i; (i = best(p)) != NO_EVENT;) {
        uint32_t e = p->front.at[i];
        p->waits.at[i] = NO_EVENT;
        vec_push(out, e);
        for (uint32_t k = 0; k < p->front.n; k++) {
            uint32_t f = p->front.at[k];
            if (p->waits.at[k] == NO_EVENT)
                continue;
            p->gain += wanted(p, e, f);
            p->score.at[k] += (int)wanted(p, e, f) - (int)wanted(p, f, e);
            p->waits.at[k] -= must_wait(p, f, e);
        }
    }
}

static void pack_free(struct pack *p)
{
    vec_free(&p->kept);
    vec_free(&p->far);
    vec_free(&p->held);
    vec_free(&p->front);
    vec_free(&p->score);
    vec_free(&p->waits);
}

static void write_down(struct pack *p, event_list *out)
{
    vec_clear(out);
    for (uint32_t e = 0; e < p->r->events.n; e++)
        if (in(p, &p->kept, e))
            vec_push(out, e);
    for (uint32_t a = 0; a < p->kept.n; a++) {
        in_flight(p, &p->kept, a);
        receive_all(p, out);
    }
}

static bool comes_true(const struct pack *p, const event_list *l)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (l->at[i] == p->b)
            return false;
        else if (l->at[i] == p->a)
            return true;
    return false;
}

uint32_t in_flight_schedule(const struct record *r, const struct musthb *m,
                            const struct coverage *c, uint32_t a, uint32_t b,
                            event_list *out)
{
    struct pack p = {.r = r, .m = m, .c = c, .a = a, .b = b};
    for (uint32_t i = 0; i < r->actors.n; i++) {
        vec_push(&p.kept, i == 0); // the body begins
        vec_push(&p.held, 0);
    }
    require(&p, a);
    require(&p, b);
    bool ok = body_waits(r) && !in(&p, &p.kept, a) && !in(&p, &p.kept, b);
    if (ok) {
        hold_all(&p);
        write_down(&p, out);
        ok = comes_true(&p, out);
    }
    pack_free(&p);
    return ok ? p.gain : 0;
}

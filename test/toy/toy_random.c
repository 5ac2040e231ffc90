// Random programs: a table says what an actor of kind k in state s does on a
// message of type t.
//
// Every message carries fuel, one less than the message that caused it, so all
// runs end.  An actor keeps the last actor it was told of; a step may send to
// that one, so that messages of several senders race for actors created late.
#include "toy/toy_programs.h"

#include "base/die.h"
#include "base/rng.h"

enum { KINDS = 7, STATES = 3, TYPES = 3, OUT = 3, FIRST = 6, TIMER = 100 };

enum { TO_KEPT = -1, TO_BODY = -2 };

struct step {
    int8_t next, n_out, to[OUT], type[OUT];
    bool birth, timer, pick, crash, stop, tell;
};

struct table {
    int actors, types, states, segments, fuel;
    unsigned parts;
    int n_first[3], first_to[3][FIRST], first_type[3][FIRST];
    struct step step[KINDS][STATES][TYPES];
    struct step init[KINDS];
    bool begins[KINDS]; // with its init
};

static bool once_in(struct rng *g, unsigned n)
{
    return rng_below(g, n) == 0;
}

static int target(struct table *t, struct rng *g)
{
    if ((t->parts & TOY_BIRTHS) && once_in(g, 4))
        return TO_KEPT;
    if ((t->parts & TOY_DRAINS) && once_in(g, 8))
        return TO_BODY;
    return 1 + (int)rng_below(g, (unsigned)t->actors);
}

static void random_step(struct table *t, struct rng *g, struct step *s)
{
    static const int8_t fan[] = {0, 0, 1, 1, 1, 2, 2, 3};
    s->next = (int8_t)rng_below(g, (unsigned)t->states);
    s->n_out = fan[rng_below(g, 8)];
    for (int i = 0; i < s->n_out; i++) {
        s->to[i] = (int8_t)target(t, g);
        s->type[i] = (int8_t)rng_below(g, (unsigned)t->types);
    }
    s->birth = (t->parts & TOY_BIRTHS) && once_in(g, 6);
    s->tell = once_in(g, 2);
    s->timer = (t->parts & TOY_USE_TIMERS) && once_in(g, 5);
    s->pick = (t->parts & TOY_PICKS) && once_in(g, 6);
    s->crash = (t->parts & TOY_CRASHES) && once_in(g, 16);
    s->stop = (t->parts & TOY_CRASHES) && once_in(g, 16);
}

static void random_first(struct table *t, struct rng *g, int segment)
{
    int n = segment ? 1 + (int)rng_below(g, 2) : 2 + (int)rng_below(g, 3);
    t->n_first[segment] = n;
    for (int i = 0; i < n; i++) {
        t->first_to[segment][i] = 1 + (int)rng_below(g, (unsigned)t->actors);
        t->first_type[segment][i] = (int)rng_below(g, (unsigned)t->types);
    }
}

// A message: its type, fuel, and the actor it tells of or 0.
static void pass(struct toy_run *r, uint32_t to, int type, int fuel, int told)
{
    toy_send(r, to, type, 1 + (told != 0), (int[]){fuel, told});
}

static void perform(struct toy_run *r, const struct step *s, int fuel);

// One step, before any message; the last value, its fuel, goes.
// Every other type may be that of a timer that waits for no other.
static void set_timer(struct toy_run *r, int type)
{
    const struct table *t = toy_table(r);
    if (t->parts & TOY_FREE_TIMERS && type % 2)
        toy_timer_free(r, type);
    else
        toy_timer(r, type);
}

static void init(struct toy_run *r)
{
    const struct table *t = toy_table(r);
    const struct step *s = &t->init[r->st.v[0]];
    int fuel = r->st.v[--r->st.n];
    if (s->pick)
        r->st.v[1] = (int16_t)((int)toy_choose(r, 2) % t->states);
    perform(r, s, fuel);
    if (s->timer)
        set_timer(r, TIMER + fuel * TYPES);
}

static uint32_t bear(struct toy_run *r, int kind, int told, int fuel)
{
    const struct table *t = toy_table(r);
    bool begins = t->begins[kind] && fuel > 0;
    return toy_spawn_with(r, 1, 3 + begins, (int[]){kind, 0, told, fuel - 1},
                          begins ? init : NULL);
}

static void body(struct toy_run *r)
{
    const struct table *t = toy_table(r);
    int segment = r->st.v[0];
    if (segment == 0)
        for (int i = 0; i < t->actors; i++)
            bear(r, i, 0, t->fuel);
    int extra = r->st.n > 1 ? r->st.v[r->st.n - 1] % 2 : 0;
    for (int i = 0; i < t->n_first[segment] - extra; i++)
        pass(r, (uint32_t)t->first_to[segment][i], t->first_type[segment][i],
             t->fuel, 0);
    if (segment == 0 && (t->parts & TOY_PICKS) && t->first_to[0][0] == 1)
        pass(r, 1, (int)toy_choose(r, 2) % t->types, t->fuel, 0);
    if (segment + 1 < t->segments)
        toy_drain(r);
}

static void env(struct toy_run *r)
{
    if (r->st.n < 6)
        r->st.v[r->st.n++] = r->in.type;
}

static void perform(struct toy_run *r, const struct step *s, int fuel)
{
    uint32_t kid = 0;
    if (s->birth) {
        kid = bear(r, KINDS - 1, TOY_REF(r->self), fuel);
        pass(r, kid, 0, fuel, 0);
    }
    for (int i = 0; i < s->n_out; i++) {
        int16_t kept = r->st.v[2];
        uint32_t to = (uint32_t)s->to[i];
        if (s->to[i] == TO_KEPT)
            to = kid ? kid : kept ? TOY_ACTOR(kept) : r->self;
        else if (s->to[i] == TO_BODY)
            to = PLAY_ENV;
        int told = kid && s->tell ? TOY_REF(kid) : kept && s->tell ? kept : 0;
        pass(r, to, s->type[i], fuel, told);
    }
}

// v: kind, state, actor told of; in: fuel, actor told of.
static void act(struct toy_run *r)
{
    const struct table *t = toy_table(r);
    bool fired = r->in.type >= TIMER;
    int type = fired ? (r->in.type - TIMER) % TYPES : r->in.type;
    int fuel = fired ? (r->in.type - TIMER) / TYPES : r->in.v[0];
    const struct step *s = &t->step[r->st.v[0]][r->st.v[1]][type % t->types];
    if (r->in.n > 1)
        r->st.v[2] = r->in.v[1];
    if (r->in.n > 1 || !fired)
        r->st.v[1] = s->next;
    if (s->pick)
        r->st.v[1] = (int16_t)((s->next + (int)toy_choose(r, 2)) % t->states);
    if (fuel > 0)
        perform(r, s, fuel - 1);
    if (s->timer && fuel > 0)
        set_timer(r, TIMER + (fuel - 1) * TYPES + type);
    if (s->crash)
        toy_crash(r, "random");
    else if (s->stop)
        toy_stop(r);
}

static const struct toy_program random_program = {
    .name = "random",
    .body = body,
    .env = env,
    .classes = {act},
    .names = {"a"},
};

void *toy_random_table(uint64_t seed, unsigned parts,
                       const struct toy_program **program)
{
    struct rng g = rng_of(seed);
    struct table *t = need_zero(sizeof *t);
    t->parts = parts;
    t->actors = 2 + (int)rng_below(&g, 3);
    t->types = 1 + (int)rng_below(&g, TYPES);
    t->states = 1 + (int)rng_below(&g, STATES);
    t->segments = parts & TOY_DRAINS ? 1 + (int)rng_below(&g, 3) : 1;
    t->fuel = 1 + (int)rng_below(&g, 3);
    for (int i = 0; i < 3; i++)
        random_first(t, &g, i);
    for (int k = 0; k < KINDS; k++)
        for (int s = 0; s < STATES; s++)
            for (int y = 0; y < TYPES; y++)
                random_step(t, &g, &t->step[k][s][y]);
    for (int k = 0; k < KINDS && parts & TOY_INITS; k++) {
        random_step(t, &g, &t->init[k]);
        t->begins[k] = once_in(&g, k == KINDS - 1 ? 2 : 6);
    }
    *program = &random_program;
    return t;
}

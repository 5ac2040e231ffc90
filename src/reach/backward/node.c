#include "reach/backward/backward.h"

#include "base/die.h"

#include <stdlib.h>

#define COPY_VEC(to, from)                                                     \
    do {                                                                       \
        for (uint32_t i_ = 0; i_ < (from)->n; i_++)                            \
            vec_push(to, (from)->at[i_]);                                      \
    } while (0)

struct node *node_new(struct backward *b)
{
    struct node *n = need_zero(sizeof *n);
    n->serial = b->serial++;
    n->repeated = IR_NOTHING;
    for (uint32_t i = 0; i < b->start.flights.n; i++)
        vec_push(&n->flights, 0u);
    return n;
}

struct node *node_copy(struct backward *b, const struct node *n)
{
    struct node *c = need_zero(sizeof *c);
    COPY_VEC(&c->conditions, &n->conditions);
    COPY_VEC(&c->demands, &n->demands);
    COPY_VEC(&c->requests, &n->requests);
    COPY_VEC(&c->pendings, &n->pendings);
    COPY_VEC(&c->opened, &n->opened);
    COPY_VEC(&c->cast, &n->cast);
    COPY_VEC(&c->channels, &n->channels);
    COPY_VEC(&c->flights, &n->flights);
    COPY_VEC(&c->counts, &n->counts);
    c->path = n->path;
    c->origins = n->origins;
    c->births = n->births;
    c->length = n->length;
    c->posts = n->posts;
    c->unknown = n->unknown;
    c->repeated = IR_NOTHING;
    c->serial = b->serial++;
    return c;
}

void node_free(struct node *n)
{
    if (!n)
        return;
    vec_free(&n->conditions);
    vec_free(&n->demands);
    vec_free(&n->requests);
    vec_free(&n->pendings);
    vec_free(&n->opened);
    vec_free(&n->cast);
    vec_free(&n->channels);
    vec_free(&n->flights);
    vec_free(&n->counts);
    free(n);
}

uint32_t node_cast(struct backward *b, struct node *n, uint32_t number,
                   uint32_t cls, bool initial)
{
    for (uint32_t i = 0; i < n->cast.n; i++)
        if (n->cast.at[i].number == number)
            return i;
    (void)b;
    struct cast c = {.number = number,
                     .cls = cls,
                     .behaviour = IR_NOTHING,
                     .initial = initial};
    vec_push(&n->cast, c);
    n->unknown += !initial;
    return n->cast.n - 1;
}

// ---- tidying --------------------------------------------------------------

// Conditions one by one, each once.
static bool tidy_conditions(struct backward *b, struct node *n)
{
    struct map seen = {0};
    uint32_t kept = 0;
    bool ok = true;
    for (uint32_t i = 0; ok && i < n->conditions.n; i++) {
        term c = n->conditions.at[i];
        ok = !term_is_false(b->ts, c);
        if (term_is_true(b->ts, c) || map_get(&seen, c) != MAP_NONE)
            continue;
        map_put(&seen, c, 1);
        n->conditions.at[kept++] = c;
    }
    n->conditions.n = kept;
    map_free(&seen);
    return ok;
}

static bool is_needed(struct terms *ts, const struct map *used, term var)
{
    return map_get(used, term_var_index(ts, var)) != MAP_NONE;
}

bool node_tidy(struct backward *b, struct node *n)
{
    if (!tidy_conditions(b, n))
        return false;
    struct map used = {0};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n->conditions.n; i++) {
        struct term_vars v = term_vars(b->ts, n->conditions.at[i]);
        for (uint32_t k = 0; k < v.n; k++)
            map_put(&used, v.at[k], 1);
    }
    for (uint32_t i = 0; i < n->demands.n; i++)
        if (is_needed(b->ts, &used, n->demands.at[i].var))
            n->demands.at[kept++] = n->demands.at[i];
    n->demands.n = kept;
    map_free(&used);
    return true;
}

bool node_is_opened(const struct node *n, uint32_t actor)
{
    for (uint32_t i = 0; i < n->opened.n; i++)
        if (n->opened.at[i].of->actor == actor)
            return true;
    return false;
}

void node_drop_request(struct node *n, uint32_t request)
{
    for (uint32_t i = request + 1; i < n->requests.n; i++)
        n->requests.at[i - 1] = n->requests.at[i];
    n->requests.n--;
}

// ---- messages of the start ------------------------------------------------

bool node_bind_flight(struct backward *b, struct node *n, uint32_t request,
                      uint32_t flight)
{
    const struct start_flight *f = &b->start.flights.at[flight];
    struct request r = n->requests.at[request];
    const struct sx_path *p = r.by->c.path;
    struct term_subst *s = term_subst_new(b->ts);
    for (uint32_t k = 0; k < p->n_cells; k++) {
        const struct sx_cell *c = &p->cells[k];
        term var = r.by->vars[k];
        u128 v = f->from;
        if (term_op(b->ts, var) != TERM_VAR)
            continue;
        if (c->place.from == SX_MESSAGE) {
            v = 0;
            for (uint32_t i = 0; i < c->bytes && i < 16; i++)
                v |= (u128)f->bytes[(uint64_t)c->place.offset + i] << 8 * i;
        } else if (c->place.from != SX_OPERATION ||
                   c->place.index != SX_SENDER) {
            continue;
        }
        term_subst_set(s, var, term_const(b->ts, c->bytes * 8, v));
    }
    for (uint32_t i = 0; i < n->conditions.n; i++)
        n->conditions.at[i] = term_subst(s, n->conditions.at[i]);
    term_subst_free(s);
    for (uint32_t i = 0; f->op == IR_AFTER && i < r.n_cancels; i++)
        vec_push(&n->conditions,
                 term_ne(b->ts, r.cancels[i],
                         term_const(b->ts, term_bits(b->ts, r.cancels[i]),
                                    f->timer)));
    struct origin *o = arena_zero(&b->arena, sizeof *o);
    *o = (struct origin){
        .up = n->origins, .position = r.position, .from = f->from, .op = f->op};
    n->origins = o;
    n->flights.at[flight] = r.position;
    node_drop_request(n, request);
    return node_tidy(b, n);
}

// Was a later message of the flight's channel received?
static bool is_overtaken(const struct backward *b, const struct node *n,
                         uint32_t flight)
{
    const struct start_flight *f = &b->start.flights.at[flight];
    uint32_t mine = n->flights.at[flight];
    for (uint32_t i = flight + 1; i < b->start.flights.n; i++) {
        const struct start_flight *g = &b->start.flights.at[i];
        if (g->from == f->from && g->to == f->to && g->op != IR_AFTER &&
            n->flights.at[i] > mine)
            return true;
    }
    for (uint32_t i = 0; i < n->channels.n; i++)
        if (n->channels.at[i].from == f->from &&
            n->channels.at[i].to == f->to && n->channels.at[i].position > mine)
            return true;
    if (f->from)
        return false;
    for (const struct path_step *s = n->path; s; s = s->later)
        if (s->kind == STEP_POST && s->of->actor == f->to && s->position > mine)
            return true;
    return false;
}

uint32_t node_flight_in_way(const struct backward *b, const struct node *n)
{
    for (uint32_t i = 0; b->delivery != DELIVERY_ANY && i < n->flights.n; i++)
        if (b->start.flights.at[i].op != IR_AFTER &&
            b->start.flights.at[i].op != IR_WATCH &&
            !backward_absorbs(
                b, b->start.actors.at[b->start.flights.at[i].to - 1].cls,
                b->start.flights.at[i].msg) &&
            is_overtaken(b, n, i))
            return i;
    return IR_NOTHING;
}

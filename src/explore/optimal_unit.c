// Searches as units of work, and back.
//
// A unit is a path: for each node from the root the child that was taken, and
// whether the children after it belong to the unit too.  Which children a node
// has, and in which order, follows from the program and the delivery model
// alone, so another process can follow the path.  At the end stands the hash of
// all states: a unit of another program, or of one that is not deterministic,
// is found out there or on the way.
#include "explore/optimal_search.h"
#include "explore/unit.h"

enum { VERSION = 2 };
enum { BEGUN = 1, CLOSED = 2 };

// ---- writing --------------------------------------------------------------

static void put_node(const struct path *p, const struct node *f, bool closed,
                     struct unit *u)
{
    unit_put(u, (f->begun ? BEGUN : 0) | (closed ? CLOSED : 0));
    unit_put(u, f->kind);
    unit_put(u, f->n);
    if (!f->begun)
        return;
    unit_put(u, (uint32_t)(f->pos + 2)); // small for NO_RUN and PLAY_TIMER
    unit_put(u, f->nth);
    for (uint32_t i = 0; f->kind == NODE_SENDS && i < f->n; i++)
        unit_put(u, p->places.at[f->places + i].at);
}

static void put_head(const struct path *p, uint32_t nodes, struct unit *u)
{
    unit_put(u, VERSION);
    unit_put(u, p->graph.delivery);
    unit_put(u, nodes);
}

// The nodes up to i, whose graph is the present one; only the children of node
// i are given.
static void put_branch(const struct path *p, uint32_t i, struct unit *u)
{
    put_head(p, i + 1, u);
    for (uint32_t j = 0; j <= i; j++)
        put_node(p, &p->nodes.at[j], j < i, u);
    unit_put_hash(u, p->graph.hash);
}

bool optimal_split(struct optimal *o, struct unit *out)
{
    struct path *p = &o->path;
    bool found = false;
    path_back(p, 0);
    for (uint32_t i = 0; i < p->nodes.n; i++) {
        struct node *f = &p->nodes.at[i];
        if (!found && !f->closed && node_has_more(p, f)) {
            put_branch(p, i, out);
            found = f->closed = true;
        }
        path_step_again(p, i);
    }
    return found;
}

bool optimal_rest(struct optimal *o, struct unit *out)
{
    struct path *p = &o->path;
    uint32_t n = p->nodes.n;
    if (!n)
        return false;
    put_head(p, n, out);
    for (uint32_t i = 0; i < n; i++)
        put_node(p, &p->nodes.at[i], p->nodes.at[i].closed, out);
    path_back(p, n - 1);
    unit_put_hash(out, p->graph.hash);
    path_again(p, n - 1);
    return true;
}

// ---- reading --------------------------------------------------------------

static bool get_node(struct unit_reader *in, struct node *f, places *at)
{
    uint32_t marks = unit_get_below(in, (BEGUN | CLOSED) + 1);
    *f = (struct node){.begun = marks & BEGUN, .closed = marks & CLOSED};
    f->kind = unit_get_below(in, NODE_BODY + 1);
    f->n = unit_get_below(in, UINT16_MAX);
    vec_clear(at);
    if (!f->begun)
        return !in->bad;
    f->pos = (uint32_t)unit_get(in) - 2;
    f->nth = unit_get_below(in, UINT16_MAX);
    for (uint32_t i = 0; f->kind == NODE_SENDS && i < f->n && !in->bad; i++)
        vec_push(at, ((struct place){0, unit_get_below(in, UINT32_MAX)}));
    return !in->bad;
}

// Follow one node of the unit; the last one stays where its graph is.
static bool follow(struct path *p, struct unit_reader *in, bool last,
                   places *at)
{
    struct node f;
    if (!get_node(in, &f, at) || !path_push(p))
        return false;
    struct node *own = &vec_last(&p->nodes);
    if (own->kind != f.kind || own->n != f.n || (!f.begun && !last))
        return false;
    if (f.begun && !node_find(p, own, &f, at->at))
        return false;
    own->closed = own->fixed = f.closed;
    if (!last)
        node_apply(p, own);
    return true;
}

static bool load(struct path *p, const struct unit *u, places *at)
{
    struct unit_reader in = unit_read(u);
    if (unit_get(&in) != VERSION || unit_get(&in) != p->graph.delivery)
        return false;
    uint32_t n = unit_get_below(&in, UINT32_MAX);
    for (uint32_t i = 0; i < n; i++)
        if (!follow(p, &in, i + 1 == n, at))
            return false;
    return n && unit_get_hash(&in) == p->graph.hash && !in.bad &&
           in.at == in.end;
}

struct optimal *optimal_of_unit(struct search *s, const struct unit *u)
{
    struct optimal *o = optimal_empty(s);
    places at = {0};
    bool fits = load(&o->path, u, &at);
    vec_free(&at);
    if (fits)
        return o;
    optimal_free(o);
    return NULL;
}

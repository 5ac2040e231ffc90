// Searches as units of work, and back.
//
// A unit is a path: for each node from the root the child that was taken, and
// whether the children after it belong to the unit too.  Which children a node
// has, and in which order, follows from the program and the delivery model
// alone, so another process can follow the path.  At the end stands the hash of
// all states: a unit of another program, or of one that is not deterministic,
// is found out there or on the way.
#include "explore/optimal/optimal_inner.h"
#include "explore/optimal/work.h"

enum { VERSION = 2 };
enum { BEGUN = 1, CLOSED = 2 };

// ---- writing --------------------------------------------------------------

static void put_node(const struct path *p, const struct node *f, bool closed,
                     struct work_bytes *u)
{
    work_put(u, (f->begun ? BEGUN : 0) | (closed ? CLOSED : 0));
    work_put(u, f->kind);
    work_put(u, f->n);
    if (!f->begun)
        return;
    work_put(u, (uint32_t)(f->pos + 2)); // small for NO_RUN and play_timer(0)
    work_put(u, f->nth);
    for (uint32_t i = 0; f->kind == NODE_SENDS && i < f->n; i++)
        work_put(u, p->places.at[f->places + i].at);
}

static void put_head(const struct path *p, uint32_t nodes, struct work_bytes *u)
{
    work_put(u, VERSION);
    work_put(u, p->graph.delivery);
    work_put(u, nodes);
}

// The nodes up to i, whose graph is the present one; only the children of node
// i are given.
static void put_branch(const struct path *p, uint32_t i, struct work_bytes *u)
{
    put_head(p, i + 1, u);
    for (uint32_t j = 0; j <= i; j++)
        put_node(p, &p->nodes.at[j], j < i, u);
    work_put_hash(u, p->graph.hash);
}

// All nodes; the hash is that of the last one's graph.
static void put_path(const struct path *p, uint64_t hash, struct work_bytes *u)
{
    put_head(p, p->nodes.n, u);
    for (uint32_t i = 0; i < p->nodes.n; i++)
        put_node(p, &p->nodes.at[i], p->nodes.at[i].closed, u);
    work_put_hash(u, hash);
}

bool optimal_rest(struct optimal *o, struct work_bytes *out)
{
    struct path *p = &o->path;
    uint32_t n = p->nodes.n;
    if (!n)
        return false;
    path_back(p, n - 1);
    put_path(p, p->graph.hash, out);
    path_again(p, n - 1);
    return true;
}

static void add(struct work_list *out, struct work_bytes *u)
{
    work_list_add(out, u->bytes.at, u->bytes.n);
    vec_clear(&u->bytes);
}

enum { MOST_COST = 2000000 };

// One walk from the root, no further than the parts need it, and not for ever:
// a path may be long, and an inbox too.
void optimal_leave(struct optimal *o, uint32_t parts, struct work_list *out)
{
    struct path *p = &o->path;
    struct work_bytes u = {0};
    uint32_t n = p->nodes.n, i = 0;
    uint64_t cost = 0;
    if (!n)
        return;
    path_back(p, n - 1);
    uint64_t hash = p->graph.hash;
    path_back(p, 0);
    for (; i < n && parts && cost < MOST_COST; i++) {
        struct node *f = &p->nodes.at[i];
        cost += node_cost(p, f);
        if (!f->closed && node_has_more(p, f)) {
            put_branch(p, i, &u);
            add(out, &u);
            f->closed = true;
            parts--;
        }
        if (i + 1 < n)
            path_step_again(p, i);
    }
    if (i < n) {
        put_path(p, hash, &u);
        add(out, &u);
    }
    work_free(&u);
}

// ---- reading --------------------------------------------------------------

static bool get_node(struct work_reader *in, struct node *f, places *at)
{
    uint32_t marks = work_get_below(in, (BEGUN | CLOSED) + 1);
    *f = (struct node){.begun = marks & BEGUN, .closed = marks & CLOSED};
    f->kind = work_get_below(in, NODE_BODY + 1);
    f->n = work_get_below(in, UINT16_MAX);
    vec_clear(at);
    if (!f->begun)
        return !in->bad;
    f->pos = (uint32_t)work_get(in) - 2;
    f->nth = work_get_below(in, UINT16_MAX);
    for (uint32_t i = 0; f->kind == NODE_SENDS && i < f->n && !in->bad; i++)
        vec_push(at, ((struct mail_place){0, work_get_below(in, UINT32_MAX)}));
    return !in->bad;
}

// Follow one node of the unit; the last one stays where its graph is.
static bool follow(struct path *p, struct work_reader *in, bool last,
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

static bool load(struct path *p, const struct work_bytes *u, places *at)
{
    struct work_reader in = work_read(u);
    if (work_get(&in) != VERSION || work_get(&in) != p->graph.delivery)
        return false;
    uint32_t n = work_get_below(&in, UINT32_MAX);
    for (uint32_t i = 0; i < n; i++)
        if (!follow(p, &in, i + 1 == n, at))
            return false;
    return n && work_get_hash(&in) == p->graph.hash && !in.bad &&
           in.at == in.end;
}

struct optimal *optimal_of_unit(struct search *s, const struct work_bytes *u)
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

// Nodes, what happens when one gets a location, and the worklist.
#include "flow/pts_inner.h"

#include "base/debug.h"

// A memcpy from any of n places to any of m is n * m copies.  If these are
// more, all go by way of a buffer.
enum { PAIRS_MAX = 64 };

// ---- nodes --------------------------------------------------------------

uint32_t pts_node(struct pts *p)
{
    uint32_t node = p->nodes.n;
    vec_push(&p->nodes,
             ((struct pts_node){.merged = node, .component = IR_NOTHING}));
    return node;
}

uint32_t pts_rep(struct pts *p, uint32_t node)
{
    struct pts_node *all = p->nodes.at;
    while (all[node].merged != node) {
        all[node].merged = all[all[node].merged].merged;
        node = all[node].merged;
    }
    return node;
}

static void wake(struct pts *p, uint32_t node)
{
    if (!p->nodes.at[node].queued) {
        p->nodes.at[node].queued = true;
        vec_push(&p->queue, node);
    }
}

void pts_add(struct pts *p, uint32_t node, uint32_t loc)
{
    node = pts_rep(p, node);
    struct pts_node *n = &p->nodes.at[node];
    if (set_add(&n->has, loc)) {
        set_add(&n->todo, loc);
        wake(p, node);
    }
}

static void join(struct pts *p, uint32_t to, const struct set *what)
{
    struct pts_node *n = &p->nodes.at[to];
    if (set_join(&n->has, what, &n->todo))
        wake(p, to);
}

void pts_copy(struct pts *p, uint32_t from, uint32_t to)
{
    from = pts_rep(p, from);
    to = pts_rep(p, to);
    if (from == to)
        return;
    uint64_t key = map_pair(from, to);
    uint32_t *seen = map_at(&p->edges, key);
    if (*seen != MAP_NONE)
        return;
    *seen = 1;
    vec_push(&p->nodes.at[from].copies, to);
    join(p, to, &p->nodes.at[from].has);
}

// The constraints see all locations again: applying one twice changes nothing.
void pts_merge(struct pts *p, uint32_t a, uint32_t b)
{
    a = pts_rep(p, a);
    b = pts_rep(p, b);
    if (a == b)
        return;
    struct pts_node *to = &p->nodes.at[a], *from = &p->nodes.at[b];
    struct set unused = {0};
    set_join(&to->has, &from->has, &unused);
    set_join(&to->todo, &to->has, &unused);
    for (uint32_t i = 0; i < from->copies.n; i++)
        vec_push(&to->copies, from->copies.at[i]);
    for (uint32_t i = 0; i < from->on.n; i++)
        vec_push(&to->on, from->on.at[i]);
    set_free(&unused);
    set_free(&from->has);
    set_free(&from->todo);
    vec_free(&from->copies);
    vec_free(&from->on);
    from->merged = a;
    wake(p, a);
}

static void apply(struct pts *p, uint32_t node, struct pts_constraint c,
                  uint32_t loc);

void pts_on(struct pts *p, uint32_t node, struct pts_constraint c)
{
    node = pts_rep(p, node);
    vec_push(&p->nodes.at[node].on, c);
    struct set now = {0}, unused = {0};
    set_join(&now, &p->nodes.at[node].has, &unused);
    for (struct set_walk w = {.of = &now}; set_next(&w);)
        apply(p, node, c, w.x);
    set_free(&now);
    set_free(&unused);
}

// ---- applying -----------------------------------------------------------

// Do values at the location come in cells at all?
static bool has_cells(const struct pts_object *o)
{
    return o->kind != OBJECT_FUNCTION && o->kind != OBJECT_REF &&
           o->kind != OBJECT_NUMBER;
}

// A wide store may set a number behind its first byte.
static void blur_tags(struct pts *p, struct pts_constraint c, struct pts_loc l)
{
    for (uint32_t i = 0; i < p->n_tags; i++) {
        uint32_t at = p->tags[i];
        bool inside = at > l.offset && at - l.offset < c.size;
        if (inside || (c.imm && at == l.offset))
            pts_add(p, pts_cell(p, l.object, at), p->any);
    }
}

// Code that nobody follows wrote there, who knows how far.
static void fill(struct pts *p, uint32_t loc)
{
    struct pts_constraint all = {.size = UINT32_MAX, .imm = 1};
    struct pts_loc l = p->locs.at[loc];
    if (!has_cells(pts_object_at(p, loc)))
        return;
    if (l.offset == PTS_ANYWHERE)
        l.offset = 0;
    blur_tags(p, all, l);
}

struct pts_loc pts_place(struct pts *p, uint32_t loc)
{
    if (p->locs.at[loc].offset == PTS_ANYWHERE)
        pts_blur(p, p->locs.at[loc].object);
    return pts_at(p, loc);
}

static void access(struct pts *p, struct pts_constraint c, uint32_t loc)
{
    if (!has_cells(pts_object_at(p, loc)))
        return;
    struct pts_loc l = pts_place(p, loc);
    for (uint32_t k = 0; k < c.size || k == 0; k += 8) {
        uint32_t cell = pts_cell(p, l.object, plus(l.offset, k));
        if (c.kind == ON_LOAD)
            pts_copy(p, cell, c.other);
        else
            pts_copy(p, c.other, cell);
    }
    if (c.kind == ON_STORE && p->objects.at[l.object].kind == OBJECT_LOCAL)
        blur_tags(p, c, l);
}

// Does this step make a pointer walk through an object: was the place one step
// before in the same node, and does the step lie on a cycle?
static bool is_walk(struct pts *p, uint32_t node,
                    const struct pts_constraint *c, struct pts_loc l)
{
    int64_t before = (int64_t)l.offset - c->imm;
    if (!c->imm || before < 0 || before > (int64_t)UINT32_MAX)
        return false;
    uint64_t key = map_pair(l.object, (uint32_t)before);
    uint32_t old = map_get(&p->loc_ids, key);
    return old != MAP_NONE && set_has(pts_of(p, node), old) &&
           pts_on_a_cycle(p, node, c->other);
}

// A place in an array stands for one in each element, so a step back from the
// first element is one from a later element, too: end[-1].
static void step_back(struct pts *p, struct pts_constraint c, struct pts_loc l)
{
    int64_t x = (int64_t)l.offset + c.imm;
    for (uint32_t i = 0; i < p->objects.at[l.object].regions.n; i++) {
        struct pts_region r = p->objects.at[l.object].regions.at[i];
        if (l.offset < r.from || l.offset >= r.to || x >= r.from)
            continue;
        uint64_t back = (uint64_t)(r.from - x) % r.stride;
        uint32_t at = r.from + (uint32_t)(back ? r.stride - back : 0);
        pts_add(p, c.other, pts_loc(p, l.object, at));
    }
}

// A pointer that steps through an object in a loop makes it an array.
static void step(struct pts *p, uint32_t node, struct pts_constraint c,
                 uint32_t loc)
{
    struct pts_loc l = p->locs.at[loc];
    int64_t x = (int64_t)l.offset + c.imm;
    const struct pts_object *o = &p->objects.at[l.object];
    if (!has_cells(o) || o->is_one || l.offset == PTS_ANYWHERE) {
        pts_add(p, c.other, loc);
        return;
    }
    if (c.imm < 0)
        step_back(p, c, l);
    if (x < 0 || x > (int64_t)p->objects.at[l.object].size)
        return;
    if (is_walk(p, node, &c, l)) {
        struct pts_constraint i = {ON_INDEX, c.other, 0, c.imm};
        pts_index(p, loc, &i);
        pts_add(p, c.other, loc);
        return;
    }
    pts_add(p, c.other, pts_loc(p, l.object, (uint32_t)x));
}

static bool is_memory(const struct pts *p, uint32_t loc)
{
    return has_cells(pts_object_at(p, loc));
}

static void copy_one(struct pts *p, const struct pts_transfer *t, bool forth,
                     uint32_t here, uint32_t there)
{
    struct pts_loc a = pts_place(p, here), b = pts_place(p, there);
    if (forth)
        pts_copy_range(p, b, a, t->n);
    else
        pts_copy_range(p, a, b, t->n);
}

// All locations of a node are copied to the buffer, or from it.
static void copy_by_buffer(struct pts *p, const struct pts_transfer *t, bool to,
                           uint32_t node)
{
    struct set now = {0}, unused = {0};
    uint32_t buffer = pts_loc(p, t->buffer, 0);
    set_join(&now, pts_of(p, node), &unused);
    for (struct set_walk w = {.of = &now}; set_next(&w);)
        if (is_memory(p, w.x))
            copy_one(p, t, to, w.x, buffer);
    set_free(&now);
    set_free(&unused);
}

static void open_buffer(struct pts *p, uint32_t index, uint32_t from,
                        uint32_t to)
{
    struct pts_object o = {
        .kind = OBJECT_BUFFER, .type = IR_NOTHING, .size = UINT32_MAX};
    uint32_t buffer = pts_object(p, o);
    pts_blur(p, buffer);
    p->transfers.at[index].buffer = buffer;
    struct pts_transfer t = p->transfers.at[index];
    copy_by_buffer(p, &t, true, from);
    copy_by_buffer(p, &t, false, to);
}

static void copy_between(struct pts *p, uint32_t node, struct pts_constraint c,
                         uint32_t loc)
{
    bool forth = c.kind == ON_COPY_TO;
    struct pts_transfer t = p->transfers.at[c.imm];
    if (!is_memory(p, loc))
        return;
    if (t.buffer != IR_NOTHING) {
        copy_one(p, &t, forth, loc, pts_loc(p, t.buffer, 0));
        return;
    }
    if (set_count(pts_of(p, node)) * set_count(pts_of(p, c.other)) >
        PAIRS_MAX) {
        open_buffer(p, (uint32_t)c.imm, forth ? node : c.other,
                    forth ? c.other : node);
        return;
    }
    struct set others = {0}, unused = {0};
    set_join(&others, pts_of(p, c.other), &unused);
    for (struct set_walk w = {.of = &others}; set_next(&w);)
        if (is_memory(p, w.x))
            copy_one(p, &t, forth, loc, w.x);
    set_free(&others);
    set_free(&unused);
}

void pts_transfer(struct pts *p, uint32_t to, uint32_t from, uint32_t n)
{
    uint32_t id = p->transfers.n;
    vec_push(&p->transfers, ((struct pts_transfer){n, IR_NOTHING}));
    pts_on(p, from, (struct pts_constraint){ON_COPY_TO, to, 0, id});
    pts_on(p, to, (struct pts_constraint){ON_COPY_FROM, from, 0, id});
}

static void apply(struct pts *p, uint32_t node, struct pts_constraint c,
                  uint32_t loc)
{
    p->steps++;
    switch ((enum constraint_kind)c.kind) {
    case ON_LOAD:
    case ON_STORE:
        access(p, c, loc);
        break;
    case ON_FIELD:
        step(p, node, c, loc);
        break;
    case ON_INDEX:
        if (is_memory(p, loc))
            pts_index(p, loc, &c);
        pts_add(p, c.other, loc);
        break;
    case ON_BLUR:
        if (is_memory(p, loc))
            loc = pts_loc(p, p->locs.at[loc].object, PTS_ANYWHERE);
        pts_add(p, c.other, loc);
        break;
    case ON_FILL:
        fill(p, loc);
        break;
    case ON_COPY_TO:
    case ON_COPY_FROM:
        copy_between(p, node, c, loc);
        break;
    case ON_EVENT:
        p->event(p->owner, c.other, c.imm, loc);
        break;
    }
}

// The node may be merged with others meanwhile.
static void process(struct pts *p, uint32_t node)
{
    struct set now = p->nodes.at[node].todo;
    p->nodes.at[node].todo = (struct set){0};
    for (uint32_t i = 0; i < p->nodes.at[node].copies.n; i++) {
        uint32_t to = pts_rep(p, p->nodes.at[node].copies.at[i]);
        if (to != node)
            join(p, to, &now);
    }
    for (uint32_t i = 0; i < p->nodes.at[node].on.n; i++)
        for (struct set_walk w = {.of = &now};
             i < p->nodes.at[node].on.n && set_next(&w);)
            apply(p, node, p->nodes.at[node].on.at[i], w.x);
    set_free(&now);
}

void pts_solve(struct pts *p)
{
    while (p->head < p->queue.n) {
        uint32_t node = p->queue.at[p->head++];
        p->nodes.at[node].queued = false;
        process(p, node);
        pts_merge_cycles(p);
        if (p->head == p->queue.n)
            p->head = p->queue.n = 0;
    }
    debug_check(pts_check(p));
}

void pts_free(struct pts *p)
{
    for (uint32_t i = 0; i < p->objects.n; i++) {
        vec_free(&p->objects.at[i].cells);
        vec_free(&p->objects.at[i].regions);
        vec_free(&p->objects.at[i].copies);
        vec_free(&p->objects.at[i].spans);
    }
    for (uint32_t i = 0; i < p->nodes.n; i++) {
        set_free(&p->nodes.at[i].has);
        set_free(&p->nodes.at[i].todo);
        vec_free(&p->nodes.at[i].copies);
        vec_free(&p->nodes.at[i].on);
    }
    vec_free(&p->objects);
    vec_free(&p->locs);
    vec_free(&p->nodes);
    vec_free(&p->transfers);
    vec_free(&p->queue);
    map_free(&p->loc_ids);
    map_free(&p->cell_ids);
    map_free(&p->done_pours);
    map_free(&p->done_copies);
    map_free(&p->edges);
}

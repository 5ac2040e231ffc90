#include "flow/pts.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum { CELLS_MAX = 4096 }; // of one object: beyond, its offsets are forgotten

// ---- objects, locations, nodes ------------------------------------------

uint32_t pts_object(struct pts *p, struct object o)
{
    vec_push(&p->objects, o);
    return p->objects.n - 1;
}

uint32_t pts_node(struct pts *p)
{
    vec_push(&p->nodes, ((struct node){0}));
    return p->nodes.n - 1;
}

// An offset's representative: the outermost region first, then those inside.
static uint32_t canonical(const struct object *o, uint32_t x)
{
    for (uint32_t i = 0; i < o->regions.n; i++) {
        const struct region *r = &o->regions.at[i];
        if (x >= r->from && x < r->to)
            x = r->from + (x - r->from) % r->stride;
    }
    return x;
}

uint32_t pts_loc(struct pts *p, uint32_t object, uint32_t offset)
{
    uint64_t key = map_pair(object, offset);
    uint32_t *at = map_at(&p->loc_ids, key);
    if (*at == MAP_NONE) {
        *at = p->locs.n;
        vec_push(&p->locs, ((struct loc){object, offset}));
    }
    return *at;
}

static void run_copy(struct pts *p, uint32_t object, uint32_t copy,
                     uint32_t offset, uint32_t node);

static uint32_t new_cell(struct pts *p, uint32_t object, uint32_t offset)
{
    uint32_t node = pts_node(p);
    vec_push(&p->objects.at[object].cells, ((struct cell){offset, node}));
    for (uint32_t i = 0; i < p->objects.at[object].copies.n; i++)
        run_copy(p, object, i, offset, node);
    return node;
}

uint32_t pts_cell(struct pts *p, uint32_t object, uint32_t offset)
{
    const struct object *o = &p->objects.at[object];
    uint32_t x = canonical(o, offset);
    for (uint32_t i = 0; i < o->cells.n; i++)
        if (o->cells.at[i].offset == x)
            return o->cells.at[i].node;
    if (o->cells.n >= CELLS_MAX) {
        pts_blur(p, object);
        return pts_cell(p, object, 0);
    }
    return new_cell(p, object, x);
}

// ---- constraints --------------------------------------------------------

static void wake(struct pts *p, uint32_t node)
{
    if (!p->nodes.at[node].queued) {
        p->nodes.at[node].queued = true;
        vec_push(&p->queue, node);
    }
}

void pts_add(struct pts *p, uint32_t node, uint32_t loc)
{
    struct node *n = &p->nodes.at[node];
    if (set_add(&n->has, loc)) {
        set_add(&n->todo, loc);
        wake(p, node);
    }
}

static void join(struct pts *p, uint32_t to, const struct set *what)
{
    struct node *n = &p->nodes.at[to];
    if (set_join(&n->has, what, &n->todo))
        wake(p, to);
}

void pts_copy(struct pts *p, uint32_t from, uint32_t to)
{
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

static void apply(struct pts *p, uint32_t node, struct constraint c,
                  uint32_t loc);

void pts_on(struct pts *p, uint32_t node, struct constraint c)
{
    vec_push(&p->nodes.at[node].on, c);
    struct set now = {0}, unused = {0};
    set_join(&now, &p->nodes.at[node].has, &unused);
    for (struct set_walk w = {.of = &now}; set_next(&w);)
        apply(p, node, c, w.x);
    set_free(&now);
    set_free(&unused);
}

// ---- copying stretches of memory ----------------------------------------

// A cell stands for itself, or for one in every element of its region.
static const struct region *region_of(const struct object *o, uint32_t x)
{
    for (uint32_t i = o->regions.n; i-- > 0;)
        if (x >= o->regions.at[i].from && x < o->regions.at[i].to)
            return &o->regions.at[i];
    return NULL;
}

static void copy_cell(struct pts *p, const struct copying *c, uint32_t x,
                      uint32_t node)
{
    if (x >= c->from && x - c->from < c->n)
        pts_copy(p, node, pts_cell(p, c->to, c->at + (x - c->from)));
}

static void run_copy(struct pts *p, uint32_t object, uint32_t copy,
                     uint32_t offset, uint32_t node)
{
    struct copying c = p->objects.at[object].copies.at[copy];
    const struct region *found = region_of(&p->objects.at[object], offset);
    copy_cell(p, &c, offset, node);
    if (!found)
        return;
    struct region r = *found;
    uint32_t end = c.n > UINT32_MAX - c.from ? UINT32_MAX : c.from + c.n;
    for (uint32_t x = offset + r.stride, k = 0; x < r.to && x < end;
         x += r.stride, k++) {
        if (x < c.from)
            continue;
        if (k > 64) {
            pts_blur(p, c.to);
            break;
        }
        copy_cell(p, &c, x, node);
    }
}

void pts_copy_range(struct pts *p, struct loc to, struct loc from, uint32_t n)
{
    uint32_t all[5] = {to.object, to.offset, from.object, from.offset, n};
    uint32_t *seen = map_at(&p->done_copies, hash_bytes(all, sizeof all));
    if (*seen != MAP_NONE ||
        (to.object == from.object && to.offset == from.offset))
        return;
    *seen = 1;
    vec_push(&p->objects.at[from.object].copies,
             ((struct copying){from.offset, n, to.object, to.offset}));
    uint32_t k = p->objects.at[from.object].copies.n - 1;
    for (uint32_t i = 0; i < p->objects.at[from.object].cells.n; i++) {
        struct cell c = p->objects.at[from.object].cells.at[i];
        run_copy(p, from.object, k, c.offset, c.node);
    }
}

// ---- regions ------------------------------------------------------------

static void rerun_copies(struct pts *p, uint32_t object)
{
    for (uint32_t i = 0; i < p->objects.at[object].cells.n; i++)
        for (uint32_t k = 0; k < p->objects.at[object].copies.n; k++) {
            struct cell c = p->objects.at[object].cells.at[i];
            run_copy(p, object, k, c.offset, c.node);
        }
}

static void add_region(struct pts *p, uint32_t object, struct region r)
{
    struct object *o = &p->objects.at[object];
    for (uint32_t i = 0; i < o->regions.n; i++)
        if (memcmp(&o->regions.at[i], &r, sizeof r) == 0)
            return;
    // the widest stride first, so that an inner array stays inside its element
    uint32_t at = 0;
    while (at < o->regions.n && o->regions.at[at].stride >= r.stride)
        at++;
    vec_room(&o->regions, 1);
    memmove(o->regions.at + at + 1, o->regions.at + at,
            (o->regions.n - at) * sizeof r);
    o->regions.at[at] = r;
    o->regions.n++;
    for (uint32_t i = 0; i < p->objects.at[object].cells.n; i++) {
        struct cell c = p->objects.at[object].cells.at[i];
        uint32_t x = canonical(&p->objects.at[object], c.offset);
        if (x == c.offset)
            continue;
        uint32_t to = pts_cell(p, object, x);
        pts_copy(p, c.node, to);
        pts_copy(p, to, c.node);
    }
    rerun_copies(p, object);
}

void pts_blur(struct pts *p, uint32_t object)
{
    add_region(p, object, (struct region){0, UINT32_MAX, 1});
}

// The array of this stride that the debug type has around an offset.
static bool typed_array(const struct ir *ir, uint32_t type, uint32_t base,
                        uint32_t x, uint64_t stride, struct region *out)
{
    type = ir_bare_type(ir, type);
    if (type == IR_NOTHING)
        return false;
    const struct ir_dtype *t = &ir->types.at[type];
    if (t->kind == IR_D_ARRAY && t->base != IR_NOTHING) {
        uint32_t step = (uint32_t)ir->types.at[t->base].size;
        if (!step)
            return false;
        if (step == stride) {
            *out = (struct region){base, base + (uint32_t)t->size, step};
            return t->count != 0;
        }
        return typed_array(ir, t->base, base + (x - base) / step * step, x,
                           stride, out);
    }
    if (t->kind != IR_D_STRUCT)
        return false;
    for (uint32_t i = 0; i < t->n; i++) {
        uint32_t from = base + (uint32_t)(t->members[i].bit / 8);
        uint32_t m = t->members[i].type;
        uint64_t size = m == IR_NOTHING ? 0 : ir->types.at[m].size;
        if (x >= from && x < from + size)
            return typed_array(ir, m, from, x, stride, out);
    }
    return false;
}

static void index_at(struct pts *p, uint32_t loc, const struct constraint *c)
{
    struct loc l = p->locs.at[loc];
    const struct object *o = &p->objects.at[l.object];
    uint32_t stride = c->imm < 0 ? (uint32_t)-c->imm : (uint32_t)c->imm;
    struct region r;
    if (!stride)
        return;
    if (c->size) {
        r = (struct region){l.offset, l.offset + stride * c->size, stride};
    } else if (!typed_array(p->ir, o->type, 0, l.offset, stride, &r)) {
        for (uint32_t i = 0; i < o->regions.n; i++)
            if (o->regions.at[i].stride == stride &&
                l.offset >= o->regions.at[i].from &&
                l.offset < o->regions.at[i].to)
                return;
        r = (struct region){l.offset % stride, o->size, stride};
    }
    add_region(p, l.object, r);
}

// ---- applying -----------------------------------------------------------

// Do values at the location come in cells at all?
static bool has_cells(const struct object *o)
{
    return o->kind != OBJECT_FUNCTION && o->kind != OBJECT_REF &&
           o->kind != OBJECT_NUMBER;
}

// A wide store may set a number behind its first byte.
static void blur_tags(struct pts *p, struct constraint c, struct loc l)
{
    for (uint32_t i = 0; i < p->n_tags; i++) {
        uint32_t at = p->tags[i];
        bool inside = at > l.offset && at - l.offset < c.size;
        if (inside || (c.imm && at == l.offset))
            pts_add(p, pts_cell(p, l.object, at), p->any);
    }
}

static void access(struct pts *p, struct constraint c, uint32_t loc)
{
    struct loc l = p->locs.at[loc];
    if (!has_cells(&p->objects.at[l.object]))
        return;
    for (uint32_t k = 0; k < c.size || k == 0; k += 8) {
        uint32_t cell = pts_cell(p, l.object, l.offset + k);
        if (c.kind == ON_LOAD)
            pts_copy(p, cell, c.other);
        else
            pts_copy(p, c.other, cell);
    }
    if (c.kind == ON_STORE && p->objects.at[l.object].kind == OBJECT_LOCAL)
        blur_tags(p, c, l);
}

// A pointer that steps through an object by itself makes it an array.
static void step(struct pts *p, uint32_t node, struct constraint c,
                 uint32_t loc)
{
    struct loc l = p->locs.at[loc];
    int64_t x = (int64_t)l.offset + c.imm;
    uint32_t size = p->objects.at[l.object].size;
    if (!has_cells(&p->objects.at[l.object])) {
        pts_add(p, c.other, loc);
        return;
    }
    if (x < 0 || x > (int64_t)size)
        return;
    int64_t before = (int64_t)l.offset - c.imm;
    if (before >= 0 && before <= (int64_t)UINT32_MAX) {
        uint32_t old = pts_loc(p, l.object, (uint32_t)before);
        if (set_has(&p->nodes.at[node].has, old)) {
            uint32_t stride = (uint32_t)(c.imm < 0 ? -c.imm : c.imm);
            struct constraint i = {ON_INDEX, c.other, 0, stride};
            index_at(p, loc, &i);
            pts_add(p, c.other, loc);
            return;
        }
    }
    pts_add(p, c.other, pts_loc(p, l.object, (uint32_t)x));
}

static void copy_between(struct pts *p, struct constraint c, uint32_t loc)
{
    struct set others = {0}, unused = {0};
    struct loc here = p->locs.at[loc];
    if (!has_cells(&p->objects.at[here.object]))
        return;
    set_join(&others, &p->nodes.at[c.other].has, &unused);
    for (struct set_walk w = {.of = &others}; set_next(&w);) {
        struct loc there = p->locs.at[w.x];
        if (!has_cells(&p->objects.at[there.object]))
            continue;
        if (c.kind == ON_COPY_TO)
            pts_copy_range(p, there, here, c.size);
        else
            pts_copy_range(p, here, there, c.size);
    }
    set_free(&others);
    set_free(&unused);
}

static void apply(struct pts *p, uint32_t node, struct constraint c,
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
        if (has_cells(pts_object_at(p, loc)))
            index_at(p, loc, &c);
        pts_add(p, c.other, loc);
        break;
    case ON_BLUR:
        if (has_cells(pts_object_at(p, loc)))
            pts_blur(p, p->locs.at[loc].object);
        pts_add(p, c.other, loc);
        break;
    case ON_COPY_TO:
    case ON_COPY_FROM:
        copy_between(p, c, loc);
        break;
    case ON_EVENT:
        p->event(p->owner, c.other, c.imm, loc);
        break;
    }
}

static void process(struct pts *p, uint32_t node)
{
    struct set now = p->nodes.at[node].todo;
    p->nodes.at[node].todo = (struct set){0};
    for (uint32_t i = 0; i < p->nodes.at[node].copies.n; i++)
        join(p, p->nodes.at[node].copies.at[i], &now);
    for (uint32_t i = 0; i < p->nodes.at[node].on.n; i++)
        for (struct set_walk w = {.of = &now}; set_next(&w);)
            apply(p, node, p->nodes.at[node].on.at[i], w.x);
    set_free(&now);
}

void pts_solve(struct pts *p)
{
    while (p->head < p->queue.n) {
        uint32_t node = p->queue.at[p->head++];
        p->nodes.at[node].queued = false;
        process(p, node);
        if (p->head == p->queue.n)
            p->head = p->queue.n = 0;
    }
}

void pts_free(struct pts *p)
{
    for (uint32_t i = 0; i < p->objects.n; i++) {
        vec_free(&p->objects.at[i].cells);
        vec_free(&p->objects.at[i].regions);
        vec_free(&p->objects.at[i].copies);
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
    vec_free(&p->queue);
    map_free(&p->loc_ids);
    map_free(&p->done_copies);
    map_free(&p->edges);
}

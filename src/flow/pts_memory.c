// Objects: their locations and cells, copies between them, arrays in them.
#include "flow/pts_inner.h"

#include "base/hash.h"

#include <string.h>

enum {
    // of one object, which is blurred when it has more
    CELLS_MAX = 4096,
    LOCS_MAX = 1024,
    REGIONS_MAX = 16,
    COPIES_MAX = 256,
    // A cell in an array stands for one in each element.  Up to this number are
    // copied one by one; else to all of the target.
    ELEMENTS_MAX = 64,
    ELEMENTS_SOUGHT = 4096,
    // stretches of one object that something is poured into; with more, all of
    // the object is
    SPANS_MAX = 64
};

// ---- objects, locations, cells ------------------------------------------

uint32_t pts_object(struct pts *p, struct pts_object o)
{
    vec_push(&p->objects, o);
    return p->objects.n - 1;
}

uint32_t pts_loc(struct pts *p, uint32_t object, uint32_t offset)
{
    struct pts_object *o = &p->objects.at[object];
    if (o->is_one)
        offset = 0;
    uint64_t key = map_pair(object, offset);
    uint32_t known = map_get(&p->loc_ids, key);
    if (known != MAP_NONE)
        return known;
    if (o->n_locs >= LOCS_MAX) {
        o->is_one = true;
        pts_blur(p, object);
        return pts_loc(p, object, 0);
    }
    o->n_locs++;
    map_put(&p->loc_ids, key, p->locs.n);
    vec_push(&p->locs, ((struct pts_loc){object, offset}));
    return p->locs.n - 1;
}

// An offset's representative: the outermost region first, then those inside.
static uint32_t canonical(const struct pts_object *o, uint32_t x)
{
    if (o->blurred)
        return 0;
    for (uint32_t i = 0; i < o->regions.n; i++) {
        const struct pts_region *r = &o->regions.at[i];
        if (x >= r->from && x < r->to)
            x = r->from + (x - r->from) % r->stride;
    }
    return x;
}

// The offsets in [from, to) that a cell stands for.
struct unfolding {
    const struct pts_object *o;
    uint32_t from, to;
    uint32_t sought, n;
    uint32_t at[ELEMENTS_MAX];
};

// The regions before i are still to be undone.  False: too many.
static bool unfold(struct unfolding *u, uint32_t x, uint32_t i)
{
    if (x >= u->to)
        return true;
    if (u->sought++ > ELEMENTS_SOUGHT)
        return false;
    if (!i) {
        if (x >= u->from && u->n == ELEMENTS_MAX)
            return false;
        if (x >= u->from)
            u->at[u->n++] = x;
        return true;
    }
    const struct pts_region *r = &u->o->regions.at[i - 1];
    if (x < r->from || x >= r->to)
        return unfold(u, x, i - 1);
    if (x - r->from >= r->stride)
        return true;
    for (uint64_t y = x; y < r->to && y < u->to; y += r->stride)
        if (!unfold(u, (uint32_t)y, i - 1))
            return false;
    return true;
}

static bool unfold_cell(struct unfolding *u, const struct pts_object *o,
                        uint32_t cell, uint32_t from, uint32_t to)
{
    u->o = o;
    u->from = from;
    u->to = to;
    u->n = u->sought = 0;
    return !o->blurred && unfold(u, cell, o->regions.n);
}

static void run_copy(struct pts *p, uint32_t object, uint32_t copy,
                     struct pts_cell cell)
{
    struct pts_copying c = p->objects.at[object].copies.at[copy];
    struct unfolding u;
    if (!unfold_cell(&u, &p->objects.at[object], cell.offset, c.from,
                     plus(c.from, c.n))) {
        struct pts_span all = {c.at, plus(c.at, c.n), cell.node, false};
        pts_pour(p, c.to, all);
        return;
    }
    for (uint32_t i = 0; i < u.n; i++)
        pts_copy(p, cell.node, pts_cell(p, c.to, plus(c.at, u.at[i] - c.from)));
}

static void run_span(struct pts *p, uint32_t object, uint32_t span,
                     struct pts_cell cell)
{
    const struct pts_object *o = &p->objects.at[object];
    struct pts_span s = o->spans.at[span];
    struct unfolding u;
    if (unfold_cell(&u, o, cell.offset, s.from, s.to) && !u.n)
        return;
    pts_copy(p, s.node, cell.node);
    if (s.both)
        pts_copy(p, cell.node, s.node);
}

// What is poured into the source of a copy gets into its target.
static void copy_span(struct pts *p, uint32_t object, uint32_t copy,
                      uint32_t span)
{
    struct pts_copying c = p->objects.at[object].copies.at[copy];
    struct pts_span s = p->objects.at[object].spans.at[span];
    uint32_t from = s.from > c.from ? s.from : c.from;
    uint32_t end = plus(c.from, c.n), to = s.to < end ? s.to : end;
    if (from >= to)
        return;
    pts_pour(p, c.to,
             (struct pts_span){plus(c.at, from - c.from),
                               plus(c.at, to - c.from), s.node, false});
}

static void run_cell(struct pts *p, uint32_t object, struct pts_cell cell)
{
    for (uint32_t i = 0; i < p->objects.at[object].copies.n; i++)
        run_copy(p, object, i, cell);
    for (uint32_t i = 0; i < p->objects.at[object].spans.n; i++)
        run_span(p, object, i, cell);
}

uint32_t pts_cell_find(const struct pts *p, uint32_t object, uint32_t offset)
{
    uint32_t x = canonical(&p->objects.at[object], offset);
    uint32_t known = map_get(&p->cell_ids, map_pair(object, x));
    return known == MAP_NONE ? IR_NOTHING : known;
}

uint32_t pts_cell(struct pts *p, uint32_t object, uint32_t offset)
{
    uint32_t x = canonical(&p->objects.at[object], offset);
    uint64_t key = map_pair(object, x);
    uint32_t known = map_get(&p->cell_ids, key);
    if (known != MAP_NONE)
        return known;
    if (p->objects.at[object].cells.n >= CELLS_MAX &&
        !p->objects.at[object].blurred) {
        pts_blur(p, object);
        return pts_cell(p, object, 0);
    }
    struct pts_cell cell = {x, pts_node(p)};
    map_put(&p->cell_ids, key, cell.node);
    vec_push(&p->objects.at[object].cells, cell);
    run_cell(p, object, cell);
    return cell.node;
}

// ---- copying stretches of memory ----------------------------------------

// A cell that stands for others too is looked at by its own offset only.
static bool is_current(const struct pts_object *o, struct pts_cell c)
{
    return canonical(o, c.offset) == c.offset;
}

void pts_copy_range(struct pts *p, struct pts_loc to, struct pts_loc from,
                    uint32_t n)
{
    if (p->objects.at[from.object].blurred)
        from.offset = 0;
    if (p->objects.at[to.object].blurred)
        to.offset = 0;
    if (p->objects.at[from.object].copies.n >= COPIES_MAX)
        pts_blur(p, from.object);
    uint32_t all[5] = {to.object, to.offset, from.object, from.offset, n};
    uint32_t *seen = map_at(&p->done_copies, hash_bytes(all, sizeof all));
    if (*seen != MAP_NONE ||
        (to.object == from.object && to.offset == from.offset))
        return;
    *seen = 1;
    vec_push(&p->objects.at[from.object].copies,
             ((struct pts_copying){from.offset, n, to.object, to.offset}));
    uint32_t k = p->objects.at[from.object].copies.n - 1;
    for (uint32_t i = 0; i < p->objects.at[from.object].cells.n; i++) {
        struct pts_cell c = p->objects.at[from.object].cells.at[i];
        if (is_current(&p->objects.at[from.object], c))
            run_copy(p, from.object, k, c);
    }
    for (uint32_t i = 0; i < p->objects.at[from.object].spans.n; i++)
        copy_span(p, from.object, k, i);
}

static bool is_new_span(struct pts *p, uint32_t object, struct pts_span s)
{
    uint32_t all[5] = {object, s.from, s.to, pts_rep(p, s.node), s.both};
    uint32_t *seen = map_at(&p->done_pours, hash_bytes(all, sizeof all));
    bool is_new = *seen == MAP_NONE;
    *seen = 1;
    return is_new;
}

void pts_pour(struct pts *p, uint32_t object, struct pts_span s)
{
    if (p->objects.at[object].blurred ||
        p->objects.at[object].spans.n >= SPANS_MAX) {
        s.from = 0;
        s.to = UINT32_MAX;
    }
    if (!is_new_span(p, object, s))
        return;
    vec_push(&p->objects.at[object].spans, s);
    uint32_t k = p->objects.at[object].spans.n - 1;
    if (p->objects.at[object].blurred)
        pts_cell(p, object, 0);
    for (uint32_t i = 0; i < p->objects.at[object].cells.n; i++) {
        struct pts_cell c = p->objects.at[object].cells.at[i];
        if (is_current(&p->objects.at[object], c))
            run_span(p, object, k, c);
    }
    // the one cell of a blurred object is copied itself
    for (uint32_t i = 0;
         !p->objects.at[object].blurred && i < p->objects.at[object].copies.n;
         i++)
        copy_span(p, object, i, k);
}

// ---- regions ------------------------------------------------------------

// After a change of the regions: cells that are one now are merged, and each
// stands for more than before.
static void fold_cells(struct pts *p, uint32_t object)
{
    for (uint32_t i = 0; i < p->objects.at[object].cells.n; i++) {
        struct pts_cell c = p->objects.at[object].cells.at[i];
        if (!is_current(&p->objects.at[object], c))
            pts_merge(p, pts_cell(p, object, c.offset), c.node);
    }
    for (uint32_t i = 0; i < p->objects.at[object].cells.n; i++) {
        struct pts_cell c = p->objects.at[object].cells.at[i];
        if (is_current(&p->objects.at[object], c))
            run_cell(p, object, c);
    }
}

static uint32_t divisor(uint32_t a, uint32_t b)
{
    while (b) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

// Does one region lie inside one element of the other?
static bool is_inside(const struct pts_region *in, const struct pts_region *of)
{
    return in->from >= of->from && in->to <= of->to &&
           (in->from - of->from) / of->stride ==
               (in->to - 1 - of->from) / of->stride;
}

// A region inside one element is inside each: it is kept as that of the first.
static struct pts_region in_first(struct pts_region r,
                                  const struct pts_region *of)
{
    uint32_t shift = (r.from - of->from) / of->stride * of->stride;
    return (struct pts_region){r.from - shift, r.to - shift, r.stride};
}

// One region for two that overlap: offsets that either makes equal it makes
// equal, too.
static struct pts_region both(struct pts_region a, struct pts_region b)
{
    uint32_t apart = a.from > b.from ? a.from - b.from : b.from - a.from;
    return (struct pts_region){a.from < b.from ? a.from : b.from,
                               a.to > b.to ? a.to : b.to,
                               divisor(divisor(a.stride, b.stride), apart)};
}

static void take_region(struct pts_object *o, uint32_t i)
{
    o->regions.n--;
    memmove(o->regions.at + i, o->regions.at + i + 1,
            (o->regions.n - i) * sizeof *o->regions.at);
}

// The widest stride comes first.
static void put_region(struct pts_object *o, struct pts_region r)
{
    uint32_t at = 0;
    while (at < o->regions.n && o->regions.at[at].stride >= r.stride)
        at++;
    vec_room(&o->regions, 1);
    memmove(o->regions.at + at + 1, o->regions.at + at,
            (o->regions.n - at) * sizeof r);
    o->regions.at[at] = r;
    o->regions.n++;
}

// Regions are apart from each other or one inside the first element of the
// other, so that offsets have one representative.  False: nothing is new.
static bool fit_region(struct pts_object *o, struct pts_region r)
{
    for (uint32_t i = 0; i < o->regions.n; i++) {
        struct pts_region old = o->regions.at[i];
        if (r.to - r.from <= r.stride)
            return false;
        if (r.to <= old.from || old.to <= r.from)
            continue;
        if (is_inside(&r, &old)) {
            if (r.from - old.from < old.stride)
                continue;
            return fit_region(o, in_first(r, &old));
        }
        take_region(o, i);
        if (is_inside(&old, &r)) {
            fit_region(o, r);
            return fit_region(o, in_first(old, &r)) || true;
        }
        struct pts_region all = both(r, old);
        bool same = memcmp(&all, &old, sizeof all) == 0;
        return fit_region(o, all) && !same;
    }
    if (r.to - r.from <= r.stride)
        return false;
    put_region(o, r);
    return true;
}

static void add_region(struct pts *p, uint32_t object, struct pts_region r)
{
    struct pts_object *o = &p->objects.at[object];
    if (o->blurred || !fit_region(o, r))
        return;
    if (o->regions.n > REGIONS_MAX)
        pts_blur(p, object);
    else
        fold_cells(p, object);
}

// Users are told which fields of states and globals are accessed.  So their
// offsets are kept apart even in an object whose cells are one.
static bool is_shown(const struct pts_object *o)
{
    return o->kind == OBJECT_STATE || o->kind == OBJECT_GLOBAL;
}

void pts_blur(struct pts *p, uint32_t object)
{
    if (p->objects.at[object].blurred)
        return;
    p->objects.at[object].blurred = true;
    p->objects.at[object].is_one |= !is_shown(&p->objects.at[object]);
    vec_clear(&p->objects.at[object].regions);
    fold_cells(p, object);
}

// The array of this stride that the debug type has around an offset.
static bool typed_array(const struct ir *ir, uint32_t type, uint32_t base,
                        uint32_t x, uint64_t stride, struct pts_region *out)
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
            *out = (struct pts_region){base, plus(base, t->size), step};
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

static uint32_t stride_of(const struct pts_constraint *c)
{
    uint64_t size = c->imm < 0 ? -(uint64_t)c->imm : (uint64_t)c->imm;
    return size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
}

void pts_index(struct pts *p, uint32_t loc, const struct pts_constraint *c)
{
    struct pts_loc l = p->locs.at[loc];
    const struct pts_object *o = &p->objects.at[l.object];
    uint32_t stride = stride_of(c);
    struct pts_region r;
    if (!stride || o->blurred || l.offset == PTS_ANYWHERE)
        return;
    if (c->size) {
        uint32_t end = plus(l.offset, (uint64_t)stride * c->size);
        r = (struct pts_region){l.offset, end, stride};
    } else if (!typed_array(p->ir, o->type, 0, l.offset, stride, &r)) {
        for (uint32_t i = 0; i < o->regions.n; i++)
            if (o->regions.at[i].stride == stride &&
                l.offset >= o->regions.at[i].from &&
                l.offset < o->regions.at[i].to)
                return;
        r = (struct pts_region){l.offset % stride, o->size, stride};
    }
    add_region(p, l.object, r);
}

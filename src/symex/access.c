// Loads and stores through any address.
//
// An address has one leaf for each object it can be.  Each leaf is checked (is
// it null, freed, outside?) and read or written under its condition.  An offset
// that is no constant stands for the few places of its stride inside the
// object: a read is a balanced ITE over them, a write changes each under the
// condition that it is meant.
#include "symex/engine.h"

#include <assert.h>

enum { PLACES_MAX = 4096, FAR = 1 << 16, TIGHTEN_MAX = 64 };

// One object that an access can mean.
struct target {
    const struct object *object; // NULL: behind `ref`
    uint32_t ref;
    term condition, offset;
    bool fixed;                // the offset is a constant
    uint64_t first, stride, n; // places
};

// ---- which objects ------------------------------------------------------

// The leaves that are possible.  If there are several, the solver is asked.
static uint32_t possible(struct sx_run *r, struct sx_state *s, struct leaf *ls,
                         uint32_t n)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; n > 1 && i < n; i++) {
        int known = path_decides(r->ts, &s->path, ls[i].condition);
        if (known < 0 && !r->start.follow &&
            ask(r, s, ls[i].condition, NULL) == SOLVER_UNSAT)
            known = 0;
        if (known != 0)
            ls[kept++] = ls[i];
    }
    if (n == 1 || kept == 1)
        ls[0].condition = term_bool(r->ts, true);
    return n == 1 ? 1 : kept;
}

// With branching: a reference is fixed when it is first followed, to an object
// that was followed before or to its own.
static bool fix_lazily(struct sx_run *r, struct sx_state *s, uint32_t ref)
{
    struct terms *ts = r->ts;
    term var = r->refs.at[ref].var;
    uint64_t key = met_key(MET_FIXED, ref), known;
    if (pmap_get(&s->met, key, &known))
        return true;
    for (const struct number *p = s->fixed; p; p = p->up)
        if (r->refs.at[p->n].region == r->refs.at[ref].region &&
            decide(r, s, term_eq(ts, var, r->refs.at[p->n].var)))
            return !state_meets(s, key);
    struct number *new = arena_get(&r->arena, sizeof *new);
    *new = (struct number){s->fixed, ref};
    s->fixed = new;
    state_meets(s, key);
    return assume(
        r, s,
        term_eq(ts, var, term_const(ts, SX_OBJECT_BITS, r->refs.at[ref].own)));
}

static bool target_ref(struct sx_run *r, struct sx_state *s,
                       const struct leaf *l, struct target *t)
{
    struct terms *ts = r->ts;
    t->ref = input_ref_of(r, l->object);
    if (t->ref == MAP_NONE)
        return finish_unsupported(r, s, "a pointer made from a number");
    if (layout_is_function(r->ir, r->refs.at[t->ref].type))
        return finish_unsupported(r, s, "an access to a function");
    term null = term_eq(ts, l->object, term_const(ts, SX_OBJECT_BITS, 0));
    if (!trap_if(r, s, term_and(ts, l->condition, null), IR_TRAP_NULL))
        return false;
    if (r->o.lazy && !fix_lazily(r, s, t->ref))
        return false;
    region_follow(r, s, t->ref, l->condition);
    term freed = region_is_freed(r, s, t->ref);
    return trap_if(r, s, term_and(ts, l->condition, freed), SX_TRAP_FREED);
}

static bool target_object(struct sx_run *r, struct sx_state *s,
                          const struct leaf *l, struct target *t)
{
    uint32_t number = (uint32_t)term_value(r->ts, l->object);
    if (number == 0)
        return trap_if(r, s, l->condition, IR_TRAP_NULL);
    t->object = object_at(r, s, number);
    if (t->object)
        return !t->object->freed || trap_if(r, s, l->condition, SX_TRAP_FREED);
    // Input references that the path has fixed.
    t->ref = map_get(&r->ref_of_own, number);
    if (t->ref == MAP_NONE)
        return finish_unsupported(r, s,
                                  number < SX_FUNCTIONS
                                      ? "a pointer made from a number"
                                      : "an access to a function");
    region_follow(r, s, t->ref, l->condition);
    term freed = region_is_freed(r, s, t->ref);
    return trap_if(r, s, term_and(r->ts, l->condition, freed), SX_TRAP_FREED);
}

// ---- inside -------------------------------------------------------------

static term inside(struct sx_run *r, term offset, term size, uint32_t bytes)
{
    struct terms *ts = r->ts;
    if (term_is_const(ts, size)) {
        uint64_t n = (uint64_t)term_value(ts, size);
        if (n < bytes)
            return term_bool(ts, false);
        return term_binary(ts, IR_ULT, offset, offset_const(r, n - bytes + 1));
    }
    term last = term_binary(ts, IR_ADD, offset, offset_const(r, bytes - 1));
    term ok = term_binary(ts, IR_ULT, last, size);
    return bytes == 1 ? ok
                      : term_and(ts, term_binary(ts, IR_ULT, offset, size), ok);
}

static uint64_t highest(struct sx_run *r, struct sx_state *s, term t)
{
    return path_range(r->ts, &s->path, t).hi;
}

// Elements that may lie behind a pointer of unknown count.
uint64_t assumed_bytes(const struct sx_run *r, uint32_t ref)
{
    uint32_t type = r->regions.at[r->refs.at[ref].region].type;
    uint64_t size = layout_size(r->ir, type);
    uint64_t n = size == 1 ? r->o.text : r->o.array;
    return n * size;
}

static bool inside_input(struct sx_run *r, struct sx_state *s, struct target *t,
                         uint32_t bytes, uint64_t *limit)
{
    term count = ref_count(r, s, t->ref);
    if (count != TERM_NONE) {
        *limit = highest(r, s, count);
        return r->inside ||
               trap_if(r, s,
                       term_and(
                           r->ts, t->condition,
                           term_not(r->ts, inside(r, t->offset, count, bytes))),
                       IR_TRAP_BOUNDS);
    }
    *limit = assumed_bytes(r, t->ref);
    if (t->fixed) {
        uint64_t at = (uint64_t)term_value(r->ts, t->offset);
        if (at >> (SX_OFFSET_BITS - 1))
            hint_part(r, t->ref,
                      (int64_t)(at << SX_OBJECT_BITS) >> SX_OBJECT_BITS);
        return at < FAR || finish_unsupported(r, s,
                                              "an access far outside or before "
                                              "the start of an input");
    }
    s->labels |= SX_ASSUMED_INSIDE;
    r->assumed = true;
    term ok = inside(r, t->offset, offset_const(r, *limit), bytes);
    return assume(r, s, term_or(r->ts, term_not(r->ts, t->condition), ok));
}

static bool inside_object(struct sx_run *r, struct sx_state *s,
                          struct target *t, uint32_t bytes, uint64_t *limit)
{
    term bad = term_not(r->ts, inside(r, t->offset, t->object->size, bytes));
    *limit = highest(r, s, t->object->size);
    bad = term_and(r->ts, t->condition, bad);
    if (r->inside)
        return true;
    if (!r->o.traps_once || !t->object->heap)
        return trap_if(r, s, bad, IR_TRAP_BOUNDS);
    // malloc(0) gives some bytes: what overruns no bytes is seen by nobody.
    term some =
        term_ne(r->ts, t->object->size,
                term_const(r->ts, term_bits(r->ts, t->object->size), 0));
    return trap_if(r, s, term_and(r->ts, bad, some), IR_TRAP_BOUNDS) &&
           assume(r, s, term_not(r->ts, bad));
}

// In an object whose size is not known, as many as behind an input.
static uint64_t places_max(const struct sx_run *r, const struct target *t)
{
    bool known = t->object && term_is_const(r->ts, t->object->size);
    return known || !t->object ? PLACES_MAX
           : t->stride == 1    ? r->o.text
                               : r->o.array;
}

// The places that a variable offset can be inside the object.
// With tasks an actor's struct has arrays beside references: ranges alone would
// take an index for a place outside of its array.
static void tighten(struct sx_run *r, struct sx_state *s, struct target *t)
{
    if (!r->start.tasks || t->n > TIGHTEN_MAX)
        return;
    while (t->n > 1 &&
           ask(r, s, term_eq(r->ts, t->offset, offset_const(r, t->first)),
               NULL) == SOLVER_UNSAT) {
        t->first += t->stride;
        t->n--;
    }
    while (t->n > 1 &&
           ask(r, s,
               term_eq(r->ts, t->offset,
                       offset_const(r, t->first + (t->n - 1) * t->stride)),
               NULL) == SOLVER_UNSAT)
        t->n--;
}

static bool find_places(struct sx_run *r, struct sx_state *s, struct target *t,
                        uint32_t bytes, uint64_t limit)
{
    struct term_range range = path_range(r->ts, &s->path, t->offset);
    uint64_t step = term_stride(r->ts, t->offset);
    uint64_t base = term_as_sum(r->ts, t->offset).constant;
    t->stride = step ? step : 1;
    base &= (UINT64_C(1) << SX_OFFSET_BITS) - 1;
    if (base >> (SX_OFFSET_BITS - 1)) // a negative constant
        base = (t->stride -
                (-base & ((UINT64_C(1) << SX_OFFSET_BITS) - 1)) % t->stride) %
               t->stride;
    uint64_t lo = range.lo;
    t->first = base % t->stride;
    if (t->first < lo)
        t->first += (lo - t->first + t->stride - 1) / t->stride * t->stride;
    uint64_t end = range.hi + 1 < limit ? range.hi + 1 : limit - bytes + 1;
    end = end > limit - bytes + 1 ? limit - bytes + 1 : end;
    if (limit < bytes || t->first >= end) {
        t->object = NULL;
        t->ref = MAP_NONE;
        return assume(r, s, term_not(r->ts, t->condition));
    }
    t->n = (end - 1 - t->first) / t->stride + 1;
    tighten(r, s, t);
    uint64_t most = places_max(r, t);
    if (t->n > most) {
        t->n = most;
        s->labels |= SX_ASSUMED_INSIDE;
        r->assumed = true;
        term ok = term_binary(r->ts, IR_ULT, t->offset,
                              offset_const(r, t->first + t->n * t->stride));
        return assume(r, s, term_or(r->ts, term_not(r->ts, t->condition), ok));
    }
    return true;
}

static bool settle(struct sx_run *r, struct sx_state *s, const struct leaf *l,
                   struct target *t, uint32_t bytes)
{
    uint64_t limit;
    *t = (struct target){
        .ref = MAP_NONE, .condition = l->condition, .offset = l->offset};
    if (l->object == TERM_NONE)
        return finish_unsupported(r, s, "a pointer made from a number");
    bool known = term_is_const(r->ts, l->object);
    if (!(known ? target_object(r, s, l, t) : target_ref(r, s, l, t)))
        return false;
    if (!t->object && t->ref == MAP_NONE)
        return true; // null, which the path now excludes
    t->offset = path_value(r->ts, &s->path, t->offset);
    t->fixed = term_is_const(r->ts, t->offset);
    if (!(t->object ? inside_object(r, s, t, bytes, &limit)
                    : inside_input(r, s, t, bytes, &limit)))
        return false;
    t->offset = path_value(r->ts, &s->path, t->offset);
    t->fixed = term_is_const(r->ts, t->offset);
    if (!t->fixed)
        return find_places(r, s, t, bytes, limit);
    t->first = (uint64_t)term_value(r->ts, t->offset);
    t->n = 1;
    return true;
}

static bool is_global(const struct sx_run *r, const struct object *o)
{
    return o->number >= SX_GLOBALS && o->number - SX_GLOBALS < r->ir->globals.n;
}

// May others have changed this during a wait, so that what the path knows of it
// does not count?  The actor's state is made anew after a wait if others may
// have run on it; a message, an answer and a local are nobody else's, as long
// as no address of the path's own was sent.  Actors may share a block.
static bool may_differ(const struct sx_run *r, const struct sx_state *s,
                       const struct target *t)
{
    const struct object *o = t->object;
    if (!s->waited || r->live || s->scene)
        return false;
    if (!o)
        return true;
    if (is_global(r, o))
        return r->x->written[o->number - SX_GLOBALS] &&
               r->ir->globals.at[o->number - SX_GLOBALS].size > SMALL_GLOBAL;
    return o->heap || (s->lent && o->fill != FILL_INPUT);
}

// All targets of an access; their number in *n.
static bool targets(struct sx_run *r, struct sx_state *s, term address,
                    uint32_t bytes, struct target *out, uint32_t *n)
{
    struct leaf ls[LEAVES_MAX];
    uint32_t m = leaves(r, s, known_value(r, s, address), ls);
    if (!m)
        return finish_unsupported(r, s, "a pointer to too many objects");
    m = possible(r, s, ls, m);
    if (!m)
        return drop(r, s);
    *n = 0;
    for (uint32_t i = 0; i < m; i++) {
        if (!settle(r, s, &ls[i], &out[*n], bytes))
            return false;
        if (!out[*n].object && out[*n].ref == MAP_NONE)
            continue;
        if (may_differ(r, s, &out[*n]))
            s->labels |= SX_KEPT;
        ++*n;
    }
    return *n || drop(r, s);
}

// ---- loads --------------------------------------------------------------

static term read_place(struct sx_run *r, struct sx_state *s,
                       const struct target *t, uint64_t offset, uint32_t bytes,
                       bool pointer)
{
    if (!t->object || (is_global(r, t->object) &&
                       r->x->written[t->object->number - SX_GLOBALS]))
        touch_read(r, s, t->ref, offset + bytes);
    return t->object ? cell_read(r, s, t->object, offset, bytes, pointer)
                     : region_read(r, s, t->ref, offset, bytes, pointer);
}

// Places lo to hi, as a tree of comparisons; equal halves fold.
static term read_places(struct sx_run *r, struct sx_state *s,
                        const struct target *t, uint64_t lo, uint64_t hi,
                        uint32_t bytes, bool pointer)
{
    if (lo == hi)
        return read_place(r, s, t, t->first + lo * t->stride, bytes, pointer);
    uint64_t mid = lo + (hi - lo) / 2 + 1;
    term low = read_places(r, s, t, lo, mid - 1, bytes, pointer);
    term high = read_places(r, s, t, mid, hi, bytes, pointer);
    term c = term_binary(r->ts, IR_ULT, t->offset,
                         offset_const(r, t->first + mid * t->stride));
    return term_ite(r->ts, c, low, high);
}

bool load(struct sx_run *r, struct sx_state *s, term address, uint32_t bytes,
          bool pointer, term *out)
{
    struct target ts[LEAVES_MAX];
    uint32_t n;
    if (!targets(r, s, address, bytes, ts, &n))
        return false;
    *out = TERM_NONE;
    for (uint32_t i = n; i-- > 0;) {
        term v = read_places(r, s, &ts[i], 0, ts[i].n - 1, bytes, pointer);
        *out = *out ? term_ite(r->ts, ts[i].condition, v, *out) : v;
    }
    return true;
}

// ---- stores -------------------------------------------------------------

static void write_place(struct sx_run *r, struct sx_state *s,
                        const struct target *t, uint64_t offset, term value,
                        term condition)
{
    uint32_t bytes = term_bits(r->ts, value) / 8;
    if (!t->object || is_global(r, t->object))
        touch_write(r, s, t->ref, offset + bytes);
    if (!t->object) {
        region_write(r, s, t->ref, offset, value, condition);
        return;
    }
    if (!term_is_true(r->ts, condition))
        value = term_ite(r->ts, condition, value,
                         cell_read(r, s, t->object, offset, bytes, false));
    cell_write(r, s, t->object, offset, value);
}

static void write_places(struct sx_run *r, struct sx_state *s,
                         const struct target *t, term value)
{
    for (uint64_t i = 0; i < t->n; i++) {
        uint64_t at = t->first + i * t->stride;
        term here = term_eq(r->ts, t->offset, offset_const(r, at));
        write_place(r, s, t, at, value, term_and(r->ts, t->condition, here));
    }
}

bool store(struct sx_run *r, struct sx_state *s, term address, term value)
{
    struct target ts[LEAVES_MAX];
    uint32_t n;
    if (!targets(r, s, address, term_bits(r->ts, value) / 8, ts, &n))
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (ts[i].object && ts[i].object->constant)
            return finish_unsupported(r, s, "a write to a constant");
    for (uint32_t i = 0; i < n; i++)
        write_places(r, s, &ts[i], value);
    return true;
}

// ---- ranges -------------------------------------------------------------

// Bytes from here on that belong together.
static bool extent_at(struct sx_run *r, struct sx_state *s, term address,
                      uint64_t most, uint32_t *n)
{
    struct target ts[LEAVES_MAX];
    uint32_t m, left = most < 16 ? (uint32_t)most : 16;
    if (!targets(r, s, address, 1, ts, &m))
        return false;
    const struct target *t = &ts[0];
    *n = t->object ? cell_extent(r, s, t->object, t->first, left)
                   : region_extent(r, t->ref, t->first, left);
    while (!t->fixed && t->stride % *n)
        *n -= 1;
    return true;
}

// Ask once whether all n bytes lie inside, instead of once per cell.
static bool inside_all(struct sx_run *r, struct sx_state *s, term address,
                       uint64_t n)
{
    struct target ts[LEAVES_MAX];
    uint32_t m;
    return n > UINT32_MAX
               ? finish_unsupported(r, s, "a copy beyond all measure")
               : targets(r, s, address, (uint32_t)n, ts, &m);
}

static bool read_range(struct sx_run *r, struct sx_state *s, term from,
                       uint64_t n, struct pieces *out)
{
    for (uint64_t done = 0; done < n;) {
        uint32_t size = 0;
        term v = TERM_NONE;
        if (!extent_at(r, s, from, n - done, &size) ||
            !load(r, s, from, size, size == 8, &v))
            return false;
        vec_push(&out->at, ((struct sx_write){done, v}));
        done += size;
        from = address_add(r, from, term_const(r->ts, 64, size));
    }
    return true;
}

bool read_pieces(struct sx_run *r, struct sx_state *s, term from, uint64_t n,
                 struct pieces *out)
{
    uint32_t labels = s->labels;
    if (n && !inside_all(r, s, from, n))
        return false;
    r->inside = true;
    bool ok = read_range(r, s, from, n, out);
    r->inside = false;
    if (ok) // copying what nobody wrote is no use of it
        s->labels = labels | (s->labels & ~(uint32_t)SX_UNINITIALISED);
    return ok;
}

bool copy_bytes(struct sx_run *r, struct sx_state *s, term to, term from,
                uint64_t n)
{
    struct pieces p = {0};
    bool ok = read_pieces(r, s, from, n, &p) && (!n || inside_all(r, s, to, n));
    r->inside = true;
    for (uint32_t i = 0; ok && i < p.at.n; i++)
        ok = store(r, s,
                   address_add(r, to, term_const(r->ts, 64, p.at.at[i].offset)),
                   p.at.at[i].value);
    r->inside = false;
    vec_free(&p.at);
    return ok;
}

static bool set_range(struct sx_run *r, struct sx_state *s, term to, term byte,
                      uint64_t n)
{
    for (uint64_t done = 0; done < n;) {
        uint32_t size = 0;
        if (!extent_at(r, s, to, n - done, &size))
            return false;
        term v = byte;
        for (uint32_t i = 1; i < size; i++)
            v = term_concat(r->ts, byte, v);
        if (!store(r, s, to, v))
            return false;
        done += size;
        to = address_add(r, to, term_const(r->ts, 64, size));
    }
    return true;
}

bool set_bytes(struct sx_run *r, struct sx_state *s, term to, term byte,
               uint64_t n)
{
    if (n && !inside_all(r, s, to, n))
        return false;
    r->inside = true;
    bool ok = set_range(r, s, to, byte, n);
    r->inside = false;
    return ok;
}

// ---- sizes --------------------------------------------------------------

static uint64_t room_in(struct sx_run *r, struct sx_state *s,
                        const struct target *t, bool *assumed)
{
    term count = t->object ? t->object->size : ref_count(r, s, t->ref);
    uint64_t size = count ? highest(r, s, count) : assumed_bytes(r, t->ref);
    *assumed |= !count || !term_is_const(r->ts, count) || !t->fixed;
    return size > t->first ? size - t->first : 1;
}

bool room_at(struct sx_run *r, struct sx_state *s, term address, uint64_t *n,
             bool *assumed)
{
    struct target ts[LEAVES_MAX];
    uint32_t m;
    if (!targets(r, s, address, 1, ts, &m))
        return false;
    *n = UINT64_MAX;
    *assumed = false;
    for (uint32_t i = 0; i < m; i++) {
        uint64_t left = room_in(r, s, &ts[i], assumed);
        *n = left < *n ? left : *n;
    }
    return true;
}

int room_splits(struct sx_run *r, struct sx_state *s, term address)
{
    struct target ts[LEAVES_MAX];
    uint32_t m, least = 0;
    uint64_t room[LEAVES_MAX];
    bool differ = false, assumed = false;
    if (!targets(r, s, address, 1, ts, &m))
        return -1;
    for (uint32_t i = 0; i < m; i++) {
        room[i] = room_in(r, s, &ts[i], &assumed);
        differ |= room[i] != room[0];
        least = room[i] < room[least] ? i : least;
    }
    if (!differ || path_decides(r->ts, &s->path, ts[least].condition) >= 0)
        return 0;
    decide(r, s, ts[least].condition);
    return 1;
}

term allocate(struct sx_run *r, struct sx_state *s, term size, enum fill fill,
              bool heap)
{
    struct object o = {.fill = (uint8_t)fill,
                       .heap = heap,
                       .size = term_slice(r->ts, size, 0, SX_OFFSET_BITS),
                       .type = IR_NOTHING};
    return address_of(r, object_make(r, s, o), 0);
}

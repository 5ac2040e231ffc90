// What lies behind input references, after the heap solver of PET: which
// references are one object is left to the conditions.
//
// A cell of a region is an offset.  Each write through a reference is an entry
// of its cell; a read through r looks at the entries from the newest on and
// takes the value of the first whose reference equals r, as an ITE where that
// is open, else the input.  Two inputs of one cell are equal where their
// references are.
#include "symex/engine.h"

#include <assert.h>

static uint64_t cell_key(uint32_t region, uint64_t offset, uint32_t view)
{
    return (uint64_t)region << 40 | (uint64_t)view << 38 | offset;
}

static const struct entry *entries(const struct sx_state *s, uint64_t key)
{
    uint64_t value;
    return pmap_get(&s->regions, key, &value)
               ? (const struct entry *)(uintptr_t)value
               : NULL;
}

static void add_entry(struct sx_run *r, struct sx_state *s, uint64_t key,
                      struct entry e)
{
    struct entry *new = arena_get(&r->arena, sizeof *new);
    *new = e;
    new->up = entries(s, key);
    pmap_put(&s->regions, key, (uintptr_t) new);
}

// ---- slots --------------------------------------------------------------

static const struct slot *loose_slot(const struct input_region *g,
                                     uint64_t offset)
{
    for (uint32_t i = 0; i < g->loose.n; i++) {
        const struct slot *s = &g->loose.at[i];
        if (s->start <= offset && offset < s->start + s->bytes)
            return s;
    }
    return NULL;
}

struct slot slot_at(struct sx_run *r, uint32_t region, uint64_t offset,
                    uint32_t bytes, bool pointer)
{
    struct input_region *g = &r->regions.at[region];
    struct slot s = layout_slot(r->ir, g->type, offset);
    if (!s.loose)
        return s;
    const struct slot *known = loose_slot(g, offset);
    if (known)
        return *known;
    uint32_t n = 1;
    while (n < bytes && n < 16 && !loose_slot(g, offset + n) &&
           layout_slot(r->ir, g->type, offset + n).loose)
        n++;
    s.bytes = n;
    if (pointer && n == 8) {
        uint32_t types[VIEWS_MAX];
        uint32_t views = view_pointers(r->ir, g->type, offset, types);
        s.pointer = views < 2;
        s.type = views == 1 ? types[0] : IR_NOTHING;
    }
    vec_push(&g->loose, s);
    return s;
}

// ---- equal references ---------------------------------------------------

static term same_object(struct sx_run *r, uint32_t a, uint32_t b)
{
    return term_eq(r->ts, r->refs.at[a].var, r->refs.at[b].var);
}

// The input of a cell, made together with what follows from references that
// may be equal.
static term initial(struct sx_run *r, struct sx_state *s, uint32_t ref,
                    const struct slot *slot)
{
    struct terms *ts = r->ts;
    uint32_t region = r->refs.at[ref].region;
    struct sx_place at = {SX_CELL, ref, (int64_t)slot->start};
    uint64_t key = cell_key(region, slot->start, slot->view);
    uint32_t alike = IR_NOTHING;
    bool is_new;
    for (const struct entry *e = entries(s, key); e && alike == IR_NOTHING;
         e = e->up)
        if (e->input && e->ref != ref &&
            path_holds(ts, &s->path, same_object(r, ref, e->ref)))
            alike = e->cell;
    uint32_t n = input_cell(r, s, at, slot, alike, &is_new);
    term value = r->cells.at[n].value;
    if (!is_new)
        return known_value(r, s, value);
    for (const struct entry *e = entries(s, key); e; e = e->up) {
        term same = same_object(r, ref, e->ref);
        if (e->input && path_decides(ts, &s->path, same) != 0)
            learn(r, s,
                  term_or(ts, term_not(ts, same),
                          term_eq(ts, value, r->cells.at[e->cell].value)));
    }
    add_entry(r, s, key, (struct entry){.ref = ref, .input = true, .cell = n});
    if (r->cells.at[n].ref != IR_NOTHING)
        acyclic_cell(r, s, ref, r->cells.at[n].ref);
    return known_value(r, s, value);
}

struct choice {
    term condition, value;
};

// The value of a whole slot.
static term slot_read(struct sx_run *r, struct sx_state *s, uint32_t ref,
                      const struct slot *slot)
{
    struct terms *ts = r->ts;
    uint64_t key = cell_key(r->refs.at[ref].region, slot->start, slot->view);
    VEC(struct choice) open = {0};
    term value = TERM_NONE;
    for (const struct entry *e = entries(s, key); e && !value; e = e->up) {
        if (e->input)
            continue;
        term c = term_and(ts, same_object(r, ref, e->ref), e->condition);
        int known = path_decides(ts, &s->path, c);
        if (known == 1)
            value = e->value;
        else if (known < 0)
            vec_push(&open, ((struct choice){c, e->value}));
    }
    if (!value)
        value = initial(r, s, ref, slot);
    while (open.n) {
        struct choice c = vec_pop(&open);
        value = term_ite(ts, c.condition, c.value, value);
    }
    vec_free(&open);
    return value;
}

static bool is_pointer_value(struct sx_run *r, struct sx_state *s, term t)
{
    struct leaf ls[LEAVES_MAX];
    uint32_t n = leaves(r, s, t, ls);
    for (uint32_t i = 0; i < n; i++)
        if (ls[i].object == TERM_NONE)
            return false;
    return n > 0;
}

// Bytes that were used as a number are read as a pointer.  The pointer is an
// input of its own: no condition links it to the number.
static term pointer_view(struct sx_run *r, struct sx_state *s, uint32_t ref,
                         uint64_t offset)
{
    uint32_t type = r->regions.at[r->refs.at[ref].region].type;
    struct slot slot = view_slot(r, s, type, offset);
    return slot_read(r, s, ref, &slot);
}

term region_read(struct sx_run *r, struct sx_state *s, uint32_t ref,
                 uint64_t offset, uint32_t bytes, bool pointer)
{
    uint32_t region = r->refs.at[ref].region;
    term all = TERM_NONE;
    bool loose = true;
    for (uint32_t done = 0; done < bytes;) {
        uint64_t at = offset + done;
        struct slot slot = slot_at(r, region, at, bytes - done, pointer);
        uint32_t skip = (uint32_t)(at - slot.start), n = slot.bytes - skip;
        if (slot.loose && slot.pointer && !pointer)
            s->labels |= SX_TWO_VIEWS;
        loose &= slot.loose;
        term v = slot_read(r, s, ref, &slot);
        n = n < bytes - done ? n : bytes - done;
        v = term_slice(r->ts, v, skip * 8, n * 8);
        all = all ? term_concat(r->ts, v, all) : v;
        done += n;
    }
    if (pointer && bytes == 8 && loose && !is_pointer_value(r, s, all))
        return pointer_view(r, s, ref, offset);
    return all;
}

// `value` in place of bytes of `old` from `skip` on.
static term splice(struct sx_run *r, term old, uint32_t skip, term value)
{
    unsigned low = skip * 8, bits = term_bits(r->ts, value);
    unsigned all = term_bits(r->ts, old);
    if (low)
        value = term_concat(r->ts, value, term_slice(r->ts, old, 0, low));
    if (low + bits < all)
        value = term_concat(
            r->ts, term_slice(r->ts, old, low + bits, all - low - bits), value);
    return value;
}

void region_write(struct sx_run *r, struct sx_state *s, uint32_t ref,
                  uint64_t offset, term value, term condition)
{
    uint32_t region = r->refs.at[ref].region;
    uint32_t bytes = term_bits(r->ts, value) / 8;
    for (uint32_t done = 0; done < bytes;) {
        uint64_t at = offset + done;
        struct slot slot = slot_at(r, region, at, bytes - done, false);
        uint32_t skip = (uint32_t)(at - slot.start), n = slot.bytes - skip;
        n = n < bytes - done ? n : bytes - done;
        term piece = term_slice(r->ts, value, done * 8, n * 8);
        // Make the input of a cell that is only written, too: the cell must
        // exist.
        initial(r, s, ref, &slot);
        if (n < slot.bytes)
            piece = splice(r, slot_read(r, s, ref, &slot), skip, piece);
        add_entry(
            r, s, cell_key(region, slot.start, 0),
            (struct entry){.ref = ref, .value = piece, .condition = condition});
        done += n;
    }
}

uint32_t region_extent(struct sx_run *r, uint32_t ref, uint64_t offset,
                       uint32_t most)
{
    struct slot slot =
        slot_at(r, r->refs.at[ref].region, offset, most < 8 ? most : 8, false);
    uint64_t n = slot.start + slot.bytes - offset;
    return n < most ? (uint32_t)n : most;
}

void region_follow(struct sx_run *r, struct sx_state *s, uint32_t ref,
                   term condition)
{
    if (s->in_pre ||
        state_meets(s, met_key(MET_FOLLOWED, ref) ^ (uint64_t)condition << 36))
        return;
    struct follow *new = arena_get(&r->arena, sizeof *new);
    *new = (struct follow){s->followed, {ref, condition}};
    s->followed = new;
    s->n_followed++;
}

// ---- counts and freed inputs --------------------------------------------

// Offsets beyond those of any access, for what is known of a whole object.
#define FREED_CELL UINT64_C(0x7ffffffff)
#define COUNT_CELL UINT64_C(0x7fffffffe)

void region_count(struct sx_run *r, struct sx_state *s, uint32_t ref,
                  term bytes)
{
    r->refs.at[ref].count = bytes;
    add_entry(r, s, cell_key(r->refs.at[ref].region, COUNT_CELL, 0),
              (struct entry){.ref = ref, .value = bytes});
}

term ref_count(struct sx_run *r, const struct sx_state *s, uint32_t ref)
{
    uint64_t key = cell_key(r->refs.at[ref].region, COUNT_CELL, 0);
    for (const struct entry *e = entries(s, key); e; e = e->up)
        if (path_decides(r->ts, &s->path, same_object(r, ref, e->ref)) == 1)
            return e->value;
    return TERM_NONE;
}

void region_free(struct sx_run *r, struct sx_state *s, uint32_t ref,
                 term condition)
{
    add_entry(r, s, cell_key(r->refs.at[ref].region, FREED_CELL, 0),
              (struct entry){.ref = ref, .condition = condition});
}

term region_is_freed(struct sx_run *r, struct sx_state *s, uint32_t ref)
{
    uint64_t key = cell_key(r->refs.at[ref].region, FREED_CELL, 0);
    term any = term_bool(r->ts, false);
    for (const struct entry *e = entries(s, key); e; e = e->up)
        any =
            term_or(r->ts, any,
                    term_and(r->ts, same_object(r, ref, e->ref), e->condition));
    return any;
}

// Objects that a path knows by number: globals, locals, what malloc gave.
//
// Cells are the values that were written, by offset; where nothing was, the
// object's fill says what lies there.  Cells do not overlap: a write that cuts
// one leaves the rest of it as a cell of its own.
#include "symex/engine.h"

#include <assert.h>

enum { CELL_MAX = 16 }; // bytes

const struct object *object_at(struct sx_run *r, const struct sx_state *s,
                               uint32_t number)
{
    uint64_t value;
    if (pmap_get(&s->objects, number, &value))
        return (const struct object *)(uintptr_t)value;
    if (number >= SX_GLOBALS && number - SX_GLOBALS < r->ir->globals.n)
        return global_object(r, number - SX_GLOBALS);
    return NULL;
}

void object_replace(struct sx_run *r, struct sx_state *s,
                    const struct object *o)
{
    struct object *new = arena_copy(&r->arena, o, sizeof *o);
    pmap_put(&s->objects, o->number, (uintptr_t) new);
}

uint32_t object_make(struct sx_run *r, struct sx_state *s, struct object o)
{
    o.number = SX_MADE + s->made++;
    object_replace(r, s, &o);
    return o.number;
}

static uint64_t key_of(const struct object *o, uint64_t offset)
{
    return (uint64_t)o->number << SX_OFFSET_BITS | offset;
}

// A local ends with its frame.  Its record stays, marked as freed.
void object_forget(struct sx_run *r, struct sx_state *s, uint32_t number)
{
    struct object o = *object_at(r, s, number);
    uint64_t size =
        term_is_const(r->ts, o.size) ? (uint64_t)term_value(r->ts, o.size) : 0;
    for (uint64_t i = 0; i < size && i < 4096; i++)
        pmap_remove(&s->cells, key_of(&o, i));
    o.freed = true;
    object_replace(r, s, &o);
}

// ---- what was written ---------------------------------------------------

// The cell around a byte: where it begins.  False: nothing was written there.
static bool cover(struct sx_run *r, const struct sx_state *s,
                  const struct object *o, uint64_t byte, uint64_t *start,
                  term *value)
{
    for (uint64_t back = 0; back < CELL_MAX && back <= byte; back++) {
        uint64_t v;
        if (!pmap_get(&s->cells, key_of(o, byte - back), &v))
            continue;
        *start = byte - back;
        *value = (term)v;
        return term_bits(r->ts, *value) > back * 8;
    }
    return false;
}

// ---- what lies there otherwise ------------------------------------------

// The constant that a relocation of a global puts at this byte; IR_NOTHING if
// there is none.
static ir_id reloc_at(const struct ir_global *g, uint64_t byte,
                      uint64_t *offset)
{
    for (uint32_t i = 0; i < g->n_relocs; i++)
        if (g->relocs[i].offset <= byte && byte < g->relocs[i].offset + 8u) {
            *offset = g->relocs[i].offset;
            return g->relocs[i].value;
        }
    return IR_NOTHING;
}

static term byte_of_global(struct sx_run *r, const struct ir_global *g,
                           uint64_t byte)
{
    uint64_t start;
    ir_id v = reloc_at(g, byte, &start);
    if (v != IR_NOTHING)
        return term_slice(r->ts, const_term(r, v), (unsigned)(byte - start) * 8,
                          8);
    return term_const(r->ts, 8, g->bytes ? g->bytes[byte] : 0);
}

static term bytes_of_global(struct sx_run *r, const struct ir_global *g,
                            uint64_t from, uint32_t n)
{
    u128 all = 0;
    if (g->n_relocs) {
        term v = byte_of_global(r, g, from);
        for (uint32_t i = 1; i < n; i++)
            v = term_concat(r->ts, byte_of_global(r, g, from + i), v);
        return v;
    }
    for (uint32_t i = 0; i < n; i++)
        all |= (u128)(g->bytes ? g->bytes[from + i] : 0) << 8 * i;
    return term_const(r->ts, n * 8, all);
}

// Input bytes from `from` on, at most n; *got says how many.
static term input_bytes(struct sx_run *r, struct sx_state *s,
                        const struct object *o, uint64_t from, uint32_t n,
                        bool pointer, uint32_t *got)
{
    struct slot slot = slot_at(r, o->region, from, n, pointer);
    struct sx_place at = o->place;
    uint32_t skip = (uint32_t)(from - slot.start);
    at.offset += (int64_t)slot.start;
    if (pointer && slot.loose && n == 8 && !(skip == 0 && slot.pointer)) {
        slot = view_slot(r, s, r->regions.at[o->region].type, from);
        at.offset += (int64_t)slot.start - (int64_t)(from - skip);
        skip = 0;
    } else if (slot.loose && slot.pointer && !pointer) {
        s->labels |= SX_TWO_VIEWS;
    }
    *got = slot.bytes - skip < n ? slot.bytes - skip : n;
    return term_slice(r->ts, input_value(r, s, at, &slot), skip * 8, *got * 8);
}

static term bytes_of_itself(struct sx_run *r, const struct object *o,
                            uint64_t from, uint32_t n, uint32_t *got)
{
    if (from >= 8)
        return term_const(r->ts, n * 8, 0);
    *got = 8 - (uint32_t)from < n ? 8 - (uint32_t)from : n;
    return term_slice(r->ts, address_of(r, o->number, 0), (unsigned)from * 8,
                      *got * 8);
}

static term filled(struct sx_run *r, struct sx_state *s, const struct object *o,
                   uint64_t from, uint32_t n, bool pointer, uint32_t *got)
{
    *got = n;
    switch ((enum fill)o->fill) {
    case FILL_INPUT:
        return input_bytes(r, s, o, from, n, pointer, got);
    case FILL_BYTES:
        return bytes_of_global(r, o->global, from, n);
    case FILL_ITSELF:
        return bytes_of_itself(r, o, from, n, got);
    case FILL_UNDEFINED:
        if (r->o.undefined_any && !pointer)
            return term_var(r->ts, "what nobody wrote", n * 8, TERM_INT);
        s->labels |= SX_UNINITIALISED;
        break;
    case FILL_ZERO:
        break;
    }
    return term_const(r->ts, n * 8, 0);
}

// ---- reading and writing ------------------------------------------------

// Bytes from `from` on that are one value: a cell's, or of the fill up to the
// next cell.
static term piece_at(struct sx_run *r, struct sx_state *s,
                     const struct object *o, uint64_t from, uint32_t n,
                     bool pointer, uint32_t *got)
{
    uint64_t start, v;
    term value;
    if (!o->constant && cover(r, s, o, from, &start, &value)) {
        uint32_t skip = (uint32_t)(from - start);
        uint32_t left = term_bits(r->ts, value) / 8 - skip;
        *got = left < n ? left : n;
        return term_slice(r->ts, value, skip * 8, *got * 8);
    }
    uint32_t run = 1;
    while (run < n &&
           (o->constant || !pmap_get(&s->cells, key_of(o, from + run), &v)))
        run++;
    return filled(r, s, o, from, run, pointer, got);
}

term cell_read(struct sx_run *r, struct sx_state *s, const struct object *o,
               uint64_t offset, uint32_t bytes, bool pointer)
{
    uint64_t v;
    term all = TERM_NONE;
    if (pmap_get(&s->cells, key_of(o, offset), &v) &&
        term_bits(r->ts, (term)v) == bytes * 8)
        return known_value(r, s, (term)v);
    for (uint32_t done = 0, got; done < bytes; done += got) {
        term piece =
            piece_at(r, s, o, offset + done, bytes - done, pointer, &got);
        all = all ? term_concat(r->ts, piece, all) : piece;
    }
    return known_value(r, s, all);
}

uint32_t cell_extent(struct sx_run *r, struct sx_state *s,
                     const struct object *o, uint64_t offset, uint32_t most)
{
    uint32_t got, before = s->labels;
    most = most < 8 ? most : 8;
    piece_at(r, s, o, offset, most, false, &got);
    s->labels = before;
    return got;
}

// What is left of a cell that [from, to) cuts.
static void cut_cell(struct sx_run *r, struct sx_state *s,
                     const struct object *o, uint64_t start, term value,
                     uint64_t from, uint64_t to)
{
    uint64_t end = start + term_bits(r->ts, value) / 8;
    pmap_remove(&s->cells, key_of(o, start));
    if (start < from)
        pmap_put(&s->cells, key_of(o, start),
                 term_slice(r->ts, value, 0, (unsigned)(from - start) * 8));
    if (end > to)
        pmap_put(&s->cells, key_of(o, to),
                 term_slice(r->ts, value, (unsigned)(to - start) * 8,
                            (unsigned)(end - to) * 8));
}

static void clear_range(struct sx_run *r, struct sx_state *s,
                        const struct object *o, uint64_t from, uint64_t to)
{
    uint64_t start, v;
    term value;
    if (cover(r, s, o, from, &start, &value))
        cut_cell(r, s, o, start, value, from, to);
    for (uint64_t i = from; i < to; i++)
        if (pmap_get(&s->cells, key_of(o, i), &v))
            cut_cell(r, s, o, i, (term)v, from, to);
}

void cell_write(struct sx_run *r, struct sx_state *s, const struct object *o,
                uint64_t offset, term value)
{
    uint32_t bytes = term_bits(r->ts, value) / 8;
    uint64_t v;
    if (!pmap_get(&s->cells, key_of(o, offset), &v) ||
        term_bits(r->ts, (term)v) != bytes * 8)
        clear_range(r, s, o, offset, offset + bytes);
    pmap_put(&s->cells, key_of(o, offset), value);
}

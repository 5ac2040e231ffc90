// Models of allocation and of functions on bytes.
#include "symex/libc.h"

static term null_of(struct sx_run *r)
{
    return term_const(r->ts, 64, 0);
}

// ---- allocation ---------------------------------------------------------

// Does this allocation fail?  Only where that is asked for.
static bool fails(struct model_call *c)
{
    struct slot slot = {.bytes = 1, .type = IR_NOTHING};
    if (!c->r->o.alloc_fails) {
        c->s->labels |= SX_ALLOCATION;
        return false;
    }
    struct sx_place at = {SX_OPERATION, c->s->made, 0};
    term v = input_value(c->r, c->s, at, &slot);
    return decide(c->r, c->s, term_eq(c->r->ts, v, term_const(c->r->ts, 8, 1)));
}

// Assume that no more than a gigabyte is asked for.
static bool fits(struct model_call *c, term size)
{
    struct terms *ts = c->r->ts;
    term most = term_const(ts, 64, UINT64_C(1) << 30);
    return assume(c->r, c->s,
                  term_not(ts, term_binary(ts, IR_ULT, most, size)));
}

static int allocates(struct model_call *c, term size, enum fill fill)
{
    if (!fits(c, size))
        return -1;
    if (fails(c))
        return give_int(c, 0);
    return give(c, allocate(c->r, c->s, size, fill, true));
}

int do_malloc(struct model_call *c)
{
    return allocates(c, c->args[0], FILL_UNDEFINED);
}

int do_aligned(struct model_call *c)
{
    return allocates(c, c->args[1], FILL_UNDEFINED);
}

int do_calloc(struct model_call *c)
{
    return allocates(c, term_binary(c->r->ts, IR_MUL, c->args[0], c->args[1]),
                     FILL_ZERO);
}

// What free() and realloc() are given: an object, a reference, or null.
struct block {
    const struct object *object;
    uint32_t ref; // MAP_NONE: none
};

static bool block_at(struct model_call *c, term address, struct block *out)
{
    struct sx_run *r = c->r;
    struct leaf ls[LEAVES_MAX];
    uint32_t n = leaves(r, c->s, known_value(r, c->s, address), ls);
    *out = (struct block){NULL, MAP_NONE};
    for (uint32_t i = 0; i < n; i++) {
        if (i + 1 < n && !decide(r, c->s, ls[i].condition))
            continue;
        if (!ls[i].object || !term_is(r->ts, ls[i].offset, 0))
            break;
        out->ref = input_ref_of(r, ls[i].object);
        if (out->ref != MAP_NONE)
            return true;
        out->object =
            object_at(r, c->s, (uint32_t)term_value(r->ts, ls[i].object));
        if (term_is(r->ts, ls[i].object, 0) ||
            (out->object && out->object->heap))
            return true;
        break;
    }
    return finish_unsupported(r, c->s, "free() of what malloc() did not give");
}

// Null is decided here, so that afterwards a block is one.
static int free_block(struct model_call *c, const struct block *b)
{
    struct sx_run *r = c->r;
    if (b->object && b->object->freed)
        return finish_trap(r, c->s, SX_TRAP_FREED, NULL) ? 1 : -1;
    if (b->object) {
        struct object o = *b->object;
        o.freed = true;
        object_replace(r, c->s, &o);
    } else if (b->ref != MAP_NONE) {
        if (!trap_if(r, c->s, region_is_freed(r, c->s, b->ref), SX_TRAP_FREED))
            return -1;
        region_follow(r, c->s, b->ref, term_bool(r->ts, true));
        region_free(r, c->s, b->ref, term_bool(r->ts, true));
    }
    return 1;
}

static bool is_null(struct model_call *c, term address)
{
    return decide(c->r, c->s,
                  compare_pointers(c->r, IR_EQ, address, null_of(c->r)));
}

int do_free(struct model_call *c)
{
    struct block b;
    if (is_null(c, c->args[0]))
        return 1;
    if (!block_at(c, c->args[0], &b))
        return -1;
    return free_block(c, &b);
}

// What lies in a block becomes what lies in `to`.  Bytes beyond the new size
// may be copied, too: an access to them traps before it sees them.
static void move_cells(struct model_call *c, const struct block *b,
                       const struct object *to)
{
    enum { MOVED_MAX = 4096 };
    struct sx_run *r = c->r;
    uint64_t v, n = b->object ? MOVED_MAX : assumed_bytes(r, b->ref);
    for (uint64_t i = 0; b->object && i < n; i++)
        if (pmap_get(&c->s->cells,
                     (uint64_t)b->object->number << SX_OFFSET_BITS | i, &v))
            cell_write(r, c->s, to, i, (term)v);
    for (uint64_t i = 0; !b->object && i < n;) {
        uint32_t bytes = region_extent(r, b->ref, i, 8);
        cell_write(r, c->s, to, i,
                   region_read(r, c->s, b->ref, i, bytes, bytes == 8));
        i += bytes;
    }
}

static int reallocates(struct model_call *c, term size)
{
    struct block b = {NULL, MAP_NONE};
    if (is_null(c, c->args[0]))
        return allocates(c, size, FILL_UNDEFINED);
    if (!block_at(c, c->args[0], &b) || !fits(c, size))
        return -1;
    if (fails(c))
        return give_int(c, 0);
    enum fill fill = b.object ? (enum fill)b.object->fill : FILL_UNDEFINED;
    term to = allocate(c->r, c->s, size, fill, true);
    if (!b.object)
        c->s->labels |= SX_ASSUMED_INSIDE;
    move_cells(c, &b, object_at(c->r, c->s, SX_MADE + c->s->made - 1));
    return free_block(c, &b) < 0 ? -1 : give(c, to);
}

int do_realloc(struct model_call *c)
{
    return reallocates(c, c->args[1]);
}

int do_reallocarray(struct model_call *c)
{
    return reallocates(c,
                       term_binary(c->r->ts, IR_MUL, c->args[1], c->args[2]));
}

// ---- bytes --------------------------------------------------------------

int do_copy(struct model_call *c)
{
    uint64_t n;
    if (!pin_length(c->r, c->s, c->args[2], "a copy of unknown length", &n) ||
        !copy_bytes(c->r, c->s, c->args[0], c->args[1], n))
        return -1;
    return give(c, c->detail ? address_add(c->r, c->args[0],
                                           term_const(c->r->ts, 64, n))
                             : c->args[0]);
}

int do_memset(struct model_call *c)
{
    uint64_t n;
    if (!pin_length(c->r, c->s, c->args[2], "memset() of unknown length", &n) ||
        !set_bytes(c->r, c->s, c->args[0], arg_bits(c, 1, 8), n))
        return -1;
    return give(c, c->args[0]);
}

static bool byte_at(struct model_call *c, term address, uint64_t i, term *out)
{
    term at = address_add(c->r, address, term_const(c->r->ts, 64, i));
    return load(c->r, c->s, at, 1, false, out);
}

// The difference of the first bytes that differ.
int do_memcmp(struct model_call *c)
{
    struct terms *ts = c->r->ts;
    uint64_t n;
    term value = term_const(ts, 32, 0);
    if (!pin_length(c->r, c->s, c->args[2], "memcmp() of unknown length", &n))
        return -1;
    for (uint64_t i = n; i-- > 0;) {
        term a, b;
        if (!byte_at(c, c->args[0], i, &a) || !byte_at(c, c->args[1], i, &b))
            return -1;
        term less = term_binary(ts, IR_SUB, term_convert(ts, IR_ZEXT, 32, a),
                                term_convert(ts, IR_ZEXT, 32, b));
        value = term_ite(ts, term_eq(ts, a, b), value, less);
    }
    return give(c, value);
}

int do_memchr(struct model_call *c)
{
    struct terms *ts = c->r->ts;
    uint64_t n;
    term value = null_of(c->r), wanted = arg_bits(c, 1, 8);
    if (!pin_length(c->r, c->s, c->args[2], "memchr() of unknown length", &n))
        return -1;
    for (uint64_t i = n; i-- > 0;) {
        term b;
        if (!byte_at(c, c->args[0], i, &b))
            return -1;
        term at = address_add(c->r, c->args[0], term_const(ts, 64, i));
        value = term_ite(ts, term_eq(ts, b, wanted), at, value);
    }
    return give(c, value);
}

// ---- errno --------------------------------------------------------------

int do_errno(struct model_call *c)
{
    uint64_t at, key = met_key(MET_ERRNO, 0);
    if (pmap_get(&c->s->met, key, &at))
        return give(c, address_of(c->r, (uint32_t)at, 0));
    term p = allocate(c->r, c->s, term_const(c->r->ts, 64, 4), FILL_UNDEFINED,
                      false); // it is 0 at first, but no standard says so
    pmap_put(&c->s->met, key, SX_MADE + c->s->made - 1);
    return give(c, p);
}

// A stack machine.  What it cannot know makes the whole location unavailable:
// registers that a call does not keep, floating-point arithmetic, thread-local
// variables.
#include "program/location.h"

#include <dwarf.h>
#include <string.h>

#include "base/peek.h"
#include "program/debug.h"
#include "program/frames.h"
#include "program/location_inner.h"

enum { STACK_MOST = 64 };

// What the operations so far describe.
enum simple { AT_ADDRESS, AT_REGISTER, AT_VALUE, AT_BLOCK, AT_POINTER };

struct machine {
    const struct location_in *in;
    Dwarf_Attribute *attr;
    uint32_t depth; // of machines
    uint64_t stack[STACK_MOST];
    uint32_t n;
    enum simple simple;
    uint32_t reg;
    Dwarf_Block block;
    bool pieces;
    struct location *out;
};

bool location_open(struct location_in *in, const struct program *p,
                   const struct frames *f, uint32_t i)
{
    in->program = p;
    in->frames = f;
    in->i = i;
    return scope_find(p->debug, f->at[i].pc - p->bias, &in->scope);
}

static const struct frame *frame_of(const struct location_in *in)
{
    return &in->frames->at[in->i];
}

static bool get_register(const struct location_in *in, uint64_t r,
                         uint64_t *out)
{
    const struct frame *f = frame_of(in);
    if (r >= FRAME_REGISTERS || !(f->known >> r & 1))
        return false;
    *out = f->at[r];
    return true;
}

// ---- operations -----------------------------------------------------------

static bool push(struct machine *m, uint64_t v)
{
    if (m->n == STACK_MOST)
        return false;
    m->stack[m->n++] = v;
    m->simple = AT_ADDRESS;
    return true;
}

static bool based(struct machine *m, uint64_t reg, uint64_t offset)
{
    uint64_t v;
    return get_register(m->in, reg, &v) && push(m, v + offset);
}

static bool in_register(struct machine *m, uint64_t reg)
{
    m->simple = AT_REGISTER;
    m->reg = (uint32_t)reg;
    return reg < FRAME_REGISTERS;
}

// What a frame's variables are addressed from; in a register: its contents.
static bool frame_base(struct machine *m, uint64_t offset)
{
    Dwarf_Attribute a;
    Dwarf_Die function = m->in->scope.at[0];
    Dwarf_Op *ops;
    size_t n;
    struct location l;
    uint64_t base = 0;
    if (m->depth > LOCATION_DEPTH ||
        !dwarf_attr(&function, DW_AT_frame_base, &a) ||
        dwarf_getlocation_addr(&a, m->in->scope.pc, &ops, &n, 1) != 1 ||
        !location_evaluate(m->in, &a, ops, n, m->depth + 1, &l))
        return false;
    if (l.kind == LOCATION_MEMORY)
        base = l.address;
    else if (l.kind == LOCATION_BYTES)
        memcpy(&base, l.bytes, sizeof base);
    return l.kind != LOCATION_NONE && push(m, base + offset);
}

static bool deref(struct machine *m, uint64_t size)
{
    uint64_t v = 0;
    if (!m->n || size > sizeof v ||
        !peek((uintptr_t)m->stack[m->n - 1], &v, size))
        return false;
    m->stack[m->n - 1] = v;
    return true;
}

static bool entry(struct machine *m, const Dwarf_Op *op)
{
    Dwarf_Attribute a;
    Dwarf_Op *ops;
    size_t n;
    uint64_t r, v;
    return dwarf_getlocation_attr(m->attr, op, &a) == 0 &&
           dwarf_getlocation(&a, &ops, &n) == 0 && n == 1 &&
           location_is_register(&ops[0], &r) &&
           location_entry_value(m->in, r, m->depth + 1, &v) && push(m, v);
}

// To a whole number of another width, or to the machine's own.
static bool convert(struct machine *m, const Dwarf_Op *op)
{
    Dwarf_Die type;
    Dwarf_Attribute a;
    Dwarf_Word encoding, size;
    if (!m->n)
        return false;
    if (!op->number)
        return true;
    if (dwarf_getlocation_die(m->attr, op, &type) != 0 ||
        dwarf_formudata(dwarf_attr(&type, DW_AT_encoding, &a), &encoding) ||
        dwarf_formudata(dwarf_attr(&type, DW_AT_byte_size, &a), &size) ||
        encoding == DW_ATE_float || !size || size > 8)
        return false;
    uint64_t *v = &m->stack[m->n - 1];
    uint32_t shift = (uint32_t)(64 - size * 8);
    bool is_signed =
        encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
    *v = is_signed ? (uint64_t)((int64_t)(*v << shift) >> shift)
                   : *v << shift >> shift;
    return true;
}

static bool address(struct machine *m, const Dwarf_Op *op)
{
    Dwarf_Attribute a;
    Dwarf_Addr at = op->number;
    bool indexed = op->atom != DW_OP_addr;
    if (indexed && (dwarf_getlocation_attr(m->attr, op, &a) != 0 ||
                    dwarf_formaddr(&a, &at) != 0))
        return false;
    return push(m, at + m->in->program->bias);
}

static bool unary(struct machine *m, uint8_t atom)
{
    if (!m->n)
        return false;
    uint64_t *v = &m->stack[m->n - 1];
    if (atom == DW_OP_neg)
        *v = -*v;
    else if (atom == DW_OP_not)
        *v = ~*v;
    else if ((int64_t)*v < 0)
        *v = -*v;
    return true;
}

static bool binary(struct machine *m, uint8_t atom)
{
    if (m->n < 2)
        return false;
    uint64_t b = m->stack[--m->n], *a = &m->stack[m->n - 1];
    int64_t x = (int64_t)*a, y = (int64_t)b;
    bool divides = atom == DW_OP_div || atom == DW_OP_mod;
    if (divides && (!b || (x == INT64_MIN && y == -1)))
        return false;
    switch (atom) {
    case DW_OP_plus:
        *a += b;
        return true;
    case DW_OP_minus:
        *a -= b;
        return true;
    case DW_OP_mul:
        *a *= b;
        return true;
    case DW_OP_div:
        *a = (uint64_t)(x / y);
        return true;
    case DW_OP_mod:
        *a %= b;
        return true;
    case DW_OP_and:
        *a &= b;
        return true;
    case DW_OP_or:
        *a |= b;
        return true;
    case DW_OP_xor:
        *a ^= b;
        return true;
    case DW_OP_shl:
        *a = b < 64 ? *a << b : 0;
        return true;
    case DW_OP_shr:
        *a = b < 64 ? *a >> b : 0;
        return true;
    case DW_OP_shra:
        b = b < 63 ? b : 63;
        *a = *a >> b | (x < 0 && b ? ~(uint64_t)0 << (64 - b) : 0);
        return true;
    case DW_OP_eq:
        *a = x == y;
        return true;
    case DW_OP_ne:
        *a = x != y;
        return true;
    case DW_OP_lt:
        *a = x < y;
        return true;
    case DW_OP_le:
        *a = x <= y;
        return true;
    case DW_OP_gt:
        *a = x > y;
        return true;
    case DW_OP_ge:
        *a = x >= y;
        return true;
    default:
        return false;
    }
}

static bool shuffle(struct machine *m, const Dwarf_Op *op)
{
    uint64_t at = op->atom == DW_OP_dup    ? 0
                  : op->atom == DW_OP_over ? 1
                                           : op->number;
    if (op->atom == DW_OP_drop) {
        m->n -= m->n > 0;
        return true;
    }
    if (op->atom == DW_OP_swap) {
        if (m->n < 2)
            return false;
        uint64_t top = m->stack[m->n - 1];
        m->stack[m->n - 1] = m->stack[m->n - 2];
        m->stack[m->n - 2] = top;
        return true;
    }
    return at < m->n && push(m, m->stack[m->n - 1 - at]);
}

// ---- results --------------------------------------------------------------

// from NULL: they are not known.
static void add_bytes(struct location *l, const void *from, uint64_t size)
{
    const unsigned char *bytes = from;
    for (uint64_t i = 0; i < size && l->n < LOCATION_MOST; i++, l->n++) {
        l->bytes[l->n] = bytes ? bytes[i] : 0;
        l->known[l->n] = bytes != NULL;
    }
}

// The next `size` bytes of a variable that is in several places.
static bool piece(struct machine *m, uint64_t size)
{
    unsigned char bytes[LOCATION_MOST] = {0};
    uint64_t v = 0;
    bool known = false;
    if (size > LOCATION_MOST)
        return false;
    if (m->simple == AT_REGISTER)
        known = size <= sizeof v && get_register(m->in, m->reg, &v);
    else if (m->simple == AT_VALUE && m->n) {
        known = size <= sizeof v;
        v = m->stack[m->n - 1];
    }
    if (known)
        memcpy(bytes, &v, sizeof v);
    if (m->simple == AT_BLOCK && size <= m->block.length) {
        memcpy(bytes, m->block.data, size);
        known = true;
    } else if (m->simple == AT_ADDRESS && m->n) {
        known = peek((uintptr_t)m->stack[m->n - 1], bytes, size);
    }
    add_bytes(m->out, known ? bytes : NULL, size);
    m->pieces = true;
    m->n = 0;
    m->simple = AT_ADDRESS;
    return true;
}

static bool pointer(struct machine *m, const Dwarf_Op *op)
{
    m->simple = AT_POINTER;
    m->out->offset = (int64_t)op->number2;
    return dwarf_getlocation_die(m->attr, op, &m->out->target) == 0;
}

static bool block(struct machine *m, const Dwarf_Op *op)
{
    m->simple = AT_BLOCK;
    return dwarf_getlocation_implicit_value(m->attr, op, &m->block) == 0;
}

static bool conclude(struct machine *m)
{
    struct location *l = m->out;
    uint64_t v = 0;
    l->kind = LOCATION_BYTES;
    if (m->pieces)
        return true;
    switch (m->simple) {
    case AT_ADDRESS:
        l->kind = LOCATION_MEMORY;
        l->address = m->n ? (uintptr_t)m->stack[m->n - 1] : 0;
        return m->n;
    case AT_REGISTER:
        if (!get_register(m->in, m->reg, &v))
            return false;
        add_bytes(l, &v, sizeof v);
        return true;
    case AT_VALUE:
        if (!m->n)
            return false;
        add_bytes(l, &m->stack[m->n - 1], sizeof v);
        return true;
    case AT_BLOCK:
        add_bytes(l, m->block.data, m->block.length);
        return true;
    case AT_POINTER:
        l->kind = LOCATION_POINTER;
        return true;
    }
    return false;
}

static bool step(struct machine *m, Dwarf_Op *op)
{
    uint64_t r;
    if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
        return push(m, op->atom - DW_OP_lit0);
    if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
        return based(m, op->atom - DW_OP_breg0, op->number);
    if (location_is_register(op, &r))
        return in_register(m, r);
    switch (op->atom) {
    case DW_OP_addr:
    case DW_OP_addrx:
    case DW_OP_GNU_addr_index:
        return address(m, op);
    case DW_OP_const1u:
    case DW_OP_const1s:
    case DW_OP_const2u:
    case DW_OP_const2s:
    case DW_OP_const4u:
    case DW_OP_const4s:
    case DW_OP_const8u:
    case DW_OP_const8s:
    case DW_OP_constu:
    case DW_OP_consts:
        return push(m, op->number);
    case DW_OP_bregx:
        return based(m, op->number, op->number2);
    case DW_OP_fbreg:
        return frame_base(m, op->number);
    case DW_OP_call_frame_cfa:
        return frame_of(m->in)->cfa && push(m, frame_of(m->in)->cfa);
    case DW_OP_deref:
        return deref(m, 8);
    case DW_OP_deref_size:
        return deref(m, op->number);
    case DW_OP_plus_uconst:
        return m->n && (m->stack[m->n - 1] += op->number, true);
    case DW_OP_neg:
    case DW_OP_not:
    case DW_OP_abs:
        return unary(m, op->atom);
    case DW_OP_dup:
    case DW_OP_drop:
    case DW_OP_over:
    case DW_OP_pick:
    case DW_OP_swap:
        return shuffle(m, op);
    case DW_OP_convert:
    case DW_OP_GNU_convert:
        return convert(m, op);
    case DW_OP_entry_value:
    case DW_OP_GNU_entry_value:
        return entry(m, op);
    case DW_OP_stack_value:
        m->simple = AT_VALUE;
        return true;
    case DW_OP_implicit_value:
        return block(m, op);
    case DW_OP_implicit_pointer:
    case DW_OP_GNU_implicit_pointer:
        return pointer(m, op);
    case DW_OP_piece:
        return piece(m, op->number);
    case DW_OP_nop:
        return true;
    default:
        return binary(m, op->atom);
    }
}

// If one piece of a variable in several places is not available, the others
// are: go on behind that piece.
static bool skip_piece(struct machine *m, const Dwarf_Op *ops, size_t n,
                       size_t *i)
{
    while (*i < n && ops[*i].atom != DW_OP_piece)
        ++*i;
    if (*i == n || ops[*i].number > LOCATION_MOST)
        return false;
    add_bytes(m->out, NULL, ops[*i].number);
    m->pieces = true;
    m->n = 0;
    m->simple = AT_ADDRESS;
    return true;
}

bool location_evaluate(const struct location_in *in, Dwarf_Attribute *attr,
                       Dwarf_Op *ops, size_t n, uint32_t depth,
                       struct location *out)
{
    struct machine m = {.in = in, .attr = attr, .depth = depth, .out = out};
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < n; i++)
        if (!step(&m, &ops[i]) && !skip_piece(&m, ops, n, &i))
            return false;
    return n && conclude(&m);
}

// ---- variables ------------------------------------------------------------

static bool constant(Dwarf_Die *die, struct location *out)
{
    Dwarf_Attribute a;
    Dwarf_Word v;
    Dwarf_Block b;
    if (!dwarf_attr_integrate(die, DW_AT_const_value, &a))
        return false;
    if (dwarf_whatform(&a) == DW_FORM_sdata) {
        Dwarf_Sword s;
        dwarf_formsdata(&a, &s);
        v = (Dwarf_Word)s;
        add_bytes(out, &v, sizeof v);
    } else if (dwarf_formudata(&a, &v) == 0) {
        add_bytes(out, &v, sizeof v);
    } else if (dwarf_formblock(&a, &b) == 0) {
        add_bytes(out, b.data, b.length);
    } else {
        return false;
    }
    out->kind = LOCATION_BYTES;
    return true;
}

void location_of(const struct location_in *in, Dwarf_Die *variable,
                 struct location *out)
{
    Dwarf_Attribute a;
    Dwarf_Op *ops;
    size_t n;
    memset(out, 0, sizeof *out);
    if (constant(variable, out))
        return;
    if (!dwarf_attr_integrate(variable, DW_AT_location, &a) ||
        dwarf_getlocation_addr(&a, in->scope.pc, &ops, &n, 1) != 1 ||
        !location_evaluate(in, &a, ops, n, 0, out))
        out->kind = LOCATION_NONE;
}

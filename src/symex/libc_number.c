// Models of functions on characters and numbers.
#include "symex/libc.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

// ---- characters ---------------------------------------------------------

// The classes of the C locale, in the order of the table's details.
static int in_class(int class, int c)
{
    switch (class) {
    case 0:
        return isalnum(c);
    case 1:
        return isalpha(c);
    case 2:
        return isblank(c);
    case 3:
        return iscntrl(c);
    case 4:
        return isdigit(c);
    case 5:
        return isgraph(c);
    case 6:
        return islower(c);
    case 7:
        return isprint(c);
    case 8:
        return ispunct(c);
    case 9:
        return isspace(c);
    case 10:
        return isupper(c);
    default:
        return isxdigit(c);
    }
}

// Is the int argument a character for which this holds?
static term class_of(struct model_call *c, int class, int *value)
{
    struct terms *ts = c->r->ts;
    bool set[256];
    *value = 0;
    for (int i = 0; i < 256; i++) {
        int v = i < 128 ? in_class(class, i) : 0;
        set[i] = v != 0;
        *value |= v;
    }
    term fits = term_binary(ts, IR_ULT, c->args[0], term_const(ts, 32, 256));
    return term_and(ts, fits, byte_in(ts, arg_bits(c, 0, 8), set));
}

int do_ctype(struct model_call *c)
{
    struct terms *ts = c->r->ts;
    int value;
    term is = class_of(c, c->detail, &value);
    return give(c, term_ite(ts, is, term_const(ts, 32, (uint64_t)value),
                            term_const(ts, 32, 0)));
}

#define MINUS_32 UINT64_C(0xffffffe0)

int do_tocase(struct model_call *c)
{
    struct terms *ts = c->r->ts;
    int value;
    term is = class_of(c, c->detail ? 6 : 10, &value);
    term other = term_binary(ts, IR_ADD, c->args[0],
                             term_const(ts, 32, c->detail ? MINUS_32 : 32));
    return give(c, term_ite(ts, is, other, c->args[0]));
}

// glibc's tables: 128 entries before the start, for negative characters.
static struct ir_global *ctype_bytes(struct model_call *c)
{
    struct ir_global *g = arena_zero(&c->r->arena, sizeof *g);
    size_t entry = c->detail ? 4 : 2;
    g->size = 384 * entry;
    const char *from = c->detail == 0 ? (const char *)(*__ctype_b_loc() - 128)
                       : c->detail == 1
                           ? (const char *)(*__ctype_toupper_loc() - 128)
                           : (const char *)(*__ctype_tolower_loc() - 128);
    g->bytes = arena_copy(&c->r->arena, from, g->size);
    return g;
}

int do_ctype_table(struct model_call *c)
{
    struct sx_run *r = c->r;
    uint64_t at, key = met_key(MET_CTYPE, (uint32_t)c->detail);
    if (pmap_get(&c->s->met, key, &at))
        return give(c, address_of(r, (uint32_t)at, 0));
    const struct ir_global *g = ctype_bytes(c);
    struct object table = {.fill = FILL_BYTES,
                           .constant = true,
                           .size = offset_const(r, g->size),
                           .type = IR_NOTHING,
                           .global = g};
    uint32_t number = object_make(r, c->s, table);
    term p = allocate(r, c->s, term_const(r->ts, 64, 8), FILL_ZERO, false);
    at = SX_MADE + c->s->made - 1;
    pmap_put(&c->s->met, key, at);
    cell_write(r, c->s, object_at(r, c->s, (uint32_t)at), 0,
               address_of(r, number, g->size / 3));
    return give(c, p);
}

// ---- arithmetic ---------------------------------------------------------

int do_abs(struct model_call *c)
{
    struct terms *ts = c->r->ts;
    term zero = term_const(ts, term_bits(ts, c->args[0]), 0);
    return give(c, term_ite(ts, term_binary(ts, IR_SLT, c->args[0], zero),
                            term_binary(ts, IR_SUB, zero, c->args[0]),
                            c->args[0]));
}

int do_math(struct model_call *c)
{
    term t = term_math(c->r->ts, (enum ir_math)c->detail, c->i->type.bits, c->n,
                       c->args);
    return t ? give(c, t) : 0;
}

// lround, lrint, fmod.
int do_round(struct model_call *c)
{
    struct terms *ts = c->r->ts;
    if (c->detail == 2)
        return give(c, term_binary(ts, IR_FREM, c->args[0], c->args[1]));
    term whole = term_math(ts, c->detail ? IR_M_RINT : IR_M_ROUND,
                           term_bits(ts, c->args[0]), 1, c->args);
    return give(c, term_convert(ts, IR_FPTOSI, c->i->type.bits, whole));
}

// Of constants only: by the function itself.
int do_host_math(struct model_call *c)
{
    static double (*const of_one[])(double) = {tan,  atan,  asin, acos,
                                               log2, log10, exp2, cbrt};
    double a[2] = {0};
    for (uint32_t i = 0; i < c->n && i < 2; i++) {
        if (!term_is_const(c->r->ts, c->args[i]))
            return 0;
        uint64_t bits = (uint64_t)term_value(c->r->ts, c->args[i]);
        memcpy(&a[i], &bits, 8);
    }
    double x = c->detail == 8   ? atan2(a[0], a[1])
               : c->detail == 9 ? hypot(a[0], a[1])
                                : of_one[c->detail](a[0]);
    return give(c, term_double(c->r->ts, x));
}

// ---- without effect on the program's memory -----------------------------

int do_nothing(struct model_call *c)
{
    // Where the file is, by detail.
    static const int8_t files[] = {-1, -1, 3, 1, 1, 0};
    int8_t i = files[c->detail];
    int is = i >= 0 ? file_written(c, (uint32_t)i) : 0;
    if (is < 0)
        return is;
    if (c->detail == 1 || c->detail == 3) // putchar(), fputc(): the character
        return give(c, term_convert(c->r->ts, IR_ZEXT, 32, arg_bits(c, 0, 8)));
    if (c->detail == 2) // fwrite(): all of it
        return give(c, c->args[2]);
    if (c->detail == 4 && is) // fputs()
        return give_int(c, 1);
    if (c->detail == 5 && is && libc_is_used(c->s->top->f, c->i))
        return do_snprintf(c);
    return c->i->type.kind == IR_VOID ? 1 : give_int(c, 0);
}

// A number that the test chooses.
int do_chance(struct model_call *c)
{
    struct terms *ts = c->r->ts;
    if (c->r->live) {
        finish_unsupported(c->r, c->s, "a number by chance");
        return -1;
    }
    uint64_t calls = 0, key = met_key(MET_CALLS, c->f->id);
    pmap_get(&c->s->met, key, &calls);
    pmap_put(&c->s->met, key, calls + 1);
    c->s->labels |= SX_STUBBED;
    struct slot slot = {.bytes = ir_bytes(c->i->type), .type = IR_NOTHING};
    struct sx_place at = {SX_STUB, c->f->id, (int64_t)calls};
    term v = input_value(c->r, c->s, at, &slot);
    learn(c->r, c->s,
          term_binary(ts, IR_ULT, v,
                      term_const(ts, slot.bytes * 8, UINT64_C(1) << 31)));
    return give(c, v);
}

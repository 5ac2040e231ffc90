// The table of models: name, arguments, precision.
#include "symex/libc.h"

#include <string.h>

struct row {
    const char *name;
    uint8_t args;      // at least
    uint8_t precision; // enum sx_precision
    libc_fn *model;
    int detail;
};

#define MATH(name, m)                                                          \
    {name, 1, SX_EXACT, do_math, IR_M_##m},                                    \
    {                                                                          \
        name "f", 1, SX_EXACT, do_math, IR_M_##m                               \
    }

// By name.
static const struct row rows[] = {
    // memory
    {"malloc", 1, SX_EXACT, do_malloc, 0},
    {"calloc", 2, SX_EXACT, do_calloc, 0},
    {"realloc", 2, SX_BOUNDED, do_realloc, 0},
    {"reallocarray", 3, SX_BOUNDED, do_reallocarray, 0},
    {"aligned_alloc", 2, SX_EXACT, do_aligned, 0},
    {"free", 1, SX_EXACT, do_free, 0},
    {"memcpy", 3, SX_EXACT, do_copy, 0},
    {"memmove", 3, SX_EXACT, do_copy, 0},
    {"mempcpy", 3, SX_EXACT, do_copy, 1},
    {"memset", 3, SX_EXACT, do_memset, 0},
    {"memcmp", 3, SX_EXACT, do_memcmp, 0},
    {"bcmp", 3, SX_EXACT, do_memcmp, 0},
    {"memchr", 3, SX_EXACT, do_memchr, 0},
    {"__errno_location", 0, SX_EXACT, do_errno, 0},
    // text
    {"strlen", 1, SX_BOUNDED, do_strlen, 0},
    {"strnlen", 2, SX_BOUNDED, do_strlen, 1},
    {"strcmp", 2, SX_BOUNDED, do_strcmp, 0},
    {"strncmp", 3, SX_BOUNDED, do_strcmp, 1},
    {"strcasecmp", 2, SX_BOUNDED, do_strcmp, 2},
    {"strncasecmp", 3, SX_BOUNDED, do_strcmp, 3},
    {"strcoll", 2, SX_BOUNDED, do_strcmp, 0},
    {"strchr", 2, SX_BOUNDED, do_strchr, 0},
    {"index", 2, SX_BOUNDED, do_strchr, 0},
    {"strchrnul", 2, SX_BOUNDED, do_strchr, 2},
    {"strrchr", 2, SX_BOUNDED, do_strchr, 1},
    {"rindex", 2, SX_BOUNDED, do_strchr, 1},
    {"strspn", 2, SX_BOUNDED, do_strspn, 0},
    {"strcspn", 2, SX_BOUNDED, do_strspn, 1},
    {"strpbrk", 2, SX_BOUNDED, do_strspn, 2},
    {"strstr", 2, SX_BOUNDED, do_strstr, 0},
    {"strcpy", 2, SX_BOUNDED, do_strcpy, 0},
    {"stpcpy", 2, SX_BOUNDED, do_strcpy, 1},
    {"strncpy", 3, SX_BOUNDED, do_strcpy, 2},
    {"strcat", 2, SX_BOUNDED, do_strcat, 0},
    {"strncat", 3, SX_BOUNDED, do_strcat, 1},
    {"strdup", 1, SX_BOUNDED, do_strdup, 0},
    {"__strdup", 1, SX_BOUNDED, do_strdup, 0},
    {"strndup", 2, SX_BOUNDED, do_strdup, 1},
    // characters
    {"isalnum", 1, SX_EXACT, do_ctype, 0},
    {"isalpha", 1, SX_EXACT, do_ctype, 1},
    {"isblank", 1, SX_EXACT, do_ctype, 2},
    {"iscntrl", 1, SX_EXACT, do_ctype, 3},
    {"isdigit", 1, SX_EXACT, do_ctype, 4},
    {"isgraph", 1, SX_EXACT, do_ctype, 5},
    {"islower", 1, SX_EXACT, do_ctype, 6},
    {"isprint", 1, SX_EXACT, do_ctype, 7},
    {"ispunct", 1, SX_EXACT, do_ctype, 8},
    {"isspace", 1, SX_EXACT, do_ctype, 9},
    {"isupper", 1, SX_EXACT, do_ctype, 10},
    {"isxdigit", 1, SX_EXACT, do_ctype, 11},
    {"toupper", 1, SX_EXACT, do_tocase, 1},
    {"tolower", 1, SX_EXACT, do_tocase, 0},
    {"__ctype_b_loc", 0, SX_EXACT, do_ctype_table, 0},
    {"__ctype_toupper_loc", 0, SX_EXACT, do_ctype_table, 1},
    {"__ctype_tolower_loc", 0, SX_EXACT, do_ctype_table, 2},
    // numbers
    {"strtol", 3, SX_BOUNDED, do_strtol, 1},
    {"strtoll", 3, SX_BOUNDED, do_strtol, 1},
    {"__isoc23_strtol", 3, SX_BOUNDED, do_strtol, 1},
    {"__isoc23_strtoll", 3, SX_BOUNDED, do_strtol, 1},
    {"strtoul", 3, SX_BOUNDED, do_strtol, 0},
    {"strtoull", 3, SX_BOUNDED, do_strtol, 0},
    {"__isoc23_strtoul", 3, SX_BOUNDED, do_strtol, 0},
    {"__isoc23_strtoull", 3, SX_BOUNDED, do_strtol, 0},
    {"atoi", 1, SX_BOUNDED, do_strtol, 2},
    {"atol", 1, SX_BOUNDED, do_strtol, 2},
    {"atoll", 1, SX_BOUNDED, do_strtol, 2},
    {"abs", 1, SX_EXACT, do_abs, 0},
    {"labs", 1, SX_EXACT, do_abs, 0},
    {"llabs", 1, SX_EXACT, do_abs, 0},
    MATH("fabs", FABS),
    MATH("sqrt", SQRT),
    MATH("floor", FLOOR),
    MATH("ceil", CEIL),
    MATH("trunc", FTRUNC),
    MATH("rint", RINT),
    MATH("nearbyint", RINT),
    MATH("round", ROUND),
    MATH("copysign", COPYSIGN),
    MATH("fmin", FMIN),
    MATH("fmax", FMAX),
    MATH("fma", FMA),
    MATH("pow", POW),
    MATH("exp", EXP),
    MATH("log", LN),
    MATH("sin", SIN),
    MATH("cos", COS),
    {"fmod", 2, SX_EXACT, do_round, 2},
    {"fmodf", 2, SX_EXACT, do_round, 2},
    {"lround", 1, SX_EXACT, do_round, 0},
    {"llround", 1, SX_EXACT, do_round, 0},
    {"lrint", 1, SX_EXACT, do_round, 1},
    {"llrint", 1, SX_EXACT, do_round, 1},
    {"tan", 1, SX_OPAQUE, do_host_math, 0},
    {"atan", 1, SX_OPAQUE, do_host_math, 1},
    {"asin", 1, SX_OPAQUE, do_host_math, 2},
    {"acos", 1, SX_OPAQUE, do_host_math, 3},
    {"log2", 1, SX_OPAQUE, do_host_math, 4},
    {"log10", 1, SX_OPAQUE, do_host_math, 5},
    {"exp2", 1, SX_OPAQUE, do_host_math, 6},
    {"cbrt", 1, SX_OPAQUE, do_host_math, 7},
    {"atan2", 2, SX_OPAQUE, do_host_math, 8},
    {"hypot", 2, SX_OPAQUE, do_host_math, 9},
    // calling back
    {"qsort", 4, SX_EXACT, do_qsort, 0},
    {"bsearch", 5, SX_EXACT, do_bsearch, 0},
    // output, which no branch depends on unless it looks at the result
    {"printf", 1, SX_OPAQUE, do_nothing, 0},
    {"fprintf", 2, SX_OPAQUE, do_nothing, 0},
    {"vprintf", 2, SX_OPAQUE, do_nothing, 0},
    {"vfprintf", 3, SX_OPAQUE, do_nothing, 0},
    {"puts", 1, SX_OPAQUE, do_nothing, 0},
    {"putchar", 1, SX_OPAQUE, do_nothing, 1},
    {"putc", 2, SX_OPAQUE, do_nothing, 1},
    {"fputc", 2, SX_OPAQUE, do_nothing, 1},
    {"fputs", 2, SX_OPAQUE, do_nothing, 0},
    {"fwrite", 4, SX_OPAQUE, do_nothing, 2},
    {"fflush", 1, SX_OPAQUE, do_nothing, 0},
    {"perror", 1, SX_OPAQUE, do_nothing, 0},
    {"srand", 1, SX_EXACT, do_nothing, 0},
    {"srandom", 1, SX_EXACT, do_nothing, 0},
    {"rand", 0, SX_EXACT, do_chance, 0},
    {"random", 0, SX_EXACT, do_chance, 0},
};

static const struct row *find(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

enum sx_precision sx_precision(const char *function)
{
    const struct row *row = find(function);
    return row ? (enum sx_precision)row->precision : SX_NO_MODEL;
}

int libc_model(struct sx_run *r, struct sx_state *s, const struct ir_fn *f,
               const struct ir_inst *i, const term *args, uint32_t n,
               term *result)
{
    const struct row *row = find(f->name);
    if (!row || n < row->args)
        return 0;
    struct model_call c = {r, s, f, i, args, n, result, row->detail};
    *result = TERM_NONE;
    int done = row->model(&c);
    if (done == 1 && row->precision == SX_OPAQUE)
        s->labels |= SX_MODELLED;
    return done;
}

// ---- what models share --------------------------------------------------

term arg_bits(struct model_call *c, uint32_t i, unsigned bits)
{
    term t = c->args[i];
    unsigned have = term_bits(c->r->ts, t);
    if (have > bits)
        return term_slice(c->r->ts, t, 0, bits);
    return have < bits ? term_convert(c->r->ts, IR_SEXT, bits, t) : t;
}

int give(struct model_call *c, term value)
{
    unsigned bits = c->i->type.kind == IR_PTR ? 64 : c->i->type.bits;
    unsigned have = term_bits(c->r->ts, value);
    if (c->i->type.kind == IR_VOID)
        *c->result = TERM_NONE;
    else if (have > bits)
        *c->result = term_slice(c->r->ts, value, 0, bits);
    else if (have < bits)
        *c->result = term_convert(c->r->ts, IR_SEXT, bits, value);
    else
        *c->result = value;
    return 1;
}

int give_int(struct model_call *c, uint64_t value)
{
    return give(c, term_const(c->r->ts, 64, value));
}

// Is a byte one of a set?  As few ranges as there are.
term byte_in(struct terms *ts, term byte, const bool *set)
{
    term any = term_bool(ts, false);
    for (unsigned lo = 0; lo < 256; lo++) {
        unsigned hi = lo;
        if (!set[lo])
            continue;
        while (hi < 255 && set[hi + 1])
            hi++;
        term from =
            term_not(ts, term_binary(ts, IR_ULT, byte, term_const(ts, 8, lo)));
        term to =
            term_not(ts, term_binary(ts, IR_ULT, term_const(ts, 8, hi), byte));
        any = term_or(ts, any,
                      lo == hi ? term_eq(ts, byte, term_const(ts, 8, lo))
                               : term_and(ts, from, to));
        lo = hi;
    }
    return any;
}

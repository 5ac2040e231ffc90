// The table of models: name, least number of arguments, precision, and whether
// the function leaves the program's memory alone.
// libc_memory.c, libc_number.c and libc_text.c have the models.
#include "symex/libc.h"

#include <string.h>

struct row {
    const char *name;
    uint8_t args;      // at least
    uint8_t precision; // enum sx_precision
    libc_fn *model;
    int detail;
    uint8_t memory;
};

// What a function does to the program's memory.  FORMATS + k: it only reads
// unless argument k, its format, has a %n.
enum { MAY_WRITE, READS, FORMATS };

#define MATH(name, m)                                                          \
    {name, 1, SX_EXACT, do_math, IR_M_##m, MAY_WRITE},                         \
    {                                                                          \
        name "f", 1, SX_EXACT, do_math, IR_M_##m, MAY_WRITE                    \
    }

// By name.
static const struct row rows[] = {
    // memory
    {"malloc", 1, SX_EXACT, do_malloc, 0, MAY_WRITE},
    {"calloc", 2, SX_EXACT, do_calloc, 0, MAY_WRITE},
    {"realloc", 2, SX_BOUNDED, do_realloc, 0, MAY_WRITE},
    {"reallocarray", 3, SX_BOUNDED, do_reallocarray, 0, MAY_WRITE},
    {"aligned_alloc", 2, SX_EXACT, do_aligned, 0, MAY_WRITE},
    {"free", 1, SX_EXACT, do_free, 0, MAY_WRITE},
    {"memcpy", 3, SX_EXACT, do_copy, 0, MAY_WRITE},
    {"memmove", 3, SX_EXACT, do_copy, 0, MAY_WRITE},
    {"mempcpy", 3, SX_EXACT, do_copy, 1, MAY_WRITE},
    {"memset", 3, SX_EXACT, do_memset, 0, MAY_WRITE},
    {"memcmp", 3, SX_EXACT, do_memcmp, 0, READS},
    {"bcmp", 3, SX_EXACT, do_memcmp, 0, READS},
    {"memchr", 3, SX_EXACT, do_memchr, 0, READS},
    {"__errno_location", 0, SX_EXACT, do_errno, 0, MAY_WRITE},
    // text
    {"strlen", 1, SX_BOUNDED, do_strlen, 0, READS},
    {"strnlen", 2, SX_BOUNDED, do_strlen, 1, READS},
    {"strcmp", 2, SX_BOUNDED, do_strcmp, 0, READS},
    {"strncmp", 3, SX_BOUNDED, do_strcmp, 1, READS},
    {"strcasecmp", 2, SX_BOUNDED, do_strcmp, 2, READS},
    {"strncasecmp", 3, SX_BOUNDED, do_strcmp, 3, READS},
    {"strcoll", 2, SX_BOUNDED, do_strcmp, 0, MAY_WRITE},
    {"strchr", 2, SX_BOUNDED, do_strchr, 0, READS},
    {"index", 2, SX_BOUNDED, do_strchr, 0, READS},
    {"strchrnul", 2, SX_BOUNDED, do_strchr, 2, READS},
    {"strrchr", 2, SX_BOUNDED, do_strchr, 1, READS},
    {"rindex", 2, SX_BOUNDED, do_strchr, 1, READS},
    {"strspn", 2, SX_BOUNDED, do_strspn, 0, READS},
    {"strcspn", 2, SX_BOUNDED, do_strspn, 1, READS},
    {"strpbrk", 2, SX_BOUNDED, do_strspn, 2, READS},
    {"strstr", 2, SX_BOUNDED, do_strstr, 0, READS},
    {"strcpy", 2, SX_BOUNDED, do_strcpy, 0, MAY_WRITE},
    {"stpcpy", 2, SX_BOUNDED, do_strcpy, 1, MAY_WRITE},
    {"strncpy", 3, SX_BOUNDED, do_strcpy, 2, MAY_WRITE},
    {"strcat", 2, SX_BOUNDED, do_strcat, 0, MAY_WRITE},
    {"strncat", 3, SX_BOUNDED, do_strcat, 1, MAY_WRITE},
    {"strdup", 1, SX_BOUNDED, do_strdup, 0, MAY_WRITE},
    {"__strdup", 1, SX_BOUNDED, do_strdup, 0, MAY_WRITE},
    {"strndup", 2, SX_BOUNDED, do_strdup, 1, MAY_WRITE},
    {"strtok", 2, SX_BOUNDED, do_strtok, 0, MAY_WRITE},
    {"strtok_r", 3, SX_BOUNDED, do_strtok, 1, MAY_WRITE},
    {"__strtok_r", 3, SX_BOUNDED, do_strtok, 1, MAY_WRITE},
    {"strsep", 2, SX_BOUNDED, do_strtok, 2, MAY_WRITE},
    // characters
    {"isalnum", 1, SX_EXACT, do_ctype, 0, READS},
    {"isalpha", 1, SX_EXACT, do_ctype, 1, READS},
    {"isblank", 1, SX_EXACT, do_ctype, 2, READS},
    {"iscntrl", 1, SX_EXACT, do_ctype, 3, READS},
    {"isdigit", 1, SX_EXACT, do_ctype, 4, READS},
    {"isgraph", 1, SX_EXACT, do_ctype, 5, READS},
    {"islower", 1, SX_EXACT, do_ctype, 6, READS},
    {"isprint", 1, SX_EXACT, do_ctype, 7, READS},
    {"ispunct", 1, SX_EXACT, do_ctype, 8, READS},
    {"isspace", 1, SX_EXACT, do_ctype, 9, READS},
    {"isupper", 1, SX_EXACT, do_ctype, 10, READS},
    {"isxdigit", 1, SX_EXACT, do_ctype, 11, READS},
    {"toupper", 1, SX_EXACT, do_tocase, 1, READS},
    {"tolower", 1, SX_EXACT, do_tocase, 0, READS},
    {"__ctype_b_loc", 0, SX_EXACT, do_ctype_table, 0, READS},
    {"__ctype_toupper_loc", 0, SX_EXACT, do_ctype_table, 1, READS},
    {"__ctype_tolower_loc", 0, SX_EXACT, do_ctype_table, 2, READS},
    // numbers
    {"strtol", 3, SX_BOUNDED, do_strtol, 1, MAY_WRITE},
    {"strtoll", 3, SX_BOUNDED, do_strtol, 1, MAY_WRITE},
    {"__isoc23_strtol", 3, SX_BOUNDED, do_strtol, 1, MAY_WRITE},
    {"__isoc23_strtoll", 3, SX_BOUNDED, do_strtol, 1, MAY_WRITE},
    {"strtoul", 3, SX_BOUNDED, do_strtol, 0, MAY_WRITE},
    {"strtoull", 3, SX_BOUNDED, do_strtol, 0, MAY_WRITE},
    {"__isoc23_strtoul", 3, SX_BOUNDED, do_strtol, 0, MAY_WRITE},
    {"__isoc23_strtoull", 3, SX_BOUNDED, do_strtol, 0, MAY_WRITE},
    {"atoi", 1, SX_BOUNDED, do_strtol, 2, READS},
    {"atol", 1, SX_BOUNDED, do_strtol, 2, READS},
    {"atoll", 1, SX_BOUNDED, do_strtol, 2, READS},
    {"strtod", 2, SX_BOUNDED, do_strtod, 0, MAY_WRITE},
    {"atof", 1, SX_BOUNDED, do_strtod, 1, READS},
    {"sscanf", 2, SX_BOUNDED, do_sscanf, 0, MAY_WRITE},
    {"__isoc99_sscanf", 2, SX_BOUNDED, do_sscanf, 0, MAY_WRITE},
    {"__isoc23_sscanf", 2, SX_BOUNDED, do_sscanf, 0, MAY_WRITE},
    {"snprintf", 3, SX_BOUNDED, do_snprintf, 0, MAY_WRITE},
    {"sprintf", 2, SX_BOUNDED, do_snprintf, 1, MAY_WRITE},
    {"abs", 1, SX_EXACT, do_abs, 0, READS},
    {"labs", 1, SX_EXACT, do_abs, 0, READS},
    {"llabs", 1, SX_EXACT, do_abs, 0, READS},
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
    {"fmod", 2, SX_EXACT, do_round, 2, MAY_WRITE},
    {"fmodf", 2, SX_EXACT, do_round, 2, MAY_WRITE},
    {"lround", 1, SX_EXACT, do_round, 0, MAY_WRITE},
    {"llround", 1, SX_EXACT, do_round, 0, MAY_WRITE},
    {"lrint", 1, SX_EXACT, do_round, 1, MAY_WRITE},
    {"llrint", 1, SX_EXACT, do_round, 1, MAY_WRITE},
    {"tan", 1, SX_OPAQUE, do_host_math, 0, MAY_WRITE},
    {"atan", 1, SX_OPAQUE, do_host_math, 1, MAY_WRITE},
    {"asin", 1, SX_OPAQUE, do_host_math, 2, MAY_WRITE},
    {"acos", 1, SX_OPAQUE, do_host_math, 3, MAY_WRITE},
    {"log2", 1, SX_OPAQUE, do_host_math, 4, MAY_WRITE},
    {"log10", 1, SX_OPAQUE, do_host_math, 5, MAY_WRITE},
    {"exp2", 1, SX_OPAQUE, do_host_math, 6, MAY_WRITE},
    {"cbrt", 1, SX_OPAQUE, do_host_math, 7, MAY_WRITE},
    {"atan2", 2, SX_OPAQUE, do_host_math, 8, MAY_WRITE},
    {"hypot", 2, SX_OPAQUE, do_host_math, 9, MAY_WRITE},
    // calling back
    {"qsort", 4, SX_EXACT, do_qsort, 0, MAY_WRITE},
    {"bsearch", 5, SX_EXACT, do_bsearch, 0, MAY_WRITE},
    // output, which no branch depends on unless it looks at the result
    {"printf", 1, SX_OPAQUE, do_nothing, 0, FORMATS},
    {"fprintf", 2, SX_OPAQUE, do_nothing, 5, FORMATS + 1},
    {"vprintf", 2, SX_OPAQUE, do_nothing, 0, MAY_WRITE},
    {"vfprintf", 3, SX_OPAQUE, do_nothing, 0, MAY_WRITE},
    {"puts", 1, SX_OPAQUE, do_nothing, 0, READS},
    {"putchar", 1, SX_OPAQUE, do_nothing, 1, READS},
    {"putc", 2, SX_OPAQUE, do_nothing, 3, READS},
    {"_IO_putc", 2, SX_OPAQUE, do_nothing, 3, READS},
    {"fputc", 2, SX_OPAQUE, do_nothing, 3, READS},
    {"fputs", 2, SX_OPAQUE, do_nothing, 4, READS},
    {"fwrite", 4, SX_OPAQUE, do_nothing, 2, READS},
    {"fflush", 1, SX_OPAQUE, do_file_state, 6, READS},
    // files
    {"fgetc", 1, SX_OPAQUE, do_fgetc, 0, MAY_WRITE},
    {"getc", 1, SX_OPAQUE, do_fgetc, 0, MAY_WRITE},
    {"_IO_getc", 1, SX_OPAQUE, do_fgetc, 0, MAY_WRITE},
    {"ungetc", 2, SX_OPAQUE, do_ungetc, 0, MAY_WRITE},
    {"fgets", 3, SX_OPAQUE, do_fgets, 0, MAY_WRITE},
    {"fread", 4, SX_OPAQUE, do_fread, 0, MAY_WRITE},
    {"feof", 1, SX_OPAQUE, do_file_state, 0, MAY_WRITE},
    {"ferror", 1, SX_OPAQUE, do_file_state, 1, MAY_WRITE},
    {"clearerr", 1, SX_OPAQUE, do_file_state, 2, MAY_WRITE},
    {"rewind", 1, SX_OPAQUE, do_file_state, 3, MAY_WRITE},
    {"ftell", 1, SX_OPAQUE, do_file_state, 4, MAY_WRITE},
    {"fclose", 1, SX_OPAQUE, do_file_state, 5, MAY_WRITE},
    {"perror", 1, SX_OPAQUE, do_nothing, 0, MAY_WRITE},
    {"srand", 1, SX_EXACT, do_nothing, 0, MAY_WRITE},
    {"srandom", 1, SX_EXACT, do_nothing, 0, MAY_WRITE},
    {"rand", 0, SX_EXACT, do_chance, 0, MAY_WRITE},
    {"random", 0, SX_EXACT, do_chance, 0, MAY_WRITE},
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

// A format that is known and has no %n.
static bool writes_nothing(const struct ir *ir, ir_id format)
{
    if (!ir_is_const(format))
        return false;
    const struct ir_const *c = &ir->consts.at[ir_const_index(format)];
    const struct ir_global *g =
        c->kind == IR_C_GLOBAL ? &ir->globals.at[c->index] : NULL;
    if (!g || !g->constant || !g->bytes || g->n_relocs || c->lo >= g->size)
        return false;
    const char *at = (const char *)g->bytes + c->lo;
    size_t left = g->size - c->lo;
    if (!memchr(at, 0, left))
        return false;
    while ((at = strchr(at, '%'))) {
        at += 1 + strspn(at + 1, "0123456789$.*-+ #'IhlLqjzt");
        if (*at == 'n' || !*at)
            return false;
        at++;
    }
    return true;
}

bool libc_only_reads(const struct ir *ir, const char *name, const ir_id *args,
                     uint32_t n)
{
    const struct row *row = find(name);
    if (!row || row->memory < FORMATS)
        return row && row->memory == READS;
    uint32_t k = row->memory - FORMATS;
    return k < n && writes_nothing(ir, args[k]);
}

bool sx_only_reads(const struct ir *ir, const struct ir_fn *caller,
                   const struct ir_inst *call)
{
    const ir_id *args = ir_args(caller, call);
    uint32_t to = ir_as_fn(ir, args[0]);
    return to != IR_NOTHING &&
           libc_only_reads(ir, ir->fns.at[to]->name, args + 1, call->n - 1);
}

bool libc_is_used(const struct ir_fn *f, const struct ir_inst *value)
{
    ir_id v = (ir_id)(value - f->insts.at);
    for (uint32_t n = 0; n < f->insts.n; n++)
        for (uint32_t k = 0; k < f->insts.at[n].n; k++)
            if (ir_args(f, &f->insts.at[n])[k] == v)
                return true;
    return false;
}

// Output whose result nobody looks at has no effect on the program.
static bool leaves_no_trace(const struct sx_run *r, const struct ir_fn *caller,
                            const struct row *row, const struct ir_inst *i)
{
    return row->model == do_nothing && !libc_is_used(caller, i) &&
           libc_only_reads(r->ir, row->name, ir_args(caller, i) + 1, i->n - 1);
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
    if (done == 1 && row->precision == SX_OPAQUE &&
        !leaves_no_trace(r, s->top->f, row, i))
        s->labels |= SX_MODELLED;
    return done;
}

// ---- what models share --------------------------------------------------

const char *constant_text(struct model_call *c, uint32_t i)
{
    struct sx_pointer at;
    struct terms *ts = c->r->ts;
    if (!sx_pointer(ts, c->args[i], &at) || !term_is_const(ts, at.object) ||
        !term_is_const(ts, at.offset))
        return NULL;
    const struct object *o =
        object_at(c->r, c->s, (uint32_t)term_value(ts, at.object));
    uint64_t from = (uint64_t)term_value(ts, at.offset);
    if (!o || !o->constant || !o->global || !o->global->bytes ||
        o->global->n_relocs || from >= o->global->size)
        return NULL;
    const char *text = (const char *)o->global->bytes + from;
    return memchr(text, 0, o->global->size - from) ? text : NULL;
}

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

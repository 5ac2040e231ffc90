// Functions without a body: what they do with pointers.
//
// Those in the table are known; an unknown one may call the functions it is
// given and may keep pointers, which is noted among the doubts.
#include "flow/inner.h"

#include <string.h>

enum {
    KNOWN = 0,
    RESULT0 = 1, // returns its first argument
    COPIES = 2,  // copies from its second argument to its first
    FRESH = 4,   // returns new memory
    BLOCKS = 8,  // waits for something outside
    FROM0 = 16,  // the result is a copy of what its first argument points to
    CALLS3 = 32, // calls its fourth argument on elements of its first
    CALLS4 = 64  // calls its fifth argument on its first and its second
};

static const struct known {
    const char *name;
    uint8_t does;
} table[] = {
    {"malloc", FRESH},
    {"calloc", FRESH},
    {"aligned_alloc", FRESH},
    {"realloc", FRESH | FROM0 | RESULT0},
    {"reallocarray", FRESH | FROM0},
    {"strdup", FRESH},
    {"strndup", FRESH},
    {"free", KNOWN},
    {"memcpy", RESULT0 | COPIES},
    {"memmove", RESULT0 | COPIES},
    {"memset", RESULT0},
    {"strcpy", RESULT0},
    {"strncpy", RESULT0},
    {"strcat", RESULT0},
    {"strncat", RESULT0},
    {"strchr", RESULT0},
    {"strrchr", RESULT0},
    {"strstr", RESULT0},
    {"strpbrk", RESULT0},
    {"memchr", RESULT0},
    {"strtok_r", RESULT0},
    {"strtok", RESULT0},
    {"strlen", KNOWN},
    {"strnlen", KNOWN},
    {"strcmp", KNOWN},
    {"strncmp", KNOWN},
    {"strcasecmp", KNOWN},
    {"memcmp", KNOWN},
    {"strspn", KNOWN},
    {"strcspn", KNOWN},
    {"strtol", KNOWN},
    {"strtoul", KNOWN},
    {"strtoll", KNOWN},
    {"strtoull", KNOWN},
    {"strtod", KNOWN},
    {"atoi", KNOWN},
    {"atol", KNOWN},
    {"atof", KNOWN},
    {"strerror", KNOWN},
    {"perror", KNOWN},
    {"getenv", KNOWN},
    {"printf", KNOWN},
    {"fprintf", KNOWN},
    {"sprintf", KNOWN},
    {"snprintf", KNOWN},
    {"vprintf", KNOWN},
    {"vfprintf", KNOWN},
    {"vsnprintf", KNOWN},
    {"puts", KNOWN},
    {"fputs", KNOWN},
    {"putchar", KNOWN},
    {"putc", KNOWN},
    {"fputc", KNOWN},
    {"fwrite", KNOWN},
    {"fflush", KNOWN},
    {"sscanf", KNOWN},
    {"qsort", CALLS3},
    {"bsearch", CALLS4 | RESULT0},
    {"rand", KNOWN},
    {"srand", KNOWN},
    {"random", KNOWN},
    {"srandom", KNOWN},
    {"rand_r", KNOWN},
    {"drand48", KNOWN},
    {"time", KNOWN},
    {"clock", KNOWN},
    {"gettimeofday", KNOWN},
    {"clock_gettime", KNOWN},
    {"difftime", KNOWN},
    {"abs", KNOWN},
    {"labs", KNOWN},
    {"llabs", KNOWN},
    {"isalpha", KNOWN},
    {"isdigit", KNOWN},
    {"isalnum", KNOWN},
    {"isspace", KNOWN},
    {"toupper", KNOWN},
    {"tolower", KNOWN},
    {"isupper", KNOWN},
    {"islower", KNOWN},
    {"ispunct", KNOWN},
    {"__ctype_b_loc", KNOWN},
    {"__ctype_tolower_loc", KNOWN},
    {"__ctype_toupper_loc", KNOWN},
    {"__errno_location", KNOWN},
    {"atexit", KNOWN},
    {"sin", KNOWN},
    {"cos", KNOWN},
    {"tan", KNOWN},
    {"asin", KNOWN},
    {"acos", KNOWN},
    {"atan", KNOWN},
    {"atan2", KNOWN},
    {"exp", KNOWN},
    {"log", KNOWN},
    {"log2", KNOWN},
    {"log10", KNOWN},
    {"pow", KNOWN},
    {"sqrt", KNOWN},
    {"cbrt", KNOWN},
    {"floor", KNOWN},
    {"ceil", KNOWN},
    {"round", KNOWN},
    {"lround", KNOWN},
    {"trunc", KNOWN},
    {"fabs", KNOWN},
    {"fmod", KNOWN},
    {"fmin", KNOWN},
    {"fmax", KNOWN},
    {"hypot", KNOWN},
    {"sinh", KNOWN},
    {"cosh", KNOWN},
    {"tanh", KNOWN},
    {"ldexp", KNOWN},
    {"frexp", KNOWN},
    {"modf", KNOWN},
    {"lgamma", KNOWN},
    {"erf", KNOWN},
    {"sleep", BLOCKS},
    {"usleep", BLOCKS},
    {"nanosleep", BLOCKS},
    {"clock_nanosleep", BLOCKS},
    {"read", BLOCKS},
    {"pread", BLOCKS},
    {"readv", BLOCKS},
    {"recv", BLOCKS},
    {"recvfrom", BLOCKS},
    {"recvmsg", BLOCKS},
    {"accept", BLOCKS},
    {"connect", BLOCKS},
    {"select", BLOCKS},
    {"pselect", BLOCKS},
    {"poll", BLOCKS},
    {"ppoll", BLOCKS},
    {"epoll_wait", BLOCKS},
    {"wait", BLOCKS},
    {"waitpid", BLOCKS},
    {"pause", BLOCKS},
    {"sigwait", BLOCKS},
    {"sem_wait", BLOCKS},
    {"pthread_mutex_lock", BLOCKS},
    {"pthread_cond_wait", BLOCKS},
    {"pthread_join", BLOCKS},
    {"mtx_lock", BLOCKS},
    {"cnd_wait", BLOCKS},
    {"thrd_join", BLOCKS},
    {"thrd_sleep", BLOCKS},
    {"fgets", BLOCKS | RESULT0},
    {"getline", BLOCKS},
    {"getdelim", BLOCKS},
    {"fread", BLOCKS},
    {"getc", BLOCKS},
    {"fgetc", BLOCKS},
    {"getchar", BLOCKS},
    {"scanf", BLOCKS},
    {"__isoc99_scanf", BLOCKS},
    {"__isoc99_fscanf", BLOCKS},
    {"__isoc99_sscanf", KNOWN},
    {"fscanf", BLOCKS},
    {"system", BLOCKS},
    {"flock", BLOCKS},
    {"lockf", BLOCKS},
    {"msgrcv", BLOCKS},
    {"fsync", BLOCKS},
    {"getaddrinfo", BLOCKS},
    {"gethostbyname", BLOCKS},
    {"close", KNOWN},
    {"open", KNOWN},
    {"write", KNOWN},
    {"fopen", KNOWN},
    {"fclose", KNOWN},
    {"tr_run_", KNOWN},
    {"tr_start_", KNOWN},
    {"tr_wait", KNOWN},
    {"tr_shutdown", KNOWN},
    {"tr_end", KNOWN},
    {"tr_enter", KNOWN},
    {"tr_leave", KNOWN},
    {"tr_block_when_full", KNOWN},
    {"tr_stats_of", KNOWN},
    {"tr_mailbox_of", KNOWN},
    {"tr_strerror", KNOWN},
};

static const struct known *find(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

bool is_allocator(const char *name)
{
    const struct known *k = find(name);
    return k && (k->does & FRESH);
}

bool is_blocking(const char *name)
{
    const struct known *k = find(name);
    return k && (k->does & BLOCKS);
}

bool is_known(const char *name)
{
    return find(name) != NULL;
}

// ---- constraints --------------------------------------------------------

static uint32_t node_of(struct flow_inner *f, uint32_t op, uint32_t arg)
{
    const struct op *o = &f->ops.at[op];
    const struct ir_fn *fn = f->ir->fns.at[f->instances.at[o->instance].fn];
    const struct ir_inst *i = &fn->insts.at[o->inst];
    if (arg + 1 >= i->n)
        return IR_NOTHING;
    return value_node(f, o->instance, ir_args(fn, i)[arg + 1],
                      ir_block_of(fn, o->inst));
}

static uint32_t result_of(struct flow_inner *f, uint32_t op)
{
    const struct op *o = &f->ops.at[op];
    const struct ir_fn *fn = f->ir->fns.at[f->instances.at[o->instance].fn];
    return value_node(f, o->instance, o->inst, ir_block_of(fn, o->inst));
}

static void copy_memory(struct flow_inner *f, uint32_t to, uint32_t from)
{
    if (to == IR_NOTHING || from == IR_NOTHING)
        return;
    struct constraint a = {ON_COPY_TO, to, UINT32_MAX, 0};
    struct constraint b = {ON_COPY_FROM, from, UINT32_MAX, 0};
    pts_on(&f->pts, from, a);
    pts_on(&f->pts, to, b);
}

// Functions among the locations of `callback` are called with `given` as each
// of their parameters.
static void call_back(struct flow_inner *f, uint32_t op, uint32_t callback,
                      const uint32_t *given, uint32_t n)
{
    uint32_t ctx = f->instances.at[f->ops.at[op].instance].ctx;
    if (callback == IR_NOTHING)
        return;
    struct set now = {0}, unused = {0};
    set_join(&now, pts_of(&f->pts, callback), &unused);
    for (struct set_walk w = {.of = &now}; set_next(&w);) {
        const struct object *o = pts_object_at(&f->pts, w.x);
        if (o->kind != OBJECT_FUNCTION || !f->ir->fns.at[o->of]->defined)
            continue;
        const struct ir_fn *fn = f->ir->fns.at[o->of];
        uint32_t to = instance_get(f, fn->id, ctx);
        if (!seen(f, 2, op, fn->id))
            vec_push(&f->instances.at[f->ops.at[op].instance].callees, to);
        for (uint32_t p = 0; p < fn->n_params; p++)
            for (uint32_t k = 0; k < n; k++)
                if (given[k] != IR_NOTHING)
                    pts_copy(&f->pts, given[k], param_node(f, to, p));
    }
    set_free(&now);
    set_free(&unused);
}

// Functions come as arguments sooner or later: each time one does, those that
// an external function may call are called.
static void call_backs(struct flow_inner *f, uint32_t op, const char *name)
{
    const struct known *k = find(name);
    uint32_t given[16], n = 0;
    while (n < 16 && n + 1 < op_inst(f, op)->n) {
        given[n] = node_of(f, op, n);
        n++;
    }
    if (!k)
        for (uint32_t i = 0; i < n; i++)
            call_back(f, op, given[i], given, n);
    else if ((k->does & CALLS3) && n > 3)
        call_back(f, op, given[3], given, 1);
    else if ((k->does & CALLS4) && n > 4)
        call_back(f, op, given[4], given, 2);
}

static void watch_arguments(struct flow_inner *f, uint32_t op)
{
    for (uint32_t i = 0; i + 1 < op_inst(f, op)->n; i++) {
        uint32_t n = node_of(f, op, i);
        if (n != IR_NOTHING && !seen(f, 3, op, i))
            pts_on(&f->pts, n,
                   (struct constraint){ON_EVENT, op, 0, -2 - (int64_t)i});
    }
}

static void call_known(struct flow_inner *f, uint32_t op, uint8_t does)
{
    uint32_t a = node_of(f, op, 0), b = node_of(f, op, 1);
    uint32_t r = result_of(f, op);
    if ((does & RESULT0) && r != IR_NOTHING && a != IR_NOTHING)
        pts_copy(&f->pts, a, r);
    if (does & COPIES)
        copy_memory(f, a, b);
    if (does & FROM0)
        copy_memory(f, r, a);
    if (does & (CALLS3 | CALLS4))
        watch_arguments(f, op);
}

void gen_external(struct flow_inner *f, uint32_t op, uint32_t fn)
{
    const struct known *k = find(f->ir->fns.at[fn]->name);
    uint32_t r = result_of(f, op);
    if (f->numbers.n && r != IR_NOTHING)
        pts_add(&f->pts, r, f->any_number);
    if (k) {
        call_known(f, op, k->does);
        return;
    }
    watch_arguments(f, op);
    for (uint32_t i = 0; i + 1 < op_inst(f, op)->n; i++) {
        uint32_t n = node_of(f, op, i);
        if (n != IR_NOTHING && r != IR_NOTHING)
            pts_copy(&f->pts, n, r);
    }
}

// The callee may be one of several: those without a body are all asked.
void external_event(struct flow_inner *f, uint32_t op)
{
    const struct op *o = &f->ops.at[op];
    const struct ir_fn *fn = f->ir->fns.at[f->instances.at[o->instance].fn];
    uint32_t to = ir_as_fn(f->ir, ir_args(fn, op_inst(f, op))[0]);
    call_backs(f, op, to == IR_NOTHING ? "" : f->ir->fns.at[to]->name);
}

// ---- allocating functions -----------------------------------------------

// Is this use of a fresh pointer harmless: an access through it, a field of
// it, a comparison?
static bool keeps_none(const struct flow_inner *f, const struct ir_fn *fn,
                       uint32_t user, ir_id v)
{
    const struct ir_inst *i = &fn->insts.at[user];
    const ir_id *a = ir_args(fn, i);
    switch ((enum ir_op)i->op) {
    case IR_STORE:
        return a[0] != v;
    case IR_LOAD:
    case IR_EQ:
    case IR_NE:
    case IR_SET:
    case IR_RETURN:
        return true;
    case IR_COPY:
    case IR_MOVE:
        return a[1] != v;
    case IR_CALL: {
        uint32_t to = ir_as_fn(f->ir, a[0]);
        return to != IR_NOTHING && !f->ir->fns.at[to]->defined &&
               is_known(f->ir->fns.at[to]->name);
    }
    default:
        return false;
    }
}

// Everything derived from the value, by phi, select, field or index.
static bool stays_inside(const struct flow_inner *f, const struct ir_fn *fn,
                         uint32_t v, bool *mark)
{
    if (mark[v])
        return true;
    mark[v] = true;
    for (uint32_t u = fn->n_params; u < fn->insts.n; u++) {
        const struct ir_inst *i = &fn->insts.at[u];
        bool uses = false;
        for (uint32_t k = 0; k < i->n; k++)
            uses |= ir_args(fn, i)[k] == v;
        if (!uses)
            continue;
        if (i->op == IR_PHI || i->op == IR_SELECT || i->op == IR_FIELD ||
            i->op == IR_INDEX || i->op == IR_BITS) {
            if (!stays_inside(f, fn, u, mark))
                return false;
        } else if (!keeps_none(f, fn, u, v)) {
            return false;
        }
    }
    return true;
}

static bool is_fresh_call(const struct flow_inner *f, const struct ir_fn *fn,
                          uint32_t v)
{
    const struct ir_inst *i = &fn->insts.at[v];
    if (i->op != IR_CALL)
        return false;
    uint32_t to = ir_as_fn(f->ir, ir_args(fn, i)[0]);
    return to != IR_NOTHING &&
           (f->wrapper[to] || (!f->ir->fns.at[to]->defined &&
                               is_allocator(f->ir->fns.at[to]->name)));
}

// The value is fresh memory, or null.
static bool is_fresh(const struct flow_inner *f, const struct ir_fn *fn,
                     ir_id v, int depth)
{
    if (v == IR_NOTHING || depth > 8)
        return false;
    if (ir_is_const(v))
        return ir_const_at(f->ir, v)->kind == IR_C_INT;
    const struct ir_inst *i = &fn->insts.at[v];
    if (i->op != IR_PHI && i->op != IR_SELECT)
        return is_fresh_call(f, fn, v);
    for (uint32_t k = i->op == IR_SELECT; k < i->n; k++)
        if (!is_fresh(f, fn, ir_args(fn, i)[k], depth + 1))
            return false;
    return true;
}

static bool is_wrapper(const struct flow_inner *f, const struct ir_fn *fn)
{
    bool returns = false, ok = true;
    struct arena scratch = {0};
    if (!fn->defined || fn->result.kind != IR_PTR)
        return false;
    bool *mark = arena_zero(&scratch, fn->insts.n + 1);
    for (uint32_t i = 0; i < fn->insts.n && ok; i++) {
        const struct ir_inst *in = &fn->insts.at[i];
        if (in->op == IR_RETURN) {
            ok = in->n && is_fresh(f, fn, ir_args(fn, in)[0], 0);
            returns = true;
        } else if (is_fresh_call(f, fn, i)) {
            ok = stays_inside(f, fn, i, mark);
        }
    }
    arena_free(&scratch);
    return returns && ok;
}

void find_wrappers(struct flow_inner *f)
{
    for (bool again = true; again;) {
        again = false;
        for (uint32_t k = 0; k < f->ir->fns.n; k++)
            if (!f->wrapper[k] && is_wrapper(f, f->ir->fns.at[k]))
                f->wrapper[k] = again = true;
    }
}

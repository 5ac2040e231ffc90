// Asking Z3: in this process, or in a child that can be killed.
//
// Z3's own time limit is a request: an operation that makes a large circuit
// does not look at the clock.  So what may do that is asked in a child, with
// limits that the system keeps.  The child is a fork, made when the conditions
// are converted already; it must not use Z3's timers, whose threads stayed
// behind.
#include "solver/z3_context.h"

#include "base/child.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/text.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>

// Expressions are dropped with their context when there are this many terms.
enum { CONTEXT_MOST = 2000000, SEED = 1 };

// ---- contexts -----------------------------------------------------------

static void note_error(Z3_context z, Z3_error_code e)
{
    (void)z;
    (void)e; // asked for with Z3_get_error_code()
}

static void open_context(struct backend *b)
{
    Z3_config c = Z3_mk_config();
    b->z = Z3_mk_context(c);
    Z3_del_config(c);
    Z3_set_error_handler(b->z, note_error);
    b->fp32 = Z3_mk_fpa_sort_single(b->z);
    b->fp64 = Z3_mk_fpa_sort_double(b->z);
    b->nearest = Z3_mk_fpa_rne(b->z);
    b->to_zero = Z3_mk_fpa_rtz(b->z);
}

static void close_context(struct backend *b)
{
    if (b->stacked)
        Z3_solver_dec_ref(b->z, b->stacked);
    b->stacked = NULL;
    vec_clear(&b->asserted);
    vec_clear(&b->forms);
    vec_clear(&b->numbers);
    b->n_sides = 0;
    Z3_del_context(b->z);
}

struct backend *backend_new(struct terms *ts)
{
    struct backend *b = need_zero(sizeof *b);
    b->ts = ts;
    open_context(b);
    return b;
}

void backend_free(struct backend *b)
{
    if (!b)
        return;
    close_context(b);
    vec_free(&b->forms);
    vec_free(&b->numbers);
    vec_free(&b->asserted);
    free(b);
}

bool backend_exists(void)
{
    return true;
}

const char *backend_version(void)
{
    const char *full = Z3_get_full_version();
    return strncmp(full, "Z3 ", 3) ? full : full + 3;
}

static void refresh(struct backend *b)
{
    if (b->forms.n < CONTEXT_MOST)
        return;
    close_context(b);
    open_context(b);
}

// ---- conditions ---------------------------------------------------------

// Operations that tell how numbers read a bit-vector.
static bool reads_signs(struct terms *ts, const term *conditions, uint32_t n)
{
    uint32_t base = ts->stack.n;
    bool found = false;
    walk_begin(ts);
    for (uint32_t i = 0; i < n; i++)
        vec_push(&ts->stack, conditions[i]);
    while (ts->stack.n > base) {
        term t = vec_pop(&ts->stack);
        const struct node *d = node_of(ts, t);
        if (!walk_meet(ts, t))
            continue;
        found |= d->op == IR_SLT || d->op == IR_SDIV || d->op == IR_SREM ||
                 d->op == IR_SEXT || d->op == IR_SITOFP || d->op == IR_FPTOSI;
        for (uint32_t i = 0; i < n_args(d); i++)
            vec_push(&ts->stack, arg_of(d, i));
    }
    return found;
}

// The conditions as Z3 expressions.
struct goals {
    VEC(Z3_ast) at;
};

static bool number_goals(struct backend *b, const struct backend_query *q,
                         struct goals *g)
{
    bool is_signed = reads_signs(b->ts, q->conditions, q->n);
    if (is_signed != b->is_signed)
        vec_clear(&b->numbers);
    b->is_signed = is_signed;
    b->refused = false;
    for (uint32_t i = 0; i < q->n && !b->refused; i++)
        vec_push(&g->at, z3_number_condition(b, q->conditions[i]));
    for (uint32_t i = 0; i < q->n_vars && !b->refused; i++) {
        Z3_ast r = z3_number_range(b, b->ts->vars.at[q->vars[i]].self);
        if (r)
            vec_push(&g->at, r);
    }
    return !b->refused;
}

static bool make_goals(struct backend *b, const struct backend_query *q,
                       struct goals *g)
{
    if (q->way == BACKEND_NUMBERS)
        return number_goals(b, q, g);
    for (uint32_t i = 0; i < q->n; i++)
        vec_push(&g->at, z3_condition(b, q->conditions[i]));
    return true;
}

// ---- solvers ------------------------------------------------------------

static bool has_float(const struct backend *b, const struct backend_query *q)
{
    for (uint32_t i = 0; i < q->n; i++)
        if (term_has(b->ts, q->conditions[i]) & TERM_HAS_FLOAT)
            return true;
    return false;
}

static Z3_solver bare_solver(struct backend *b, const struct backend_query *q)
{
    bool floats = has_float(b, q);
    if (q->way == BACKEND_SIMPLE || (q->way == BACKEND_NUMBERS && !floats))
        return Z3_mk_simple_solver(b->z);
    if (floats)
        return Z3_mk_solver(b->z);
    return Z3_mk_solver_for_logic(b->z, Z3_mk_string_symbol(b->z, "QF_BV"));
}

static void set_limits(struct backend *b, Z3_solver s,
                       const struct backend_query *q)
{
    Z3_params p = Z3_mk_params(b->z);
    Z3_params_inc_ref(b->z, p);
    Z3_params_set_uint(b->z, p, Z3_mk_string_symbol(b->z, "random_seed"), SEED);
    if (q->rlimit)
        Z3_params_set_uint(b->z, p, Z3_mk_string_symbol(b->z, "rlimit"),
                           q->rlimit);
    if (!q->child && !q->rlimit)
        Z3_params_set_uint(b->z, p, Z3_mk_string_symbol(b->z, "timeout"),
                           (unsigned)q->wall_ms + 1);
    Z3_solver_set_params(b->z, s, p);
    Z3_params_dec_ref(b->z, p);
}

static Z3_solver new_solver(struct backend *b, const struct backend_query *q)
{
    Z3_solver s = bare_solver(b, q);
    Z3_solver_inc_ref(b->z, s);
    set_limits(b, s, q);
    return s;
}

static void take_values(struct backend *b, const struct backend_query *q,
                        Z3_model m, struct backend_result *r)
{
    vec_clear(&r->values);
    for (uint32_t i = 0; i < q->n_vars; i++) {
        term var = b->ts->vars.at[q->vars[i]].self;
        bool number = q->way == BACKEND_NUMBERS;
        Z3_ast x = number ? z3_number_variable(b, q->vars[i])
                          : z3_variable(b, q->vars[i]);
        Z3_ast v = NULL;
        u128 value = 0;
        if (!Z3_model_eval(b->z, m, x, true, &v))
            v = NULL;
        if (v && number)
            value = z3_number_bits(b, var, v);
        else if (v)
            value = z3_bits_value(b, v);
        vec_push(&r->values, value);
    }
}

static const char *reason_of(const char *said)
{
    return strstr(said, "memory") || strstr(said, "memout")      ? "memory"
           : strstr(said, "timeout") || strstr(said, "canceled") ? "time"
           : strstr(said, "resource")                            ? "limit"
                                                                 : "incomplete";
}

static void conclude(struct backend *b, const struct backend_query *q,
                     Z3_solver s, Z3_lbool is, struct backend_result *r)
{
    r->answer = is == Z3_L_TRUE    ? SOLVER_SAT
                : is == Z3_L_FALSE ? SOLVER_UNSAT
                                   : SOLVER_UNKNOWN;
    r->reason = "";
    if (Z3_get_error_code(b->z) == Z3_MEMOUT_FAIL) {
        r->answer = SOLVER_UNKNOWN;
        r->reason = "memory";
    } else if (is == Z3_L_UNDEF) {
        r->reason = reason_of(Z3_solver_get_reason_unknown(b->z, s));
    } else if (is == Z3_L_TRUE) {
        Z3_model m = Z3_solver_get_model(b->z, s);
        Z3_model_inc_ref(b->z, m);
        take_values(b, q, m, r);
        Z3_model_dec_ref(b->z, m);
    }
}

static void check(struct backend *b, const struct backend_query *q,
                  const struct goals *g, struct backend_result *r)
{
    Z3_solver s = new_solver(b, q);
    for (uint32_t i = 0; i < g->at.n; i++)
        Z3_solver_assert(b->z, s, g->at.at[i]);
    conclude(b, q, s, Z3_solver_check(b->z, s), r);
    Z3_solver_dec_ref(b->z, s);
}

// One solver for all such queries: what the last one asserted and this one does
// not is popped.
static void check_stacked(struct backend *b, const struct backend_query *q,
                          const struct goals *g, struct backend_result *r)
{
    uint32_t same = 0;
    if (!b->stacked)
        b->stacked = new_solver(b, q);
    while (same < b->asserted.n && same < q->n &&
           b->asserted.at[same] == q->conditions[same])
        same++;
    if (b->asserted.n > same)
        Z3_solver_pop(b->z, b->stacked, b->asserted.n - same);
    b->asserted.n = same;
    for (uint32_t i = same; i < q->n; i++) {
        Z3_solver_push(b->z, b->stacked);
        Z3_solver_assert(b->z, b->stacked, g->at.at[i]);
        vec_push(&b->asserted, q->conditions[i]);
    }
    conclude(b, q, b->stacked, Z3_solver_check(b->z, b->stacked), r);
}

// ---- the child ----------------------------------------------------------

struct job {
    struct backend *b;
    const struct backend_query *q;
    const struct goals *g;
    const uint32_t *groups; // of a core
    uint32_t n_groups;
    bool *in;
};

static void limit_memory(uint64_t bytes)
{
    unsigned long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%lu", &pages) != 1)
        pages = 0;
    if (f)
        fclose(f);
    rlim_t most = (rlim_t)(pages * 4096 + bytes);
    setrlimit(RLIMIT_AS, &(struct rlimit){most, most});
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
}

// The child ends itself after this much work; its parent ends it if that takes
// too long because the machine is busy.
static void limit_work(double ms)
{
    long us = (long)(ms * 1e3);
    struct itimerval t = {.it_value = {us / 1000000, us % 1000000}};
    signal(SIGPROF, SIG_DFL);
    setitimer(ITIMER_PROF, &t, NULL);
}

static void limit(const struct backend_query *q)
{
    limit_memory(q->memory);
    limit_work(q->ms);
}

static bool was_late(enum child_answer a, int status)
{
    return a == CHILD_LATE ||
           (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF);
}

static void child_body(void *self, int fd)
{
    struct job *j = self;
    struct backend_result r = {0};
    struct text t = {0};
    limit(j->q);
    check(j->b, j->q, j->g, &r);
    wire_begin(&t, 1);
    wire_put32(&t, r.answer);
    wire_put_string(&t, r.reason);
    wire_put32(&t, r.values.n);
    wire_put(&t, r.values.at, r.values.n * sizeof *r.values.at);
    wire_send(fd, &t);
}

static const char *known_reason(const char *s)
{
    static const char *const known[] = {"", "memory", "time", "limit"};
    for (unsigned i = 0; s && i < 4; i++)
        if (!strcmp(s, known[i]))
            return known[i];
    return "incomplete";
}

static bool read_answer(struct wire_reader *body, struct backend_result *r,
                        uint32_t n_vars)
{
    r->answer = (enum solver_answer)wire_get_below(body, SOLVER_UNKNOWN + 1);
    r->reason = known_reason(wire_get_string(body));
    uint32_t n = wire_get32(body);
    if (n > n_vars || (r->answer == SOLVER_SAT && n != n_vars))
        return false;
    vec_clear(&r->values);
    vec_room(&r->values, n);
    r->values.n = n;
    wire_get(body, r->values.at, n * sizeof *r->values.at);
    return wire_done(body);
}

static void check_in_child(struct job *j, struct backend_result *r)
{
    struct wire_in in = {0};
    struct wire_message m;
    int status;
    struct child_plan plan = {
        .body = child_body, .self = j, .signals = CHILD_IGNORES, .quiet = true};
    enum child_answer a =
        child_ask(&plan, j->q->wall_ms / 1e3, &in, &m, &status);
    if (a != CHILD_ANSWERED || !read_answer(&m.body, r, j->q->n_vars)) {
        r->answer = SOLVER_UNKNOWN;
        r->reason = was_late(a, status) ? "time" : "memory";
    }
    wire_free(&in);
}

// ---- questions ----------------------------------------------------------

void backend_ask(struct backend *b, const struct backend_query *q,
                 struct backend_result *r)
{
    struct goals g = {0};
    refresh(b);
    r->answer = SOLVER_UNKNOWN;
    r->reason = "not linear";
    if (make_goals(b, q, &g)) {
        struct job j = {.b = b, .q = q, .g = &g};
        if (q->child)
            check_in_child(&j, r);
        else if (q->incremental)
            check_stacked(b, q, &g, r);
        else
            check(b, q, &g, r);
    }
    vec_free(&g.at);
}

static void assert_groups(struct backend *b, Z3_solver s, const struct goals *g,
                          const uint32_t *groups, const Z3_ast *flags)
{
    for (uint32_t i = 0; i < g->at.n; i++)
        Z3_solver_assert(b->z, s,
                         Z3_mk_implies(b->z, flags[groups[i]], g->at.at[i]));
}

static void read_core(struct backend *b, Z3_solver s, const Z3_ast *flags,
                      uint32_t n, bool *in)
{
    Z3_ast_vector core = Z3_solver_get_unsat_core(b->z, s);
    Z3_ast_vector_inc_ref(b->z, core);
    for (uint32_t i = 0; i < n; i++)
        for (unsigned k = 0; k < Z3_ast_vector_size(b->z, core); k++)
            in[i] |=
                Z3_is_eq_ast(b->z, flags[i], Z3_ast_vector_get(b->z, core, k));
    Z3_ast_vector_dec_ref(b->z, core);
}

static bool core_here(struct job *j)
{
    struct backend *b = j->b;
    Z3_solver s = new_solver(b, j->q);
    VEC(Z3_ast) flags = {0};
    for (uint32_t i = 0; i < j->n_groups; i++)
        vec_push(&flags,
                 Z3_mk_fresh_const(b->z, "group", Z3_mk_bool_sort(b->z)));
    assert_groups(b, s, j->g, j->groups, flags.at);
    bool unsat =
        Z3_solver_check_assumptions(b->z, s, flags.n, flags.at) == Z3_L_FALSE;
    if (unsat)
        read_core(b, s, flags.at, flags.n, j->in);
    Z3_solver_dec_ref(b->z, s);
    vec_free(&flags);
    return unsat;
}

static void core_body(void *self, int fd)
{
    struct job *j = self;
    struct text t = {0};
    limit(j->q);
    bool unsat = core_here(j);
    wire_begin(&t, 2);
    wire_put32(&t, unsat);
    wire_put(&t, j->in, j->n_groups * sizeof *j->in);
    wire_send(fd, &t);
}

bool backend_core(struct backend *b, const struct backend_query *q,
                  const uint32_t *groups, uint32_t n_groups, bool *in)
{
    struct goals g = {0};
    struct wire_in from = {0};
    struct wire_message m;
    int status;
    struct job j = {b, q, &g, groups, n_groups, in};
    struct child_plan plan = {
        .body = core_body, .self = &j, .signals = CHILD_IGNORES, .quiet = true};
    bool unsat = false;
    refresh(b);
    memset(in, 0, n_groups * sizeof *in);
    if (!make_goals(b, q, &g))
        ;
    else if (!q->child)
        unsat = core_here(&j);
    else if (child_ask(&plan, q->wall_ms / 1e3, &from, &m, &status) ==
             CHILD_ANSWERED) {
        unsat = wire_get32(&m.body) == 1;
        wire_get(&m.body, in, n_groups * sizeof *in);
        unsat &= wire_done(&m.body);
    }
    wire_free(&from);
    vec_free(&g.at);
    return unsat;
}

void backend_script(struct backend *b, const struct backend_query *q,
                    struct text *out)
{
    struct goals g = {0};
    if (!make_goals(b, q, &g))
        return;
    Z3_solver s = new_solver(b, q);
    for (uint32_t i = 0; i < g.at.n; i++)
        Z3_solver_assert(b->z, s, g.at.at[i]);
    text_format(out, "(set-logic ALL)\n(set-option :produce-models true)\n%s",
                Z3_solver_to_string(b->z, s));
    text_add(out, "(check-sat)\n(get-model)\n");
    Z3_solver_dec_ref(b->z, s);
    vec_free(&g.at);
}

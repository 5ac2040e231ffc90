// The steps that ask Z3 or cvc5, and the log of what was asked.
#include "solver/query.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/command.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/temp.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A query with at most HERE_MOST terms, and no products or divisions, is asked
// in this process: Z3 keeps its time limit there.
enum { HERE_MOST = 20000 };

// Milliseconds.  With divisions and floats the simple solver is quick on small
// queries and up to five times slower than the whole one on others: it gets a
// short try.  What numbers did not find is seldom there: the whole solver gets
// less time.  Numbers with products are not linear.
enum {
    SIMPLE_MS = 400,
    SIMPLE_HARD_MS = 150,
    FULL_MS = 1500,
    AFTER_NUMBERS_MS = 600,
    NUMBERS_MS = 500,
    PRODUCTS_MS = 100,
    HANGS_MS = 600
};

// On a busy machine an answer may take BUSY times the time that Z3 computes.
enum { BUSY = 3 };

static struct backend_query about(struct solver *s, enum backend_way way,
                                  double ms)
{
    const struct query *q = &s->query;
    bool wish = s->wish_ms > 0;
    double share = s->share > 0 ? s->share : 1;
    uint32_t units = (uint32_t)(s->options.rlimit * share);
    double left = s->until > 0 ? (s->until - clock_now()) * 1e3 : INFINITY;
    double work = wish && s->wish_ms < ms * share ? s->wish_ms : ms * share;
    // Where units bound a question, the clock only ends one that hangs.
    if (s->options.rlimit && !wish)
        work = HANGS_MS;
    double wall = wish ? work : work * BUSY;
    return (struct backend_query){
        .way = way,
        .conditions = q->conditions.at,
        .n = q->conditions.n,
        .vars = q->vars.at,
        .n_vars = q->vars.n,
        .ms = work,
        .wall_ms = wall < left ? wall : left,
        .rlimit = wish ? units / 8 : units,
        .memory = s->options.memory ? s->options.memory : (uint64_t)1 << 30,
    };
}

// ---- the log ------------------------------------------------------------

static void log_query(struct solver *s, const struct backend_query *q,
                      double seconds)
{
    static const char *const answers[] = {"sat", "unsat", "unknown"};
    static const char *const ways[] = {"simple", "full", "numbers"};
    struct text name = {0}, script = {0};
    text_format(&name, "%s/%06u.smt2", s->options.log, s->n_logged++);
    text_format(&script, "; %s, %s in %.1f ms\n", ways[q->way],
                answers[s->result.answer], seconds * 1e3);
    backend_script(s->backend, q, &script);
    FILE *f = fopen(text_get(&name), "w");
    if (f) {
        fputs(text_get(&script), f);
        fclose(f);
    }
    text_free(&name);
    text_free(&script);
}

static void ask(struct solver *s, const struct backend_query *q)
{
    if (q->wall_ms < 1) {
        s->result.answer = SOLVER_UNKNOWN;
        s->reason = "time";
        return;
    }
    double began = clock_now();
    backend_ask(s->backend, q, &s->result);
    double took = clock_now() - began;
    s->figures.seconds += took;
    if (s->result.answer == SOLVER_UNKNOWN)
        s->reason = s->result.reason;
    if (s->options.log)
        log_query(s, q, took);
}

// ---- numbers ------------------------------------------------------------

static u128 nudged(unsigned bits, u128 v, int by)
{
    union ir_bits x = {.i = v};
    if (bits == 32)
        x.f = nextafterf(x.f, by < 0 ? -INFINITY : INFINITY);
    else
        x.d = nextafter(x.d, by < 0 ? -(double)INFINITY : (double)INFINITY);
    return x.i;
}

// A model of the query from values over the reals.  They were rounded to
// floats, so each float's neighbours are tried too.  NULL: none of them is a
// model.
static struct model *near(struct solver *s, u128 *values)
{
    const struct query *q = &s->query;
    struct model *m = query_model(s, values);
    for (uint32_t i = 0; i < q->vars.n && !m; i++) {
        const struct var *v = &s->ts->vars.at[q->vars.at[i]];
        unsigned bits = bits_of(s->ts, v->self);
        u128 old = values[i];
        if (v->kind != TERM_FLOAT || (bits != 32 && bits != 64))
            continue;
        for (int by = -1; by <= 1 && !m; by += 2) {
            values[i] = nudged(bits, old, by);
            m = query_model(s, values);
        }
        values[i] = old;
    }
    return m;
}

enum solver_answer step_numbers(struct solver *s, struct model **m)
{
    bool products = s->query.has & TERM_HAS_PRODUCT;
    struct backend_query q =
        about(s, BACKEND_NUMBERS, products ? PRODUCTS_MS : NUMBERS_MS);
    q.child = !s->options.rlimit;
    ask(s, &q);
    if (s->result.answer != SOLVER_SAT)
        return SOLVER_UNKNOWN;
    *m = near(s, s->result.values.at);
    return *m ? SOLVER_SAT : SOLVER_UNKNOWN;
}

// ---- bit-vectors --------------------------------------------------------

static uint32_t size_of_query(struct solver *s)
{
    struct terms *ts = s->ts;
    uint32_t base = ts->stack.n, n = 0;
    walk_begin(ts);
    for (uint32_t i = 0; i < s->query.conditions.n; i++)
        vec_push(&ts->stack, s->query.conditions.at[i]);
    while (ts->stack.n > base) {
        term t = vec_pop(&ts->stack);
        const struct node *d = node_of(ts, t);
        if (!walk_meet(ts, t))
            continue;
        n++;
        for (uint32_t i = 0; i < n_args(d); i++)
            vec_push(&ts->stack, arg_of(d, i));
    }
    return n;
}

// Z3 counts no units while it prepares a question about floats: such questions
// are asked in a child even where only units bound them.
static bool needs_child(struct solver *s)
{
    uint8_t hard = TERM_HAS_FLOAT | TERM_HAS_DIVISION | TERM_HAS_PRODUCT;
    if (s->options.rlimit)
        return s->query.has & TERM_HAS_FLOAT;
    return s->query.has & hard || size_of_query(s) > HERE_MOST;
}

enum { PLAIN_MS = 50 };

bool step_plain(struct solver *s)
{
    uint8_t hard = TERM_HAS_FLOAT | TERM_HAS_DIVISION | TERM_HAS_PRODUCT;
    VEC(term) plain = {0};
    if (!(s->query.has & hard))
        return false;
    for (uint32_t i = 0; i < s->query.conditions.n; i++)
        if (!(term_has(s->ts, s->query.conditions.at[i]) & hard))
            vec_push(&plain, s->query.conditions.at[i]);
    bool refuted = false;
    if (plain.n > 1) {
        struct backend_query q = about(s, BACKEND_SIMPLE, PLAIN_MS);
        q.conditions = plain.at;
        q.n = plain.n;
        ask(s, &q);
        refuted = s->result.answer == SOLVER_UNSAT;
    }
    vec_free(&plain);
    return refuted;
}

static double simple_ms(const struct solver *s)
{
    double ms = s->options.simple_ms > 0 ? s->options.simple_ms : SIMPLE_MS;
    bool hard = s->query.has & (TERM_HAS_DIVISION | TERM_HAS_FLOAT);
    return hard && ms > SIMPLE_HARD_MS ? SIMPLE_HARD_MS : ms;
}

static double full_ms(const struct solver *s)
{
    double ms = s->options.full_ms > 0 ? s->options.full_ms : FULL_MS;
    bool guessed = (s->query.has & (TERM_HAS_DIVISION | TERM_HAS_PRODUCT)) ==
                       TERM_HAS_DIVISION &&
                   !without(s, SOLVER_STEP_LINEAR);
    return guessed && ms > AFTER_NUMBERS_MS ? AFTER_NUMBERS_MS : ms;
}

enum solver_answer step_z3(struct solver *s, enum solver_step step,
                           struct model **m)
{
    const struct solver_options *o = &s->options;
    bool simple = step == SOLVER_STEP_SIMPLE;
    double ms = simple ? simple_ms(s) : full_ms(s);
    struct backend_query q =
        about(s, simple ? BACKEND_SIMPLE : BACKEND_FULL, ms);
    q.child = (!simple && !o->rlimit) || needs_child(s);
    q.incremental = simple && o->incremental && !q.child;
    ask(s, &q);
    if (s->result.answer == SOLVER_SAT &&
        !(*m = query_model(s, s->result.values.at))) {
        s->figures.broken++;
        s->reason = "a model that does not hold";
        return SOLVER_UNKNOWN;
    }
    return s->result.answer;
}

// ---- cvc5 ---------------------------------------------------------------

// The value in "(define-fun v7 () (_ BitVec 8) #b00000101)"; 0 if it is absent.
static u128 value_in(const char *out, uint32_t var)
{
    char name[32];
    u128 v = 0;
    snprintf(name, sizeof name, "(define-fun v%u ", var);
    const char *at = strstr(out, name);
    at = at ? strchr(at, '#') : NULL;
    if (!at || (at[1] != 'b' && at[1] != 'x'))
        return 0;
    unsigned by = at[1] == 'b' ? 1 : 4;
    for (at += 2; *at && strchr("0123456789abcdef", *at); at++)
        v = v << by | (u128)(*at <= '9' ? *at - '0' : *at - 'a' + 10);
    return v;
}

static enum solver_answer read_cvc5(struct solver *s, const char *out,
                                    struct model **m)
{
    VEC(u128) values = {0};
    if (strncmp(out, "unsat", 5) == 0)
        return SOLVER_UNSAT;
    if (strncmp(out, "sat", 3) != 0)
        return SOLVER_UNKNOWN;
    for (uint32_t i = 0; i < s->query.vars.n; i++)
        vec_push(&values, value_in(out, s->query.vars.at[i]));
    *m = query_model(s, values.at);
    vec_free(&values);
    return *m ? SOLVER_SAT : SOLVER_UNKNOWN;
}

static void run_cvc5(struct solver *s, const struct backend_query *q,
                     const char *folder, struct text *out)
{
    struct text file = {0}, script = {0};
    struct args argv = {0};
    char limit[32];
    text_format(&file, "%s/query.smt2", folder);
    snprintf(limit, sizeof limit, "--tlimit=%.0f", q->ms);
    backend_script(s->backend, q, &script);
    vec_push(&argv, s->options.cvc5);
    vec_push(&argv, "--produce-models");
    vec_push(&argv, limit);
    vec_push(&argv, text_get(&file));
    if (file_replace(text_get(&file), text_get(&script), script.n))
        command_run(&argv, true, out);
    vec_free(&argv);
    text_free(&file);
    text_free(&script);
}

enum solver_answer step_second(struct solver *s, struct model **m)
{
    struct backend_query q = about(s, BACKEND_FULL, FULL_MS);
    struct arena a = {0};
    struct diag d = {0};
    struct text out = {0};
    double began = clock_now();
    const char *folder = temp_new(&a, &d);
    if (folder) {
        run_cvc5(s, &q, folder, &out);
        temp_remove(folder);
    }
    s->figures.seconds += clock_now() - began;
    enum solver_answer answer = read_cvc5(s, text_get(&out), m);
    text_free(&out);
    arena_free(&a);
    return answer;
}

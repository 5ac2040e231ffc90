// Candidates for facts and their fixed point, on rules made by hand.
#include "reach/proof/proof.h"
#include "test.h"

#include <string.h>

// One subject with two numbers, x and y.
struct bench {
    struct reach r;
    struct proofs p;
    struct cell cells[2];
    bool wanted[2];
    struct shape shape;
};

static term num(struct bench *b, uint64_t v)
{
    return term_const(b->p.ts, 32, v);
}

static void bench_open(struct bench *b)
{
    static const int64_t numbers[] = {0, 1, 9, 10, 11};
    static const char *const names[] = {"x", "y"};
    memset(b, 0, sizeof *b);
    b->p.r = &b->r;
    b->p.ts = terms_new();
    struct solver_options o = {.rlimit = 4000000};
    b->p.solver = solver_new(b->p.ts, &o);
    b->p.second = solver_new(b->p.ts, &o);
    for (uint32_t i = 0; i < 2; i++) {
        b->cells[i] = (struct cell){
            .offset = 4 * i, .bytes = 4, .kind = CELL_SIGNED, .name = names[i]};
        b->cells[i].var = term_var(b->p.ts, names[i], 32, TERM_INT);
        b->wanted[i] = true;
    }
    b->shape = (struct shape){2, b->cells, b->wanted};
    vec_push(&b->p.subjects,
             ((struct subject){.shape = &b->shape, .none = true}));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        vec_push(&b->p.numbers, numbers[i]);
    vec_push(&b->p.moduli, 2);
    proofs_until(&b->p, proofs_now() + 600);
}

static void bench_close(struct bench *b)
{
    for (uint32_t i = 0; i < b->p.rules.n; i++)
        rule_free(&b->p.rules.at[i]);
    vec_free(&b->p.subjects.at[0].chains);
    vec_free(&b->p.subjects);
    vec_free(&b->p.rules);
    vec_free(&b->p.numbers);
    vec_free(&b->p.moduli);
    solver_free(b->p.second);
    solver_free(b->p.solver);
    terms_free(b->p.ts);
    arena_free(&b->p.arena);
    arena_free(&b->p.scratch);
}

// A rule from (x, y), or from nothing, to these values.
static void add_rule(struct bench *b, bool from, const term *before,
                     term condition, term x, term y)
{
    struct proofs *p = &b->p;
    term after[2] = {x, y};
    struct rule r = {.name = "rule", .n_ifs = from, .n_thens = 1};
    r.done = UINT64_MAX;
    r.n_conditions = condition != TERM_NONE;
    r.conditions = arena_copy(&p->arena, &condition, sizeof condition);
    struct use use = {0};
    if (from)
        use = use_make(p, 0, arena_copy(&p->arena, before, 2 * sizeof *before));
    r.ifs = arena_copy(&p->arena, &use, sizeof use);
    use = use_make(p, 0, arena_copy(&p->arena, after, sizeof after));
    r.thens = arena_copy(&p->arena, &use, sizeof use);
    vec_push(&p->rules, r);
}

// From x = y = 0: x grows by one where the condition allows it, y by two.
static void add_growth(struct bench *b, uint64_t limit)
{
    struct terms *ts = b->p.ts;
    term v[2] = {term_var(ts, "x", 32, TERM_INT),
                 term_var(ts, "y", 32, TERM_INT)};
    add_rule(b, false, NULL, TERM_NONE, num(b, 0), num(b, 0));
    add_rule(b, true, v,
             limit ? term_binary(ts, IR_SLT, v[0], num(b, limit)) : TERM_NONE,
             term_binary(ts, IR_ADD, v[0], num(b, 1)),
             term_binary(ts, IR_ADD, v[1], num(b, 2)));
}

// May the subject be in a state with this?
static bool can_be(struct bench *b, term state)
{
    VEC(term) all = {0};
    struct subject *s = subject_of(&b->p, 0);
    for (uint32_t i = 0; i < s->chains.n; i++)
        if (s->chains.at[i].pos < s->chains.at[i].n)
            vec_push(&all, s->chains.at[i].at[s->chains.at[i].pos]);
    vec_push(&all, state);
    bool can = solver_check(b->p.second, all.at, all.n, NULL) != SOLVER_UNSAT;
    vec_free(&all);
    return can;
}

static bool can_have(struct bench *b, int cell, uint64_t v)
{
    return can_be(b, term_eq(b->p.ts, b->cells[cell].var, num(b, v)));
}

TEST(candidates_hold_for_the_values_they_are_made_of)
{
    struct bench b;
    bench_open(&b);
    u128 values[2] = {3, 4};
    struct subject *s = subject_of(&b.p, 0);
    subject_meet(&b.p, s, values);
    CHECK(!s->none && s->chains.n > 8);
    struct model *m = model_new(b.p.ts);
    for (uint32_t i = 0; i < 2; i++)
        model_set(m, term_var_index(b.p.ts, b.cells[i].var), values[i]);
    for (uint32_t i = 0; i < s->chains.n; i++)
        for (uint32_t k = 0; k < s->chains.at[i].n; k++)
            CHECK(term_judge(b.p.ts, s->chains.at[i].at[k], m));
    model_free(m);
    CHECK(can_have(&b, 0, 3) && !can_have(&b, 0, 4));
    CHECK(!can_have(&b, 1, 3));
    bench_close(&b);
}

TEST(cells_that_nobody_wants_have_no_candidates)
{
    struct bench b;
    bench_open(&b);
    u128 values[2] = {3, 4};
    b.wanted[1] = false;
    subject_meet(&b.p, subject_of(&b.p, 0), values);
    CHECK(!can_have(&b, 0, 4) && can_have(&b, 1, 77));
    bench_close(&b);
}

TEST(a_fixed_point_keeps_what_every_rule_keeps)
{
    struct bench b;
    bench_open(&b);
    add_growth(&b, 10);
    CHECK(facts_find(&b.p));
    CHECK(can_have(&b, 0, 0) && can_have(&b, 0, 10));
    CHECK(!can_have(&b, 0, 11) && !can_have(&b, 0, UINT32_MAX));
    CHECK(can_have(&b, 1, 2) && !can_have(&b, 1, 3)); // it is even
    // y is twice x.
    term both = term_and(b.p.ts, term_eq(b.p.ts, b.cells[0].var, num(&b, 2)),
                         term_eq(b.p.ts, b.cells[1].var, num(&b, 6)));
    CHECK(!can_be(&b, both));
    CHECK(facts_confirm(&b.p));
    bench_close(&b);
}

TEST(what_no_condition_bounds_has_no_bound)
{
    struct bench b;
    bench_open(&b);
    add_growth(&b, 0);
    CHECK(facts_find(&b.p));
    CHECK(can_have(&b, 0, 1000) && can_have(&b, 0, UINT32_MAX));
    CHECK(!can_have(&b, 1, 1001));
    bench_close(&b);
}

TEST(a_rule_that_cannot_be_says_nothing)
{
    struct bench b;
    bench_open(&b);
    add_growth(&b, 10);
    term v[2] = {term_var(b.p.ts, "x", 32, TERM_INT),
                 term_var(b.p.ts, "y", 32, TERM_INT)};
    term never = term_binary(b.p.ts, IR_SLT, num(&b, 50), v[0]);
    add_rule(&b, true, v, never, num(&b, 99), num(&b, 99));
    CHECK(facts_find(&b.p));
    CHECK(!can_have(&b, 0, 99) && !can_have(&b, 1, 99));
    bench_close(&b);
}

TEST(facts_that_are_too_strong_are_not_confirmed)
{
    struct bench b;
    bench_open(&b);
    add_growth(&b, 10);
    CHECK(facts_find(&b.p) && facts_confirm(&b.p));
    struct subject *s = subject_of(&b.p, 0);
    uint32_t weakened = 0;
    for (uint32_t i = 0; i < s->chains.n && !weakened; i++)
        if (s->chains.at[i].pos) {
            s->chains.at[i].pos--;
            weakened++;
        }
    CHECK_EQ(weakened, 1);
    CHECK(!facts_confirm(&b.p));
    bench_close(&b);
}

TEST_MAIN()

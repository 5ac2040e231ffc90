// Many activations of one state: what one call leaves the next one finds.
#include "engine.h"

static const char program[] =
    "struct s { unsigned last, n; };\n"
    "void put(struct s *s, unsigned v) { s->last = v * 3; s->n++; }\n"
    "int ask(struct s *s, unsigned v)\n"
    "{ if (s->n == 2 && s->last + 1 == v) return 1; return 0; }\n"
    "int pick(unsigned v)\n"
    "{ switch (v) { case 7: return 1; case 9: return 2; } return 0; }\n"
    "int at(const int *a, unsigned i)\n"
    "{ if (i < 4) { if (a[i] > 100) return 1; } return 0; }\n"
    "int mixed(unsigned v)\n"
    "{ unsigned c = v & 1 ? v >> 1 ^ 0xa0 : v >> 1;\n"
    "  if (c == 0xe7) return 1; return 0; }\n"
    "int worth(char c)\n"
    "{ if (c >= 'A' && c <= 'Z') return c - 'A';\n"
    "  if (c >= 'a' && c <= 'z') return c - 'a' + 26;\n"
    "  return c == '+' ? 62 : -1; }\n"
    "int first(unsigned v)\n"
    "{ if (worth((char)v) == 45) return 1; return 0; }\n";

struct living {
    struct bench b;
    struct symex *x;
    struct sx_run *r;
};

static struct living live(void)
{
    static const struct sx_options o = {
        .loop = 100, .constant_globals = true, .selects = true};
    struct living l = {.b = bench_open(program)};
    l.x = symex_new(l.b.ir, l.b.ts, l.b.solver, &o);
    l.r = sx_live(l.x);
    return l;
}

static void ended(struct living *l)
{
    sx_end(l->r);
    symex_free(l->x);
    bench_close(&l->b);
}

static void call(struct living *l, const char *name, term a, term b)
{
    term args[] = {a, b};
    CHECK(sx_call(l->r, ir_find_fn(l->b.ir, name), args, b ? 2 : 1));
    CHECK_EQ(sx_go(l->r), SX_STOP_RETURN);
}

static term variable(struct living *l, const char *name, unsigned v)
{
    return sx_variable(l->r, name, 32, TERM_INT, v);
}

// A model of the choice; each condition holds by what it is told to be.
static struct model *flip(struct living *l, const struct sx_choice *c)
{
    struct model *m = NULL;
    struct path p = sx_path_before(l->r, c);
    CHECK_EQ(solver_ask(l->b.solver, &p, c->goal, &m), SOLVER_SAT);
    CHECK(term_judge(l->b.ts, c->goal, m) != 0);
    path_release(&p);
    return m;
}

TEST(a_side_depends_on_what_an_earlier_call_left)
{
    struct living l = live();
    term s = sx_object(l.r, 8), a = variable(&l, "a", 5),
         b = variable(&l, "b", 0);
    call(&l, "put", s, variable(&l, "first", 1));
    call(&l, "put", s, a);
    call(&l, "ask", s, b);
    const struct sx_choice *all;
    uint32_t n = sx_choices(l.r, &all);
    CHECK_EQ(n, 1); // n == 2 is no choice
    struct model *m = flip(&l, &all[0]);
    uint32_t x = (uint32_t)model_get(m, term_var_index(l.b.ts, a));
    uint32_t y = (uint32_t)model_get(m, term_var_index(l.b.ts, b));
    CHECK_EQ(x * 3 + 1, y);
    model_free(m);
    ended(&l);
}

TEST(every_other_label_of_a_switch_is_a_choice)
{
    struct living l = live();
    term v = variable(&l, "v", 7);
    call(&l, "pick", v, TERM_NONE);
    const struct sx_choice *all;
    uint32_t n = sx_choices(l.r, &all), nines = 0;
    CHECK_EQ(n, 2);
    for (uint32_t i = 0; i < n; i++) {
        struct model *m = flip(&l, &all[i]);
        u128 x = model_get(m, term_var_index(l.b.ts, v));
        CHECK(x != 7);
        nines += x == 9;
        model_free(m);
    }
    CHECK_EQ(nines, 1);
    ended(&l);
}

TEST(an_element_at_a_variable_index_is_asked_for)
{
    struct living l = live();
    term a = sx_object(l.r, 16), i = variable(&l, "i", 0);
    for (uint32_t k = 0; k < 4; k++)
        sx_put(l.r, a, k * 4, term_const(l.b.ts, 32, k == 2 ? 500 : k));
    call(&l, "at", a, i);
    const struct sx_choice *all;
    uint32_t n = sx_choices(l.r, &all), found = 0;
    for (uint32_t k = 0; k < n; k++) {
        struct model *m = flip(&l, &all[k]);
        found += model_get(m, term_var_index(l.b.ts, i)) == 2;
        model_free(m);
    }
    CHECK_EQ(found, 1);
    ended(&l);
}

// Of the last choice: how many conditions stand before it, and does a model of
// it make the sum right on the other side than the one that was followed?
static uint32_t conditions_before(bool both, uint64_t *computed)
{
    struct living l = live();
    term v = variable(&l, "v", 0x1ce); // even, its other side is open
    symex_both(l.x, both);
    call(&l, "mixed", v, TERM_NONE);
    const struct sx_choice *all;
    uint32_t n = sx_choices(l.r, &all);
    CHECK_EQ(n, 2); // the side and the comparison
    struct model *m = flip(&l, &all[0]);
    CHECK_EQ((uint32_t)model_get(m, term_var_index(l.b.ts, v)) & 1, 1);
    model_free(m);
    *computed = symex_both_count(l.x);
    uint32_t before = all[1].conditions;
    ended(&l);
    return before;
}

TEST(sides_that_only_compute_leave_no_condition)
{
    uint64_t computed;
    CHECK_EQ(conditions_before(true, &computed), 0);
    CHECK_EQ(computed, 2); // of the result, too
    CHECK_EQ(conditions_before(false, &computed), 1);
    CHECK_EQ(computed, 0);
}

TEST(many_ways_that_only_compute_meet)
{
    struct living l = live();
    term v = variable(&l, "v", 'B'); // 45 is what a small letter is worth
    call(&l, "first", v, TERM_NONE);
    const struct sx_choice *all;
    uint32_t n = sx_choices(l.r, &all), fn = ir_find_fn(l.b.ir, "first");
    CHECK_EQ(all[n - 1].fn, fn);
    CHECK_EQ(all[n - 1].conditions, 0);
    struct model *m = flip(&l, &all[n - 1]);
    CHECK_EQ((char)model_get(m, term_var_index(l.b.ts, v)), 't');
    model_free(m);
    for (uint32_t i = 0; i + 1 < n; i++)
        model_free(flip(&l, &all[i])); // the other side of each is open
    CHECK(n >= 3);
    ended(&l);
}

TEST(blocks_that_were_entered_are_known)
{
    struct living l = live();
    uint32_t fn = ir_find_fn(l.b.ir, "pick"), entered = 0;
    CHECK(!sx_entered(l.r, fn, 0));
    call(&l, "pick", variable(&l, "v", 1), TERM_NONE);
    const struct ir_fn *f = l.b.ir->fns.at[fn];
    for (uint32_t b = 0; b < f->blocks.n; b++)
        entered += sx_entered(l.r, fn, b);
    CHECK(sx_entered(l.r, fn, 0));
    CHECK(entered < f->blocks.n);
    ended(&l);
}

TEST_MAIN()

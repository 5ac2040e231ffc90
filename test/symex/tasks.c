// Tasks that wait for each other: orders of receives, bounds, results.
#include "engine.h"

#include "base/hash.h"

#include <string.h>

struct tasking {
    struct bench b;
    struct symex *x;
    struct sx_run *r;
};

static struct tasking follow(const char *path, const char *class,
                             const char *msg, struct sx_tasks *o, uint32_t loop)
{
    static const char *const flags[] = {"-Iinclude"};
    struct tasking t = {0};
    struct diag d = {0};
    struct sx_options options = {.loop = loop};
    char function[64];
    bench_enter();
    struct ir_options io = {.cache = bench_dir, .flags = flags, .n_flags = 1};
    t.b.ir = ir_load(&path, 1, &io, &d);
    if (!t.b.ir) {
        diag_print(&d, stderr);
        exit(1);
    }
    t.b.ts = terms_new();
    t.b.solver = solver_new(t.b.ts, &(struct solver_options){.full_ms = 20000});
    t.x = symex_new(t.b.ir, t.b.ts, t.b.solver, &options);
    snprintf(function, sizeof function, "%s_%s", class, msg);
    struct sx_start start = bench_start(&t.b, function, NULL);
    start.handler = true;
    start.cls = ir_find_class(t.b.ir, class);
    for (uint32_t i = 0; i < t.b.ir->msgs.n; i++)
        if (strcmp(t.b.ir->msgs.at[i].name, msg) == 0)
            start.msg = i;
    o->behaviour = t.b.ir->classes.at[start.cls].start;
    start.tasks = o;
    t.r = sx_begin(t.x, &start);
    return t;
}

static void over(struct tasking *t)
{
    sx_end(t->r);
    symex_free(t->x);
    bench_close(&t->b);
}

static int64_t value_of(struct tasking *t, const struct sx_path *p, term v)
{
    return (int64_t)ir_signed(term_eval(t->b.ts, v, p->model),
                              term_bits(t->b.ts, v));
}

static int64_t answer_of(struct tasking *t, const struct sx_path *p)
{
    return value_of(t, p,
                    sx_read(t->r, p, p->scene->tasks[0].answer, 4, false));
}

#define SUMFACTS "test/unit/oracles/sumfacts.c"
#define INTERLEAVE "test/unit/oracles/interleave.c"

struct tally_of_tasks {
    uint32_t tests, stuck, nobody, open, both; // both: ob is self
    int64_t results;                           // a bit each, small ones
};

static struct tally_of_tasks count(struct tasking *t)
{
    struct tally_of_tasks n = {0};
    const struct sx_path *p;
    while ((p = sx_next(t->r))) {
        switch (p->end) {
        case SX_RETURNED:
            n.tests++;
            n.both += p->scene->n_actors == 1;
            n.results |= INT64_C(1) << (answer_of(t, p) & 31);
            break;
        case SX_STUCK:
            n.stuck++;
            break;
        case SX_TRAPPED:
            n.nobody += p->trap == SX_TRAP_NOBODY;
            break;
        default:
            fprintf(stderr, "open: %s\n", p->text ? p->text : "");
            n.open++;
        }
    }
    return n;
}

TEST(switches_bound_the_tests_of_sum_facts)
{
    struct sx_tasks o = {.switches = 1, .distinct = true};
    struct tasking t = follow(SUMFACTS, "a", "sum_facts", &o, 1);
    struct tally_of_tasks n = count(&t);
    CHECK_EQ(n.tests, 2);
    CHECK_EQ(n.stuck, 1);
    CHECK_EQ(n.nobody, 1);
    CHECK_EQ(n.open, 0);
    over(&t);
    o.switches = 2;
    t = follow(SUMFACTS, "a", "sum_facts", &o, 1);
    CHECK_EQ(count(&t).tests, 3);
    over(&t);
    o.distinct = false;
    t = follow(SUMFACTS, "a", "sum_facts", &o, 1);
    n = count(&t);
    CHECK_EQ(n.tests, 4); // and one alone: fact started, sum_facts resumed
    CHECK_EQ(n.both, 2);
    over(&t);
}

TEST(what_waits_decides_the_result_of_p)
{
    static const int64_t results[] = {1 << 1, 1 << 1, 1 << 1 | 1 << 2};
    for (uint32_t q = 0; q < 3; q++) {
        struct sx_tasks o = {.switches = 4, .queue = q};
        uint32_t related[] = {0, 1, 2, 3};
        o.related = related;
        o.n_related = 4;
        struct tasking t = follow(INTERLEAVE, "c", "p", &o, 1);
        struct tally_of_tasks n = count(&t);
        CHECK_EQ(n.results, results[q]);
        CHECK_EQ(n.open, 0);
        over(&t);
    }
}

// What the handler decides, its answer and the state its actor ends in, as a
// number: terms are the same in one store.
static uint64_t key_of(struct tasking *t, const struct sx_path *p)
{
    uint64_t key = hash_join(1, p->end);
    const struct sx_scene *s = p->scene;
    for (uint32_t i = 0; i < p->n_decisions; i++)
        if (p->decisions[i].task == 0)
            key = hash_join(key, (uint64_t)p->decisions[i].inst << 8 |
                                     p->decisions[i].side);
    if (s->tasks[0].answer)
        key = hash_join(key, (uint64_t)answer_of(t, p));
    uint32_t size = t->b.ir->classes.at[s->actors[0].cls].size;
    for (uint32_t k = 0; k + 4 <= size && k < 12; k += 4)
        key = hash_join(
            key, (uint64_t)value_of(
                     t, p,
                     sx_read(t->r, p,
                             term_binary(t->b.ts, IR_ADD, s->actors[0].state,
                                         term_const(t->b.ts, 64, k)),
                             4, false)));
    return key;
}

struct ends {
    uint64_t at[5000];
    uint32_t n, paths;
};

static void all_ends(struct tasking *t, struct ends *e)
{
    const struct sx_path *p;
    e->n = e->paths = 0;
    while ((p = sx_next(t->r))) {
        uint64_t key = key_of(t, p);
        uint32_t i = 0;
        while (i < e->n && e->at[i] != key)
            i++;
        if (i == e->n && e->n < 5000)
            e->at[e->n++] = key;
        e->paths++;
    }
}

static uint32_t missing(const struct ends *from, const struct ends *in)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < from->n; i++) {
        uint32_t k = 0;
        while (k < in->n && in->at[k] != from->at[i])
            k++;
        n += k == in->n;
    }
    return n;
}

// Orders that are like others are left out, and nothing is lost by it.
TEST(orders_that_are_alike_are_followed_once)
{
    static const struct {
        const char *path, *class, *msg;
        uint32_t related, switches, queue;
    } rows[] = {{SUMFACTS, "a", "sum_facts", 1, 3, 1},
                {INTERLEAVE, "c", "p", 4, 4, 2},
                {"test/unit/tasks/office.c", "boss", "both", 2, 2, 1},
                {"test/unit/tasks/office.c", "boss", "hire", 2, 4, 1}};
    static struct ends few, all;
    uint32_t saved = 0;
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sx_tasks o = {.switches = rows[i].switches,
                             .queue = rows[i].queue};
        uint32_t related[] = {3, 2, 1, 0};
        o.related = related + 4 - rows[i].related;
        o.n_related = rows[i].related;
        struct tasking t =
            follow(rows[i].path, rows[i].class, rows[i].msg, &o, 1);
        all_ends(&t, &few);
        over(&t);
        o.every_object = true;
        t = follow(rows[i].path, rows[i].class, rows[i].msg, &o, 1);
        all_ends(&t, &all);
        over(&t);
        CHECK_EQ(missing(&all, &few), 0);
        CHECK_EQ(missing(&few, &all), 0);
        CHECK(few.paths <= all.paths && few.n > 1);
        saved += all.paths - few.paths;
    }
    CHECK(saved > 10);
}

// A turn of a loop counts in the task that takes it, however many wait.
TEST(turns_are_counted_per_task)
{
    struct sx_tasks o = {.switches = 6, .distinct = true};
    uint32_t tests[3];
    for (uint32_t loop = 0; loop < 3; loop++) {
        struct tasking t = follow(SUMFACTS, "a", "sum_facts", &o, loop);
        tests[loop] = count(&t).tests;
        over(&t);
    }
    CHECK_EQ(tests[0], 1);
    CHECK(tests[1] > tests[0] && tests[2] > tests[1]);
}

TEST_MAIN()

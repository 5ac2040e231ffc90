// The backward search by itself: ways to marked lines of small programs.
#include "base/diag.h"
#include "base/rng.h"
#include "reach/backward/backward.h"
#include "scratch.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bench {
    scratch_path dir;
    char path[256];
    struct reach r;
    struct flow *flow;
    struct ir *ir;
    struct rng rng;
    struct backward b;
    // What was found last.
    uint32_t steps, posts;
    uint64_t times; // of all posts
};

static void bench_open(struct bench *n, const char *program, const char *system,
                       enum delivery delivery)
{
    static const char *const flags[] = {"-Iinclude"};
    struct diag d = {0};
    const char *path = n->path;
    memset(n, 0, sizeof *n);
    scratch_new(n->dir);
    snprintf(n->path, sizeof n->path, "test/reach/programs/%s", program);
    struct ir_options o = {.cache = n->dir, .flags = flags, .n_flags = 1};
    n->ir = ir_load(&path, 1, &o, &d);
    if (n->ir)
        n->flow = flow_new(n->ir, &(struct flow_options){.system = system}, &d);
    if (!n->flow) {
        diag_print(&d, stderr);
        exit(1);
    }
    n->r.ir = n->ir;
    n->r.flow = n->flow;
    n->r.o.system = system;
    n->r.o.delivery = delivery;
    model_init(&n->r.model, n->ir);
    n->rng = rng_of(1);
    n->b.rng = &n->rng;
    n->b.setting = BACKWARD_HF;
    n->b.bounds = (struct backward_bounds){
        .messages = 6, .actors = 2, .loop = 2, .steps = 20};
    CHECK(backward_open(&n->b, &n->r, "", &d));
}

static void bench_close(struct bench *n)
{
    backward_close(&n->b);
    model_release(&n->r.model);
    flow_free(n->flow);
    ir_free(n->ir);
    scratch_remove(n->dir);
}

// The block that the line with this comment begins.
static struct ir_target target_at(const struct bench *n, const char *mark)
{
    char line[256], want[64];
    struct ir_targets all = {0};
    struct ir_target found = {.fn = IR_NOTHING};
    FILE *f = fopen(n->path, "r");
    uint32_t at = 0, k = 0;
    snprintf(want, sizeof want, "// %s\n", mark);
    while (f && fgets(line, sizeof line, f)) {
        k++;
        size_t len = strlen(line), w = strlen(want);
        if (len >= w && strcmp(line + len - w, want) == 0)
            at = k;
    }
    if (f)
        fclose(f);
    ir_targets(n->ir, &all);
    for (uint32_t i = 0; i < all.at.n; i++)
        if (all.at.at[i].trap == IR_TRAPS_N && all.at.at[i].line == at)
            found = all.at.at[i];
    ir_targets_free(&all);
    CHECK(found.fn != IR_NOTHING);
    return found;
}

static bool note(void *user, const struct node *n, const struct model *m)
{
    struct bench *x = user;
    x->steps = n->length;
    x->posts = n->posts;
    x->times = 0;
    for (const struct path_step *s = n->path; s; s = s->later)
        if (s->kind == STEP_POST)
            x->times +=
                s->times ? (uint64_t)term_eval(x->b.ts, s->times, m) : 1;
    // Every condition holds in the model, by the judge.
    for (uint32_t i = 0; i < n->conditions.n && !n->demands.n; i++)
        CHECK(term_judge(x->b.ts, n->conditions.at[i], m) == 1);
    return true;
}

static enum backward_end search(struct bench *n, const char *mark)
{
    struct ir_target t = target_at(n, mark);
    n->b.figures = (struct backward_figures){0};
    return backward_search(&n->b, &t, note, n);
}

TEST(one_target_for_each_rule)
{
    static const struct {
        const char *mark;
        uint32_t steps, posts; // at least
    } rows[] = {{"self", 1, 1},   {"got", 1, 1},    {"secret", 2, 2},
                {"choose", 2, 2}, {"answer", 4, 2}, {"between", 5, 3},
                {"child", 3, 2},  {"limit", 2, 1}};
    struct bench n;
    bench_open(&n, "rules.c", "sys", DELIVERY_PAIR);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK_EQ(search(&n, rows[i].mark), BACKWARD_FOUND);
        CHECK(n.steps >= rows[i].steps);
        CHECK(n.posts >= rows[i].posts);
    }
    bench_close(&n);
}

TEST(a_counter_is_one_step)
{
    struct bench n;
    bench_open(&n, "counters.c", "counters", DELIVERY_PAIR);
    CHECK_EQ(search(&n, "million"), BACKWARD_FOUND);
    CHECK_EQ(n.times, 1000000);
    CHECK_EQ(n.steps, 2);
    CHECK(n.b.figures.nodes < 50);
    CHECK_EQ(search(&n, "hundred"), BACKWARD_FOUND);
    CHECK_EQ(n.times, 100);
    bench_close(&n);
}

// first is sent before second: only where there is no order it comes later.
TEST(a_channel_keeps_its_order)
{
    struct bench n;
    bench_open(&n, "order.c", "ordered", DELIVERY_PAIR);
    CHECK_EQ(search(&n, "in order"), BACKWARD_FOUND);
    CHECK_EQ(search(&n, "another between"), BACKWARD_FOUND); // the setup's
    n.b.bounds.messages = 1;
    n.b.bounds.steps = 4;
    CHECK_EQ(search(&n, "without first"), BACKWARD_EMPTY);
    CHECK(n.b.figures.found == 0);
    bench_close(&n);
    bench_open(&n, "order.c", "ordered", DELIVERY_ANY);
    CHECK_EQ(search(&n, "without first"), BACKWARD_FOUND);
    bench_close(&n);
}

TEST(the_setup_leaves_actors_and_messages)
{
    struct bench n;
    bench_open(&n, "family.c", "family", DELIVERY_PAIR);
    const struct start *s = &n.b.start;
    CHECK_EQ(s->actors.n, 2); // root, and the leaf that its init made
    CHECK(s->actors.at[0].name && strcmp(s->actors.at[0].name, "root") == 0);
    CHECK_EQ(s->flights.n, 1);
    CHECK_EQ(s->flights.at[0].from, 2);
    CHECK_EQ(s->flights.at[0].to, 2);
    u128 sum;
    CHECK(start_read(s, 2, 4, 4, &sum) && sum == 30);
    CHECK_EQ(search(&n, "greeted"), BACKWARD_FOUND);
    CHECK_EQ(n.posts, 0);
    CHECK_EQ(search(&n, "fifth"), BACKWARD_FOUND);
    bench_close(&n);
}

TEST(a_notice_needs_a_stop_and_a_watch)
{
    struct bench n;
    bench_open(&n, "watch.c", "firm", DELIVERY_PAIR);
    CHECK_EQ(search(&n, "noticed"), BACKWARD_FOUND);
    CHECK(n.steps >= 4); // hire, something, a stop, the notice
    bench_close(&n);
}

TEST(all_settings_find_one_activation)
{
    struct bench n;
    bench_open(&n, "rules.c", "sys", DELIVERY_PAIR);
    for (int s = 0; s < BACKWARD_SETTINGS_N; s++) {
        n.b.setting = (enum backward_setting)s;
        CHECK_EQ(search(&n, "self"), BACKWARD_FOUND);
    }
    bench_close(&n);
}

TEST_MAIN()

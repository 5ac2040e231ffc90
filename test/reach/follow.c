// A native run told, followed with terms, and its sides in order: on a program
// with one comparison before a line.
#include "base/diag.h"
#include "ir/instrument.h"
#include "program/build.h"
#include "program/program.h"
#include "reach/flips.h"
#include "reach/follow.h"
#include "reach/native.h"
#include "scratch.h"
#include "solver/solver.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

struct bench {
    scratch_path dir;
    struct arena arena;
    struct ir *ir;
    struct reach r;
    struct program *program;
    struct runner *runner;
    struct tale tale;
    struct input in;
    struct follow f;
    struct solver *solver;
};

static void stop_if(bool wrong, struct diag *d)
{
    if (!wrong)
        return;
    diag_print(d, stderr);
    exit(1);
}

static void bench_open(struct bench *n)
{
    static const char *const flags[] = {"-Iinclude"};
    const char *path = "test/reach/programs/counter.c", *object = NULL;
    struct diag d = {0};
    struct built built;
    struct run_options run;
    memset(n, 0, sizeof *n);
    scratch_new(n->dir);
    struct ir_options o = {.cache = n->dir, .flags = flags, .n_flags = 1};
    n->ir = ir_instrument(&n->arena, &path, 1, &o, IR_TRACE, &object, &d);
    stop_if(!n->ir, &d);
    struct build_options with = {.inputs = &object,
                                 .n_inputs = 1,
                                 .include = "include",
                                 .cache = n->dir};
    stop_if(!build_program(&n->arena, &with, &built, &d), &d);
    struct reach_options ro = {.system = "counting", .seed = 1};
    stop_if(!reach_open(&n->r, n->ir, NULL, &ro, &(struct reach_builds){0}, &d),
            &d);
    n->program = program_load(built.path, &d);
    stop_if(!n->program, &d);
    stop_if(!native_prepare(&n->r, n->program, &run, &d), &d);
    n->runner = runner_new(&run, &d);
    n->in.bound = 100;
    runner_try(n->runner, &n->in); // who is exposed
}

// One post of `add` with this number.
static void post(struct bench *n, int by)
{
    uint32_t cls = n->r.pool->names[0].cls;
    memset(&n->in, 0, sizeof n->in);
    n->in.bound = 100;
    n->in.n_genes = 1;
    n->in.genes[0] = (struct gene){.times = 1, .pass = PASS_ALL};
    for (uint32_t i = 0; i < n->r.model.accepts[cls].n; i++) {
        uint32_t msg = n->r.model.accepts[cls].at[i];
        if (strcmp(n->r.model.msgs.at[msg].name, "add") == 0)
            n->in.genes[0].msg = (uint16_t)msg;
    }
    memcpy(n->in.genes[0].bytes, &by, sizeof by);
}

static void follow(struct bench *n)
{
    n->f.ir = n->ir;
    n->f.model = &n->r.model;
    n->f.runner = n->runner;
    n->f.ts = terms_new();
    n->solver = solver_new(n->f.ts, &(struct solver_options){.rlimit = 100000});
    n->f.x = symex_new(n->ir, n->f.ts, n->solver,
                       &(struct sx_options){.loop = UINT32_MAX});
    for (uint32_t i = 0; i < n->ir->systems.n; i++)
        n->f.system = n->ir->systems.at[i].fn;
    runner_tell(n->runner, &n->in, &n->tale);
    CHECK(follow_run(&n->f, &n->in, &n->tale));
}

static uint32_t count(const struct tale *t, enum tale_what what)
{
    uint32_t k = 0;
    for (uint32_t i = 0; i < t->n; i++)
        k += t->at[i].what == what;
    return k;
}

static bool want(struct bench *n, uint32_t line)
{
    bool any = false;
    for (uint32_t i = 0; i < n->r.targets.n; i++) {
        struct reach_target *t = &n->r.targets.at[i];
        t->wanted = t->at.line == line && t->at.trap == IR_TRAPS_N;
        any |= t->wanted;
    }
    return any;
}

enum { LINE_ADDS = 20, LINE_FULL = 22, LINE_RESET = 27 };

// Programs are loaded once in a process, so all is one test.
TEST(a_run_is_told_followed_and_turned)
{
    static struct bench n; // large
    struct toward toward = {0};
    struct flips flips = {0};
    bench_open(&n);
    CHECK_EQ(n.r.pool->n_names, 1);

    // The tale: setup, spawn and expose, a post, one handler.
    post(&n, 5);
    follow(&n);
    CHECK_EQ(count(&n.tale, TALE_SETUP), 1);
    CHECK_EQ(count(&n.tale, TALE_POST), 1);
    CHECK_EQ(count(&n.tale, TALE_POSTED), 1);
    CHECK_EQ(count(&n.tale, TALE_ENTERS), 1);
    CHECK_EQ(count(&n.tale, TALE_BEGINS), count(&n.tale, TALE_ENDS));
    CHECK(count(&n.tale, TALE_BEGINS) >= 2);
    CHECK(!n.tale.cut);

    // Followed: complete, and the field of the post is a variable.
    CHECK(n.f.complete && !n.f.diverged);
    CHECK_EQ(n.f.vars.n, 1);
    CHECK(n.f.vars.at[0].kind == VAR_LEAF);

    // Two choices: a negative number, and a sum above a thousand.  Towards the
    // line behind the second, that one comes first, and is unseen.
    CHECK(want(&n, LINE_FULL));
    toward_update(&toward, &n.r);
    flips_of(&flips, &n.r, &toward, n.f.run);
    CHECK_EQ(flips.at.n, 2);
    CHECK(flips.at.at[0].kind == FLIP_UNSEEN);
    CHECK_EQ(flips.at.at[0].far, 0);
    CHECK_EQ(flips.at.at[0].choice, 1);
    CHECK(flips.at.at[1].kind == FLIP_ELSE);
    CHECK(flips.at.at[0].place != flips.at.at[1].place);

    // Distances: the block before the line is nearer than the entry; nothing of
    // another handler leads there.
    const struct reach_target *t = NULL;
    for (uint32_t i = 0; i < n.r.targets.n; i++)
        if (n.r.targets.at[i].wanted)
            t = &n.r.targets.at[i];
    uint32_t fn = t->at.fn, entry = toward_block(&toward, fn, 0);
    CHECK_EQ(toward_block(&toward, fn, t->at.block), 0);
    CHECK(entry >= 2 && entry != TOWARD_NEVER);
    for (uint32_t i = 0; i < n.r.targets.n; i++) {
        const struct ir_target *o = &n.r.targets.at[i].at;
        if (o->fn == fn && o->line == LINE_ADDS)
            CHECK(toward_block(&toward, fn, o->block) < entry);
        if (o->line == LINE_RESET)
            CHECK_EQ(toward_block(&toward, o->fn, o->block), TOWARD_NEVER);
    }

    // Written back: a number for the variable changes the post, and the run
    // goes there.
    struct model *m = model_new(n.f.ts);
    model_set(m, term_var_index(n.f.ts, n.f.vars.at[0].var), 1001);
    follow_write(&n.f, m, &n.in);
    int by;
    memcpy(&by, n.in.genes[0].bytes, sizeof by);
    CHECK_EQ(by, 1001);
    runner_try(n.runner, &n.in);
    CHECK(runner_hit(n.runner, t->at.hit));
    // Seen, it is no target any more.
    toward_update(&toward, &n.r);
    CHECK_EQ(toward_block(&toward, fn, 0), TOWARD_NEVER);

    model_free(m);
    vec_free(&flips.at);
    toward_free(&toward);
    follow_clear(&n.f);
    symex_free(n.f.x);
    solver_free(n.solver);
    terms_free(n.f.ts);
    tale_free(&n.tale);
    reach_close(&n.r);
    program_free(n.program);
    ir_free(n.ir);
    arena_free(&n.arena);
    scratch_remove(n.dir);
}

TEST_MAIN()

// An instrumented object, linked and called here, marks the places that its IR
// says.
#include "ir/instrument.h"

#include "base/diag.h"
#include "ir/targets.h"
#include "scratch.h"
#include "test.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN __attribute__((visibility("default")))

// What instrumented objects bind to.
SHOWN extern uint8_t *tr_hits_;
SHOWN void tr_trapped_(uint32_t hit);
SHOWN void tr_compare_(uint32_t, uint32_t, uint32_t, uint64_t, uint64_t);
SHOWN void tr_compare_float_(uint32_t, uint32_t, double, double);
SHOWN void tr_compare_text_(uint32_t, uint32_t, const void *, const void *,
                            size_t);
SHOWN void tr_cases_(uint32_t, uint32_t, uint64_t, const uint64_t *, uint32_t);

static uint32_t map[4096];
uint8_t *tr_hits_ = (uint8_t *)map;
static uint32_t trapped = IR_NOTHING;
static struct {
    uint32_t site, op, bits, times, text_site, how;
    uint64_t a, b;
    double x, y;
    char text[2][16];
} last;

void tr_trapped_(uint32_t hit)
{
    trapped = hit;
}

void tr_compare_(uint32_t site, uint32_t op, uint32_t bits, uint64_t a,
                 uint64_t b)
{
    last.site = site, last.op = op, last.bits = bits, last.a = a, last.b = b;
    last.times++;
}

void tr_compare_float_(uint32_t site, uint32_t mask, double a, double b)
{
    last.site = site, last.op = mask, last.x = a, last.y = b;
}

void tr_compare_text_(uint32_t site, uint32_t how, const void *a, const void *b,
                      size_t n)
{
    last.text_site = site, last.how = how;
    snprintf(last.text[0], sizeof last.text[0], "%s", (const char *)a);
    snprintf(last.text[1], sizeof last.text[1], "%.*s", n < 15 ? (int)n : 15,
             (const char *)b);
}

void tr_cases_(uint32_t site, uint32_t bits, uint64_t v, const uint64_t *cases,
               uint32_t n)
{
    last.site = site, last.bits = bits, last.a = v, last.b = cases[n - 1];
    last.times = n;
}

static const char source[] =
    "#include <string.h>\n"
    "static int array[4];\n"
    "int plain(int x)\n"
    "{\n"
    "    if (x > 10)\n"
    "        return 1;\n"
    "    while (x > 0)\n"
    "        x -= 3;\n"
    "    return x;\n"
    "}\n"
    "int pick(int x) { return x == 7 ? 1 : 2; }\n"
    "int cases(int x)\n"
    "{\n"
    "    switch (x) {\n"
    "    case 3: return 30;\n"
    "    case -5: return 50;\n"
    "    default: return 0;\n"
    "    }\n"
    "}\n"
    "int at(long i) { return array[i & 7]; }\n"
    "int follow(int *p) { return p ? *p : 0; }\n"
    "int quotient(int a, int b) { return b ? a / b : 0; }\n"
    "int text(const char *s) { return strcmp(s, \"open\") == 0; }\n"
    "int real(double d) { return d < 2.5; }\n";

struct loaded {
    scratch_path dir;
    struct arena arena;
    struct ir *ir;
    void *object;
};

static void load(struct loaded *l, enum ir_watch watch)
{
    struct diag d = {0};
    char path[SCRATCH + 16], command[512];
    const char *object = NULL;
    scratch_new(l->dir);
    snprintf(path, sizeof path, "%s/a.c", l->dir);
    scratch_write(path, source);
    struct ir_options o = {.cache = l->dir};
    l->ir = ir_instrument(&l->arena, (const char *[]){path}, 1, &o, watch,
                          &object, &d);
    CHECK(l->ir && object && !ir_check(l->ir, &l->ir->arena));
    snprintf(command, sizeof command, "cc -shared -o %s/a.so %s", l->dir,
             object);
    CHECK(system(command) == 0);
    snprintf(path, sizeof path, "%s/a.so", l->dir);
    l->object = dlopen(path, RTLD_NOW);
    CHECK(l->object);
    memset(map, 0, sizeof map);
}

static void unload(struct loaded *l)
{
    dlclose(l->object);
    ir_free(l->ir);
    arena_free(&l->arena);
    scratch_remove(l->dir);
}

static const struct ir_fn *fn_of(const struct loaded *l, const char *name)
{
    return l->ir->fns.at[ir_find_fn(l->ir, name)];
}

// The counter of the first origin with an instruction on this line.
static uint32_t on_line(const struct loaded *l, const char *fn, uint32_t line)
{
    const struct ir_fn *f = fn_of(l, fn);
    for (uint32_t b = 0; b < f->blocks.n; b++)
        for (uint32_t i = 0; i < f->blocks.at[b].n; i++)
            if (f->insts.at[f->blocks.at[b].first + i].line == line)
                return map[ir_block_hit(f, &f->blocks.at[b])];
    return IR_NOTHING;
}

static const struct ir_inst *first_of(const struct ir_fn *f, enum ir_op op)
{
    for (uint32_t i = 0; i < f->insts.n; i++)
        if (f->insts.at[i].op == op && f->insts.at[i].site != IR_NOTHING)
            return &f->insts.at[i];
    return NULL;
}

static int run(const struct loaded *l, const char *name, long x)
{
    int (*f)(long) = (int (*)(long))(uintptr_t)dlsym(l->object, name);
    return f(x);
}

TEST(blocks_are_counted_where_the_ir_has_them)
{
    struct loaded l = {0};
    load(&l, IR_COUNT);
    CHECK_EQ(run(&l, "plain", 20), 1);
    CHECK_EQ(on_line(&l, "plain", 6), 1);
    CHECK_EQ(on_line(&l, "plain", 8), 0);
    run(&l, "plain", 7);
    CHECK_EQ(on_line(&l, "plain", 6), 1);
    CHECK_EQ(on_line(&l, "plain", 8), 3);
    CHECK_EQ(map[fn_of(&l, "plain")->first_hit], 2);
    unload(&l);
}

TEST(sides_of_conditions_are_counted)
{
    struct loaded l = {0};
    load(&l, IR_COUNT);
    const struct ir_inst *pick = first_of(fn_of(&l, "pick"), IR_SELECT);
    const struct ir_inst *branch = first_of(fn_of(&l, "plain"), IR_BRANCH);
    const struct ir_inst *cases = first_of(fn_of(&l, "cases"), IR_SWITCH);
    CHECK(pick && branch && cases);
    run(&l, "pick", 7);
    CHECK(map[pick->site] == 1 && map[pick->site + 1] == 0);
    run(&l, "pick", 8);
    CHECK(map[pick->site] == 1 && map[pick->site + 1] == 1);
    run(&l, "plain", 0);
    CHECK(map[branch->site] == 0 && map[branch->site + 1] == 1);
    run(&l, "cases", -5);
    run(&l, "cases", 3);
    run(&l, "cases", 3);
    CHECK_EQ(map[cases->site], 0);
    CHECK_EQ(map[cases->site + 1], 2);
    CHECK_EQ(map[cases->site + 2], 1);
    unload(&l);
}

TEST(checks_that_fail_are_told)
{
    struct loaded l = {0};
    load(&l, IR_COUNT);
    trapped = IR_NOTHING;
    run(&l, "at", 3);
    run(&l, "quotient", 0);
    CHECK_EQ(trapped, IR_NOTHING);
    run(&l, "at", 5);
    CHECK_EQ(trapped, first_of(fn_of(&l, "at"), IR_TRAP)->site);
    unload(&l);
}

TEST(operands_of_comparisons_are_told)
{
    struct loaded l = {0};
    load(&l, IR_TRACE);
    run(&l, "pick", 12);
    CHECK_EQ(last.site, first_of(fn_of(&l, "pick"), IR_EQ)->site);
    CHECK(last.op == IR_EQ && last.bits == 32 && last.a == 12 && last.b == 7);
    run(&l, "cases", -7);
    CHECK_EQ(last.site, first_of(fn_of(&l, "cases"), IR_SWITCH)->count);
    CHECK(last.times == 2 && last.a == (uint32_t)-7 && last.b == (uint32_t)-5);
    int (*real)(double) = (int (*)(double))(uintptr_t)dlsym(l.object, "real");
    real(1.25);
    CHECK(last.op == IR_LESS && last.x == 1.25 && last.y == 2.5);
    int (*text)(const char *) =
        (int (*)(const char *))(uintptr_t)dlsym(l.object, "text");
    text("opel");
    CHECK_EQ(last.how, IR_TEXT_EQUAL);
    CHECK_EQ(last.text_site, first_of(fn_of(&l, "text"), IR_CALL)->site);
    CHECK(!strcmp(last.text[0], "opel") && !strcmp(last.text[1], "open"));
    unload(&l);
}

TEST(the_second_build_comes_from_the_cache)
{
    struct loaded l = {0};
    struct diag d = {0};
    const char *first = NULL, *second = NULL;
    char path[SCRATCH + 16];
    load(&l, IR_COUNT);
    struct ir_options o = {.cache = l.dir};
    snprintf(path, sizeof path, "%s/a.c", l.dir);
    const char *paths[] = {path};
    struct ir *a = ir_instrument(&l.arena, paths, 1, &o, IR_TRACE, &first, &d);
    struct ir *b = ir_instrument(&l.arena, paths, 1, &o, IR_TRACE, &second, &d);
    CHECK(a && b && !strcmp(first, second));
    CHECK_EQ(a->n_hits, l.ir->n_hits);
    ir_free(a);
    ir_free(b);
    unload(&l);
}

TEST_MAIN()

// related(m): what may matter to a handler while it waits.
#include "program.h"

#include "flow/related.h"

#include <string.h>

static struct program load(const char *path)
{
    scratch_path dir;
    const char *flags[] = {"-Iinclude"};
    struct program p = {0};
    scratch_new(dir);
    struct ir_options o = {.flags = flags, .n_flags = 1, .cache = dir};
    struct flow_options fo = {.open = true};
    p.ir = ir_load(&path, 1, &o, &p.d);
    if (p.ir)
        p.f = flow_new(p.ir, &fo, &p.d);
    scratch_remove(dir);
    CHECK(p.f != NULL);
    return p;
}

static const char *related(struct program *p, const char *cls, const char *fn,
                           unsigned prunings)
{
    static char out[256];
    uint32_t msgs[32];
    uint32_t n = flow_related(p->f, ir_find_class(p->ir, cls),
                              ir_find_fn(p->ir, fn), prunings, msgs, 32);
    out[0] = '\0';
    for (uint32_t i = 0; i < n; i++)
        snprintf(out + strlen(out), sizeof out - strlen(out), "%s%s",
                 i ? " " : "", p->ir->msgs.at[msgs[i]].name);
    return out;
}

TEST(each_pruning_leaves_out_more)
{
    struct program p = load("test/unit/oracles/sumfacts.c");
    CHECK_TEXT(related(&p, "a", "a_sum_facts", 0),
               "sum_facts fact set_n set_ft set");
    CHECK_TEXT(related(&p, "a", "a_sum_facts", 1),
               "sum_facts set_n set_ft set");
    CHECK_TEXT(related(&p, "a", "a_sum_facts", 3), "sum_facts set_n set_ft");
    CHECK_TEXT(related(&p, "a", "a_sum_facts", 7), "sum_facts set_ft");
    program_free(&p);
}

TEST(a_condition_is_read_before_and_after_its_wait)
{
    struct program p = load("test/unit/oracles/interleave.c");
    CHECK_TEXT(related(&p, "c", "c_p", 1), "p set set_f look");
    CHECK_TEXT(related(&p, "c", "c_p", 3), "p set set_f look");
    CHECK_TEXT(related(&p, "c", "c_p", 7), "p set set_f");
    program_free(&p);
}

// What is kept although it writes no field that matters: another actor's answer
// may depend on it; the behaviour does; memory behind a pointer; what a kept
// handler reads.
TEST(what_others_see_is_kept)
{
    struct program p = program_of(
        "#include <stdlib.h>\n"
        "struct price { int n; }; struct look { int n; };\n"
        "TR_REQUEST(look, price); TR_SIGNAL(raise); TR_SIGNAL(twice);\n"
        "TR_SIGNAL(bump); TR_SIGNAL(shut); TR_SIGNAL(put); TR_SIGNAL(pure);\n"
        "TR_SIGNAL(level); TR_SIGNAL(use);\n"
        "TR_PROTOCOL(shop, look, raise);\n"
        "TR_PROTOCOL(man, twice, bump, shut, put, pure, level, use);\n"
        "struct shop { int n; };\n"
        "TR_HANDLER(shop, look) { reply(look, .n = self->n); }\n"
        "TR_HANDLER(shop, raise) { self->n++; }\n"
        "TR_BEHAVIOUR(shop, open, TR_ON(look, shop_look),\n"
        "             TR_ON(raise, shop_raise));\n"
        "TR_CLASS(shop, .start = &shop_open);\n"
        "struct man { shop_ref shop; int *box; int out, mode, seen, other; };\n"
        "TR_INIT(man) { self->box = (int *)malloc(4); }\n"
        "TR_STATES(man, closed);\n"
        "static int read_box(struct man *m) { return *m->box; }\n"
        "TR_HANDLER(man, twice) {\n"
        "    int a = read_box(self);\n"
        "    self->mode = 0; self->out = 1;\n"
        "    await(ask(self->shop, look));\n"
        "    if (self->out > 3 || a != read_box(self)) self->seen = 1;\n"
        "}\n"
        "TR_HANDLER(man, bump) { send(self->shop, raise); }\n"
        "TR_HANDLER(man, shut) { become(man, closed); }\n"
        "TR_HANDLER(man, put) { *self->box = 3; }\n"
        "TR_HANDLER(man, pure) { if (self->seen) await(ask(self->shop, look)); "
        "}\n"
        "TR_HANDLER(man, level) { self->mode = 5; self->other = 1; }\n"
        "TR_HANDLER(man, use) { self->out = self->mode; }\n"
        "TR_BEHAVIOUR(man, open, TR_ON(twice, man_twice), TR_ON(bump, "
        "man_bump),\n"
        "  TR_ON(shut, man_shut), TR_ON(put, man_put), TR_ON(pure, man_pure),\n"
        "  TR_ON(level, man_level), TR_ON(use, man_use));\n"
        "TR_BEHAVIOUR(man, closed, TR_IGNORE(twice));\n"
        "TR_CLASS(man, .start = &man_open, .init = man_init_);\n"
        "TR_SYSTEM(s) { shop_ref q = spawn(shop); man_ref m = spawn(man, .shop "
        "="
        " q); expose(m); }\n",
        NULL, false);
    CHECK_TEXT(related(&p, "man", "man_twice", 7),
               "twice bump shut put level use");
    program_free(&p);
}

// A handler that asks its own actor reads no field itself; what it causes does.
TEST(what_it_asks_of_itself_is_its_own)
{
    struct program p = program_of(
        "struct num { int v; }; struct inc { int by; };\n"
        "struct twice { int by; }; TR_REQUEST(inc, num); TR_REQUEST(twice, "
        "num);\n"
        "TR_SIGNAL(reset); TR_SIGNAL(other); TR_SIGNAL(heard);\n"
        "TR_PROTOCOL(counter, inc, twice, reset, other, heard);\n"
        "struct counter { int n, apart; counter_ref peer; };\n"
        "TR_HANDLER(counter, inc) { self->n += msg->by; reply(inc, .v = "
        "self->n); }\n"
        "TR_HANDLER(counter, twice) {\n"
        "    int a = await(ask(me(counter), inc, .by = 1))->v;\n"
        "    int b = await(ask(me(counter), inc, .by = 1))->v;\n"
        "    reply(twice, .v = b - a);\n"
        "}\n"
        "TR_HANDLER(counter, reset) { self->n = 0; }\n"
        "TR_HANDLER(counter, other) { self->apart = 1; }\n"
        "TR_HANDLER(counter, heard) { watch(self->peer, counter, reset); }\n"
        "TR_BEHAVIOUR(counter, on, TR_ON(inc), TR_ON(twice), TR_ON(reset),\n"
        "             TR_ON(other), TR_ON(heard));\n"
        "TR_CLASS(counter, .start = &counter_on);\n"
        "TR_SYSTEM(s) { counter_ref c = spawn(counter); expose(c); }\n",
        NULL, false);
    CHECK_TEXT(related(&p, "counter", "counter_twice", 7), "inc reset");
    CHECK_TEXT(related(&p, "counter", "counter_twice", 1),
               "inc twice reset other heard"); // watching brings reset
    program_free(&p);
}

// Library calls write fields, and memory behind pointers.
TEST(what_a_library_call_writes_is_kept)
{
    struct program p = program_of(
        "#include <stdlib.h>\n#include <string.h>\n"
        "struct price { int n; }; struct look { int n; };\n"
        "TR_REQUEST(look, price); TR_SIGNAL(sell); TR_SIGNAL(rename);\n"
        "TR_SIGNAL(fill); TR_SIGNAL(away); TR_SIGNAL(show);\n"
        "TR_PROTOCOL(shop, look, sell, rename, fill, away, show);\n"
        "struct shop { shop_ref other; char name[8]; char *box; int n, m; };\n"
        "TR_INIT(shop) { self->box = (char *)malloc(8); }\n"
        "TR_HANDLER(shop, look) { reply(look); }\n"
        "TR_HANDLER(shop, sell) {\n"
        "    char a = self->name[0], b = self->box[0];\n"
        "    await(ask(self->other, look));\n"
        "    if (a != self->name[0] || b != self->box[0]) self->n = 1;\n"
        "}\n"
        "TR_HANDLER(shop, rename) { strcpy(self->name, \"y\"); }\n"
        "TR_HANDLER(shop, fill) { strcpy(self->box, \"y\"); }\n"
        "TR_HANDLER(shop, away) { self->m = 1; }\n"
        "TR_HANDLER(shop, show) { self->m = (int)strlen(self->name); }\n"
        "TR_BEHAVIOUR(shop, open, TR_ON(look), TR_ON(sell), TR_ON(rename),\n"
        "             TR_ON(fill), TR_ON(away), TR_ON(show));\n"
        "TR_CLASS(shop, .start = &shop_open, .init = shop_init_);\n"
        "TR_SYSTEM(s) { shop_ref q = spawn(shop); expose(q); }\n",
        NULL, false);
    CHECK_TEXT(related(&p, "shop", "shop_sell", 7), "rename fill");
    program_free(&p);
}

TEST_MAIN()

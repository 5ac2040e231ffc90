// Each rule of lint: a program that breaks it, and one beside it that does not.
#include "program.h"

#include "base/libc.h"
#include "base/text.h"

#define HEAD                                                                   \
    "#include <stdlib.h>\n#include <unistd.h>\n"                               \
    "struct go { tr_ref r; int *p; int n; }; TR_MESSAGE(go);\n"                \
    "TR_SIGNAL(hit); TR_SIGNAL(set);\n"                                        \
    "TR_PROTOCOL(a, go, hit, set); TR_PROTOCOL(b, hit, go);\n"
#define B                                                                      \
    "struct b { int n; }; TR_HANDLER(b, hit) { self->n++; }\n"                 \
    "TR_BEHAVIOUR(b, on, TR_ON(hit, b_hit)); TR_CLASS(b, .start = &b_on);\n"
#define A(state, before, go, rows)                                             \
    "struct a { int n; b_ref b; " state " };\n" before                         \
    "TR_HANDLER(a, go) { " go " }\n"                                           \
    "TR_BEHAVIOUR(a, on, TR_ON(go, a_go)" rows ");\n"                          \
    "TR_CLASS(a, .start = &a_on);\n"
#define TEST_(body) "TR_TEST(t) { b_ref x = spawn(b); (void)x; " body " }\n"
#define GO "a_ref y = spawn(a, .b = x); send(y, go, .n = 1);"

static const struct {
    const char *what;
    int kind; // that is told, -1: none
    const char *source;
} cases[] = {
    {"nothing is wrong", -1,
     HEAD B A("", "", "send(self->b, hit);", "") TEST_(GO)},
    {"a message without a row", LINT_NO_ROW,
     HEAD B A("", "", "send(self->b, go); send(self->b, hit);", "") TEST_(GO)},
    {"a handler writes a global", LINT_GLOBAL,
     HEAD B "static int total;\n" A("", "",
                                    "total += msg->n;"
                                    "send(self->b, hit);",
                                    "") TEST_(GO)},
    {"a helper writes a global through a pointer", LINT_GLOBAL,
     HEAD B "static int total;\nstatic void add(int *to) { ++*to; }\n" A(
         "", "", "add(&total); send(self->b, hit);", "") TEST_(GO)},
    {"a handler reads a global", -1,
     HEAD B "int limit = 3;\n" A(
         "", "", "if (msg->n < limit) send(self->b, hit);", "") TEST_(GO)},
    {"the test writes a global", -1,
     HEAD B "static int total;\n" A("", "", "send(self->b, hit);", "")
         TEST_(GO "total = 1;")},
    {"a message carries a pointer into state", LINT_POINTER,
     HEAD B A("", "",
              "if (msg->n) send(me(a), go, .p = &self->n);"
              "send(self->b, hit);",
              "") TEST_(GO)},
    {"a message carries a pointer to a local", LINT_POINTER,
     HEAD B A("", "",
              "int k = 3; if (msg->n) send(me(a), go, .p = &k);"
              "send(self->b, hit);",
              "") TEST_(GO)},
    {"a number that cannot be told from a pointer", -1,
     "#include <stdint.h>\n" HEAD B A(
         "", "",
         "union { uintptr_t u; int *p; } k = {.p = &self->n};"
         "struct go g = {.n = (int)k.u}; send(me(a), go, .n = g.n);"
         "send(self->b, hit);",
         "") TEST_(GO)},
    {"a message carries a reference", -1,
     HEAD B A("", "",
              "if (msg->n) send(me(a), go, .r = (tr_ref)self->b);"
              "send(self->b, hit);",
              "") TEST_(GO)},
    {"a handler blocks", LINT_BLOCKING,
     HEAD B A("", "static void wait_(void) { sleep(1); }\n",
              "wait_(); send(self->b, hit);", "") TEST_(GO)},
    {"the test blocks", -1,
     HEAD B A("", "", "send(self->b, hit);", "") TEST_(GO "sleep(0);")},
    {"a handler nobody can reach", LINT_DEAD,
     HEAD B A("", "TR_HANDLER(a, hit) { self->n = 0; }\n",
              "send(self->b, hit);", ", TR_ON(hit, a_hit)") TEST_(GO)},
    {"a receptionist's handlers can be reached", -1,
     HEAD B A("", "TR_HANDLER(a, hit) { self->n = 0; }\n",
              "send(self->b, hit);",
              ", TR_ON(hit, a_hit)") "TR_SYSTEM(s) { b_ref x = spawn(b); a_ref "
                                     "y = spawn(a, .b = x);"
                                     " expose(y); }\n"},
    {"a behaviour nobody gets into", LINT_BEHAVIOUR,
     HEAD B A("", "", "send(self->b, hit);",
              "") "TR_BEHAVIOUR(a, off, TR_IGNORE(go));\n" TEST_(GO)},
    {"a send to nobody", LINT_NOBODY,
     HEAD B A("b_ref other;", "", "send(self->other, hit); send(self->b, hit);",
              "") TEST_(GO)},
    {"a reference used before it is set", LINT_UNSET,
     HEAD B A("tr_ref r;", "TR_HANDLER(a, hit) { send_any(self->r, hit); }\n",
              "self->r = (tr_ref)self->b;", ", TR_ON(hit, a_hit)")
         TEST_(GO "send(y, hit);")},
    {"a reference tested before it is used", -1,
     HEAD B A("tr_ref r;",
              "TR_HANDLER(a, hit) { if (self->r) send_any(self->r, hit); }\n",
              "self->r = (tr_ref)self->b;", ", TR_ON(hit, a_hit)")
         TEST_(GO "send(y, hit);")},
    {"a reference whose use only its setting brings about", -1,
     HEAD B A("tr_ref r;", "TR_HANDLER(a, hit) { send_any(self->r, hit); }\n",
              "self->r = (tr_ref)self->b; send(me(a), hit);",
              ", TR_ON(hit, a_hit)") TEST_(GO)},
    {"a reference used only in a behaviour that comes after", -1,
     HEAD B "struct a { b_ref b; tr_ref r; };\nTR_STATES(a, off, on);\n"
            "TR_HANDLER(a, go) { self->r = (tr_ref)self->b; become(a, on); }\n"
            "TR_HANDLER(a, hit) { send_any(self->r, hit); }\n"
            "TR_BEHAVIOUR(a, off, TR_ON(go, a_go), TR_DEFER(hit));\n"
            "TR_BEHAVIOUR(a, on, TR_ON(hit, a_hit), TR_IGNORE(go));\n"
            "TR_CLASS(a, .start = &a_off);\n" TEST_(GO "send(y, hit);")},
};

TEST(each_rule_tells_what_it_should_and_nothing_else)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct program p = program_of(cases[i].source, NULL, false);
        struct lints all = {0};
        uint32_t told = 0;
        bool right = p.f != NULL;
        if (p.f)
            flow_lint(p.f, &all);
        for (uint32_t k = 0; k < all.at.n; k++) {
            if (all.at.at[k].note)
                continue;
            told++;
            right &= (int)all.at.at[k].kind == cases[i].kind &&
                     all.at.at[k].line > 0;
        }
        if (!right || (told > 0) != (cases[i].kind >= 0)) {
            fprintf(stderr, "%s:\n", cases[i].what);
            for (uint32_t k = 0; k < all.at.n; k++)
                fprintf(stderr, "  %u %s: %s\n", all.at.at[k].line,
                        lint_id(all.at.at[k].kind), all.at.at[k].text);
            CHECK(false);
        }
        vec_free(&all.at);
        program_free(&p);
    }
}

// Every function that the table of the C library says to wait, called by a
// handler.
TEST(all_functions_that_wait_are_told)
{
    struct text source = {0};
    uint32_t waiting = 0, told = 0;
    for (uint32_t i = 0; i < libc_n; i++)
        if (libc_rows[i].does & LIBC_BLOCKS)
            text_format(&source, "long wait_%u(void) __asm__(\"%s\");\n", i,
                        libc_rows[i].name);
    text_format(&source, "TR_SIGNAL(hit); TR_PROTOCOL(b, hit);\n"
                         "struct b { int n; }; TR_HANDLER(b, hit) {\n");
    for (uint32_t i = 0; i < libc_n; i++)
        if (libc_rows[i].does & LIBC_BLOCKS) {
            text_format(&source, "wait_%u();\n", i);
            waiting++;
        }
    text_format(&source, "}\nTR_BEHAVIOUR(b, on, TR_ON(hit, b_hit));\n"
                         "TR_CLASS(b, .start = &b_on);\n"
                         "TR_TEST(t) { send(spawn(b), hit); }\n");
    struct program p = program_of(text_get(&source), NULL, false);
    struct lints all = {0};
    if (p.f)
        flow_lint(p.f, &all);
    for (uint32_t k = 0; k < all.at.n; k++)
        told += all.at.at[k].kind == LINT_BLOCKING;
    CHECK_EQ(told, waiting);
    vec_free(&all.at);
    text_free(&source);
    program_free(&p);
}

TEST_MAIN()

// Reading: types, control flow, tables, several files, the cache, bad input.
#include "ir/interp.h"

#include "base/diag.h"
#include "scratch.h"
#include "test.h"

#include <stdlib.h>
#include <unistd.h>

static scratch_path dir;

static const char *file(const char *name)
{
    static char paths[8][SCRATCH + 64];
    static unsigned next;
    char *p = paths[next++ % 8];
    snprintf(p, sizeof paths[0], "%s/%s", dir, name);
    return p;
}

static const char *write_file(const char *name, const char *text)
{
    const char *path = file(name);
    FILE *f = fopen(path, "w");
    if (f) {
        fputs(text, f);
        fclose(f);
    }
    return path;
}

static struct ir *load(const char *path, const char *second, struct diag *d)
{
    const char *paths[] = {path, second}, *flags[] = {"-Iinclude"};
    struct ir_options o = {.flags = flags, .n_flags = 1, .cache = dir};
    return ir_load(paths, second ? 2 : 1, &o, d);
}

static struct ir *load_text(const char *text)
{
    struct diag d = {0};
    struct ir *ir = load(write_file("a.c", text), NULL, &d);
    if (!ir)
        diag_print(&d, stderr);
    const char *wrong = ir ? ir_check(ir, &ir->arena) : "not loaded";
    if (wrong)
        fprintf(stderr, "%s\n", wrong);
    CHECK(!wrong);
    diag_free(&d);
    return ir;
}

static const struct ir_fn *fn_of(const struct ir *ir, const char *name)
{
    uint32_t f = ir_find_fn(ir, name);
    return f == IR_NOTHING ? NULL : ir->fns.at[f];
}

static uint32_t count(const struct ir_fn *f, enum ir_op op, int sub)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->insts.n; i++)
        n += f->insts.at[i].op == op && (sub < 0 || f->insts.at[i].sub == sub);
    return n;
}

static uint64_t run(const struct ir *ir, const char *name, uint64_t a,
                    uint64_t b)
{
    struct interp *p = interp_new(ir, NULL);
    union ir_bits args[2] = {{.i = a}, {.i = b}}, r = {.i = 0};
    interp_budget(p, 1000000);
    struct interp_outcome o = interp_call(p, ir_find_fn(ir, name), args, 2, &r);
    CHECK_EQ(o.end, INTERP_RETURNED);
    interp_free(p);
    return (uint64_t)r.i;
}

// ---- debug types --------------------------------------------------------

TEST(debug_types_have_names_offsets_bits_and_values)
{
    struct ir *ir = load_text(
        "enum colour { RED, GREEN = 7, BLUE = -2 };\n"
        "struct in { char c; short v[3][2]; };\n"
        "struct s { int a : 3; unsigned b : 7; struct in in; double d;\n"
        "  union { long l; float f; }; enum colour colour; _Bool yes;\n"
        "  struct s *next; char text[]; };\n"
        "int f(struct s *p) { return p->a; }\n");
    uint32_t s = ir_find_struct(ir, "s");
    const struct ir_dtype *t = &ir->types.at[s];
    CHECK_EQ(t->kind, IR_D_STRUCT);
    CHECK_EQ(t->n, 9);
    CHECK_TEXT(t->members[1].name, "b");
    CHECK_EQ(t->members[1].bit, 3);
    CHECK_EQ(t->members[1].bits, 7);
    CHECK_TEXT(t->members[2].name, "in");
    CHECK_EQ(t->members[2].bits, 0);
    const struct ir_dtype *in = &ir->types.at[t->members[2].type];
    const struct ir_dtype *v = &ir->types.at[in->members[1].type];
    CHECK_EQ(v->kind, IR_D_ARRAY);
    CHECK_EQ(v->count, 3);
    CHECK_EQ(ir->types.at[v->base].count, 2);
    CHECK_EQ(v->size, 12);
    const struct ir_dtype *e =
        &ir->types.at[ir_bare_type(ir, t->members[5].type)];
    CHECK_EQ(e->kind, IR_D_ENUM);
    CHECK_TEXT(e->values[1].name, "GREEN");
    CHECK_EQ(e->values[1].value, 7);
    CHECK_EQ(e->values[2].value, -2);
    CHECK_EQ(ir->types.at[t->members[6].type].kind, IR_D_BOOL);
    CHECK_EQ(ir->types.at[t->members[7].type].base, s);
    char path[64];
    ir_path(ir, s, t->members[2].bit / 8 + 8, path, sizeof path);
    CHECK_TEXT(path, "in.v[][]");
    ir_free(ir);
}

static const struct ir_dtype *type_at(const struct ir *ir, uint32_t type)
{
    CHECK(type != IR_NOTHING);
    return &ir->types.at[type];
}

TEST(debug_types_keep_what_a_declaration_needs)
{
    struct ir *ir = load_text(
        "typedef int number;\n"
        "struct s { const struct s *next; int (*each)(const char *, ...); };\n"
        "const void *f(const char *const *names, volatile number *n,\n"
        "  struct s *s) { struct in { int a; } i = {*n}; return &s[i.a]; }\n"
        "void g(void) {}\n");
    const struct ir_fn *f = ir->fns.at[ir_find_fn(ir, "f")];
    const struct ir_dtype *names = type_at(ir, f->types[1]);
    const struct ir_dtype *each = type_at(ir, names->base);
    CHECK_EQ(each->qualifiers, IR_Q_CONST);
    CHECK_EQ(type_at(ir, each->base)->kind, IR_D_POINTER);
    CHECK_EQ(type_at(ir, type_at(ir, each->base)->base)->qualifiers,
             IR_Q_CONST);
    const struct ir_dtype *n = type_at(ir, type_at(ir, f->types[2])->base);
    CHECK_EQ(n->qualifiers, IR_Q_VOLATILE);
    CHECK_TEXT(n->name, "number");
    CHECK_EQ(n->size, 4);
    const struct ir_dtype *nothing =
        type_at(ir, type_at(ir, f->types[0])->base);
    CHECK_EQ(nothing->qualifiers, IR_Q_CONST);
    CHECK_EQ(nothing->base, IR_NOTHING);
    const struct ir_dtype *s = type_at(ir, ir_find_struct(ir, "s"));
    const struct ir_dtype *call =
        type_at(ir, type_at(ir, s->members[1].type)->base);
    CHECK_EQ(call->kind, IR_D_FUNCTION);
    CHECK_EQ(call->n, 1);
    CHECK(call->variadic);
    CHECK_EQ(type_at(ir, call->base)->size, 4);
    const struct ir_fn *nothing_at_all = ir->fns.at[ir_find_fn(ir, "g")];
    CHECK_EQ(nothing_at_all->n_types, 1);
    CHECK_EQ(nothing_at_all->types[0], IR_NOTHING);
    CHECK(type_at(ir, ir_find_struct(ir, "in"))->local);
    CHECK(!s->local);
    ir_free(ir);
}

// ---- control flow -------------------------------------------------------

TEST(dominators_and_loops)
{
    struct ir *ir = load_text("int f(int n) { int s = 0;\n"
                              "  for (int i = 0; i < n; i++)\n"
                              "    for (int k = 0; k < i; k++)\n"
                              "      if (k & 1) s += k; else s -= 1;\n"
                              "  return s; }\n");
    const struct ir_fn *f = fn_of(ir, "f");
    uint32_t deepest = 0, last = IR_NOTHING;
    for (uint32_t b = 0; b < f->blocks.n; b++) {
        CHECK(ir_dominates(f, 0, b));
        if (f->blocks.at[b].depth > deepest)
            deepest = f->blocks.at[b].depth;
        if (!f->blocks.at[b].n_succs)
            last = b;
    }
    CHECK_EQ(deepest, 2);
    CHECK(ir_postdominates(f, last, 0));
    CHECK_EQ(f->blocks.at[last].depth, 0);
    CHECK_EQ((int32_t)run(ir, "f", 4, 0), -2);
    ir_free(ir);
}

TEST(an_endless_loop_has_no_postdominator)
{
    struct ir *ir = load_text("int g; void f(int n) { if (n) for (;;) g++; }");
    const struct ir_fn *f = fn_of(ir, "f");
    uint32_t loops = 0;
    for (uint32_t b = 0; b < f->blocks.n; b++)
        if (f->blocks.at[b].depth) {
            loops++;
            CHECK(f->blocks.at[b].ipdom == IR_NOTHING ||
                  f->blocks.at[f->blocks.at[b].ipdom].depth);
        }
    CHECK(loops > 0);
    ir_free(ir);
}

// ---- traps --------------------------------------------------------------

TEST(what_can_go_wrong_is_a_branch_to_a_trap)
{
    struct ir *ir = load_text("#include <assert.h>\n#include <stdlib.h>\n"
                              "struct s { int a, b, v[4]; };\n"
                              "int f(struct s *p, int i) {\n"
                              "  assert(i != 7);\n"
                              "  if (i == 9) abort();\n"
                              "  return p->a + p->b + p->v[i] / (i - 1); }\n");
    const struct ir_fn *f = fn_of(ir, "f");
    CHECK_EQ(count(f, IR_TRAP, IR_TRAP_NULL), 1); // once, though used thrice
    CHECK_EQ(count(f, IR_TRAP, IR_TRAP_DIVISION), 2); // zero; does not fit
    CHECK_EQ(count(f, IR_TRAP, IR_TRAP_BOUNDS), 1);
    CHECK_EQ(count(f, IR_TRAP, IR_TRAP_ASSERT), 1);
    CHECK_EQ(count(f, IR_TRAP, IR_TRAP_ABORT), 1);
    static const struct {
        uint64_t i;
        enum ir_trap trap;
    } cases[] = {{7, IR_TRAP_ASSERT},
                 {9, IR_TRAP_ABORT},
                 {4, IR_TRAP_BOUNDS},
                 {1, IR_TRAP_DIVISION}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct interp *p = interp_new(ir, NULL);
        union ir_bits args[2] = {{.i = interp_alloc(p, 24)}, {.i = cases[k].i}};
        struct interp_outcome o = interp_call(p, f->id, args, 2, NULL);
        CHECK_EQ(o.end, INTERP_TRAPPED);
        CHECK_EQ(o.trap, cases[k].trap);
        interp_free(p);
    }
    ir_free(ir);
}

TEST(what_has_no_meaning_is_kept_with_its_place)
{
    struct ir *ir =
        load_text("#include <setjmp.h>\n"
                  "int f(int n) {\n"
                  "  static void *to[] = {&&one, &&two};\n"
                  "  if (n > 1) return n;\n"
                  "  goto *to[n];\n"
                  "one: return 1;\ntwo: return 2; }\n"
                  "int g(int n) { __asm__(\"nop\" : \"+r\"(n)); return n; }\n"
                  "jmp_buf b; int h(int n) { return n ? setjmp(b) : 3; }\n");
    CHECK_EQ(count(fn_of(ir, "f"), IR_UNSUPPORTED, -1), 1);
    CHECK_EQ(count(fn_of(ir, "g"), IR_UNSUPPORTED, -1), 1);
    CHECK_EQ(run(ir, "f", 5, 0), 5); // not walked over: no matter
    CHECK_EQ(run(ir, "h", 0, 0), 3);
    const struct ir_fn *h = fn_of(ir, "h");
    for (uint32_t i = 0; i < h->insts.n; i++)
        if (h->insts.at[i].op == IR_UNSUPPORTED)
            CHECK_EQ(h->insts.at[i].line, 9);
    ir_free(ir);
}

// ---- C ------------------------------------------------------------------

TEST(arithmetic_of_all_widths)
{
    struct ir *ir = load_text(
        "typedef unsigned __int128 u; \n"
        "unsigned long f(unsigned long a, unsigned long b) {\n"
        "  u x = (u)a * b + 7; return (unsigned long)(x >> 64) ^\n"
        "    (unsigned long)(x % 1000003); }\n"
        "long g(long a, long b) { long double d = (long double)a / b;\n"
        "  return (long)(d * 1000) + (int)(float)b + (a << 3 >> 2); }\n"
        "struct b { unsigned x : 5, y : 11; int z : 9; };\n"
        "int h(int a, int b) { struct b s = {a, b, a - b}; s.y += 3;\n"
        "  return s.x + 1000 * s.y + s.z; }\n"
        "int k(int n, int m) { switch (n) { case 1 ... 3: return 10;\n"
        "  case 7: m++; /* fall */ default: return m; } }\n");
    u128 x = (u128)0x123456789abcdefu * 98765 + 7;
    CHECK_EQ(run(ir, "f", 0x123456789abcdefu, 98765),
             (uint64_t)(x >> 64) ^ (uint64_t)(x % 1000003));
    CHECK_EQ(run(ir, "g", 22, 7), 3142 + 7 + (22 << 3 >> 2));
    CHECK_EQ((int32_t)run(ir, "h", 9, 20), 9 + 23000 - 11);
    CHECK_EQ(run(ir, "k", 2, 5), 10);
    CHECK_EQ(run(ir, "k", 7, 5), 6);
    CHECK_EQ(run(ir, "k", 9, 5), 5);
    ir_free(ir);
}

TEST(varargs_function_pointers_and_static_data)
{
    struct ir *ir = load_text(
        "#include <stdarg.h>\n#include <string.h>\n"
        "static long sum(int n, ...) { va_list l; va_start(l, n); long s = 0;\n"
        "  for (int i = 0; i < n; i++) s += i % 2 ? va_arg(l, long)\n"
        "      : (long)va_arg(l, double); va_end(l); return s; }\n"
        "static int twice(int x) { return 2 * x; }\n"
        "static int minus(int x) { return -x; }\n"
        "static int (*const table[])(int) = {twice, minus};\n"
        "static const char *words[] = {\"one\", \"three\"};\n"
        "long f(int a, int b) { return sum(4, 1.5, 20L, 300.0, 4000L) +\n"
        "  table[a](b) + (long)strlen(words[1]); }\n");
    CHECK_EQ(run(ir, "f", 0, 50), 4321 + 100 + 5);
    CHECK_EQ(run(ir, "f", 1, 50), 4321 - 50 + 5);
    ir_free(ir);
}

// ---- actors -------------------------------------------------------------

TEST(tables_and_operations_of_actors)
{
    struct diag d = {0};
    struct ir *ir = load("examples/bank/bank.c", NULL, &d);
    CHECK(ir);
    if (!ir)
        return;
    CHECK_EQ(ir->classes.n, 2);
    CHECK_EQ(ir->systems.n, 1);
    uint32_t c = ir_find_class(ir, "client");
    const struct ir_behaviour *b = &ir->behaviours.at[ir->classes.at[c].start];
    CHECK_EQ(b->n, 2);
    CHECK_TEXT(ir->msgs.at[b->rows[0].msg].name, "deposit");
    const struct ir_fn *fn = ir->fns.at[b->rows[0].fn];
    CHECK(fn->is_handler);
    CHECK_EQ(count(fn, IR_SEND, -1), 1);
    CHECK_EQ(count(ir->fns.at[b->rows[1].fn], IR_FORWARD, -1), 1);
    const struct ir_fn *setup = ir->fns.at[ir->systems.at[0].fn];
    CHECK_EQ(count(setup, IR_SPAWN, -1), 2);
    CHECK_EQ(count(setup, IR_EXPOSE, -1), 1);
    CHECK_EQ(count(fn, IR_TRAP, -1), 0); // self and msg are never null
    ir_free(ir);
}

// ---- files --------------------------------------------------------------

TEST(several_files_are_linked)
{
    struct diag d = {0};
    write_file("m.h", "#include \"troupe_short.h\"\n"
                      "struct m { int n; }; TR_MESSAGE(m);\n"
                      "TR_PROTOCOL(a, m); void poke(tr_ctx *, a_ref);\n");
    const char *one =
        write_file("one.c", "#include \"m.h\"\nstruct a { int n; };\n"
                            "TR_HANDLER(a, m) { self->n += msg->n; }\n"
                            "TR_BEHAVIOUR(a, on, TR_ON(m, a_m));\n"
                            "TR_CLASS(a, .start = &a_on);\n"
                            "TR_SYSTEM(s) { poke(ctx, spawn(a)); }\n");
    const char *two =
        write_file("two.c", "#include \"m.h\"\nvoid poke(tr_ctx *ctx, a_ref r)"
                            " { send(r, m, .n = 1); }\n");
    struct ir *ir = load(one, two, &d);
    CHECK(ir);
    if (!ir)
        diag_print(&d, stderr);
    if (ir) {
        CHECK_EQ(ir->msgs.n, 1);
        CHECK_EQ(ir->classes.n, 1);
        CHECK_EQ(ir->systems.n, 1);
        CHECK(fn_of(ir, "poke")->defined);
    }
    ir_free(ir);
}

TEST(the_cache_sees_changed_headers)
{
    struct diag d = {0};
    struct arena a = {0};
    struct ir_options o = {.cache = dir};
    bool fresh;
    write_file("n.h", "enum { N = 1 };\n");
    const char *path =
        write_file("n.c", "#include \"n.h\"\nint n(void) { return N; }\n");
    const char *first = ir_compile(&a, path, &o, &fresh, &d);
    CHECK(first && fresh);
    const char *again = ir_compile(&a, path, &o, &fresh, &d);
    CHECK(again && !fresh);
    CHECK_TEXT(again, first);
    write_file("n.h", "enum { N = 2 };\n");
    const char *other = ir_compile(&a, path, &o, &fresh, &d);
    CHECK(other && fresh && strcmp(other, first) != 0);
    write_file("n.h", "enum { N = 1 };\n");
    CHECK_TEXT(ir_compile(&a, path, &o, &fresh, &d), first);
    CHECK(!fresh);
    arena_free(&a);
}

TEST(flags_come_from_compile_commands)
{
    struct diag d = {0};
    struct arena a = {0};
    char database[512];
    const char *path = write_file("f.c", "int n(void) { return GIVEN; }\n");
    snprintf(database, sizeof database,
             "[{\"directory\": \"%s\", \"file\": \"f.c\", \"command\": "
             "\"gcc -O2 -c '-DGIVEN=(4 + 1)' -fanalyzer -o f.o f.c\"}]",
             dir);
    struct ir_options o = {.cache = dir,
                           .database = write_file("db.json", database)};
    const char *bc = ir_compile(&a, path, &o, NULL, &d);
    CHECK(bc);
    struct ir *ir = bc ? ir_load(&bc, 1, NULL, &d) : NULL;
    CHECK(ir && run(ir, "n", 0, 0) == 5);
    ir_free(ir);
    arena_free(&a);
}

static void refuse(const char *path, const char *words)
{
    struct diag d = {0};
    struct ir *ir = load(path, NULL, &d);
    CHECK(!ir);
    CHECK_EQ(d.status, EXIT_USAGE);
    if (!d.text || !strstr(d.text, words)) {
        fprintf(stderr, "%s: not '%s'\n", d.text ? d.text : "(null)", words);
        CHECK(false);
    }
    CHECK(!d.text || !strchr(d.text, '\n')); // one sentence
    ir_free(ir);
    diag_free(&d);
}

TEST(bad_input_is_refused_in_one_sentence)
{
    char command[512];
    refuse(file("absent.c"), "cannot be read");
    refuse(write_file("junk.bc", "not bitcode at all"), "not LLVM bitcode");
    refuse(write_file("cut.bc", "BC\xc0\xde garbage garbage"), "bitcode");
    refuse(write_file("broken.c", "int f( { return 1 }\n"), "error:");
    refuse(write_file("missing.c", "#include \"nowhere.h\"\n"), "nowhere.h");
    refuse(write_file("broken.ll", "define what\n"), "not LLVM IR");
    const char *plain = write_file("plain.c", "int f(void) { return 1; }\n");
    snprintf(command, sizeof command, "clang-19 -c -emit-llvm %s -o %s", plain,
             file("plain.bc"));
    CHECK(system(command) == 0);
    refuse(file("plain.bc"), "no debug info");
}

int tests_main(int argc, char **argv);
#define main tests_main
TEST_MAIN()
#undef main

int main(int argc, char **argv)
{
    scratch_new(dir);
    int status = tests_main(argc, argv);
    scratch_remove(dir);
    return status;
}

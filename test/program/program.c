#include "program/program.h"

#include "base/arena.h"
#include "base/diag.h"
#include "scratch.h"
#include "program/build.h"
#include "test.h"

static const char program_h[] =
    "#include \"troupe_short.h\"\n"
    "struct deposit { double amount; }; TR_MESSAGE(deposit);\n"
    "TR_SIGNAL(flush);\n"
    "TR_PROTOCOL(server, deposit, flush);\n";

static const char one_c[] =
    "#include \"p.h\"\n"
    "struct server { double balance; };\n"
    "static int counter = 7; int zeroed[100];\n"
    "static __thread int mine = 3;\n"
    "TR_STATES(server, open, shut);\n"
    "TR_HANDLER(server, deposit) {\n"
    "    self->balance += msg->amount + counter + mine;\n"
    "}\n"
    "TR_HANDLER(server, flush) { become(server, shut); counter++; }\n"
    "TR_BEHAVIOUR(server, open, TR_ON(deposit, server_deposit),\n"
    "             TR_ON(flush, server_flush));\n"
    "TR_BEHAVIOUR(server, shut, TR_DEFER(deposit), TR_IGNORE(flush));\n"
    "TR_CLASS(server, .start = &server_open);\n"
    "TR_HOT(server, shut);\n"
    "TR_SYSTEM(bank) { server_ref s = spawn(server); expose(s); }\n"
    "TR_TEST(first) { spawn(server); mine++; }\n"
    "TR_TEST(second, .timeout_ms = 5) { spawn(server); }\n";

static const char two_c[] =
    "#include \"p.h\"\n"
    "TR_TEST(third) { server_ref s = 0; send(s, flush); }\n"
    "TR_INVARIANT(fine) { return true; }\n";

static struct program *load(struct arena *a, const char *const *inputs,
                            uint32_t n, struct diag *d)
{
    struct build_options o = {.inputs = inputs, .n_inputs = n};
    struct built b;
    if (!build_program(a, &o, &b, d))
        return NULL;
    return program_load(b.path, d);
}

static struct program *load_both(struct arena *a)
{
    static const char *const inputs[] = {"one.c", "two.c"};
    struct diag d = {0};
    scratch_write("p.h", program_h);
    scratch_write("one.c", one_c);
    scratch_write("two.c", two_c);
    struct program *p = load(a, inputs, 2, &d);
    diag_print(&d, stderr);
    diag_free(&d);
    return p;
}

TEST(program_has_what_its_sources_declare)
{
    scratch_enter();
    struct arena a = {0};
    struct program *p = load_both(&a);
    CHECK(p != NULL);
    if (!p)
        return;
    CHECK_EQ(p->n_tests, 3);
    CHECK_TEXT(p->tests[0]->name, "first");
    CHECK_TEXT(p->tests[1]->name, "second");
    CHECK_TEXT(p->tests[2]->name, "third");
    CHECK_EQ(p->tests[1]->timeout_ms, 5);
    CHECK_EQ(p->n_systems, 1);
    CHECK_EQ(p->n_classes, 1);
    CHECK_EQ(p->n_seen, 4);
    CHECK_EQ(p->n_msgs, 2);
    CHECK_TEXT(p->msgs[0]->name, "deposit");
    CHECK_EQ(p->n_hots, 1);
    CHECK_EQ(p->n_invariants, 1);
    CHECK(program_test(p, "third") == p->tests[2]);
    CHECK(program_test(p, "fourth") == NULL);
    CHECK(program_system(p, "bank") != NULL);
    const tr_class *c = p->classes[0];
    CHECK_TEXT(c->name, "server");
    CHECK(c && c->size == sizeof(double));
    CHECK(program_msg(p, "flush") && program_msg(p, "flush")->size == 1);
    CHECK(!program_hot(p, c, c->start));
    CHECK(program_hot(p, c, p->hots[0]->behaviour));
    program_free(p);
    arena_free(&a);
    scratch_leave();
}

static bool undefined(const struct program *p, const char *name)
{
    for (uint32_t i = 0; i < p->n_undefined; i++)
        if (strcmp(p->undefined[i], name) == 0)
            return true;
    return false;
}

TEST(program_knows_its_memory)
{
    scratch_enter();
    struct arena a = {0};
    struct program *p = load_both(&a);
    CHECK(p != NULL);
    if (!p)
        return;
    size_t size = 0;
    uintptr_t counter = program_address(p, "counter", &size), offset = 0;
    CHECK(counter && size == sizeof(int) && *(int *)counter == 7);
    CHECK(counter >= p->data.from && counter + size <= p->data.to);
    uintptr_t zeroed = program_address(p, "zeroed", &size);
    CHECK(size == 400 && zeroed >= p->data.from && zeroed + 400 <= p->data.to);
    CHECK_TEXT(program_symbol(p, zeroed + 399, &offset), "zeroed");
    CHECK_EQ(offset, 399);
    CHECK(program_symbol(p, 1, NULL) == NULL);
    CHECK_EQ(p->tls_size, sizeof(int));
    uintptr_t fn = (uintptr_t)p->classes[0]->start->on[0].fn;
    CHECK(fn >= p->text.from && fn < p->text.to);
    CHECK_TEXT(program_symbol(p, fn, NULL), "server_deposit");
    // constant tables lie behind RELRO, not in what handlers may change
    uintptr_t table = (uintptr_t)p->classes[0];
    CHECK(table < p->data.from || table >= p->data.to);
    CHECK(undefined(p, "tr_spawn_") && undefined(p, "tr_send_"));
    CHECK(!undefined(p, "server_class"));
    program_free(p);
    arena_free(&a);
    scratch_leave();
}

TEST(program_is_loaded_where_it_was_linked)
{
    scratch_enter();
    struct arena a = {0};
    struct program *p = load_both(&a);
    CHECK(p && p->bias == 0 && p->text.from >= 0x300000000000u);
    program_free(p);
    arena_free(&a);
    scratch_leave();
}

TEST(program_finds_lines_and_functions)
{
    scratch_enter();
    struct arena a = {0};
    struct program *p = load_both(&a);
    CHECK(p != NULL);
    if (!p)
        return;
    uintptr_t fn = (uintptr_t)p->classes[0]->start->on[0].fn;
    struct where w = program_where(p, fn), again = program_where(p, fn);
    CHECK_TEXT(w.file, "one.c");
    CHECK_TEXT(w.function, "server_deposit");
    CHECK(w.line == 6 || w.line == 7);
    CHECK_EQ(w.declared, 6);
    CHECK(again.file == w.file && again.line == w.line);
    fn = (uintptr_t)program_test(p, "third")->run;
    CHECK_TEXT(program_where(p, fn).file, "two.c");
    CHECK_EQ(program_where(p, fn).line, 2);
    CHECK(program_where(p, 16).file == NULL);
    program_free(p);
    arena_free(&a);
    scratch_leave();
}

static void refused(const char *source, const char *words)
{
    static const char *const inputs[] = {"x.c"};
    struct arena a = {0};
    struct diag d = {0};
    scratch_enter();
    scratch_write("x.c", source);
    struct program *p = load(&a, inputs, 1, &d);
    CHECK(p == NULL);
    CHECK_EQ(d.status, EXIT_USAGE);
    CHECK(d.text && strstr(d.text, words));
    program_free(p);
    diag_free(&d);
    arena_free(&a);
    scratch_leave();
}

TEST(program_without_tests_is_refused)
{
    refused("int f(void) { return 1; }\n", "no tests, systems or classes");
}

TEST(program_with_a_missing_symbol_is_refused)
{
    refused("#include \"troupe.h\"\nvoid nowhere(void);\n"
            "TR_TEST(t) { nowhere(); }\n",
            "'nowhere' is not defined");
}

TEST(two_structs_of_one_name_are_refused)
{
    static const char *const inputs[] = {"x.c", "y.c"};
    struct arena a = {0};
    struct diag d = {0};
    scratch_enter();
    scratch_write("x.c", "#include \"troupe.h\"\nstruct m { int a; };\n"
                         "TR_MESSAGE(m);\nTR_TEST(t) { }\n");
    scratch_write("y.c", "#include \"troupe.h\"\nstruct m { int a, b; };\n"
                         "TR_MESSAGE(m);\n");
    struct program *p = load(&a, inputs, 2, &d);
    CHECK(p == NULL);
    CHECK(d.text && strstr(d.text, "y.c: error: message 'm' has two"));
    diag_free(&d);
    arena_free(&a);
    scratch_leave();
}

TEST(files_that_are_no_objects_are_refused)
{
    struct diag d = {0};
    scratch_enter();
    scratch_write("x.so", "no object at all");
    CHECK(program_load("x.so", &d) == NULL);
    CHECK_TEXT(d.text, "error: 'x.so' is not an ELF file");
    diag_free(&d);
    CHECK(program_load("nothing.so", &d) == NULL);
    CHECK_TEXT(d.text, "error: cannot read 'nothing.so': "
                       "No such file or directory");
    diag_free(&d);
    scratch_leave();
}

// A file that is cut off must not be mapped; one with bytes changed may fail
// in any way but a crash here.
TEST(damaged_objects_are_refused)
{
    scratch_enter();
    struct arena a = {0};
    struct program *p = load_both(&a);
    CHECK(p != NULL);
    if (!p)
        return;
    char command[300];
    for (int size = 0; size < 16000; size += 500) {
        snprintf(command, sizeof command, "head -c %d '%s' > cut.so", size,
                 p->path);
        struct diag d = {0};
        CHECK(system(command) == 0);
        CHECK(program_load("cut.so", &d) == NULL);
        CHECK_EQ(d.status, EXIT_USAGE);
        diag_free(&d);
    }
    program_free(p);
    arena_free(&a);
    scratch_leave();
}

// Links the library's face into this executable, so that programs find it.
TEST(library_is_there)
{
    CHECK_TEXT(tr_strerror(TR_EFULL), "mailbox is full");
}

TEST_MAIN()

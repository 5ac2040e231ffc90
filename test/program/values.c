#include "program/values.h"

#include "base/arena.h"
#include "base/diag.h"
#include "base/rng.h"
#include "base/text.h"
#include "scratch.h"
#include "program/build.h"
#include "program/program.h"
#include "test.h"

// The program under test declares the same structs as this file.
#define STRUCTS                                                                \
    enum color { RED, GREEN = 5, BLUE };                                       \
    enum flags { READ = 1, WRITE = 2, EXEC = 4 };                              \
    struct point {                                                             \
        int x, y;                                                              \
    };                                                                         \
    struct big {                                                               \
        char name[8];                                                          \
        signed char small;                                                     \
        int n;                                                                 \
        unsigned lo : 3, mid : 7;                                              \
        int neg : 4;                                                           \
        bool on : 1;                                                           \
        struct point p;                                                        \
        enum color c;                                                          \
        enum flags f;                                                          \
        double w[3];                                                           \
        float half;                                                            \
        bool yes;                                                              \
        char letter;                                                           \
        const char *text;                                                      \
        int *to;                                                               \
        void (*fn)(void);                                                      \
        union {                                                                \
            uint32_t word;                                                     \
            uint8_t bytes[4];                                                  \
        } u;                                                                   \
        struct {                                                               \
            short inner;                                                       \
        };                                                                     \
        int many[40];                                                          \
        int grid[2][2];                                                        \
        uint64_t wide;                                                         \
        _Atomic int atom;                                                      \
        long double ld;                                                        \
    };
#define WORDS_(...) #__VA_ARGS__
#define WORDS(...) WORDS_(__VA_ARGS__)

STRUCTS

static const char program_c[] = "#include \"troupe_short.h\"\n" WORDS(
    STRUCTS) "\n"
             "TR_MESSAGE(big); TR_SIGNAL(tick);\n"
             "struct part { union { struct { uint16_t code; uint8_t mods; } "
             "key;"
             " struct { int16_t x, y; } at; float level; } u; };\n"
             "TR_MESSAGE(part); struct part part_of_all;\n"
             "struct look { void *who; }; TR_MESSAGE(look);\n"
             "TR_PROTOCOL(server, big, tick);\n"
             "struct gap { char a; int b; char c; server_ref to; tr_ref any; "
             "};\n"
             "TR_MESSAGE(gap);\n"
             "struct server { struct gap g; };\n"
             "int global; void function(void) { global++; }\n"
             "const char *const literal = \"it's\\n\";\n"
             "TR_HANDLER(server, big) { self->g.b = msg->n; }\n"
             "TR_BEHAVIOUR(server, open, TR_ON(big, server_big));\n"
             "TR_CLASS(server, .start = &server_open);\n";

struct gap { // as in the program
    char a;
    int b;
    char c;
    void *to, *any;
};

struct setting {
    struct arena arena;
    struct program *program;
    struct values *values;
    struct text out;
};

static void open(struct setting *s, const char *flag)
{
    static const char *const inputs[] = {"v.c"};
    struct diag d = {0};
    struct built b;
    *s = (struct setting){0};
    scratch_enter();
    scratch_write("v.c", program_c);
    struct build_options o = {
        .inputs = inputs, .n_inputs = 1, .flags = &flag, .n_flags = !!flag};
    if (!build_program(&s->arena, &o, &b, &d) ||
        !(s->program = program_load(b.path, &d))) {
        diag_print(&d, stderr);
        exit(1);
    }
    s->values = values_new(s->program);
}

static void shut(struct setting *s)
{
    values_free(s->values);
    program_free(s->program);
    text_free(&s->out);
    arena_free(&s->arena);
    scratch_leave();
}

static struct big sample(struct setting *s)
{
    struct big b;
    memset(&b, 0xee, sizeof b); // padding is garbage
    b = (struct big){.name = "abc",
                     .small = -3,
                     .n = -7,
                     .lo = 5,
                     .mid = 100,
                     .neg = -2,
                     .on = true,
                     .p = {1, 2},
                     .c = GREEN,
                     .f = READ | EXEC,
                     .w = {1.5, 2, 0.1},
                     .half = 0.1f,
                     .yes = true,
                     .letter = 'x',
                     .u = {258},
                     .inner = 9,
                     .many = {1},
                     .grid = {{1, 2}, {3, 4}},
                     .wide = UINT64_MAX,
                     .atom = 4,
                     .ld = 0.5L};
    uintptr_t at = program_address(s->program, "literal", NULL);
    b.text = *(const char *const *)at;
    b.to = (int *)program_address(s->program, "global", NULL);
    b.fn = (void (*)(void))program_address(s->program, "function", NULL);
    return b;
}

static const char expected[] =
    "{.name = \"abc\", .small = -3, .n = -7, .lo = 5, .mid = 100, .neg = -2, "
    ".on = true, .p = {.x = 1, .y = 2}, .c = GREEN, .f = READ|EXEC, "
    ".w = {1.5, 2, 0.1}, .half = 0.1, .yes = true, .letter = 'x', "
    ".text = \"it's\\n\", .to = &global, .fn = &function, "
    ".u = {.word = 258 | .bytes = {2, 1, 0, 0}}, .inner = 9, "
    ".many = {1, 0 (39 times)}, .grid = {{1, 2}, {3, 4}}, "
    ".wide = 18446744073709551615, .atom = 4, .ld = 0.5}";

static void prints_all(const char *flag)
{
    struct setting s;
    open(&s, flag);
    struct big b = sample(&s);
    values_print(s.values, "big", &b, sizeof b, NULL, &s.out);
    CHECK_TEXT(text_get(&s.out), expected);
    shut(&s);
}

TEST(values_are_printed_by_field)
{
    prints_all(NULL);
}

// Bit-fields have another form in older DWARF.
TEST(values_are_printed_from_older_debug_information)
{
    prints_all("-gdwarf-3");
    prints_all("-gdwarf-4");
}

TEST(values_are_printed_whatever_compiler_made_them)
{
    if (system("command -v clang >/dev/null") != 0)
        return;
    const char *was = getenv("CC");
    char *keep = was ? strdup(was) : NULL;
    setenv("CC", "clang", 1);
    prints_all(NULL);
    prints_all("-gdwarf-3");
    if (keep)
        setenv("CC", keep, 1);
    else
        unsetenv("CC");
    free(keep);
}

static bool name_of(void *user, uintptr_t ref, struct text *out)
{
    if (ref != 0x30)
        return false;
    text_format(out, "%s#1", (const char *)user);
    return true;
}

TEST(references_are_printed_as_names)
{
    struct setting s;
    char who[] = "server";
    struct values_names names = {.ref = name_of, .user = who};
    open(&s, NULL);
    struct gap g = {1, 2, 3, (void *)0x30, NULL};
    values_print(s.values, "gap", &g, sizeof g, &names, &s.out);
    CHECK_TEXT(text_get(&s.out),
               "{.a = 1, .b = 2, .c = 3, .to = server#1, .any = NULL}");
    text_clear(&s.out);
    values_print(s.values, "tick", "", 1, NULL, &s.out);
    CHECK_TEXT(text_get(&s.out), "");
    shut(&s);
}

TEST(differences_name_fields)
{
    struct setting s;
    open(&s, NULL);
    struct big a = sample(&s), b = a;
    CHECK_EQ(values_diff(s.values, "big", &a, &b, sizeof a, NULL, NULL, &s.out),
             0);
    CHECK_TEXT(text_get(&s.out), "");
    b.p.y = 3;
    b.many[7] = 5;
    b.name[0] = 'A';
    b.mid = 101;
    b.inner = 10;
    CHECK_EQ(values_diff(s.values, "big", &a, &b, sizeof a, NULL, NULL, &s.out),
             5);
    CHECK_TEXT(text_get(&s.out),
               "name \"abc\" -> \"Abc\", mid 100 -> 101, p.y 2 -> 3, "
               "inner 9 -> 10, many[7] 0 -> 5");
    shut(&s);
}

TEST(padding_is_masked_and_makes_no_difference)
{
    struct setting s;
    open(&s, NULL);
    struct gap a, b;
    memset(&a, 0x11, sizeof a);
    memset(&b, 0x22, sizeof b);
    a.a = b.a = 1, a.b = b.b = 2, a.c = b.c = 3;
    a.to = b.to = a.any = b.any = NULL;
    CHECK_EQ(values_diff(s.values, "gap", &a, &b, sizeof a, NULL, NULL, &s.out),
             0);
    const unsigned char *m = values_mask(s.values, "gap", sizeof a);
    CHECK(m && m == values_mask(s.values, "gap", sizeof a));
    for (size_t i = 0; m && i < sizeof a; i++)
        CHECK_EQ(m[i], i == 0 || (i >= 4 && i < 9) || i >= 16 ? 0xff : 0);
    m = values_mask(s.values, "big", sizeof(struct big));
    CHECK(m && m[offsetof(struct big, small) + 1] == 0);
    CHECK(m && m[offsetof(struct big, n) + 4] == 0xff);
    CHECK(m && m[offsetof(struct big, n) + 5] == 0x7f);
    CHECK(values_mask(s.values, "gap", 3) == NULL);
    bool loose[sizeof(struct big)];
    values_loose(s.values, "big", sizeof loose, loose);
    CHECK(loose[0] && loose[7] && !loose[offsetof(struct big, small)]);
    CHECK(!loose[offsetof(struct big, n)] && !loose[offsetof(struct big, w)]);
    values_loose(s.values, "nothing", 3, loose);
    CHECK(loose[0] && loose[2]);
    CHECK(values_mask(s.values, "nothing", 8) == NULL);
    shut(&s);
}

TEST(fields_are_listed_and_found_by_offset)
{
    struct setting s;
    struct values_field f;
    open(&s, NULL);
    CHECK(values_field(s.values, "gap", sizeof(struct gap), 3, &f));
    CHECK_TEXT(f.type, "server_ref");
    CHECK_TEXT(f.name, "to");
    CHECK_EQ(f.offset, offsetof(struct gap, to));
    CHECK(!values_field(s.values, "gap", sizeof(struct gap), 5, &f));
    CHECK(!values_field(s.values, "tick", 1, 0, &f));
    CHECK(values_field(s.values, "big", sizeof(struct big), 0, &f));
    CHECK_TEXT(f.type, "char[8]");
    CHECK(values_field(s.values, "big", sizeof(struct big), 4, &f));
    CHECK_EQ(f.bits, 7);
    CHECK(values_field_at(s.values, "big", sizeof(struct big),
                          offsetof(struct big, p.y), &s.out));
    CHECK_TEXT(text_get(&s.out), "p.y");
    text_clear(&s.out);
    CHECK(values_field_at(s.values, "big", sizeof(struct big),
                          offsetof(struct big, many[5]), &s.out));
    CHECK_TEXT(text_get(&s.out), "many[5]");
    CHECK(!values_field_at(s.values, "gap", sizeof(struct gap), 1, &s.out));
    shut(&s);
}

TEST(without_debug_information_values_are_bytes)
{
    struct setting s;
    open(&s, "-g0");
    struct gap a = {0}, b = {0};
    b.b = 0x1234;
    CHECK(!values_known(s.values));
    values_print(s.values, "gap", &b, 8, NULL, &s.out);
    CHECK_TEXT(text_get(&s.out), "00000000 34120000");
    text_clear(&s.out);
    CHECK_EQ(values_diff(s.values, "gap", &a, &b, 8, NULL, NULL, &s.out), 1);
    CHECK_TEXT(text_get(&s.out), "00000000 00000000 -> 00000000 34120000");
    CHECK(values_mask(s.values, "gap", sizeof a) == NULL);
    shut(&s);
}

// Links the library's face into this executable, so that programs find it.
TEST(library_is_there)
{
    CHECK_TEXT(tr_strerror(0), tr_strerror(TR_OK));
}

static size_t read_here(void *user, uintptr_t at, char *out, size_t most)
{
    const struct big *b = user;
    if (at == (uintptr_t)b->to && most >= sizeof *b->to) {
        memcpy(out, b->to, sizeof *b->to);
        return sizeof *b->to;
    }
    size_t n = at == (uintptr_t)b->text ? strlen(b->text) + 1 : 0;
    n = n < most ? n : most;
    memcpy(out, b->text, n);
    return n;
}

static void *block_here(void *user, size_t size)
{
    return arena_zero(user, size);
}

static void fill(struct big *b, struct rng *rng)
{
    unsigned char *p = (unsigned char *)b;
    for (size_t i = 0; i < sizeof *b; i++)
        p[i] = rng_below(rng, 3) ? 0 : (unsigned char)rng_next(rng);
    memset(&b->ld, 0, sizeof b->ld);
    b->ld = (long double)(int64_t)rng_next(rng) / 3;
    memcpy(&b->yes, &(char){(char)rng_below(rng, 2)}, 1);
    b->to = NULL;
    b->text = NULL;
    b->fn = NULL;
}

TEST(exact_text_reads_back_as_the_same_bytes)
{
    struct setting s;
    struct rng rng = rng_of(7);
    struct big b, back;
    open(&s, NULL);
    const unsigned char *mask =
        values_mask(s.values, "big", sizeof(struct big));
    struct values_names names = {.user = &b, .read = read_here, .exact = true};
    for (int round = 0; round < 500; round++) {
        struct text why = {0};
        fill(&b, &rng);
        text_clear(&s.out);
        values_print(s.values, "big", &b, sizeof b, &names, &s.out);
        bool ok = values_parse(s.values, "big", text_get(&s.out), &back,
                               sizeof back, NULL, &why);
        if (!ok)
            printf("%s: %s\n", text_get(&s.out), text_get(&why));
        CHECK(ok);
        uint32_t differ = 0;
        for (size_t i = 0; i < sizeof b; i++)
            differ +=
                ((((unsigned char *)&b)[i] ^ ((unsigned char *)&back)[i]) &
                 mask[i]) != 0;
        CHECK_EQ(differ, 0);
        text_free(&why);
    }
    shut(&s);
}

// No member of a union tells all bytes of every value: the text names one that
// does.
TEST(a_union_is_told_by_the_member_that_tells_it_all)
{
    struct setting s;
    static const unsigned char rows[][4] = {
        {0x1b, 0, 6, 0}, {0, 0, 0x02, 0x3f}, {0x84, 3, 0x7c, 0xfc}, {0}};
    open(&s, NULL);
    struct values_names names = {.exact = true};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned char back[4];
        text_clear(&s.out);
        values_print(s.values, "part", rows[i], 4, &names, &s.out);
        CHECK(values_parse(s.values, "part", text_get(&s.out), back, 4, NULL,
                           NULL));
        CHECK(memcmp(rows[i], back, 4) == 0);
    }
    shut(&s);
}

TEST(pointers_are_made_anew)
{
    struct setting s;
    int seven = 7;
    struct big b = {.to = &seven, .text = "a \"b\"\n\\"}, back;
    open(&s, NULL);
    struct values_names names = {.user = &b, .read = read_here, .exact = true};
    struct values_makers makers = {.user = &s.arena, .block = block_here};
    values_print(s.values, "big", &b, sizeof b, &names, &s.out);
    CHECK(values_parse(s.values, "big", text_get(&s.out), &back, sizeof back,
                       &makers, NULL));
    CHECK(back.to != &seven && *back.to == 7);
    CHECK_TEXT(back.text, b.text);
    CHECK(!values_parse(s.values, "big", text_get(&s.out), &back, sizeof back,
                        NULL, NULL));
    shut(&s);
}

static bool ref_here(void *user, const char *name, uintptr_t *out)
{
    (void)user;
    *out = 0x40;
    return strcmp(name, "front door") == 0 || strcmp(name, "front") == 0;
}

TEST(text_that_does_not_fit_is_refused_with_its_place)
{
    static const struct {
        const char *text, *why;
    } rows[] = {
        {"{.n = 1, .nix = 2}", "no such field, at 'nix = 2}'"},
        {"{.n = 2147483648}", "the number does not fit its type"},
        {"{.small = -129}", "the number does not fit"},
        {"{.lo = 8}", "the number does not fit"},
        {"{.neg = -9}", "the number does not fit"},
        {"{.n = x}", "not a number"},
        {"{.n = 1", "a struct ends with }"},
        {"{.n = 1} 2", "something follows"},
        {"{.c = PINK}", "no such enumerator"},
        {"{.name = \"123456789\"}", "the text is too long"},
        {"{.name = \"12", "the text ends here"},
        {"{.w = {1, 2, 3, 4}}", "the array has fewer elements"},
        {"{.w = {[3] = 1}}", "the array has fewer elements"},
        {"{.yes = maybe}", "neither true nor false"},
        {"{.to = 5}", "not a pointer"},
        {"{.text = \"x\"}", "the message owns no memory"},
    };
    struct setting s;
    struct big b;
    open(&s, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text why = {0};
        CHECK(!values_parse(s.values, "big", rows[i].text, &b, sizeof b, NULL,
                            &why));
        if (!strstr(text_get(&why), rows[i].why))
            printf("%s: %s\n", rows[i].text, text_get(&why));
        CHECK(strstr(text_get(&why), rows[i].why));
        text_free(&why);
    }
    shut(&s);
}

TEST(references_are_names)
{
    struct setting s;
    struct gap g;
    struct values_makers makers = {.ref = ref_here};
    open(&s, NULL);
    CHECK(values_parse(s.values, "gap",
                       "{.a = 'x', .to = front, .any = \"front door\"}", &g,
                       sizeof g, &makers, NULL));
    CHECK(g.a == 'x' && g.to == (void *)0x40 && g.any == (void *)0x40);
    CHECK(!values_parse(s.values, "gap", "{.to = back}", &g, sizeof g, &makers,
                        NULL));
    CHECK(values_parse(s.values, "tick", "", &g, 1, NULL, NULL));
    shut(&s);
}

TEST_MAIN()

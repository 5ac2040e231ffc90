// Fuzzing the reader of fields, as posts of a case and calls have them: whatever
// the text, it ends, and a value that it reads is printed and read alike.  The
// program is built once, in the working folder.
#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"
#include "program/build.h"
#include "program/program.h"
#include "program/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char source[] =
    "#include <troupe.h>\n"
    "enum color { RED, GREEN = 5 };\n"
    "struct point { int x, y; };\n"
    "struct all { char name[8]; signed char small; unsigned lo : 3;\n"
    "    int neg : 4; _Bool on : 1; struct point p; enum color c;\n"
    "    double w[3]; float half; _Bool yes; char letter; const char *text;\n"
    "    int *to; union { int word; struct point q; } u;\n"
    "    struct { short inner; }; int grid[2][2]; unsigned long wide;\n"
    "    long double ld; tr_ref to_whom; tr_time when; };\n"
    "TR_MESSAGE(all); TR_TEST(none) {}\n"
    "struct all here;\n";

enum { MOST = 1024 };

// *size: of the struct that is read.
static struct values *open_values(size_t *size)
{
    static struct arena a;
    static const char *const inputs[] = {"fields.c"};
    struct build_options o = {
        .inputs = inputs, .n_inputs = 1, .cache = ".", .cc = "cc"};
    struct diag d = {0};
    struct built b;
    FILE *f = fopen(inputs[0], "w");
    if (!f || fputs(source, f) < 0 || fclose(f) != 0)
        abort();
    struct program *p = NULL;
    if (!build_program(&a, &o, &b, &d) || !(p = program_load(b.path, &d))) {
        diag_print(&d, stderr);
        abort();
    }
    *size = p->msgs[0]->size;
    return values_new(p);
}

static bool one_actor(void *user, const char *name, uintptr_t *out)
{
    (void)user;
    *out = 0x40;
    return strcmp(name, "a#1") == 0;
}

static bool named(void *user, uintptr_t ref, struct text *out)
{
    (void)user;
    if (ref == 0x40)
        text_add(out, "a#1");
    return ref == 0x40;
}

static void *block(void *user, size_t size)
{
    return size < MOST ? arena_zero(user, size) : NULL;
}

static bool parse(struct values *v, struct arena *a, const char *text, void *at,
                  size_t size)
{
    struct values_makers makers = {.user = a, .ref = one_actor, .block = block};
    struct text why = {0};
    bool ok = values_parse(v, "all", text, at, size, &makers, &why);
    if (!ok && !why.n)
        abort();
    text_free(&why);
    return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct values *v;
    static size_t n;
    static unsigned char one[MOST], two[MOST];
    struct values_names names = {
        .ref = named, .read = values_read_here, .exact = true};
    struct arena a = {0};
    struct text in = {0}, t = {0}, again = {0};
    v = v ? v : open_values(&n);
    text_bytes(&in, data, size);
    if (!memchr(text_get(&in), 0, in.n) &&
        parse(v, &a, text_get(&in), one, n)) {
        values_print(v, "all", one, n, &names, &t);
        if (!parse(v, &a, text_get(&t), two, n))
            abort();
        values_print(v, "all", two, n, &names, &again);
        if (strcmp(text_get(&t), text_get(&again)) != 0)
            abort();
    }
    text_free(&in);
    text_free(&t);
    text_free(&again);
    arena_free(&a);
    return 0;
}

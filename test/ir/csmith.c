// Generated C programs (csmith), run natively and on the IR: the same text must
// come out, checksums after every global included.
//
// TROUPE_CSMITH is how many (25), TROUPE_CSMITH_SEED the first seed (1).  A
// difference prints the command that makes the program again.
#include "ir/interp.h"

#include "base/diag.h"
#include "base/text.h"
#include "scratch.h"
#include "test.h"

#include <stdlib.h>
#include <unistd.h>

static const char *const shapes[] = {
    "--max-funcs 3 --max-block-depth 2",
    "--max-funcs 5 --bitfields --packed-struct --float",
    "--max-funcs 4 --max-struct-fields 6 --max-union-fields 4 --bitfields",
    "--max-funcs 8 --max-block-depth 3 --jumps --no-volatiles",
    "--max-funcs 3 --max-pointer-depth 4 --max-array-dim 2",
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void collect(void *to, const char *s, size_t n)
{
    text_bytes(to, s, n);
}

__attribute__((format(printf, 1, 2))) static bool shell(const char *format, ...)
{
    char command[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(command, sizeof command, format, args);
    va_end(args);
    return system(command) == 0;
}

static void read_file(const char *path, struct text *out)
{
    char buffer[4096];
    size_t n;
    FILE *f = fopen(path, "r");
    while (f && (n = fread(buffer, 1, sizeof buffer, f)) > 0)
        text_bytes(out, buffer, n);
    if (f)
        fclose(f);
}

static bool on_ir(const char *dir, struct text *out, const char **why)
{
    struct diag d = {0};
    const char *flags[] = {"-Itest/ir/include"};
    struct ir_options o = {.flags = flags, .n_flags = 1, .cache = dir};
    char path[256];
    snprintf(path, sizeof path, "%s/a.c", dir);
    const char *paths[] = {path};
    struct ir *ir = ir_load(paths, 1, &o, &d);
    if (!ir) {
        diag_print(&d, stderr);
        *why = "does not load";
        return false;
    }
    const char *broken = ir_check(ir, &ir->arena);
    if (broken)
        fprintf(stderr, "%s\n", broken);
    struct interp_host host = {.self = out, .print = collect};
    struct interp *p = interp_new(ir, &host);
    union ir_bits args[2] = {{.i = 1}, {.i = interp_alloc(p, 8)}};
    interp_budget(p, 20000000);
    struct interp_outcome end =
        interp_call(p, ir_find_fn(ir, "main"), args, 2, NULL);
    static char text[256];
    snprintf(text, sizeof text, "%s %s at line %u",
             end.end == INTERP_TRAPPED ? ir_trap_id(end.trap) : "stopped",
             end.text ? end.text : "",
             end.end == INTERP_RETURNED
                 ? 0
                 : ir->fns.at[end.fn]->insts.at[end.inst].line);
    *why =
        end.end == INTERP_STEPS || end.end == INTERP_UNSUPPORTED ? NULL : text;
    bool ok = end.end == INTERP_RETURNED && !broken;
    interp_free(p);
    ir_free(ir);
    return ok;
}

// What the program prints if it is compiled with this option; false if it does
// not end in time.
static bool natively(const char *dir, const char *option, struct text *out)
{
    char path[256];
    snprintf(path, sizeof path, "%s/out", dir);
    return shell("clang-19 -w %s -Itest/ir/include %s/a.c -o %s/a.out", option,
                 dir, dir) &&
           shell("timeout 2 %s/a.out > %s", dir, path) &&
           (read_file(path, out), true);
}

// Has the program no meaning of its own?  csmith turns floats into integers
// that cannot hold them.
static bool depends_on_the_optimiser(const char *dir, const struct text *native)
{
    struct text plain = {0};
    bool other = natively(dir, "-O0", &plain) &&
                 strcmp(text_get(native), text_get(&plain)) != 0;
    text_free(&plain);
    return other;
}

// 1: alike, 0: different, -1: one of them did not end in time, or the program
// means nothing, or it has bit-fields in more than 128 bits in a row, which we
// call unsupported.
static int compare(const char *dir, unsigned seed)
{
    struct text native = {0}, ours = {0};
    const char *shape = shapes[seed % SHAPES], *why = NULL;
    int same = -1;
    if (!shell("csmith %s --seed %u > %s/a.c", shape, seed, dir) ||
        !natively(dir, "-O1", &native))
        return -1;
    if (on_ir(dir, &ours, &why))
        same = strcmp(text_get(&native), text_get(&ours)) == 0;
    else if (why)
        same = 0;
    if (same == 0 && depends_on_the_optimiser(dir, &native))
        same = -1;
    if (same == 0)
        fprintf(stderr,
                "differs: csmith %s --seed %u\n  native %s  ours   %s  %s\n",
                shape, seed, text_get(&native), text_get(&ours),
                why ? why : "");
    text_free(&native);
    text_free(&ours);
    return same;
}

static unsigned number(const char *name, unsigned otherwise)
{
    const char *s = getenv(name);
    return s ? (unsigned)strtoul(s, NULL, 10) : otherwise;
}

TEST(generated_programs_run_alike_natively_and_on_the_ir)
{
    scratch_path dir;
    unsigned n = (unsigned)test_share(25);
    unsigned first = number("TROUPE_CSMITH_SEED", (unsigned)test_first(25) + 1);
    unsigned alike = 0, different = 0, skipped = 0;
    CHECK(shell("csmith --version > /dev/null 2>&1"));
    scratch_new(dir);
    for (unsigned seed = first; seed < first + n; seed++) {
        int same = compare(dir, seed);
        alike += same == 1;
        different += same == 0;
        skipped += same < 0;
    }
    printf("csmith: %u alike, %u different, %u not compared\n", alike,
           different, skipped);
    CHECK_EQ(different, 0);
    CHECK(alike >= n / 2 || !test_whole());
    scratch_remove(dir);
}

TEST_MAIN()

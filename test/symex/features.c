// The constructs of C: each function of programs/features.c has these paths,
// and the interpreter takes each of them.
#include "engine.h"

static const struct {
    const char *function;
    uint32_t returns, traps;
} rows[] = {
#define ROW(f, returns, traps) {#f, returns, traps},
#include "programs/features.inc"
#undef ROW
};

TEST(each_construct_has_its_paths)
{
    struct bench b = bench_file("test/symex/programs/features.c");
    struct sx_options o = {.loop = 2};
    for (size_t i = 0; b.ir && i < sizeof rows / sizeof *rows; i++) {
        struct tally t = bench_run(&b, rows[i].function, NULL, &o);
        if (t.returns != rows[i].returns || t.traps != rows[i].traps || t.open)
            fprintf(stderr, "%s: %u returns, %u traps, %u open\n",
                    rows[i].function, t.returns, t.traps, t.open);
        CHECK_EQ(t.returns, rows[i].returns);
        CHECK_EQ(t.traps, rows[i].traps);
        CHECK_EQ(t.open, 0);
    }
    bench_close(&b);
}

TEST_MAIN()

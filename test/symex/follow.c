// Following given inputs: one path, no questions; and by it each model of a
// function on text against the real one.
#include "engine.h"

#include <math.h>

#include "programs/models.c"

static const struct {
    const char *name;
    long (*natively)(const char *a, const char *b);
} models[] = {
#define ROW_(name) {"m_" #name, m_##name},
    MODELS(ROW_)
#undef ROW_
};

static const char *const texts[] = {
    "",     "a",     "b",      "ab",  "abc",  "Abc",   "ba",    "12",   "-7x",
    " 42",  "0x1f",  "077",    "+9 ", "zz=a", "=",     "a=b=c", "\tq",  "9",
    "F0g",  "~",     "abcabd", "cab", "  8",  "-",     "0x",    "\x7f", "Z",
    "12.5", "-.75x", "3.",     ".",   "7 up", "K1f=12"};

// ---- following ----------------------------------------------------------

static const char *inputs[2];

static bool text_value(void *self, const struct sx_run *r,
                       const struct sx_cell *c, union ir_bits *out)
{
    (void)self;
    if (c->place.from != SX_CELL)
        return false;
    const struct sx_ref *ref = sx_run_ref(r, c->place.index);
    const char *text = inputs[ref->place.index];
    if ((uint64_t)c->place.offset > strlen(text))
        return false;
    out->i = (uint8_t)text[c->place.offset];
    return true;
}

static uint32_t text_object(void *self, const struct sx_run *r,
                            const struct sx_ref *ref)
{
    (void)self, (void)r;
    return ref->place.index + 1;
}

static void check_model(struct bench *b, uint32_t model, const char *x,
                        const char *y)
{
    const char *name = models[model].name;
    static const struct sx_follow follow = {NULL, text_value, text_object};
    static const struct sx_options o = {.loop = 1};
    struct sx_start start = {.fn = ir_find_fn(b->ir, name),
                             .pre = IR_NOTHING,
                             .cls = IR_NOTHING,
                             .msg = IR_NOTHING,
                             .follow = &follow};
    // There is no model of hexadecimal numbers that may have a point.
    bool is_double = strcmp(name, "m_strtod") == 0 ||
                     strcmp(name, "m_rounded") == 0 ||
                     strcmp(name, "m_compared") == 0;
    if (is_double && strncmp(x, "0x", 2) == 0)
        return;
    inputs[0] = x;
    inputs[1] = y;
    struct symex *e = symex_new(b->ir, b->ts, b->solver, &o);
    struct sx_run *r = sx_begin(e, &start);
    const struct sx_path *p = sx_next(r);
    if (!p || p->end != SX_RETURNED)
        fprintf(stderr, "%s(\"%s\", \"%s\"): %s\n", name, x, y,
                p && p->text ? p->text : "no path");
    CHECK(p && p->end == SX_RETURNED);
    CHECK_EQ(sx_counts(e).asked, 0);
    if (p && p->end == SX_RETURNED) {
        long v = (long)term_eval(b->ts, p->result, p->model);
        long native = models[model].natively(x, y);
        if (v != native)
            fprintf(stderr, "%s(\"%s\", \"%s\")\n", name, x, y);
        CHECK_EQ(v, native);
        CHECK(!sx_next(r));
    }
    sx_end(r);
    symex_free(e);
}

TEST(models_of_text_give_what_the_functions_give)
{
    enum { N = sizeof texts / sizeof *texts };
    struct bench b = bench_file("test/symex/programs/models.c");
    for (uint32_t m = 0; m < sizeof models / sizeof *models; m++)
        for (uint32_t i = 0; i < N; i++)
            for (uint32_t k = 0; k < 3; k++)
                if (test_takes(m + i + k))
                    check_model(&b, m, texts[i], texts[(i * 7 + k * 5) % N]);
    bench_close(&b);
}

TEST_MAIN()

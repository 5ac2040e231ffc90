// Types and values as C source; conditions as the source has them.
#include "test.h"

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/text.h"
#include "ir/ir.h"
#include "scratch.h"
#include "unit/condition.h"
#include "unit/literal.h"
#include "unit/sides.h"
#include "unit/spell.h"

static const char source[] =
    "typedef unsigned long count;\n"
    "typedef struct { int x; } point;\n"
    "struct box { struct { short low; } in[2]; struct { int n; } *far; };\n"
    "static struct { int hits; } stats;\n"
    "int f(const char *const *names, count n, point *p, struct box *b,\n"
    "      int (*each)(const char *, ...), int (*rows)[4], char *const *v)\n"
    "{ struct local { int a; } l = {1}; return stats.hits + l.a; }\n";

static struct ir *load(void)
{
    scratch_path dir;
    char path[SCRATCH + 16];
    const char *paths[] = {path};
    snprintf(path, sizeof path, "%s/spell.c", scratch_new(dir));
    struct diag d = {0};
    struct ir_options o = {0};
    CHECK(file_replace(path, source, strlen(source)));
    struct ir *ir = ir_load(paths, 1, &o, &d);
    scratch_remove(dir);
    CHECK(ir != NULL);
    return ir;
}

static void spells(const struct ir *ir, uint32_t type, const char *as)
{
    struct text t = {0};
    CHECK(spell(ir, type, "x", &t));
    CHECK(strcmp(text_get(&t), as) == 0);
    if (strcmp(text_get(&t), as) != 0)
        fprintf(stderr, "'%s', not '%s'\n", text_get(&t), as);
    text_free(&t);
}

TEST(declarations_are_those_of_the_source)
{
    struct ir *ir = load();
    const struct ir_fn *f = ir->fns.at[ir_find_fn(ir, "f")];
    static const char *const as[] = {
        "int x",       "const char *const *x", "count x",
        "point *x",    "struct box *x",        "int (*x)(const char *, ...)",
        "int (*x)[4]", "char *const *x"};
    for (uint32_t i = 0; i < f->n_types; i++)
        spells(ir, f->types[i], as[i]);
    ir_free(ir);
}

TEST(a_struct_without_a_name_is_reached_through_what_has_it)
{
    struct ir *ir = load();
    const struct ir_dtype *box = &ir->types.at[ir_find_struct(ir, "box")];
    const struct ir_dtype *in = spell_bare(ir, box->members[0].type);
    spells(ir, in->base, "__typeof__(((struct box *)0)->in[0]) x");
    spells(ir, spell_bare(ir, box->members[1].type)->base,
           "__typeof__(((struct box *)0)->far[0]) x");
    spells(ir, ir->globals.at[ir_find_global(ir, "stats")].type,
           "__typeof__(stats) x");
    struct text t = {0};
    CHECK(!spell(ir, ir_find_struct(ir, "local"), "x", &t));
    text_free(&t);
    ir_free(ir);
}

static void condition(const char *text, uint32_t line, uint32_t column,
                      const char *as, bool negated)
{
    struct arena a = {0};
    struct condition_file f = {0};
    scratch_path dir;
    char path[SCRATCH + 16];
    snprintf(path, sizeof path, "%s/condition.c", scratch_new(dir));
    CHECK(file_replace(path, text, strlen(text)));
    struct condition c = condition_at(&f, &a, path, line, column);
    CHECK(strcmp(c.text, as) == 0);
    if (strcmp(c.text, as) != 0)
        fprintf(stderr, "'%s', not '%s'\n", c.text, as);
    CHECK(c.negated == negated);
    scratch_remove(dir);
    arena_free(&a);
}

TEST(a_condition_ends_where_something_binds_weaker)
{
    condition("if (a > 3 && b)", 1, 7, "a > 3", false);
    condition("if (a > 3 && b)", 1, 14, "b", false);
    condition("if (!prev)", 1, 6, "!prev", true);
    condition("if (!f(x, y))", 1, 6, "!f(x, y)", true);
    condition("x = a[i] == 2 || c;", 1, 10, "a[i] == 2", false);
    condition("return p->n ? 1 : 2;", 1, 8, "p->n", false);
    condition("for (i = 0; i < n; i++)", 1, 15, "i < n", false);
    condition("for (i = 0; i < n; i++)", 1, 1, "i < n", false);
    condition("while (lf) {", 1, 1, "lf", false);
    condition("if (a /* x */ ==\n    b)", 1, 15, "a == b", false);
}

static void names(const char *text, const char *which, bool pointer,
                  const char *as)
{
    struct text t = {0};
    struct side s = {.text = text, .which = which, .pointer = pointer};
    side_name(&s, &t);
    CHECK(strcmp(text_get(&t), as) == 0);
    if (strcmp(text_get(&t), as) != 0)
        fprintf(stderr, "'%s', not '%s'\n", text_get(&t), as);
    text_free(&t);
}

TEST(names_say_what_a_side_says)
{
    names("n > 0", "true", false, "n_gt_0");
    names("n > 0", "false", false, "n_le_0");
    names("p->data == lf->data", "true", false, "p_data_eq_lf_data");
    names("lf", "false", true, "lf_is_null");
    names("!prev", "false", true, "prev_is_set");
    names("late", "false", false, "late_is_0");
    names("kind", "case -3", false, "kind_case_3");
    names("*s != c", "true", false, "at_s_ne_c");
}

TEST_MAIN()

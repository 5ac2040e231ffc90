#include "unit/thunks.h"

#include "base/command.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/text.h"
#include "symex/symex.h"
#include "unit/callback.h"
#include "unit/spell.h"
#include "unit/subject.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char hooks[] =
    "#include <stddef.h>\n"
    "struct unit_hooks {\n"
    "    void *(*malloc)(size_t), *(*calloc)(size_t, size_t);\n"
    "    void *(*realloc)(void *, size_t);\n"
    "    void (*free)(void *), (*exit)(int);\n"
    "    void (*stub)(unsigned, void *, size_t);\n"
    "    void (*touch)(void *, size_t);\n"
    "    int (*distinct)(const void *, const void *);\n"
    "    int (*apart)(const void *, const void *), (*acyclic)(const void *);\n"
    "    int (*count)(const void *, size_t, size_t);\n"
    "    int (*fclose)(void *);\n"
    "};\n";

static const char head[] =
    "void *memcpy(void *, const void *, size_t);\n"
    "size_t strlen(const char *), strnlen(const char *, size_t);\n"
    "__attribute__((visibility(\"default\"))) struct unit_hooks unit_hooks;\n"
    "#define UNIT_OWN __attribute__((visibility(\"hidden\")))\n"
    "UNIT_OWN void *__wrap_malloc(size_t n)\n"
    "{ return unit_hooks.malloc(n); }\n"
    "UNIT_OWN void *__wrap_calloc(size_t n, size_t m)\n"
    "{ return unit_hooks.calloc(n, m); }\n"
    "UNIT_OWN void *__wrap_realloc(void *p, size_t n)\n"
    "{ return unit_hooks.realloc(p, n); }\n"
    "UNIT_OWN char *__wrap_strndup(const char *s, size_t n)\n"
    "{ size_t k = strnlen(s, n); char *p = unit_hooks.malloc(k + 1);\n"
    "  if (p) p[k] = 0, memcpy(p, s, k); return p; }\n"
    "UNIT_OWN char *__wrap_strdup(const char *s)\n"
    "{ return __wrap_strndup(s, strlen(s)); }\n"
    "UNIT_OWN void __wrap_free(void *p) { unit_hooks.free(p); }\n"
    "UNIT_OWN void __wrap_exit(int status) { unit_hooks.exit(status); }\n"
    "UNIT_OWN void __wrap__exit(int status) { unit_hooks.exit(status); }\n"
    "UNIT_OWN int __wrap_fclose(void *f) { return unit_hooks.fclose(f); }\n"
    "UNIT_OWN int __wrap_unit_distinct(const void *a, const void *b)\n"
    "{ return unit_hooks.distinct(a, b); }\n"
    "UNIT_OWN int __wrap_unit_apart(const void *a, const void *b)\n"
    "{ return unit_hooks.apart(a, b); }\n"
    "UNIT_OWN int __wrap_unit_acyclic(const void *a)\n"
    "{ return unit_hooks.acyclic(a); }\n"
    "UNIT_OWN int __wrap_unit_count(const void *p, size_t n, size_t size)\n"
    "{ return unit_hooks.count(p, n, size); }\n";

static const char *const wraps[] = {
    "malloc", "calloc",        "realloc",    "free",         "exit",
    "_exit",  "unit_distinct", "unit_apart", "unit_acyclic", "unit_count",
    "fclose", "strdup",        "strndup"};

void thunks_wrap(struct arena *a, struct args *argv)
{
    for (size_t i = 0; i < sizeof wraps / sizeof *wraps; i++)
        vec_push(argv, arena_format(a, "-Wl,--wrap=%s", wraps[i]));
}

static void thunk(const struct ir *ir, struct arena *a, const struct ir_fn *f,
                  struct text *to)
{
    bool has_result = ir_bare_type(ir, f->types[0]) != IR_NOTHING;
    text_format(to,
                "__attribute__((visibility(\"default\"))) void %s(void "
                "**in, void *out)\n{\n    (void)in, (void)out;\n    ",
                unit_thunk(a, f));
    if (has_result) {
        text_add(to, "*(");
        spell_plain(ir, f->types[0], "*", to);
        text_add(to, ")out = ");
    }
    text_format(to, "%s(", f->name);
    for (uint32_t i = 1; i < f->n_types; i++) {
        text_format(to, "%s*(", i > 1 ? ", " : "");
        spell_plain(ir, f->types[i], "*", to);
        text_format(to, ")in[%u]", i - 1);
    }
    text_add(to, ");\n}\n");
}

// With another name and the same symbol: its types are not known.
static void stub(const struct ir *ir, uint32_t fn, const char *name,
                 struct ir_type result, bool ends, uint32_t which,
                 struct text *to)
{
    struct text given = {0}, body = {0};
    uint32_t n = 0;
    for (uint32_t k = 0; fn != IR_NOTHING && k < SX_WRITTEN_MAX; k++)
        n = sx_written(ir, fn, k) || sx_touched(ir, fn, k) ? k + 1 : n;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t bytes = sx_written(ir, fn, k);
        text_format(&given, "%svoid *p%u", k ? ", " : "", k);
        text_format(&body, "    (void)p%u;\n", k);
        if (bytes)
            text_format(&body, "    unit_hooks.stub(%uu, p%u, %uu);\n",
                        unit_write(which, k), k, bytes);
        else if (sx_touched(ir, fn, k))
            text_format(&body, "    unit_hooks.touch(p%u, %uu);\n", k,
                        sx_touched(ir, fn, k));
    }
    if (!n)
        text_add(&given, "void");
    const char *type = result.kind == IR_VOID    ? "void"
                       : result.kind == IR_PTR   ? "void *"
                       : result.kind != IR_FLOAT ? "long long"
                       : result.bits == 32       ? "float"
                                                 : "double";
    text_format(to,
                "%s unit_stub_%s(%s) __asm__(\"%s\");\n"
                "%s unit_stub_%s(%s)\n{\n",
                type, name, text_get(&given), name, type, name,
                text_get(&given));
    text_add(to, text_get(&body));
    if (ends)
        text_add(to, "    unit_hooks.exit(1);\n    __builtin_trap();\n}\n");
    else if (result.kind == IR_VOID)
        text_add(to, "}\n");
    else
        text_format(to,
                    "    %s v = 0;\n    unit_hooks.stub(%uu, &v, sizeof v);\n"
                    "    return v;\n}\n",
                    type, which);
    text_free(&given);
    text_free(&body);
}

// What a callback returns, as the IR has it.
static struct ir_type result_of(const struct ir *ir,
                                const struct unit_callback *c)
{
    const struct ir_dtype *t = &ir->types.at[c->type], *r;
    if (ir_bare_type(ir, t->base) == IR_NOTHING)
        return (struct ir_type){.kind = IR_VOID};
    r = spell_bare(ir, t->base);
    return (struct ir_type){.kind = r->kind == IR_D_POINTER ? IR_PTR
                                    : r->kind == IR_D_FLOAT ? IR_FLOAT
                                                            : IR_INT,
                            .bits = (uint8_t)(8 * r->size)};
}

static void variables(const struct ir *ir, struct text *to)
{
    for (uint32_t i = 0; i < ir->globals.n; i++)
        if (unit_is_variable(&ir->globals.at[i]))
            text_format(to,
                        "__attribute__((visibility(\"default\"))) void "
                        "*unit_at_%s(void) { return (void *)&%s; }\n",
                        ir->globals.at[i].name, ir->globals.at[i].name);
}

// A function that neither the source nor the C library defines, or that may not
// be called for real.
static bool is_missing(const struct ir_fn *f)
{
    return !f->defined && strncmp(f->name, "llvm.", 5) != 0 &&
           f->result.kind <= IR_PTR && !unit_is_own(f->name) &&
           (!unit_is_of_libc(f->name) || unit_reaches_out(f->name));
}

bool thunks_write(struct arena *a, const struct unit_options *o,
                  const struct ir *ir, const char *path, struct unit_subject *s,
                  struct diag *d)
{
    struct text t = {0};
    char real[PATH_MAX];
    VEC(const struct ir_fn *) functions = {0};
    text_add(&t, hooks);
    text_add(&t, head);
    text_format(&t,
                "#define main main_of_the_program\n#include \"%s\"\n"
                "#undef main\n",
                realpath(o->source, real) ? real : o->source);
    if (o->pre)
        text_format(&t, "#include \"%s\"\n",
                    realpath(o->pre, real) ? real : o->pre);
    for (uint32_t i = 0; i < ir->fns.n; i++) {
        const struct ir_fn *f = ir->fns.at[i];
        if ((unit_is_of_source(ir, f, o->source) || unit_is_precondition(f)) &&
            !unit_refuses(ir, f) && strcmp(f->name, "main") != 0) {
            thunk(ir, a, f, &t);
            vec_push(&functions, f);
        }
        if (is_missing(f))
            vec_push(&s->stubs, arena_text(a, f->name));
    }
    callbacks_find(ir, a, s);
    callbacks_print(ir, s, functions.at, functions.n, &t);
    vec_free(&functions);
    variables(ir, &t);
    bool ok = file_put(path, &t, d);
    text_free(&t);
    return ok;
}

bool thunks_write_stubs(const struct ir *ir, const char *path,
                        const struct unit_subject *s, struct diag *d)
{
    struct text t = {0};
    text_add(&t, hooks);
    text_add(&t, "extern struct unit_hooks unit_hooks;\n");
    for (uint32_t i = 0; i < s->stubs.n; i++) {
        const struct unit_callback *c = callback_of(s, s->stubs.at[i]);
        uint32_t fn = ir_find_fn(ir, s->stubs.at[i]);
        stub(ir, fn, s->stubs.at[i],
             c ? result_of(ir, c) : ir->fns.at[fn]->result,
             !c && ir->fns.at[fn]->noreturn, i, &t);
    }
    bool ok = file_put(path, &t, d);
    text_free(&t);
    return ok;
}

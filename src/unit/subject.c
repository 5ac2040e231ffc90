// The source is translated twice: once to learn the types that thunks must
// name, and once more with the thunks.
#include "unit/subject.h"

#include "base/command.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/temp.h"
#include "base/text.h"
#include "ir/instrument.h"
#include "program/build.h"
#include "unit/thunks.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool unit_is_own(const char *function)
{
    static const char *const begins[] = {"__wrap_",    "unit_call_",
                                         "unit_stub_", "unit_of_",
                                         "unit_at_",   "unit_address_"};
    static const char *const whole[] = {"unit_distinct", "unit_apart",
                                        "unit_acyclic", "unit_count"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(function, begins[i], strlen(begins[i])) == 0)
            return true;
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (strcmp(function, whole[i]) == 0)
            return true;
    return false;
}

const char *unit_thunk(struct arena *a, const struct ir_fn *f)
{
    return arena_format(a, "unit_call_%s", f->name);
}

const char *unit_write_name(struct arena *a, const char *function, uint32_t k)
{
    return arena_format(a, "%s_writes_%u", function, k + 1);
}

bool unit_is_variable(const struct ir_global *g)
{
    return !g->constant && !g->external && g->type != IR_NOTHING &&
           !strpbrk(g->name, ".$") && !g->thread_local_ &&
           strcmp(g->name, "unit_hooks") != 0 &&
           strcmp(g->name, "unit_callbacks") != 0 && !unit_is_own(g->name);
}

bool unit_is_of_source(const struct ir *ir, const struct ir_fn *f,
                       const char *source)
{
    char a[PATH_MAX], b[PATH_MAX];
    return f->defined && f->line && !unit_is_own(f->name) &&
           realpath(ir->files.at[f->file], a) && realpath(source, b) &&
           strcmp(a, b) == 0;
}

// Equal but for qualifiers behind pointers.
static bool same_type(const struct ir *ir, uint32_t a, uint32_t b, int depth)
{
    a = ir_bare_type(ir, a);
    b = ir_bare_type(ir, b);
    if (a == b || a == IR_NOTHING || b == IR_NOTHING || depth > 4)
        return a == b;
    const struct ir_dtype *x = &ir->types.at[a], *y = &ir->types.at[b];
    return x->kind == y->kind && x->size == y->size &&
           strcmp(x->name, y->name) == 0 &&
           (x->kind != IR_D_POINTER ||
            same_type(ir, x->base, y->base, depth + 1));
}

bool unit_is_of_actors(const struct ir *ir, const struct ir_fn *f)
{
    for (uint32_t i = 1; i < f->n_types; i++) {
        uint32_t at = f->types[i];
        if (at == IR_NOTHING || ir->types.at[at].kind != IR_D_POINTER ||
            ir->types.at[at].base == IR_NOTHING)
            continue;
        if (strcmp(ir->types.at[ir->types.at[at].base].name, "tr_ctx") == 0)
            return true;
    }
    return false;
}

bool unit_is_precondition(const struct ir_fn *f)
{
    return f->defined && strncmp(f->name, "pre_", 4) == 0;
}

bool unit_precondition(const struct unit_subject *s, const struct ir_fn *f,
                       uint32_t *pre, struct diag *d)
{
    struct arena a = {0};
    *pre = ir_find_fn(s->ir, arena_format(&a, "pre_%s", f->name));
    arena_free(&a);
    if (*pre == IR_NOTHING)
        return true;
    const struct ir_fn *p = s->ir->fns.at[*pre];
    bool same =
        p->defined && p->n_types == f->n_types && p->result.kind == IR_INT;
    for (uint32_t i = 1; i < f->n_types && same; i++)
        same = same_type(s->ir, p->types[i], f->types[i], 0);
    return same ||
           diag_at(d, EXIT_USAGE, s->ir->files.at[p->file], (int)p->line,
                   "'%s' must return int or bool and have the "
                   "parameters of '%s'",
                   p->name, f->name);
}

// ---- building -------------------------------------------------------------

static const char *compiler(const struct unit_options *o)
{
    const char *cc = o->cc ? o->cc : getenv("CC");
    return cc && *cc ? cc : "cc";
}

static bool is_for_linker(const char *flag)
{
    return strncmp(flag, "-l", 2) == 0 || strncmp(flag, "-L", 2) == 0 ||
           strncmp(flag, "-Wl,", 4) == 0;
}

static bool link_object(struct arena *a, const struct unit_options *o,
                        const char *object, const char *stubs,
                        const char *shared, struct diag *d)
{
    struct args argv = {0};
    struct text said = {0};
    args_split(&argv, a, compiler(o));
    vec_push(&argv, "-shared");
    vec_push(&argv, "-o");
    vec_push(&argv, shared);
    vec_push(&argv, object);
    vec_push(&argv, "-fPIC");
    vec_push(&argv, "-w");
    vec_push(&argv, stubs);
    thunks_wrap(a, &argv);
    vec_push(&argv, "-Wl,-z,lazy");
    vec_push(&argv, "-Wl,-Bsymbolic"); // its own, not the tool's of that name
    for (uint32_t i = 0; i < o->n_flags; i++)
        if (is_for_linker(o->flags[i]))
            vec_push(&argv, o->flags[i]);
    vec_push(&argv, "-lm");
    bool ok = command_run_in(&argv, NULL, &said) == 0 ||
              diag_set(d, EXIT_USAGE, "%s: cannot be linked: %s", o->source,
                       text_get(&said));
    vec_free(&argv);
    text_free(&said);
    return ok;
}

static bool compile(struct arena *a, const struct unit_options *o,
                    const struct ir_options *io, const struct ir *types,
                    struct unit_subject *s, struct diag *d)
{
    const char *dir = temp_new(a, d), *object = NULL;
    if (!dir)
        return false;
    const char *file = arena_format(a, "%s/thunks.c", dir);
    struct args paths = {0};
    vec_push(&paths, file);
    for (uint32_t i = 0; i < o->n_others; i++)
        vec_push(&paths, o->others[i]);
    const char *stubs = arena_format(a, "%s/stubs.c", dir);
    bool ok = thunks_write(a, o, types, file, s, d) &&
              thunks_write_stubs(types, stubs, s, d);
    if (ok)
        s->ir = ir_instrument(a, paths.at, paths.n, io, IR_TRACE, &object, d);
    s->object = arena_format(a, "%s/thunks.so", dir);
    vec_free(&paths);
    if (ok && s->ir && link_object(a, o, object, stubs, s->object, d))
        return true;
    temp_remove(dir);
    return false;
}

// Is it the precondition of another function?
static bool is_of_function(const struct ir *ir, const struct ir_fn *f)
{
    return unit_is_precondition(f) && ir_find_fn(ir, f->name + 4) != IR_NOTHING;
}

static void find_variables(struct unit_subject *s)
{
    for (uint32_t i = 0; i < s->ir->globals.n; i++)
        if (unit_is_variable(&s->ir->globals.at[i]))
            vec_push(&s->variables, i);
}

// Names that the headers of a test may declare in another way.
static void find_own(const struct ir *ir, struct arena *a,
                     struct unit_subject *s)
{
    for (uint32_t i = 0; i < s->fns.n; i++) {
        const char *name = ir->fns.at[s->fns.at[i]]->name;
        if (unit_is_of_libc(name))
            vec_push(&s->own, arena_text(a, name));
    }
    for (uint32_t i = 0; i < s->variables.n; i++) {
        const char *name = ir->globals.at[s->variables.at[i]].name;
        if (unit_is_of_libc(name))
            vec_push(&s->own, arena_text(a, name));
    }
}

static void find_functions(const struct unit_options *o, struct unit_subject *s)
{
    for (uint32_t i = 0; i < s->ir->fns.n; i++) {
        const struct ir_fn *f = s->ir->fns.at[i];
        if (strcmp(f->name, "main_of_the_program") == 0)
            s->has_main = true;
        else if (unit_is_of_source(s->ir, f, o->source) &&
                 !is_of_function(s->ir, f))
            vec_push(&s->fns, i);
    }
}

static void include(const char *file, struct text *to)
{
    char real[PATH_MAX];
    text_format(to, "#include \"%s\"\n", realpath(file, real) ? real : file);
}

// The source and its preconditions as one file.
static bool write_both(struct arena *a, const struct unit_options *o,
                       const char *dir, struct diag *d)
{
    struct text t = {0};
    const char *path = arena_format(a, "%s/both.c", dir);
    include(o->source, &t);
    include(o->pre, &t);
    bool ok = file_put(path, &t, d);
    text_free(&t);
    return ok;
}

// The compiler's words without the name of a file of ours.
static void tell_without(struct arena *a, const char *ours, const char *source,
                         const char *pre, struct diag *d)
{
    const char *at = d->text ? strstr(d->text, ours) : NULL;
    struct diag plain = {0};
    if (!at)
        return;
    at += strlen(ours) + 2 * (at[strlen(ours)] == ':');
    diag_set(&plain, d->status, "%s with %s: %s", source, pre,
             arena_text(a, at));
    diag_free(d);
    *d = plain;
}

bool unit_build(struct arena *a, const struct unit_options *o,
                struct unit_subject *s, struct diag *d)
{
    struct args flags = {0};
    vec_push(&flags, "-DTROUPE_UNIT");
    for (size_t i = 0; ir_allocation_flags[i]; i++)
        vec_push(&flags, ir_allocation_flags[i]);
    for (uint32_t i = 0; i < o->n_flags; i++)
        if (!is_for_linker(o->flags[i]))
            vec_push(&flags, o->flags[i]);
    struct ir_options io = {.flags = flags.at,
                            .n_flags = flags.n,
                            .operands = true,
                            .cache = build_cache(a),
                            .database = o->database};
    struct args paths = {0};
    *s = (struct unit_subject){.options = o};
    const char *dir = o->pre ? temp_new(a, d) : NULL;
    if (o->pre && (!dir || !(write_both(a, o, dir, d))))
        return false;
    vec_push(&paths, dir ? arena_format(a, "%s/both.c", dir) : o->source);
    for (uint32_t i = 0; i < o->n_others; i++)
        vec_push(&paths, o->others[i]);
    // Static functions that nobody calls are to be tested, too.
    vec_push(&flags, "-femit-all-decls");
    struct ir_options all = io;
    all.flags = flags.at;
    all.n_flags = flags.n;
    struct ir *types = ir_load(paths.at, paths.n, &all, d);
    io.flags = flags.at; // it may have moved; without the last one
    if (dir && !types)
        tell_without(a, paths.at[0], o->source, o->pre, d);
    if (dir)
        temp_remove(dir);
    bool ok = types && compile(a, o, &io, types, s, d);
    if (ok) {
        find_functions(o, s);
        find_variables(s);
        find_own(s->ir, a, s);
    }
    ir_free(types);
    vec_free(&paths);
    vec_free(&flags);
    return ok;
}

void unit_release(struct unit_subject *s)
{
    ir_free(s->ir);
    vec_free(&s->fns);
    vec_free(&s->stubs);
    vec_free(&s->own);
    vec_free(&s->callbacks);
    vec_free(&s->variables);
    if (s->object) {
        char *dir = strdup(s->object);
        if (dir) {
            *strrchr(dir, '/') = '\0';
            temp_remove(dir);
        }
        free(dir);
    }
}

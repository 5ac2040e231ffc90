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
#include "symex/symex.h"
#include "unit/callback.h"
#include "unit/callees.h"
#include "unit/spell.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

// A va_list cannot be made without a function that has one.
static bool is_va_list(const struct ir *ir, uint32_t type)
{
    const struct ir_dtype *t = spell_bare(ir, type);
    if (t->kind == IR_D_POINTER || t->kind == IR_D_ARRAY)
        t = spell_bare(ir, t->base);
    return strcmp(t->name, "__va_list_tag") == 0;
}

static bool is_jump(const struct ir *ir, const struct ir_fn *of,
                    const struct ir_inst *i)
{
    (void)ir, (void)of;
    return i->op == IR_UNSUPPORTED && i->text && strstr(i->text, "jmp()");
}

// Functions of the C library that reach beyond the process.  A run with random
// arguments may not call them: a test brings stubs along.
static const char *const reaching[] = {
    "kill",        "killpg",  "sigqueue", "tgkill", "unlink", "unlinkat",
    "remove",      "rename",  "renameat", "rmdir",  "mkdir",  "mkdirat",
    "link",        "symlink", "truncate", "creat",  "mknod",  "mkfifo",
    "chmod",       "fchmod",  "chown",    "fchown", "lchown", "mount",
    "umount",      "umount2", "chroot",   "reboot", "ptrace", "sethostname",
    "settimeofday"};
// ... and those that begin another process or thread, with which no stub helps.
static const char *const starting[] = {
    "fork",        "vfork",        "_Fork",          "clone",      "daemon",
    "system",      "popen",        "execl",          "execlp",     "execle",
    "execv",       "execve",       "execvp",         "execvpe",    "fexecve",
    "posix_spawn", "posix_spawnp", "pthread_create", "thrd_create"};

static bool is_among(const char *const *names, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static bool is_starting(const char *function)
{
    return is_among(starting, sizeof starting / sizeof *starting, function);
}

static bool starts(const struct ir *ir, const struct ir_fn *of,
                   const struct ir_inst *i)
{
    const struct ir_fn *f = callees_called(ir, of, i);
    bool is = f && !f->defined && is_starting(f->name);
    for (size_t k = 0; i->op == IR_UNSUPPORTED && i->text && !is &&
                       k < sizeof starting / sizeof *starting;
         k++) {
        const char *at = strstr(i->text, starting[k]);
        is = at && strncmp(at + strlen(starting[k]), "()", 2) == 0;
    }
    return is;
}

static bool reaches_out(const char *function)
{
    return is_starting(function) ||
           is_among(reaching, sizeof reaching / sizeof *reaching, function);
}

const char *unit_refuses(const struct ir *ir, const struct ir_fn *f)
{
    struct text t = {0};
    bool ok = f->n_types > 0;
    for (uint32_t i = 0; i < f->n_types && ok; i++)
        ok = spell_plain(ir, f->types[i], "", &t);
    text_free(&t);
    if (f->variadic)
        return "it takes variable arguments";
    for (uint32_t i = 1; i < f->n_types; i++)
        if (is_va_list(ir, f->types[i]))
            return "it takes a va_list";
    if (callees_find(ir, f, is_jump, NULL))
        return "it uses setjmp() or longjmp()";
    if (callees_find(ir, f, starts, NULL))
        return "it starts a process or a thread";
    if (!ok)
        return "a type in its declaration cannot be named in a test";
    return NULL;
}

// ---- the file with the thunks -----------------------------------------------

static const char hooks[] =
    "#include <stddef.h>\n"
    "struct unit_hooks {\n"
    "    void *(*malloc)(size_t), *(*calloc)(size_t, size_t);\n"
    "    void *(*realloc)(void *, size_t);\n"
    "    void (*free)(void *), (*exit)(int);\n"
    "    void (*stub)(unsigned, void *, size_t);\n"
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
        n = sx_written(ir, fn, k) ? k + 1 : n;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t bytes = sx_written(ir, fn, k);
        text_format(&given, "%svoid *p%u", k ? ", " : "", k);
        text_format(&body, "    (void)p%u;\n", k);
        if (bytes)
            text_format(&body, "    unit_hooks.stub(%uu, p%u, %uu);\n",
                        unit_write(which, k), k, bytes);
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

// Variables of the program that a test can set and look at.
static bool is_variable(const struct ir_global *g)
{
    return !g->constant && !g->external && g->type != IR_NOTHING &&
           !strpbrk(g->name, ".$") && !g->thread_local_ &&
           strcmp(g->name, "unit_hooks") != 0 &&
           strcmp(g->name, "unit_callbacks") != 0 && !unit_is_own(g->name);
}

static void variables(const struct ir *ir, struct text *to)
{
    for (uint32_t i = 0; i < ir->globals.n; i++)
        if (is_variable(&ir->globals.at[i]))
            text_format(to,
                        "__attribute__((visibility(\"default\"))) void "
                        "*unit_at_%s(void) { return (void *)&%s; }\n",
                        ir->globals.at[i].name, ir->globals.at[i].name);
}

// Does the C library define it?  What this tool is made of does not count.
static bool is_of_libc(const char *function)
{
    static const char *const libraries[] = {"libc.so.6", "libm.so.6"};
    bool found = false;
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries && !found;
         i++) {
        void *library = dlopen(libraries[i], RTLD_LAZY);
        found = library && dlsym(library, function);
        if (library)
            dlclose(library);
    }
    return found;
}

// A function that neither the source nor the C library defines, or that may not
// be called for real.
static bool is_missing(const struct ir_fn *f)
{
    return !f->defined && strncmp(f->name, "llvm.", 5) != 0 &&
           f->result.kind <= IR_PTR && !unit_is_own(f->name) &&
           (!is_of_libc(f->name) || reaches_out(f->name));
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

static bool is_precondition(const struct ir_fn *f)
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

static bool is_of_source(const struct ir *ir, const struct ir_fn *f,
                         const char *source)
{
    char a[PATH_MAX], b[PATH_MAX];
    return f->defined && f->line && !unit_is_own(f->name) &&
           realpath(ir->files.at[f->file], a) && realpath(source, b) &&
           strcmp(a, b) == 0;
}

static bool write_thunks(struct arena *a, const struct unit_options *o,
                         const struct ir *ir, const char *path,
                         struct unit_subject *s, struct diag *d)
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
        if ((is_of_source(ir, f, o->source) || is_precondition(f)) &&
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
    bool ok =
        file_replace(path, text_get(&t), t.n) ||
        diag_set(d, EXIT_USAGE, "cannot write '%s': %s", path, strerror(errno));
    text_free(&t);
    return ok;
}

// The stubs are no part of what is translated: there these functions have no
// code, and their results are inputs.
static bool write_stubs(const struct ir *ir, const char *path,
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
    bool ok =
        file_replace(path, text_get(&t), t.n) ||
        diag_set(d, EXIT_USAGE, "cannot write '%s': %s", path, strerror(errno));
    text_free(&t);
    return ok;
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
    for (size_t i = 0; i < sizeof wraps / sizeof *wraps; i++)
        vec_push(&argv, arena_format(a, "-Wl,--wrap=%s", wraps[i]));
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
    bool ok = write_thunks(a, o, types, file, s, d) &&
              write_stubs(types, stubs, s, d);
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
    return is_precondition(f) && ir_find_fn(ir, f->name + 4) != IR_NOTHING;
}

static void find_variables(struct unit_subject *s)
{
    for (uint32_t i = 0; i < s->ir->globals.n; i++)
        if (is_variable(&s->ir->globals.at[i]))
            vec_push(&s->variables, i);
}

// Names that the headers of a test may declare in another way.
static void find_own(const struct ir *ir, struct arena *a,
                     struct unit_subject *s)
{
    for (uint32_t i = 0; i < s->fns.n; i++) {
        const char *name = ir->fns.at[s->fns.at[i]]->name;
        if (is_of_libc(name))
            vec_push(&s->own, arena_text(a, name));
    }
    for (uint32_t i = 0; i < s->variables.n; i++) {
        const char *name = ir->globals.at[s->variables.at[i]].name;
        if (is_of_libc(name))
            vec_push(&s->own, arena_text(a, name));
    }
}

static void find_functions(const struct unit_options *o, struct unit_subject *s)
{
    for (uint32_t i = 0; i < s->ir->fns.n; i++) {
        const struct ir_fn *f = s->ir->fns.at[i];
        if (strcmp(f->name, "main_of_the_program") == 0)
            s->has_main = true;
        else if (is_of_source(s->ir, f, o->source) && !is_of_function(s->ir, f))
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
    bool ok =
        file_replace(path, text_get(&t), t.n) ||
        diag_set(d, EXIT_USAGE, "cannot write '%s': %s", path, strerror(errno));
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

// Sources to bitcode, one at a time; program/cache.h keeps it by content.
#include "ir/ir.h"

#include "base/command.h"
#include "base/diag.h"
#include "base/hash.h"
#include "base/text.h"
#include "ir/commands.h"
#include "program/build.h"
#include "program/cache.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The first error of the compiler, or its first words.
static bool refused(const char *path, char *said, struct diag *d)
{
    char *save = NULL, *first = NULL;
    for (char *line = strtok_r(said, "\n", &save); line;
         line = strtok_r(NULL, "\n", &save))
        if (!first || (strstr(line, "error:") && !strstr(first, "error:")))
            first = line;
    if (first && strstr(first, "error:") && first[0] != '/')
        return diag_set(d, EXIT_USAGE, "%s", first);
    return diag_set(d, EXIT_USAGE, "%s: cannot be compiled%s%s", path,
                    first ? ": " : "", first ? first : "");
}

const char *const ir_allocation_flags[] = {
    "-fno-builtin-malloc",        "-fno-builtin-calloc",
    "-fno-builtin-realloc",       "-fno-builtin-strdup",
    "-fno-builtin-strndup",       "-fno-builtin-free",
    "-fno-builtin-aligned_alloc", NULL};

const char *ir_compiler(const struct ir_options *o)
{
    if (o->clang)
        return o->clang;
    if (getenv("TR_CLANG"))
        return getenv("TR_CLANG");
    return access("/usr/bin/clang-19", X_OK) == 0 ? "/usr/bin/clang-19"
                                                  : "clang";
}

static void add_all(struct args *to, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        vec_push(to, words[i]);
}
#define ADD_ALL(to, words) add_all(to, words, sizeof words / sizeof *words)

static void command_line(const char *path, const struct ir_options *o,
                         const struct args *flags, struct args *out)
{
    static const char *const always[] = {"-g",
                                         "-O0",
                                         "-Xclang",
                                         "-disable-O0-optnone",
                                         "-ffp-contract=off",
                                         "-fno-discard-value-names",
                                         "-w",
                                         "-Qunused-arguments",
                                         "-emit-llvm",
                                         "-c"};
    size_t n = strlen(path);
    vec_push(out, ir_compiler(o));
    if (n > 2 && strcmp(path + n - 2, ".c") == 0)
        vec_push(out, "-std=gnu17");
    add_all(out, flags->at, flags->n);
    add_all(out, o->flags, o->n_flags);
    ADD_ALL(out, always);
    vec_push(out, path);
}

// A hash of the command and of the folder it runs in.
static uint64_t key_of(const struct args *argv, const char *folder)
{
    char here[PATH_MAX];
    const char *where = folder ? folder : getcwd(here, sizeof here) ? here : "";
    uint64_t h = cache_hash_words(0, &where, 1);
    return cache_hash_words(h, (const char *const *)argv->at, argv->n);
}

static const char *compile_into(struct cache *c, const char *path,
                                struct args *argv, struct diag *d)
{
    char *bc = arena_format(c->arena, "%s/%016llx.%d.bc", c->dir,
                            (unsigned long long)c->key, (int)getpid());
    char *rule = arena_format(c->arena, "%s.d", bc);
    const char *const more[] = {"-MD", "-MF", rule, "-o", bc};
    struct text said = {0};
    const char *object = NULL;
    ADD_ALL(argv, more);
    if (command_run_in(argv, c->folder, &said) != 0) {
        refused(path, arena_text(c->arena, text_get(&said)), d);
    } else {
        cache_add_rule(c, rule);
        object = cache_put(c, bc);
        if (!object)
            diag_set(d, EXIT_USAGE, "cannot write in '%s': %s", c->dir,
                     strerror(errno));
    }
    text_free(&said);
    unlink(rule);
    unlink(bc);
    return object;
}

// The cache as an absolute path, since the compiler may run in another folder.
static const char *cache_folder(struct arena *a, const struct ir_options *o)
{
    char full[PATH_MAX];
    const char *dir = o->cache ? o->cache : build_cache(a);
    return dir && realpath(dir, full) ? arena_text(a, full) : NULL;
}

const char *ir_compile(struct arena *a, const char *path,
                       const struct ir_options *o, bool *fresh, struct diag *d)
{
    struct args flags = {0}, argv = {0};
    struct cache c = {.arena = a, .ending = ".bc", .dir = cache_folder(a, o)};
    const char *result = NULL;
    char full[PATH_MAX];
    if (!c.dir)
        diag_set(d, EXIT_USAGE, "no folder for bitcode can be written");
    else if (!o->database ||
             commands_find(a, o->database, path, &flags, &c.folder, d)) {
        if (c.folder && realpath(path, full))
            path = full;
        command_line(path, o, &flags, &argv);
        c.key = key_of(&argv, c.folder);
        result = cache_find(&c);
        if (fresh)
            *fresh = !result;
        if (!result)
            result = compile_into(&c, path, &argv, d);
    }
    cache_free(&c);
    vec_free(&flags);
    vec_free(&argv);
    return result;
}

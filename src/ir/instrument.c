// From sources to an instrumented object: ir_load writes the bitcode, clang
// compiles it.  The cache knows the object by what the bitcode holds.
#include "ir/instrument.h"

#include "base/command.h"
#include "base/diag.h"
#include "base/hash.h"
#include "base/temp.h"
#include "base/text.h"
#include "ir/commands.h"
#include "program/build.h"
#include "program/cache.h"

#include <errno.h>
#include <string.h>

static const char *const more_flags[] = {
    "-fPIC", "-ftrivial-auto-var-init=zero", "-fno-omit-frame-pointer"};

static bool compile(const char *bitcode, const char *object,
                    const struct ir_options *o, struct diag *d)
{
    const char *const words[] = {ir_compiler(o), "-O1",   "-fPIC", "-w",
                                 "-c",           bitcode, "-o",    object};
    struct args argv = {0};
    struct text said = {0};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        vec_push(&argv, words[i]);
    bool ok = command_run_in(&argv, NULL, &said) == 0;
    if (!ok) {
        said.n = said.n ? strcspn(text_get(&said), "\n") : 0;
        diag_set(d, EXIT_FAULT, "the instrumented program does not compile: %s",
                 text_get(&said));
    }
    vec_free(&argv);
    text_free(&said);
    return ok;
}

static const char *object_of(struct arena *a, const char *folder,
                             const char *bitcode, const struct ir_options *o,
                             struct diag *d)
{
    static const char *const version = "instrumented object 1";
    struct cache c = {.arena = a,
                      .dir = o->cache ? o->cache : build_cache(a),
                      .ending = ".o"};
    const char *object = arena_format(a, "%s/out.o", folder), *found = NULL;
    if (!c.dir) {
        diag_set(d, EXIT_USAGE, "no folder for objects can be written");
        return NULL;
    }
    c.key = cache_hash_file(cache_hash_words(0, &version, 1), bitcode);
    found = cache_find(&c);
    if (!found && compile(bitcode, object, o, d)) {
        found = cache_put(&c, object);
        if (!found)
            diag_set(d, EXIT_USAGE, "cannot write in '%s': %s", c.dir,
                     strerror(errno));
    }
    cache_free(&c);
    return found;
}

struct ir *ir_instrument(struct arena *a, const char *const *paths, uint32_t n,
                         const struct ir_options *options, enum ir_watch watch,
                         const char **object, struct diag *d)
{
    const char *folder = temp_new(a, d);
    if (!folder)
        return NULL;
    struct ir_probes probes = {.watch = watch,
                               .bitcode = arena_format(a, "%s/out.bc", folder)};
    struct ir_options o = *options;
    struct args flags = {0};
    for (uint32_t i = 0; i < options->n_flags; i++)
        vec_push(&flags, options->flags[i]);
    for (size_t i = 0; i < sizeof more_flags / sizeof *more_flags; i++)
        vec_push(&flags, more_flags[i]);
    o.flags = flags.at;
    o.n_flags = flags.n;
    o.probes = &probes;
    struct ir *ir = ir_load(paths, n, &o, d);
    *object = ir ? object_of(a, folder, probes.bitcode, options, d) : NULL;
    if (ir && !*object) {
        ir_free(ir);
        ir = NULL;
    }
    vec_free(&flags);
    temp_remove(folder);
    return ir;
}

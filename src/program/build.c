// The sources are compiled side by side, then linked once.  Which flags the
// compiler knows is asked once and kept beside the objects.
#include "program/build.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/command.h"
#include "base/diag.h"
#include "base/hash.h"
#include "base/file.h"
#include "base/text.h"
#include "program/cache.h"
#include "program/diagnostics.h"
#include "program/home.h"
#include "program/unset.h"
#include "base/libc.h"
#include "troupe.h"

// Always given, before the user's own.
static const char *const flags_always[] = {"-g", "-O1", "-fPIC",
                                           "-fno-omit-frame-pointer"};
// Given where the compiler knows them.
static const char *const flags_optional[] = {
    "-fstack-clash-protection",
    // errors at the user's line
    "-ftrack-macro-expansion=0", "-ftrivial-auto-var-init=zero",
    "-fno-toplevel-reorder", "-Wuninitialized", "-Wmaybe-uninitialized",
    // an invariant without a return would be broken or not by chance
    "-Wreturn-type"};
// The fixed address keeps images equal in every process; symbols are bound at
// load, so that no handler changes the tables of the dynamic linker.
static const char *const flags_link[] = {
    "-shared", "-Wl,-Ttext-segment=0x300000000000", "-Wl,-z,relro,-z,now",
    "-Wl,-Bsymbolic", "-Wl,--build-id"};

#define COUNT(a) (sizeof(a) / sizeof *(a))

struct job {
    struct arena *a;
    const struct build_options *o;
    struct diag *d;
    const char *include;
    struct args cc, cxx; // compiler commands
    struct args cflags;  // compile only or both
    struct args lflags;  // link only, the user's
    struct args link;    // link only, always given
    struct cache cache;
    const char *work; // folder for this build's files
    bool has_cxx;
    struct unset unset; // locals that the compiler warns of
};

static bool ends_in(const char *name, const char *end)
{
    size_t n = strlen(name), k = strlen(end);
    return n > k && strcmp(name + n - k, end) == 0;
}

static bool is_cxx(const char *name)
{
    return ends_in(name, ".cc") || ends_in(name, ".cpp") ||
           ends_in(name, ".cxx") || ends_in(name, ".C");
}

bool build_is_source(const char *name)
{
    return ends_in(name, ".c") || is_cxx(name);
}

bool build_is_input(const char *name)
{
    return build_is_source(name) || ends_in(name, ".o") ||
           ends_in(name, ".a") || ends_in(name, ".so");
}

// ---- places --------------------------------------------------------------

const char *build_include(struct arena *a)
{
    char exe[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    if (n <= 0)
        return NULL;
    exe[n] = 0;
    // PREFIX/bin/troupe has PREFIX/include; build trees lie up to four deep
    for (int up = 0; up < 6; up++) {
        char *slash = strrchr(exe, '/');
        if (!slash)
            return NULL;
        *slash = 0;
        char *dir = arena_format(a, "%s/include", exe);
        if (access(arena_format(a, "%s/troupe.h", dir), R_OK) == 0)
            return dir;
    }
    return NULL;
}

static bool make_dirs(struct arena *a, const char *path)
{
    char *p = arena_text(a, path);
    for (char *s = p + 1; (s = strchr(s, '/')); *s++ = '/') {
        *s = 0;
        if (mkdir(p, 0777) != 0 && errno != EEXIST)
            return false;
    }
    return (mkdir(p, 0777) == 0 || errno == EEXIST) && access(p, W_OK) == 0;
}

const char *build_cache(struct arena *a)
{
    const char *here = home_path(a, "cache");
    if (make_dirs(a, here))
        return here;
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const char *dir = base && *base ? arena_format(a, "%s/troupe", base)
                      : home        ? arena_format(a, "%s/.cache/troupe", home)
                                    : NULL;
    return dir && make_dirs(a, dir) ? dir : NULL;
}

// ---- the compiler --------------------------------------------------------

// Take the command from the option or the environment; false if there is no
// such program.
static bool find_compiler(struct job *j, struct args *out, const char *given,
                          const char *variable, const char *otherwise)
{
    const char *env = getenv(variable);
    const char *words = given ? given : env && *env ? env : otherwise;
    args_split(out, j->a, words);
    if (out->n && command_path(j->a, out->at[0]))
        return true;
    diag_set(j->d, EXIT_USAGE, "no compiler: cannot find '%s'", words);
    diag_hint(j->d, "install one, or name it: %s=gcc troupe ...", variable);
    return false;
}

// A hash that tells one compiler from another without running it: the path of
// its file with links resolved, the size and the time of that file.
static uint64_t compiler_hash(struct job *j, const struct args *cc)
{
    uint64_t h = 0;
    for (uint32_t i = 0; i < cc->n; i++) {
        struct stat st;
        const char *path = command_path(j->a, cc->at[i]);
        h = hash_seeded(cc->at[i], strlen(cc->at[i]), h);
        if (path && stat(path, &st) == 0)
            h = hash_join(hash_join(h, (uint64_t)st.st_size),
                          (uint64_t)st.st_mtim.tv_sec);
    }
    return h;
}

static bool compiler_accepts(const struct args *cc, const char *const *flags,
                             size_t n)
{
    struct args argv = {0};
    for (uint32_t i = 0; i < cc->n; i++)
        vec_push(&argv, cc->at[i]);
    vec_push(&argv, "-Werror");
    for (size_t i = 0; i < n; i++)
        vec_push(&argv, flags[i]);
    const char *const rest[] = {"-x",        "c",  "-S",
                                "/dev/null", "-o", "/dev/null"};
    for (size_t i = 0; i < COUNT(rest); i++)
        vec_push(&argv, rest[i]);
    bool ok = command_run(&argv, true, NULL) == 0;
    vec_free(&argv);
    return ok;
}

// Do the compilers know all of these flags?  That for C++ may be of another
// make.
static bool accepts(struct job *j, const char *const *flags, size_t n)
{
    return compiler_accepts(&j->cc, flags, n) &&
           (!j->has_cxx || compiler_accepts(&j->cxx, flags, n));
}

static uint64_t compilers_hash(struct job *j)
{
    uint64_t h = compiler_hash(j, &j->cc);
    return j->has_cxx ? hash_join(h, compiler_hash(j, &j->cxx)) : h;
}

// A warning that the user did not ask for is never an error.
static void add_flag(struct job *j, const char *flag)
{
    vec_push(&j->cflags, flag);
    if (strncmp(flag, "-W", 2) == 0)
        vec_push(&j->cflags, arena_format(j->a, "-Wno-error=%s", flag + 2));
}

// Which optional flags the compiler takes, remembered in the cache as a line
// of 0s and 1s.  Most compilers take all of them: then one question is enough.
static void add_optional(struct job *j)
{
    char known[COUNT(flags_optional) + 1] = {0};
    const char *file = arena_format(j->a, "%s/flags-%016llx", j->cache.dir,
                                    (unsigned long long)compilers_hash(j));
    FILE *f = fopen(file, "r");
    bool read =
        f && fread(known, 1, COUNT(flags_optional), f) == COUNT(flags_optional);
    if (f)
        fclose(f);
    bool all = !read && accepts(j, flags_optional, COUNT(flags_optional));
    for (size_t i = 0; i < COUNT(flags_optional); i++) {
        if (!read)
            known[i] = all || accepts(j, &flags_optional[i], 1) ? '1' : '0';
        if (known[i] == '1')
            add_flag(j, flags_optional[i]);
    }
    f = read ? NULL : fopen(file, "w");
    if (f) {
        fputs(known, f);
        fclose(f);
    }
}

static bool for_linker(const char *flag)
{
    return strncmp(flag, "-l", 2) == 0 || strncmp(flag, "-L", 2) == 0 ||
           strncmp(flag, "-Wl,", 4) == 0;
}

static void add_flags(struct job *j)
{
    for (size_t i = 0; i < COUNT(flags_always); i++)
        vec_push(&j->cflags, flags_always[i]);
    add_optional(j);
    for (uint32_t i = 0; i < j->o->n_extra; i++)
        vec_push(&j->cflags, j->o->extra[i]);
    for (uint32_t i = 0; i < j->o->n_flags; i++)
        if (for_linker(j->o->flags[i]))
            vec_push(&j->lflags, j->o->flags[i]);
        else
            vec_push(&j->cflags, j->o->flags[i]);
    vec_push(&j->cflags, arena_format(j->a, "-I%s", j->include));
}

void build_wrap(struct args *argv, struct arena *a)
{
    for (uint32_t i = 0; i < libc_n; i++)
        if (libc_rows[i].stage == LIBC_WRAPPED)
            vec_push(argv, arena_format(a, "-Wl,--wrap=%s", libc_rows[i].name));
}

static struct args link_flags(struct job *j)
{
    struct args all = {0};
    for (size_t k = 0; k < COUNT(flags_link); k++)
        vec_push(&all, flags_link[k]);
    build_wrap(&all, j->a);
    return all;
}

static uint64_t key_of(struct job *j)
{
    char cwd[PATH_MAX];
    const char *where = getcwd(cwd, sizeof cwd) ? cwd : "";
    uint64_t h = cache_hash_words(0, &where, 1);
    const char *version = TR_VERSION " object format 2";
    h = cache_hash_words(h, &version, 1);
    h = hash_join(h, compilers_hash(j));
    h = cache_hash_words(h, (const char *const *)j->cflags.at, j->cflags.n);
    h = cache_hash_words(h, (const char *const *)j->lflags.at, j->lflags.n);
    h = cache_hash_words(h, (const char *const *)j->link.at, j->link.n);
    return cache_hash_words(h, j->o->inputs, j->o->n_inputs);
}

// ---- compiling -----------------------------------------------------------

static void show(const struct job *j, const struct args *argv)
{
    for (uint32_t i = 0; j->o->verbose && i < argv->n; i++)
        fprintf(stderr, "%s%c", argv->at[i], i + 1 < argv->n ? ' ' : '\n');
}

static const char *object_name(struct job *j, uint32_t i)
{
    return build_is_source(j->o->inputs[i])
               ? arena_format(j->a, "%s/%u.o", j->work, i)
               : j->o->inputs[i];
}

// The file that keeps what the compiler said of one source.
static const char *said_file(struct job *j, uint32_t i)
{
    return arena_format(j->a, "%s/%u.said", j->work, i);
}

static bool is_c_standard(const char *flag)
{
    return strncmp(flag, "-std=", 5) == 0 && !strchr(flag, '+');
}

static pid_t compile_one(struct job *j, uint32_t i)
{
    const char *source = j->o->inputs[i];
    const struct args *cc = is_cxx(source) ? &j->cxx : &j->cc;
    struct args argv = {0};
    for (uint32_t k = 0; k < cc->n; k++)
        vec_push(&argv, cc->at[k]);
    if (is_cxx(source)) // what troupe.h needs, unless the user says another
        vec_push(&argv, "-std=gnu++20");
    for (uint32_t k = 0; k < j->cflags.n; k++)
        if (!is_cxx(source) || !is_c_standard(j->cflags.at[k]))
            vec_push(&argv, j->cflags.at[k]);
    const char *const rest[] = {"-MD",
                                "-MF",
                                arena_format(j->a, "%s/%u.d", j->work, i),
                                "-c",
                                source,
                                "-o",
                                object_name(j, i)};
    for (size_t k = 0; k < COUNT(rest); k++)
        vec_push(&argv, rest[k]);
    if (isatty(2))
        vec_push(&argv, "-fdiagnostics-color=always");
    show(j, &argv);
    int said = open(said_file(j, i), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    pid_t pid = command_start_to(&argv, said);
    if (said >= 0)
        close(said);
    vec_free(&argv);
    return pid;
}

// What the compiler said of a source, and what that means.
static void hear(struct job *j, uint32_t i, bool ok)
{
    struct text said = {0}, words = {0};
    if (file_read(said_file(j, i), &said))
        unset_read(text_get(&said), &j->unset);
    if (ok)
        text_add(&words, text_get(&said));
    else
        diagnostics_shorten(text_get(&said), j->o->verbose, &words);
    fputs(text_get(&words), stderr);
    text_free(&said);
    text_free(&words);
}

// Compile all sources, as many at once as there are cores.  If one fails the
// others are compiled all the same, so that all errors are seen.
static bool compile(struct job *j)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    uint32_t width = cores > 1 ? (uint32_t)cores : 1;
    bool ok = true;
    VEC(pid_t) running = {0};
    for (uint32_t i = 0; i < j->o->n_inputs || running.n;) {
        if (i < j->o->n_inputs && running.n < width) {
            if (build_is_source(j->o->inputs[i]))
                vec_push(&running, compile_one(j, i));
            else
                cache_add(&j->cache, j->o->inputs[i]);
            i++;
            continue;
        }
        pid_t first = running.at[0];
        memmove(running.at, running.at + 1, --running.n * sizeof first);
        ok = first > 0 && command_wait(first) == 0 && ok;
    }
    vec_free(&running);
    for (uint32_t i = 0; i < j->o->n_inputs; i++)
        if (build_is_source(j->o->inputs[i])) {
            cache_add_rule(&j->cache,
                           arena_format(j->a, "%s/%u.d", j->work, i));
            hear(j, i, ok);
        }
    return ok || diag_shown(j->d, EXIT_USAGE);
}

static bool link_object(struct job *j, const char *out)
{
    struct args argv = {0};
    const struct args *cc = j->has_cxx ? &j->cxx : &j->cc;
    for (uint32_t k = 0; k < cc->n; k++)
        vec_push(&argv, cc->at[k]);
    for (uint32_t k = 0; k < j->cflags.n; k++)
        if (j->cflags.at[k][0] == '-' && j->cflags.at[k][1] != 'I' &&
            j->cflags.at[k][1] != 'D')
            vec_push(&argv, j->cflags.at[k]);
    for (uint32_t k = 0; k < j->link.n; k++)
        vec_push(&argv, j->link.at[k]);
    for (uint32_t i = 0; i < j->o->n_inputs; i++)
        vec_push(&argv, object_name(j, i));
    const char *unset = unset_source(j->a, &j->unset, j->work);
    if (unset)
        vec_push(&argv, unset);
    for (uint32_t k = 0; k < j->lflags.n; k++)
        vec_push(&argv, j->lflags.at[k]);
    vec_push(&argv, "-o");
    vec_push(&argv, out);
    show(j, &argv);
    bool ok = command_run(&argv, false, NULL) == 0;
    vec_free(&argv);
    return ok || diag_shown(j->d, EXIT_USAGE);
}

static bool make_work(struct job *j)
{
    char *dir = arena_format(j->a, "%s/tmp-XXXXXX", j->cache.dir);
    if (!mkdtemp(dir))
        return diag_set(j->d, EXIT_USAGE, "cannot write in '%s': %s",
                        j->cache.dir, strerror(errno));
    j->work = dir;
    return true;
}

static void drop_work(struct job *j)
{
    for (uint32_t i = 0; i < j->o->n_inputs; i++) {
        unlink(arena_format(j->a, "%s/%u.o", j->work, i));
        unlink(arena_format(j->a, "%s/%u.d", j->work, i));
        unlink(said_file(j, i));
    }
    unlink(arena_format(j->a, "%s/unset.c", j->work));
    unlink(arena_format(j->a, "%s/out.so", j->work));
    rmdir(j->work);
}

static const char *make_object(struct job *j)
{
    const char *out = arena_format(j->a, "%s/out.so", j->work);
    if (!compile(j) || !link_object(j, out))
        return NULL;
    const char *object = cache_put(&j->cache, out);
    if (!object)
        diag_set(j->d, EXIT_USAGE, "cannot write in '%s': %s", j->cache.dir,
                 strerror(errno));
    return object;
}

static bool check_inputs(struct job *j)
{
    if (!j->o->n_inputs)
        return diag_set(j->d, EXIT_USAGE, "no program: name its sources");
    for (uint32_t i = 0; i < j->o->n_inputs; i++) {
        const char *name = j->o->inputs[i];
        if (access(name, R_OK) != 0)
            return diag_at(j->d, EXIT_USAGE, name, 0, "%s", strerror(errno));
        if (!build_is_input(name))
            return diag_at(j->d, EXIT_USAGE, name, 0,
                           "neither a source (.c) nor an object (.o, .a, .so)");
        if (ends_in(name, ".so") && j->o->n_inputs > 1)
            return diag_at(j->d, EXIT_USAGE, name, 0,
                           "a ready object stands alone");
        j->has_cxx |= is_cxx(name);
    }
    return true;
}

static bool prepare(struct job *j)
{
    const struct build_options *o = j->o;
    j->cache.arena = j->a;
    j->cache.dir = o->cache ? o->cache : build_cache(j->a);
    if (!j->cache.dir || (o->cache && !make_dirs(j->a, o->cache)))
        return diag_set(j->d, EXIT_USAGE,
                        "no folder to build in: neither "
                        ".troupe/cache nor the user's cache "
                        "can be written");
    j->include = o->include ? o->include : build_include(j->a);
    if (!j->include)
        return diag_set(j->d, EXIT_USAGE,
                        "cannot find troupe.h beside the "
                        "tool; is it installed?");
    if (!find_compiler(j, &j->cc, o->cc, "CC", "cc"))
        return false;
    if (j->has_cxx && !find_compiler(j, &j->cxx, o->cxx, "CXX", "c++"))
        return false;
    add_flags(j);
    j->link = link_flags(j);
    j->cache.key = key_of(j);
    return true;
}

bool build_program(struct arena *a, const struct build_options *o,
                   struct built *out, struct diag *d)
{
    struct job j = {.a = a, .o = o, .d = d};
    *out = (struct built){0};
    if (!check_inputs(&j))
        return false;
    if (ends_in(o->inputs[0], ".so")) {
        *out = (struct built){arena_text(a, o->inputs[0]), true};
        return true;
    }
    if (prepare(&j)) {
        out->path = o->fresh ? NULL : cache_find(&j.cache);
        out->cached = out->path != NULL;
        if (!out->cached && make_work(&j)) {
            out->path = make_object(&j);
            drop_work(&j);
        }
    }
    vec_free(&j.cc);
    vec_free(&j.cxx);
    vec_free(&j.cflags);
    vec_free(&j.lflags);
    vec_free(&j.link);
    cache_free(&j.cache);
    text_free(&j.unset.places);
    return out->path != NULL;
}

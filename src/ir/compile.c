// Sources to bitcode, cached by content.
//
// For a source, its flags and the compiler there is a key.  KEY.d names the
// files it was made of when last compiled; KEY-HASH.bc is its bitcode, where
// HASH is that of all their contents.  So a changed header is seen without
// running the compiler, and going back to an older text finds the older
// bitcode again.
#include "ir/ir.h"

#include "base/diag.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct words {
    VEC(char *) at;
};

static void add(struct arena *a, struct words *w, const char *s)
{
    vec_push(&w->at, arena_text(a, s));
}

// ---- running the compiler -----------------------------------------------

static bool run(char *const *argv, const char *folder, const char *errors)
{
    posix_spawn_file_actions_t fa;
    pid_t pid;
    int status = -1;
    posix_spawn_file_actions_init(&fa);
    posix_spawn_file_actions_addopen(&fa, 2, errors,
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (folder)
        posix_spawn_file_actions_addchdir_np(&fa, folder);
    int e = posix_spawnp(&pid, argv[0], &fa, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&fa);
    if (e)
        return false;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return status == 0;
}

static char *read_all(struct arena *a, const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    fseek(f, 0, SEEK_END);
    long n = ftell(f);
    rewind(f);
    char *s = arena_get(a, (size_t)(n < 0 ? 0 : n) + 1);
    *size = n > 0 ? fread(s, 1, (size_t)n, f) : 0;
    s[*size] = 0;
    fclose(f);
    return s;
}

// The first error of the compiler, or its last words.
static bool refused(struct arena *a, const char *path, const char *errors,
                    struct diag *d)
{
    size_t n;
    char *all = read_all(a, errors, &n), *save = NULL, *said = NULL;
    for (char *line = all ? strtok_r(all, "\n", &save) : NULL; line;
         line = strtok_r(NULL, "\n", &save))
        if (strstr(line, "error:") && (!said || !strstr(said, "error:")))
            said = line;
        else if (!said)
            said = line;
    if (said && strstr(said, "error:") && said[0] != '/')
        return diag_set(d, EXIT_USAGE, "%s", said);
    return diag_set(d, EXIT_USAGE, "%s: cannot be compiled%s%s", path,
                    said ? ": " : "", said ? said : "");
}

// ---- compile_commands.json ----------------------------------------------

static bool drops_next(const char *w)
{
    return strcmp(w, "-o") == 0 || strcmp(w, "-MF") == 0 ||
           strcmp(w, "-MT") == 0 || strcmp(w, "-MQ") == 0;
}

// Options that would change what the analysis reads, and those of other
// compilers.
static bool dropped(const char *w)
{
    static const char *const starts[] = {
        "-O",          "-flto",    "-fanalyzer", "-M",
        "-fsanitize",  "-Werror",  "-fprofile",  "-ftest-coverage",
        "-save-temps", "-fuse-ld", "-Wl,"};
    if (strcmp(w, "-c") == 0 || strcmp(w, "-S") == 0 || strcmp(w, "-E") == 0)
        return true;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (strncmp(w, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

// Words of a shell command: quotes and backslashes, nothing else.
static void split(struct arena *a, const char *s, struct words *out)
{
    struct text word = {0};
    bool in = false;
    char quote = 0;
    for (; *s; s++) {
        if (quote ? *s == quote : (*s == '\'' || *s == '"')) {
            quote = quote ? 0 : *s;
            in = true;
        } else if (*s == '\\' && quote != '\'' && s[1]) {
            text_char(&word, *++s);
            in = true;
        } else if (!quote && (*s == ' ' || *s == '\t' || *s == '\n')) {
            if (in)
                add(a, out, text_get(&word));
            text_clear(&word);
            in = false;
        } else {
            text_char(&word, *s);
            in = true;
        }
    }
    if (in)
        add(a, out, text_get(&word));
    text_free(&word);
}

static void entry_words(struct arena *a, json_t *entry, struct words *out)
{
    json_t *list = json_object_get(entry, "arguments");
    const char *command = json_string_value(json_object_get(entry, "command"));
    size_t i;
    json_t *w;
    json_array_foreach(list, i, w) if (json_is_string(w))
        add(a, out, json_string_value(w));
    if (!list && command)
        split(a, command, out);
}

static bool same_file(const char *folder, const char *a, const char *b)
{
    char joined[PATH_MAX], x[PATH_MAX], y[PATH_MAX];
    snprintf(joined, sizeof joined, "%s%s%s", a[0] == '/' ? "" : folder,
             a[0] == '/' ? "" : "/", a);
    return realpath(joined, x) && realpath(b, y) && strcmp(x, y) == 0;
}

// The flags of this source, and the folder they are relative to.
static bool from_database(struct arena *a, const char *database,
                          const char *path, struct words *flags,
                          const char **folder, struct diag *d)
{
    json_error_t e;
    json_t *all = json_load_file(database, 0, &e), *entry;
    size_t i;
    if (!json_is_array(all)) {
        json_decref(all);
        return diag_set(d, EXIT_USAGE, "%s:%d: %s", database, e.line,
                        all ? "not a list" : e.text);
    }
    json_array_foreach(all, i, entry)
    {
        const char *file = json_string_value(json_object_get(entry, "file"));
        const char *dir =
            json_string_value(json_object_get(entry, "directory"));
        if (!file || !same_file(dir ? dir : ".", file, path))
            continue;
        struct words w = {0};
        entry_words(a, entry, &w);
        for (uint32_t k = 1; k < w.at.n; k++) {
            if (drops_next(w.at.at[k]))
                k++;
            else if (!dropped(w.at.at[k]) && strcmp(w.at.at[k], file) != 0)
                vec_push(&flags->at, w.at.at[k]);
        }
        vec_free(&w.at);
        *folder = dir ? arena_text(a, dir) : NULL;
        break;
    }
    json_decref(all);
    return true;
}

// ---- the cache ----------------------------------------------------------

// Hash the contents of all files that a make rule names; 0 if one is gone.
static uint64_t hash_made_of(struct arena *a, const char *rule,
                             const char *folder)
{
    size_t n;
    char *all = read_all(a, rule, &n), *save = NULL;
    char *p = all ? strchr(all, ':') : NULL;
    uint64_t h = 1;
    if (!p)
        return 0;
    for (char *q = p; (q = strstr(q, "\\\n"));)
        q[0] = q[1] = ' ';
    for (char *w = strtok_r(p + 1, " \n", &save); w;
         w = strtok_r(NULL, " \n", &save)) {
        size_t size;
        const char *name =
            folder && w[0] != '/' ? arena_format(a, "%s/%s", folder, w) : w;
        char *s = read_all(a, name, &size);
        if (!s)
            return 0;
        h = hash_join(h, hash_seeded(s, size, size));
    }
    return h;
}

static uint64_t hash_words(const struct words *w, const char *folder)
{
    uint64_t h = hash_bytes(folder ? folder : "", folder ? strlen(folder) : 0);
    char here[PATH_MAX];
    if (!folder && getcwd(here, sizeof here))
        h = hash_bytes(here, strlen(here));
    for (uint32_t i = 0; i < w->at.n; i++)
        h = hash_join(h, hash_bytes(w->at.at[i], strlen(w->at.at[i])));
    return h;
}

static bool exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && st.st_size > 0;
}

static const char *compiler(const struct ir_options *o)
{
    if (o->clang)
        return o->clang;
    if (getenv("TR_CLANG"))
        return getenv("TR_CLANG");
    return access("/usr/bin/clang-19", X_OK) == 0 ? "/usr/bin/clang-19"
                                                  : "clang";
}

static void command_line(struct arena *a, const char *path,
                         const struct ir_options *o, const struct words *flags,
                         struct words *out)
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
    add(a, out, compiler(o));
    if (n > 2 && strcmp(path + n - 2, ".c") == 0)
        add(a, out, "-std=gnu17");
    for (uint32_t i = 0; i < flags->at.n; i++)
        add(a, out, flags->at.at[i]);
    for (uint32_t i = 0; i < o->n_flags; i++)
        add(a, out, o->flags[i]);
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        add(a, out, always[i]);
}

// Compile to a name of our own, then give it its name: half a file is never
// seen under it.
static const char *compile_into(struct arena *a, const char *path,
                                const char *folder, const char *stem,
                                struct words *w, struct diag *d)
{
    char *bc = arena_format(a, "%s.%d.bc", stem, (int)getpid());
    char *rule = arena_format(a, "%s.%d.d", stem, (int)getpid());
    char *errors = arena_format(a, "%s.%d.err", stem, (int)getpid());
    const char *more[] = {"-MD", "-MF", rule, "-o", bc, path};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        add(a, w, more[i]);
    vec_push(&w->at, NULL);
    bool ok = run(w->at.at, folder, errors);
    uint64_t h = ok ? hash_made_of(a, rule, folder) : 0;
    char *final = arena_format(a, "%s-%016" PRIx64 ".bc", stem, h);
    if (!ok)
        refused(a, path, errors, d);
    else if (rename(bc, final) != 0)
        diag_set(d, EXIT_USAGE, "%s: %s", final, strerror(errno));
    rename(rule, arena_format(a, "%s.d", stem));
    unlink(errors);
    unlink(bc);
    return d->status ? NULL : final;
}

const char *ir_compile(struct arena *a, const char *path,
                       const struct ir_options *options, bool *fresh,
                       struct diag *d)
{
    struct words flags = {0}, w = {0};
    const char *folder = NULL, *result = NULL;
    char full[PATH_MAX], cache[PATH_MAX];
    if (fresh)
        *fresh = false;
    if (options->database &&
        !from_database(a, options->database, path, &flags, &folder, d))
        goto out;
    if (folder && realpath(path, full))
        path = full;
    command_line(a, path, options, &flags, &w);
    const char *where = options->cache ? options->cache : "/tmp";
    if (!realpath(where, cache))
        snprintf(cache, sizeof cache, "%s", where);
    uint64_t key =
        hash_join(hash_words(&w, folder), hash_bytes(path, strlen(path)));
    char *stem = arena_format(a, "%s/%016" PRIx64, cache, key);
    uint64_t h = hash_made_of(a, arena_format(a, "%s.d", stem), folder);
    char *old = arena_format(a, "%s-%016" PRIx64 ".bc", stem, h);
    if (h && exists(old)) {
        result = old;
        goto out;
    }
    if (fresh)
        *fresh = true;
    result = compile_into(a, path, folder, stem, &w, d);
out:
    vec_free(&flags.at);
    vec_free(&w.at);
    return result;
}

// compile_commands.json: the flags of one source, without those that would
// change what the analysis reads or that only other compilers know.
#include "ir/commands.h"

#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/command.h"
#include "base/diag.h"

static bool drops_next(const char *w)
{
    return strcmp(w, "-o") == 0 || strcmp(w, "-MF") == 0 ||
           strcmp(w, "-MT") == 0 || strcmp(w, "-MQ") == 0;
}

static bool is_dropped(const char *w)
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

static void entry_words(struct arena *a, json_t *entry, struct args *out)
{
    json_t *list = json_object_get(entry, "arguments");
    const char *command = json_string_value(json_object_get(entry, "command"));
    size_t i;
    json_t *w;
    json_array_foreach(list, i, w) if (json_is_string(w))
        vec_push(out, (const char *)arena_text(a, json_string_value(w)));
    if (!list && command)
        args_split(out, a, command);
}

static bool same_file(const char *folder, const char *a, const char *b)
{
    char joined[PATH_MAX], x[PATH_MAX], y[PATH_MAX];
    snprintf(joined, sizeof joined, "%s%s%s", a[0] == '/' ? "" : folder,
             a[0] == '/' ? "" : "/", a);
    return realpath(joined, x) && realpath(b, y) && strcmp(x, y) == 0;
}

static void take_flags(struct arena *a, json_t *entry, const char *file,
                       struct args *flags)
{
    struct args w = {0};
    entry_words(a, entry, &w);
    for (uint32_t k = 1; k < w.n; k++) {
        if (drops_next(w.at[k]))
            k++;
        else if (!is_dropped(w.at[k]) && strcmp(w.at[k], file) != 0)
            vec_push(flags, w.at[k]);
    }
    vec_free(&w);
}

bool commands_find(struct arena *a, const char *database, const char *path,
                   struct args *flags, const char **folder, struct diag *d)
{
    json_error_t e;
    json_t *all = json_load_file(database, 0, &e), *entry;
    size_t i;
    bool ok = json_is_array(all);
    if (!ok)
        diag_set(d, EXIT_USAGE, "%s:%d: %s", database, e.line,
                 all ? "not a list" : e.text);
    json_array_foreach(all, i, entry)
    {
        const char *file = json_string_value(json_object_get(entry, "file"));
        const char *dir =
            json_string_value(json_object_get(entry, "directory"));
        if (!file || !same_file(dir ? dir : ".", file, path))
            continue;
        take_flags(a, entry, file, flags);
        *folder = dir ? arena_text(a, dir) : NULL;
        break;
    }
    json_decref(all);
    return ok;
}

// Cases are found by their files alone: by folder, name and contents.
#include "report/store.h"

#include "base/arena.h"
#include "base/diag.h"
#include "base/hash.h"
#include "base/text.h"
#include "play/case.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- names ----------------------------------------------------------------

enum { LONGEST = 100 }; // of what stands behind the test's name

// Parameters that a file name cannot hold are told by their hash.
static void add_params(struct text *t, const char *params)
{
    bool plain = strlen(params) < LONGEST;
    for (const char *s = params; *s; s++)
        plain &= isalnum((unsigned char)*s) || strchr(",=._-", *s);
    if (plain)
        text_add(t, params);
    else
        text_format(t, ",%016llx",
                    (unsigned long long)hash_bytes(params, strlen(params)));
}

static const char *file_name(struct arena *a, const struct test_case *c)
{
    struct text params = {0}, t = {0};
    for (uint32_t i = 0; i < c->params.n; i++)
        text_format(&params, ",%s", c->params.at[i]);
    text_format(&t, "%s@%s", c->test, c->delivery);
    add_params(&t, text_get(&params));
    const char *name = arena_format(a, "%s.case", text_get(&t));
    text_free(&params);
    text_free(&t);
    return name;
}

// ---- keeping --------------------------------------------------------------

static bool same_text(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

// Is what the file holds as good as this case?  A case of another build may
// not fit any more.
static bool is_no_longer(const char *path, const struct test_case *c)
{
    struct arena a = {0};
    struct diag d = {0};
    struct test_case old = {0};
    bool read = access(path, F_OK) == 0 && case_read(&a, path, &old, &d);
    bool better =
        read && same_text(old.build, c->build) && old.steps.n <= c->steps.n;
    case_release(&old);
    diag_free(&d);
    arena_free(&a);
    return better;
}

const char *store_case(struct store *s, struct arena *a, const char *id,
                       const struct test_case *c, struct diag *d)
{
    const char *folder = arena_format(a, "%s/cases/%s", store_dir(s), id);
    const char *path = arena_format(a, "%s/%s", folder, file_name(a, c));
    if (mkdir(folder, 0777) && errno != EEXIST) {
        diag_set(d, EXIT_USAGE, "%s: %s", folder, strerror(errno));
        return NULL;
    }
    return is_no_longer(path, c) || case_write(c, path, d) ? path : NULL;
}

// ---- finding --------------------------------------------------------------

// The name in a folder that begins with this text; NULL if there is none.
// *several: there is more than one.
static const char *find_name(const char *dir, struct arena *a,
                             const char *begin, size_t n, bool *several)
{
    const char *found = NULL;
    DIR *d = opendir(dir);
    for (struct dirent *e; d && (e = readdir(d));) {
        if (*e->d_name == '.' || strncmp(e->d_name, begin, n) != 0)
            continue;
        *several |= found != NULL;
        found = arena_text(a, e->d_name);
    }
    if (d)
        closedir(d);
    return found;
}

struct candidate {
    const char *path;
    uint32_t steps; // UINT32_MAX: it cannot be read
    struct timespec at;
};

static bool is_case(const char *name)
{
    const char *end = strrchr(name, '.');
    return end && strcmp(end, ".case") == 0;
}

// False if the file is no case, or one of another delivery model.
static bool look_at(struct arena *a, const char *path, const char *model,
                    struct candidate *out)
{
    struct stat st;
    struct diag d = {0};
    struct test_case c = {0};
    if (!is_case(path) || stat(path, &st) != 0)
        return false;
    bool read = case_read(a, path, &c, &d);
    *out = (struct candidate){path, read ? c.steps.n : UINT32_MAX, st.st_mtim};
    bool fits = !model || (read && same_text(c.delivery, model));
    case_release(&c);
    diag_free(&d);
    return fits;
}

static bool is_younger(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec
                                  : a->tv_nsec > b->tv_nsec;
}

static const char *best_case(const char *dir, struct arena *a,
                             const char *model)
{
    struct candidate best = {0}, c;
    DIR *d = opendir(dir);
    for (struct dirent *e; d && (e = readdir(d));) {
        const char *path = arena_format(a, "%s/%s", dir, e->d_name);
        if (!look_at(a, path, model, &c))
            continue;
        if (!best.path || c.steps < best.steps ||
            (c.steps == best.steps && is_younger(&c.at, &best.at)))
            best = c;
    }
    if (d)
        closedir(d);
    return best.path;
}

const char *store_find_case(const char *dir, struct arena *a, const char *id,
                            struct diag *d)
{
    bool several = false;
    const char *model = strchr(id, '@'), *found = NULL;
    size_t n = model ? (size_t)(model - id) : strlen(id);
    const char *cases = arena_format(a, "%s/cases", dir);
    const char *name = n ? find_name(cases, a, id, n, &several) : NULL;
    if (name)
        found = best_case(arena_format(a, "%s/%s", cases, name), a,
                          model ? model + 1 : NULL);
    if (several)
        diag_set(d, EXIT_USAGE, "bug '%s' in %s: more than one begins so", id,
                 dir);
    else if (name && !found)
        diag_set(d, EXIT_USAGE, "bug '%.*s' in %s: no case of delivery %s",
                 (int)n, id, dir, model ? model + 1 : "");
    else if (!found)
        diag_set(d, EXIT_USAGE, "no bug '%s' in %s, and no such file", id, dir);
    return several ? NULL : found;
}

const char *store_case_name(const char *dir, struct arena *a, const char *id,
                            const struct test_case *c, const char *path)
{
    const char *names[] = {arena_text(a, id),
                           arena_format(a, "%s@%s", id, c->delivery)};
    for (int i = 0; i < 2; i++) {
        struct diag d = {0};
        bool found = same_text(store_find_case(dir, a, names[i], &d), path);
        diag_free(&d);
        if (found)
            return names[i];
    }
    return path;
}

// ---- all of them ----------------------------------------------------------

static int plain(const struct dirent *e)
{
    return *e->d_name != '.';
}

static int case_file(const struct dirent *e)
{
    return *e->d_name != '.' && is_case(e->d_name);
}

static void use_folder(const char *folder, struct arena *a,
                       void (*use)(void *self, const char *path), void *self)
{
    struct dirent **files;
    int n = scandir(folder, &files, case_file, alphasort);
    for (int i = 0; i < n; i++) {
        use(self, arena_format(a, "%s/%s", folder, files[i]->d_name));
        free(files[i]);
    }
    if (n >= 0)
        free(files);
}

void store_each_case(const char *dir, struct arena *a,
                     void (*use)(void *self, const char *path), void *self)
{
    struct dirent **bugs;
    const char *cases = arena_format(a, "%s/cases", dir);
    int n = scandir(cases, &bugs, plain, alphasort);
    for (int i = 0; i < n; i++) {
        use_folder(arena_format(a, "%s/%s", cases, bugs[i]->d_name), a, use,
                   self);
        free(bugs[i]);
    }
    if (n >= 0)
        free(bugs);
}

#include "program/home.h"

#include "base/arena.h"
#include "base/text.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

// Cut a folder to the one above; false at the top.
static bool above(char *dir)
{
    char *slash = strrchr(dir, '/');
    if (slash)
        *slash = 0;
    return slash;
}

const char *home_folder(struct arena *a)
{
    char dir[PATH_MAX];
    if (access("troupe.ini", R_OK) == 0 || !getcwd(dir, sizeof dir))
        return "";
    while (above(dir))
        if (access(arena_format(a, "%s/troupe.ini", dir), R_OK) == 0)
            return arena_format(a, "%s%s", dir, *dir ? "" : "/");
    return "";
}

// "FOLDER/", or nothing.
static const char *in_folder(struct arena *a)
{
    const char *dir = home_folder(a);
    size_t n = strlen(dir);
    return arena_format(a, "%s%s", dir, n && dir[n - 1] != '/' ? "/" : "");
}

const char *home_ini(struct arena *a)
{
    const char *path = arena_format(a, "%stroupe.ini", in_folder(a));
    return access(path, R_OK) == 0 ? path : NULL;
}

const char *home_path(struct arena *a, const char *below)
{
    return arena_format(a, "%s.troupe%s%s", in_folder(a), *below ? "/" : "",
                        below);
}

// The way from the folder to the working directory: "below/x/", "" at home.
static const char *way_down(struct arena *a)
{
    char here[PATH_MAX];
    const char *folder = in_folder(a);
    size_t n = strlen(folder);
    if (!n || !getcwd(here, sizeof here) || strncmp(here, folder, n) != 0)
        return "";
    return arena_format(a, "%s/", here + n);
}

// Without "." and "x/..".
static const char *plain(struct arena *a, const char *path)
{
    struct text t = {0};
    for (size_t n; *path; path += n + (path[n] == '/')) {
        n = strcspn(path, "/");
        bool up = n == 2 && strncmp(path, "..", 2) == 0;
        const char *so_far = text_get(&t), *last = strrchr(so_far, '/');
        last = last ? last + 1 : so_far;
        if (!n || (n == 1 && *path == '.'))
            continue;
        if (up && t.n && strcmp(last, "..") != 0) {
            t.n = last > so_far ? (size_t)(last - so_far) - 1 : 0;
            t.at[t.n] = 0;
        } else
            text_format(&t, "%s%.*s", t.n ? "/" : "", (int)n, path);
    }
    const char *out = arena_text(a, text_get(&t));
    text_free(&t);
    return out;
}

const char *home_name(struct arena *a, const char *path)
{
    const char *folder = in_folder(a), *down = way_down(a);
    size_t n = strlen(folder);
    if (*path == '/')
        return n && strncmp(path, folder, n) == 0 ? arena_text(a, path + n)
                                                  : path;
    return *down ? plain(a, arena_format(a, "%s%s", down, path)) : path;
}

const char *home_here(struct arena *a, const char *name)
{
    struct text t = {0};
    const char *down = way_down(a);
    if (*name == '/' || !*down)
        return name;
    size_t n = strlen(down);
    if (strncmp(name, down, n) == 0)
        return arena_text(a, name + n);
    for (; *down; down++)
        if (*down == '/')
            text_add(&t, "../");
    text_add(&t, name);
    const char *out = arena_text(a, text_get(&t));
    text_free(&t);
    return out;
}

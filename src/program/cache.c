#include "program/cache.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/text.h"

enum { MOST_FILES = 400 };

uint64_t cache_hash_words(uint64_t h, const char *const *at, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        h = hash_seeded(at[i], strlen(at[i]) + 1, h);
    return h;
}

static bool hash_file(const char *path, uint64_t *h)
{
    FILE *f = fopen(path, "r");
    if (!f)
        return false;
    char buf[16384];
    for (size_t n; (n = fread(buf, 1, sizeof buf, f)) > 0;)
        *h = hash_seeded(buf, n, *h);
    bool ok = !ferror(f);
    fclose(f);
    return ok;
}

uint64_t cache_hash_file(uint64_t h, const char *path)
{
    uint64_t then = h;
    return hash_file(path, &then) ? then : h;
}

// The name of the object for what the files hold now; NULL if a file is
// missing.
static const char *object_of(struct cache *c)
{
    uint64_t h = c->key;
    for (uint32_t i = 0; i < c->deps.n; i++) {
        h = cache_hash_words(h, &c->deps.at[i], 1);
        if (!hash_file(c->deps.at[i], &h))
            return NULL;
    }
    return arena_format(c->arena, "%s/%016llx-%016llx%s", c->dir,
                        (unsigned long long)c->key, (unsigned long long)h,
                        c->ending ? c->ending : ".so");
}

static const char *deps_file(struct cache *c)
{
    return arena_format(c->arena, "%s/%016llx.deps", c->dir,
                        (unsigned long long)c->key);
}

const char *cache_find(struct cache *c)
{
    FILE *f = fopen(deps_file(c), "r");
    if (!f)
        return NULL;
    char *line = NULL;
    size_t cap = 0;
    for (ssize_t n; (n = getline(&line, &cap, f)) > 0;) {
        line[n - 1] = 0;
        vec_push(&c->deps, arena_text(c->arena, line));
    }
    free(line);
    fclose(f);
    const char *object = object_of(c);
    vec_clear(&c->deps);
    if (!object || access(object, R_OK) != 0)
        return NULL;
    utimes(object, NULL); // it is in use, so it is not removed as old
    utimes(deps_file(c), NULL);
    return object;
}

void cache_add(struct cache *c, const char *path)
{
    for (uint32_t i = 0; i < c->deps.n; i++)
        if (strcmp(c->deps.at[i], path) == 0)
            return;
    vec_push(&c->deps, arena_text(c->arena, path));
}

static void add_named(struct cache *c, const char *name)
{
    bool there = c->folder && name[0] != '/';
    cache_add(c,
              there ? arena_format(c->arena, "%s/%s", c->folder, name) : name);
}

// Words of a rule, "x.o: a.c dir/a\ b.h \", behind the colon.
void cache_add_rule(struct cache *c, const char *path)
{
    FILE *f = fopen(path, "r");
    if (!f)
        return;
    struct text word = {0};
    bool target = true;
    for (int ch; (ch = fgetc(f)) != EOF;) {
        int next = ch == '\\' ? fgetc(f) : 0;
        if (ch == '\\' && next == ' ') {
            text_char(&word, ' ');
        } else if (ch == '\\' || ch == ' ' || ch == '\n') {
            if (word.n && !target)
                add_named(c, text_get(&word));
            if (word.n && word.at[word.n - 1] == ':')
                target = false;
            text_clear(&word);
        } else if (!(ch == '$' && word.n && word.at[word.n - 1] == '$')) {
            text_char(&word, (char)ch);
        }
    }
    text_free(&word);
    fclose(f);
}

static bool write_deps(struct cache *c, const char *beside)
{
    const char *tmp = arena_format(c->arena, "%s.deps", beside);
    FILE *f = fopen(tmp, "w");
    for (uint32_t i = 0; f && i < c->deps.n; i++)
        fprintf(f, "%s\n", c->deps.at[i]);
    bool ok = f && !ferror(f);
    ok = f && fclose(f) == 0 && ok && rename(tmp, deps_file(c)) == 0;
    if (!ok)
        unlink(tmp);
    return ok;
}

// ---- old files ------------------------------------------------------------

struct old {
    time_t time;
    const char *name;
};

static int by_age(const void *a, const void *b)
{
    const struct old *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void prune(struct cache *c)
{
    VEC(struct old) files = {0};
    DIR *d = opendir(c->dir);
    for (struct dirent *e; d && (e = readdir(d));) {
        struct stat st;
        const char *path = arena_format(c->arena, "%s/%s", c->dir, e->d_name);
        const char *end = strrchr(e->d_name, '.');
        bool ours = end && (!strcmp(end, ".so") || !strcmp(end, ".bc") ||
                            !strcmp(end, ".o") || !strcmp(end, ".deps"));
        if (ours && stat(path, &st) == 0)
            vec_push(&files, ((struct old){st.st_mtime, path}));
    }
    if (d)
        closedir(d);
    if (files.n > MOST_FILES)
        qsort(files.at, files.n, sizeof *files.at, by_age);
    for (uint32_t i = 0; i + MOST_FILES < files.n; i++)
        unlink(files.at[i].name);
    vec_free(&files);
}

const char *cache_put(struct cache *c, const char *object)
{
    const char *to = object_of(c);
    if (!to || !write_deps(c, object) || rename(object, to) != 0)
        return NULL;
    prune(c);
    return to;
}

void cache_free(struct cache *c)
{
    vec_free(&c->deps);
}

// A database and a few files.  A failure to write after the directory was
// opened is told once on stderr and does not end the search: what was found
// still stands on the terminal.
#include "report/store.h"

#include "base/arena.h"
#include "base/diag.h"
#include "base/die.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/wire.h"
#include "report/database.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct store {
    char *dir;
    struct database *db; // NULL: only files are kept
    bool complained;
    bool durable;   // what is written is on the disk when the call returns
    uint64_t build; // of the tool, 0: not looked at yet
};

static char *join(const char *a, const char *b)
{
    struct text t = {0};
    text_format(&t, "%s/%s", a, b);
    return text_take(&t);
}

static bool make_dir(const char *path)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST;
}

static bool make_below(const char *dir, const char *name)
{
    char *path = join(dir, name);
    bool ok = make_dir(path);
    free(path);
    return ok;
}

// The folder is for this machine only: git leaves it alone.
static void ignore_in_git(const char *dir)
{
    char *path = join(dir, ".gitignore");
    FILE *f = access(path, F_OK) == 0 ? NULL : fopen(path, "w");
    if (f) {
        fputs("*\n", f);
        fclose(f);
    }
    free(path);
}

// Cases are files: without a database they are kept all the same.
static struct database *open_database(const char *dir)
{
    struct diag d = {0};
    struct database *db = database_open(dir, &d);
    if (!db)
        fprintf(stderr, "troupe: warning: only cases are kept: %s\n",
                d.text + strlen("error: "));
    diag_free(&d);
    return db;
}

struct store *store_open(const char *dir, struct diag *d)
{
    if (!make_dir(dir) || !make_below(dir, "runs") ||
        !make_below(dir, "cases") || access(dir, W_OK) != 0) {
        diag_set(d, EXIT_USAGE, "%s: %s", dir, strerror(errno));
        return NULL;
    }
    ignore_in_git(dir);
    struct store *s = need_zero(sizeof *s);
    s->dir = need_text(dir);
    s->db = open_database(dir);
    return s;
}

void store_close(struct store *s)
{
    if (!s)
        return;
    database_close(s->db);
    free(s->dir);
    free(s);
}

const char *store_dir(const struct store *s)
{
    return s->dir;
}

// ---- runs -------------------------------------------------------------------

static void complain(struct store *s, const char *file)
{
    if (!s->complained)
        fprintf(stderr, "troupe: warning: %s: %s cannot be written: %s\n",
                s->dir, file, strerror(errno));
    s->complained = true;
}

static char *run_path(const char *dir, uint32_t run, const char *file)
{
    struct text t = {0};
    text_format(&t, "%s/runs/%04u%s%s", dir, run, *file ? "/" : "", file);
    return text_take(&t);
}

static void point_last(const struct store *s, uint32_t run)
{
    char target[32];
    snprintf(target, sizeof target, "runs/%04u", run);
    char *link = join(s->dir, "last"), *made = join(s->dir, "last.new");
    unlink(made);
    if (symlink(target, made) == 0)
        rename(made, link);
    free(link);
    free(made);
}

uint32_t store_begin(struct store *s, const char *command, const char *key)
{
    if (!s->db ||
        !database_run(s->db,
                      "INSERT INTO run (command, key, began) VALUES (?, ?, ?)",
                      "tti", command, key, (int64_t)time(NULL)))
        return 0;
    uint32_t run = (uint32_t)database_last_row(s->db);
    char *path = run_path(s->dir, run, "");
    make_dir(path);
    free(path);
    point_last(s, run);
    return run;
}

void store_event(struct store *s, uint32_t run, const char *json)
{
    if (!run)
        return;
    char *path = run_path(s->dir, run, "events.jsonl");
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    struct text t = {0};
    text_format(&t, "%s\n", json);
    if (fd < 0 || write(fd, t.at, t.n) != (ssize_t)t.n)
        complain(s, "events.jsonl");
    text_free(&t);
    free(path);
    if (fd >= 0)
        close(fd);
}

bool store_finding(struct store *s, uint32_t run, const char *id,
                   const char *kind, const char *test, const char *path)
{
    return s->db &&
           database_run(
               s->db, "INSERT OR IGNORE INTO finding VALUES (?, ?, ?, ?, ?, ?)",
               "itttti", (int64_t)run, id, kind, test, path,
               (int64_t)time(NULL)) &&
           database_changes(s->db) > 0;
}

void store_end(struct store *s, uint32_t run, const char *json)
{
    if (!run)
        return;
    database_run(s->db, "UPDATE run SET ended = ?, summary = ? WHERE id = ?",
                 "iti", (int64_t)time(NULL), json, (int64_t)run);
    char *path = run_path(s->dir, run, "run.json");
    struct text t = {0};
    text_format(&t, "%s\n", json);
    if (!file_replace(path, t.at, t.n))
        complain(s, "run.json");
    text_free(&t);
    free(path);
}

// ---- pages ------------------------------------------------------------------

static void put_file(struct store *s, uint32_t run, const char *file,
                     const char *text)
{
    char *path = run_path(s->dir, run, file);
    if (!file_replace(path, text, strlen(text)))
        complain(s, file);
    free(path);
}

void store_page(struct store *s, uint32_t run, uint32_t first, const char *json)
{
    char number[16];
    if (!run)
        return;
    snprintf(number, sizeof number, "%u\n", first ? first : run);
    put_file(s, run, "first", number);
    put_file(s, run, "page.json", json);
}

static uint32_t number_in(const char *dir, uint32_t run)
{
    struct text t = {0};
    char *path = run_path(dir, run, "first");
    uint32_t n =
        file_read(path, &t) ? (uint32_t)strtoul(text_get(&t), NULL, 10) : 0;
    text_free(&t);
    free(path);
    return n;
}

static uint32_t last_run(const char *dir)
{
    char target[64] = "";
    char *link = join(dir, "last");
    ssize_t n = readlink(link, target, sizeof target - 1);
    free(link);
    return n > 5 ? (uint32_t)strtoul(target + strlen("runs/"), NULL, 10) : 0;
}

bool store_pages(const char *dir, uint32_t run, struct text *to, struct diag *d)
{
    if (!run && !(run = last_run(dir)))
        return diag_set(d, EXIT_USAGE, "%s: no run is kept here", dir);
    uint32_t first = number_in(dir, run);
    if (!first)
        return diag_set(d, EXIT_USAGE, "%s: nothing to show is kept of run %u",
                        dir, run);
    for (run = first; number_in(dir, run) == first; run++) {
        char *path = run_path(dir, run, "page.json");
        struct text t = {0};
        if (file_read(path, &t))
            text_format(to, "%s%s", to->n ? "," : "", text_get(&t));
        text_free(&t);
        free(path);
    }
    return true;
}

// ---- what runs found ------------------------------------------------------

struct bug_rows {
    void (*bug)(void *self, const struct store_bug *b);
    void *self;
};

static void on_row(void *self, const char *const *columns, int n)
{
    const struct bug_rows *r = self;
    struct store_bug b = {columns[0], columns[1], columns[2]};
    if (n == 3)
        r->bug(r->self, &b);
}

bool store_bugs(struct store *s, uint32_t run,
                void (*bug)(void *self, const struct store_bug *b), void *self,
                struct diag *d)
{
    struct bug_rows rows = {bug, self};
    uint32_t first = number_in(s->dir, run);
    if (!s->db || !first)
        return diag_set(d, EXIT_USAGE, "%s: no run %u is kept", s->dir, run);
    for (run = first; number_in(s->dir, run) == first; run++)
        database_rows(s->db,
                      "SELECT id, kind, test FROM finding WHERE run = ? "
                      "ORDER BY id, test",
                      run, on_row, &rows);
    return true;
}

// ---- cleaning -------------------------------------------------------------

static bool is_run(const char *name, uint32_t *number)
{
    char *end;
    unsigned long n = strtoul(name, &end, 10);
    *number = (uint32_t)n;
    return *name && !*end && n > 0 && n < UINT32_MAX;
}

static uint32_t remove_runs(const char *dir, uint32_t last, uint32_t keep)
{
    char *runs = join(dir, "runs");
    uint32_t removed = 0, n;
    DIR *d = opendir(runs);
    for (struct dirent *e; d && (e = readdir(d));)
        if (is_run(e->d_name, &n) && n + keep <= last) {
            char *path = join(runs, e->d_name);
            file_remove_all(path);
            free(path);
            removed++;
        }
    if (d)
        closedir(d);
    free(runs);
    return removed;
}

uint32_t store_clean(const char *dir, uint32_t keep, bool all, struct diag *d)
{
    uint32_t last = last_run(dir);
    if (access(dir, F_OK) != 0)
        return 0;
    if (access(dir, W_OK) != 0) {
        diag_set(d, EXIT_USAGE, "%s: %s", dir, strerror(errno));
        return 0;
    }
    uint32_t removed = remove_runs(dir, last, all ? 0 : keep);
    if (all) {
        file_remove_all(dir);
        return removed;
    }
    char *cache = join(dir, "cache");
    if (access(cache, F_OK) == 0)
        file_remove_all(cache);
    free(cache);
    struct store *s = store_open(dir, d);
    if (s && s->db) {
        int64_t until = (int64_t)last - keep;
        database_run(s->db, "DELETE FROM finding WHERE run <= ?", "i", until);
        database_run(s->db, "DELETE FROM run WHERE id <= ?", "i", until);
        database_run(s->db, "VACUUM", "");
    }
    store_close(s);
    return removed;
}

// ---- bytes under a key ------------------------------------------------------

enum { KEPT = 1 }; // kind of message

// Which build of the tool this is: a hash of its own file.
static uint64_t build_of_tool(struct store *s)
{
    struct text t = {0};
    char buffer[65536];
    FILE *f = s->build ? NULL : fopen("/proc/self/exe", "r");
    for (size_t n; f && (n = fread(buffer, 1, sizeof buffer, f));)
        text_bytes(&t, buffer, n);
    if (f)
        fclose(f);
    if (!s->build)
        s->build = hash_bytes(text_get(&t), t.n) | 1;
    text_free(&t);
    return s->build;
}

void store_keep_begin(struct store *s, const char *key, struct text *t)
{
    wire_begin(t, KEPT);
    wire_put64(t, build_of_tool(s));
    wire_put_string(t, key);
}

void store_keep(struct store *s, const char *key, struct text *t)
{
    wire_end(t);
    if (!s->db)
        return;
    database_run(s->db, "BEGIN IMMEDIATE", "");
    database_run(s->db, "INSERT OR REPLACE INTO kept VALUES (?, ?)", "tb", key,
                 t->at, t->n);
    database_run(s->db, "DELETE FROM change WHERE key = ?", "t", key);
    database_run(s->db, "COMMIT", "");
}

void store_keep_change(struct store *s, const char *key, struct text *t)
{
    wire_end(t);
    if (s->db && !s->durable) // each change is on the disk before it counts
        s->durable = database_run(s->db, "PRAGMA synchronous = FULL", "");
    if (s->db)
        database_run(s->db, "INSERT INTO change (key, bytes) VALUES (?, ?)",
                     "tb", key, t->at, t->n);
}

// The message under a key, of this build of the tool.
static enum store_state open_kept(struct store *s, const char *key,
                                  const void *bytes, size_t size,
                                  struct wire_reader *r)
{
    if (!wire_open(bytes, size, KEPT, r))
        return STORE_DAMAGED;
    uint64_t build = wire_get64(r);
    const char *own = wire_get_string(r);
    if (!own || strcmp(own, key) != 0)
        return STORE_DAMAGED;
    return build == build_of_tool(s) ? STORE_HERE : STORE_FOREIGN;
}

void store_each_change(struct store *s, struct arena *a, const char *key,
                       bool (*take)(void *self, struct wire_reader *in),
                       void *self)
{
    struct database_blobs all = {0};
    struct wire_reader in;
    if (s->db)
        database_each_blob(s->db, a,
                           "SELECT bytes FROM change WHERE key = ? ORDER BY n",
                           key, &all);
    for (uint32_t i = 0; i < all.n; i++)
        if (open_kept(s, key, all.at[i].bytes, all.at[i].size, &in) !=
                STORE_HERE ||
            !take(self, &in))
            break;
    vec_free(&all);
}

enum store_state store_recall(struct store *s, struct arena *a, const char *key,
                              struct wire_reader *r)
{
    size_t size = 0;
    const void *bytes = NULL;
    *r = (struct wire_reader){.bad = true};
    if (s->db)
        bytes = database_blob(s->db, a, "SELECT bytes FROM kept WHERE key = ?",
                              key, &size);
    if (!bytes)
        return STORE_NONE;
    return open_kept(s, key, bytes, size, r);
}

void store_drop(struct store *s, const char *key)
{
    if (s->db)
        database_run(s->db, "DELETE FROM kept WHERE key = ?", "t", key);
    if (s->db)
        database_run(s->db, "DELETE FROM change WHERE key = ?", "t", key);
}

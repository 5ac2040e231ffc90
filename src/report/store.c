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
#include "base/wire.h"
#include "report/database.h"

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

static char *run_path(const struct store *s, uint32_t run, const char *file)
{
    struct text t = {0};
    text_format(&t, "%s/runs/%04u%s%s", s->dir, run, *file ? "/" : "", file);
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
    char *path = run_path(s, run, "");
    make_dir(path);
    free(path);
    point_last(s, run);
    return run;
}

void store_event(struct store *s, uint32_t run, const char *json)
{
    if (!run)
        return;
    char *path = run_path(s, run, "events.jsonl");
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
    char *path = run_path(s, run, "run.json");
    struct text t = {0};
    text_format(&t, "%s\n", json);
    if (!file_replace(path, t.at, t.n))
        complain(s, "run.json");
    text_free(&t);
    free(path);
}

// ---- bytes under a key ------------------------------------------------------

enum { KEPT = 1 }; // kind of message

// A hash of the tool's own file.
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
    if (s->db)
        database_run(s->db, "INSERT OR REPLACE INTO kept VALUES (?, ?)", "tb",
                     key, t->at, t->n);
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
    if (!wire_open(bytes, size, KEPT, r))
        return STORE_DAMAGED;
    uint64_t build = wire_get64(r);
    const char *own = wire_get_string(r);
    if (!own || strcmp(own, key) != 0)
        return STORE_DAMAGED;
    return build == build_of_tool(s) ? STORE_HERE : STORE_FOREIGN;
}

void store_drop(struct store *s, const char *key)
{
    if (s->db)
        database_run(s->db, "DELETE FROM kept WHERE key = ?", "t", key);
}

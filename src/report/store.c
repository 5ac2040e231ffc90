// One SQLite database and a few files.  A failure to write after the directory
// was opened is told once on stderr and does not end the search: what was
// found still stands on the terminal.
#include "report/store.h"

#include "base/arena.h"
#include "base/diag.h"
#include "base/die.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct store {
    char *dir;
    sqlite3 *db;
    bool complained;
};

static const char schema[] =
    "PRAGMA journal_mode = WAL;"
    "PRAGMA synchronous = NORMAL;"
    "PRAGMA busy_timeout = 5000;"
    "CREATE TABLE IF NOT EXISTS run (id INTEGER PRIMARY KEY, command TEXT,"
    "  key TEXT, began INTEGER, ended INTEGER, summary TEXT);"
    "CREATE TABLE IF NOT EXISTS finding (run INTEGER, id TEXT, kind TEXT,"
    "  test TEXT, path TEXT, at INTEGER, PRIMARY KEY (run, id, test));"
    "CREATE TABLE IF NOT EXISTS rest (key TEXT PRIMARY KEY, figures BLOB);"
    "CREATE TABLE IF NOT EXISTS text (key TEXT PRIMARY KEY, text TEXT);"
    "CREATE TABLE IF NOT EXISTS unit (key TEXT, n INTEGER, bytes BLOB,"
    "  PRIMARY KEY (key, n));";

static void complain(struct store *s, const char *what)
{
    if (!s->complained)
        fprintf(stderr, "troupe: warning: %s: %s: %s\n", s->dir, what,
                sqlite3_errmsg(s->db));
    s->complained = true;
}

// Run one statement; format is one letter per argument: t text, i int64, b
// blob (pointer and size).  False if it failed.
static bool sql(struct store *s, const char *statement, const char *format,
                ...)
{
    sqlite3_stmt *st = NULL;
    if (sqlite3_prepare_v2(s->db, statement, -1, &st, NULL) != SQLITE_OK) {
        complain(s, "cannot be written");
        return false;
    }
    va_list args;
    va_start(args, format);
    for (int i = 1; *format; i++, format++) {
        if (*format == 't') {
            sqlite3_bind_text(st, i, va_arg(args, const char *), -1,
                              SQLITE_TRANSIENT);
        } else if (*format == 'i') {
            sqlite3_bind_int64(st, i, va_arg(args, int64_t));
        } else {
            const void *p = va_arg(args, const void *);
            sqlite3_bind_blob(st, i, p, (int)va_arg(args, uint32_t),
                              SQLITE_TRANSIENT);
        }
    }
    va_end(args);
    int rc = sqlite3_step(st);
    sqlite3_finalize(st);
    if (rc != SQLITE_DONE && rc != SQLITE_ROW) {
        complain(s, "cannot be written");
        return false;
    }
    return true;
}

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

struct store *store_open(const char *dir, struct diag *d)
{
    if (!make_dir(dir) || !make_below(dir, "runs") ||
        !make_below(dir, "cases")) {
        diag_set(d, EXIT_USAGE, "%s: %s", dir, strerror(errno));
        return NULL;
    }
    ignore_in_git(dir);
    struct store *s = need_zero(sizeof *s);
    s->dir = need_text(dir);
    char *path = join(dir, "troupe.db");
    int rc = sqlite3_open(path, &s->db);
    free(path);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(s->db, schema, NULL, NULL, NULL);
    if (rc != SQLITE_OK) {
        diag_set(d, EXIT_USAGE, "%s/troupe.db: %s", dir,
                 sqlite3_errmsg(s->db));
        store_close(s);
        return NULL;
    }
    return s;
}

void store_close(struct store *s)
{
    if (!s)
        return;
    sqlite3_close(s->db);
    free(s->dir);
    free(s);
}

const char *store_dir(const struct store *s)
{
    return s->dir;
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
    sql(s, "INSERT INTO run (command, key, began) VALUES (?, ?, ?)", "tti",
        command, key, (int64_t)time(NULL));
    uint32_t run = (uint32_t)sqlite3_last_insert_rowid(s->db);
    char *path = run_path(s, run, "");
    make_dir(path);
    free(path);
    point_last(s, run);
    return run;
}

void store_event(struct store *s, uint32_t run, const char *json)
{
    char *path = run_path(s, run, "events.jsonl");
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    free(path);
    if (fd < 0)
        return;
    struct text t = {0};
    text_format(&t, "%s\n", json);
    if (write(fd, t.at, t.n) < 0)
        complain(s, "events.jsonl cannot be written");
    text_free(&t);
    close(fd);
}

bool store_finding(struct store *s, uint32_t run, const char *id,
                   const char *kind, const char *test, const char *path)
{
    sql(s, "INSERT OR IGNORE INTO finding VALUES (?, ?, ?, ?, ?, ?)",
        "itttti", (int64_t)run, id, kind, test, path, (int64_t)time(NULL));
    return sqlite3_changes(s->db) > 0;
}

const char *store_case_path(struct store *s, struct arena *a, const char *id,
                            const char *name)
{
    char *cases = join(s->dir, "cases");
    make_below(cases, id);
    free(cases);
    return arena_format(a, "%s/cases/%s/%s.case", s->dir, id, name);
}

const char *store_find_case(struct store *s, struct arena *a, const char *id,
                            struct diag *d)
{
    sqlite3_stmt *st = NULL;
    const char *found = NULL, *found_id = NULL;
    bool several = false;
    sqlite3_prepare_v2(s->db,
                       "SELECT id, path FROM finding WHERE substr(id, 1,"
                       " length(?1)) = ?1 ORDER BY run DESC",
                       -1, &st, NULL);
    sqlite3_bind_text(st, 1, id, -1, SQLITE_TRANSIENT);
    while (sqlite3_step(st) == SQLITE_ROW) {
        const char *this_id = (const char *)sqlite3_column_text(st, 0);
        if (!found) {
            found_id = arena_text(a, this_id);
            found = arena_text(a, (const char *)sqlite3_column_text(st, 1));
        } else if (strcmp(this_id, found_id) != 0) {
            several = true;
        }
    }
    sqlite3_finalize(st);
    if (!found)
        diag_set(d, EXIT_USAGE, "no bug '%s' in %s, and no such file", id,
                 s->dir);
    else if (several)
        diag_set(d, EXIT_USAGE, "bug '%s' in %s: more than one begins so", id,
                 s->dir);
    return several ? NULL : found;
}

void store_end(struct store *s, uint32_t run, const char *json)
{
    sql(s, "UPDATE run SET ended = ?, summary = ? WHERE id = ?", "iti",
        (int64_t)time(NULL), json, (int64_t)run);
    char *path = run_path(s, run, "run.json");
    FILE *f = fopen(path, "w");
    if (f) {
        fprintf(f, "%s\n", json);
        fclose(f);
    }
    free(path);
}

void store_save_rest(struct store *s, const char *key, const void *figures,
                     uint32_t size, const struct store_unit *units, uint32_t n)
{
    if (!sql(s, "BEGIN IMMEDIATE", ""))
        return;
    sql(s, "DELETE FROM unit WHERE key = ?", "t", key);
    sql(s, "INSERT OR REPLACE INTO rest VALUES (?, ?)", "tb", key, figures,
        size);
    for (uint32_t i = 0; i < n; i++)
        sql(s, "INSERT INTO unit VALUES (?, ?, ?)", "tib", key, (int64_t)i,
            units[i].bytes, units[i].size);
    sql(s, "COMMIT", "");
}

static void load_units(struct store *s, struct arena *a, const char *key,
                       struct store_unit **units, uint32_t *n)
{
    VEC(struct store_unit) found = {0};
    sqlite3_stmt *st = NULL;
    sqlite3_prepare_v2(s->db, "SELECT bytes FROM unit WHERE key = ? ORDER BY n",
                       -1, &st, NULL);
    sqlite3_bind_text(st, 1, key, -1, SQLITE_TRANSIENT);
    while (sqlite3_step(st) == SQLITE_ROW) {
        uint32_t size = (uint32_t)sqlite3_column_bytes(st, 0);
        struct store_unit u = {
            arena_copy(a, sqlite3_column_blob(st, 0), size), size};
        vec_push(&found, u);
    }
    sqlite3_finalize(st);
    *units = arena_copy(a, found.at, found.n * sizeof *found.at);
    *n = found.n;
    vec_free(&found);
}

bool store_load_rest(struct store *s, struct arena *a, const char *key,
                     const void **figures, uint32_t *size,
                     struct store_unit **units, uint32_t *n)
{
    sqlite3_stmt *st = NULL;
    sqlite3_prepare_v2(s->db, "SELECT figures FROM rest WHERE key = ?", -1,
                       &st, NULL);
    sqlite3_bind_text(st, 1, key, -1, SQLITE_TRANSIENT);
    bool found = sqlite3_step(st) == SQLITE_ROW;
    if (found) {
        *size = (uint32_t)sqlite3_column_bytes(st, 0);
        *figures = arena_copy(a, sqlite3_column_blob(st, 0), *size);
    }
    sqlite3_finalize(st);
    if (found)
        load_units(s, a, key, units, n);
    return found;
}

void store_drop_rest(struct store *s, const char *key)
{
    sql(s, "DELETE FROM unit WHERE key = ?", "t", key);
    sql(s, "DELETE FROM rest WHERE key = ?", "t", key);
}

void store_save_text(struct store *s, const char *key, const char *text)
{
    sql(s, "INSERT OR REPLACE INTO text VALUES (?, ?)", "tt", key, text);
}

const char *store_load_text(struct store *s, struct arena *a, const char *key)
{
    sqlite3_stmt *st = NULL;
    const char *found = NULL;
    sqlite3_prepare_v2(s->db, "SELECT text FROM text WHERE key = ?", -1, &st,
                       NULL);
    sqlite3_bind_text(st, 1, key, -1, SQLITE_TRANSIENT);
    if (sqlite3_step(st) == SQLITE_ROW)
        found = arena_text(a, (const char *)sqlite3_column_text(st, 0));
    sqlite3_finalize(st);
    return found;
}

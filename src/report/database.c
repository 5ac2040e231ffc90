// Opening is serialized by a lock on a file beside the database: the change to
// write-ahead logging, the tables and the repair of a damaged file must not
// meet another process that does the same.
#include "report/database.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/descriptor.h"
#include "base/diag.h"
#include "base/die.h"
#include "base/text.h"
#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

struct database {
    char *dir, *path;
    sqlite3 *db;
    bool complained;
    bool damaged; // found out while it was used
};

// Rises when a table changes.  2: what is kept of searches is in `kept`; 3: and
// what has changed since in `change`.
enum { LAYOUT = 3 };

static const char schema[] =
    "PRAGMA journal_mode = WAL;"
    "PRAGMA synchronous = NORMAL;"
    "BEGIN IMMEDIATE;"
    "CREATE TABLE IF NOT EXISTS run (id INTEGER PRIMARY KEY, command TEXT,"
    "  key TEXT, began INTEGER, ended INTEGER, summary TEXT);"
    "CREATE TABLE IF NOT EXISTS finding (run INTEGER, id TEXT, kind TEXT,"
    "  test TEXT, path TEXT, at INTEGER, PRIMARY KEY (run, id, test));"
    "CREATE TABLE IF NOT EXISTS kept (key TEXT PRIMARY KEY, bytes BLOB);"
    "CREATE TABLE IF NOT EXISTS change (n INTEGER PRIMARY KEY, key TEXT,"
    "  bytes BLOB);"
    "CREATE INDEX IF NOT EXISTS change_key ON change (key);"
    "DROP TABLE IF EXISTS rest; DROP TABLE IF EXISTS unit;"
    "DROP TABLE IF EXISTS text;"
    "PRAGMA user_version = 3;"
    "COMMIT;";

// ---- waiting ---------------------------------------------------------------

enum { WAIT_SECONDS = 60, WAIT_MS = 20 };

static int wait_for_others(void *self, int times)
{
    (void)self;
    usleep(WAIT_MS * 1000);
    return times < WAIT_SECONDS * 1000 / WAIT_MS;
}

// -1: another process holds the lock for too long, or the file cannot be made.
static int lock_folder(const char *dir)
{
    struct text path = {0};
    double began = clock_now();
    text_format(&path, "%s/lock", dir);
    int fd = open(text_get(&path), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    while (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
        if (clock_now() - began > WAIT_SECONDS) {
            close(fd);
            fd = -1;
        }
        usleep(WAIT_MS * 1000);
    }
    text_free(&path);
    return fd;
}

// ---- opening ---------------------------------------------------------------

// Put SQLite's descriptors where those of the tool are (base/descriptor.h).
static int open_aside(const char *path, int flags, int mode)
{
    return descriptor_aside(open(path, flags, mode));
}

static void use_open_aside(void)
{
    union { // as SQLite wants it
        int (*open)(const char *, int, int);
        sqlite3_syscall_ptr call;
    } how = {open_aside};
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    if (vfs && vfs->iVersion >= 3)
        vfs->xSetSystemCall(vfs, "open", how.call);
}

static int read_layout(void *to, int n, char **values, char **names)
{
    (void)names;
    if (n == 1 && values[0])
        *(int *)to = atoi(values[0]);
    return 0;
}

// SQLITE_OK, or what is wrong; *layout is that of the file.
static int try_open(struct database *b, int *layout)
{
    int rc = sqlite3_open(b->path, &b->db);
    sqlite3_busy_handler(b->db, wait_for_others, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(b->db, "PRAGMA user_version", read_layout, layout,
                          NULL);
    if (rc == SQLITE_OK && *layout <= LAYOUT)
        rc = sqlite3_exec(b->db, schema, NULL, NULL, NULL);
    return rc;
}

static bool is_damage(int rc)
{
    return rc == SQLITE_NOTADB || rc == SQLITE_CORRUPT;
}

static void move_aside(const struct database *b)
{
    static const char *const endings[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        struct text from = {0}, to = {0};
        text_format(&from, "%s%s", b->path, endings[i]);
        text_format(&to, "%s.damaged%s", b->path, endings[i]);
        rename(text_get(&from), text_get(&to));
        text_free(&from);
        text_free(&to);
    }
    fprintf(stderr,
            "troupe: warning: %s is damaged: it is now %s.damaged, and a new "
            "one is begun\n",
            b->path, b->path);
}

static int open_or_repair(struct database *b, int *layout)
{
    int rc = try_open(b, layout);
    if (!is_damage(rc))
        return rc;
    sqlite3_close(b->db);
    b->db = NULL;
    move_aside(b);
    *layout = 0;
    return try_open(b, layout);
}

struct database *database_open(const char *dir, struct diag *d)
{
    struct database *b = need_zero(sizeof *b);
    struct text path = {0};
    b->dir = need_text(dir);
    int layout = 0, lock = lock_folder(dir);
    text_format(&path, "%s/troupe.db", dir);
    b->path = text_take(&path);
    use_open_aside();
    int rc = lock < 0 ? SQLITE_BUSY : open_or_repair(b, &layout);
    if (lock < 0)
        diag_set(d, EXIT_USAGE, "%s/lock: %s", dir, strerror(errno));
    else if (rc != SQLITE_OK)
        diag_set(d, EXIT_USAGE, "%s: %s", b->path, sqlite3_errmsg(b->db));
    else if (layout > LAYOUT)
        diag_set(d, EXIT_USAGE, "%s: written by a newer version of troupe",
                 b->path);
    if (lock >= 0)
        close(lock);
    if (rc == SQLITE_OK && layout <= LAYOUT)
        return b;
    database_close(b);
    return NULL;
}

void database_close(struct database *b)
{
    if (!b)
        return;
    sqlite3_close(b->db);
    int lock = b->damaged ? lock_folder(b->dir) : -1;
    if (lock >= 0) {
        move_aside(b);
        close(lock);
    }
    free(b->dir);
    free(b->path);
    free(b);
}

// ---- statements ------------------------------------------------------------

static void complain(struct database *b)
{
    if (!b->complained)
        fprintf(stderr, "troupe: warning: %s cannot be written: %s\n", b->path,
                sqlite3_errmsg(b->db));
    b->complained = true;
}

static void bind(sqlite3_stmt *st, const char *format, va_list args)
{
    for (int i = 1; *format; i++, format++) {
        if (*format == 't') {
            sqlite3_bind_text(st, i, va_arg(args, const char *), -1,
                              SQLITE_TRANSIENT);
        } else if (*format == 'i') {
            sqlite3_bind_int64(st, i, va_arg(args, int64_t));
        } else {
            const void *p = va_arg(args, const void *);
            sqlite3_bind_blob64(st, i, p, va_arg(args, size_t),
                                SQLITE_TRANSIENT);
        }
    }
}

bool database_run(struct database *b, const char *statement, const char *format,
                  ...)
{
    sqlite3_stmt *st = NULL;
    int rc = sqlite3_prepare_v2(b->db, statement, -1, &st, NULL);
    if (rc == SQLITE_OK) {
        va_list args;
        va_start(args, format);
        bind(st, format, args);
        va_end(args);
        rc = sqlite3_step(st);
    }
    sqlite3_finalize(st);
    if (rc == SQLITE_DONE || rc == SQLITE_ROW)
        return true;
    b->damaged |= is_damage(rc);
    complain(b);
    return false;
}

int64_t database_last_row(struct database *b)
{
    return sqlite3_last_insert_rowid(b->db);
}

int database_changes(struct database *b)
{
    return sqlite3_changes(b->db);
}

void database_each_blob(struct database *b, struct arena *a,
                        const char *statement, const char *argument,
                        struct database_blobs *out)
{
    sqlite3_stmt *st = NULL;
    if (sqlite3_prepare_v2(b->db, statement, -1, &st, NULL) != SQLITE_OK)
        return;
    sqlite3_bind_text(st, 1, argument, -1, SQLITE_TRANSIENT);
    while (sqlite3_step(st) == SQLITE_ROW) {
        const void *bytes = sqlite3_column_blob(st, 0);
        size_t size = (size_t)sqlite3_column_bytes(st, 0);
        struct database_blob one = {arena_copy(a, bytes ? bytes : "", size),
                                    size};
        vec_push(out, one);
    }
    sqlite3_finalize(st);
}

const void *database_blob(struct database *b, struct arena *a,
                          const char *statement, const char *argument,
                          size_t *size)
{
    struct database_blobs all = {0};
    database_each_blob(b, a, statement, argument, &all);
    const void *found = all.n ? all.at[0].bytes : NULL;
    if (found)
        *size = all.at[0].size;
    vec_free(&all);
    return found;
}

enum { COLUMNS_MOST = 8 };

void database_rows(struct database *b, const char *statement, int64_t argument,
                   void (*row)(void *self, const char *const *columns, int n),
                   void *self)
{
    sqlite3_stmt *st = NULL;
    const char *columns[COLUMNS_MOST];
    if (sqlite3_prepare_v2(b->db, statement, -1, &st, NULL) != SQLITE_OK)
        return;
    sqlite3_bind_int64(st, 1, argument);
    while (sqlite3_step(st) == SQLITE_ROW) {
        int n = sqlite3_column_count(st);
        for (int i = 0; i < n && i < COLUMNS_MOST; i++) {
            const void *text = sqlite3_column_text(st, i);
            columns[i] = text ? text : "";
        }
        row(self, columns, n < COLUMNS_MOST ? n : COLUMNS_MOST);
    }
    sqlite3_finalize(st);
}

// The database of the run directory: one SQLite file that several runs use at
// once.
//
// A writer waits for the others.  If the file is damaged, it is moved aside and
// a new one is begun.  Then the history of runs and the unfinished searches are
// lost, but not the cases, which are files of their own.
#ifndef REPORT_DATABASE_H
#define REPORT_DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct diag;

struct database; // opaque

// Open or make the database of this folder.  NULL with *d set if there can be
// none.
struct database *database_open(const char *dir, struct diag *d);
void database_close(struct database *b);

// Run one statement.  The format has a letter per argument: t text, i int64_t,
// b blob (pointer and size_t).  False if it failed, which is told once.
bool database_run(struct database *b, const char *statement, const char *format,
                  ...);
// The row made last.
int64_t database_last_row(struct database *b);
// How many rows the last statement changed.
int database_changes(struct database *b);
// The blob that a statement with one text argument finds, in a; NULL if none.
const void *database_blob(struct database *b, struct arena *a,
                          const char *statement, const char *argument,
                          size_t *size);
// Call `row` with the columns, as texts, of each row that a statement with one
// number as its argument finds.
void database_rows(struct database *b, const char *statement, int64_t argument,
                   void (*row)(void *self, const char *const *columns, int n),
                   void *self);

struct database_blob {
    const void *bytes;
    size_t size;
};

struct database_blobs {
    struct database_blob *at; // as in VEC
    uint32_t n, cap;
};

// All of them, in order; the bytes are in a.
void database_each_blob(struct database *b, struct arena *a,
                        const char *statement, const char *argument,
                        struct database_blobs *out);

#endif

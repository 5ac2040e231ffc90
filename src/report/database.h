// The database of the run directory: one SQLite file that several runs use at
// once.
//
// A writer waits for the others.  A damaged file is moved aside and a new one
// begun: what it held is a history of runs and unfinished searches, not the
// cases, which are files of their own.
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

#endif

// The run directory: what a run did and found, kept so that a killed run loses
// nothing and can be resumed.
//
//     .troupe/troupe.db               runs, findings, unfinished searches
//     .troupe/runs/0007/run.json      options, counts, why it ended
//     .troupe/runs/0007/events.jsonl  one line an event
//     .troupe/runs/0007/page.json     what a page shows of it
//     .troupe/runs/0007/first         the first run of the same command
//     .troupe/last -> runs/0007
//     .troupe/cases/7f3a91c2/deposit@pair,n=3.case
//
// Every write is durable when the call returns (SQLite's journal in WAL mode,
// events appended with one write each, cases replaced as a whole).  Several
// runs may use a directory at once.  Cases are found by their files alone: they
// outlive a database that is damaged, and need none that can be written.
#ifndef REPORT_STORE_H
#define REPORT_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct diag;
struct test_case;
struct text;
struct wire_reader;

struct store; // opaque

// Open or make the directory.  NULL with *d set if it cannot be written.
struct store *store_open(const char *dir, struct diag *d);
void store_close(struct store *s);
const char *store_dir(const struct store *s);

// Begin a run; command is the command line, key identifies what is explored
// (program hash, test, parameters, options that decide the search).
uint32_t store_begin(struct store *s, const char *command, const char *key);
// Append an event, a JSON object in text.
void store_event(struct store *s, uint32_t run, const char *json);
// Note a finding; true if this run did not have it yet.
bool store_finding(struct store *s, uint32_t run, const char *id,
                   const char *kind, const char *test, const char *path);
// Keep a case of the bug with this id: one for each test, delivery model and
// list of parameters.  Of several cases of the same build the shortest is kept.
// The path of the file, in a; NULL with *d set.
const char *store_case(struct store *s, struct arena *a, const char *id,
                       const struct test_case *c, struct diag *d);
// The case file, in this directory, of a bug id or unique prefix of one, with
// "@MODEL" behind it if it is to be one of that delivery model; NULL with *d
// set.  Of several the shortest, of equal ones the youngest.
const char *store_find_case(const char *dir, struct arena *a, const char *id,
                            struct diag *d);
// The shortest name by which store_find_case() finds this file of that bug, or
// else its path; in a.
const char *store_case_name(const char *dir, struct arena *a, const char *id,
                            const struct test_case *c, const char *path);
// Call `use` with the path of each case that is kept in this directory, in the
// order of their names.
void store_each_case(const char *dir, struct arena *a,
                     void (*use)(void *self, const char *path), void *self);
// End a run: its summary as JSON, also written to run.json.
void store_end(struct store *s, uint32_t run, const char *json);
// Keep what a page shows of a run; first is the first run of the same command.
void store_page(struct store *s, uint32_t run, uint32_t first,
                const char *json);
// What is kept of a run's command: the texts of all its runs, separated by
// commas.  run 0: the last one.  False with *d set.
bool store_pages(const char *dir, uint32_t run, struct text *to,
                 struct diag *d);

// What a run found, with all runs of its command.  False with *d set if there
// is no such run.
struct store_bug {
    const char *id, *kind, *test;
};
bool store_bugs(struct store *s, uint32_t run,
                void (*bug)(void *self, const struct store_bug *b), void *self,
                struct diag *d);
// Remove all runs but the last ones, and what can be made again; with `all` the
// whole folder.  Returns how many runs were removed.
uint32_t store_clean(const char *dir, uint32_t keep, bool all, struct diag *d);

// ---- bytes under a key ------------------------------------------------------

enum store_state {
    STORE_NONE, // nothing is kept under this key
    STORE_HERE,
    STORE_FOREIGN, // another build of the tool wrote it
    STORE_DAMAGED,
};

// Keep what *t holds: a message begun with store_keep_begin(), to which values
// were put.
void store_keep_begin(struct store *s, const char *key, struct text *t);
void store_keep(struct store *s, const char *key, struct text *t);
// Keep a change of what was kept, a message as above.  It is on the disk when
// this returns, and gone with the next store_keep().
void store_keep_change(struct store *s, const char *key, struct text *t);
// All changes, in order, until one is damaged or `take` returns false.
void store_each_change(struct store *s, struct arena *a, const char *key,
                       bool (*take)(void *self, struct wire_reader *in),
                       void *self);
// What was kept last.  *r stands before the values if the state is STORE_HERE
// or STORE_FOREIGN; all lives in a.
enum store_state store_recall(struct store *s, struct arena *a, const char *key,
                              struct wire_reader *r);
void store_drop(struct store *s, const char *key);

#endif

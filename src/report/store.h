// The run directory: what a run did and found, kept so that a killed run loses
// nothing and can be resumed.
//
//     .troupe/troupe.db               runs, findings, unfinished searches
//     .troupe/runs/0007/run.json      options, counts, why it ended
//     .troupe/runs/0007/events.jsonl  one line an event
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
// End a run: its summary as JSON, also written to run.json.
void store_end(struct store *s, uint32_t run, const char *json);

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
// What was kept last.  *r stands before the values if the state is STORE_HERE
// or STORE_FOREIGN; all lives in a.
enum store_state store_recall(struct store *s, struct arena *a, const char *key,
                              struct wire_reader *r);
void store_drop(struct store *s, const char *key);

#endif

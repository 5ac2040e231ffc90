// The run directory: what a run did and found, kept so that a killed run loses
// nothing and can be resumed.
//
//     .troupe/troupe.db               runs, findings, units of work left
//     .troupe/runs/0007/run.json      options, counts, why it ended
//     .troupe/runs/0007/events.jsonl  one line an event
//     .troupe/last -> runs/0007
//     .troupe/cases/7f3a91c2/NAME.case
//
// Every write is durable when the call returns (SQLite's journal in WAL mode,
// events appended with one write each).
#ifndef REPORT_STORE_H
#define REPORT_STORE_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct diag;
struct test_case;

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
// The path of a case file, with its folder made; in a.
const char *store_case_path(struct store *s, struct arena *a, const char *id,
                            const char *name);
// The case file of a bug id or unique prefix of one; NULL with *d set.
const char *store_find_case(struct store *s, struct arena *a, const char *id,
                            struct diag *d);
// End a run: its summary as JSON, also written to run.json.
void store_end(struct store *s, uint32_t run, const char *json);

struct store_unit {
    const void *bytes;
    uint32_t size;
};

// What is left of the search with this key, and its figures so far (an opaque
// blob): replaced as a whole.
void store_save_rest(struct store *s, const char *key, const void *figures,
                     uint32_t size, const struct store_unit *units,
                     uint32_t n);
// The rest saved last; false if there is none.  All lives in a.
bool store_load_rest(struct store *s, struct arena *a, const char *key,
                     const void **figures, uint32_t *size,
                     struct store_unit **units, uint32_t *n);
void store_drop_rest(struct store *s, const char *key);

// A text under a key, such as the coverage of a test; NULL if there is none.
void store_save_text(struct store *s, const char *key, const char *text);
const char *store_load_text(struct store *s, struct arena *a, const char *key);

#endif

// A command that searches several tests: which they are, and what came of each,
// in all forms that may be asked for: the run directory, --json, --junit,
// --sarif, --html, annotations for GitHub, and the line of counts.
#ifndef CLI_RESULTS_H
#define CLI_RESULTS_H

#include "base/json.h"
#include "base/text.h"
#include "cli/trial.h"
#include "report/page.h"
#include "report/sarif.h"

struct results {
    struct session *session;
    struct tests tests;  // to be searched
    struct store *store; // NULL: nothing is kept
    struct text objects; // for --json, one per test
    bool own_json;       // the command writes it by itself
    struct json json;
    struct text pages; // for the page, one per test
    uint32_t first_run; // of this command, in the store
    struct text tap; // for --tap, lines of all tests
    uint32_t tapped; // tests there
    struct junit *junit;
    struct sarif sarif;
    uint32_t done, passed, failed, skipped;
    uint32_t refused;    // could not be searched
    uint32_t incomplete; // without a bug so far
    const char *part;    // of the incomplete one: "0.05 % of about 25G"
};

// Build the program and choose its tests; open the run directory, which must be
// there if it is needed; note interruptions from now on.  False with the
// session's diag set.
bool results_open(struct results *r, struct session *s, bool needs_store);
// The same of a program that is built already; it may have no test to search.
bool results_open_quietly(struct results *r, struct session *s);
// A test that nobody searched; why it failed, NULL if it did not.
void results_add_native(struct results *r, const char *test,
                        enum result_verdict verdict, const char *why);
// A test could not be searched: the session's diag says why.
void results_refuse(struct results *r);
// A test was searched: its verdict, words and JSON; the rest of *one is filled
// in.
void results_add(struct results *r, const struct trial *t, double seconds,
                 struct page_test *one);
// Write the files.  False with the session's diag set.
bool results_write(struct results *r);
// The last line.
void results_count(const struct results *r);
void results_close(struct results *r);

#endif

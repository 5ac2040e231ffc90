// The page: one HTML file that shows what a command found, without network and
// without the tool.
//
// Its code is in src/report/page/ and becomes one text when the tool is built.
// The data of a page is JSON inside of it.  Names and values are only ever
// shown as text, and the page allows no code but its own.
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "report/result.h"

struct course;
struct json;
struct subject;
struct text;

// What one test adds to the page.
struct page_test {
    const char *command; // "explore"
    enum result_verdict verdict;
    bool complete; // all schedules were seen
    const char *words;           // what the terminal said at the end
    const char *seed;            // "0x5eed", or NULL
    const struct course *course; // or NULL
    // The object that --json has of it.
    void (*json)(struct json *j, const void *self);
    const void *self;
};
void page_test_json(const struct result *r, const struct page_test *t,
                    struct json *j);
// The same of a case alone.
void page_case_json(const struct subject *s, const struct test_case *c,
                    const struct confirmed *f, const char *name,
                    struct json *j);

struct page {
    const char *command_line;
    const char *versions;
    const char *tests; // objects as above, separated by commas
    const char *graph; // of `troupe graph --json`; NULL: none
    const char *run;   // of `troupe run --blocks --json`; NULL: none
    const char *const *sources; // paths, of which the page shows the lines
    uint32_t n_sources;
};
void page_print(const struct page *p, struct text *to);

#endif

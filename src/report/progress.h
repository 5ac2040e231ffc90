// What a long search shows while it runs, on stderr: on a terminal one block
// that is drawn over, in a log a line now and then.
#ifndef REPORT_PROGRESS_H
#define REPORT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

enum progress_kind { PROGRESS_NONE, PROGRESS_LINES, PROGRESS_TTY };

// What suits stderr and the environment.
enum progress_kind progress_kind_of(const char *option);

struct progress; // opaque

struct progress_now {
    const char *strategy;
    uint64_t executions, receives, blocked, bugs;
    uint64_t before; // executions of the search that is resumed
    uint32_t depth;
    double estimate;            // < 0: unknown
    double part;                // of the search done, < 0: unknown
    double seconds, of_seconds; // of_seconds 0: no bound
    uint32_t workers;
    const char *note; // one more line, or NULL
};

struct progress *progress_new(enum progress_kind kind, const char *command,
                              const char *program, const char *test,
                              uint64_t seed);
void progress_show(struct progress *p, const struct progress_now *n);
// Take the block away, so that something else can be printed.
void progress_clear(struct progress *p);
void progress_free(struct progress *p);

// "12,345", "~9k", "0:01:12": into a buffer of at least 32.
const char *progress_count(char *buffer, uint64_t n);
const char *progress_about(char *buffer, double n);
const char *progress_time(char *buffer, double seconds);

#endif

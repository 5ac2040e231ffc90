// A bug as a person reads it: the line with its values, the schedule, the race
// behind it, a chart of the messages, and what to type next.
#ifndef REPORT_BUG_H
#define REPORT_BUG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct bug;
struct text;
struct trace;

// The pair whose order matters: two steps of one actor.
struct bug_race {
    bool known;
    uint32_t first, second; // in the trace; second may be PLAY_NONE: unreceived
    uint32_t waiting;       // then: number of the send still in flight
    const char *unsent;     // or what was not sent yet: "a (from sender#1)"
    uint32_t more;          // other messages that had to come before the first
    bool other_passes;      // the other way round was run, and passed
};

struct bug_report {
    const struct trace *trace;
    const struct bug *bug;
    const char *id; // "7f3a91c2"
    const char *test, *file;
    int line;
    const char *delivery;
    const char *test_params; // "n=3", "" if none
    uint64_t schedules;      // explored until it was found, 0 if unknown
    struct bug_race race;
    const char *name; // by which commands find the case; NULL: not kept
    bool colour;
    bool shortened; // shrinking was done
};

void bug_report_print(const struct bug_report *r, struct text *to);

// Parts of it, for others.
void report_chart(const struct trace *t, struct text *to);
void report_steps(const struct trace *t, const struct bug_report *r,
                  struct text *to);

#endif

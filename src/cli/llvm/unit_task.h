// troupe unit FILE.c:CLASS.MESSAGE: tests for tasks.
#ifndef CLI_LLVM_UNIT_TASK_H
#define CLI_LLVM_UNIT_TASK_H

#include "unit/search.h"
#include "unit/task/task.h"

struct session;
struct text;

struct task_source {
    const char *path;         // FILE.c
    const char *const *flags; // for the compiler
    uint32_t n_flags;
    const char *const *others; // files that belong to it
    uint32_t n_others;
    const char *database; // a compile_commands.json, NULL: none
    const char *names;    // "a.sum_facts,a.set"
    const char *folder;   // for tests
    bool has_main;        // it is renamed
};

// What came of one task.
struct task_outcome {
    const char *name; // "a.sum_facts"
    struct task_options o;
    bool no_traps, strict; // leave such cases out
    struct sides sides;
    struct side_result *of;      // per side
    struct task_found found;     // its cases are candidates
    VEC(struct task_case) cases; // those that are written
    VEC(struct task_case)
    silent;             // traps that only the check notices: an index
                        // outside of an array inside a struct
    uint32_t lost;      // cases that the native run does not bear out
    const char *why;    // the first of these
    double until;       // native runs end
    uint32_t unwritten; // cases beyond the most that are written
    uint64_t unpruned;  // orders without prunings, 0: not counted
    bool unpruned_more; // ... and there are more
    uint32_t regained;  // cases of results that prunings lost
    const char *path;   // of the test file, NULL: none
    bool beside;
    const char *refused;
    double seconds;
};

// A run of the command.
struct tasks {
    struct session *s;
    const struct task_source *from;
    struct ir *ir;
    struct flow *flow;
    struct task_options o;
    uint8_t *policies;
    bool interrupted; // what was found before is kept, nothing else is begun
    VEC(struct task_outcome *) all;
};

// Returns the exit status.
int unit_tasks(struct session *s, const struct task_source *from);

// ---- unit_task_choose.c -------------------------------------------------

// Choose from what was found, and run it; what the native runs do not bear out
// is taken out, and others come in for it.  hits: by side, taken natively.
bool task_choose(struct tasks *t, struct task_outcome *x, uint8_t *hits);
// If there was an interruption, note it, and go on with what is short.
bool task_interrupted(struct tasks *t);

// ---- unit_task_file.c ---------------------------------------------------

// Write the tests under a name of the moment and run them: task_confirm().
bool task_file_try(struct tasks *t, struct task_outcome *x, bool *lost,
                   uint8_t *hits);
bool task_file_write(struct tasks *t, struct task_outcome *x);

// ---- unit_task_native.c -------------------------------------------------

// Build the test file, instrumented and plain, and replay every case; lost:
// those that do not end as they should.  hits: by side, taken natively by a
// case that is left.  False with the session's diag set.
bool task_confirm(struct session *s, const struct task_source *from,
                  const char *file, struct task_outcome *t, bool *lost,
                  uint8_t *hits);

// ---- unit_task_report.c -------------------------------------------------

void task_report(const struct tasks *all, const struct task_outcome *t);
int task_report_end(const struct tasks *all);

#endif

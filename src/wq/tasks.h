// A Work Queue of CCTools: tasks in, results out.
#ifndef WQ_TASKS_H
#define WQ_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "crew/engine.h"

struct text;

struct tasks_file {
    const char *path; // here
    const char *name; // where the task runs
};

struct tasks_plan {
    uint32_t port;              // 0: any
    const char *password;       // file, or NULL
    const char *name, *catalog; // advertised if there are both
    const char *command;
    const char *folder;           // for temporary files
    VEC(struct tasks_file) files; // that every task has, kept by the workers
};

struct tasks; // opaque

// NULL with *why set if it cannot listen.
struct tasks *tasks_open(const struct tasks_plan *plan, const char **why);
// dismiss: its workers end.  Else they look for another queue that listens
// here, for 15 minutes if they were not told otherwise.
void tasks_close(struct tasks *q, bool dismiss);
uint32_t tasks_port(const struct tasks *q);

void tasks_submit(struct tasks *q, uint64_t number, const void *bytes,
                  size_t size);
void tasks_cancel(struct tasks *q, uint64_t number);
// Tell the factory how many tasks are yet to come.
void tasks_left(struct tasks *q, uint32_t n);

struct tasks_result {
    uint64_t number;
    enum engine_outcome outcome;
    const char *host; // "" if it is not known
    const char *said; // what the process printed
    struct text *bytes;
};

// Wait about a second at most for a task to end, or for something to read from
// this socket.  True: *r is the task that ended, valid until the next call.
bool tasks_wait(struct tasks *q, int fd, struct tasks_result *r);

struct tasks_state {
    uint32_t workers, cores, gone;
};

struct tasks_state tasks_state(const struct tasks *q);

#endif

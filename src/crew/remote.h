// Workers on other machines, through an engine that runs tasks there: a process
// of its own (engine.h).
#ifndef CREW_REMOTE_H
#define CREW_REMOTE_H

#include "crew/crew.h"
#include "crew/engine.h"

struct far_file {
    const char *path; // here; NULL: the bytes
    const char *name; // where a task runs
    const void *bytes;
    size_t size;
};

struct crew_far {
    const char *engine;                    // executable
    uint32_t port;                         // to listen on; 0: any
    const char *password, *name, *catalog; // or NULL
    uint32_t workers;                      // to be started on this machine
    // Makes the file `result` of the file `order`, by worker_do_file().
    const char *command;
    const struct far_file *files; // that every task has
    uint32_t n_files;
    void *self;
    void (*ready)(void *self, uint32_t port); // it listens
    // When the search is over: are workers wanted for another?  NULL: no.
    bool (*stays)(void *self);
    // A task ended without a result: how, where, and what its process said.
    void (*failed)(void *self, enum engine_outcome how, const char *host,
                   const char *said);
};

// Explore with far workers, and with co->workers on this machine.  False with
// *why, to be freed, if the engine cannot begin.
bool crew_explore_far(const struct crew_job *job, const struct crew_far *far,
                      const struct explore_options *o,
                      const struct crew_options *co,
                      const struct crew_sink *sink, struct crew_figures *out,
                      char **why);

// What the command does: read an order from one file, do it, and write what
// came of it to the other.  False if there is no result.
bool worker_do_file(const struct crew_job *job, const char *order,
                    const char *result);

#endif

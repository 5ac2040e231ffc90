// The seam between the library's face (troupe.h) and those who run actors.
//
// Every primitive of troupe.h goes through the table that its context carries,
// and that is the only way in: chance, time and scheduling enter here, never by
// #ifdef, so the object code that is tested is the object code that ships.
// Three sides implement it: the threads manager (production), the solo manager
// (single and random: live actors on one thread), and the stage (one handler
// run as a function, for the tools).
#ifndef RUNTIME_SEAM_H
#define RUNTIME_SEAM_H

#include "troupe.h"

struct tr_ops {
    tr_ref (*spawn)(tr_ctx *, const tr_class *, const void *state,
                    const char *label);
    void (*send)(tr_ctx *, tr_ref to, const tr_msg *, const void *payload);
    int (*try_send)(tr_ctx *, tr_ref to, const tr_msg *, const void *payload);
    tr_future (*ask)(tr_ctx *, tr_ref to, const tr_msg *, const void *payload,
                     uint64_t within_ms);
    void (*reply)(tr_ctx *, const tr_msg *request, const void *payload,
                  size_t size);
    const void *(*await)(tr_ctx *, tr_future);
    const void *(*get)(tr_ctx *, tr_future);
    void (*pause)(tr_ctx *);
    tr_timer (*after)(tr_ctx *, uint64_t ms, tr_ref to, const tr_msg *,
                      const void *payload);
    tr_timer (*every)(tr_ctx *, uint64_t ms, tr_ref to, const tr_msg *,
                      const void *payload); // ms is not 0
    void (*cancel)(tr_ctx *, tr_timer);
    tr_time (*now)(tr_ctx *);
    void (*become)(tr_ctx *, const tr_behaviour *);
    void (*stop)(tr_ctx *);
    void (*watch)(tr_ctx *, tr_ref, const tr_msg *, const void *payload);
    tr_ref (*self)(tr_ctx *);
    tr_ref (*sender)(tr_ctx *);
    void (*expose)(tr_ctx *, tr_ref, const char *name);
    tr_ref (*receptionist)(tr_ctx *, const char *name, const tr_class *);
    uint32_t (*choose)(tr_ctx *, uint32_t n);
    int64_t (*param)(tr_ctx *, const char *name, int64_t otherwise);
    void (*drain)(tr_ctx *);
    bool (*deliver_one)(tr_ctx *);
    const void *(*peek)(tr_ctx *, tr_ref, const tr_class *);
    const void *(*each)(tr_ctx *, const tr_class *, const void *before);
    const void *(*flying)(tr_ctx *, const tr_msg *, const void *before);
    void (*log)(tr_ctx *, tr_level, const char *text);
    void (*block_when_full)(tr_ctx *, bool block);
    void (*leave)(tr_ctx *);
    // Of threads, which go on after it: an operation was used where it makes
    // no sense.
    void (*misuse)(tr_ctx *, const char *what);
};

// The first member of every manager's own context.
struct tr_ctx {
    const struct tr_ops *ops;
};

// An actor at rest.
struct tr_look {
    const void *state; // NULL: it has stopped
    const tr_behaviour *behaviour;
    uint32_t kept;  // messages put off, or held back by a task in get
    uint32_t tasks; // handlers that wait
    uint32_t asks;  // of these: for an answer (rest only)
};

struct tr_manager {
    const char *name;
    // A runtime without actors; config is not NULL.
    int (*open)(const tr_config *config, tr_runtime **out);
    int (*wait)(tr_runtime *);
    void (*shutdown)(tr_runtime *);
    void (*end)(tr_runtime *);
    tr_ctx *(*enter)(tr_runtime *);
    void (*stats)(tr_runtime *, const tr_class *, tr_stats *out);
    int (*mailbox)(tr_runtime *, tr_ref, uint32_t *now, uint32_t *most);
    // For tools, while nothing runs.
    void (*look)(tr_runtime *, tr_ref, struct tr_look *out);
    // For tools: all living actors, if nothing runs, waits to run or is timed;
    // else false.  NULL: not to be had.
    bool (*rest)(tr_runtime *,
                 void (*each)(void *self, const tr_class *,
                              const struct tr_look *),
                 void *self);
    // For tools: contexts made from now on have this table, whose functions
    // lead to those of the one before.  NULL: not to be had.
    void (*through)(tr_runtime *, const struct tr_ops *);
};

// The first member of every manager's own runtime.
struct tr_runtime {
    const tr_manager *manager;
};

#endif

// What all managers share: memory by the user's hook, parameters, and what
// happens to logs, faults and counters when the user gave no hook for them.
// All of them borrow the config.
#ifndef RUNTIME_COMMON_H
#define RUNTIME_COMMON_H

#include "troupe.h"

// Memory from the config's hook, or the C library's; NULL without memory.
void *tr__get(const tr_config *, size_t size);
void *tr__get_zero(const tr_config *, size_t size);
void *tr__resize(const tr_config *, void *p, size_t size);
void tr__put(const tr_config *, void *p);
char *tr__get_text(const tr_config *, const char *s);

// May there be only one of a message, because it owns memory that nobody knows
// how to copy?
static inline bool tr__is_unique(const tr_msg *m)
{
    return m->drop && !m->copy;
}

// Parameters are "n=10 size=0x4": names, '=', integers, blanks or commas.
// 0 or TR_EINVAL.
int tr__params(const char *params);
// The last value given for a name, or `otherwise`.
int64_t tr__param(const char *params, const char *name, int64_t otherwise);

// A class that says nothing of its behaviours cannot be spawned; takes its name.
#define TR__NO_START                                                           \
    "spawn: class %.60s does not say in which behaviour it starts (.start)"
// Default log: "troupe: warning: ..." on stderr; the environment's TR_LOG
// (error, warning, info, debug) says from which level on, info if unset.
void tr__log(const tr_config *, tr_level, const char *text);
// Default for faults: a warning in the log.
void tr__fault(const tr_config *, const tr_fault *);
const char *tr__fault_text(tr_fault_kind);
// Default for counters: one line on stderr per class if TR_STATS is set and
// not 0.  tr__stats_wanted tells whether anybody wants them at all.
void tr__stats(const tr_config *, const tr_class *, const tr_stats *);
bool tr__stats_wanted(const tr_config *);

#endif

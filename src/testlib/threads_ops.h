// The operations of a test on threads: the manager's, with three differences.
//
// First, a test body that waits for a reply goes on only when nothing is left
// to deliver, as under every other manager and in exploration.  So what the
// body does next does not race with messages under way.  Second, if names are
// wanted, it is noted who creates whom: threads give actors no names.  Third, an
// operation that is used where it makes no sense ends the test, not only a line
// in the log.
#ifndef TESTLIB_THREADS_OPS_H
#define TESTLIB_THREADS_OPS_H

#include "base/vec.h"
#include "runtime/seam.h"

#include <pthread.h>

struct born {
    tr_ref creator, child;
    const tr_class *cls;
};

struct threads_ops {
    struct tr_ops ops; // first: a context's table leads here
    const struct tr_ops *real;
    pthread_mutex_t lock;
    VEC(struct born) born; // of one creator in the order of the calls
    void (*misused)(void *user, const char *what); // does not return
    void *user;
};

// From now on contexts of the runtime have these operations.  False without
// memory.
bool threads_ops_init(struct threads_ops *o, tr_runtime *runtime, bool births,
                      void (*misused)(void *user, const char *what),
                      void *user);
void threads_ops_release(struct threads_ops *o);

// The name, as the stage and the solo manager give it, of an actor that was
// born; in buf, NULL if it is unknown.
const char *threads_ops_name(const struct threads_ops *o, tr_ref ref, char *buf,
                             size_t size);

#endif

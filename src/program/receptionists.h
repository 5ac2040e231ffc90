// What a system exposes.  Its setup is run in a process of its own under the
// single manager, and each call of expose is noted.
#ifndef PROGRAM_RECEPTIONISTS_H
#define PROGRAM_RECEPTIONISTS_H

#include <stdbool.h>

#include "base/vec.h"

struct arena;
struct tr_system;

struct receptionist {
    const char *name;
    const char *cls;
};

struct reception {
    VEC(struct receptionist) list;
    bool failed; // the setup crashed or did not end
};

void reception_read(struct reception *r, struct arena *a,
                    const struct tr_system *system, const char *params);
void reception_free(struct reception *r);

#endif

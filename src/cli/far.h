// explore --listen: which searches can be spread over other machines, and what
// goes there.
#ifndef CLI_FAR_H
#define CLI_FAR_H

#include "base/text.h"
#include "base/vec.h"
#include "crew/remote.h"

#include <stdbool.h>

struct session;
struct subject;
struct trial;

// Is it asked for?
bool far_wanted(const struct session *s);
// What --listen and its options say is right, and the engine is there.  False
// with the session's diag set.
bool far_check(struct session *s);
// This search can be spread.  False with the session's diag set.
bool far_can_spread(struct trial *t);

struct far {
    struct session *session;
    struct crew_far crew;
    VEC(struct far_file) files;
    struct text subject;
    bool more;              // other searches follow
    VEC(const char *) told; // of tasks that failed
};

void far_open(struct far *f, struct trial *t);
void far_close(struct far *f);

// A line of progress.  The buffer is returned.
const char *far_note(const struct crew_figures *f, char *buffer, size_t size);

#endif

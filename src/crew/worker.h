// The worker's side of a search: what its process does.
#ifndef CREW_WORKER_H
#define CREW_WORKER_H

#include "crew/crew.h"

struct crew_order;
struct shared_set;
struct text;

// Serve over this socket until it is closed.
void worker_serve(const struct crew_job *job, int fd, struct shared_set *finals,
                  bool isolated);

// Do one order alone; what is to be said of it, WORD_DONE last, is added to
// *result.  False: the program cannot be loaded.
bool worker_do(const struct crew_job *job, const struct crew_order *o,
               struct text *result);

#endif

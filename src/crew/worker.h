// The worker's side.
#ifndef CREW_WORKER_H
#define CREW_WORKER_H

#include "crew/crew.h"

struct shared_set;

// Serve over this socket until it is closed.
void worker_serve(const struct crew_job *job, int fd, struct shared_set *finals,
                  bool isolated);

#endif

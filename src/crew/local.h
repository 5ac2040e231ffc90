// Workers on this machine: forks, each with a socket to the supervisor.
#ifndef CREW_LOCAL_H
#define CREW_LOCAL_H

#include "crew/crew.h"
#include "crew/transport.h"

struct shared_set;

struct crew_transport local_open(const struct crew_job *job, uint32_t workers,
                                 struct shared_set *finals);
void local_close(struct crew_transport *t);

#endif

// The supervisor.  Where its workers run is left to a transport.
#ifndef CREW_SUPERVISOR_H
#define CREW_SUPERVISOR_H

#include "crew/crew.h"
#include "crew/transport.h"

struct shared_set;

// Explore with workers that put final states into this set.
void crew_supervise(const struct crew_transport *t, struct shared_set *finals,
                    const struct explore_options *o,
                    const struct crew_options *co, const struct crew_sink *sink,
                    struct crew_figures *out);

#endif

// Workers of Work Queue that are started on this machine, and started again
// when they end.
#ifndef WQ_WORKERS_H
#define WQ_WORKERS_H

#include <stdint.h>

struct workers; // opaque

// Start n workers of one core each, for the queue that listens on this port.
struct workers *workers_start(uint32_t n, uint32_t port, const char *password,
                              const char *folder);
// Start the workers again that have ended.
void workers_look(struct workers *w);
void workers_end(struct workers *w);

#endif

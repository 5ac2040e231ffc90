// The registry: actors exposed under names.
//
// There is one registry for all actors.  A run that exposes an actor, or looks
// for one, depends on all runs that did so before.  So it belongs to what
// actors share, next to their globals with --shared (commons.h), and a run that
// touches it says so.
#ifndef STAGE_REGISTRY_H
#define STAGE_REGISTRY_H

#include "stage/native_inner.h"

// The run under way will find it as the shared state `from` says (PLAY_NONE:
// empty), the first `skip` bytes of which are of something else.
static inline void registry_begin(struct native *n, uint32_t from, size_t skip)
{
    n->registry.from = from;
    n->registry.skip = skip;
    n->registry.touched = false;
}
// Has this run touched it?
static inline bool registry_touched(const struct native *n)
{
    return n->registry.touched;
}
// Append it to the scratch: equal registries have equal bytes.
void registry_save(struct native *n);
void registry_release(struct native *n);

// The actor becomes the one of that name; 0 is nobody and changes nothing.
void registry_put(struct native *n, const char *name, uint64_t handle);
// 0 if there is none.
uint64_t registry_get(struct native *n, const char *name);

#endif

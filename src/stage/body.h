// The test body and invariants: what they see of the other actors.
#ifndef STAGE_BODY_H
#define STAGE_BODY_H

#include "stage/native_inner.h"

// Go on when everything is delivered: the reply is there then, or a deadlock.
void body_wait(struct native *n, struct region *r, tr_future f);
void body_suspend(struct native *n, struct region *r, uint16_t flag);
bool body_deliver_one(struct native *n, struct region *r);
// What invariants have looked at: see play_ops.
bool native_watches_actor(void *self, uint32_t actor);
bool native_watches_msg(void *self, uint32_t msg);
uint64_t native_watches(void *self);
bool native_alike(void *self, uint32_t a, uint32_t b);
const void *scene_peek(struct native *n, uint64_t handle, const tr_class *cls);
const void *scene_each(struct native *n, const tr_class *cls,
                       const void *before);
const void *scene_flying(struct native *n, const tr_msg *type,
                         const void *before);
void native_body(void *self, uint32_t env, const uint32_t *states, uint32_t k,
                 const struct send *in_flight, uint32_t n_in_flight,
                 const uint16_t *picks, uint32_t n_picks, struct effect *out);
const struct bug *native_invariant(void *self, const uint32_t *states,
                                   uint32_t k, const struct send *in_flight,
                                   uint32_t n_in_flight);
const struct bug *native_watched_invariant(void *self, const uint32_t *states,
                                           uint32_t k,
                                           const struct send *in_flight,
                                           uint32_t n_in_flight);

#endif

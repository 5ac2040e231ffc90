// One receive of one actor.
#ifndef STAGE_RECEIVE_H
#define STAGE_RECEIVE_H

#include "stage/native_inner.h"

// One receive of the actor whose image lies in r.
void receive_run(struct native *n, struct region *r, uint32_t msg,
                 uint32_t sender);
// The actor of r sends.
void send_post(struct native *n, const struct region *r, uint64_t to,
               uint32_t msg, uint32_t place);
// payload NULL: no reply will come.
void send_reply(struct native *n, const struct region *r, const tr_msg *request,
                uint64_t asker, uint64_t asks, const void *payload,
                uint32_t place);
void run_hook(struct native *n, struct region *r, void (*fn)(tr_ctx *, void *));
void actor_stop(struct native *n, struct region *r);

#endif

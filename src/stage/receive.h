// One receive of one actor, and the task code it runs.
#ifndef STAGE_RECEIVE_H
#define STAGE_RECEIVE_H

#include "stage/native_inner.h"

// One receive of the actor whose image lies in r.
void receive_run(struct native *n, struct region *r, uint32_t msg,
                 uint32_t sender);
// Run fn(arg) on stack k of r until it ends, waits, or a
// verdict ends it.
void task_run(struct native *n, struct region *r, uint32_t k, size_t above,
              void (*fn)(void *), void *arg);
void task_resume(struct native *n, struct region *r, const struct task *t);
void task_measure(struct native *n, const struct region *r, uint32_t k);
// The first thing task code does on its stack.
void task_arrive(struct native *n);
// From task code: back to the host.
void task_leave(struct native *n, enum why why);
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

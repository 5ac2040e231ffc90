// A test body without C code: messages to the receptionists of a system.
#ifndef STAGE_POSTS_H
#define STAGE_POSTS_H

#include "stage/native_inner.h"

struct native_options;

// Take the posts of the options, if there are any; false with d set if one does
// not fit the program.
bool posts_open(struct native *n, const struct native_options *o,
                struct diag *d);
void posts_close(struct native *n);
// Send them, as the environment whose code runs in r.
void posts_send(struct native *n, struct region *r);

#endif

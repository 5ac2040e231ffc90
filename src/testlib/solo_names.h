// What the solo manager calls by names of its own, because the runtime stands
// below the tool: delivery models and kinds of bug.
#ifndef TESTLIB_SOLO_NAMES_H
#define TESTLIB_SOLO_NAMES_H

#include "play/bug.h"
#include "play/delivery.h"
#include "runtime/solo/solo.h"

enum solo_delivery solo_delivery_of(enum delivery d);
enum delivery delivery_of_solo(enum solo_delivery d);
enum bug_kind bug_kind_of_solo(enum solo_kind k);

#endif

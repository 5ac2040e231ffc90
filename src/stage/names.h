// Names that an actor gives: of its futures and of its timers.
//
// The program may keep a name, send it away and get it back, and use it when
// the thing it named is gone: it must never mean another thing by then.  So a
// number is given again only when nobody can have it: the thing is gone, no
// eight bytes of the actor's memory, wherever they begin, spell the name, and
// it never left the actor in a message.  Given numbers that do not meet all
// three stand in the image: in LIST_NAMES, or at or below head.burnt if one has
// left.  The lowest free number is given first, so that histories that end
// alike have equal states.
//
// A name also says whose it is: another actor's is not mistaken for one's own.
#ifndef STAGE_NAMES_H
#define STAGE_NAMES_H

#include "stage/native_inner.h"

enum name_kind { NAME_FUTURE, NAME_TIMER };

uint64_t name_new(struct native *n, struct region *r, enum name_kind kind);
// Is it the name of a timer, and which of its actor's names?
bool name_is_timer(uint64_t name, uint32_t *number);
// These bytes leave the actor.
void names_sent(const struct native *n, struct region *r, const void *bytes,
                size_t size);
// The actor rests: forget the futures and the names that nobody can use.
void names_settle(const struct native *n, struct region *r);

#endif

// Where the descriptors of the tool lie.
//
// The program under test shares a process with a part of the tool.  It may
// write to descriptors that it never opened, and counts on the low numbers
// being free.  So whatever the tool keeps open while code of the program may
// run is moved aside, to numbers that programs do not use.
#ifndef BASE_DESCRIPTOR_H
#define BASE_DESCRIPTOR_H

#include <stdbool.h>

// The first number that programs do not use: the usual limit is 1,024.
enum { DESCRIPTOR_ASIDE = 700 };

// Move a descriptor aside; it is closed on exec.  Its new number, or the old
// one if there is no room.
int descriptor_aside(int fd);
// Is this one of those that were moved aside, and still open?
bool descriptor_is_aside(int fd);
// Close all that lie aside, but not this one.
void descriptors_close_aside(int but);

#endif

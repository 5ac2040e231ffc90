// SIGINT and SIGTERM.  The first signal is noted, so that work ends in order.
// The second one kills the process, and its children die with it.
#ifndef BASE_INTERRUPT_H
#define BASE_INTERRUPT_H

#include <stdbool.h>

// From now on SIGINT and SIGTERM are noted.  This may be called several times.
void interrupt_catch(void);
// After as many calls of this, both signals do what they did before the first
// interrupt_catch().
void interrupt_release(void);
bool interrupted(void);
// What was noted is dealt with, and work goes on for a moment, to keep what was
// found.
void interrupt_forget(void);

#endif

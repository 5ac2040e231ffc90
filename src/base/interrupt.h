// Ctrl-C, or a request to end: noted, so that work ends in order.  Who asks a
// second time is not kept waiting: the process dies of that signal, and its
// children die with it.
#ifndef BASE_INTERRUPT_H
#define BASE_INTERRUPT_H

#include <stdbool.h>

// From now on SIGINT and SIGTERM are noted.
void interrupt_catch(void);
// From now on they do what they did before interrupt_catch().
void interrupt_release(void);
bool interrupted(void);

#endif

// Ctrl-C, or a request to end: noted, so that a search ends in order.
#ifndef CLI_SHELL_INTERRUPT_H
#define CLI_SHELL_INTERRUPT_H

#include <stdbool.h>

// From now on SIGINT and SIGTERM are noted.
void interrupt_catch(void);
bool interrupted(void);

#endif

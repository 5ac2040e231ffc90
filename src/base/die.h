// The end: what the tool does when it cannot go on.
#ifndef BASE_DIE_H
#define BASE_DIE_H

#include <stddef.h>

// Print "troupe: ..." on stderr and exit with 3, a fault of the tool itself.
_Noreturn void die(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

// malloc, calloc and strdup that die.
void *need(size_t size);
void *need_zero(size_t size);
// Like need_zero(), for a table that is looked up at random: a large one lies on
// huge pages where the system has them, which halves the cost of a look-up.
void *need_table(size_t size);
char *need_text(const char *s);

#endif

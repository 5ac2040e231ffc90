/* repaired.h - one switch for all programs here.
 *
 * Each program holds its bug and the repair of it: built as it stands it has
 * the bug, built with -DREPAIRED it does not.  Both sides are compiled in
 * either build, so neither rots. */
#ifndef REPAIRED_H
#define REPAIRED_H
#include <stdbool.h>

#ifdef REPAIRED
enum { repaired = true };
#else
enum { repaired = false };
#endif

#endif

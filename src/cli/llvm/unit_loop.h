// The value of --loop: a bound, or two of them.
#ifndef CLI_LLVM_UNIT_LOOP_H
#define CLI_LLVM_UNIT_LOOP_H

#include <stdbool.h>
#include <stdint.h>

struct session;

enum { UNIT_LOOP_MOST = 10000 };

// "2", or "1..3" for one after the other.  False with the session's diag set.
bool unit_loop(struct session *s, uint32_t *from, uint32_t *to);

#endif

// A row is for a message the protocol does not have.
// gcc: static assertion failed: "branch does not accept flush"
// gcc: 'union branch_protocol' has no member named 'accepts_flush'
// clang: static_assert failed "branch does not accept flush"
// clang: no member named 'accepts_flush' in 'union branch_protocol'
#include "common.h"

#if defined MISTAKE
TR_BEHAVIOUR(branch, open, TR_IGNORE(flush));
#else
TR_BEHAVIOUR(branch, open, TR_IGNORE(deposit));
#endif

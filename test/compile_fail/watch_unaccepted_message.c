// The watcher's class does not accept the message it wants.
// gcc: static assertion failed: "branch does not accept flush"
// clang: static_assert failed "branch does not accept flush"
#include "common.h"

TR_HANDLER(branch, deposit)
{
#if defined MISTAKE
    watch(self->server, branch, flush);
#else
    watch(self->server, branch, deposit);
#endif
}
TR_BEHAVIOUR(branch, shut, TR_DEFER(deposit));
TR_BEHAVIOUR(branch, open, TR_ON(deposit, branch_deposit));
TR_CLASS(branch, .start = &branch_open);

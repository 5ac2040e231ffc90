// What is sent on is not the message received.
// gcc: '_Generic' selector of type 'const struct deposit *' is not
// clang: not compatible with any generic association type
#include "common.h"

TR_HANDLER(branch, deposit)
{
#if defined MISTAKE
    forward(self->office, flush);
#else
    forward(self->office, deposit);
#endif
}
TR_BEHAVIOUR(branch, shut, TR_DEFER(deposit));
TR_BEHAVIOUR(branch, open, TR_ON(deposit, branch_deposit));
TR_CLASS(branch, .start = &branch_open);

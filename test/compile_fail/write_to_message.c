// A received message is written to.
// gcc: assignment of member 'amount' in read-only object
// clang: cannot assign to variable 'msg' with const-qualified type 'const
// struct deposit *'
#include "common.h"

TR_HANDLER(branch, deposit)
{
#if defined MISTAKE
    msg->amount = 1;
#else
    self->seen = msg->amount;
#endif
}
TR_BEHAVIOUR(branch, shut, TR_DEFER(deposit));
TR_BEHAVIOUR(branch, open, TR_ON(deposit, branch_deposit));
TR_CLASS(branch, .start = &branch_open);

// An untyped reference needs send_any.
// gcc: invalid use of undefined type 'union tr_any'
// clang: incomplete definition of type 'union tr_any'
#include "common.h"

TR_HANDLER(branch, deposit)
{
#if defined MISTAKE
    send(sender(), deposit, .amount = 1);
#else
    send_any(sender(), deposit, .amount = 1);
#endif
}
TR_BEHAVIOUR(branch, shut, TR_DEFER(deposit));
TR_BEHAVIOUR(branch, open, TR_ON(deposit, branch_deposit));
TR_CLASS(branch, .start = &branch_open);

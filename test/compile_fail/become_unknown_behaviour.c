// There is no such behaviour.
// gcc: 'branch_closed' undeclared
// clang: use of undeclared identifier 'branch_closed'
#include "common.h"

TR_HANDLER(branch, deposit)
{
#if defined MISTAKE
    become(branch, closed);
#else
    become(branch, shut);
#endif
}
TR_BEHAVIOUR(branch, shut, TR_DEFER(deposit));
TR_BEHAVIOUR(branch, open, TR_ON(deposit, branch_deposit));
TR_CLASS(branch, .start = &branch_open);

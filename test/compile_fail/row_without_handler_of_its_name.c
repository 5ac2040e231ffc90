// A row of one word needs the handler of that name.
// gcc: 'branch_query' undeclared here
// clang: use of undeclared identifier 'branch_query'
#include "common.h"

TR_HANDLER(branch, deposit)
{
    self->seen += msg->amount;
}
#if defined MISTAKE
TR_BEHAVIOUR(branch, open, TR_ON(deposit), TR_ON(query));
#else
TR_BEHAVIOUR(branch, open, TR_ON(deposit));
#endif
TR_CLASS(branch, .start = &branch_open);

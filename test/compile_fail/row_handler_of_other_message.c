// A table names the handler for another message.
// gcc: "branch_deposit is not a TR_HANDLER(branch, query)"
// clang: branch_deposit is not a TR_HANDLER(branch, query)
#include "common.h"

TR_HANDLER(branch, deposit)
{
    self->seen += msg->amount;
}
#if defined MISTAKE
TR_BEHAVIOUR(branch, open, TR_ON(query, branch_deposit));
#else
TR_BEHAVIOUR(branch, open, TR_ON(deposit, branch_deposit));
#endif

// The reply has no such field.
// gcc: 'const struct total' has no member named 'amount'
// clang: no member named 'amount' in 'struct total'
#include "common.h"

TR_HANDLER(branch, deposit)
{
#if defined MISTAKE
    self->seen = await(ask(self->server, query))->amount;
#else
    self->seen = await(ask(self->server, query))->sum;
#endif
}
TR_BEHAVIOUR(branch, shut, TR_DEFER(deposit));
TR_BEHAVIOUR(branch, open, TR_ON(deposit, branch_deposit));
TR_CLASS(branch, .start = &branch_open);

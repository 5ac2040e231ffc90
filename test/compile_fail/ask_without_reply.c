// The message is no request.
// gcc: 'tr_reply_deposit' undeclared
// clang: use of undeclared identifier 'tr_reply_deposit'
#include "common.h"

TR_HANDLER(branch, deposit)
{
#if defined MISTAKE
    (void)ask(self->server, deposit, .amount = 1);
#else
    (void)ask(self->server, query, .account = 1);
#endif
}
TR_BEHAVIOUR(branch, shut, TR_DEFER(deposit));
TR_BEHAVIOUR(branch, open, TR_ON(deposit, branch_deposit));
TR_CLASS(branch, .start = &branch_open);

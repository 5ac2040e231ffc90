// A helper that sends must be given the context.
// gcc: 'ctx' undeclared
// clang: use of undeclared identifier 'ctx'
#include "common.h"

#if defined MISTAKE
static void tell(server_ref s)
#else
static void tell(tr_ctx *ctx, server_ref s)
#endif
{
    send(s, deposit, .amount = 1);
}
TR_HANDLER(branch, deposit)
{
#if defined MISTAKE
    tell(self->server);
#else
    tell(ctx, self->server);
#endif
}
TR_BEHAVIOUR(branch, open, TR_ON(deposit, branch_deposit));

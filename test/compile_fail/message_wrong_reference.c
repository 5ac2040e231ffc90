// A message is given a reference to another class.
// gcc: from incompatible pointer type 'office_ref'
// clang: incompatible pointer types initializing 'server_ref'
#include "common.h"

TR_HANDLER(branch, deposit)
{
#if defined MISTAKE
    send(self->office, open_account, .at = self->office);
#else
    send(self->office, open_account, .at = self->server);
#endif
}
TR_BEHAVIOUR(branch, shut, TR_DEFER(deposit));
TR_BEHAVIOUR(branch, open, TR_ON(deposit, branch_deposit));
TR_CLASS(branch, .start = &branch_open);

// A table names the handler of another class.
// gcc: "server_deposit is not a TR_HANDLER(branch, deposit)"
// clang: server_deposit is not a TR_HANDLER(branch, deposit)
#include "common.h"

TR_HANDLER(branch, deposit)
{
    self->seen += msg->amount;
}
TR_HANDLER(server, deposit)
{
    self->balance += msg->amount;
}
TR_BEHAVIOUR(server, open, TR_ON(deposit, server_deposit));
#if defined MISTAKE
TR_BEHAVIOUR(branch, open, TR_ON(deposit, server_deposit));
#else
TR_BEHAVIOUR(branch, open, TR_ON(deposit, branch_deposit));
#endif

// A message's name is misspelt.
// gcc: static assertion failed: "self->server does not accept depositt"
// gcc: no member named 'accepts_depositt'; did you mean 'accepts_deposit'?
// clang: static_assert failed "self->server does not accept depositt"
// clang: no member named 'accepts_depositt' in 'union server_protocol'
#include "common.h"

TR_HANDLER(branch, deposit)
{
#if defined MISTAKE
    send(self->server, depositt, .amount = 1);
#else
    send(self->server, deposit, .amount = 1);
#endif
}
TR_BEHAVIOUR(branch, shut, TR_DEFER(deposit));
TR_BEHAVIOUR(branch, open, TR_ON(deposit, branch_deposit));
TR_CLASS(branch, .start = &branch_open);

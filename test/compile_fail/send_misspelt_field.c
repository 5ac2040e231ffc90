// A field's name is misspelt.
// gcc: 'struct deposit' has no member named 'amout'; did you mean 'amount'?
// clang: field designator 'amout' does not refer to any field in type 'struct
// deposit'; did you mean 'amount'?
#include "common.h"

TR_HANDLER(branch, deposit)
{
#if defined MISTAKE
    send(self->server, deposit, .amout = 50);
#else
    send(self->server, deposit, .amount = 50);
#endif
}
TR_BEHAVIOUR(branch, shut, TR_DEFER(deposit));
TR_BEHAVIOUR(branch, open, TR_ON(deposit, branch_deposit));
TR_CLASS(branch, .start = &branch_open);

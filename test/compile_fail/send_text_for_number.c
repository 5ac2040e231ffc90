// A field is given a value of another type.
// gcc: incompatible types when initializing type 'double' using type 'char *'
// clang: initializing 'double' with an expression of incompatible type
// 'char[3]'
#include "common.h"

TR_HANDLER(branch, deposit)
{
#if defined MISTAKE
    send(self->server, deposit, .amount = "50");
#else
    send(self->server, deposit, .amount = 50);
#endif
}
TR_BEHAVIOUR(branch, shut, TR_DEFER(deposit));
TR_BEHAVIOUR(branch, open, TR_ON(deposit, branch_deposit));
TR_CLASS(branch, .start = &branch_open);

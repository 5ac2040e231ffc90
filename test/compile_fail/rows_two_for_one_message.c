// Two rows of a behaviour are for one message.
// gcc: duplicate member 'deposit'
// clang: duplicate member 'deposit'
#include "common.h"

TR_HANDLER(branch, deposit)
{
    self->seen += msg->amount;
}
#if defined MISTAKE
TR_BEHAVIOUR(branch, open, TR_ON(deposit), TR_IGNORE(deposit));
#else
TR_BEHAVIOUR(branch, open, TR_ON(deposit), TR_IGNORE(query));
#endif
TR_CLASS(branch, .start = &branch_open);

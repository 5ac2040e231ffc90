// The receiver does not accept this message.
// gcc: static assertion failed: "self->server does not accept flush"
// gcc: 'union server_protocol' has no member named 'accepts_flush'
// clang: static_assert failed "self->server does not accept flush"
// clang: no member named 'accepts_flush' in 'union server_protocol'
#include "common.h"

TR_HANDLER(branch, deposit)
{
#if defined MISTAKE
    send(self->server, flush);
#else
    send(self->office, flush);
#endif
}
TR_BEHAVIOUR(branch, shut, TR_DEFER(deposit));
TR_BEHAVIOUR(branch, open, TR_ON(deposit, branch_deposit));
TR_CLASS(branch, .start = &branch_open);

// A reply is given a field of another message.
// gcc: 'tr_reply_query' {aka 'struct total'} has no member named 'amount'
// clang: field designator 'amount' does not refer to any field in type
// 'tr_reply_query'
#include "common.h"

TR_HANDLER(branch, query)
{
#if defined MISTAKE
    reply(query, .amount = 1);
#else
    reply(query, .sum = 1);
#endif
}
TR_BEHAVIOUR(branch, open, TR_ON(query, branch_query));

// A handler was never written.
// gcc: 'branch_query' undeclared here
// clang: use of undeclared identifier 'branch_query'
#include "common.h"

#if !defined MISTAKE
TR_HANDLER(branch, query)
{
    self->seen++;
}
#endif
TR_BEHAVIOUR(branch, open, TR_ON(query, branch_query));

// A message is called as the type of references would be.
// gcc: a message cannot be called ref
// clang: a message cannot be called ref
#include "common.h"

#if defined MISTAKE
#define NAME ref
#else
#define NAME reference
#endif
struct NAME {
    int n;
};
TR_MESSAGE(NAME);

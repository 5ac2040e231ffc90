// Answers lie at a multiple of 16.
// gcc: "what answers a request is aligned to 16 at most: struct wide"
// clang: what answers a request is aligned to 16 at most: struct wide
#include "common.h"

#if defined MISTAKE
enum { ALIGNED = 32 };
#else
enum { ALIGNED = 16 };
#endif
struct wide {
    _Alignas(ALIGNED) float x[8];
};
struct measure {
    int n;
};
TR_REQUEST(measure, wide);

TR_BEHAVIOUR(branch, shut, TR_DEFER(deposit));
TR_BEHAVIOUR(branch, open, TR_DEFER(deposit));
TR_CLASS(branch, .start = &branch_open);

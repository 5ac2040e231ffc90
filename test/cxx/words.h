/* Messages that C and C++ files share. */
#ifndef WORDS_H
#define WORDS_H
#include "troupe.h"

struct add {
    int n;
};
TR_MESSAGE(add);
struct sum {
    int value;
};
struct total {
    int scale;
};
TR_REQUEST(total, sum);
TR_SIGNAL(finish);
TR_SIGNAL(gone);
TR_PROTOCOL(adder, add, total, finish);

#ifdef __cplusplus
extern "C"
#endif
    adder_ref
    adder_new(tr_ctx *ctx, int start);
#endif

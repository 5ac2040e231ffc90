// A protocol of more messages than the macros take.
// gcc: tr_at_most_40_messages_or_rows
// clang: tr_at_most_40_messages_or_rows
#include "troupe_short.h"
#define TEN(a)                                                                 \
    TR_SIGNAL(a##0); TR_SIGNAL(a##1); TR_SIGNAL(a##2); TR_SIGNAL(a##3);        \
    TR_SIGNAL(a##4); TR_SIGNAL(a##5); TR_SIGNAL(a##6); TR_SIGNAL(a##7);        \
    TR_SIGNAL(a##8); TR_SIGNAL(a##9)
TEN(a);
TEN(b);
TEN(c);
TEN(d);
TEN(e);
#define NAMES(a) a##0, a##1, a##2, a##3, a##4, a##5, a##6, a##7, a##8, a##9
#if defined MISTAKE
#define ALL NAMES(a), NAMES(b), NAMES(c), NAMES(d), e0
#else
#define ALL NAMES(a), NAMES(b), NAMES(c), NAMES(d)
#endif
TR_PROTOCOL(many, ALL);

// Text where a message has a whole number.
// gcc: [-Werror=int-conversion]
// clang: [-Werror,-Wint-conversion]
#include "common.h"

TR_TEST(bad)
{
    server_ref s = NULL;
#if defined MISTAKE
    get(ask(s, query, .account = "7"));
#else
    get(ask(s, query, .account = 7));
#endif
}

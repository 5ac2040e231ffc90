/* More memory than an address space has: no run gets it.
 *
 * Native: ok
 * Explore: ok
 */
#include "troupe_short.h"
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

TR_SIGNAL(go);
TR_PROTOCOL(hog, go);
struct hog {
    int n;
};
TR_HANDLER(hog, go)
{
    volatile size_t most = SIZE_MAX / 4;
    assert(!malloc(most) && errno == ENOMEM);
    assert(!calloc(most, 8));
    assert(!realloc(NULL, most));
}
TR_BEHAVIOUR(hog, open, TR_ON(go, hog_go));
TR_CLASS(hog, .start = &hog_open);
TR_TEST(t)
{
    send(spawn(hog), go);
}

/* 300 MB in one block, which is more than an actor has on the stage.
 *
 * Native: ok
 * Explore: limit
 * Says: 314572800 bytes are asked for
 */
#include "troupe_short.h"
#include <stdlib.h>

TR_SIGNAL(go);
TR_PROTOCOL(hog, go);
struct hog {
    int n;
};
TR_HANDLER(hog, go)
{
    char *p = malloc(300 << 20);
    if (p)
        self->n++;
    free(p);
}
TR_BEHAVIOUR(hog, open, TR_ON(go, hog_go));
TR_CLASS(hog, .start = &hog_open);
TR_TEST(t)
{
    send(spawn(hog), go);
}

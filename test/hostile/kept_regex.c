/* An actor keeps a regular expression, whose memory is the C library's.
 *
 * Native: ok
 * Explore: limit
 * Says: (regcomp, regexec, regfree)
 */
#include "troupe_short.h"
#include <assert.h>
#include <regex.h>

TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    regex_t re;
    int n;
};
TR_HANDLER(actor, go)
{
    int step = self->n++;
    if (step == 0)
        assert(!regcomp(&self->re, "^a+b*$", REG_EXTENDED));
    if (step == 1)
        assert(!regexec(&self->re, "aab", 0, NULL, 0));
    if (step == 2)
        regfree(&self->re);
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    actor_ref a = spawn(actor), b = spawn(actor);
    for (int i = 0; i < 3; i++) {
        send(a, go);
        send(b, go);
    }
}

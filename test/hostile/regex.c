/* A handler compiles a regular expression and gives it back.
 *
 * Native: ok
 * Explore: ok
 * Weaker: uncontrolled calls regcomp, regexec, regfree
 */
#include "troupe_short.h"
#include <assert.h>
#include <regex.h>

TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    int n;
};
TR_HANDLER(actor, go)
{
    regex_t re;
    assert(!regcomp(&re, "^a+b*$", REG_EXTENDED));
    self->n += regexec(&re, "aab", 0, NULL, 0) == 0;
    regfree(&re);
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    actor_ref a = spawn(actor), b = spawn(actor);
    send(a, go);
    send(b, go);
    send(a, go);
}

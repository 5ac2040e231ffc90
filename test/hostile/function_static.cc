// A static variable of a function is made when a handler comes by first.
//
// Native: ok
// Explore: bug isolation
// Says: the static variable 'name' was changed
#include "troupe.h"
#include <string>

static const std::string &greeting()
{
    static const std::string name = "longer than what a string holds in itself";
    return name;
}

TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    unsigned long n;
};
TR_HANDLER(actor, go)
{
    self->n += greeting().size();
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    actor_ref a = tr_spawn(ctx, actor);
    tr_send(ctx, a, go);
}

// A set of pointers is in the order of their addresses.
//
// Native: -
// Explore: ok
// Weaker: assertion at by_address.cc:26 if memory lies at other addresses
#include "troupe.h"
#include <cassert>
#include <set>

struct go {
    int n;
};
TR_MESSAGE(go);
TR_PROTOCOL(actor, go);
struct actor {
    std::set<int *> *kept;
};
TR_INIT(actor)
{
    self->kept = new std::set<int *>;
}
TR_HANDLER(actor, go)
{
    self->kept->insert(new int(msg->n));
    // found in the order in which they were made, it is thought
    assert(**self->kept->begin() == 1);
}
TR_FINI(actor)
{
    for (int *p : *self->kept)
        delete p;
    delete self->kept;
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open, .init = actor_init_, .fini = actor_fini_);
TR_TEST(t)
{
    actor_ref a = tr_spawn(ctx, actor);
    for (int i = 1; i < 4; i++)
        tr_send(ctx, a, go, i);
}

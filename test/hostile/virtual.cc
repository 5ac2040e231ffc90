// Objects with virtual functions, told apart at run time, kept by actors.
//
// Native: ok
// Explore: ok
#include "troupe.h"
#include <cassert>

struct shape {
    virtual ~shape() = default;
    virtual int area() = 0;
};
struct square : shape {
    int side = 1;
    int area() override { return side * side++; }
};
struct nothing : shape {
    int area() override { return 0; }
};

struct go {
    bool empty;
};
TR_MESSAGE(go);
TR_PROTOCOL(actor, go);
struct actor {
    shape *is;
    int sum;
};
TR_HANDLER(actor, go)
{
    if (!self->is)
        self->is = msg->empty ? static_cast<shape *>(new nothing) : new square;
    self->sum += self->is->area();
    auto *s = dynamic_cast<square *>(self->is);
    assert(s ? self->sum > 0 && s->side <= 3 : self->sum == 0);
}
TR_FINI(actor)
{
    delete self->is;
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open, .fini = actor_fini_);
TR_TEST(t)
{
    actor_ref a = tr_spawn(ctx, actor), b = tr_spawn(ctx, actor);
    tr_send(ctx, a, go);
    tr_send(ctx, b, go, true);
    tr_send(ctx, a, go, true);
    tr_send(ctx, b, go);
}

// A task whose result depends on what runs while it waits.
#include <troupe.h>

struct result {
    int value;
};
TR_PROTOCOL(c, p, set, set_f, look);
TR_SIGNAL(set);
TR_SIGNAL(look);
struct p {
    char none;
};
TR_REQUEST(p, result);
struct set_f {
    int to;
};
TR_MESSAGE(set_f);

struct c {
    int n, f, seen;
};
TR_HANDLER(c, p)
{
    self->n = 0;
    tr_await_until(ctx, self->f > 0);
    if (self->n >= 0)
        tr_reply(ctx, p, .value = 1);
    else
        tr_reply(ctx, p, .value = 2);
}
TR_HANDLER(c, set)
{
    self->n = -1;
}
TR_HANDLER(c, set_f)
{
    self->f = msg->to;
}
TR_HANDLER(c, look) // writes a field that p never reads
{
    self->seen = self->seen + 1;
}
TR_BEHAVIOUR(c, open, TR_ON(p, c_p), TR_ON(set, c_set), TR_ON(set_f, c_set_f),
             TR_ON(look, c_look));
TR_CLASS(c, .start = &c_open);

TR_SYSTEM(one)
{
    c_ref it = tr_spawn(ctx, c, .n = 0);
    tr_expose(ctx, it);
}

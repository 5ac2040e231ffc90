/* What is done before a get() whose answer never comes: all marked lines can be
 * reached. */
#include "troupe_short.h"

TR_PROTOCOL(mute, question);
TR_PROTOCOL(sink, hit);
TR_PROTOCOL(holder, go, look);
struct answer {
    int value;
};
struct question {
    int n;
};
TR_REQUEST(question, answer);
struct hit {
    int n;
};
TR_MESSAGE(hit);
TR_SIGNAL(go);
TR_SIGNAL(look);

TR_STATELESS(mute);
TR_HANDLER(mute, question)
{
    if (msg->n == 1)
        reply(question, .value = 1);
}
TR_BEHAVIOUR(mute, open, TR_ON(question));
TR_CLASS(mute, .start = &mute_open);

struct sink {
    int seen;
};
TR_HANDLER(sink, hit)
{
    if (msg->n == 7)
        self->seen = 1; /* live: sent before */
}
TR_BEHAVIOUR(sink, open, TR_ON(hit));
TR_CLASS(sink, .start = &sink_open);

struct holder {
    mute_ref mute;
    sink_ref sink;
    int busy, seen;
};
TR_HANDLER(holder, go)
{
    self->busy = 1;
    send(self->sink, hit, .n = 7);
    get(ask(self->mute, question, .n = 2));
    self->busy = 0;
}
TR_HANDLER(holder, look)
{
    self->seen = self->busy;
}
TR_FINI(holder)
{
    if (self->busy)
        self->seen = 2; /* live: the system ends meanwhile */
}
TR_BEHAVIOUR(holder, open, TR_ON(go), TR_ON(look));
TR_CLASS(holder, .start = &holder_open, .fini = holder_fini_);

TR_SYSTEM(house)
{
    mute_ref mute = spawn(mute);
    sink_ref sink = spawn(sink);
    holder_ref holder = spawn(holder, .mute = mute, .sink = sink);
    expose(holder);
}

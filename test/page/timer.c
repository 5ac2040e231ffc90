// A timer that comes before a message: it has no number.
#include <troupe_short.h>

#include <assert.h>

TR_SIGNAL(start);
TR_SIGNAL(word);
TR_SIGNAL(late);
TR_PROTOCOL(listener, start, word, late);

struct listener {
    bool heard;
};

TR_HANDLER(listener, start)
{
    send_after(100, me(listener), late);
}

TR_HANDLER(listener, word)
{
    self->heard = true;
}

TR_HANDLER(listener, late)
{
    assert(self->heard);
}

TR_BEHAVIOUR(listener, on, TR_ON(start), TR_ON(word), TR_ON(late));
TR_CLASS(listener, .start = &listener_on);

TR_TEST(heard_in_time)
{
    listener_ref l = spawn(listener);
    send(l, start);
    send(l, word);
}

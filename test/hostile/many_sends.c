/* 70,000 messages sent by one handler to an actor that drops them.
 *
 * Native: ok
 * Explore: incomplete
 * Options: --strategy=random --schedules=2 --steps=100 --time=3s
 * --ignore=endless-schedule
 */
#include "troupe_short.h"

TR_SIGNAL(go);
TR_SIGNAL(note);
TR_PROTOCOL(sink, note);
struct sink {
    int n;
};
TR_BEHAVIOUR(sink, open, TR_IGNORE(note));
TR_CLASS(sink, .start = &sink_open);

TR_PROTOCOL(source, go);
struct source {
    sink_ref to;
};
TR_HANDLER(source, go)
{
    for (int i = 0; i < 70000; i++)
        send(self->to, note);
}
TR_BEHAVIOUR(source, open, TR_ON(go, source_go));
TR_CLASS(source, .start = &source_open);
TR_TEST(t)
{
    send(spawn(source, .to = spawn(sink)), go);
}

/* Three races meet: a timer against a message at the clock, two senders to the
 * echo's mailbox, two senders to the clock's.  Under `mailbox` the timer may be
 * asleep at the node of the message and yet have to come first, behind a step
 * that it does not commute with: `source` once took "asleep" for "done" and
 * missed two of six classes.
 */
#include "troupe_short.h"

TR_PROTOCOL(clock, set, note);
TR_PROTOCOL(echo, again, tick);
TR_PROTOCOL(third, go);
struct set {
    echo_ref echo;
};
TR_MESSAGE(set);
struct tick {
    clock_ref from;
};
TR_MESSAGE(tick);
struct go {
    int v;
};
TR_MESSAGE(go);
struct note {
    int v;
};
TR_MESSAGE(note);
struct again {
    int left;
};
TR_MESSAGE(again);

struct clock {
    int log;
};
struct echo {
    int log;
};
struct third {
    clock_ref clock;
};

TR_HANDLER(clock, set)
{
    self->log = self->log * 5 + 1;
    send_after(5, msg->echo, tick, .from = me(clock));
}

TR_HANDLER(clock, note)
{
    self->log = self->log * 5 + msg->v;
}

TR_BEHAVIOUR(clock, on, TR_ON(set, clock_set), TR_ON(note, clock_note));
TR_CLASS(clock, .start = &clock_on);

TR_HANDLER(echo, again)
{
    self->log = self->log * 5 + 1;
    if (msg->left)
        send(me(echo), again, .left = msg->left - 1);
}

TR_HANDLER(echo, tick)
{
    self->log = self->log * 5 + 2;
    send(msg->from, note, .v = 2);
}

TR_BEHAVIOUR(echo, on, TR_ON(again, echo_again), TR_ON(tick, echo_tick));
TR_CLASS(echo, .start = &echo_on);

TR_HANDLER(third, go)
{
    if (msg->v)
        send(self->clock, note, .v = 3);
}

TR_BEHAVIOUR(third, on, TR_ON(go, third_go));
TR_CLASS(third, .start = &third_on);

TR_TEST(source_mailbox_timer)
{
    clock_ref clock = spawn(clock);
    third_ref third = spawn(third, .clock = clock);
    echo_ref echo = spawn(echo);
    send(clock, set, .echo = echo);
    send(echo, again, .left = 1);
    send(third, go, .v = 0);
    send(third, go, .v = 1);
}

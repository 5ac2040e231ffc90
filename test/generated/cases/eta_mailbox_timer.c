/* A timer that fires between a receive and the step that sent it is an evil
 * ancestor, but may not hide one before it: `eta` once found 7 of 9 final
 * states under `mailbox` when it looked no further than the timer.
 *
 * Bugs: none
 */
#include "troupe_short.h"

struct job {
    int left;
};
TR_MESSAGE(job);
struct note {
    int n, left;
};
TR_MESSAGE(note);
struct turn {
    tr_ref to;
};
TR_MESSAGE(turn);
struct back {
    int n;
};
TR_MESSAGE(back);

TR_PROTOCOL(sink, note);
struct sink {
    int log;
};
TR_HANDLER(sink, note)
{
    self->log = self->log * 5 + msg->n;
    if (msg->left)
        send(me(sink), note, .n = 3);
}
TR_BEHAVIOUR(sink, open, TR_ON(note, sink_note));
TR_CLASS(sink, .start = &sink_open);

/* Tells its target of its jobs; a timer turns it back to the first one. */
TR_PROTOCOL(worker, job, turn, back);
struct worker {
    sink_ref first, target;
    int log;
};
TR_HANDLER(worker, job)
{
    self->log = self->log * 5 + 1;
    if (!msg->left)
        return;
    send(me(worker), job, .left = msg->left - 1);
    send(self->target, note, .n = msg->left, .left = msg->left - 1);
    send_after(15, me(worker), back, .n = msg->left);
}
TR_HANDLER(worker, turn)
{
    self->log = self->log * 5 + 2;
    self->target = (sink_ref)msg->to;
}
TR_HANDLER(worker, back)
{
    self->log = self->log * 5 + 2 + msg->n;
    self->target = self->first;
}
TR_BEHAVIOUR(worker, open, TR_ON(job, worker_job), TR_ON(turn, worker_turn),
             TR_ON(back, worker_back));
TR_CLASS(worker, .start = &worker_open);

TR_TEST(eta_mailbox_timer)
{
    sink_ref first = spawn(sink, .log = 0), other = spawn(sink, .log = 0);
    worker_ref w = spawn(worker, .first = first, .target = first);
    send(w, job, .left = 2);
    send(w, turn, .to = (tr_ref)other);
}

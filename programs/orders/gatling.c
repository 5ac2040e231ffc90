/* Write after flush: the listing of the Bita paper, from the load generator
 * Gatling.
 *
 * On execute an action sends write to the writer and then done to the
 * terminator.  When all are done the terminator sends flush to the writer,
 * which answers flushed.  Nothing orders an action's write against the flush:
 * a write after it fails an assertion.
 *
 * Parameter n: actions (3).  Schedules, classes, final states, distinct handler
 * runs; a crashed writer absorbs what it still gets:
 *   n = 1  any, pair 4, 2, 2, 7 (bug)   causal 2, 1, 1, 5   mailbox 2, 1, 1, 5
 *   n = 2  any, pair 196, 12, 2, 13 (bug)   causal 80, 4, 1, 8
 *          mailbox 32, 2, 1, 8
 *   n = 3  any, pair 36,600, 144, 2, 18 (bug)   causal 13,440, 36, 1, 11
 *          mailbox 1,152, 6, 1, 11
 * See also programs/bugs/writer_flush.c.
 */
#include "troupe_short.h"
#include <assert.h>

TR_PROTOCOL(writer, write, flush);
TR_PROTOCOL(terminator, done, flushed);
TR_PROTOCOL(action, execute);

TR_SIGNAL(write);
struct flush {
    terminator_ref from;
};
TR_MESSAGE(flush);
TR_SIGNAL(done);
TR_SIGNAL(flushed);
TR_SIGNAL(execute);

struct writer {
    bool closed;
    int written;
};

TR_HANDLER(writer, write)
{
    assert(!self->closed);
    self->written++;
}

TR_HANDLER(writer, flush)
{
    self->closed = true;
    send(msg->from, flushed);
}

TR_BEHAVIOUR(writer, open, TR_ON(write, writer_write),
             TR_ON(flush, writer_flush));
TR_CLASS(writer, .start = &writer_open);

struct terminator {
    int left;
    writer_ref writer;
};

TR_HANDLER(terminator, done)
{
    if (--self->left == 0)
        send(self->writer, flush, .from = me(terminator));
}

TR_BEHAVIOUR(terminator, open, TR_ON(done, terminator_done),
             TR_IGNORE(flushed));
TR_CLASS(terminator, .start = &terminator_open);

struct action {
    writer_ref writer;
    terminator_ref terminator;
};

TR_HANDLER(action, execute)
{
    send(self->writer, write);
    send(self->terminator, done);
}

TR_BEHAVIOUR(action, open, TR_ON(execute, action_execute));
TR_CLASS(action, .start = &action_open);

TR_TEST(gatling)
{
    int n = (int)param("n", 3);
    writer_ref writer = spawn(writer);
    terminator_ref terminator = spawn(terminator, .left = n, .writer = writer);
    for (int i = 0; i < n; i++) {
        action_ref a =
            spawn(action, .writer = writer, .terminator = terminator);
        send(a, execute);
    }
}

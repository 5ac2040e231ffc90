/* writer-flush: a write after the buffer was flushed and freed.
 *
 * Source: Gatling, a load generator; found by the Bita tool (Tasharofi and
 * others, bugs Ga2 and Ga3).
 *
 * The test sends execute to n actions.  An action sends write to the writer,
 * then done to the terminator, which counts down and at zero sends flush to
 * the writer; the writer then writes its buffer out, frees it and clears the
 * pointer.  Nothing orders action -> writer against action -> terminator ->
 * writer: when the last done and the flush are faster than a write, that write
 * goes through NULL.
 *
 * Repaired: the writer answers wrote, and an action is done only then.
 *
 * Kind of bug: crash
 * Models with the bug: pair any
 * Models without it: mailbox causal
 * Repaired, clean in: mailbox causal pair any
 * Oracle: the write goes through NULL.  Parameter n: actions (3).
 * Find it: troupe explore programs/bugs/writer_flush.c
 */
#include "repaired.h"
#include "troupe_short.h"
#include <stdlib.h>

TR_PROTOCOL(writer, write, flush);
TR_PROTOCOL(terminator, done);
TR_PROTOCOL(action, execute, wrote);

struct write {
    int id;
    action_ref from;
};
TR_MESSAGE(write);
TR_SIGNAL(flush);
TR_SIGNAL(wrote);
TR_SIGNAL(done);
TR_SIGNAL(execute);

/* What the records say does not matter here, only how many there are. */
struct buffer {
    int records;
};

struct writer {
    struct buffer *buffer;
    int written;
};

TR_INIT(writer)
{
    self->buffer = calloc(1, sizeof *self->buffer);
}

TR_FINI(writer)
{
    free(self->buffer);
}

TR_HANDLER(writer, write)
{
    self->buffer->records++;
    if (repaired)
        send(msg->from, wrote);
}

TR_HANDLER(writer, flush)
{
    self->written = self->buffer->records;
    free(self->buffer);
    self->buffer = NULL;
}

TR_BEHAVIOUR(writer, open, TR_ON(write, writer_write),
             TR_ON(flush, writer_flush));
TR_CLASS(writer, .start = &writer_open, .init = writer_init_,
         .fini = writer_fini_);

struct terminator {
    int left;
    writer_ref writer;
};

TR_HANDLER(terminator, done)
{
    if (--self->left == 0)
        send(self->writer, flush);
}

TR_BEHAVIOUR(terminator, counting, TR_ON(done, terminator_done));
TR_CLASS(terminator, .start = &terminator_counting);

struct action {
    int id;
    writer_ref writer;
    terminator_ref terminator;
};

TR_HANDLER(action, execute)
{
    send(self->writer, write, .id = self->id, .from = me(action));
    if (!repaired)
        send(self->terminator, done);
}

TR_HANDLER(action, wrote)
{
    send(self->terminator, done);
}

TR_BEHAVIOUR(action, open, TR_ON(execute, action_execute),
             TR_ON(wrote, action_wrote));
TR_CLASS(action, .start = &action_open);

TR_SYSTEM(load_generator)
{
    writer_ref writer = spawn(writer);
    terminator_ref terminator = spawn(terminator, .left = 2, .writer = writer);
    action_ref action1 =
        spawn(action, .id = 1, .writer = writer, .terminator = terminator);
    action_ref action2 =
        spawn(action, .id = 2, .writer = writer, .terminator = terminator);
    expose(action1);
    expose(action2);
}

TR_TEST(writer_flush)
{
    int n = (int)param("n", 3);
    writer_ref writer = spawn(writer);
    terminator_ref terminator = spawn(terminator, .left = n, .writer = writer);
    for (int i = 1; i <= n; i++) {
        action_ref a =
            spawn(action, .id = i, .writer = writer, .terminator = terminator);
        send(a, execute);
    }
    drain();
}

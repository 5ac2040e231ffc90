/* A test body that waits for a reply goes on when nothing is left to deliver,
 * on threads too: what it sends next comes after what was under way. */
#include "troupe_short.h"

#include <unistd.h>

struct answer {
    int v;
};
struct question {
    int v;
};
TR_REQUEST(question, answer);
struct note {
    int v;
};
TR_MESSAGE(note);
TR_SIGNAL(work);
TR_PROTOCOL(book, note, question);
TR_PROTOCOL(slow, work);

struct book {
    int log;
};
TR_HANDLER(book, note)
{
    self->log = 10 * self->log + msg->v;
}
TR_HANDLER(book, question)
{
    reply(question, .v = msg->v);
}
TR_BEHAVIOUR(book, open, TR_ON(note, book_note), TR_ON(question, book_question));
TR_CLASS(book, .start = &book_open);

struct slow {
    book_ref book;
};
TR_HANDLER(slow, work)
{
    usleep(20000);
    send(self->book, note, .v = 1);
}
TR_BEHAVIOUR(slow, open, TR_ON(work, slow_work));
TR_CLASS(slow, .start = &slow_open);

TR_TEST(body_waits)
{
    book_ref b = spawn(book);
    send(spawn(slow, .book = b), work);
    int v = get(ask(b, question, .v = 2))->v;
    send(b, note, .v = v);
}

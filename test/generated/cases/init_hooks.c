/* Init hooks that send, ask, set a timer and create: they do so as the new
 * actor.  So in `pair` what a child says in its hook comes before what it says
 * later, and may come after what its parent says next.
 *
 * Bugs: none
 */
#include "troupe_short.h"
#include <assert.h>

struct line {
    tr_ref by;
    int n;
};
TR_MESSAGE(line);
struct page {
    int n;
};
struct open {
    tr_ref by;
};
TR_REQUEST(open, page);
TR_SIGNAL(tick);
TR_SIGNAL(go);
TR_PROTOCOL(book, line, open);
TR_PROTOCOL(child, tick);
TR_PROTOCOL(parent, go);

/* Nobody's lines come out of order; in a strict book the first is a child's. */
struct book {
    struct {
        tr_ref by;
        int n;
    } last[3];
    int strict;
};

TR_HANDLER(book, line)
{
    int i = 0;
    assert(sender() == msg->by);
    while (self->last[i].by && self->last[i].by != msg->by)
        i++;
    assert(self->last[i].n < msg->n);
    assert(!self->strict || self->last[0].by || msg->n < 9);
    self->last[i].by = msg->by;
    self->last[i].n = msg->n;
}

TR_HANDLER(book, open)
{
    assert(sender() == msg->by);
    reply(open, .n = 7);
}

TR_BEHAVIOUR(book, lies, TR_ON(line, book_line), TR_ON(open, book_open));
TR_CLASS(book, .start = &book_lies);

struct child {
    book_ref book;
    int children;
};

TR_INIT(child)
{
    send(self->book, line, .by = (tr_ref)me(child), .n = 1);
    if (self->children)
        spawn(child, .book = self->book);
    else
        ask(self->book, open, .by = (tr_ref)me(child));
    send_after(10, me(child), tick);
}

TR_HANDLER(child, tick)
{
    send(self->book, line, .by = (tr_ref)me(child), .n = 2);
}

TR_BEHAVIOUR(child, plays, TR_ON(tick, child_tick));
TR_CLASS(child, .start = &child_plays, .init = child_init_);

struct parent {
    book_ref book;
    int children;
};

TR_HANDLER(parent, go)
{
    spawn(child, .book = self->book, .children = self->children);
    send(self->book, line, .by = (tr_ref)me(parent), .n = 9);
}

TR_BEHAVIOUR(parent, waits, TR_ON(go, parent_go));
TR_CLASS(parent, .start = &parent_waits);

TR_TEST(one_child)
{
    book_ref book = spawn(book);
    send(spawn(parent, .book = book), go);
}

TR_TEST(two_generations)
{
    book_ref book = spawn(book);
    send(spawn(parent, .book = book, .children = 1), go);
}

TR_TEST(strict)
{
    book_ref book = spawn(book, .strict = 1);
    send(spawn(parent, .book = book), go);
}

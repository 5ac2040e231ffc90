/* reassembly: the buffer is sized by whichever fragment comes first.
 *
 * Source: IP-style fragments over two routers.
 *
 * The test sends go with three lengths to the source, which drops the lot
 * unless all are in 1..1480 and the first two are multiples of 8; else it sends
 * fragments 1 and 3 through one router and 2 through the other.  The receiver
 * allocates for the first fragment that arrives (exactly, if it is the last
 * one; else rounded up to 64), grows the buffer for fragments that come in
 * order, and copies.  A fragment out of order is copied without the growth
 * check: 1, then 3, with len1 + len2 + len3 > len1 rounded up to 64.
 *
 * The assertion before the copy makes the overflow visible on the spot; built
 * with -DNDEBUG the copy runs over the end, for a sanitizer to see.
 *
 * Repaired: grow for every fragment.
 *
 * Kind of bug: assertion
 * Models with the bug: mailbox causal pair any
 * Models without it: none
 * Repaired, clean in: mailbox causal pair any
 * Oracle: no copy beyond the buffer (a heap overflow without the assertion).
 * Parameters len1, len2, len3: the lengths (40, 40, 30).
 * Find it: troupe explore programs/bugs/reassembly.c
 */
#include "repaired.h"
#include "troupe_short.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1480, ROUND = 64 };

TR_PROTOCOL(source, go);
TR_PROTOCOL(router, fragment);
TR_PROTOCOL(receiver, fragment);

struct go {
    uint16_t len1, len2, len3;
};
TR_MESSAGE(go);
struct fragment {
    int off, len;
    bool last;
};
TR_MESSAGE(fragment);

struct receiver {
    char *buffer;
    int cap;
    int in_order; /* bytes received in order so far */
};

TR_FINI(receiver)
{
    free(self->buffer);
}

static void grow(struct receiver *self, int cap)
{
    char *bigger = realloc(self->buffer, (size_t)cap);
    assert(bigger);
    self->buffer = bigger;
    self->cap = cap;
}

static int first_size(const struct fragment *f)
{
    int end = f->off + f->len;
    return f->last ? end : (end + ROUND - 1) / ROUND * ROUND;
}

TR_HANDLER(receiver, fragment)
{
    static const char packet[LONGEST];
    int end = msg->off + msg->len;
    bool next = msg->off == self->in_order;
    if (!self->buffer)
        grow(self, first_size(msg));
    else if ((next || repaired) && end > self->cap)
        grow(self, end);
    if (next)
        self->in_order = end;
    assert(end <= self->cap);
    memcpy(self->buffer + msg->off, packet, (size_t)msg->len);
}

TR_BEHAVIOUR(receiver, open, TR_ON(fragment, receiver_fragment));
TR_CLASS(receiver, .start = &receiver_open, .fini = receiver_fini_);

struct router {
    receiver_ref receiver;
};

TR_HANDLER(router, fragment)
{
    forward(self->receiver, fragment);
}

TR_BEHAVIOUR(router, open, TR_ON(fragment, router_fragment));
TR_CLASS(router, .start = &router_open);

struct source {
    router_ref router1, router2;
};

static bool fits(int len)
{
    return len >= 1 && len <= LONGEST;
}

TR_HANDLER(source, go)
{
    if (!fits(msg->len1) || !fits(msg->len2) || !fits(msg->len3) ||
        msg->len1 % 8 != 0 || msg->len2 % 8 != 0)
        return;
    send(self->router1, fragment, .off = 0, .len = msg->len1);
    send(self->router2, fragment, .off = msg->len1, .len = msg->len2);
    send(self->router1, fragment, .off = msg->len1 + msg->len2,
         .len = msg->len3, .last = true);
}

TR_BEHAVIOUR(source, open, TR_ON(go, source_go));
TR_CLASS(source, .start = &source_open);

static source_ref make_network(tr_ctx *ctx)
{
    receiver_ref receiver = spawn(receiver);
    router_ref router1 = spawn(router, .receiver = receiver);
    router_ref router2 = spawn(router, .receiver = receiver);
    return spawn(source, .router1 = router1, .router2 = router2);
}

TR_SYSTEM(network)
{
    source_ref source = make_network(ctx);
    expose(source);
}

TR_TEST(reassembly)
{
    source_ref source = make_network(ctx);
    send(source, go, .len1 = (uint16_t)param("len1", 40),
         .len2 = (uint16_t)param("len2", 40),
         .len3 = (uint16_t)param("len3", 30));
    drain();
}

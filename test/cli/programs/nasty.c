// Tests that end badly, each in its own way: the run must go on, and tell
// where.  The marks name the line that must be told.
#include "troupe_short.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct poke {
    int how;
    const char *text;
};
TR_MESSAGE(poke);
TR_SIGNAL(unknown);
TR_PROTOCOL(node, poke, unknown);

struct node {
    int n;
    node_ref peer;
};

static int deep(int n)
{
    volatile char big[1000];
    big[0] = (char)n;
    return n ? deep(n + 1) + big[0] : 0; // at: overflow
}

TR_STATES(node, open, waiting);

TR_HANDLER(node, poke)
{
    switch (msg->how) {
    case 0:
        *(volatile int *)(uintptr_t)self->n = 1; // at: null_write
        break;
    case 1:
        self->n = (int)strlen(msg->text); // at: in_libc
        break;
    case 2:
        assert(self->n == 7); // at: assertion
        break;
    case 3:
        for (volatile int i = 0;; i++) // at: endless
            ;
        break;
    case 4:
        exit(3); // at: exits
    case 5:
        abort(); // at: aborts
    case 6:
        self->n = deep(1);
        break;
    case 7:
        send(me(node), poke, .how = 7);
        break;
    case 8:
        self->n = 5 / self->n; // at: division
        break;
    case 9:
        become(node, waiting);
        break;
    case 10:
        printf("hello from %d\n", self->n);
        break;
    }
}
TR_BEHAVIOUR(node, open, TR_ON(poke, node_poke));
TR_BEHAVIOUR(node, waiting, TR_DEFER(poke));
TR_HOT(node, waiting);
TR_CLASS(node, .start = &node_open);

#define POKE(name, k)                                                          \
    TR_TEST(name, .timeout_ms = 500)                                           \
    {                                                                          \
        node_ref n = spawn(node);                                              \
        send(n, poke, .how = k);                                               \
    }
POKE(null_write, 0)
POKE(in_libc, 1)
POKE(assertion, 2)
POKE(endless, 3)
POKE(exits, 4)
POKE(aborts, 5)
POKE(overflow, 6)
POKE(no_end, 7) // at: no_end
POKE(division, 8)
POKE(deadlock, 9) // at: deadlock
POKE(good, 10)

TR_TEST(no_row) // at: no_row
{
    node_ref n = spawn(node);
    send(n, unknown);
}

TR_TEST(body)
{
    int got = (int)param("got", 3);
    assert(got == 4); // at: body
}

TR_TEST(choice, .tags = "random slow")
{
    assert(choose(4) != 2);
}

TR_SYSTEM(pair)
{
    node_ref first = spawn(node);
    node_ref second = spawn(node, .peer = first);
    expose(first);
    expose(second);
}

TR_SYSTEM(broken)
{
    abort();
}

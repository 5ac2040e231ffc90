/* Election on a ring, after Chang and Roberts.
 *
 * The test tells nodes 0..n-1 their next, then tells nodes 0..n-1 to start.  On
 * start a node sends its number on; it passes greater numbers on, drops smaller
 * ones, and has won when its own comes back.  A node that hears of the election
 * before it has a next fails an assertion: under pair because its neighbour may
 * be faster than the test.
 *
 * Parameter n: nodes (2).  Schedules, classes, final states, distinct handler
 * runs; a crashed node absorbs what it still gets:
 *   n = 2  any 58, 14, 4, 20 (bug)      pair 23, 5, 3, 16 (bug)
 *          causal 15, 2, 1, 8           mailbox 12, 1, 1, 7
 *   n = 3  any 9,931, 94, 8, 33 (bug)   pair 3,506, 19, 4, 28 (bug)
 *          causal 1,584, 4, 1, 13       mailbox 1,008, 1, 1, 11
 */
#include "troupe_short.h"
#include <assert.h>

enum { MAX = 16 };

TR_PROTOCOL(node, next, start, elect);

struct next {
    node_ref node;
};
TR_MESSAGE(next);
TR_SIGNAL(start);
struct elect {
    int id;
};
TR_MESSAGE(elect);

struct node {
    int id;
    node_ref next;
    enum { IDLE, CANDIDATE, LEADER } role;
};

TR_HANDLER(node, next)
{
    self->next = msg->node;
}

TR_HANDLER(node, start)
{
    assert(self->next);
    send(self->next, elect, .id = self->id);
    if (self->role == IDLE)
        self->role = CANDIDATE;
}

TR_HANDLER(node, elect)
{
    assert(self->next);
    if (msg->id > self->id)
        forward(self->next, elect);
    else if (msg->id == self->id)
        self->role = LEADER;
}

TR_BEHAVIOUR(node, open, TR_ON(next, node_next), TR_ON(start, node_start),
             TR_ON(elect, node_elect));
TR_CLASS(node, .start = &node_open);

TR_TEST(ring)
{
    node_ref node[MAX];
    int n = (int)param("n", 2);
    assert(n <= MAX);
    for (int i = 0; i < n; i++)
        node[i] = spawn(node, .id = i);
    for (int i = 0; i < n; i++)
        send(node[i], next, .node = node[(i + 1) % n]);
    for (int i = 0; i < n; i++)
        send(node[i], start);
}

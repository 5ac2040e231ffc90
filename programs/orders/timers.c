/* Which of an actor's timers may fire first?
 *
 * The body sends a and b to one node, which writes down the order of what it
 * gets.  Time passes between receives, nobody knows how much, so the order of
 * timers set in one receive is known and that of others follows from bounds.
 *
 * Parameter how:
 *   0  xy: on a x of 100 ms, on b y of 60 ms: x is first if b is late
 *   1  same: on a both: y is first
 *   2  late: on a x of 60 ms, on b y of 100 ms: x is first
 *   3  xzy: on a x of 100 ms and z of 130 ms, on b y of 60 ms
 *   4  xzyv: likewise, and on x v of 20 ms
 * Schedules, classes and final states are one number; any / the others:
 *   xy 5 / 3   same 4 / 3   late 5 / 2   xzy 7 / 5   xzyv 18 / 14
 */
#include "troupe_short.h"

TR_PROTOCOL(node, a, b, x, y, z, v);
TR_SIGNAL(a);
TR_SIGNAL(b);
TR_SIGNAL(x);
TR_SIGNAL(y);
TR_SIGNAL(z);
TR_SIGNAL(v);

enum how { XY, SAME, LATE, XZY, XZYV };

struct node {
    enum how how;
    int n;
    char got[8];
};

TR_HANDLER(node, a)
{
    self->got[self->n++] = 'a';
    send_after(self->how == LATE ? 60 : 100, me(node), x);
    if (self->how == SAME)
        send_after(60, me(node), y);
    if (self->how >= XZY)
        send_after(130, me(node), z);
}

TR_HANDLER(node, b)
{
    self->got[self->n++] = 'b';
    if (self->how != SAME)
        send_after(self->how == LATE ? 100 : 60, me(node), y);
}

TR_HANDLER(node, x)
{
    self->got[self->n++] = 'x';
    if (self->how == XZYV)
        send_after(20, me(node), v);
}

TR_HANDLER(node, y)
{
    self->got[self->n++] = 'y';
}

TR_HANDLER(node, z)
{
    self->got[self->n++] = 'z';
}

TR_HANDLER(node, v)
{
    self->got[self->n++] = 'v';
}

TR_BEHAVIOUR(node, open, TR_ON(a, node_a), TR_ON(b, node_b), TR_ON(x, node_x),
             TR_ON(y, node_y), TR_ON(z, node_z), TR_ON(v, node_v));
TR_CLASS(node, .start = &node_open);

TR_TEST(timers)
{
    node_ref n = spawn(node, .how = (enum how)param("how", XY));
    send(n, a);
    send(n, b);
}

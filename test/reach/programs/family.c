/* Actors that the setup makes, with init hooks that make and send. */
#include "troupe_short.h"

TR_PROTOCOL(leaf, hello, tell);
TR_PROTOCOL(root, grow, heard);

struct hello {
    int n;
};
TR_MESSAGE(hello);
struct tell {
    int n;
};
TR_MESSAGE(tell);
TR_SIGNAL(grow);
struct heard {
    int n;
};
TR_MESSAGE(heard);

struct leaf {
    int n, sum;
    root_ref root;
};
TR_INIT(leaf)
{
    self->sum = self->n * 10;
    send(me(leaf), hello, .n = 7);
}
TR_HANDLER(leaf, hello)
{
    self->sum += msg->n;
    if (self->sum == 37)
        self->n = 0; // greeted
}
TR_HANDLER(leaf, tell)
{
    if (self->sum == self->n * 10 && msg->n == 4)
        self->n = 1; // before hello
    send(self->root, heard, .n = self->sum + msg->n);
}
TR_BEHAVIOUR(leaf, up, TR_ON(hello, leaf_hello), TR_ON(tell, leaf_tell));
TR_CLASS(leaf, .start = &leaf_up, .init = leaf_init_);

struct root {
    leaf_ref first, last;
    int leaves;
};
TR_INIT(root)
{
    self->first = spawn(leaf, .n = 3, .root = me(root));
    self->leaves = 1;
}
TR_HANDLER(root, grow)
{
    self->last = spawn(leaf, .n = self->leaves + 100, .root = me(root));
    self->leaves++;
    send(self->last, tell, .n = 4);
}
TR_HANDLER(root, heard)
{
    if (msg->n == 1044 && self->leaves == 5)
        self->leaves = 0; // fifth
}
TR_BEHAVIOUR(root, up, TR_ON(grow, root_grow), TR_ON(heard, root_heard));
TR_CLASS(root, .start = &root_up, .init = root_init_);

TR_SYSTEM(family)
{
    root_ref root = spawn(root);
    expose(root);
}

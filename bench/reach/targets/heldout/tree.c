/* Actors made by actors, references that come back, a depth that is bounded. */
#include "troupe_short.h"

TR_PROTOCOL(cell, grow, report);
TR_PROTOCOL(root, plant, report, twice);
struct grow {
    int depth, value;
};
TR_MESSAGE(grow);
struct report {
    int depth, value;
};
TR_MESSAGE(report);
struct plant {
    int value;
};
TR_MESSAGE(plant);
struct twice {
    root_ref who;
};
TR_MESSAGE(twice);

struct cell {
    tr_ref parent;
    cell_ref child;
    int seen;
};
TR_HANDLER(cell, grow)
{
    if (msg->depth > 3)
        self->seen = 1; // TARGET deep: impossible, nobody below depth 3 grows further
    if (msg->depth == 3) {
        send_any(self->parent, report, .depth = 3, .value = msg->value);
        return;
    }
    self->child = spawn(cell, .parent = (tr_ref)me(cell));
    send(self->child, grow, .depth = msg->depth + 1, .value = msg->value * 2);
}
TR_HANDLER(cell, report)
{
    send_any(self->parent, report, .depth = msg->depth - 1,
             .value = msg->value + 1);
}
TR_BEHAVIOUR(cell, open, TR_ON(grow, cell_grow), TR_ON(report, cell_report));
TR_CLASS(cell, .start = &cell_open);

struct root {
    int plants, seen;
    cell_ref first;
};
TR_HANDLER(root, plant)
{
    if (self->plants >= 3)
        return;
    self->plants++;
    self->first = spawn(cell, .parent = (tr_ref)me(root));
    send(self->first, grow, .depth = 0, .value = msg->value);
}
TR_HANDLER(root, report)
{
    if (msg->value == 8 * 11 + 3 && self->plants == 2 && self->first)
        self->seen = 1; // TARGET back: reachable
}
TR_HANDLER(root, twice)
{
    if (msg->who == me(root) && self->plants == 3)
        self->seen = 2; // TARGET itself: reachable
    if (self->plants && !self->first)
        self->seen = 3; // TARGET unplanted: impossible, both are set at once
}
TR_BEHAVIOUR(root, open, TR_ON(plant, root_plant), TR_ON(report, root_report),
             TR_ON(twice, root_twice));
TR_CLASS(root, .start = &root_open);

TR_SYSTEM(wood)
{
    root_ref root = spawn(root);
    expose(root);
}
TR_TEST(back)
{
    root_ref root = spawn(root);
    send(root, plant);
    send(root, plant, .value = 11);
    drain();
}
TR_TEST(itself)
{
    root_ref root = spawn(root);
    for (int i = 0; i < 3; i++)
        send(root, plant);
    send(root, twice, .who = root);
    drain();
}

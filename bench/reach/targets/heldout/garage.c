/* A parking garage: tickets, time, money in doubles, binary search tree of
 * plates. */
#include "troupe_short.h"
#include <stdlib.h>
#include <stdint.h>
#include <math.h>
TR_PROTOCOL(garage, enter, leave, tick, rate, find_it);
struct enter {
    uint32_t plate;
    uint8_t size;
};
TR_MESSAGE(enter);
struct leave {
    uint32_t plate;
    double paid;
};
TR_MESSAGE(leave);
struct tick {
    uint16_t minutes;
};
TR_MESSAGE(tick);
struct rate {
    double per_hour;
};
TR_MESSAGE(rate);
struct find_it {
    uint32_t plate;
};
TR_MESSAGE(find_it);
struct car {
    uint32_t plate;
    uint32_t since;
    uint8_t size;
    struct car *l, *r;
};
struct garage {
    struct car *root;
    uint32_t clock;
    double rate, income;
    int cars, free_big, seen;
};
TR_INIT(garage)
{
    self->rate = 2.5;
    self->free_big = 2;
}
static struct car **slot(struct car **at, uint32_t plate)
{
    while (*at && (*at)->plate != plate)
        at = plate < (*at)->plate ? &(*at)->l : &(*at)->r;
    return at;
}
static int depth(const struct car *c)
{
    if (!c)
        return 0;
    int a = depth(c->l), b = depth(c->r);
    return 1 + (a > b ? a : b);
}
TR_HANDLER(garage, enter)
{
    struct car **at = slot(&self->root, msg->plate);
    if (*at) {
        self->seen = 1; // TARGET twice: reachable
        return;
    }
    if (msg->size > 2 && !self->free_big) {
        if (self->cars == 3)
            self->seen = 2; // TARGET no_room: reachable
        return;
    }
    struct car *c = calloc(1, sizeof *c);
    if (!c)
        return;
    c->plate = msg->plate;
    c->since = self->clock;
    c->size = msg->size;
    *at = c;
    self->cars++;
    self->free_big -= msg->size > 2;
    if (depth(self->root) == 4)
        self->seen = 3; // TARGET four_deep: reachable
    if (self->cars == 4 && depth(self->root) == 3 && self->root->plate == 1000)
        self->seen = 4; // TARGET shape: reachable
}
TR_HANDLER(garage, leave)
{
    struct car **at = slot(&self->root, msg->plate), *c = *at;
    if (!c)
        return;
    double hours = ceil((self->clock - c->since) / 60.0),
           due = hours * self->rate;
    if (msg->paid < due)
        return;
    if (due == 12.5 && msg->paid == due)
        self->seen = 5; // TARGET exact: reachable
    if (c->l && c->r)
        self->seen = 6; // TARGET two_children: reachable
    self->income += due;
    self->free_big += c->size > 2;
    if (self->free_big > 2)
        self->seen = 7; // TARGET too_many: impossible, two at first, one back
                        // for each taken
    if (!c->l)
        *at = c->r;
    else if (!c->r)
        *at = c->l;
    else {
        struct car **m = &c->l;
        while ((*m)->r)
            m = &(*m)->r;
        struct car *x = *m;
        *m = x->l;
        x->l = c->l;
        x->r = c->r;
        *at = x;
    }
    free(c);
    self->cars--;
}
TR_HANDLER(garage, tick)
{
    self->clock += msg->minutes;
}
TR_HANDLER(garage, rate)
{
    if (msg->per_hour > 0 && msg->per_hour < 10)
        self->rate = msg->per_hour;
    if (self->income > 20 && fabs(self->income / 3 - self->rate) < 1e-6)
        self->seen = 8; // TARGET third: reachable
}
TR_HANDLER(garage, find_it)
{
    int steps = 0;
    for (struct car *c = self->root; c && c->plate != msg->plate;
         c = msg->plate < c->plate ? c->l : c->r)
        steps++;
    if (steps == 3 && msg->plate % 2)
        self->seen = 9; // TARGET three_steps: reachable
}
static void drop(struct car *c)
{
    if (c) {
        drop(c->l);
        drop(c->r);
        free(c);
    }
}
TR_FINI(garage)
{
    drop(self->root);
}
TR_BEHAVIOUR(garage, open, TR_ON(enter), TR_ON(leave), TR_ON(tick), TR_ON(rate),
             TR_ON(find_it));
TR_CLASS(garage, .start = &garage_open, .init = garage_init_,
         .fini = garage_fini_);
TR_SYSTEM(town)
{
    garage_ref g = spawn(garage);
    expose(g);
}

TR_TEST(twice)
{
    garage_ref x = spawn(garage);
    send(x, enter, .plate = 1, .size = 1);
    send(x, enter, .plate = 1, .size = 1);
    drain();
}
TR_TEST(no_room)
{
    garage_ref x = spawn(garage);
    send(x, enter, .plate = 1, .size = 3);
    send(x, enter, .plate = 2, .size = 3);
    send(x, enter, .plate = 3, .size = 1);
    send(x, enter, .plate = 4, .size = 3);
    drain();
}
TR_TEST(four_deep)
{
    garage_ref x = spawn(garage);
    send(x, enter, .plate = 1, .size = 1);
    send(x, enter, .plate = 2, .size = 1);
    send(x, enter, .plate = 3, .size = 1);
    send(x, enter, .plate = 4, .size = 1);
    drain();
}
TR_TEST(shape)
{
    garage_ref x = spawn(garage);
    send(x, enter, .plate = 1000, .size = 1);
    send(x, enter, .plate = 500, .size = 1);
    send(x, enter, .plate = 1500, .size = 1);
    send(x, enter, .plate = 1200, .size = 1);
    drain();
}
TR_TEST(exact)
{
    garage_ref x = spawn(garage);
    send(x, enter, .plate = 1, .size = 1);
    send(x, tick, .minutes = 300);
    send(x, leave, .plate = 1, .paid = 12.5);
    drain();
}
TR_TEST(two_children)
{
    garage_ref x = spawn(garage);
    send(x, enter, .plate = 2, .size = 1);
    send(x, enter, .plate = 1, .size = 1);
    send(x, enter, .plate = 3, .size = 1);
    send(x, leave, .plate = 2, .paid = 0);
    drain();
}
TR_TEST(third)
{
    garage_ref x = spawn(garage);
    send(x, rate, .per_hour = 8);
    send(x, enter, .plate = 1, .size = 1);
    send(x, tick, .minutes = 180);
    send(x, leave, .plate = 1, .paid = 24);
    send(x, rate, .per_hour = 8);
    drain();
}
TR_TEST(three_steps)
{
    garage_ref x = spawn(garage);
    send(x, enter, .plate = 1, .size = 1);
    send(x, enter, .plate = 2, .size = 1);
    send(x, enter, .plate = 3, .size = 1);
    send(x, find_it, .plate = 5);
    drain();
}

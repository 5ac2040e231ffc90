/* Many marks in a row: of 2^n ways through a handler few matter.  Lines that are
 * marked dead cannot be reached, those that are marked live can. */
#include "troupe_short.h"
#include <stdint.h>

TR_PROTOCOL(oracle, riddle);
TR_PROTOCOL(box, number, wonder);
struct solved {
    int value;
};
struct riddle {
    int n;
};
TR_REQUEST(riddle, solved);
struct number {
    int v;
    short s;
    uint8_t b;
    unsigned u;
    float f;
    unsigned four : 4;
};
TR_MESSAGE(number);
struct wonder {
    int n;
};
TR_MESSAGE(wonder);

struct oracle {
    int asked;
};
TR_HANDLER(oracle, riddle)
{
    if (self->asked < 1000)
        self->asked++;
    if (msg->n > 0)
        reply(riddle, .value = 2);
    else
        reply(riddle, .value = -1);
}
TR_BEHAVIOUR(oracle, open, TR_ON(riddle));
TR_CLASS(oracle, .start = &oracle_open);

struct box {
    oracle_ref oracle;
    uint8_t level;
    int seen, last;
};
TR_HANDLER(box, number)
{
    int way = 0;
    if (msg->v > 5)
        self->seen = 1;
    if (msg->v < 3)
        self->seen = 2;
    if (msg->b > 9)
        self->seen = 3;
    if (msg->b < 200)
        self->seen = 4;
    if (msg->u & 1)
        self->seen = 5;
    if (msg->u & 2)
        self->seen = 6;
    if (msg->u & 4)
        self->seen = 7;
    if (msg->s > 0)
        self->seen = 8;
    if (msg->s < 100)
        self->seen = 9;
    if (msg->u & 8)
        self->last = 3;
    if (msg->u & 16)
        way = 1;
    if (self->level < 200)
        self->level += 3;
    if (self->level > 202)
        self->seen = 10; /* dead: steps of three */
    if (self->level == 201)
        self->seen = 11; /* live: 67 steps */
    if ((msg->b & 0xf0) == 0x33)
        self->seen = 12; /* dead: a low bit of high ones */
    if (msg->four > 15)
        self->seen = 13; /* dead: four bits */
    if (msg->f == 0.1)
        self->seen = 14; /* dead: no float is a tenth */
    if (way == 2)
        self->seen = 15; /* dead: no such way */
    if (way == 1 && !(msg->u & 16))
        self->seen = 16; /* dead: the same bit */
    if (way == 1 && msg->v == 77)
        self->seen = 17; /* live: such a number */
    if (self->last == 3 && !(msg->u & 8))
        self->seen = 18; /* live: from before */
}
TR_HANDLER(box, wonder)
{
    const struct solved *s = await(ask(self->oracle, riddle, .n = msg->n));
    if (!s)
        self->seen = 19; /* dead: oracles never stop */
    if (s && s->value == 2 && msg->n == 4)
        self->seen = 20; /* live: four */
    if (s && s->value > 2)
        self->seen = 21; /* dead: two is the most */
    s = await(ask_within(5, self->oracle, riddle));
    if (!s)
        self->seen = 22; /* live: too late */
}
TR_BEHAVIOUR(box, open, TR_ON(number), TR_ON(wonder));
TR_CLASS(box, .start = &box_open);

TR_SYSTEM(marks)
{
    oracle_ref oracle = spawn(oracle);
    box_ref box = spawn(box, .oracle = oracle);
    expose(box);
}

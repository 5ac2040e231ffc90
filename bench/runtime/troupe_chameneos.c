// Chameneos: a creatures meet in pairs at one mall, b times.
#include "bench.h"

TR_PROTOCOL(creature, met, closed);
TR_PROTOCOL(mall, meet);
struct meet {
    creature_ref who;
    int colour;
};
TR_MESSAGE(meet);
struct met {
    int colour;
};
TR_MESSAGE(met);
TR_SIGNAL(closed);

struct mall {
    creature_ref waiting;
    int64_t left;
    int colour;
};
TR_HANDLER(mall, meet)
{
    if (self->left == 0) {
        send(msg->who, closed);
        return;
    }
    if (!self->waiting) {
        self->waiting = msg->who;
        self->colour = msg->colour;
        return;
    }
    self->left--;
    send(self->waiting, met, .colour = msg->colour);
    send(msg->who, met, .colour = self->colour);
    self->waiting = NULL;
}
TR_BEHAVIOUR(mall, on, TR_ON(meet, mall_meet));
TR_CLASS(mall, .start = &mall_on);

struct creature {
    mall_ref mall;
    int64_t meetings;
    int colour;
};
TR_HANDLER(creature, met)
{
    if (self->colour != msg->colour)
        self->colour = 3 - self->colour - msg->colour;
    self->meetings++;
    send(self->mall, meet, .who = me(creature), .colour = self->colour);
}
TR_HANDLER(creature, closed)
{
    stop();
}
TR_INIT(creature)
{
    send(self->mall, meet, .who = me(creature), .colour = self->colour);
}
TR_BEHAVIOUR(creature, on, TR_ON(met, creature_met),
             TR_ON(closed, creature_closed));
TR_CLASS(creature, .start = &creature_on, .init = creature_init_);

TR_SYSTEM(chameneos)
{
    mall_ref m = spawn(mall, .left = param("b", 0));
    for (int i = 0; i < param("a", 0); i++)
        spawn(creature, .mall = m, .colour = i % 3);
}

BENCH_MAIN("chameneos", chameneos, 100, 400000, 4 * b + 3 * a)

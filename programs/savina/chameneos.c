/* Chameneos (CHA): creatures meet in pairs at a mall and change colour.
 *
 * The mall creates c chameneos; each sends it meet with its colour.  The first
 * of two waits; the second's meet is passed on to the waiting one, which takes
 * the complement of both colours and tells its partner with change.  Both then
 * come back.  After m meetings the mall answers exit; a chameneo fades, sends
 * its count of meetings and stops.
 *
 * No entry points: all follows from the creation of the mall.
 * Parameters c, m: chameneos, meetings (100, 200000; in the test 3, 2).
 * Expected: the counts add up to 2 m, all fade and all stop, and when the
 * meetings are used up nobody waits.  Arrival order decides who meets whom, so
 * colours and counts of single chameneos vary, the sum does not.
 *
 * Known defect:
 * CHA-P1  one chameneo and a meeting: it waits for ever (c = 1, m = 1).
 */
#include "savina.h"

#define COLOURS(X) X(RED) X(YELLOW) X(BLUE) X(FADED)
enum colour {
#define COLOUR_(name) name,
    COLOURS(COLOUR_)
#undef COLOUR_
};

TR_PROTOCOL(mall, meet, count);
TR_PROTOCOL(chameneo, meet, change, exit);

struct meet {
    enum colour colour;
    chameneo_ref from;
};
TR_MESSAGE(meet);
struct change {
    enum colour colour;
    chameneo_ref from;
};
TR_MESSAGE(change);
struct count {
    int meetings;
    chameneo_ref from;
};
TR_MESSAGE(count);
struct exit {
    mall_ref from;
};
TR_MESSAGE(exit);

struct chameneo {
    mall_ref mall;
    enum colour colour;
    int meetings;
};

static enum colour complement(enum colour a, enum colour b)
{
    if (a == FADED || b == FADED)
        return FADED;
    if (a == b)
        return a;
    return (enum colour)(RED + YELLOW + BLUE - a - b);
}

static void come(tr_ctx *ctx, struct chameneo *self)
{
    send(self->mall, meet, .colour = self->colour, .from = me(chameneo));
}

TR_INIT(chameneo)
{
    come(ctx, self);
}

TR_HANDLER(chameneo, meet)
{
    self->colour = complement(self->colour, msg->colour); /* [6] */
    self->meetings++;
    send(msg->from, change, .colour = self->colour, .from = me(chameneo));
    come(ctx, self);
}

TR_HANDLER(chameneo, change)
{
    self->colour = msg->colour; /* [7] */
    self->meetings++;
    come(ctx, self);
}

TR_HANDLER(chameneo, exit)
{
    self->colour = FADED; /* [8] */
    send(msg->from, count, .meetings = self->meetings, .from = me(chameneo));
    stop();
}

TR_BEHAVIOUR(chameneo, alive, TR_ON(meet, chameneo_meet),
             TR_ON(change, chameneo_change), TR_ON(exit, chameneo_exit));
TR_CLASS(chameneo, .start = &chameneo_alive, .init = chameneo_init_);
TR_HOT(chameneo, alive);

struct mall {
    int chameneos, meetings;
    int left; /* of the meetings */
    chameneo_ref waiting;
    int sum, faded;
};

TR_INIT(mall)
{
    self->left = self->meetings;
    for (int i = 0; i < self->chameneos; i++)
        spawn(chameneo, .mall = me(mall), .colour = (enum colour)(i % 3));
}

TR_HANDLER(mall, count)
{
    self->faded++;
    self->sum += msg->meetings;
    if (self->faded == self->chameneos) { /* [1] */
        assert(self->sum == 2 * self->meetings);
        result("%d meetings", self->sum / 2);
        stop();
    } /* else [2] */
}

TR_HANDLER(mall, meet)
{
    if (self->left == 0) { /* [5] */
        assert(!self->waiting);
        send(msg->from, exit, .from = me(mall));
    } else if (!self->waiting) { /* [3] */
        self->waiting = msg->from;
    } else { /* [4] */
        self->left--;
        forward(self->waiting, meet);
        self->waiting = NULL;
    }
}

TR_BEHAVIOUR(mall, open, TR_ON(meet, mall_meet), TR_ON(count, mall_count));
TR_CLASS(mall, .start = &mall_open, .init = mall_init_);
TR_HOT(mall, open);

TR_SYSTEM(savina)
{
    spawn(mall, .chameneos = (int)param("c", 100),
          .meetings = (int)param("m", 200000));
}

TR_TEST(chameneos)
{
    spawn(mall, .chameneos = (int)param("c", 3),
          .meetings = (int)param("m", 2));
    drain();
}

/* A node that says it is alive, and a detector that looks whether it heard so.
 *
 * On go the node beats every 100 ms: it tells the detector.  On go the detector
 * looks every 250 ms (how = 0) or 100 ms (how = 1) whether it heard anything
 * since it last looked; if not it takes the node to be down.  Periods of
 * different actors are not compared.
 *
 * Parameter how (0).  Schedules, classes, final states within so many ticks;
 * any / pair / the others:
 *   1 tick   10, 3, 2 / 10, 3, 2 / 9, 2, 2
 *   2 ticks  168, 20, 4 / 112, 10, 4 / 98, 6, 4
 */
#include "troupe_short.h"

TR_PROTOCOL(node, go, beat);
TR_PROTOCOL(detector, go, look, alive);

TR_SIGNAL(go);
TR_SIGNAL(beat);
TR_SIGNAL(look);
TR_SIGNAL(alive);

struct detector {
    int heard, down;
};

TR_HANDLER(detector, go)
{
    every(param("how", 0) ? 100 : 250, me(detector), look);
}

TR_HANDLER(detector, look)
{
    self->down += !self->heard;
    self->heard = 0;
}

TR_HANDLER(detector, alive)
{
    self->heard = 1;
}

TR_BEHAVIOUR(detector, open, TR_ON(go, detector_go), TR_ON(look, detector_look),
             TR_ON(alive, detector_alive));
TR_CLASS(detector, .start = &detector_open);

struct node {
    detector_ref detector;
    int beats;
};

TR_HANDLER(node, go)
{
    every(100, me(node), beat);
}

TR_HANDLER(node, beat)
{
    self->beats++;
    send(self->detector, alive);
}

TR_BEHAVIOUR(node, open, TR_ON(go, node_go), TR_ON(beat, node_beat));
TR_CLASS(node, .start = &node_open);

TR_TEST(heartbeat)
{
    detector_ref detector = spawn(detector);
    node_ref node = spawn(node, .detector = detector);
    send(detector, go);
    send(node, go);
}

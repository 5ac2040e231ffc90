/* A lease of 100 ms, by the clock.
 *
 * Two holders ask the granter for the lease, which goes to one of them for
 * 100 ms and then to who waits.  A holder believes that it has the lease until
 * 100 ms after its request (how = 0), or after it was granted (how = 1), and
 * works once, in a message that it sends itself.
 *
 * The clock is one for all actors, or each actor has its own
 * (--clock=own), which nothing moves here but its own timers.
 *
 * Schedules, classes and final states; any, pair, causal / mailbox:
 *   how = 0  1,008, 36, 4 / 756, 36, 4      own clocks 1,008, 4, 2 / 756, 4, 2
 *   how = 1  1,008, 72, 12 / 756, 72, 12
 * (classes count what was read from the clock, too)
 */
#include "troupe_short.h"

TR_PROTOCOL(granter, ask_for, expire);
TR_PROTOCOL(holder, go, grant, work);

struct ask_for {
    holder_ref who;
};
TR_MESSAGE(ask_for);
TR_SIGNAL(expire);
TR_SIGNAL(go);
struct grant {
    int term;
};
TR_MESSAGE(grant);
TR_SIGNAL(work);

struct granter {
    int term;
    bool taken;
    holder_ref waits;
};

static void grant_to(tr_ctx *ctx, struct granter *self, holder_ref who)
{
    self->taken = true;
    self->waits = NULL;
    send(who, grant, .term = ++self->term);
    send_after(100, me(granter), expire);
}

TR_HANDLER(granter, ask_for)
{
    if (self->taken)
        self->waits = msg->who;
    else
        grant_to(ctx, self, msg->who);
}

TR_HANDLER(granter, expire)
{
    self->taken = false;
    if (self->waits)
        grant_to(ctx, self, self->waits);
}

TR_BEHAVIOUR(granter, open, TR_ON(ask_for, granter_ask_for),
             TR_ON(expire, granter_expire));
TR_CLASS(granter, .start = &granter_open);

/* Moments are plain numbers here: the final states are to differ by them. */
struct holder {
    granter_ref granter;
    int how, term;
    uint64_t asked, until;
};

TR_HANDLER(holder, go)
{
    if (self->how == 0)
        self->asked = now();
    send(self->granter, ask_for, .who = me(holder));
}

TR_HANDLER(holder, grant)
{
    self->until = (self->how == 0 ? self->asked : now()) + 100;
    self->term = msg->term;
    send(me(holder), work);
}

TR_HANDLER(holder, work)
{
    if (now() < self->until)
        tr_log(ctx, TR_DEBUG, "term %d works", self->term);
}

TR_BEHAVIOUR(holder, open, TR_ON(go, holder_go), TR_ON(grant, holder_grant),
             TR_ON(work, holder_work));
TR_CLASS(holder, .start = &holder_open);

TR_TEST(lease)
{
    int how = (int)param("how", 0);
    granter_ref g = spawn(granter);
    holder_ref a = spawn(holder, .granter = g, .how = how);
    holder_ref b = spawn(holder, .granter = g, .how = how);
    send(a, go);
    send(b, go);
}

/* two-tokens: a token that was only slow is replaced.
 *
 * Source: token rings, the recovery of a lost token.
 *
 * Three stations pass a token round a ring, ROUNDS times; who has it is in its
 * critical section until it is told to leave, by a message to itself.  A
 * monitor hears of each pass by station 0, and ticks; at TICKS ticks without
 * news it takes the token for lost and sends a new one to station 0.  If the
 * old one is still on its way there are two, and that is a bug when two
 * stations are in their critical sections at a time.
 *
 * Repaired: the monitor first tells all stations the new generation, and waits
 * until all have answered; they drop older tokens, and one that has the token
 * answers when it leaves.
 *
 * Kind of bug: invariant
 * Models with the bug: mailbox causal pair any
 * Models without it: none
 * Repaired, clean in: mailbox causal pair any
 * Oracle: never two stations in their critical sections.
 * Find it: troupe explore programs/rare/two_tokens.c
 */
#include "../bugs/repaired.h"
#include "troupe_short.h"

enum { STATIONS = 3, ROUNDS = 2, TICKS = 24 };

TR_PROTOCOL(monitor, tick, seen, fenced);
TR_PROTOCOL(station, join, token, leave, fence);

struct join {
    station_ref next;
    monitor_ref monitor;
};
TR_MESSAGE(join);
struct token {
    int generation, passes;
};
TR_MESSAGE(token);
TR_SIGNAL(leave);
struct fence {
    int generation;
};
TR_MESSAGE(fence);
TR_SIGNAL(fenced);
TR_SIGNAL(tick);
TR_SIGNAL(seen);

struct station {
    int id, generation;
    station_ref next;
    monitor_ref monitor;
    struct token token;
    bool critical, owes; /* an answer to a fence */
};

TR_HANDLER(station, join)
{
    self->next = msg->next;
    self->monitor = msg->monitor;
}

TR_HANDLER(station, token)
{
    if (msg->generation < self->generation)
        return;
    self->token = *msg;
    self->critical = true;
    send(me(station), leave);
    if (self->id == 0)
        send(self->monitor, seen);
}

TR_HANDLER(station, leave)
{
    self->critical = false;
    if (self->owes)
        send(self->monitor, fenced);
    else if (self->token.passes > 0)
        send(self->next, token, .passes = self->token.passes - 1,
             .generation = self->token.generation);
    self->owes = false;
}

TR_HANDLER(station, fence)
{
    self->generation = msg->generation;
    self->owes = self->critical;
    if (!self->owes)
        send(self->monitor, fenced);
}

TR_BEHAVIOUR(station, open, TR_ON(join, station_join),
             TR_ON(token, station_token), TR_ON(leave, station_leave),
             TR_ON(fence, station_fence));
TR_CLASS(station, .start = &station_open);

struct monitor {
    station_ref station[STATIONS];
    int ticks, rounds, fenced;
};

static void replace_token(tr_ctx *ctx, struct monitor *self)
{
    send(self->station[0], token, .generation = 1, .passes = STATIONS);
}

TR_HANDLER(monitor, tick)
{
    if (self->rounds > ROUNDS)
        return;
    if (++self->ticks < TICKS)
        send(me(monitor), tick);
    else if (!repaired)
        replace_token(ctx, self);
    else
        for (int i = 0; i < STATIONS; i++)
            send(self->station[i], fence, .generation = 1);
}

TR_HANDLER(monitor, seen)
{
    self->rounds++;
    if (self->ticks < TICKS)
        self->ticks = 0;
}

TR_HANDLER(monitor, fenced)
{
    if (++self->fenced == STATIONS)
        replace_token(ctx, self);
}

TR_BEHAVIOUR(monitor, open, TR_ON(tick, monitor_tick),
             TR_ON(seen, monitor_seen), TR_ON(fenced, monitor_fenced));
TR_CLASS(monitor, .start = &monitor_open);

TR_INVARIANT(one_is_critical)
{
    int critical = 0;
    for (each(station, s))
        critical += s->critical;
    return critical <= 1;
}

TR_TEST(two_tokens)
{
    station_ref s[STATIONS];
    for (int i = 0; i < STATIONS; i++)
        s[i] = spawn(station, .id = i);
    monitor_ref m = spawn(monitor, .station = {s[0], s[1], s[2]});
    for (int i = 0; i < STATIONS; i++)
        send(s[i], join, .next = s[(i + 1) % STATIONS], .monitor = m);
    drain();
    send(s[0], token, .passes = ROUNDS * STATIONS);
    send(m, tick);
    drain();
}

/* Two-phase commit without a no: all participants agree.
 *
 * On begin the coordinator sends prepare to n participants; each answers yes;
 * at the n-th yes it sends commit to all.  The votes arrive in any order and
 * leave no trace: n! classes, one final state.
 *
 * Parameter n: participants (3).  Schedules, classes, final states, distinct
 * handler runs:
 *   n = 3  any, pair, causal 540, 6, 1, 10      mailbox 180, 6, 1, 10
 *   n = 4  any, pair, causal 60,480, 24, 1, 13  mailbox 8,064, 24, 1, 13
 */
#include "troupe_short.h"
#include <assert.h>

enum { MAX = 8 };

TR_PROTOCOL(coordinator, begin, yes);
TR_PROTOCOL(participant, prepare, commit);

TR_SIGNAL(begin);
TR_SIGNAL(yes);
struct prepare {
    coordinator_ref from;
};
TR_MESSAGE(prepare);
TR_SIGNAL(commit);

struct participant {
    enum { IDLE, PREPARED, COMMITTED } phase;
};

TR_HANDLER(participant, prepare)
{
    self->phase = PREPARED;
    send(msg->from, yes);
}

TR_HANDLER(participant, commit)
{
    self->phase = COMMITTED;
}

TR_BEHAVIOUR(participant, open, TR_ON(prepare, participant_prepare),
             TR_ON(commit, participant_commit));
TR_CLASS(participant, .start = &participant_open);

struct coordinator {
    int n, votes;
    participant_ref participant[MAX];
};

TR_HANDLER(coordinator, begin)
{
    for (int i = 0; i < self->n; i++)
        send(self->participant[i], prepare, .from = me(coordinator));
}

TR_HANDLER(coordinator, yes)
{
    if (++self->votes < self->n)
        return;
    for (int i = 0; i < self->n; i++)
        send(self->participant[i], commit);
}

TR_BEHAVIOUR(coordinator, open, TR_ON(begin, coordinator_begin),
             TR_ON(yes, coordinator_yes));
TR_CLASS(coordinator, .start = &coordinator_open);

TR_TEST(twophase)
{
    struct coordinator start = {.n = (int)param("n", 3)};
    assert(start.n <= MAX);
    for (int i = 0; i < start.n; i++)
        start.participant[i] = spawn(participant);
    coordinator_ref c = spawn_from(coordinator, &start);
    send(c, begin);
}

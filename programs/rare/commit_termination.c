/* commit-termination: "I have not voted" is forgotten by who said it.
 *
 * Source: cooperative termination of two-phase commit.
 *
 * A coordinator asks five participants to prepare; all vote yes; it commits
 * when it has all votes.  The first participant, when it has voted and hears
 * nothing for TICKS ticks, asks the others.  Who knows the outcome tells it.
 * Who has not voted says so, and that makes the asker abort, since without this
 * vote nothing can be committed yet: if nobody it asked has voted.  The one who
 * said so votes yes all the same as soon as it is asked to prepare.  The bug
 * needs a timeout while no other participant has been asked to prepare.
 *
 * Repaired: who says that it has not voted will vote no.
 *
 * Kind of bug: invariant
 * Models with the bug: causal pair any
 * Models without it: mailbox
 * Repaired, clean in: mailbox causal pair any
 * Oracle: never one participant with a commit and one with an abort.
 * Find it: troupe explore programs/rare/commit_termination.c
 */
#include "../bugs/repaired.h"
#include "troupe_short.h"

enum { N = 5, TICKS = 3 };
enum state { WORKING, READY, COMMITTED, ABORTED };

TR_PROTOCOL(coordinator, vote);
TR_PROTOCOL(participant, join, prepare, outcome, quiet, inquiry, answer);

struct join {
    participant_ref peer[N];
    coordinator_ref coordinator;
};
TR_MESSAGE(join);
TR_SIGNAL(prepare);
TR_SIGNAL(quiet);
struct vote {
    bool yes;
};
TR_MESSAGE(vote);
struct outcome {
    bool commit;
};
TR_MESSAGE(outcome);
struct inquiry {
    participant_ref from;
};
TR_MESSAGE(inquiry);
struct answer {
    int state;
};
TR_MESSAGE(answer);

struct coordinator {
    participant_ref participant[N];
    int votes, yes;
};

TR_HANDLER(coordinator, vote)
{
    self->yes += msg->yes;
    if (++self->votes < N)
        return;
    for (int i = 0; i < N; i++)
        send(self->participant[i], outcome, .commit = self->yes == N);
}

TR_BEHAVIOUR(coordinator, open, TR_ON(vote, coordinator_vote));
TR_CLASS(coordinator, .start = &coordinator_open);

struct participant {
    participant_ref peer[N];
    coordinator_ref coordinator;
    int state, not_voted;
    int patience; /* ticks; -1: endless */
};

TR_HANDLER(participant, join)
{
    for (int i = 0; i < N; i++)
        self->peer[i] = msg->peer[i];
    self->coordinator = msg->coordinator;
}

TR_HANDLER(participant, prepare)
{
    bool yes = self->state == WORKING;
    if (yes)
        self->state = READY;
    send(self->coordinator, vote, .yes = yes);
    if (yes && self->patience > 0)
        send(me(participant), quiet);
}

TR_HANDLER(participant, outcome)
{
    if (self->state == READY)
        self->state = msg->commit ? COMMITTED : ABORTED;
}

TR_HANDLER(participant, quiet)
{
    if (self->state == READY && --self->patience > 0) {
        send(me(participant), quiet);
        return;
    }
    for (int i = 0; i < N && self->state == READY; i++)
        if (self->peer[i] != me(participant))
            send(self->peer[i], inquiry, .from = me(participant));
}

TR_HANDLER(participant, inquiry)
{
    send(msg->from, answer, .state = self->state);
    if (repaired && self->state == WORKING)
        self->state = ABORTED;
}

TR_HANDLER(participant, answer)
{
    if (self->state != READY)
        return;
    self->not_voted += msg->state == WORKING;
    if (msg->state == COMMITTED || msg->state == ABORTED)
        self->state = msg->state;
    else if (self->not_voted == N - 1)
        self->state = ABORTED;
}

TR_BEHAVIOUR(participant, open, TR_ON(join, participant_join),
             TR_ON(prepare, participant_prepare),
             TR_ON(outcome, participant_outcome),
             TR_ON(quiet, participant_quiet),
             TR_ON(inquiry, participant_inquiry),
             TR_ON(answer, participant_answer));
TR_CLASS(participant, .start = &participant_open);

TR_INVARIANT(all_or_nothing)
{
    bool committed = false, aborted = false;
    for (each(participant, p)) {
        committed = committed || p->state == COMMITTED;
        aborted = aborted || p->state == ABORTED;
    }
    return !(committed && aborted);
}

TR_TEST(commit_termination)
{
    participant_ref p[N];
    for (int i = 0; i < N; i++)
        p[i] = spawn(participant, .patience = i == 0 ? TICKS : -1);
    coordinator_ref c =
        spawn(coordinator, .participant = {p[0], p[1], p[2], p[3], p[4]});
    for (int i = 0; i < N; i++)
        send(p[i], join, .peer = {p[0], p[1], p[2], p[3], p[4]},
             .coordinator = c);
    drain();
    for (int i = 0; i < N; i++)
        send(p[i], prepare);
    drain();
}

/* raft-old-entry: a leader counts replicas of an entry of an earlier term.
 *
 * Source: the rule of section 5.4.2 of the Raft paper, left out.
 *
 * Three servers, a log of one slot.  The test sends two timeouts to server 0
 * and to server 2; a server that times out asks for votes in the next term,
 * and gets one unless the voter has voted in that term or has a newer entry.
 * A leader fills its slot if it is empty, sends the entry to the others, and
 * commits it when a majority has it.  That is safe for an entry of its own term
 * only.  The bug needs four elections: 0 leads and fills its slot; 2 leads with
 * the vote of 1 and fills its own; 0 leads again and gives its old entry to 1,
 * which commits it; 2 leads again, since its entry is newer, and commits that.
 *
 * Repaired: a leader commits entries of its own term only.
 *
 * Kind of bug: invariant
 * Models with the bug: causal pair (and any, which is too large to walk)
 * Models without it: mailbox
 * Repaired, clean in: mailbox causal pair
 * Oracle: never two values committed.
 * Find it: troupe explore programs/rare/raft_old_entry.c
 */
#include "../bugs/repaired.h"
#include "troupe_short.h"

enum { SERVERS = 3, MAJORITY = 2 };

TR_PROTOCOL(server, join, timeout, request, vote, append, stored);

struct join {
    server_ref peer[SERVERS];
};
TR_MESSAGE(join);
TR_SIGNAL(timeout);
struct request {
    int term, from, entry_term;
};
TR_MESSAGE(request);
struct vote {
    int term;
};
TR_MESSAGE(vote);
struct append {
    int term, from, entry_term, value;
};
TR_MESSAGE(append);
struct stored {
    int term;
};
TR_MESSAGE(stored);

struct server {
    server_ref peer[SERVERS];
    int id, term, votes, copies;
    bool voted, leads;
    int entry_term, value; /* the slot; term 0: empty */
    int committed;         /* value, 0: none */
};

TR_HANDLER(server, join)
{
    for (int i = 0; i < SERVERS; i++)
        self->peer[i] = msg->peer[i];
}

static void enter(struct server *self, int term)
{
    if (term <= self->term)
        return;
    self->term = term;
    self->voted = self->leads = false;
}

TR_HANDLER(server, timeout)
{
    enter(self, self->term + 1);
    self->voted = true;
    self->votes = 1;
    for (int i = 0; i < SERVERS; i++)
        if (i != self->id)
            send(self->peer[i], request, .term = self->term, .from = self->id,
                 .entry_term = self->entry_term);
}

TR_HANDLER(server, request)
{
    enter(self, msg->term);
    if (msg->term < self->term || self->voted ||
        msg->entry_term < self->entry_term)
        return;
    self->voted = true;
    send(self->peer[msg->from], vote, .term = self->term);
}

static void lead(tr_ctx *ctx, struct server *self)
{
    self->leads = true;
    self->copies = 1;
    if (!self->entry_term) {
        self->entry_term = self->term;
        self->value = self->id + 1;
    }
    for (int i = 0; i < SERVERS; i++)
        if (i != self->id)
            send(self->peer[i], append, .term = self->term, .from = self->id,
                 .entry_term = self->entry_term, .value = self->value);
}

TR_HANDLER(server, vote)
{
    if (msg->term == self->term && !self->leads && ++self->votes == MAJORITY)
        lead(ctx, self);
}

TR_HANDLER(server, append)
{
    enter(self, msg->term);
    if (msg->term < self->term)
        return;
    self->entry_term = msg->entry_term;
    self->value = msg->value;
    send(self->peer[msg->from], stored, .term = msg->term);
}

TR_HANDLER(server, stored)
{
    if (msg->term != self->term || ++self->copies != MAJORITY)
        return;
    if (!repaired || self->entry_term == self->term)
        self->committed = self->value;
}

TR_BEHAVIOUR(server, open, TR_ON(join, server_join),
             TR_ON(timeout, server_timeout), TR_ON(request, server_request),
             TR_ON(vote, server_vote), TR_ON(append, server_append),
             TR_ON(stored, server_stored));
TR_CLASS(server, .start = &server_open);

TR_INVARIANT(one_value_is_committed)
{
    int committed = 0;
    for (each(server, s)) {
        if (s->committed && committed && s->committed != committed)
            return false;
        if (s->committed)
            committed = s->committed;
    }
    return true;
}

TR_TEST(raft_old_entry)
{
    struct join all;
    for (int i = 0; i < SERVERS; i++)
        all.peer[i] = spawn(server, .id = i);
    for (int i = 0; i < SERVERS; i++)
        send(all.peer[i], join,
             .peer = {all.peer[0], all.peer[1], all.peer[2]});
    drain();
    for (int i = 0; i < 2; i++) {
        send(all.peer[0], timeout);
        send(all.peer[2], timeout);
    }
    drain();
}

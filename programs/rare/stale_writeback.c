/* stale-writeback: an old line written back in a later turn of its owner.
 *
 * Source: the race between an eviction and a forwarded request in directory
 * protocols for caches.
 *
 * A directory has one line, with a counter; two caches want it for writing,
 * ROUNDS times each.  The directory gives it to the first and afterwards asks
 * the owner to hand it to the next, straight from cache to cache; the new owner
 * adds one, confirms to the directory, and on its answer writes the line back
 * through its write buffer.  A cache keeps the line until that is acknowledged,
 * so that it can still hand it over.  The directory takes a write-back only if
 * it is the owner's and names the current turn; but turns are counted modulo
 * TURNS.  A write-back that is very late comes when its cache has lost the line
 * and got it again at a turn of the same number, and the old line is taken for
 * the new one.
 *
 * Repaired: turns are numbers that do not repeat.
 *
 * Kind of bug: assertion
 * Models with the bug: mailbox causal pair any
 * Models without it: none
 * Repaired, clean in: mailbox causal pair any
 * Oracle, at the end: the counter counts the writes.
 * Find it: troupe explore programs/rare/stale_writeback.c
 */
#include "../bugs/repaired.h"
#include "troupe_short.h"
#include <assert.h>

enum { CACHES = 2, ROUNDS = 4, TURNS = 4 };

TR_PROTOCOL(directory, want, got, back);
TR_PROTOCOL(cache, go, fetch, line, yours, done);
TR_PROTOCOL(buffer, back);

TR_SIGNAL(go);
struct want {
    cache_ref from;
};
TR_MESSAGE(want);
struct got {
    cache_ref from;
};
TR_MESSAGE(got);
struct back {
    cache_ref from;
    int value, turn;
};
TR_MESSAGE(back);
struct fetch {
    cache_ref to;
    int turn;
};
TR_MESSAGE(fetch);
struct line {
    int value, turn;
};
TR_MESSAGE(line);
struct yours {
    int turn;
};
TR_MESSAGE(yours);
struct done {
    int turn;
};
TR_MESSAGE(done);

struct directory {
    int value, turn; /* turn: of the owner */
    cache_ref owner, waiting[CACHES];
    int n_waiting;
    bool busy; /* the line is on its way */
};

static void serve(tr_ctx *ctx, struct directory *self)
{
    cache_ref next = self->waiting[0];
    if (self->busy || !self->n_waiting)
        return;
    self->n_waiting--;
    for (int i = 0; i < self->n_waiting; i++)
        self->waiting[i] = self->waiting[i + 1];
    self->waiting[self->n_waiting] = NULL;
    self->busy = true;
    self->turn = repaired ? self->turn + 1 : self->turn % TURNS + 1;
    if (self->owner)
        send(self->owner, fetch, .to = next, .turn = self->turn);
    else
        send(next, line, .value = self->value, .turn = self->turn);
}

TR_HANDLER(directory, want)
{
    self->waiting[self->n_waiting++] = msg->from;
    serve(ctx, self);
}

TR_HANDLER(directory, got)
{
    self->owner = msg->from;
    self->busy = false;
    send(msg->from, yours, .turn = self->turn);
    serve(ctx, self);
}

TR_HANDLER(directory, back)
{
    bool late =
        self->busy || msg->from != self->owner || msg->turn != self->turn;
    if (late)
        return;
    send(msg->from, done, .turn = msg->turn);
    self->value = msg->value;
    self->owner = NULL;
}

TR_BEHAVIOUR(directory, open, TR_ON(want, directory_want),
             TR_ON(got, directory_got), TR_ON(back, directory_back));
TR_CLASS(directory, .start = &directory_open);

struct buffer {
    directory_ref directory;
};

TR_HANDLER(buffer, back)
{
    forward(self->directory, back);
}

TR_BEHAVIOUR(buffer, open, TR_ON(back, buffer_back));
TR_CLASS(buffer, .start = &buffer_open);

struct cache {
    directory_ref directory;
    buffer_ref buffer;
    int value, writes;
    int turn; /* 0: it has no line */
};

/* The line is gone: get it again, if there is more to write. */
static void lose(tr_ctx *ctx, struct cache *self)
{
    self->turn = 0;
    if (self->writes < ROUNDS)
        send(self->directory, want, .from = me(cache));
}

TR_HANDLER(cache, go)
{
    send(self->directory, want, .from = me(cache));
}

TR_HANDLER(cache, line)
{
    self->turn = msg->turn;
    self->value = msg->value + 1;
    self->writes++;
    send(self->directory, got, .from = me(cache));
}

TR_HANDLER(cache, yours)
{
    if (msg->turn == self->turn)
        send(self->buffer, back, .from = me(cache), .value = self->value,
             .turn = self->turn);
}

TR_HANDLER(cache, fetch)
{
    send(msg->to, line, .value = self->value, .turn = msg->turn);
    lose(ctx, self);
}

TR_HANDLER(cache, done)
{
    if (msg->turn == self->turn)
        lose(ctx, self);
}

TR_BEHAVIOUR(cache, open, TR_ON(go, cache_go), TR_ON(line, cache_line),
             TR_ON(fetch, cache_fetch), TR_ON(yours, cache_yours),
             TR_ON(done, cache_done));
TR_CLASS(cache, .start = &cache_open);

TR_TEST(stale_writeback)
{
    directory_ref directory = spawn(directory);
    cache_ref c[CACHES];
    for (int i = 0; i < CACHES; i++) {
        buffer_ref buffer = spawn(buffer, .directory = directory);
        c[i] = spawn(cache, .directory = directory, .buffer = buffer);
    }
    for (int i = 0; i < CACHES; i++)
        send(c[i], go);
    drain();
    int writes = 0;
    for (int i = 0; i < CACHES; i++)
        writes += peek(cache, c[i])->writes;
    assert(peek(directory, directory)->value == writes);
}

/* A stranger's test program that explores by itself: each test's outcome under
 * .explore is what test/suites/testlib checks.  Handlers allocate, so a stage
 * that did not answer malloc would mix up schedules. */
#include <troupe_short.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct line {
    const char *text;
};
TR_MESSAGE(line);
TR_SIGNAL(flush);
TR_SIGNAL(go);
TR_PROTOCOL(writer, line, flush);
TR_PROTOCOL(worker, go);
TR_PROTOCOL(culprit, go);
TR_PROTOCOL(lonely, go);

struct writer {
    char *all;
    size_t n;
    bool flushed;
};

TR_HANDLER(writer, line)
{
    size_t n = strlen(msg->text);
    assert(!self->flushed);
    self->all = realloc(self->all, self->n + n + 1);
    memcpy(self->all + self->n, msg->text, n + 1);
    self->n += n;
    assert(strlen(self->all) == self->n);
}

TR_HANDLER(writer, flush)
{
    self->flushed = true;
}

TR_FINI(writer)
{
    free(self->all);
}

TR_BEHAVIOUR(writer, open, TR_ON(line, writer_line),
             TR_ON(flush, writer_flush));
TR_CLASS(writer, .start = &writer_open, .fini = writer_fini_);

/* So that each order is another state. */
static const char *const lines[] = {
    "alpha", "bravo", "delta", "hotel", "india", "kilos", "limas",
    "mikes", "oscar", "papas", "romeo", "tango", "zulus"};

struct worker {
    writer_ref to;
    int n;
};

TR_HANDLER(worker, go)
{
    send(self->to, line, .text = lines[self->n]);
}

TR_BEHAVIOUR(worker, open, TR_ON(go, worker_go));
TR_CLASS(worker, .start = &worker_open);

static void write_lines(tr_ctx *ctx, int n, bool early)
{
    writer_ref w = spawn(writer);
    for (int i = 0; i < n; i++)
        send(spawn(worker, .to = w, .n = i), go);
    if (early)
        send(w, flush);
    drain();
    assert(peek(writer, w)->n == 5 * (size_t)n);
}

TR_TEST(all_orders, .explore = "pair")
{
    write_lines(ctx, 4, false);
}
TR_TEST(flushed_early, .explore = "pair")
{
    write_lines(ctx, (int)param("n", 3), true);
}
TR_TEST(flushed_early_as_expected, .explore = "any", .expect = "assertion")
{
    write_lines(ctx, 3, true);
}
TR_TEST(bounded, .explore = "any", .max_schedules = 50)
{
    write_lines(ctx, 5, false);
}
TR_TEST(too_many_for_the_time, .explore = "any", .timeout_ms = 300)
{
    write_lines(ctx, 13, false);
}
TR_TEST(no_such_order, .explore = "pairs")
{
    write_lines(ctx, 1, false);
}

/* What must not happen in a handler. */
struct culprit {
    int what;
    int *nowhere;
};
static int counter;

TR_HANDLER(culprit, go)
{
    switch (self->what) {
    case 0:
        *self->nowhere = 1;
        break;
    case 1:
        counter++;
        break;
    case 2:
        for (volatile int i = 0;; i++)
            ;
        break;
    case 3:
        exit(0);
    }
}

TR_BEHAVIOUR(culprit, open, TR_ON(go, culprit_go));
TR_CLASS(culprit, .start = &culprit_open);

TR_TEST(crashes, .explore = "pair")
{
    send(spawn(culprit, .what = 0), go);
}
TR_TEST(shares, .explore = "pair")
{
    send(spawn(culprit, .what = 1), go);
}
TR_TEST(spins, .explore = "pair")
{
    send(spawn(culprit, .what = 2), go);
}
TR_TEST(leaves, .explore = "pair")
{
    send(spawn(culprit, .what = 3), go);
}

struct lonely {
    int n;
};

TR_HANDLER(lonely, go)
{
    await_until(self->n > 1);
    self->n++;
}

TR_BEHAVIOUR(lonely, open, TR_ON(go, lonely_go));
TR_CLASS(lonely, .start = &lonely_open);

TR_TEST(waits, .explore = "mailbox")
{
    send(spawn(lonely), go);
}
/* The test body goes on after single receives: `optimal` refuses that. */
TR_TEST(one_by_one, .explore = "pair")
{
    writer_ref w = spawn(writer);
    send(spawn(worker, .to = w), go);
    send(spawn(worker, .to = w), go);
    drain_until(peek(writer, w)->n == 10);
    assert(peek(writer, w)->n == 10);
}

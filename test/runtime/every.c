// Timers that fire again and again, under all managers: what they bring, who
// waits for them, and how they end.
#include "troupe_short.h"

#include "test.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static _Atomic int live, logs;

static void text_copy(void *to, const void *from);
static void text_drop(void *payload);

TR_PROTOCOL(counter, go, tick, text, gift, open, quit);
struct go {
    int until; // ticks, then it is cancelled
    int way;
};
TR_MESSAGE(go);
TR_SIGNAL(tick);
struct text {
    char *s;
};
TR_MESSAGE(text, .copy = text_copy, .drop = text_drop);
struct gift {
    char *s;
};
TR_MESSAGE(gift, .drop = text_drop);
TR_SIGNAL(open);
TR_SIGNAL(quit);

static char *text_new(const char *s)
{
    live++;
    return strdup(s);
}

static void text_copy(void *to, const void *from)
{
    ((struct text *)to)->s = text_new(((const struct text *)from)->s);
}

static void text_drop(void *payload)
{
    live--;
    free(((struct text *)payload)->s);
}

enum way { SIGNAL, TEXT, GIFT, STOPS };

struct counter {
    int ticks, until;
    enum way way;
    tr_timer timer;
};
TR_STATES(counter, opened, closed);

TR_HANDLER(counter, go)
{
    self->until = msg->until;
    self->way = (enum way)msg->way;
    if (self->way == TEXT)
        self->timer = every(1, me(counter), text, .s = (char[]){"tick"});
    else if (self->way == GIFT)
        self->timer = every(1, me(counter), gift, .s = text_new("gift"));
    else
        self->timer = every(1, me(counter), tick);
}

static void count(tr_ctx *ctx, struct counter *self)
{
    if (++self->ticks < self->until)
        return;
    if (self->way == STOPS)
        stop();
    else
        cancel(self->timer);
}

TR_HANDLER(counter, tick)
{
    count(ctx, self);
}
TR_HANDLER(counter, text)
{
    CHECK_TEXT(msg->s, "tick");
    count(ctx, self);
}
TR_HANDLER(counter, open)
{
    become(counter, opened);
}
TR_HANDLER(counter, quit)
{
    cancel(self->timer);
    become(counter, opened);
}
TR_BEHAVIOUR(counter, opened, TR_ON(go, counter_go), TR_ON(tick, counter_tick),
             TR_ON(text, counter_text), TR_ON(open, counter_open),
             TR_ON(quit, counter_quit));
TR_BEHAVIOUR(counter, closed, TR_ON(go, counter_go), TR_DEFER(tick),
             TR_ON(open, counter_open), TR_ON(quit, counter_quit));
TR_CLASS(counter, .start = &counter_opened);

TR_PROTOCOL(sleeper, go, tick, open, quit);
struct sleeper {
    struct counter c;
};
TR_HANDLER(sleeper, go)
{
    self->c.until = msg->until;
    self->c.timer = every(1, me(sleeper), tick);
}
TR_HANDLER(sleeper, tick)
{
    count(ctx, &self->c);
}
TR_STATES(sleeper, asleep, awake);
TR_HANDLER(sleeper, open)
{
    become(sleeper, awake);
}
TR_HANDLER(sleeper, quit)
{
    cancel(self->c.timer);
    become(sleeper, awake);
}
TR_BEHAVIOUR(sleeper, asleep, TR_ON(go, sleeper_go), TR_DEFER(tick),
             TR_ON(open, sleeper_open), TR_ON(quit, sleeper_quit));
TR_BEHAVIOUR(sleeper, awake, TR_ON(go, sleeper_go), TR_ON(tick, sleeper_tick),
             TR_ON(open, sleeper_open), TR_ON(quit, sleeper_quit));
TR_CLASS(sleeper, .start = &sleeper_asleep);

// ---- the frame ------------------------------------------------------------

static void on_log(void *user, tr_level level, const char *text)
{
    (void)user, (void)level, (void)text;
    logs++;
}

typedef void body_fn(tr_ctx *ctx, tr_runtime *r);

static void under_all(body_fn *body)
{
    const tr_manager *all[] = {&tr_threads, &tr_single, &tr_random};
    for (int i = 0; i < 3; i++) {
        tr_config c = {.manager = all[i], .seed = 5, .on_log = on_log};
        tr_runtime *r = NULL;
        CHECK_EQ(tr_start_(NULL, &c, &r), 0);
        tr_ctx *ctx = tr_enter(r);
        body(ctx, r);
        tr_leave(ctx);
        tr_end(r);
        CHECK_EQ(live, 0);
    }
}

// ---- tests ----------------------------------------------------------------

static void until_cancelled(tr_ctx *ctx, tr_runtime *r)
{
    counter_ref c = spawn(counter);
    send(c, go, .until = 5);
    CHECK_EQ(tr_wait(r), 0);
    CHECK_EQ(peek(counter, c)->ticks, 5);
}
TEST(it_fires_until_it_is_cancelled)
{
    under_all(until_cancelled);
}

static void until_stopped(tr_ctx *ctx, tr_runtime *r)
{
    counter_ref c = spawn(counter);
    send(c, go, .until = 2, .way = STOPS);
    CHECK_EQ(tr_wait(r), 0);
    CHECK(!peek(counter, c));
}
TEST(it_ends_with_its_actor)
{
    under_all(until_stopped);
}

static void drained(tr_ctx *ctx, tr_runtime *r)
{
    counter_ref c = spawn(counter);
    (void)r;
    send(c, go, .until = INT32_MAX);
    drain();
    send(c, quit);
    drain();
    CHECK(peek(counter, c)->ticks < INT32_MAX);
}
TEST(drain_does_not_wait_for_it)
{
    under_all(drained);
}

static void texts(tr_ctx *ctx, tr_runtime *r)
{
    counter_ref c = spawn(counter), d = spawn(counter);
    send(c, go, .until = 4, .way = TEXT);
    send(d, go, .until = 3, .way = TEXT);
    CHECK_EQ(tr_wait(r), 0);
    CHECK_EQ(peek(counter, c)->ticks, 4);
}
TEST(each_message_is_a_copy)
{
    under_all(texts);
}

static void ended_early(tr_ctx *ctx, tr_runtime *r)
{
    (void)r;
    send(spawn(counter), go, .until = INT32_MAX, .way = TEXT);
    drain();
}
TEST(the_end_of_the_system_frees_it)
{
    under_all(ended_early);
}

static void gifts(tr_ctx *ctx, tr_runtime *r)
{
    counter_ref c = spawn(counter);
    int before = logs;
    send(c, go, .way = GIFT);
    CHECK_EQ(tr_wait(r), 0);
    CHECK_EQ(peek(counter, c)->timer, 0);
    CHECK_EQ(logs, before + 1);
}
TEST(what_cannot_be_copied_is_refused)
{
    under_all(gifts);
}

static void outside(tr_ctx *ctx, tr_runtime *r)
{
    counter_ref c = spawn(counter);
    tr_timer t = every(1, c, tick),
             u = every(1, c, text, .s = (char[]){"tick"});
    (void)r;
    drain();
    cancel(t);
    cancel(u);
    CHECK_EQ(tr_wait(r), 0);
}
TEST(a_thread_outside_may_set_one)
{
    under_all(outside);
}

// Ticks while the actor puts them off: one is kept.
static void put_off(tr_ctx *ctx, tr_runtime *r)
{
    sleeper_ref s = spawn(sleeper), t = spawn(sleeper);
    send(s, go, .until = 3);
    send(t, go, .until = INT32_MAX);
    send_after(20, s, open);
    send_after(20, t, quit);
    CHECK_EQ(tr_wait(r), 0);
    CHECK_EQ(peek(sleeper, s)->c.ticks, 3);
    CHECK_EQ(peek(sleeper, t)->c.ticks, 0); // cancel took it away
}
TEST(one_that_is_put_off_waits)
{
    under_all(put_off);
}

TEST_MAIN()

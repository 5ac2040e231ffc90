// Which receives the solo manager offers a chooser, in each delivery model, and
// that every schedule of a small program is reached by choosing.
#include "troupe_short.h"

#include "runtime/solo/solo.h"
#include "test.h"

#include <stdlib.h>

struct word {
    int n;
};
TR_MESSAGE(word);
TR_SIGNAL(start);
TR_PROTOCOL(sink, word);
TR_PROTOCOL(relay, word, start);
struct sink {
    int seen[8], n;
};
TR_HANDLER(sink, word)
{
    self->seen[self->n++] = msg->n;
}
TR_BEHAVIOUR(sink, on, TR_ON(word, sink_word));
TR_CLASS(sink, .start = &sink_on);

// On start: 1 to the sink, then 2 by way of the next relay.
struct relay {
    sink_ref sink;
    relay_ref next;
};
TR_HANDLER(relay, start)
{
    send(self->sink, word, .n = 1);
    send(self->next, word, .n = 2);
}
TR_HANDLER(relay, word)
{
    send(self->sink, word, .n = msg->n);
}
TR_BEHAVIOUR(relay, on, TR_ON(start, relay_start), TR_ON(word, relay_word));
TR_CLASS(relay, .start = &relay_on);

// ---- all schedules by depth-first search --------------------------------

struct search {
    uint32_t path[64], width[64];
    uint32_t depth;  // of the run
    uint32_t length; // of the path to follow
};

static uint32_t follow(void *user, const struct solo_option *o, uint32_t n)
{
    struct search *s = user;
    uint32_t at = s->depth++;
    (void)o;
    if (at >= s->length) {
        s->path[at] = 0;
        s->length = at + 1;
    }
    s->width[at] = n;
    return s->path[at];
}

// Step to the next path; false after the last.
static bool next_path(struct search *s)
{
    while (s->length && s->path[s->length - 1] + 1 >= s->width[s->length - 1])
        s->length--;
    if (!s->length)
        return false;
    s->path[s->length - 1]++;
    return true;
}

typedef int body_fn(tr_ctx *ctx);

// Schedules in all; *outcomes has a bit per value the body returned.
static int schedules(enum solo_delivery delivery, body_fn *body,
                     uint32_t *outcomes)
{
    struct search s = {.depth = 0};
    int n = 0;
    *outcomes = 0;
    do {
        struct solo_options opt = {
            .user = &s, .delivery = delivery, .choose = follow};
        tr_config c = {.manager = NULL};
        tr_runtime *r;
        tr_ctx *ctx;
        s.depth = 0;
        CHECK_EQ(tr__solo_open(&opt, &c, &r), 0);
        ctx = tr_enter(r);
        *outcomes |= 1u << body(ctx);
        tr_leave(ctx);
        tr_end(r);
        n++;
    } while (next_path(&s) && n < 10000);
    return n;
}

// Three words to one sink: which permutation, as a number below 6.
static int three(tr_ctx *ctx)
{
    sink_ref k = spawn(sink);
    const struct sink *s;
    for (int i = 0; i < 3; i++)
        send(k, word, .n = i);
    drain();
    s = peek(sink, k);
    return 2 * s->seen[0] + (s->seen[1] > s->seen[2]);
}

TEST(one_pair_in_each_model)
{
    uint32_t out;
    CHECK_EQ(schedules(SOLO_PAIR, three, &out), 1);
    CHECK_EQ(out, 1);
    CHECK_EQ(schedules(SOLO_CAUSAL, three, &out), 1);
    CHECK_EQ(schedules(SOLO_MAILBOX, three, &out), 1);
    CHECK_EQ(schedules(SOLO_ANY, three, &out), 6);
    CHECK_EQ(out, 63);
}

// Does 2, which went round by another relay, overtake 1?
static int overtakes(tr_ctx *ctx)
{
    sink_ref k = spawn(sink);
    relay_ref b = spawn(relay, .sink = k);
    relay_ref a = spawn(relay, .sink = k, .next = b);
    send(a, start);
    drain();
    return peek(sink, k)->seen[0] - 1;
}

TEST(only_pair_and_any_let_a_chain_be_overtaken)
{
    uint32_t out;
    CHECK_EQ(schedules(SOLO_PAIR, overtakes, &out), 3);
    CHECK_EQ(out, 3);
    CHECK_EQ(schedules(SOLO_ANY, overtakes, &out), 3);
    CHECK_EQ(out, 3);
    CHECK_EQ(schedules(SOLO_CAUSAL, overtakes, &out), 2);
    CHECK_EQ(out, 1);
    CHECK_EQ(schedules(SOLO_MAILBOX, overtakes, &out), 2);
    CHECK_EQ(out, 1);
}

// Two independent relays race to one sink.
static int race(tr_ctx *ctx)
{
    sink_ref k = spawn(sink);
    relay_ref a = spawn(relay, .sink = k), b = spawn(relay, .sink = k);
    send(a, word, .n = 1);
    send(b, word, .n = 2);
    drain();
    return peek(sink, k)->seen[0] - 1;
}

TEST(independent_senders_race_in_all_models)
{
    for (int m = SOLO_PAIR; m <= SOLO_MAILBOX; m++) {
        uint32_t out;
        int n = schedules((enum solo_delivery)m, race, &out);
        CHECK_EQ(out, 3);
        // a mailbox is filled at the send: its order follows from that of the
        // relays' receives
        CHECK_EQ(n, m == SOLO_MAILBOX ? 4 : 6);
    }
}

// Between two words of its mother a child is born, which says one in its init
// hook and one when it is told to.
TR_PROTOCOL(child, start);
struct child {
    sink_ref sink;
};
TR_INIT(child)
{
    send(self->sink, word, .n = 3);
}
TR_HANDLER(child, start)
{
    send(self->sink, word, .n = 4);
}
TR_BEHAVIOUR(child, on, TR_ON(start, child_start));
TR_CLASS(child, .start = &child_on, .init = child_init_);
TR_PROTOCOL(mother, start);
struct mother {
    sink_ref sink;
};
TR_HANDLER(mother, start)
{
    send(self->sink, word, .n = 1);
    send(spawn(child, .sink = self->sink), start);
    send(self->sink, word, .n = 2);
}
TR_BEHAVIOUR(mother, on, TR_ON(start, mother_start));
TR_CLASS(mother, .start = &mother_on);

// Which word comes first; 8 more if the child's do not come in order.
static int first_word(tr_ctx *ctx)
{
    sink_ref k = spawn(sink);
    send(spawn(mother, .sink = k), start);
    drain();
    const struct sink *s = peek(sink, k);
    int three = 0, four = 0;
    for (int i = 0; i < 4; i++) {
        three = s->seen[i] == 3 ? i : three;
        four = s->seen[i] == 4 ? i : four;
    }
    return s->seen[0] + 8 * (four < three);
}

TEST(an_init_hook_sends_as_the_new_actor)
{
    uint32_t out;
    CHECK_EQ(schedules(SOLO_ANY, first_word, &out), 60);
    CHECK_EQ(schedules(SOLO_PAIR, first_word, &out), 20);
    CHECK_EQ(out, 1u << 1 | 1u << 3);
    CHECK_EQ(schedules(SOLO_CAUSAL, first_word, &out), 7);
    CHECK_EQ(out, 1u << 1);
    CHECK_EQ(schedules(SOLO_MAILBOX, first_word, &out), 4);
    CHECK_EQ(out, 1u << 1);
}

// ---- timers, picks, names -----------------------------------------------

TR_SIGNAL(ring);
TR_PROTOCOL(bell, start, ring, word);
struct bell {
    int rung, word;
};
TR_HANDLER(bell, start)
{
    send_after(20, me(bell), ring);
    send_after(10, me(bell), ring);
}
TR_HANDLER(bell, ring)
{
    self->rung = 10 * self->rung + 1 + self->word;
}
TR_HANDLER(bell, word)
{
    self->word = 1;
}
TR_BEHAVIOUR(bell, on, TR_ON(start, bell_start), TR_ON(ring, bell_ring),
             TR_ON(word, bell_word));
TR_CLASS(bell, .start = &bell_on);

static int rings(tr_ctx *ctx)
{
    bell_ref b = spawn(bell);
    send(b, start);
    send(b, word);
    drain();
    return peek(bell, b)->rung; // 11, 12 or 22
}

TEST(timers_fire_at_any_time)
{
    uint32_t out;
    CHECK_EQ(schedules(SOLO_PAIR, rings, &out), 3);
    CHECK_EQ(out, 1u << 11 | 1u << 12 | 1u << 22);
}

TR_PROTOCOL(parent, start);
struct parent {
    int none;
};
TR_HANDLER(parent, start)
{
    spawn(sink);
    spawn(bell);
    spawn(sink);
}
TR_BEHAVIOUR(parent, on, TR_ON(start, parent_start));
TR_CLASS(parent, .start = &parent_on);

TEST(names_come_from_creation)
{
    struct solo_options opt = {.testing = true};
    tr_config c = {.manager = NULL};
    char name[100];
    tr_runtime *r;
    tr_ctx *ctx;
    CHECK_EQ(tr__solo_open(&opt, &c, &r), 0);
    ctx = tr_enter(r);
    spawn(sink);
    send(spawn(parent), start);
    spawn(sink);
    drain();
    CHECK_TEXT(tr__solo_name(r, 0, name, sizeof name), "test");
    CHECK_TEXT(tr__solo_name(r, 1, name, sizeof name), "sink#1");
    CHECK_TEXT(tr__solo_name(r, 3, name, sizeof name), "sink#2");
    CHECK_TEXT(tr__solo_name(r, 5, name, sizeof name), "parent#1/bell#1");
    CHECK_TEXT(tr__solo_name(r, 6, name, sizeof name), "parent#1/sink#2");
    tr_leave(ctx);
    tr_end(r);
}

// ---- random -------------------------------------------------------------

TEST(random_reaches_every_order_that_pairs_allow)
{
    int first[3] = {0};
    for (uint64_t seed = 0; seed < 300; seed++) {
        tr_config c = {.manager = &tr_random, .seed = seed};
        tr_runtime *r;
        tr_ctx *ctx;
        int which;
        CHECK_EQ(tr_start_(NULL, &c, &r), 0);
        ctx = tr_enter(r);
        which = race(ctx);
        first[which]++;
        tr_leave(ctx);
        tr_end(r);
    }
    // either side wins about half of 300; 6 sigma is 52
    CHECK(first[0] > 98 && first[1] > 98);
}

TEST_MAIN()

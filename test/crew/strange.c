// A supervisor whose workers say strange things: whole messages, wrong words.
#include "test.h"

#include "base/rng.h"
#include "base/wire.h"
#include "crew/shared_set.h"
#include "crew/supervisor.h"
#include "crew/words.h"

struct strange {
    struct rng rng;
    struct text message;
    uint32_t said;
};

static bool hire(void *self, uint32_t i, bool isolated)
{
    (void)self, (void)i, (void)isolated;
    return true;
}

static bool give(void *self, uint32_t i, struct text *message)
{
    (void)self, (void)i, (void)message;
    return true;
}

static void dismiss(void *self, uint32_t i)
{
    (void)self, (void)i;
}

static struct crew_places look(void *self, uint32_t left)
{
    (void)self, (void)left;
    return (struct crew_places){.near = 1};
}

// Any word, with any bytes behind it.
static enum crew_news hear(void *self, uint32_t ms, uint32_t *i,
                           struct wire_message *m)
{
    struct strange *s = self;
    uint32_t kind = rng_below(&s->rng, WORD_DONE + 2);
    struct wire_in in = {0};
    if (!ms || kind == WORD_FAILED) // of which the supervisor believes us
        return NEWS_NONE;
    s->said++;
    *i = 0;
    wire_begin(&s->message, kind);
    for (uint32_t n = rng_below(&s->rng, 300); n; n--)
        text_char(&s->message, (char)rng_below(&s->rng, 3));
    wire_end(&s->message);
    in.bytes = s->message;
    CHECK_EQ(wire_next(&in, m), WIRE_HERE);
    return NEWS_WORD;
}

TEST(strange_words_never_end_a_search)
{
    for (uint64_t seed = 1; seed <= 300; seed++) {
        struct strange s = {.rng = rng_of(seed)};
        const struct crew_transport t = {&s, hire, give, hear, dismiss, look};
        struct explore_options o = {.strategy = STRATEGY_OPTIMAL};
        struct crew_options co = {.workers = 1, .divisible = seed & 1};
        struct crew_sink sink = {0};
        struct crew_figures f;
        struct shared_set *finals = shared_set_new();
        crew_supervise(&t, finals, &o, &co, &sink, &f);
        CHECK(!f.result.complete);
        CHECK_EQ(f.result.stopped_by, STOP_LOST);
        CHECK_EQ(f.result.executions, 0);
        CHECK(s.said >= 20);
        shared_set_free(finals);
        text_free(&s.message);
    }
}

TEST_MAIN()

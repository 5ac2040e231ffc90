// Schedules of 100,000 receives: what must come before what, without a matrix
// of all against all.
#include "cover/musthb.h"

#include "base/rng.h"
#include "test.h"

enum { RECEIVES = 100000, ACTORS = 40 };

// A record in which every event was sent by one a little earlier.
static void make(struct record *r, enum delivery d)
{
    struct rng rng = rng_of(7);
    uint32_t sends[64] = {0};
    r->delivery = d;
    for (uint32_t a = 0; a < ACTORS; a++) {
        struct record_actor one = {a, a + 1, a ? 0 : NO_EVENT, 0};
        vec_push(&r->actors, one);
    }
    for (uint32_t i = 0; i < RECEIVES; i++) {
        uint32_t back = 1 + rng_below(&rng, i < 63 ? i + 1 : 63);
        uint32_t source = i ? (back > i ? 0 : i - back) : NO_EVENT;
        struct event e = {.id = i + 1,
                          .actor = i ? 1 + rng_below(&rng, ACTORS - 1) : 0,
                          .source = source,
                          .creator = i ? 0 : NO_EVENT,
                          .set_by = NO_EVENT,
                          .body = !i};
        e.at = r->actors.at[e.actor].receives++;
        if (i) {
            e.sender = r->events.at[source].actor;
            e.nth = sends[source % 64]++;
        }
        sends[i % 64] = 0;
        vec_push(&r->events, e);
        vec_push(&r->names, "message");
    }
}

// By definition 5, going back from j: the senders of its message, and with each
// the earlier receives of the same actor.
static bool caused(const struct record *r, uint32_t i, uint32_t j)
{
    VEC(uint32_t) first = {0}; // per actor: receives up to here are causes
    bool found = false;
    for (uint32_t a = 0; a < ACTORS; a++)
        vec_push(&first, 0);
    const struct event *e = &r->events.at[j];
    first.at[r->events.at[e->source].actor] = r->events.at[e->source].at + 1;
    for (uint32_t k = j; k-- > i && !found;) {
        const struct event *x = &r->events.at[k];
        if (x->at >= first.at[x->actor])
            continue;
        found = k == i;
        if (x->source == NO_EVENT)
            continue;
        const struct event *s = &r->events.at[x->source];
        if (s->at + 1 > first.at[s->actor])
            first.at[s->actor] = s->at + 1;
    }
    vec_free(&first);
    return found;
}

TEST(causes_are_those_of_the_definition)
{
    struct record r = {0};
    struct musthb m = {0};
    struct rng rng = rng_of(3);
    make(&r, DELIVERY_ANY);
    musthb_make(&m, &r);
    uint32_t before = 0, pairs = 0;
    for (uint32_t n = 0; n < 3000; n++) {
        uint32_t j = 1 + rng_below(&rng, RECEIVES - 1);
        uint32_t near = rng_below(&rng, j < 400 ? j : 400);
        uint32_t i = j - 1 - near;
        if (!i)
            continue;
        pairs++;
        before += musthb(&m, i, j);
        CHECK_EQ(musthb(&m, i, j), caused(&r, i, j));
    }
    CHECK(before > pairs / 10 && before < pairs);
    musthb_free(&m);
    record_free(&r);
}

TEST(a_sender_and_a_receiver_in_order)
{
    struct record r = {0};
    struct musthb m = {0};
    make(&r, DELIVERY_PAIR);
    musthb_make(&m, &r);
    uint32_t bound = 0;
    for (uint32_t j = RECEIVES - 1000; j < RECEIVES; j++)
        for (uint32_t i = j - 200; i < j; i++) {
            const struct event *a = &r.events.at[i], *b = &r.events.at[j];
            if (a->actor != b->actor || a->sender != b->sender)
                continue;
            bound++;
            CHECK(musthb(&m, i, j));
        }
    CHECK(bound > 10);
    musthb_free(&m);
    record_free(&r);
}

// One number per event and actor, twice.
TEST(space_grows_with_receives_times_actors)
{
    struct record r = {0};
    struct musthb m = {0};
    make(&r, DELIVERY_CAUSAL);
    musthb_make(&m, &r);
    CHECK_EQ(m.before.n, RECEIVES * ACTORS);
    CHECK_EQ(m.past.n, RECEIVES * ACTORS);
    musthb_free(&m);
    record_free(&r);
}

TEST_MAIN()

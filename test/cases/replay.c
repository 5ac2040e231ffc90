// Schedules again: as words, shorter, turned round.
#include "cases/race.h"
#include "cases/replay.h"
#include "test.h"
#include "toy/toy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A schedule in words; strings live in the arena.
static uint32_t to_words(struct play *p, const struct replay *r,
                         struct arena *a, struct words_step *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->schedule.steps.n; i++) {
        const struct step *s = &r->schedule.steps.at[i];
        struct words_step w = {.actor = play_actor_name(p, s->actor),
                               .n_picks = s->n_picks};
        if (s->n_picks)
            w.picks = arena_copy(a, r->schedule.picks.at + s->picks,
                                 s->n_picks * sizeof *w.picks);
        if (s->msg == PLAY_NONE) {
            w.msg = "body";
        } else if (play_is_timer(s->msg)) {
            w.msg = r->timers.at[i];
        } else {
            w.sender = play_actor_name(p, s->sender);
            w.msg = arena_format(a, "%s:%u", play_msg_name(p, s->msg),
                                 r->twins.at[i]);
        }
        if (s->msg != PLAY_NONE || s->n_picks)
            out[n++] = w;
    }
    return n;
}

// Is the bug with this key among those found?
static bool has_found(const struct replay *r, uint64_t key)
{
    for (uint32_t i = 0; i < r->bugs.n; i++)
        if (bug_key(&r->bugs.at[i].bug) == key)
            return true;
    return false;
}

struct kept {
    struct play *play;
    enum delivery delivery;
    int done;
};

// Each execution: follow it by ids, then by words; the end must be the same.
static void check_words(void *self, const struct ending *e)
{
    struct kept *k = self;
    struct replay r = {0}, again = {0};
    struct arena a = {0};
    CHECK(replay_schedule(k->play, k->delivery, e->schedule, false, &r));
    CHECK(r.complete);
    CHECK(r.hash == e->hash);
    struct words_step *words =
        arena_get(&a, r.schedule.steps.n * sizeof *words);
    uint32_t n = to_words(k->play, &r, &a, words);
    CHECK(replay_words(k->play, k->delivery, words, n, &again));
    CHECK(again.complete);
    CHECK(again.hash == e->hash);
    CHECK_EQ(again.schedule.steps.n, e->schedule->steps.n);
    CHECK_EQ(again.bugs.n, r.bugs.n);
    k->done++;
    replay_free(&r);
    replay_free(&again);
    arena_free(&a);
}

TEST(words_lead_where_the_schedule_led)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        for (int d = 0; d < DELIVERIES_N; d++) {
            struct toy *t = toy_new_random(seed, TOY_ALL);
            struct kept k = {toy_play(t), (enum delivery)d, 0};
            struct explore_options o = {.delivery = (enum delivery)d,
                                        .strategy = STRATEGY_RANDOM,
                                        .schedules = 8,
                                        .steps = 300,
                                        .keep_going = true};
            struct explore_sink sink = {.self = &k, .execution = check_words};
            struct explore_result r;
            explore(k.play, &o, &sink, &r);
            CHECK(k.done > 0);
            toy_free(t);
        }
    }
}

TEST(a_word_that_does_not_fit_is_told)
{
    struct toy *t = toy_new("order1", 0, 0, 0, 0);
    struct words_step words[] = {
        {.actor = "c#1", .msg = "go", .sender = "test"},
        {.actor = "m#1", .msg = "go", .sender = "test"}};
    struct play *p = toy_play(t);
    struct replay r = {0};
    struct schedule none = {0};
    CHECK(replay_schedule(p, DELIVERY_PAIR, &none, true, &r));
    const struct step *s = &r.schedule.steps.at[1];
    words[0].actor = play_actor_name(p, s->actor);
    words[0].msg = play_msg_name(p, s->msg);
    words[0].sender = words[1].sender = play_actor_name(p, s->sender);
    words[1].actor = play_actor_name(p, s->actor);
    words[1].msg = "nothing";
    struct replay bad = {0};
    CHECK(!replay_words(p, DELIVERY_PAIR, words, 2, &bad));
    CHECK_EQ(bad.at, 1);
    CHECK(strstr(text_get(&bad.why), "possible: ") == text_get(&bad.why));
    CHECK_EQ(bad.schedule.steps.n, 2);
    replay_free(&r);
    replay_free(&bad);
    schedule_free(&none);
    toy_free(t);
}

struct catch
{
    struct schedule schedule;
    struct bug bug;
    int n;
};

static void keep_last(void *self, const struct bug *b, const struct schedule *s)
{
    struct catch *c = self;
    c->bug = *b;
    c->n++;
    schedule_copy(&c->schedule, s);
}

static void find_bug(struct toy *t, enum delivery d, enum strategy s,
                     uint64_t seed, struct catch *c)
{
    struct explore_options o = {
        .delivery = d, .strategy = s, .seed = seed, .schedules = 5000};
    struct explore_sink sink = {.self = c, .bug = keep_last};
    struct explore_result r;
    explore(toy_play(t), &o, &sink, &r);
    CHECK_EQ(r.stopped_by, STOP_BUG);
}

// Three exec, three done, flush, one write, and the test body before them.
// How often an actor receives a message before one that was sent earlier.
static uint32_t overtakes(const struct schedule *s)
{
    uint32_t n = 0;
    for (uint32_t i = 1; i < s->steps.n; i++)
        for (uint32_t j = i + 1; j < s->steps.n; j++) {
            const struct step *a = &s->steps.at[i], *b = &s->steps.at[j];
            n += a->actor == b->actor && a->source != PLAY_NONE &&
                 b->source != PLAY_NONE &&
                 (b->source != a->source ? b->source < a->source
                                         : b->nth < a->nth);
        }
    return n;
}

TEST(shrinking_finds_the_shortest)
{
    for (uint64_t seed = 1; seed < 20; seed++) {
        struct toy *t = toy_new("gatling", 3, 0, 0, 0);
        struct catch c = {0};
        find_bug(t, DELIVERY_PAIR, STRATEGY_RANDOM, seed, &c);
        struct schedule out = {0};
        bool better = schedule_shrink(toy_play(t), DELIVERY_PAIR, &c.schedule,
                                      &c.bug, 60, &out);
        CHECK(better || c.schedule.steps.n == 9);
        CHECK_EQ((better ? &out : &c.schedule)->steps.n, 9);
        CHECK_EQ(overtakes(better ? &out : &c.schedule), 1);
        struct replay r = {0};
        CHECK(replay_schedule(toy_play(t), DELIVERY_PAIR,
                              better ? &out : &c.schedule, false, &r));
        CHECK(has_found(&r, bug_key(&c.bug)));
        replay_free(&r);
        schedule_free(&out);
        schedule_free(&c.schedule);
        toy_free(t);
    }
}

TEST(the_race_is_a_write_against_the_flush)
{
    struct toy *t = toy_new("gatling", 2, 0, 0, 0);
    struct play *p = toy_play(t);
    struct catch c = {0};
    struct race race;
    find_bug(t, DELIVERY_ANY, STRATEGY_SOURCE, 0, &c);
    CHECK(schedule_race(p, DELIVERY_ANY, &c.schedule, &race));
    const struct step *first = &c.schedule.steps.at[race.pair.first];
    CHECK(first->actor == 1); // the writer
    struct replay r = {0};
    CHECK(replay_schedule(p, DELIVERY_ANY, &race.passes, false, &r));
    CHECK(r.complete);
    CHECK_EQ(r.bugs.n, 0);
    replay_free(&r);
    race_release(&race);
    schedule_free(&c.schedule);
    toy_free(t);
}

static void check_bug(void *self, const struct bug *b, const struct schedule *s)
{
    struct kept *k = self;
    struct replay r = {0};
    struct schedule out = {0};
    CHECK(replay_schedule(k->play, k->delivery, s, false, &r));
    CHECK(has_found(&r, bug_key(b)));
    if (schedule_shrink(k->play, k->delivery, s, b, 0.02, &out)) {
        CHECK(out.steps.n <= s->steps.n);
        CHECK(replay_schedule(k->play, k->delivery, &out, false, &r));
        CHECK(has_found(&r, bug_key(b)));
    }
    struct race race = {0};
    if (schedule_race(k->play, k->delivery, s, &race)) {
        CHECK(replay_schedule(k->play, k->delivery, &race.passes, false, &r));
        CHECK(r.complete);
        for (uint32_t i = 0; i < r.bugs.n; i++)
            CHECK(r.bugs.at[i].bug.warning);
        race_release(&race);
    }
    k->done++;
    schedule_free(&out);
    replay_free(&r);
}

TEST(bugs_of_random_programs_replay_and_shrink)
{
    int done = 0;
    TEST_SEEDS (seed, 60) {
        for (int d = 0; d < DELIVERIES_N; d++) {
            struct toy *t = toy_new_random(seed, TOY_ALL);
            struct kept k = {toy_play(t), (enum delivery)d, 0};
            struct explore_options o = {.delivery = (enum delivery)d,
                                        .strategy = STRATEGY_RANDOM,
                                        .schedules = 200,
                                        .steps = 300,
                                        .keep_going = true};
            struct explore_sink sink = {.self = &k, .bug = check_bug};
            struct explore_result r;
            explore(k.play, &o, &sink, &r);
            done += k.done;
            toy_free(t);
        }
    }
    CHECK(done > 20 || !test_whole());
}

TEST_MAIN()

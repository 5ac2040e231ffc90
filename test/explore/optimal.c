// Classes by `optimal` against known counts, and against brute force.
#include "test.h"
#include "toy/toy.h"

#include "toy/toy_brute.h"
#include "explore/optimal/optimal.h"

#include <stdlib.h>

static const char *const models[] = {"any", "pair", "causal", "mailbox"};

// What the executions of one search were.
struct told {
    struct play *play;
    struct hashset classes;
    uint64_t twice;
};

static void saw(void *self, const struct ending *e)
{
    struct told *s = self;
    if (!hashset_add(&s->classes, class_key(s->play, e->schedule)))
        s->twice++;
}

static struct explore_result classes_of(struct toy *t, enum delivery d,
                                        struct told *seen)
{
    struct explore_options o = {
        .delivery = d, .strategy = STRATEGY_OPTIMAL, .keep_going = true};
    struct explore_sink sink = {.self = seen, .execution = seen ? saw : NULL};
    struct explore_result r;
    if (seen)
        *seen = (struct told){.play = toy_play(t)};
    explore(toy_play(t), &o, &sink, &r);
    return r;
}

struct row {
    const char *name;
    int n;
    uint64_t classes[4]; // any, pair, causal, mailbox
};

static const struct row rows[] = {
    {"order1", 0, {24, 12, 6, 3}},        {"order2", 0, {24, 12, 12, 6}},
    {"writers", 3, {6, 6, 6, 6}},         {"writers", 4, {24, 24, 24, 24}},
    {"writers", 5, {120, 120, 120, 120}}, {"counter", 5, {120, 120, 120, 120}},
    {"posters", 2, {6, 6, 6, 6}},         {"posters", 3, {90, 90, 90, 90}},
    {"gatling", 1, {2, 2, 1, 1}},         {"gatling", 2, {12, 12, 4, 2}},
    {"gatling", 3, {144, 144, 36, 6}},    {"twophase", 3, {6, 6, 6, 6}},
    {"twophase", 4, {24, 24, 24, 24}},    {"consensus", 2, {4, 4, 4, 2}},
    {"consensus", 3, {216, 216, 216, 6}}, {"ring", 2, {14, 5, 2, 1}},
    {"ring", 3, {94, 19, 4, 1}},          {"phils", 2, {9, 9, 5, 5}},
    {"phils", 3, {49, 49, 37, 37}},       {"master", 1, {4, 1, 1, 1}},
    {"master", 2, {96, 6, 6, 6}},         {"newborn", 0, {24, 6, 2, 1}},
    {"newborn", 1, {240, 30, 10, 1}},     {"alarm", 0, {24, 6, 2, 1}},
    {"alarm", 1, {240, 30, 10, 1}},
};

static void check_row(const struct row *row, int m)
{
    struct told seen;
    struct toy *t = toy_new(row->name, row->n, 0, 0, 0);
    struct explore_result r = classes_of(t, delivery_of(models[m]), &seen);
    if (r.executions != row->classes[m] || seen.twice || r.blocked ||
        !r.complete)
        fprintf(stderr, "%s(%d) %s: %llu executions, %llu twice\n", row->name,
                row->n, models[m], (unsigned long long)r.executions,
                (unsigned long long)seen.twice);
    CHECK_EQ(r.executions, row->classes[m]);
    CHECK_EQ(seen.twice, 0);
    CHECK_EQ(seen.classes.n, row->classes[m]);
    CHECK(r.complete && !r.blocked);
    hashset_free(&seen.classes);
    toy_free(t);
}

TEST(known_numbers_of_classes)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int m = 0; m < 4; m++)
            check_row(&rows[i], m);
}

// Store(f, b, c, r) and the others of Eta's tables, by mailbox.
TEST(known_numbers_of_classes_of_eta)
{
    static const struct {
        int f, b, c;
        uint64_t classes;
    } stores[] = {
        {1, 1, 1, 5}, {1, 1, 2, 15}, {1, 2, 2, 29}, {2, 2, 2, 6}, {2, 2, 3, 12},
    };
    for (size_t i = 0; i < sizeof stores / sizeof *stores; i++) {
        struct toy *t =
            toy_new("store", stores[i].f, stores[i].b, stores[i].c, 3);
        struct told seen;
        struct explore_result r = classes_of(t, DELIVERY_MAILBOX, &seen);
        CHECK_EQ(r.executions, stores[i].classes);
        CHECK_EQ(seen.twice, 0);
        hashset_free(&seen.classes);
        toy_free(t);
    }
    check_row(&(struct row){"pingpong", 10, {1, 1, 1, 1}}, 3);
    check_row(&(struct row){"pingpong", 15, {1, 1, 1, 1}}, 3);
}

// Large ones, counted only: n!, (2n)!/2^n, (n+1)! n!, n!^n, (2^n - 1)^2 and
// with free votes 2^n n!.
static void check_count(const char *name, int n, const char *model,
                        uint64_t classes)
{
    struct toy *t = toy_new(name, n, 0, 0, 0);
    struct explore_result r = classes_of(t, delivery_of(model), NULL);
    CHECK_EQ(r.executions, classes);
    CHECK(r.complete && !r.blocked);
    toy_free(t);
}

TEST(known_numbers_of_classes_of_large_programs)
{
    bool whole = test_whole();
    for (int m = 0; m < 4; m++) {
        check_count("writers", whole ? 7 : 6, models[m], whole ? 5040 : 720);
        check_count("votes", whole ? 5 : 4, models[m], whole ? 3840 : 384);
    }
    if (!whole)
        return;
    check_count("writers", 8, "pair", 40320);
    check_count("gatling", 5, "pair", 86400);
    check_count("gatling", 5, "mailbox", 120);
    check_count("consensus", 4, "pair", 331776);
    check_count("consensus", 6, "mailbox", 720);
    check_count("phils", 6, "pair", 3969);
    check_count("phils", 5, "mailbox", 841);
    check_count("phils", 6, "mailbox", 3617);
    if (test_share(100) <= 100)
        return;
    check_count("posters", 5, "pair", 113400);
    check_count("posters", 5, "mailbox", 113400);
    check_count("gatling", 6, "pair", 3628800);
    check_count("phils", 9, "pair", 261121);
}

// One random program in one model: the same classes, each once.
static bool agrees(uint64_t seed, unsigned parts, enum delivery d, bool *large)
{
    struct toy *t = toy_new_random(seed, parts);
    struct brute b;
    struct told seen = {0};
    bool same = true;
    brute_force(&b, toy_play(t), d, 3000);
    *large = b.too_large || b.classes.n > 1500;
    if (!*large) {
        struct explore_result r = classes_of(t, d, &seen);
        same = r.executions == b.classes.n && !seen.twice && r.complete &&
               seen.classes.n == b.classes.n && r.final_states == b.finals.n;
        for (uint64_t i = 0, h; hashset_next(&b.classes, &i, &h);)
            if (!hashset_has(&seen.classes, h))
                same = false;
        if (!same)
            fprintf(stderr,
                    "seed %llu parts %u %s: %llu executions, %llu twice, "
                    "%llu classes\n",
                    (unsigned long long)seed, parts, delivery_id(d),
                    (unsigned long long)r.executions,
                    (unsigned long long)seen.twice,
                    (unsigned long long)b.classes.n);
    }
    hashset_free(&seen.classes);
    brute_free(&b);
    toy_free(t);
    return same;
}

static void compare(unsigned parts)
{
    uint64_t n = test_share(150), compared = 0;
    TEST_SEEDS (seed, 150)
        for (int m = 0; m < 4; m++) {
            bool large;
            CHECK(agrees(seed, parts, delivery_of(models[m]), &large));
            compared += !large;
        }
    CHECK(compared > n || !test_whole());
}

TEST(random_programs_plain)
{
    compare(0);
}

TEST(random_programs_with_births)
{
    compare(TOY_BIRTHS);
}

TEST(random_programs_with_inits)
{
    compare(TOY_BIRTHS | TOY_INITS | TOY_USE_TIMERS);
}

TEST(random_programs_with_timers)
{
    compare(TOY_USE_TIMERS | TOY_FREE_TIMERS);
}

TEST(random_programs_with_picks)
{
    compare(TOY_PICKS);
}

TEST(random_programs_with_drains)
{
    compare(TOY_DRAINS);
}

TEST(random_programs_with_everything)
{
    compare(TOY_ALL);
}

TEST_MAIN()

// `reduced` against the full graph of states on random programs, with all of
// its rules and with each left out; and that the comparison notices when a rule
// that is needed is missing.
//
// TROUPE_SEEDS=from-to sets which programs.
#include "explore/explore.h"
#include "explore/reduced/reduction.h"
#include "test.h"
#include "toy/toy.h"

#include <stdlib.h>

struct found {
    struct explore_result r;
    uint64_t bugs, runs;
};

static void add_bug(void *self, const struct bug *b, const struct schedule *s)
{
    struct found *f = self;
    f->bugs += bug_key(b) * 2 + 1;
    CHECK(s->steps.n > 0);
}

static struct found run(uint64_t seed, unsigned parts, enum delivery d,
                        enum strategy s, unsigned off)
{
    struct toy *t = toy_new_random(seed, parts);
    struct found f = {0};
    struct explore_options o = {.delivery = d,
                                .strategy = s,
                                .keep_going = true,
                                .reduction_off = off,
                                .max_states = 20000,
                                .steps = 200};
    struct explore_sink k = {.self = &f, .bug = add_bug};
    explore(toy_play(t), &o, &k, &f.r);
    f.runs = play_counts(toy_play(t))->runs;
    toy_free(t);
    return f;
}

// Runs that only the test of commuting made do not count; and with timers equal
// states have several ids, each with runs of its own.
static bool same(const struct found *full, const struct found *f, unsigned off,
                 unsigned parts)
{
    bool exact = off & REDUCTION_NO_COMMUTE && !(parts & TOY_USE_TIMERS);
    return f->r.complete && f->r.final_states == full->r.final_states &&
           f->r.finals_hash == full->r.finals_hash && f->bugs == full->bugs &&
           (!exact || f->runs == full->runs);
}

static const unsigned right[] = {
    0,
    REDUCTION_NO_SLEEP,
    REDUCTION_NO_BLIND,
    REDUCTION_NO_COMMUTE,
    REDUCTION_NO_BLIND | REDUCTION_NO_COMMUTE,
    REDUCTION_NO_SLEEP | REDUCTION_NO_BLIND | REDUCTION_NO_COMMUTE,
};
enum { RIGHT = sizeof right / sizeof *right };

static struct {
    uint64_t from, to;
} seeds = {1, 10};

static void read_seeds(void)
{
    unsigned long from, to;
    const char *s = getenv("TROUPE_SEEDS");
    seeds.from = test_first(10) + 1;
    seeds.to = seeds.from + test_share(10) - 1;
    if (s && sscanf(s, "%lu-%lu", &from, &to) == 2) {
        seeds.from = from;
        seeds.to = to;
    }
}

// How many programs the rules left out give a wrong result for; *states is how
// many states were visited in all, full and reduced.
static unsigned differing(unsigned parts, unsigned off, uint64_t states[2])
{
    unsigned n = 0;
    for (uint64_t seed = seeds.from; seed <= seeds.to; seed++)
        for (int d = 0; d < DELIVERIES_N; d++) {
            struct found full =
                run(seed, parts, (enum delivery)d, STRATEGY_STATEFUL, 0);
            if (!full.r.complete)
                continue;
            struct found f =
                run(seed, parts, (enum delivery)d, STRATEGY_REDUCED, off);
            states[0] += full.r.states;
            states[1] += f.r.states;
            if (same(&full, &f, off, parts))
                continue;
            n++;
            if (!(off & 15))
                fprintf(stderr, "  program %llu, parts %u, %s, without %u\n",
                        (unsigned long long)seed, parts,
                        delivery_id((enum delivery)d), off);
        }
    return n;
}

static void agree(unsigned parts)
{
    read_seeds();
    for (int i = 0; i < RIGHT; i += test_whole() ? 1 : RIGHT - 1) {
        uint64_t states[2] = {0};
        CHECK_EQ(differing(parts, right[i], states), 0);
        CHECK(!test_whole() || states[0] > 0);
        CHECK(!test_whole() || states[1] < states[0]);
        if (getenv("TROUPE_SEEDS"))
            printf("parts %u, without %u: %llu states of %llu\n", parts,
                   right[i], (unsigned long long)states[1],
                   (unsigned long long)states[0]);
    }
}

TEST(plain_programs)
{
    agree(0);
}

TEST(programs_with_births_and_crashes)
{
    agree(TOY_BIRTHS | TOY_CRASHES);
}

TEST(programs_with_inits_and_timers)
{
    agree(TOY_BIRTHS | TOY_INITS | TOY_USE_TIMERS);
}

TEST(programs_with_choices)
{
    agree(TOY_PICKS);
}

TEST(programs_with_bodies_in_segments)
{
    agree(TOY_DRAINS);
}

TEST(programs_with_everything)
{
    agree(TOY_ALL);
}

// Without these rules some programs must come out wrong, else the programs are
// too tame to tell anything.
TEST(one_pass_is_not_enough)
{
    uint64_t states[2] = {0};
    read_seeds();
    if (!test_whole())
        return; // too few to tell
    CHECK(differing(TOY_ALL, REDUCTION_ONE_PASS, states) > 0);
}

TEST(what_arrives_matters)
{
    uint64_t states[2] = {0};
    read_seeds();
    if (!test_whole())
        return;
    CHECK(differing(TOY_ALL, REDUCTION_ALL_HARMLESS, states) > 0);
}

TEST_MAIN()

// Has the comparison of `reduced` with `stateful` teeth?  For each rule of the
// reduction that is needed, a program for which they disagree without it; with
// all rules they agree on each of these programs.
#include "explore/explore.h"
#include "explore/reduced/reduction.h"
#include "stage/player.h"
#include "test.h"

struct found {
    uint64_t finals, bugs;
    bool complete;
};

static void add_bug(void *self, const struct bug *b, const struct schedule *s)
{
    struct found *f = self;
    (void)s;
    f->bugs += bug_key(b) * 2 + 1;
}

static struct found search(const char *test, enum strategy s, unsigned off)
{
    static struct program *program;
    struct diag d = {0};
    if (!program)
        program = player_build("test/cases/programs/teeth.c", NULL, 0);
    struct native_options what = {.test = test};
    struct native *native = native_open(program, &what, &d);
    CHECK(native);
    struct play *play = play_new(native_ops(native), native, 0);
    struct found f = {0};
    struct explore_options o = {
        .strategy = s, .keep_going = true, .steps = 100, .reduction_off = off};
    struct explore_sink k = {.self = &f, .bug = add_bug};
    struct explore_result r;
    explore(play, &o, &k, &r);
    f.finals = r.finals_hash;
    f.complete = r.complete;
    play_free(play);
    native_close(native);
    return f;
}

// Does the reduced search without these rules see less than there is?
static bool misses(const char *test, unsigned off)
{
    struct found all = search(test, STRATEGY_STATEFUL, 0);
    struct found f = search(test, STRATEGY_REDUCED, off);
    CHECK(all.complete && f.complete);
    return all.finals != f.finals || all.bugs != f.bugs;
}

#define MATTERS(rule, test, off)                                               \
    TEST(rule)                                                                 \
    {                                                                          \
        CHECK(!misses(#test, 0));                                              \
        CHECK(misses(#test, off));                                             \
    }

MATTERS(one_pass_is_not_enough, unknown_sender, REDUCTION_ONE_PASS)
MATTERS(what_may_arrive_counts, unknown_sender, REDUCTION_ALL_HARMLESS)
MATTERS(commuting_is_tried, unknown_sender, REDUCTION_ALL_COMMUTE)
MATTERS(a_cycle_puts_nothing_off, beside_a_cycle, REDUCTION_NO_CYCLES)
MATTERS(nobody_sleeps_in_cycles, beside_a_cycle, REDUCTION_SLEEP_ON)
MATTERS(what_invariants_read_is_kept, two_lamps, REDUCTION_BLIND_SHOWS)
MATTERS(who_is_born_shows, lamp_and_moth, REDUCTION_BIRTHS_HIDE)
MATTERS(who_asks_for_the_sender_is_told, one_of_two_heralds,
        REDUCTION_ALL_BLIND)

TEST_MAIN()

// What invariants are seen to read, and verdicts that are known from it.
#include "player.h"
#include "test.h"

static struct program *program;

static const struct program *sight(void)
{
    if (!program)
        program = player_build("test/stage/programs/sight.c", NULL, 0);
    return program;
}

// The states of the only actor, one after the other.
struct states {
    struct player *p;
    uint32_t actor, at[8];
};

static struct states play_all(const char *test)
{
    struct states s = {player_open(sight(), test, NULL), 0, {0}};
    uint32_t n = s.p->flights.n;
    s.actor = s.p->flights.at[0].to;
    s.at[0] = s.p->states.at[s.actor];
    for (uint32_t i = 0; i < n; i++) {
        struct flying f = s.p->flights.at[i];
        s.at[i + 1] =
            play_run(s.p->play, s.at[i], f.msg, f.from, NULL, 0)->state;
    }
    return s;
}

static bool holds(const struct states *s, uint32_t i)
{
    uint32_t states[2] = {s->p->env, s->at[i]};
    CHECK_EQ(s->actor, 1);
    return !play_watched_invariant(s->p->play, states, 2, NULL, 0);
}

static bool alike(const struct states *s, uint32_t i, uint32_t k)
{
    return play_alike(s->p->play, s->at[i], s->at[k]);
}

// Other processors cannot go on by one instruction: all counts as read.
#ifdef __x86_64__
TEST(a_field_that_was_not_read_makes_no_difference)
{
    struct states s = play_all("fields");
    CHECK(holds(&s, 1));
    uint64_t before = play_watches(s.p->play);
    CHECK(alike(&s, 1, 2));
    CHECK(!alike(&s, 2, 3));
    CHECK(holds(&s, 2) && holds(&s, 3));
    CHECK_EQ(play_watches(s.p->play), before);
    CHECK(holds(&s, 4)); // reads the other field
    CHECK(play_watches(s.p->play) > before);
    CHECK(!alike(&s, 1, 2));
    CHECK(!alike(&s, 4, 5));
    CHECK(holds(&s, 5) && !holds(&s, 6) && !holds(&s, 6));
    player_close(s.p);
}
#endif

TEST(who_reads_a_heap_sees_everything)
{
    struct states s = play_all("heaps");
    CHECK(holds(&s, 0));
    CHECK(holds(&s, 1));
    CHECK(!alike(&s, 1, 2));
    CHECK(holds(&s, 2) && !holds(&s, 3));
    player_close(s.p);
}

TEST(one_instruction_may_read_in_several_places)
{
    struct states s = play_all("rows");
    CHECK(holds(&s, 1));
    CHECK(!alike(&s, 1, 2));
    CHECK(!holds(&s, 2));
    player_close(s.p);
}

// What others look at without watching is not noted, and is right.
TEST(plain_runs_are_the_same)
{
    struct states s = play_all("fields");
    for (uint32_t i = 0; i < 7; i++) {
        uint32_t states[2] = {s.p->env, s.at[i]};
        bool plain = !play_invariant(s.p->play, states, 2, NULL, 0);
        CHECK_EQ(plain, holds(&s, i));
    }
    player_close(s.p);
}

TEST_MAIN()

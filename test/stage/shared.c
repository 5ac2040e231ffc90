// Programs whose actors share memory, with --shared.
#include "player.h"
#include "test.h"

static struct player *open_shared(void)
{
    static struct program *program;
    if (!program)
        program = player_build("test/stage/programs/shared.c", NULL, 0);
    return player_open_as(program, &(struct native_options){
                                       .test = "lost_update", .shared = true});
}

// Receive the i-th message in flight.
static const struct effect *take(struct player *p, uint32_t i)
{
    struct flying f = p->flights.at[i];
    memmove(p->flights.at + i, p->flights.at + i + 1,
            (--p->flights.n - i) * sizeof f);
    return player_receive(p, f.to, f.msg, f.from);
}

TEST(an_update_is_lost)
{
    struct player *p = open_shared();
    player_run(p); // both look before one writes
    CHECK_EQ(p->bugs.n, 1);
    CHECK_EQ(p->bugs.at[0].kind, BUG_ASSERTION);
    player_close(p);
}

TEST(one_after_the_other_nothing_is_lost)
{
    struct player *p = open_shared();
    CHECK_EQ(p->flights.n, 2);
    const struct effect *look = take(p, 0); // the first looks
    CHECK(look->flags & EFFECT_SHARED);
    uint32_t before = look->shared;
    const struct effect *write = take(p, 1); // and writes
    CHECK(write->flags & EFFECT_SHARED);
    CHECK(write->shared != before);
    player_run(p);
    CHECK_EQ(p->bugs.n, 0);
    CHECK(p->body & EFFECT_BODY_DONE);
    player_close(p);
}

// The same request with other shared memory is another run; going back to
// earlier memory finds the earlier effect, and reading leaves it as it was.
TEST(runs_are_functions_of_shared_memory_too)
{
    struct player *p = open_shared();
    struct flying second = p->flights.at[1];
    uint32_t state = p->states.at[second.to];
    const struct effect *a =
        play_run(p->play, state, second.msg, PLAY_ENV, NULL, 0);
    take(p, 0);
    take(p, 1); // the first has written
    const struct effect *b =
        play_run(p->play, state, second.msg, PLAY_ENV, NULL, 0);
    CHECK(a->state != b->state);
    play_share(p->play, a->shared);
    CHECK(play_run(p->play, state, second.msg, PLAY_ENV, NULL, 0)->state ==
          a->state);
    play_forget(p->play, &state, 1, &second.msg, 1);
    play_share(p->play, PLAY_NONE);
    a = play_run(p->play, state, second.msg, PLAY_ENV, NULL, 0);
    struct text t = {0};
    native_state_text(p->native, a->state, &t);
    CHECK_TEXT(text_get(&t), "{.seen = 100}");
    text_free(&t);
    player_close(p);
}

// ---- exposed actors -------------------------------------------------------

static struct player *open_exposed(const char *test)
{
    static struct program *program;
    if (!program)
        program = player_build("test/stage/programs/exposed.c", NULL, 0);
    return player_open(program, test, NULL);
}

static void finds(struct player *p, uint32_t actor, const char *text)
{
    struct text t = {0};
    native_state_text(p->native, p->states.at[actor], &t);
    CHECK_TEXT(text_get(&t), text);
    text_free(&t);
}

TEST(what_is_exposed_depends_on_the_order)
{
    struct player *p = open_exposed("last_leader");
    uint32_t b = p->flights.at[1].to;
    CHECK(take(p, 0)->flags & EFFECT_SHARED);
    take(p, 0);
    take(p, 0);
    finds(p, b, "{.found = 2}");
    player_close(p);
    p = open_exposed("last_leader");
    take(p, 1);
    take(p, 0);
    take(p, 0);
    finds(p, b, "{.found = 3}");
    player_close(p);
}

// Looking twice in the same state, before and after: two different runs.
TEST(a_look_is_a_function_of_what_is_exposed)
{
    struct player *p = open_exposed("last_leader");
    struct flying look = p->flights.at[2];
    uint32_t state = p->states.at[look.to];
    const struct effect *nobody =
        play_run(p->play, state, look.msg, PLAY_ENV, NULL, 0);
    take(p, 0);
    const struct effect *other =
        play_run(p->play, state, look.msg, PLAY_ENV, NULL, 0);
    CHECK(nobody->state != other->state);
    play_share(p->play, nobody->shared);
    CHECK(play_run(p->play, state, look.msg, PLAY_ENV, NULL, 0)->state ==
          nobody->state);
    player_close(p);
}

TEST_MAIN()

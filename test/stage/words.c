// The library's words on the stage: the programs assert what should be, and
// here stands what only the stage can see.
#include "player.h"
#include "test.h"

static struct program *program;

static const struct program *words(void)
{
    if (!program)
        program = player_build("test/stage/programs/words.c", NULL, 0);
    return program;
}

static void passes(const char *test)
{
    struct player *p = player_play(words(), test);
    for (uint32_t i = 0; i < p->bugs.n; i++)
        if (!p->bugs.at[i].warning)
            fprintf(stderr, "%s: %s:%d: %s\n", test, p->bugs.at[i].file,
                    p->bugs.at[i].line, p->bugs.at[i].text);
    for (uint32_t i = 0; i < p->bugs.n; i++)
        CHECK(p->bugs.at[i].warning);
    CHECK(p->body & EFFECT_BODY_DONE);
    CHECK(!native_tainted(p->native));
    player_close(p);
}

#define PASSES(name)                                                           \
    TEST(name)                                                                 \
    {                                                                          \
        passes(#name);                                                         \
    }

PASSES(deferring)
PASSES(deferring_while_held)
PASSES(awaiting)
PASSES(getting)
PASSES(asking_from_the_body)
PASSES(asking_the_stopped)
PASSES(asking_one_that_stops)
PASSES(waiting_for_a_condition)
PASSES(timers)
PASSES(time_limits)
PASSES(lives)
PASSES(births)
PASSES(senders)
PASSES(owned_memory)
PASSES(one_at_a_time)
PASSES(many)
PASSES(of_system)
PASSES(a_future_in_a_packed_struct)
PASSES(a_future_in_a_message)

static uint32_t flags_of(struct player *p, const char *actor)
{
    uint32_t a = play_actor_named(p->play, actor);
    CHECK(a != PLAY_NONE);
    return a == PLAY_NONE ? 0 : play_state(p->play, p->states.at[a])->flags;
}

TEST(a_message_without_a_row)
{
    struct player *p = player_play(words(), "no_row");
    CHECK_EQ(p->bugs.n, 1);
    CHECK_EQ(p->bugs.at[0].kind, BUG_UNHANDLED);
    CHECK_TEXT(p->bugs.at[0].cls, "door");
    CHECK_TEXT(p->bugs.at[0].msg, "noise");
    CHECK_EQ(flags_of(p, "door#1"), 0);
    player_close(p);
}

TEST(kept_messages_show)
{
    struct player *p = player_play(words(), "deferred_for_ever");
    CHECK_EQ(flags_of(p, "door#1"), STATE_KEPT);
    uint32_t door = play_actor_named(p->play, "door#1");
    uint32_t msg = native_kept(p->native, p->states.at[door], 0);
    CHECK(msg != PLAY_NONE);
    struct text t = {0};
    native_message_text(p->native, msg, &t);
    CHECK_TEXT(text_get(&t), "item {.n = 1}");
    text_free(&t);
    CHECK_EQ(native_kept(p->native, p->states.at[door], 1), PLAY_NONE);
    player_close(p);
}

TEST(waits_show)
{
    struct player *p = player_play(words(), "never_answered");
    uint32_t asked;
    const char *request;
    bool holds;
    uint32_t client = play_actor_named(p->play, "client#1");
    CHECK_EQ(flags_of(p, "client#1"), STATE_WAITS);
    CHECK(native_waits(p->native, p->states.at[client], 0, &asked, &request,
                       &holds));
    CHECK_TEXT(play_actor_name(p->play, asked), "server#1");
    CHECK_TEXT(request, "twice_of");
    CHECK(!holds);
    struct where at = native_waits_at(p->native, p->states.at[client], 0);
    CHECK_TEXT(at.file, "test/stage/programs/words.c");
    CHECK_TEXT(at.function, "client_use");
#if !TEST_ASAN // its frames keep old return addresses
    CHECK_EQ(at.line, 130);
#endif
    CHECK(!native_waits(p->native, p->states.at[client], 1, &asked, &request,
                        &holds));
    player_close(p);
}

TEST(a_leak_is_a_warning)
{
    struct player *p = player_play(words(), "leaks");
    bool leak = false;
    for (uint32_t i = 0; i < p->bugs.n; i++)
        leak |= p->bugs.at[i].kind == BUG_LEAK && p->bugs.at[i].warning;
    CHECK(leak);
    CHECK_EQ(flags_of(p, "parent#1/child#1"), STATE_STOPPED);
    player_close(p);
}

TEST(a_periodic_timer_repeats_its_states)
{
    struct player *p = player_open(words(), "beats", NULL);
    uint32_t heart;
    uint64_t first = 0;
    player_step(p);
    heart = play_actor_named(p->play, "heart#1");
    bool again = false;
    for (int i = 0; i < 10; i++) {
        uint64_t hash = play_state(p->play, p->states.at[heart])->hash.low;
        if (i == 2)
            first = hash;
        else if (i > 2 && hash == first)
            again = true;
        CHECK(flags_of(p, "heart#1") & STATE_TIMER);
        player_receive(p, heart, play_timer(0), heart);
    }
    CHECK(again);
    player_close(p);
}

// The states of an actor that asks again and again come back.
static void repeats(const char *test)
{
    struct player *p = player_open(words(), test, NULL);
    uint32_t beggar = play_actor_named(p->play, "beggar#1"), seen = PLAY_NONE;
    bool again = false;
    for (int i = 0; i < 40 && !again; i++) {
        if (i == 10)
            seen = p->states.at[beggar];
        player_step(p);
        again = p->states.at[beggar] == seen;
    }
    CHECK(again);
    CHECK_EQ(p->bugs.n, 0);
    player_close(p);
}

TEST(who_asks_for_ever_repeats_his_states)
{
    repeats("begs");
    repeats("begs_and_does_not_wait");
}

static void is_misuse(const char *test, const char *text)
{
    struct player *p = player_play(words(), test);
    CHECK(p->bugs.n > 0);
    if (p->bugs.n) {
        CHECK_EQ(p->bugs.at[0].kind, BUG_USE);
        CHECK_TEXT(p->bugs.at[0].text, text);
    }
    player_close(p);
}

TEST(anothers_future_is_not_mistaken_for_ones_own)
{
    is_misuse("anothers_future",
              "a future that is another actor's, or used up");
}

TEST(a_value_is_valid_until_its_handler_ends)
{
    is_misuse("a_used_up_future",
              "a future that is another actor's, or used up");
}

TEST(choices_are_asked_for)
{
    struct player *p = player_open(words(), "chance", NULL);
    struct flying f = p->flights.at[0];
    const struct effect *e = player_receive(p, f.to, f.msg, f.from);
    CHECK(e->flags & EFFECT_PICK);
    CHECK_EQ(e->pick, 3);
    uint16_t picks[] = {2, 1};
    e = play_run(p->play, p->states.at[f.to], f.msg, 0, picks, 1);
    CHECK(e->flags & EFFECT_PICK);
    CHECK_EQ(e->pick, 2);
    e = play_run(p->play, p->states.at[f.to], f.msg, 0, picks, 2);
    CHECK(!(e->flags & EFFECT_PICK));
    struct text t = {0};
    native_diff_text(p->native, p->states.at[f.to], e->state, &t);
    CHECK_TEXT(text_get(&t), "sum 0 -> 21");
    text_free(&t);

    uint32_t states[2] = {p->env, e->state};
    const struct bug *b = play_invariant(p->play, states, 2, NULL, 0);
    CHECK(b && b->kind == BUG_INVARIANT);
    if (b)
        CHECK_TEXT(b->thing, "sums_are_small");
    states[1] = p->states.at[f.to];
    CHECK(!play_invariant(p->play, states, 2, NULL, 0));
    player_close(p);
}

TEST(the_sender_is_asked_for)
{
    struct player *p = player_play(words(), "senders");
    uint32_t hello = p->sends.at[1].msg, to = p->sends.at[1].to;
    const struct effect *e =
        play_run(p->play, p->states.at[to], hello, PLAY_ENV, NULL, 0);
    CHECK(e->flags & EFFECT_SENDER);
    player_close(p);
}

static const char *sender_of(struct player *p, uint32_t i)
{
    return play_actor_name(p->play, p->sends.at[i].sender);
}

// In the order of the calls: the nurse's, the elder twin's around all of the
// younger one's, and the nurse's again.
TEST(who_sends_what_in_births)
{
    static const char *const by[] = {
        "test",
        "nurse#1",               // sign
        "nurse#1/twin#1",        // sign
        "nurse#1/twin#1/twin#1", // sign
        "nurse#1/twin#1/twin#1", // weigh
        "nurse#1/twin#1/twin#1", // sign
        "nurse#1/twin#1/twin#1", // sign, in fini
        "nurse#1/twin#1",        // watch
        "nurse#1/twin#1",        // weigh
        "nurse#1/twin#1",        // sign
        "nurse#1",               // sign
    };
    enum { N = sizeof by / sizeof *by };
    struct player *p = player_play(words(), "births");
    CHECK(p->sends.n > N);
    for (uint32_t i = 0; i < N && i < p->sends.n; i++)
        CHECK_TEXT(sender_of(p, i), by[i]);
    player_close(p);
}

// A birth tells how many of the run's sends came before the end of its init.
TEST(births_among_sends)
{
    struct player *p = player_open(words(), "births", NULL);
    struct flying f = p->flights.at[0];
    const struct effect *e = player_receive(p, f.to, f.msg, f.from);
    CHECK_EQ(e->n_births, 2);
    CHECK_EQ(e->n_sends, 10);
    CHECK_EQ(e->births[0].sends, 9);
    CHECK_EQ(e->births[1].sends, 6);
    player_close(p);
}

// A suspended task resumes from its image, as often as one likes.
TEST(a_suspended_task_resumes_twice)
{
    struct player *p = player_open(words(), "awaiting", NULL);
    while (p->flights.n &&
           strcmp(play_msg_name(p->play, p->flights.at[0].msg), "product") != 0)
        player_step(p);
    CHECK_EQ(p->flights.n > 0, 1);
    struct flying f = p->flights.at[0];
    uint32_t waiting = p->states.at[f.to];
    CHECK(play_state(p->play, waiting)->flags & STATE_WAITS);
    const struct effect *a = play_run(p->play, waiting, f.msg, f.from, NULL, 0);
    uint64_t hash = play_state(p->play, a->state)->hash.low;
    uint64_t sent = play_msg_hash(p->play, a->sends[0].msg).low;
    CHECK_EQ(a->n_sends, 1);
    play_forget(p->play, &waiting, 1, &f.msg, 1);
    const struct effect *b = play_run(p->play, waiting, f.msg, f.from, NULL, 0);
    CHECK_EQ(b->n_sends, 1);
    CHECK(play_state(p->play, b->state)->hash.low == hash);
    CHECK(play_msg_hash(p->play, b->sends[0].msg).low == sent);
    player_close(p);
}

// The same history has the same hashes after everything was forgotten.
TEST(hashes_do_not_depend_on_history)
{
    struct player *p = player_play(words(), "getting");
    VEC(uint64_t) hashes = {0};
    for (uint32_t a = 0; a < p->states.n; a++)
        vec_push(&hashes, play_state(p->play, p->states.at[a])->hash.low);
    player_close(p);
    p = player_play(words(), "awaiting");
    play_forget(p->play, NULL, 0, NULL, 0);
    player_close(p);
    p = player_play(words(), "getting");
    CHECK_EQ(p->states.n, hashes.n);
    for (uint32_t a = 0; a < p->states.n && a < hashes.n; a++)
        CHECK(play_state(p->play, p->states.at[a])->hash.low == hashes.at[a]);
    vec_free(&hashes);
    player_close(p);
}

TEST(names_of_actors)
{
    struct player *p = player_play(words(), "lives");
    CHECK_TEXT(play_actor_name(p->play, PLAY_ENV), "test");
    CHECK(play_actor_named(p->play, "book#1") != PLAY_NONE);
    CHECK(play_actor_named(p->play, "parent#1/child#1") != PLAY_NONE);
    CHECK_EQ(play_actor_named(p->play, "child#1"), PLAY_NONE);
    player_close(p);
}

TEST_MAIN()

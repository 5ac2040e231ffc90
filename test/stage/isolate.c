// Handlers in a process apart: what only that survives, and that everything
// else is as it is in one process.
#include "base/hash.h"
#include "player.h"
#include "test.h"

static struct player *play(const char *test)
{
    static struct program *program;
    static const char *const flags[] = {"-O2", "-w"};
    if (!program)
        program = player_build("test/stage/programs/wild.c", flags, 2);
    return player_play_apart(program, test);
}

// One bug, of this kind and in this function; the test body went through, so
// everything behind it was as it should be.
static void check_lost(const char *test, enum bug_kind kind, const char *text,
                       const char *function)
{
    struct player *p = play(test);
    CHECK_EQ(p->bugs.n, 1);
    if (p->bugs.n) {
        const struct bug *b = &p->bugs.at[0];
        CHECK_TEXT(bug_kind_id(b->kind), bug_kind_id(kind));
        if (!strstr(b->text, text))
            CHECK_TEXT(b->text, text);
        CHECK_TEXT(b->function, function);
        CHECK(b->line > 0);
    }
    CHECK(p->body & EFFECT_BODY_DONE);
    player_close(p);
}

#if !TEST_ASAN // its heap is elsewhere
TEST(the_heap_of_the_tool)
{
    check_lost("vandal_test", BUG_CRASH, "damaged its process", "vandal_go");
}
#endif

TEST(the_streams_of_the_c_library)
{
    check_lost("smasher_test", BUG_CRASH, "SIG", "smasher_go");
}

TEST(the_end_of_the_process)
{
    check_lost("leaver_test", BUG_EXIT, "with status 7", "leaver_go");
    check_lost("body_leaves", BUG_EXIT, "with status 5", "body_leaves_test_");
}

TEST(its_files)
{
    check_lost("closer_test", BUG_CRASH, "damaged its process", "closer_go");
}

TEST(its_signals)
{
    check_lost("spinner_test", BUG_ENDLESS, "answers no more", "spinner_go");
}

// A request that an earlier one spoiled is made again.
TEST(the_innocent_are_not_blamed)
{
    const char *const tests[] = {"planter_test", "stepper_test"};
    for (int i = 0; i < 2; i++) {
        struct player *p = play(tests[i]);
        CHECK_EQ(p->bugs.n, 0);
        CHECK(p->body & EFFECT_BODY_DONE);
        player_close(p);
    }
}

// ---- the same as in one process -------------------------------------------

enum { ACTORS = 16 };

// What is the same in every process.
struct outcome {
    uint32_t steps, sends, bugs, actors;
    uint16_t body;
    uint64_t sent, found, printed; // hashes
    uint64_t states[ACTORS];
};

static struct outcome outcome(const struct player *p)
{
    struct outcome o;
    memset(&o, 0, sizeof o);
    o.steps = p->steps;
    o.sends = p->sends.n;
    o.bugs = p->bugs.n;
    o.actors = p->states.n;
    o.body = p->body;
    o.printed = hash_bytes(text_get(&p->output), p->output.n);
    for (uint32_t i = 0; i < p->sends.n; i++)
        o.sent = hash_join(o.sent, p->sends.at[i].line);
    for (uint32_t i = 0; i < p->bugs.n; i++) {
        const struct bug *b = &p->bugs.at[i];
        o.found = hash_join(o.found, hash_bytes(b->text, strlen(b->text)));
        o.found = hash_join(o.found, (uint64_t)b->line);
    }
    for (uint32_t i = 0; i < p->states.n && i < ACTORS; i++)
        if (p->states.at[i] != PLAY_NONE)
            o.states[i] = play_state(p->play, p->states.at[i])->hash.low;
    return o;
}

// Play, forgetting everything that is not needed after each step.
static struct player *play_forgetful(const struct program *program,
                                     const char *test, bool apart)
{
    struct player *p = player_open_as(
        program, &(struct native_options){
                     .test = test, .limit_ms = 20, .isolated = apart});
    for (int i = 0; i < 10000; i++) {
        VEC(uint32_t) msgs = {0};
        struct flying *f;
        vec_each(&p->flights, f) vec_push(&msgs, f->msg);
        play_forget(p->play, p->states.at, p->states.n, msgs.at, msgs.n);
        vec_free(&msgs);
        bool stepped = player_step(p);
        if (p->body & EFFECT_BODY_DONE && !stepped)
            break;
        if (!(p->body & EFFECT_BODY_DONE) &&
            (!stepped || p->body & EFFECT_BODY_ONE))
            player_body(p);
    }
    return p;
}

static void check_test(const struct program *program, const char *test)
{
    struct player *p = player_play(program, test);
    struct outcome here = outcome(p);
    player_close(p);
    p = player_play_apart(program, test);
    struct outcome there = outcome(p);
    player_close(p);
    CHECK(!memcmp(&here, &there, sizeof here));
    p = play_forgetful(program, test, true);
    there = outcome(p);
    player_close(p);
    CHECK(!memcmp(&here, &there, sizeof here));
}

TEST(everything_else_is_the_same)
{
    struct program *words =
        player_build("test/stage/programs/words.c", NULL, 0);
    CHECK(words->n_tests > 10);
    for (uint32_t i = 0; i < words->n_tests; i++)
        if (test_takes(i))
            check_test(words, words->tests[i]->name);
    program_free(words);
}

TEST_MAIN()

// Every trap that compiled handlers set, with the verdict it must get, in this
// process and in one apart.
#include "player.h"
#include "test.h"

static struct program *program;

static struct program *traps(void)
{
    static const char *const flags[] = {
        "-O2", "-ftrivial-auto-var-init=uninitialized", "-w"};
    if (!program)
        program = player_build("test/stage/programs/traps.c", flags, 3);
    return program;
}

static struct player *play(const char *test)
{
    return player_play(traps(), test);
}

struct expected {
    const char *test;
    enum bug_kind kind;
    const char *text;     // part of it
    const char *thing;    // NULL: any
    const char *function; // NULL: any
    bool tainted;
};

// The first bug and nothing else of that run.
static void check_bugs(const struct player *p, const struct expected *e)
{
    if (e->kind == BUG_NONE) {
        if (p->bugs.n)
            fprintf(stderr, "%s: %s: %s\n", e->test,
                    bug_kind_id(p->bugs.at[0].kind), p->bugs.at[0].text);
        CHECK_EQ(p->bugs.n, 0);
        return;
    }
    CHECK(p->bugs.n > 0);
    if (p->bugs.n) {
        const struct bug *b = &p->bugs.at[0];
        CHECK_TEXT(bug_kind_id(b->kind), bug_kind_id(e->kind));
        if (!strstr(b->text, e->text))
            CHECK_TEXT(b->text, e->text);
        if (e->thing)
            CHECK_TEXT(b->thing, e->thing);
        if (e->function)
            CHECK_TEXT(b->function, e->function);
        CHECK(b->file && strstr(b->file, "traps.c") && b->line > 0);
    }
}

static void check(const struct expected *e)
{
    struct player *p = play(e->test);
    check_bugs(p, e);
#if !TEST_ASAN // there leaf functions are not leaves
    CHECK_EQ(native_tainted(p->native), e->tainted);
#endif
    player_close(p);
    p = player_play_apart(traps(), e->test);
    check_bugs(p, e);
    CHECK(!native_tainted(p->native));
    player_close(p);
}

#define TRAP_TEST(name, of, is, ...)                                           \
    TEST(name)                                                                 \
    {                                                                          \
        check(&(struct expected){.test = of, .kind = is, __VA_ARGS__});        \
    }

TRAP_TEST(nothing_wrong, "fine_test", BUG_NONE, .text = NULL)
TRAP_TEST(assertion, "asserts_test", BUG_ASSERTION,
          .text = "assertion 'self->n > 0' failed", .function = "asserts_go")
TRAP_TEST(null_pointer, "derefs_test", BUG_CRASH, .text = "SIGSEGV at 0",
          .function = "derefs_go")
TRAP_TEST(division, "divides_test", BUG_CRASH, .text = "SIGFPE",
          .function = "divides_go")
TRAP_TEST(aborting, "aborts_test", BUG_CRASH, .text = "abort()",
          .function = "aborts_go")
TRAP_TEST(exiting, "exits_test", BUG_EXIT, .text = "exit(3)",
          .function = "exits_go")
TRAP_TEST(crash_in_a_leaf_of_libc, "leaf_crash_test", BUG_CRASH,
          .text = "SIGSEGV at 0", .function = "leaf_crash_go")
TRAP_TEST(crash_inside_printf_taints, "printf_crash_test", BUG_CRASH,
          .text = "SIGSEGV at 0x10", .function = "printf_crash_go",
          .tainted = true)
TRAP_TEST(stack_overflow, "overflows_test", BUG_CRASH, .text = "stack overflow",
          .function = "deep")
TRAP_TEST(endless_loop, "loops_test", BUG_ENDLESS, .text = "ran for more than",
          .function = "loops_go")
TRAP_TEST(endless_sending, "sends_for_ever_test", BUG_ENDLESS,
          .text = "ran for more than", .function = "sends_for_ever_go")
TRAP_TEST(double_free, "frees_twice_test", BUG_CRASH, .text = "freed twice",
          .function = "frees_twice_go")
TRAP_TEST(free_inside_a_block, "frees_inside_test", BUG_CRASH,
          .text = "not live")
TRAP_TEST(past_the_end, "writes_past_test", BUG_CRASH,
          .text = "past the end of a block of 20 bytes, allocated at",
          .function = "writes_past_go")
TRAP_TEST(past_the_end_of_an_old_block, "writes_past_later_test", BUG_CRASH,
          .text = "past the end of a block of 20 bytes",
          .function = "writes_past_later_go")
TRAP_TEST(past_the_end_and_freed, "frees_what_it_wrote_past_test", BUG_CRASH,
          .text = "past the end of a block of 4096 bytes, allocated at",
          .function = "frees_what_it_wrote_past_go")
TRAP_TEST(free_of_a_variable, "frees_a_variable_test", BUG_CRASH,
          .text = "free of a variable", .function = "frees_a_variable_go")
TRAP_TEST(realloc_of_foreign_memory, "reallocs_foreign_test", BUG_USE,
          .text = "did not allocate", .function = "reallocs_foreign_go")
TRAP_TEST(blocks_change_their_size, "resizes_test", BUG_NONE, .text = NULL)
TRAP_TEST(more_than_an_actor_has, "wants_much_test", BUG_LIMIT,
          .text = "314572800 bytes are asked for", .function = "wants_much_go")
TRAP_TEST(more_than_there_can_be, "wants_too_much_test", BUG_NONE, .text = NULL)
TRAP_TEST(no_more_than_it_has, "has_enough_test", BUG_NONE, .text = NULL)
TRAP_TEST(pausing, "pauses_test", BUG_ENDLESS, .text = "waits in pause()",
          .function = "pauses_go")
TRAP_TEST(polling_without_end, "polls_test", BUG_ENDLESS,
          .text = "waits in poll()", .function = "polls_go")
TRAP_TEST(semaphore_that_nobody_posts, "waits_for_a_semaphore_test",
          BUG_ENDLESS, .text = "waits in sem_wait()",
          .function = "waits_for_a_semaphore_go")
TRAP_TEST(no_time_passes, "sleeps_test", BUG_NONE, .text = NULL)
TRAP_TEST(nothing_to_read, "reads_test", BUG_NONE, .text = NULL)
TRAP_TEST(global_changed, "counts_test", BUG_ISOLATION,
          .text = "global variable 'counter'", .thing = "counter")
TRAP_TEST(static_of_a_function_changed, "counts_calls_test", BUG_ISOLATION,
          .text = "static variable 'calls'", .thing = "calls")
TRAP_TEST(thread_local_changed, "counts_own_test", BUG_ISOLATION,
          .text = "thread-local variable 'own_counter'", .thing = "own_counter")
TRAP_TEST(thread_local_read, "reads_own_test", BUG_NONE, .text = NULL)
TRAP_TEST(address_in_a_message, "carries", BUG_ISOLATION,
          .text = "field 'text' of 'carried' points into", .thing = "text",
          .function = "carrier_carry")
TRAP_TEST(number_like_an_address, "carries_numbers", BUG_NONE, .text = NULL)
TRAP_TEST(what_the_caller_owns, "owns_test", BUG_NONE, .text = NULL)
TRAP_TEST(libc_memory_stays_out, "libc_keeps_test", BUG_NONE, .text = NULL)
TRAP_TEST(answered_calls, "answers_test", BUG_NONE, .text = NULL)
// In a program that calls functions which are run for real.
TRAP_TEST(clock_instruction, "clock_counter_test", BUG_LIMIT,
          .text = "the state, field n differs", .thing = "n",
          .function = "clock_counter_go")
#if !TEST_ASAN // its own frames lie just there
TRAP_TEST(uninitialised_local, "uninitialised_test", BUG_NONDET,
          .text = "field n depends", .thing = "n")
#endif
TRAP_TEST(uninitialised_far_down, "uninitialised_far_test", BUG_NONDET,
          .text = "field n depends", .thing = "n")
TRAP_TEST(uninitialised_block, "uninitialised_block_test", BUG_NONDET,
          .text = "field n depends", .thing = "n")
TRAP_TEST(holes_in_blocks, "holes_in_blocks_test", BUG_NONE, .text = NULL)
TRAP_TEST(bytes_that_foreign_code_left, "foreign_bytes_test", BUG_NONE,
          .text = NULL)
#if !TEST_ASAN // its own frames lie just there
TRAP_TEST(
    number_that_foreign_code_left, "foreign_number_test", BUG_NONDET,
    .text = "the contents of a message, field number of 'foreign' depends",
    .thing = "number of 'foreign'")
#endif
TRAP_TEST(body_assertion, "body_fails", BUG_ASSERTION, .text = "param",
          .function = "body_fails_test_")
TRAP_TEST(body_crash, "body_crashes", BUG_CRASH, .text = "SIGSEGV at 0x8",
          .function = "body_crashes_test_")
TRAP_TEST(a_slow_handler, "lingers_test", BUG_NONE, .text = NULL)
TRAP_TEST(a_slow_body, "body_lingers", BUG_NONE, .text = NULL)
TRAP_TEST(misuse, "misuses_test", BUG_USE, .text = "drain is for tests")
TRAP_TEST(reply_to_no_request, "replies_test", BUG_USE,
          .text = "a reply to 'replies_poke', which was no request here")

TEST(a_handler_that_peeks_ends_there)
{
    struct player *p = play("peeks_test");
    CHECK_EQ(p->bugs.n, 1);
    if (p->bugs.n)
        CHECK_TEXT(p->bugs.at[0].text, "peek is for tests and invariants");
    player_close(p);
}

TEST(padding_does_not_count)
{
    struct player *p = play("pads");
    CHECK_EQ(p->bugs.n, 0);
    CHECK_EQ(p->sends.n, 3);
    if (p->sends.n == 3)
        CHECK_EQ(p->sends.at[1].msg, p->sends.at[2].msg);
    CHECK(p->sends.at[1].line > 0 &&
          p->sends.at[2].line == p->sends.at[1].line + 2);
    player_close(p);
}

TEST(output_belongs_to_the_step)
{
    struct player *p = play("prints_test");
    CHECK_TEXT(text_get(&p->output), "one 1\ntwo\nfour\nthree\n"
                                     "one 1\ntwo\nfour\nthree\n");
    player_close(p);
}

// After a crash the actor absorbs; the second poke is no second bug.
TEST(a_crashed_actor_absorbs)
{
    struct player *p = play("derefs_test");
    CHECK_EQ(p->bugs.n, 1);
    CHECK(play_state(p->play, p->states.at[1])->flags == STATE_CRASHED);
    CHECK_EQ(p->steps, 2);
    player_close(p);
}

// The same state again, though the C library allocated in between.
TEST(memory_of_libc_is_not_in_the_image)
{
    struct player *p = play("libc_keeps_test");
    CHECK_EQ(p->steps, 2);
    uint32_t after = p->states.at[1];
    const struct effect *e =
        play_run(p->play, after, p->sends.at[0].msg, PLAY_ENV, NULL, 0);
    CHECK_EQ(e->state, after);
    player_close(p);
}

TEST(unknown_functions_are_named)
{
    const struct program *p = traps();
    struct arena a = {0};
    const char *names = program_uncontrolled(p, &a);
    CHECK(names && strstr(names, "localtime"));
    CHECK(!strstr(names, "strlen") && !strstr(names, "printf"));
    CHECK(!strstr(names, "malloc"));
    arena_free(&a);
}

// More globals than are compared: their pages are guarded.
TEST(many_globals_are_guarded)
{
    struct program *big = player_build("test/stage/programs/big.c", NULL, 0);
    struct player *p = player_play(big, "reads");
    CHECK_EQ(p->bugs.n, 0);
    player_close(p);
    p = player_play(big, "writes");
    CHECK_EQ(p->bugs.n, 2);
    if (p->bugs.n) {
        CHECK_EQ(p->bugs.at[0].kind, BUG_ISOLATION);
        CHECK_TEXT(p->bugs.at[0].thing, "table");
        CHECK_TEXT(p->bugs.at[0].function, "user_put");
    }
    player_close(p);
    program_free(big);
}

TEST_MAIN()

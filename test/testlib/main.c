// The test program's main: each way to fail, told apart, and the run goes on.
#include "troupe_short.h"

#include "sanitizer.h"
#include "scratch.h"
#include "test.h"
#include "testlib/testlib.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- a program with tests that go wrong in every way ----------------------

TR_SIGNAL(go);
TR_SIGNAL(die_now);
TR_SIGNAL(spin);
TR_SIGNAL(stray);
TR_SIGNAL(deep);
TR_SIGNAL(leave);
TR_SIGNAL(again);
TR_SIGNAL(later);
TR_SIGNAL(await_it);
TR_SIGNAL(roll);
TR_SIGNAL(tick);
struct value {
    int n;
};
struct question {
    int n;
};
TR_REQUEST(question, value);

TR_PROTOCOL(victim, go, die_now, spin, stray, deep, leave, again, later,
            await_it, roll, tick, question);
struct victim {
    int n, dice;
    victim_ref other;
    int *nothing;
};
TR_STATES(victim, calm, tense);
TR_HANDLER(victim, go)
{
    self->n++;
    assert(self->n < 2);
}
TR_HANDLER(victim, die_now)
{
    *self->nothing = 1;
}
TR_HANDLER(victim, spin)
{
    for (volatile int i = 0;; i++)
        if (i < 0)
            break;
}
static int fall(volatile char *p, int n)
{
    char room[4096];
    room[n % 4096] = *p;
    return n < 0 ? 0 : fall(room, n + 1) + room[n % 7];
}
TR_HANDLER(victim, deep)
{
    char c = 0;
    self->n = fall(&c, 1);
}
TR_HANDLER(victim, leave)
{
    exit(7);
}
TR_HANDLER(victim, again)
{
    send(me(victim), again);
}
TR_HANDLER(victim, later)
{
    become(victim, tense);
}
TR_HANDLER(victim, await_it)
{
    const struct value *v = await(ask(self->other, question));
    self->n = v ? v->n : -1;
}
TR_HANDLER(victim, roll)
{
    self->dice = 10 * self->dice + (int)choose(6);
}
TR_HANDLER(victim, tick)
{
    if (self->n++ < 3)
        send_after(10, me(victim), tick);
}
TR_HANDLER(victim, question)
{
    self->n++; // and no reply
}
TR_BEHAVIOUR(victim, calm, TR_ON(go, victim_go), TR_ON(die_now, victim_die_now),
             TR_ON(spin, victim_spin), TR_ON(deep, victim_deep),
             TR_ON(leave, victim_leave), TR_ON(again, victim_again),
             TR_ON(later, victim_later), TR_ON(await_it, victim_await_it),
             TR_ON(roll, victim_roll), TR_ON(tick, victim_tick),
             TR_ON(question, victim_question));
TR_BEHAVIOUR(victim, tense, TR_DEFER(go), TR_ON(later, victim_later));
TR_HOT(victim, tense);
TR_CLASS(victim, .start = &victim_calm);

TR_PROTOCOL(keeper, go);
struct keeper {
    int n;
};
TR_BEHAVIOUR(keeper, only, TR_DEFER(go));
TR_CLASS(keeper, .start = &keeper_only);

TR_INVARIANT(small)
{
    for (each(victim, v))
        if (v->n >= 100)
            return false;
    return true;
}

TR_TEST(passes, .tags = "quick nice")
{
    victim_ref v = spawn(victim);
    send(v, go);
    drain();
    assert(peek(victim, v)->n == 1);
}
TR_TEST(asserts)
{
    victim_ref v = spawn(victim);
    send(v, go);
    send(v, go);
}
TR_TEST(crashes)
{
    send(spawn(victim), die_now);
}
TR_TEST(overflows)
{
    send(spawn(victim), deep);
}
TR_TEST(spins, .timeout_ms = 200)
{
    send(spawn(victim), spin);
}
TR_TEST(exits)
{
    send(spawn(victim), leave);
}
TR_TEST(goes_on_for_ever, .max_steps = 500)
{
    send(spawn(victim), again);
}
TR_TEST(may_go_on_for_ever, .max_steps = 500, .endless = true)
{
    send(spawn(victim), again);
    drain();
    abort(); // is not reached
}
TR_TEST(has_no_row)
{
    send(spawn(victim), stray);
}
TR_TEST(rests_hot)
{
    send(spawn(victim), later);
}
TR_TEST(waits)
{
    send(spawn(victim, .other = spawn(victim)), await_it);
}
TR_TEST(asks_in_vain)
{
    ask(spawn(victim), question);
}
TR_TEST(defers)
{
    send(spawn(keeper), go);
}
TR_TEST(breaks_invariant_at_once)
{
    spawn(victim, .n = 100);
}
TR_TEST(breaks_invariant)
{
    send(spawn(victim, .n = 99), question);
}
TR_TEST(body_asserts)
{
    printf("hello from the body\n");
    assert(param("n", 4) == 4);
    assert(false && "reached");
}
TR_TEST(expects_what_comes, .expect = "deadlock")
{
    send(spawn(victim), later);
}
TR_TEST(expects_in_vain, .expect = "crash")
{
    send(spawn(victim), go);
}
TR_TEST(expects_nonsense, .expect = "desaster")
{
}
TR_TEST(explores, .explore = "pair", .expect = "assertion")
{
    victim_ref v = spawn(victim);
    send(v, roll);
    drain();
    assert(peek(victim, v)->dice != 3); // some schedule picks 3
}
TR_TEST(ticks)
{
    victim_ref v = spawn(victim);
    send(v, tick);
    drain();
    assert(peek(victim, v)->n == 4);
}

TR_PROTOCOL(hasty, go);
struct hasty {
    victim_ref asked;
};
TR_INIT(hasty)
{
    get(ask(self->asked, question));
}
TR_BEHAVIOUR(hasty, open, TR_IGNORE(go));
TR_CLASS(hasty, .start = &hasty_open, .init = hasty_init_);
TR_TEST(holds_in_init)
{
    victim_ref v = spawn(victim);
    spawn(hasty, .asked = v);
}

TR_SYSTEM(pair)
{
    victim_ref a = spawn(victim);
    victim_ref b = spawn(victim);
    expose(a);
    expose(b);
}
TR_REPLAY(follows, "pair", "pair",
          "victim#2 roll<test pick 4; victim#1 roll<test pick 2; "
          "victim#1 roll<env pick 5; victim#2 tick<test; victim#2 timer; "
          "victim#2 timer; victim#2 timer; test body pick 3")
{
    victim_ref a = receptionist(victim, "a"), b = receptionist(victim, "b");
    assert(choose(9) == 3);
    send(a, roll);
    send(a, roll);
    send(b, roll);
    send(b, tick);
    drain();
    assert(peek(victim, a)->dice == 25);
    assert(peek(victim, b)->dice == 4);
}
TR_REPLAY(fits_no_more, "pair", "pair",
          "victim#1 roll<test; victim#3 roll<test")
{
    victim_ref a = receptionist(victim, "a");
    send(a, roll);
    send(a, tick);
}
TR_REPLAY(is_too_long, "passes", "any", "victim go<test; victim go<test")
{
}
TR_REPLAY(has_new_messages, "pair", "any",
          "victim#2 tick<test; victim#1 roll<test pick 4; victim#1 roll<test "
          "pick 2; victim#9 go<test; victim#1 go<test")
{
    victim_ref a = receptionist(victim, "a");
    send(a, go);
    send(a, roll);
    send(a, roll);
    drain();
    assert(peek(victim, a)->dice == 42);
}
TR_REPLAY(still_fails, "pair", "any", "victim#7 roll<test; victim#1 go:2<test")
{
    victim_ref a = receptionist(victim, "a");
    send(a, go);
    send(a, go);
}
TR_REPLAY(must_fit, "passes", "any", "victim go<test; victim go<test",
          .strict = true)
{
}
TR_REPLAY(is_nonsense, "passes", "any", "victim go")
{
}
TR_REPLAY(starts_nowhere, "nothing", "any", "")
{
}
TR_REPLAY(replays_a_test, "asserts", "mailbox", "victim go<test; victim go<env",
          .expect = "assertion")
{
}

TR_REPLAY(tells_twins_apart, "pair", "any",
          "victim#1 roll:2<test pick 4; victim#1 roll<test pick 1; "
          "victim#1 go:2<test; victim#1 go<test")
{
    victim_ref a = receptionist(victim, "a");
    send(a, roll);
    send(a, roll);
    drain_until(peek(victim, a)->dice == 41);
    assert(peek(victim, a)->dice == 41);
    send(a, go);
    send(a, go);
}

TR_TEST(rolls_between)
{
    victim_ref v = spawn(victim);
    uint32_t n = choose(3);
    send(v, roll);
    drain();
    n += choose(3);
    send(v, tick);
    send(v, roll);
    drain();
    assert(n < 9 && peek(victim, v)->dice < 100);
}

// ---- running it -----------------------------------------------------------

static char output[200000];

// The exit status of the test program with these arguments; output is filled.
static int tests(const char *args)
{
    char copy[500], *argv[20] = {(char[]){"prog"}}, *rest;
    int argc = 1, status;
    FILE *f = tmpfile();
    pid_t pid;
    snprintf(copy, sizeof copy, "%s", args);
    for (char *s = strtok_r(copy, " ", &rest); s;
         s = strtok_r(NULL, " ", &rest))
        argv[argc++] = s;
    fflush(NULL);
    pid = fork();
    if (!pid) {
        dup2(fileno(f), 1);
        dup2(fileno(f), 2);
        exit(tr_test_main(argc, argv));
    }
    waitpid(pid, &status, 0);
    fseek(f, 0, SEEK_SET);
    output[fread(output, 1, sizeof output - 1, f)] = '\0';
    fclose(f);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool says(const char *s)
{
    if (strstr(output, s))
        return true;
    fprintf(stderr, "'%s' is not in:\n%s", s, output);
    return false;
}

// One test that must fail with this text, and the run ends in order.
static void fails(const char *name, const char *text)
{
    CHECK_EQ(tests(name), 1);
    CHECK(says(text));
    CHECK(says("\n0 passed, 1 failed\n"));
    CHECK(strncmp(output, "test/testlib/main.c:", 20) == 0 ||
          says("testlib/main.c:"));
}

TEST(a_passing_test_passes)
{
    CHECK_EQ(tests("passes"), 0);
    CHECK_TEXT(output, "ok      passes\n1 passed, 0 failed\n");
}
TEST(an_assertion_fails_its_test)
{
    fails("asserts", "FAILED asserts: assertion 'self->n < 2' failed");
    CHECK(says("in victim_go, actor victim#1, receive 2: victim#1 go<test"));
    CHECK(says("schedule: victim#1 go<test; victim#1 go<test\n"));
    CHECK(says("again: prog asserts --manager=single\n"));
}
TEST(a_crash_fails_its_test)
{
#if TEST_ASAN || TEST_TSAN
    fails("crashes", "FAILED crashes: ");
#else
    fails("crashes", "FAILED crashes: SIGSEGV at address 0");
    CHECK(says("in victim_die_now, actor victim#1"));
    fails("overflows", "FAILED overflows: stack overflow");
#endif
}
TEST(an_endless_handler_fails_its_test)
{
    fails("spins", "FAILED spins: handler victim_spin does not end");
}
TEST(an_exit_fails_its_test)
{
    fails("exits", "the test ended the process, exit status 7");
}
TEST(an_endless_schedule_fails_its_test)
{
    fails("goes_on_for_ever", "the bound on receives is reached");
}
TEST(an_endless_schedule_may_be_meant)
{
    CHECK_EQ(tests("may_go_on_for_ever"), 0);
}
TEST(a_message_without_a_row_fails_its_test)
{
    fails("has_no_row", "no row for a message: stray to victim in behaviour "
                        "calm");
}
TEST(those_who_wait_at_the_end_fail_the_test)
{
    fails("rests_hot", "victim#1 rests in a hot behaviour (tense)");
    fails("waits", "victim#2 waits in await: question to victim#1 (calm)");
    fails("asks_in_vain", "an ask is never answered: test asked and is never "
                          "answered: question to victim#1");
    fails("defers", "keeper#1 keeps a deferred message: go (only)");
}
TEST(a_broken_invariant_fails_the_test)
{
    fails("breaks_invariant", "invariant 'small' is broken");
    fails("breaks_invariant_at_once", "invariant 'small' is broken");
}
TEST(a_misused_operation_fails_its_test)
{
    fails("holds_in_init", "init and fini cannot wait");
    fails("holds_in_init --manager=threads", "init and fini cannot wait");
}
TEST(what_a_failing_test_prints_is_shown)
{
    fails("body_asserts", "| hello from the body");
    CHECK_EQ(tests("--param n=5 body_asserts"), 1);
    CHECK(says("assertion 'param"));
    CHECK(says("--param n=5"));
}
TEST(an_expected_bug_passes)
{
    CHECK_EQ(tests("expects_what_comes"), 0);
    fails("expects_in_vain", "expected crash, but nothing went wrong");
    fails("expects_nonsense", "unknown kind of bug");
    CHECK_EQ(tests("explores"), 0);
}
TEST(deadlocks_are_not_seen_on_threads)
{
    CHECK_EQ(tests("expects_what_comes --manager=threads"), 0);
    CHECK(says("0 passed, 0 failed, 1 skipped"));
}
TEST(a_schedule_in_words_is_followed)
{
    CHECK_EQ(tests("follows replays_a_test"), 0);
    CHECK(says("2 passed, 0 failed"));
}
TEST(a_schedule_that_does_not_fit_says_where)
{
    fails("--strict fits_no_more",
          "step 2 of the schedule, 'victim#3 roll<test', does not fit; "
          "possible here: victim#1 tick<test");
    fails("must_fit", "step 2 of the schedule, 'victim go<test', does not "
                      "fit; nothing is left to deliver");
    fails("is_nonsense", "'victim go': not 'receiver message<sender'");
    fails("starts_nowhere", "no test or system 'nothing' to replay");
}
TEST(a_schedule_that_does_not_fit_is_followed_as_far_as_it_does)
{
    CHECK_EQ(tests("fits_no_more is_too_long has_new_messages"), 0);
    CHECK(says("warning: step 2 of the schedule, 'victim#3 roll<test', does "
               "not fit; possible here: victim#1 tick<test"));
    CHECK(says("nothing is left to deliver"));
    CHECK(says("3 passed, 0 failed"));
    fails("still_fails", "assertion '");
}
TEST(twins_are_told_apart)
{
    CHECK_EQ(tests("tells_twins_apart"), 1);
    CHECK(says("schedule: victim#1 roll:2<test pick 4; victim#1 roll<test pick "
               "1; victim#1 go:2<test; victim#1 go<test\n"));
}
TEST(the_run_goes_on_after_failures)
{
    CHECK_EQ(tests("asserts exits passes ticks"), 1);
    CHECK(says("2 passed, 2 failed\n"));
    CHECK_EQ(tests("-j 4 asserts exits passes ticks"), 1);
    CHECK(says("2 passed, 2 failed\n"));
    CHECK_EQ(tests("--no-fork asserts has_no_row passes ticks rests_hot"), 1);
    CHECK(says("2 passed, 3 failed\n"));
}
TEST(random_runs_repeat_with_their_seed)
{
    CHECK_EQ(tests("--manager=random --repeat=50 asserts"), 1);
    CHECK(says("again: prog asserts --manager=random --seed=1\n"));
    CHECK_EQ(tests("--manager=random --repeat=50 --seed 9 passes ticks"), 0);
}
TEST(tests_are_listed_and_filtered)
{
    CHECK_EQ(tests("--list pass* nice"), 0);
    CHECK_TEXT(output, "passes\n");
    CHECK_EQ(tests("--list --filter=*wait* --filter *spin*"), 0);
    CHECK_TEXT(output, "spins\nwaits\n");
    CHECK_EQ(tests("--filter=nothing_like_it"), 5);
    CHECK(says("0 passed, 0 failed"));
}
TEST(wrong_usage_is_told)
{
    CHECK_EQ(tests("--filtre=x"), 2);
    CHECK(says("did you mean '--filter'?"));
    CHECK_EQ(tests("--manager=best"), 2);
    CHECK_EQ(tests("--param n"), 2);
    CHECK_EQ(tests("--seed"), 2);
    CHECK_EQ(tests("-x"), 2);
    CHECK_EQ(tests("--help"), 0);
    CHECK(says("--no-fork"));
}
TEST(tap_is_written)
{
    CHECK_EQ(tests("--tap passes asserts"), 1);
    CHECK(says("TAP version 13\n1..2\nok 1 - passes\nnot ok 2 - asserts\n"));
    CHECK(says("kind: assertion"));
}
TEST(junit_is_written)
{
    CHECK_EQ(tests("--junit=- passes asserts"), 1);
    CHECK(says("<testsuite name=\"prog\" tests=\"2\" failures=\"1\""));
    CHECK(says("<failure type=\"assertion\" message=\"assertion 'self-&gt;n "
               "&lt; 2' failed\">"));
    CHECK_EQ(tests("--junit=/nowhere/at/all passes"), 2);
}

// The one case in a folder, as text; the file goes.
static const char *recorded(const char *dir, const char *name)
{
    static char text[4000];
    char path[300];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "r");
    text[f ? fread(text, 1, sizeof text - 1, f) : 0] = '\0';
    if (f)
        fclose(f);
    remove(path);
    return text;
}
TEST(runs_are_recorded)
{
    scratch_path dir;
    char args[SCRATCH + 64];
    scratch_new(dir);
    snprintf(args, sizeof args, "--record=%s --seed=7 asserts", dir);
    CHECK_EQ(tests(args), 1);
    CHECK(strstr(recorded(dir, "asserts-7.case"),
                 "test asserts\ndelivery pair\nexpect assertion\n"));
    setenv("TR_RECORD", dir, 1);
    CHECK_EQ(tests("replays_a_test"), 0);
    unsetenv("TR_RECORD");
    CHECK(strstr(recorded(dir, "replays_a_test-1.case"),
                 "test asserts\ndelivery mailbox\nexpect assertion\n"));
    snprintf(args, sizeof args, "--record=%s -m random -p n=3 passes", dir);
    CHECK_EQ(tests(args), 0);
    CHECK(strstr(recorded(dir, "passes-1.case"),
                 "param n=3\ndelivery pair\nexpect pass\nstep victim#1 "
                 "go<test\n"));
    scratch_remove(dir);
}
TEST(answers_are_recorded_where_they_were_given)
{
    scratch_path dir;
    char args[SCRATCH + 64];
    unsigned a, b, c, d;
    scratch_new(dir);
    snprintf(args, sizeof args, "--record=%s/run.case rolls_between", dir);
    CHECK_EQ(tests(args), 0);
    const char *steps = strstr(recorded(dir, "run.case"), "expect pass\n");
    CHECK(steps != NULL);
    CHECK_EQ(sscanf(steps,
                    "expect pass\n"
                    "step test body pick %u\n"
                    "step victim#1 roll<test pick %u\n"
                    "step test body pick %u\n"
                    "step victim#1 tick<test\n"
                    "step victim#1 roll<test pick %u\n",
                    &a, &b, &c, &d),
             4);
    CHECK(a < 3 && b < 6 && c < 3 && d < 6);
    scratch_remove(dir);
}
TEST(what_cannot_be_recorded_is_told)
{
    CHECK_EQ(tests("--record=/tmp -m threads passes"), 2);
    CHECK(says("--record: /tmp: threads have no one order of receives"));
    CHECK_EQ(tests("--record=/tmp/a.case passes ticks"), 2);
    CHECK(says("one file for several runs"));
    CHECK_EQ(tests("--record=/nowhere/at/all passes"), 2);
}

TEST_MAIN()

// The threads manager: requests, futures, tasks and timers.
#include "troupe_short.h"
#include "test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static _Atomic int faults[6];

static void on_fault(void *user, const tr_fault *f)
{
    (void)user;
    atomic_fetch_add(&faults[f->kind], 1);
}

static _Atomic int logs;
static void on_log(void *user, tr_level level, const char *text)
{
    (void)user, (void)level, (void)text;
    atomic_fetch_add(&logs, 1);
}

static tr_ctx *enter(tr_runtime **r, uint32_t threads)
{
    for (int i = 0; i < 6; i++)
        faults[i] = 0;
    logs = 0;
    if (tr_start_(NULL,
                  &(tr_config){.threads = threads,
                               .on_fault = on_fault,
                               .on_log = on_log},
                  r))
        abort();
    return tr_enter(*r);
}

static void leave(tr_ctx *ctx, tr_runtime *r)
{
    tr_leave(ctx);
    tr_end(r);
}

// ---- an oracle that answers, late, never, or twice ------------------------

TR_PROTOCOL(oracle, question, answer_now, quit_oracle, count_up);
struct number {
    long value;
};
enum { NOW, LATER, NEVER, TWICE, STOP, FORK };
struct question {
    int how;
    long n;
};
TR_REQUEST(question, number);
TR_SIGNAL(answer_now);
TR_SIGNAL(quit_oracle);
TR_SIGNAL(count_up);

struct oracle {
    int released, count;
};
TR_HANDLER(oracle, question)
{
    if (msg->how == NEVER)
        return;
    if (msg->how == STOP) {
        stop();
        return;
    }
    if (msg->how == LATER)
        await_until(self->released > 0);
    reply(question, .value = msg->n * 2);
    if (msg->how == TWICE)
        reply(question, .value = 0);
}
TR_HANDLER(oracle, answer_now)
{
    self->released++;
}
TR_HANDLER(oracle, quit_oracle)
{
    stop();
}
TR_HANDLER(oracle, count_up)
{
    self->count++;
    reply(question, .value = 1); // not a request
}
TR_BEHAVIOUR(oracle, on, TR_ON(question, oracle_question),
             TR_ON(answer_now, oracle_answer_now),
             TR_ON(quit_oracle, oracle_quit_oracle),
             TR_ON(count_up, oracle_count_up));
TR_CLASS(oracle, .start = &oracle_on);

TEST(a_thread_outside_asks)
{
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, 2);
    oracle_ref o = spawn(oracle);
    TR_FUTURE(question) f = ask(o, question, .n = 21);
    TR_FUTURE(question) g = ask(o, question, .n = 4);
    CHECK_EQ(get(g)->value, 8);
    CHECK_EQ(get(f)->value, 42);
    CHECK_EQ(get(f)->value, 42); // as often as one likes
    leave(ctx, r);
}

TEST(no_answer_is_null)
{
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, 2);
    oracle_ref o = spawn(oracle);
    CHECK(get(ask(o, question, .how = NEVER)) == NULL);
    CHECK(get(ask(o, question, .how = STOP)) == NULL);
    CHECK(get(ask(o, question, .n = 1)) == NULL); // has stopped
    CHECK_EQ(faults[TR_FAULT_STOPPED], 1);
    CHECK(get(ask((oracle_ref)NULL, question, .n = 1)) == NULL);
    CHECK_EQ(faults[TR_FAULT_NOBODY], 1);
    CHECK(get((TR_FUTURE(question))NULL) == NULL);
    leave(ctx, r);
}

TEST(a_stopped_actor_refuses_what_it_kept)
{
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, 2);
    oracle_ref o = spawn(oracle);
    TR_FUTURE(question) f = ask(o, question, .how = LATER, .n = 3);
    send(o, quit_oracle);
    CHECK(get(f) == NULL); // a task of it was waiting
    leave(ctx, r);
}

// ---- an oracle that stops -------------------------------------------------

TR_PROTOCOL(sealed, question, answer_now, quit_oracle);
struct sealed {
    int n;
};
TR_STATES(sealed, shut);
TR_HANDLER(sealed, question)
{
    if (msg->how == LATER)
        await_until(self->n > 0);
    if (msg->how == STOP)
        stop();
}
TR_HANDLER(sealed, answer_now)
{
    become(sealed, shut);
}
TR_HANDLER(sealed, quit_oracle)
{
    stop();
}
TR_BEHAVIOUR(sealed, on, TR_ON(question, sealed_question),
             TR_ON(answer_now, sealed_answer_now));
TR_BEHAVIOUR(sealed, shut, TR_DEFER(question),
             TR_ON(quit_oracle, sealed_quit_oracle));
TR_CLASS(sealed, .start = &sealed_on);

TR_PROTOCOL(asker, put_question);
struct put_question {
    sealed_ref to;
    int how, nr;
};
TR_MESSAGE(put_question);
struct asker {
    int order; // of the answers, all of them NULL
};
TR_HANDLER(asker, put_question)
{
    const struct number *answer =
        await(ask(msg->to, question, .how = msg->how));
    self->order = 10 * self->order + (answer ? 9 : msg->nr);
}
TR_BEHAVIOUR(asker, on, TR_ON(put_question, asker_put_question));
TR_CLASS(asker, .start = &asker_on);

TEST(a_request_that_stops_its_receiver_is_answered)
{
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, 2);
    asker_ref a = spawn(asker);
    send(a, put_question, .to = spawn(sealed), .how = STOP, .nr = 1);
    drain();
    CHECK_EQ(peek(asker, a)->order, 1);
    leave(ctx, r);
}

TEST(who_stops_answers_all_he_was_asked_in_order)
{
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, 2);
    asker_ref a = spawn(asker);
    sealed_ref s = spawn(sealed);
    send(a, put_question, .to = s, .how = LATER, .nr = 2);
    send(a, put_question, .to = s, .how = LATER, .nr = 3);
    send(a, put_question, .to = s, .how = NEVER, .nr = 1);
    drain();
    CHECK_EQ(peek(asker, a)->order, 0);
    send(s, answer_now);
    drain();
    send(a, put_question, .to = s, .how = NOW, .nr = 4);
    drain();
    CHECK_EQ(peek(asker, a)->order, 0);
    send(s, quit_oracle);
    drain();
    CHECK_EQ(peek(asker, a)->order, 1234);
    leave(ctx, r);
}

TEST(replies_out_of_place_are_told)
{
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, 2);
    oracle_ref o = spawn(oracle);
    CHECK_EQ(get(ask(o, question, .how = TWICE, .n = 2))->value, 4);
    send(o, count_up);
    drain();
    CHECK_EQ(faults[TR_FAULT_REPLY], 2);
    leave(ctx, r);
}

// ---- futures that are not one's own ---------------------------------------

TR_PROTOCOL(borrower, borrow, use_again);
struct borrow {
    oracle_ref oracle;
    TR_FUTURE(question) f;
};
TR_MESSAGE(borrow);
TR_SIGNAL(use_again);
struct borrower {
    TR_FUTURE(question) mine;
    long value, foreign, again;
};
TR_HANDLER(borrower, borrow)
{
    self->mine = ask(msg->oracle, question, .n = 1);
    self->foreign = await(msg->f) != NULL;
    self->value = await(self->mine)->value;
}
TR_HANDLER(borrower, use_again)
{
    self->again = await(self->mine) != NULL;
}
TR_BEHAVIOUR(borrower, on, TR_ON(borrow, borrower_borrow),
             TR_ON(use_again, borrower_use_again));
TR_CLASS(borrower, .start = &borrower_on);

TEST(futures_of_others_and_used_ones_are_told)
{
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, 2);
    oracle_ref o = spawn(oracle);
    borrower_ref b = spawn(borrower);
    send(b, borrow, .oracle = o, .f = ask(o, question, .n = 5));
    drain();
    CHECK_EQ(peek(borrower, b)->value, 2);
    CHECK_EQ(peek(borrower, b)->foreign, 0);
    CHECK_EQ(logs, 1);
    send(b, use_again);
    drain();
    CHECK_EQ(peek(borrower, b)->again, 0);
    CHECK_EQ(logs, 2);
    leave(ctx, r);
}

TEST(a_time_limit_outside)
{
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, 2), *other = tr_enter(r);
    oracle_ref o = spawn(oracle);
    CHECK(get(ask_within(5, o, question, .how = LATER, .n = 1)) == NULL);
    send(o, answer_now); // too late: dropped
    CHECK_EQ(get(ask_within(10000, o, question, .n = 6))->value, 12);
    tr_leave(other);
    leave(ctx, r);
}

static void *release_later(void *arg)
{
    tr_ctx *ctx = arg;
    usleep(20000);
    send(receptionist(oracle, "o"), answer_now);
    return NULL;
}

// The runtime is quiet, but another thread has entered: the answer may come.
TEST(get_outside_waits_for_others_outside)
{
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, 2), *other = tr_enter(r);
    oracle_ref o = spawn(oracle);
    pthread_t thread;
    const struct number *n;
    expose(o);
    pthread_create(&thread, NULL, release_later, other);
    n = get(ask(o, question, .how = LATER, .n = 5));
    CHECK(n && n->value == 10);
    pthread_join(thread, NULL);
    tr_leave(other);
    leave(ctx, r);
}

// ---- tasks ----------------------------------------------------------------

TR_PROTOCOL(client, use, mark, hold, both, keep, pick_up, condition, add,
            leave_me, limited);
struct use {
    oracle_ref of;
    int how, n;
};
TR_MESSAGE(use);
struct mark {
    int n;
};
TR_MESSAGE(mark);
struct hold {
    oracle_ref of;
    int how;
};
TR_MESSAGE(hold);
struct both {
    oracle_ref a, b;
};
TR_MESSAGE(both);
struct keep {
    oracle_ref of;
};
TR_MESSAGE(keep);
TR_SIGNAL(pick_up);
struct condition {
    int least, id, then;
};
TR_MESSAGE(condition);
struct add {
    int n;
};
TR_MESSAGE(add);
TR_SIGNAL(leave_me);
struct limited {
    oracle_ref of;
    int ms;
};
TR_MESSAGE(limited);

struct client {
    long sum, marks, none;
    int level;
    int n, list[20];
    TR_FUTURE(question) kept;
};
static void record(struct client *self, int n)
{
    if (self->n < 20)
        self->list[self->n++] = n;
}
TR_HANDLER(client, use)
{
    int local = msg->n;
    for (int i = 0; i < 3; i++) {
        TR_FUTURE(question)
        f = ask(msg->of, question, .n = local, .how = msg->how);
        const struct number *v = await(f);
        if (!v) {
            self->none++;
            return;
        }
        local = (int)v->value;
        if (await(f)->value != v->value)
            abort();
    }
    self->sum += local;
    record(self, local);
}
TR_HANDLER(client, mark)
{
    self->marks++;
    record(self, msg->n);
}
TR_HANDLER(client, hold)
{
    const struct number *v =
        get(ask(msg->of, question, .n = 5, .how = msg->how));
    record(self, v ? (int)v->value : -1);
}
TR_HANDLER(client, both)
{
    TR_FUTURE(question) f = ask(msg->a, question, .n = 1, .how = LATER);
    TR_FUTURE(question) g = ask(msg->b, question, .n = 2);
    long v = get(f)->value; // the reply to g comes first and is stored
    record(self, (int)(v * 10 + get(g)->value));
}
TR_HANDLER(client, keep)
{
    self->kept = ask(msg->of, question, .n = 8);
}
TR_HANDLER(client, pick_up)
{
    const struct number *v = await(self->kept);
    record(self, v ? (int)v->value : -1);
}
TR_HANDLER(client, condition)
{
    await_until(self->level >= msg->least);
    record(self, msg->id);
    self->level += msg->then;
}
TR_HANDLER(client, add)
{
    self->level += msg->n;
}
TR_HANDLER(client, leave_me)
{
    stop();
}
TR_HANDLER(client, limited)
{
    const struct number *v =
        await(ask_within((uint64_t)msg->ms, msg->of, question, .n = 1,
                         .how = msg->ms < 1000 ? NEVER : NOW));
    record(self, v ? (int)v->value : -1);
}
TR_BEHAVIOUR(client, on, TR_ON(use, client_use), TR_ON(mark, client_mark),
             TR_ON(hold, client_hold), TR_ON(both, client_both),
             TR_ON(keep, client_keep), TR_ON(pick_up, client_pick_up),
             TR_ON(condition, client_condition), TR_ON(add, client_add),
             TR_ON(leave_me, client_leave_me), TR_ON(limited, client_limited));
TR_CLASS(client, .start = &client_on);

static void check_list(const struct client *c, int n, const int *want)
{
    CHECK_EQ(c->n, n);
    for (int i = 0; i < n && i < c->n; i++)
        CHECK_EQ(c->list[i], want[i]);
}

TEST(await_in_a_handler)
{
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, 2);
    oracle_ref o = spawn(oracle);
    client_ref c = spawn(client);
    for (int i = 0; i < 200; i++)
        send(c, use, .of = o, .n = 1);
    drain();
    CHECK_EQ(peek(client, c)->sum, 200 * 8);
    leave(ctx, r);
}

TEST(await_gives_the_actor_up)
{
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, 2);
    oracle_ref o = spawn(oracle);
    client_ref c = spawn(client);
    send(c, use, .of = o, .n = 1, .how = LATER);
    send(c, mark, .n = 1);
    drain();
    CHECK_EQ(peek(client, c)->marks, 1);
    send(o, answer_now);
    drain();
    check_list(peek(client, c), 2, (int[]){1, 8});
    leave(ctx, r);
}

TEST(get_holds_the_actor)
{
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, 2);
    oracle_ref o = spawn(oracle);
    client_ref c = spawn(client);
    send(c, hold, .of = o, .how = LATER);
    send(c, mark, .n = 1);
    send(c, mark, .n = 2);
    drain();
    CHECK_EQ(peek(client, c)->marks, 0);
    send(o, answer_now);
    drain();
    check_list(peek(client, c), 3, (int[]){10, 1, 2});
    leave(ctx, r);
}

TEST(replies_are_stored_while_another_is_waited_for)
{
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, 2);
    oracle_ref o = spawn(oracle), p = spawn(oracle);
    client_ref c = spawn(client);
    send(c, both, .a = o, .b = p);
    drain();
    send(o, answer_now);
    drain();
    check_list(peek(client, c), 1, (int[]){24});
    leave(ctx, r);
}

// A task whose reply comes while another holds the actor goes on before the
// messages that came meanwhile.
TEST(a_ready_task_goes_before_kept_mail)
{
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, 2);
    oracle_ref o = spawn(oracle), p = spawn(oracle);
    client_ref c = spawn(client);
    send(c, use, .of = p, .n = 1, .how = LATER);
    send(c, hold, .of = o, .how = LATER);
    send(c, mark, .n = 1);
    drain();
    send(p, answer_now);
    drain();
    check_list(peek(client, c), 0, NULL);
    send(o, answer_now);
    drain();
    CHECK_EQ(peek(client, c)->list[0], 10);
    check_list(peek(client, c), 3, (int[]){10, 1, 8});
    leave(ctx, r);
}

TEST(a_future_may_be_awaited_by_a_later_handler)
{
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, 2);
    oracle_ref o = spawn(oracle);
    client_ref c = spawn(client);
    send(c, keep, .of = o);
    drain();
    send(c, pick_up);
    send(c, pick_up); // gone with the handler that took it
    drain();
    check_list(peek(client, c), 2, (int[]){16, -1});
    leave(ctx, r);
}

TEST(conditions_are_tested_in_order_until_none_gets_on)
{
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, 2);
    client_ref c = spawn(client);
    send(c, condition, .least = 3, .id = 1, .then = 0);
    send(c, condition, .least = 2, .id = 2, .then = 1);
    send(c, condition, .least = 1, .id = 3, .then = 1);
    send(c, condition, .least = 9, .id = 4);
    drain();
    CHECK_EQ(peek(client, c)->n, 0);
    send(c, add, .n = 1); // 3 gets on, then 2, then 1
    drain();
    check_list(peek(client, c), 3, (int[]){3, 2, 1});
    leave(ctx, r); // 4 waits for ever: its stack is freed
}

TEST(stopping_abandons_tasks)
{
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, 2);
    oracle_ref o = spawn(oracle);
    client_ref c = spawn(client);
    send(c, use, .of = o, .how = LATER);
    send(c, condition, .least = 3, .id = 1);
    send(c, keep, .of = o);
    send(c, hold, .of = o, .how = LATER);
    send(c, mark, .n = 1);
    send(c, leave_me);
    drain();
    CHECK(peek(client, c) != NULL);
    send(o, answer_now);
    drain();
    CHECK(peek(client, c) == NULL);
    leave(ctx, r);
}

TEST(a_time_limit_in_a_handler)
{
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, 2);
    oracle_ref o = spawn(oracle);
    client_ref c = spawn(client);
    send(c, limited, .of = o, .ms = 5);
    drain(); // waits for the timer
    send(c, limited, .of = o, .ms = 1000000);
    drain(); // the answer has removed the timer
    check_list(peek(client, c), 2, (int[]){-1, 2});
    leave(ctx, r);
}

TEST(many_tasks_at_once)
{
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, 3);
    oracle_ref o = spawn(oracle);
    client_ref c[20];
    for (int i = 0; i < 20; i++) {
        c[i] = spawn(client);
        for (int k = 0; k < 10; k++)
            send(c[i], use, .of = o, .n = 1, .how = LATER);
    }
    drain();
    send(o, answer_now);
    drain();
    for (int i = 0; i < 20; i++)
        CHECK_EQ(peek(client, c[i])->sum, 80);
    leave(ctx, r);
}

// ---- timers ---------------------------------------------------------------

TR_PROTOCOL(clock, set, tick, tack, other, mute, wake, stop_clock, stuck);
struct set {
    int ms, n;
    tr_ref to;
};
TR_MESSAGE(set);
struct tick {
    int n;
};
TR_MESSAGE(tick);
TR_SIGNAL(tack);
struct other {
    int ms;
    clock_ref to;
};
TR_MESSAGE(other);
TR_SIGNAL(mute);
TR_SIGNAL(wake);
TR_SIGNAL(stop_clock);
TR_SIGNAL(stuck);
struct clock {
    int n, list[20];
    tr_timer last;
    tr_ref from;
};
TR_STATES(clock, on, muted);
TR_HANDLER(clock, set)
{
    self->last = send_after((uint64_t)msg->ms, me(clock), tick, .n = msg->n);
}
TR_HANDLER(clock, tick)
{
    self->list[self->n++] = msg->n;
    self->from = sender();
}
TR_HANDLER(clock, tack)
{
    cancel(self->last);
    cancel(self->last); // once is enough
    cancel(0);
}
TR_HANDLER(clock, other)
{
    send_after((uint64_t)msg->ms, msg->to, tick, .n = 100);
}
TR_HANDLER(clock, mute)
{
    become(clock, muted);
}
TR_HANDLER(clock, wake)
{
    become(clock, on);
}
TR_HANDLER(clock, stop_clock)
{
    stop();
}
TR_BEHAVIOUR(clock, on, TR_ON(set, clock_set), TR_ON(tick, clock_tick),
             TR_ON(tack, clock_tack), TR_ON(other, clock_other),
             TR_ON(mute, clock_mute), TR_ON(stop_clock, clock_stop_clock));
TR_BEHAVIOUR(clock, muted, TR_DEFER(tick), TR_ON(wake, clock_wake),
             TR_ON(tack, clock_tack));
TR_CLASS(clock, .start = &clock_on);

TEST(timers_fire_in_order_of_time)
{
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, 2);
    clock_ref c = spawn(clock);
    for (int i = 0; i < 10; i++)
        send(c, set, .ms = 30 - 3 * i, .n = i);
    drain();
    CHECK_EQ(peek(clock, c)->n, 10);
    CHECK(peek(clock, c)->from == (tr_ref)c);
    leave(ctx, r);
}

TEST(cancelled_timers_do_not_come)
{
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, 2);
    clock_ref c = spawn(clock);
    send(c, set, .ms = 1000000, .n = 1);
    send(c, tack);
    drain();
    CHECK_EQ(peek(clock, c)->n, 0);
    // Fired, but deferred: cancel still works.
    send(c, set, .ms = 0, .n = 2);
    send(c, mute);
    drain();
    send(c, tack);
    send(c, wake);
    drain();
    CHECK(peek(clock, c)->n <= 1); // it may have come before mute
    leave(ctx, r);
}

TEST(a_timer_for_another_comes_from_its_owner)
{
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, 2);
    clock_ref c = spawn(clock), d = spawn(clock);
    send(c, other, .ms = 1, .to = d);
    send_after(2, d, tick, .n = 7); // from outside
    drain();
    CHECK_EQ(peek(clock, d)->n, 2);
    CHECK_EQ(peek(clock, d)->list[0] + peek(clock, d)->list[1], 107);
    cancel(send_after(1000000, d, tick, .n = 7));
    send(d, stop_clock);
    send(c, other, .ms = 1, .to = d);
    drain();
    CHECK_EQ(faults[TR_FAULT_STOPPED], 1);
    leave(ctx, r);
}

TEST(timers_end_with_their_actor_and_with_the_system)
{
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, 2);
    clock_ref c = spawn(clock), d = spawn(clock);
    for (int i = 0; i < 50; i++)
        send(c, set, .ms = 1000000 + i, .n = 1);
    send(c, stop_clock);
    drain(); // would take long
    send(d, set, .ms = 1000000, .n = 1);
    send_after(1000000, d, tick, .n = 2);
    tr_leave(ctx);
    tr_shutdown(r);
    CHECK_EQ(tr_wait(r), TR_ESHUTDOWN);
    tr_end(r);
}

// ---- a timer for another while its owner is held ---------------------------

TR_SIGNAL(unlock);
TR_SIGNAL(try_door);
TR_PROTOCOL(door, question, unlock);
TR_PROTOCOL(guest, try_door);
struct door {
    int unused;
};
struct guest {
    door_ref door;
    long got;
};
TR_STATES(door, locked, unlocked);
TR_HANDLER(door, unlock)
{
    (void)msg;
    become(door, unlocked);
}
TR_HANDLER(door, question)
{
    reply(question, .value = msg->n);
}
TR_BEHAVIOUR(door, locked, TR_DEFER(question), TR_ON(unlock, door_unlock));
TR_BEHAVIOUR(door, unlocked, TR_ON(question, door_question));
TR_CLASS(door, .start = &door_locked);
TR_HANDLER(guest, try_door)
{
    (void)msg;
    TR_FUTURE(question) f = ask(self->door, question, .n = 5);
    send_after(1, self->door, unlock);
    const struct number *n = get(f);
    self->got = n ? n->value : -1;
}
TR_BEHAVIOUR(guest, on, TR_ON(try_door, guest_try_door));
TR_CLASS(guest, .start = &guest_on);

TEST(a_timer_for_another_comes_while_its_owner_waits)
{
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, 2);
    guest_ref g = spawn(guest, .door = spawn(door));
    send(g, try_door);
    drain();
    CHECK_EQ(peek(guest, g)->got, 5);
    leave(ctx, r);
}

TEST_MAIN()

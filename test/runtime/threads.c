// The threads manager: messages, behaviours, life and death, faults, bounds.
#include "troupe_short.h"
#include "test.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

// ---- what the hooks saw ---------------------------------------------------

struct seen {
    _Atomic int faults[6];
    _Atomic int logs;
    const tr_class *cls;
    const char *behaviour;
    char text[80];
    tr_stats stats;
};

static void on_fault(void *user, const tr_fault *f)
{
    struct seen *s = user;
    atomic_fetch_add(&s->faults[f->kind], 1);
    s->cls = f->cls;
    s->behaviour = f->behaviour;
}

static void on_log(void *user, tr_level level, const char *text)
{
    struct seen *s = user;
    (void)level;
    snprintf(s->text, sizeof s->text, "%s", text);
    atomic_fetch_add(&s->logs, 1);
}

static tr_ctx *enter(tr_runtime **r, struct seen *s, uint32_t threads)
{
    memset(s, 0, sizeof *s);
    if (tr_start_(NULL,
                  &(tr_config){.threads = threads,
                               .user = s,
                               .on_fault = on_fault,
                               .on_log = on_log,
                               .params = "n=7 big=0x10,neg=-3"},
                  r))
        abort();
    return tr_enter(*r);
}

static void leave(tr_ctx *ctx, tr_runtime *r)
{
    tr_leave(ctx);
    tr_end(r);
}

// ---- a list of what happened ----------------------------------------------

TR_PROTOCOL(book, note, open, shut, quit, ping, peep, start);
struct note {
    int n;
};
TR_MESSAGE(note);
TR_SIGNAL(open);
TR_SIGNAL(shut);
TR_SIGNAL(quit);
TR_SIGNAL(peep);
struct ping {
    tr_ref *from;
    tr_ref *me;
};
TR_MESSAGE(ping);
struct start {
    int n;
    book_ref to;
};
TR_MESSAGE(start);

struct book {
    int n, sum;
    int list[20];
    _Atomic int *finis;
};
TR_STATES(book, opened, closed);
TR_HANDLER(book, note)
{
    if (self->n < 20)
        self->list[self->n] = msg->n;
    self->n++;
    self->sum += msg->n;
}
TR_HANDLER(book, open)
{
    become(book, opened);
}
TR_HANDLER(book, shut)
{
    become(book, closed);
}
TR_HANDLER(book, quit)
{
    stop();
}
TR_HANDLER(book, ping)
{
    *msg->from = sender();
    *msg->me = (tr_ref)me(book);
}
TR_HANDLER(book, start)
{
    for (int i = 0; i < msg->n; i++)
        send(msg->to, note, .n = i);
}
TR_FINI(book)
{
    if (self->finis)
        atomic_fetch_add(self->finis, 1);
}
TR_BEHAVIOUR(book, opened, TR_ON(note, book_note), TR_ON(shut, book_shut),
             TR_ON(quit, book_quit), TR_ON(ping, book_ping), TR_IGNORE(peep),
             TR_ON(start, book_start));
TR_BEHAVIOUR(book, closed, TR_DEFER(note), TR_ON(open, book_open),
             TR_DEFER(quit));
TR_CLASS(book, .start = &book_opened, .fini = book_fini_);

TEST(messages_arrive_in_order)
{
    struct seen seen;
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, &seen, 2);
    book_ref b = spawn(book);
    for (int i = 0; i < 10; i++)
        send(b, note, .n = i);
    drain();
    CHECK_EQ(peek(book, b)->n, 10);
    for (int i = 0; i < 10; i++)
        CHECK_EQ(peek(book, b)->list[i], i);
    leave(ctx, r);
}

TEST(sender_and_self)
{
    struct seen seen;
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, &seen, 2);
    tr_ref from = (tr_ref)16, self = NULL;
    book_ref b = spawn(book);
    send(b, ping, .from = &from, .me = &self);
    drain();
    CHECK(from == NULL);
    CHECK(self == (tr_ref)b);
    leave(ctx, r);
}

TEST(deferred_messages_come_first_and_in_order)
{
    struct seen seen;
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, &seen, 2);
    book_ref b = spawn(book);
    tr_stats stats;
    send(b, shut);
    for (int i = 0; i < 5; i++)
        send(b, note, .n = i);
    drain();
    CHECK_EQ(peek(book, b)->n, 0);
    send(b, open);
    send(b, note, .n = 5);
    drain();
    CHECK_EQ(peek(book, b)->n, 6);
    for (int i = 0; i < 6; i++)
        CHECK_EQ(peek(book, b)->list[i], i);
    tr_stats_of(r, &book_class, &stats);
    CHECK_EQ(stats.deferred, 5);
    leave(ctx, r);
}

TEST(deferred_stop_makes_the_rest_dead)
{
    struct seen seen;
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, &seen, 2);
    book_ref b = spawn(book);
    send(b, shut);
    send(b, note, .n = 1);
    send(b, quit);
    send(b, note, .n = 2);
    send(b, open);
    drain();
    CHECK(peek(book, b) == NULL);
    CHECK_EQ(seen.faults[TR_FAULT_STOPPED], 1);
    leave(ctx, r);
}

TEST(no_row_is_told)
{
    struct seen seen;
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, &seen, 2);
    book_ref b = spawn(book);
    tr_stats stats;
    send(b, open); // no row for it in `opened`
    send(b, peep); // ignored
    drain();
    CHECK_EQ(seen.faults[TR_FAULT_UNHANDLED], 1);
    CHECK(seen.cls == &book_class);
    CHECK_TEXT(seen.behaviour, "opened");
    tr_stats_of(r, &book_class, &stats);
    CHECK_EQ(stats.unhandled, 1);
    CHECK_EQ(stats.received, 1);
    leave(ctx, r);
}

TEST(nobody_is_told)
{
    struct seen seen;
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, &seen, 1);
    send((book_ref)NULL, peep);
    CHECK_EQ(seen.faults[TR_FAULT_NOBODY], 1);
    CHECK_EQ(tr_try_send(ctx, (book_ref)NULL, peep), TR_EINVAL);
    leave(ctx, r);
}

TEST(a_stale_reference_is_a_dead_letter)
{
    struct seen seen;
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, &seen, 2);
    _Atomic int finis = 0;
    book_ref b = spawn(book, .finis = &finis), c;
    tr_stats stats;
    send(b, quit);
    drain();
    CHECK_EQ(finis, 1);
    send(b, note, .n = 1);
    drain();
    CHECK_EQ(seen.faults[TR_FAULT_STOPPED], 1);
    CHECK_EQ(tr_try_send(ctx, b, note, .n = 1), TR_ESTOPPED);
    tr_stats_of(r, &book_class, &stats);
    CHECK_EQ(stats.dead, 1);
    CHECK_EQ(stats.stopped, 1);
    // The slot is used again, the old reference still goes nowhere.
    for (int i = 0; i < 2000; i++) {
        c = spawn(book);
        CHECK(c != b);
        send(b, note, .n = 1);
        send(c, note, .n = 3);
        drain();
        CHECK_EQ(peek(book, c)->sum, 3);
        send(c, quit);
        drain();
    }
    CHECK_EQ(seen.faults[TR_FAULT_STOPPED], 2001);
    CHECK(peek(book, b) == NULL);
    leave(ctx, r);
}

TEST(fini_runs_at_the_end)
{
    struct seen seen;
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, &seen, 2);
    _Atomic int finis = 0;
    for (int i = 0; i < 1000; i++)
        spawn(book, .finis = &finis);
    drain();
    CHECK_EQ(finis, 0);
    leave(ctx, r);
    CHECK_EQ(finis, 1000);
}

// ---- init, and mail that comes before it is over --------------------------

TR_PROTOCOL(early, hello);
struct hello {
    int n;
};
TR_MESSAGE(hello);
TR_PROTOCOL(greeter, greet);
struct greet {
    early_ref whom;
};
TR_MESSAGE(greet);
struct early {
    greeter_ref by;
    int got, init;
};
TR_INIT(early)
{
    send(self->by, greet, .whom = me(early));
    for (volatile int i = 0; i < 10000; i++)
        ;
    self->init = 1;
}
TR_HANDLER(early, hello)
{
    self->got += self->init;
}
TR_BEHAVIOUR(early, on, TR_ON(hello, early_hello));
TR_CLASS(early, .start = &early_on, .init = early_init_);
struct greeter {
    int n;
};
TR_HANDLER(greeter, greet)
{
    send(msg->whom, hello, .n = 1);
}
TR_BEHAVIOUR(greeter, on, TR_ON(greet, greeter_greet));
TR_CLASS(greeter, .start = &greeter_on);

TEST(init_is_over_before_the_first_message)
{
    struct seen seen;
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, &seen, 2);
    greeter_ref g = spawn(greeter);
    early_ref e[100];
    for (int i = 0; i < 100; i++)
        e[i] = spawn(early, .by = g);
    drain();
    for (int i = 0; i < 100; i++)
        CHECK_EQ(peek(early, e[i])->got, 1);
    leave(ctx, r);
}

// ---- watch ----------------------------------------------------------------

TR_PROTOCOL(nurse, look_after, gone);
struct look_after {
    book_ref whom;
    int n;
};
TR_MESSAGE(look_after);
struct gone {
    int n;
};
TR_MESSAGE(gone);
struct nurse {
    int sum;
    tr_ref who;
};
TR_HANDLER(nurse, look_after)
{
    watch(msg->whom, nurse, gone, .n = msg->n);
}
TR_HANDLER(nurse, gone)
{
    self->sum += msg->n;
    self->who = sender();
}
TR_BEHAVIOUR(nurse, on, TR_ON(look_after, nurse_look_after),
             TR_ON(gone, nurse_gone));
TR_CLASS(nurse, .start = &nurse_on);

TEST(watchers_are_told)
{
    struct seen seen;
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, &seen, 2);
    nurse_ref n = spawn(nurse);
    book_ref b = spawn(book), c = spawn(book);
    send(n, look_after, .whom = b, .n = 1);
    send(n, look_after, .whom = b, .n = 10);
    send(n, look_after, .whom = c, .n = 100);
    drain();
    CHECK_EQ(peek(nurse, n)->sum, 0);
    send(b, quit);
    drain();
    CHECK_EQ(peek(nurse, n)->sum, 11);
    CHECK(peek(nurse, n)->who == (tr_ref)b);
    send(n, look_after, .whom = b, .n = 1000); // has stopped: at once
    send(n, look_after, .whom = NULL, .n = 10000);
    drain();
    CHECK_EQ(peek(nurse, n)->sum, 1011);
    CHECK_EQ(seen.faults[TR_FAULT_STOPPED], 0);
    CHECK_EQ(seen.faults[TR_FAULT_NOBODY], 1);
    leave(ctx, r); // c's watch is freed with c
}

// ---- messages that own memory ---------------------------------------------

static _Atomic int copies, drops;
static void deep_copy(void *to, const void *from);
static void deep_drop(void *payload);
TR_PROTOCOL(keeper, deep, moved, hand_on, drop_out, late_deep);
struct deep {
    char *text;
};
TR_MESSAGE(deep, .copy = deep_copy, .drop = deep_drop);
struct moved {
    char *text;
    keeper_ref next;
};
TR_MESSAGE(moved, .drop = deep_drop);
struct hand_on {
    keeper_ref to;
};
TR_MESSAGE(hand_on);
TR_SIGNAL(drop_out);
TR_SIGNAL(late_deep);

static void deep_copy(void *to, const void *from)
{
    struct deep *d = to;
    d->text = strdup(((const struct deep *)from)->text);
    atomic_fetch_add(&copies, 1);
}
static void deep_drop(void *payload)
{
    free(((struct deep *)payload)->text);
    atomic_fetch_add(&drops, 1);
}

struct keeper {
    int length;
};
TR_HANDLER(keeper, deep)
{
    self->length += (int)strlen(msg->text);
}
TR_HANDLER(keeper, moved)
{
    self->length += (int)strlen(msg->text);
    if (msg->next && msg->next != me(keeper))
        forward(msg->next, moved);
}
TR_HANDLER(keeper, drop_out)
{
    stop();
}
TR_HANDLER(keeper, late_deep)
{
    send_after(1, me(keeper), deep, .text = (char[]){"later"});
    cancel(send_after(100000, me(keeper), deep, .text = (char[]){"never"}));
    send_after(100000, me(keeper), deep, .text = (char[]){"too late"});
}
TR_BEHAVIOUR(keeper, on, TR_ON(deep, keeper_deep), TR_ON(moved, keeper_moved),
             TR_ON(drop_out, keeper_drop_out),
             TR_ON(late_deep, keeper_late_deep));
TR_CLASS(keeper, .start = &keeper_on);

TEST(copies_and_drops_balance)
{
    struct seen seen;
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, &seen, 2);
    keeper_ref k = spawn(keeper), l = spawn(keeper);
    char text[] = "four";
    copies = drops = 0;
    send(k, deep, .text = text);
    send(k, moved, .text = strdup("five5"));
    drain();
    CHECK_EQ(peek(keeper, k)->length, 9);
    CHECK_EQ(copies, 1);
    CHECK_EQ(drops, 2);
    send(l, drop_out);
    drain();
    send(l, deep, .text = text); // dead letters are dropped
    send(l, moved, .text = strdup("lost"));
    drain();
    CHECK_EQ(copies, 2);
    CHECK_EQ(drops, 4);
    CHECK_EQ(tr_try_send(ctx, l, deep, .text = text), TR_ESTOPPED);
    send((keeper_ref)NULL, moved, .text = strdup("nobody"));
    send((keeper_ref)NULL, deep, .text = text); // never copied
    CHECK_EQ(copies, 2);
    CHECK_EQ(drops, 5);
    leave(ctx, r);
    CHECK_EQ(drops, 5);
}

TEST(forward_moves_what_a_message_owns)
{
    struct seen seen;
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, &seen, 2);
    keeper_ref k = spawn(keeper), l = spawn(keeper);
    copies = drops = 0;
    send(k, moved, .text = strdup("three"), .next = l);
    drain();
    CHECK_EQ(peek(keeper, k)->length, 5);
    CHECK_EQ(peek(keeper, l)->length, 5);
    CHECK_EQ(drops, 1);
    send(l, drop_out);
    send(k, moved, .text = strdup("gone"), .next = l);
    drain();
    CHECK_EQ(drops, 2);
    leave(ctx, r);
}

TEST(timers_own_their_messages)
{
    struct seen seen;
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, &seen, 2);
    keeper_ref k = spawn(keeper);
    copies = drops = 0;
    send(k, late_deep);
    while (atomic_load(&drops) < 2)
        usleep(1000);
    leave(ctx, r); // one timer is pending
    CHECK_EQ(copies, 3);
    CHECK_EQ(drops, 3);
}

// ---- bounds ---------------------------------------------------------------

TR_PROTOCOL(narrow, wait, step, fill);
struct wait {
    _Atomic int *until, *at;
};
TR_MESSAGE(wait);
TR_SIGNAL(step);
struct fill {
    narrow_ref to;
    int n;
};
TR_MESSAGE(fill);
struct narrow {
    int steps;
};
TR_HANDLER(narrow, wait)
{
    atomic_store(msg->at, 1);
    while (!atomic_load(msg->until))
        usleep(100);
}
TR_HANDLER(narrow, step)
{
    self->steps++;
}
TR_HANDLER(narrow, fill)
{
    for (int i = 0; i < msg->n; i++)
        send(msg->to, step);
}
TR_BEHAVIOUR(narrow, on, TR_ON(wait, narrow_wait), TR_ON(step, narrow_step),
             TR_ON(fill, narrow_fill));
TR_CLASS(narrow, .start = &narrow_on, .mailbox = 4);

TEST(a_full_mailbox_refuses)
{
    struct seen seen;
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, &seen, 2);
    narrow_ref n = spawn(narrow);
    _Atomic int until = 0, at = 0;
    uint32_t now, most;
    tr_stats stats;
    send(n, wait, .until = &until, .at = &at);
    while (!atomic_load(&at))
        usleep(100);
    for (int i = 0; i < 4; i++)
        CHECK_EQ(tr_try_send(ctx, n, step), 0);
    CHECK_EQ(tr_try_send(ctx, n, step), TR_EFULL);
    send(n, step);
    CHECK_EQ(seen.faults[TR_FAULT_OVERFLOW], 1);
    CHECK_EQ(tr_mailbox_of(r, (tr_ref)n, &now, &most), 0);
    CHECK_EQ(now, 4);
    CHECK_EQ(most, 4);
    atomic_store(&until, 1);
    drain();
    CHECK_EQ(peek(narrow, n)->steps, 4);
    CHECK_EQ(tr_mailbox_of(r, (tr_ref)n, &now, &most), 0);
    CHECK_EQ(now, 0);
    tr_stats_of(r, &narrow_class, &stats);
    CHECK_EQ(stats.high_water, 4);
    leave(ctx, r);
}

// Without a bound nobody counts, but the receiver finds out, over many slices.
TR_PROTOCOL(roomy, wait, step);
struct roomy {
    int steps;
};
TR_HANDLER(roomy, wait)
{
    atomic_store(msg->at, 1);
    while (!atomic_load(msg->until))
        usleep(100);
}
TR_HANDLER(roomy, step)
{
    self->steps++;
}
TR_BEHAVIOUR(roomy, on, TR_ON(wait, roomy_wait), TR_ON(step, roomy_step));
TR_CLASS(roomy, .start = &roomy_on);

TEST(the_longest_queue_is_known)
{
    struct seen seen;
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, &seen, 2);
    roomy_ref w = spawn(roomy);
    uint32_t now, most;
    tr_stats stats;
    for (int n = 1; n <= 1000; n *= 10) {
        _Atomic int until = 0, at = 0;
        send(w, wait, .until = &until, .at = &at);
        while (!atomic_load(&at))
            usleep(100);
        for (int i = 0; i < n; i++)
            send(w, step);
        atomic_store(&until, 1);
        drain();
        CHECK_EQ(tr_mailbox_of(r, (tr_ref)w, &now, &most), 0);
        CHECK_EQ(now, 0);
        CHECK_EQ(most, n);
    }
    CHECK_EQ(peek(roomy, w)->steps, 1111);
    tr_stats_of(r, &roomy_class, &stats);
    CHECK_EQ(stats.high_water, 1000);
    leave(ctx, r);
}

TEST(a_handler_overflows_to_the_hook)
{
    struct seen seen;
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, &seen, 1);
    narrow_ref n = spawn(narrow), m = spawn(narrow);
    send(m, fill, .to = n, .n = 10);
    drain();
    CHECK_EQ(peek(narrow, n)->steps, 4);
    CHECK_EQ(seen.faults[TR_FAULT_OVERFLOW], 6);
    leave(ctx, r);
}

TEST(a_sender_outside_may_block)
{
    struct seen seen;
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, &seen, 2);
    narrow_ref n = spawn(narrow);
    tr_block_when_full(ctx, true);
    for (int i = 0; i < 1000; i++)
        CHECK_EQ(tr_try_send(ctx, n, step), 0);
    for (int i = 0; i < 1000; i++)
        send(n, step);
    drain();
    CHECK_EQ(peek(narrow, n)->steps, 2000);
    CHECK_EQ(seen.faults[TR_FAULT_OVERFLOW], 0);
    leave(ctx, r);
}

// ---- the rest -------------------------------------------------------------

TEST(parameters_choose_and_log)
{
    struct seen seen;
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, &seen, 1);
    int all = 0;
    CHECK_EQ(param("n", 1), 7);
    CHECK_EQ(param("big", 1), 16);
    CHECK_EQ(param("neg", 1), -3);
    CHECK_EQ(param("none", 1), 1);
    CHECK_EQ(param("ne", 2), 2);
    for (int i = 0; i < 1000; i++)
        all |= 1 << choose(5);
    CHECK_EQ(all, 31);
    CHECK_EQ(choose(1), 0);
    tr_log(ctx, TR_INFO, "%d apples", 3);
    CHECK_TEXT(seen.text, "3 apples");
    leave(ctx, r);
    CHECK_EQ(tr_start_(NULL, &(tr_config){.params = "n=x"}, &r), TR_EINVAL);
    CHECK_EQ(tr_start_(NULL, &(tr_config){.params = "n"}, &r), TR_EINVAL);
}

TEST(receptionists_have_names_and_classes)
{
    struct seen seen;
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, &seen, 1);
    book_ref mine = spawn(book);
    expose(mine);
    CHECK(receptionist(book, "mine") == mine);
    CHECK(receptionist(book, "other") == NULL);
    CHECK(receptionist(nurse, "mine") == NULL);
    leave(ctx, r);
}

TEST(each_finds_all_of_a_class)
{
    struct seen seen;
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, &seen, 2);
    book_ref b[50];
    int n = 0, sum = 0;
    for (int i = 0; i < 50; i++) {
        b[i] = spawn(book, .sum = i);
        spawn(nurse);
    }
    send(b[7], quit);
    drain();
    for (each(book, p)) {
        n++;
        sum += p->sum;
    }
    CHECK_EQ(n, 49);
    CHECK_EQ(sum, 49 * 50 / 2 - 7);
    for (flying(note, p))
        CHECK(!p);
    CHECK(!deliver_one());
    leave(ctx, r);
}

#define ALIGNED(c, to, bytes)                                                  \
    TR_PROTOCOL(c, look);                                                      \
    struct c {                                                                 \
        _Alignas(to) unsigned char at[bytes];                                  \
    };                                                                         \
    TR_HANDLER(c, look)                                                        \
    {                                                                          \
        CHECK_EQ((uintptr_t)self % (to), 0);                                   \
        CHECK_EQ(self->at[(bytes)-1], 3);                                      \
        self->at[0]++;                                                         \
    }                                                                          \
    TR_BEHAVIOUR(c, on, TR_ON(look));                                          \
    TR_CLASS(c, .start = &c##_on);                                             \
    static void try_##c(tr_ctx *ctx)                                           \
    {                                                                          \
        c##_ref a = spawn(c, .at[(bytes)-1] = 3);                              \
        CHECK(a);                                                              \
        send(a, look);                                                         \
        drain();                                                               \
        CHECK_EQ(peek(c, a)->at[0], 1);                                        \
    }
TR_SIGNAL(look);
ALIGNED(by32, 32, 32)
ALIGNED(by64, 64, 640)
ALIGNED(by32_large, 32, 9600)
ALIGNED(by256, 256, 256)
ALIGNED(by65536, 65536, 65536)

TEST(states_are_aligned_as_they_want)
{
    struct seen seen;
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, &seen, 2);
    try_by32(ctx);
    try_by64(ctx);
    try_by32_large(ctx);
    try_by256(ctx);
    try_by65536(ctx);
    leave(ctx, r);
}

static void on_stats(void *user, const tr_class *cls, const tr_stats *s)
{
    struct seen *seen = user;
    seen->cls = cls;
    seen->stats = *s;
}

TR_SYSTEM(two_books)
{
    book_ref a = spawn(book), b = spawn(book);
    send(a, start, .n = 10, .to = b);
}

TEST(counters_are_handed_over_at_the_end)
{
    struct seen seen = {0};
    CHECK_EQ(
        tr_run(two_books, .threads = 2, .user = &seen, .on_stats = on_stats),
        0);
    CHECK(seen.cls == &book_class);
    CHECK_EQ(seen.stats.spawned, 2);
    CHECK_EQ(seen.stats.sent, 10);
    CHECK_EQ(seen.stats.received, 11);
    CHECK(seen.stats.high_water >= 1 && seen.stats.high_water <= 10);
}

TEST(handlers_cannot_be_misused)
{
    struct seen seen;
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, &seen, 1);
    book_ref b = spawn(book);
    watch(b, nurse, gone, .n = 1);
    stop();
    become(book, opened);
    tr_pause_(ctx);
    CHECK_EQ(seen.logs, 4);
    tr_reply_(ctx, &tr_msg_note, &(struct note){1}, sizeof(struct note));
    CHECK_EQ(seen.faults[TR_FAULT_REPLY], 1);
    leave(ctx, r);
}

TR_STATELESS(aimless);
TR_PROTOCOL(aimless, meek_too);
TR_SIGNAL(meek_too);
TR_CLASS(aimless, .mailbox = 1);

TEST(a_class_without_a_start_is_not_spawned)
{
    struct seen seen;
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, &seen, 1);
    CHECK(!spawn(aimless));
    CHECK_EQ(seen.logs, 1);
    leave(ctx, r);
}

// ---- fairness and shutdown ------------------------------------------------

TR_PROTOCOL(hog, again, meek);
struct again {
    _Atomic int *end;
};
TR_MESSAGE(again);
struct meek {
    _Atomic int *end;
};
TR_MESSAGE(meek);
struct hog {
    int n;
};
TR_HANDLER(hog, again)
{
    self->n++;
    if (!atomic_load(msg->end))
        forward(me(hog), again);
}
TR_HANDLER(hog, meek)
{
    atomic_store(msg->end, 1);
}
TR_BEHAVIOUR(hog, on, TR_ON(again, hog_again), TR_ON(meek, hog_meek));
TR_CLASS(hog, .start = &hog_on);

TEST(a_busy_actor_does_not_starve_others)
{
    struct seen seen;
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, &seen, 1);
    _Atomic int end = 0;
    hog_ref busy = spawn(hog), other = spawn(hog);
    send(busy, again, .end = &end);
    send(other, meek, .end = &end);
    drain();
    CHECK_EQ(end, 1);
    leave(ctx, r);
}

TEST(shutdown_ends_what_never_ends)
{
    struct seen seen;
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, &seen, 2);
    _Atomic int never = 0;
    hog_ref busy = spawn(hog);
    send(busy, again, .end = &never);
    tr_shutdown(r);
    CHECK_EQ(tr_wait(r), TR_ESHUTDOWN);
    CHECK_EQ(tr_try_send(ctx, busy, again, .end = &never), TR_ESHUTDOWN);
    leave(ctx, r);
}

TR_SYSTEM(endless)
{
    static _Atomic int never;
    hog_ref busy = spawn(hog);
    send(busy, again, .end = &never);
    kill(getpid(), SIGTERM);
}

TEST(signals_shut_down)
{
    CHECK_EQ(tr_run(endless, .threads = 2, .handle_signals = true),
             TR_ESHUTDOWN);
    CHECK_EQ(tr_run(two_books, .threads = 2, .handle_signals = true), 0);
}

static tr_runtime *to_shut;
static void from_handler(int sig)
{
    (void)sig;
    tr_shutdown(to_shut);
}

TEST(shutdown_from_a_signal_handler_wakes_sleepers)
{
    struct seen seen;
    tr_ctx *ctx = enter(&to_shut, &seen, 3);
    drain();
    usleep(10000);
    signal(SIGUSR1, from_handler);
    raise(SIGUSR1);
    CHECK_EQ(tr_wait(to_shut), TR_ESHUTDOWN);
    leave(ctx, to_shut);
}

// An actor behind a long handler, alone in its worker's queue, is found by the
// worker that has nothing to do.
TR_PROTOCOL(blocker, block_until);
struct block_until {
    hog_ref helper;
    _Atomic int *end;
};
TR_MESSAGE(block_until);
struct blocker {
    int n;
};
TR_HANDLER(blocker, block_until)
{
    send(msg->helper, meek, .end = msg->end);
    while (!atomic_load(msg->end))
        usleep(100);
}
TR_BEHAVIOUR(blocker, on, TR_ON(block_until, blocker_block_until));
TR_CLASS(blocker, .start = &blocker_on);

TEST(what_is_stuck_behind_a_long_handler_is_stolen)
{
    struct seen seen;
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, &seen, 2);
    for (int i = 0; i < 20; i++) {
        _Atomic int end = 0;
        send(spawn(blocker), block_until, .helper = spawn(hog), .end = &end);
        drain();
        CHECK_EQ(end, 1);
    }
    leave(ctx, r);
}

// Large and strictly aligned messages and states.
TR_PROTOCOL(wide, bulk, strict);
struct bulk {
    char bytes[5000];
};
TR_MESSAGE(bulk);
struct strict {
    _Alignas(128) char bytes[200];
};
TR_MESSAGE(strict);
struct wide {
    _Alignas(64) char bytes[1500];
    int aligned;
    int sum;
};
TR_HANDLER(wide, bulk)
{
    for (size_t i = 0; i < sizeof msg->bytes; i++)
        self->sum += msg->bytes[i];
}
TR_HANDLER(wide, strict)
{
    self->aligned += (uintptr_t)msg % 128 == 0 && (uintptr_t)self % 64 == 0;
    self->sum += msg->bytes[199];
}
TR_BEHAVIOUR(wide, on, TR_ON(bulk, wide_bulk), TR_ON(strict, wide_strict));
TR_CLASS(wide, .start = &wide_on);

TEST(sizes_and_alignments)
{
    struct seen seen;
    tr_runtime *r;
    tr_ctx *ctx = enter(&r, &seen, 2);
    wide_ref w = spawn(wide);
    struct bulk *b = calloc(1, sizeof *b);
    b->bytes[4999] = 5;
    b->bytes[0] = 1;
    for (int i = 0; i < 10; i++) {
        tr_send_(ctx, (tr_ref)w, &tr_msg_bulk, b);
        send(w, strict, .bytes = {[199] = 4});
    }
    drain();
    CHECK_EQ(peek(wide, w)->sum, 100);
    CHECK_EQ(peek(wide, w)->aligned, 10);
    free(b);
    leave(ctx, r);
}

TEST(errors_have_texts)
{
    CHECK_TEXT(tr_strerror(TR_EFULL), "mailbox is full");
    CHECK_TEXT(tr_strerror(0), "no error");
    CHECK_TEXT(tr_strerror(-1000), "unknown error");
}

TEST_MAIN()

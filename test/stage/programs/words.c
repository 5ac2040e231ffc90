/* Every word of the library once, for the stage: each test prints through
 * asserts only, and its handlers log what happened in order. */
#define _GNU_SOURCE
#include "troupe_short.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- a recorder that everybody tells ---------------------------------- */

struct note {
    int what;
};
TR_MESSAGE(note);
TR_PROTOCOL(book, note);
struct book {
    int n;
    int notes[16];
};
TR_HANDLER(book, note)
{
    self->notes[self->n++] = msg->what;
}
TR_BEHAVIOUR(book, open, TR_ON(note, book_note));
TR_CLASS(book, .start = &book_open);

static int read_book(tr_ctx *ctx, book_ref b)
{
    const struct book *book = peek(book, b);
    int all = 0;
    for (int i = 0; i < book->n; i++)
        all = all * 10 + book->notes[i];
    return all;
}

/* ---- defer, become, ignore ------------------------------------------- */

TR_SIGNAL(unlock);
TR_SIGNAL(noise);
struct item {
    int n;
};
TR_MESSAGE(item);
TR_PROTOCOL(door, unlock, noise, item);
struct door {
    book_ref book;
};
TR_STATES(door, locked, unlocked);
TR_HANDLER(door, unlock)
{
    become(door, unlocked);
    send(self->book, note, .what = 9);
}
TR_HANDLER(door, item)
{
    send(self->book, note, .what = msg->n);
}
TR_BEHAVIOUR(door, locked, TR_ON(unlock, door_unlock), TR_DEFER(item),
             TR_IGNORE(noise));
TR_BEHAVIOUR(door, unlocked, TR_ON(item, door_item));
TR_CLASS(door, .start = &door_locked);
TR_TEST(deferring)
{
    book_ref b = spawn(book);
    door_ref d = spawn(door, .book = b);
    send(d, item, .n = 1);
    send(d, noise);
    send(d, item, .n = 2);
    send(d, unlock);
    send(d, item, .n = 3);
    drain();
    assert(read_book(ctx, b) == 9123);
}
TR_TEST(no_row)
{
    door_ref d = spawn(door, .book = spawn(book));
    send(d, unlock);
    send(d, noise);
}
TR_TEST(deferred_for_ever)
{
    door_ref d = spawn(door, .book = spawn(book));
    send(d, item, .n = 1);
}

/* ---- ask, await, get, reply ------------------------------------------ */

struct twice_of {
    int n;
};
struct product {
    int n;
};
TR_REQUEST(twice_of, product);
TR_SIGNAL(quit);
TR_PROTOCOL(server, twice_of, quit);
struct server {
    int mute;
};
TR_HANDLER(server, twice_of)
{
    if (!self->mute)
        reply(twice_of, .n = 2 * msg->n);
}
TR_HANDLER(server, quit)
{
    stop();
}
TR_BEHAVIOUR(server, open, TR_ON(twice_of, server_twice_of),
             TR_ON(quit, server_quit));
TR_CLASS(server, .start = &server_open);

struct use {
    int how;
};
TR_MESSAGE(use);
TR_SIGNAL(tick);
TR_PROTOCOL(client, use, tick);
struct client {
    server_ref server;
    book_ref book;
    int ticks;
};
TR_HANDLER(client, use)
{
    int local[3] = {msg->how, 20, 30};
    int *in = &local[1];
    TR_FUTURE(twice_of) f = ask(self->server, twice_of, .n = *in);
    const struct product *p = msg->how == 1 ? await(f) : get(f);
    send(self->book, note, .what = p ? p->n / *in + msg->how : 0);
    assert(local[0] == msg->how && in == &local[1] && *in == 20);
}
TR_HANDLER(client, tick)
{
    self->ticks++;
    send(self->book, note, .what = 7);
}
TR_BEHAVIOUR(client, open, TR_ON(use, client_use), TR_ON(tick, client_tick));
TR_CLASS(client, .start = &client_open);

static int ask_server(tr_ctx *ctx, int how, int mute)
{
    book_ref b = spawn(book);
    server_ref s = spawn(server, .mute = mute);
    client_ref c = spawn(client, .server = s, .book = b);
    send(c, use, .how = how);
    send(c, tick);
    drain();
    return read_book(ctx, b);
}
TR_TEST(awaiting)
{
    assert(ask_server(ctx, 1, 0) == 73);
}
TR_TEST(getting)
{
    assert(ask_server(ctx, 2, 0) == 47);
}
TR_TEST(never_answered)
{
    ask_server(ctx, 1, 1);
}
TR_TEST(asking_from_the_body)
{
    server_ref s = spawn(server);
    TR_FUTURE(twice_of) f = ask(s, twice_of, .n = 4);
    TR_FUTURE(twice_of) g = ask(s, twice_of, .n = 5);
    assert(get(g)->n == 10);
    assert(get(f)->n == 8);
}
TR_TEST(asking_the_stopped)
{
    server_ref s = spawn(server);
    send(s, quit);
    drain();
    assert(get(ask(s, twice_of, .n = 4)) == NULL);
}
TR_TEST(asking_one_that_stops)
{
    server_ref s = spawn(server, .mute = 1);
    TR_FUTURE(twice_of) f = ask(s, twice_of, .n = 4);
    send(s, quit);
    assert(get(f) == NULL);
}

/* ---- await_until ------------------------------------------------------ */

struct upto {
    int n;
};
TR_MESSAGE(upto);
TR_PROTOCOL(waiter, upto, tick);
struct waiter {
    book_ref book;
    int ticks;
};
TR_HANDLER(waiter, upto)
{
    await_until(self->ticks >= msg->n);
    send(self->book, note, .what = msg->n);
}
TR_HANDLER(waiter, tick)
{
    self->ticks++;
    send(self->book, note, .what = 9);
}
TR_BEHAVIOUR(waiter, open, TR_ON(upto, waiter_upto), TR_ON(tick, waiter_tick));
TR_CLASS(waiter, .start = &waiter_open);
TR_TEST(waiting_for_a_condition)
{
    book_ref b = spawn(book);
    waiter_ref w = spawn(waiter, .book = b);
    send(w, upto, .n = 2);
    send(w, upto, .n = 1);
    send(w, tick);
    send(w, tick);
    drain();
    assert(read_book(ctx, b) == 9192);
}

/* ---- timers ----------------------------------------------------------- */

struct alarm {
    int n;
};
TR_MESSAGE(alarm);
TR_SIGNAL(set);
TR_PROTOCOL(sleeper, set, alarm);
struct sleeper {
    book_ref book;
    tr_timer last;
};
TR_HANDLER(sleeper, set)
{
    send_after(30, me(sleeper), alarm, .n = 3);
    tr_timer t = send_after(20, me(sleeper), alarm, .n = 2);
    send_after(10, self->book, note, .what = 1);
    self->last = send_after(40, me(sleeper), alarm, .n = 4);
    cancel(t);
}
TR_HANDLER(sleeper, alarm)
{
    send(self->book, note, .what = msg->n);
    if (msg->n == 3)
        cancel(self->last);
}
TR_BEHAVIOUR(sleeper, open, TR_ON(set, sleeper_set),
             TR_ON(alarm, sleeper_alarm));
TR_CLASS(sleeper, .start = &sleeper_open);
TR_TEST(timers)
{
    book_ref b = spawn(book);
    send(spawn(sleeper, .book = b), set);
    drain();
    assert(read_book(ctx, b) == 13);
}
TR_TEST(time_limits)
{
    server_ref s = spawn(server, .mute = 1);
    TR_FUTURE(twice_of) f = ask_within(100, s, twice_of, .n = 1);
    assert(get(f) == NULL);
}

/* A periodic timer: the same states again and again. */
TR_SIGNAL(beat);
TR_PROTOCOL(heart, beat);
struct heart {
    tr_timer t;
};
TR_HANDLER(heart, beat)
{
    self->t = send_after(10, me(heart), beat);
}
TR_BEHAVIOUR(heart, open, TR_ON(beat, heart_beat));
TR_CLASS(heart, .start = &heart_open);
TR_TEST(beats)
{
    send(spawn(heart), beat);
}

/* ---- watch, stop, init, fini, creation -------------------------------- */

struct gone {
    int who;
};
TR_MESSAGE(gone);
TR_SIGNAL(begin);
TR_PROTOCOL(parent, begin, gone);
TR_PROTOCOL(child, quit, tick);
struct child {
    book_ref book;
    char *memory;
    int leak;
};
TR_INIT(child)
{
    self->memory = strdup("mine");
    send(self->book, note, .what = 1);
}
TR_FINI(child)
{
    assert(!strcmp(self->memory, "mine"));
    if (!self->leak)
        free(self->memory);
    send(self->book, note, .what = 2);
}
TR_HANDLER(child, quit)
{
    stop();
    send(self->book, note, .what = 3);
}
TR_BEHAVIOUR(child, open, TR_ON(quit, child_quit), TR_IGNORE(tick));
TR_CLASS(child, .start = &child_open, .init = child_init_,
         .fini = child_fini_);
struct parent {
    book_ref book;
    int leak;
    child_ref child;
};
TR_HANDLER(parent, begin)
{
    self->child = spawn(child, .book = self->book, .leak = self->leak);
    watch(self->child, parent, gone, .who = 5);
    send(self->child, quit);
    send(self->child, tick);
}
TR_HANDLER(parent, gone)
{
    send(self->book, note, .what = msg->who);
}
TR_BEHAVIOUR(parent, open, TR_ON(begin, parent_begin),
             TR_ON(gone, parent_gone));
TR_CLASS(parent, .start = &parent_open);
TR_TEST(lives)
{
    book_ref b = spawn(book);
    parent_ref p = spawn(parent, .book = b);
    send(p, begin);
    drain();
    assert(read_book(ctx, b) == 1325);
    assert(peek(child, peek(parent, p)->child) == NULL);
    for (each(child, c))
        assert(!c);
}
TR_TEST(leaks)
{
    send(spawn(parent, .book = spawn(book), .leak = 1), begin);
}

/* ---- what an init hook does, the new actor does -------------------------- */

struct sign {
    tr_ref by;
};
TR_MESSAGE(sign);
struct weight {
    int n;
};
struct weigh {
    int none;
};
TR_REQUEST(weigh, weight);
TR_PROTOCOL(nurse, begin, sign, weigh);
TR_PROTOCOL(twin, sign, gone);
struct nurse {
    int signs;
};
TR_HANDLER(nurse, sign)
{
    assert(sender() == msg->by);
    self->signs++;
}
TR_HANDLER(nurse, weigh)
{
    reply(weigh, .n = 3);
}
struct twin {
    nurse_ref nurse;
    twin_ref younger;
    int more, gone;
};
TR_INIT(twin)
{
    send(self->nurse, sign, .by = (tr_ref)me(twin));
    if (self->more == 1)
        self->younger = spawn(twin, .nurse = self->nurse, .more = 2);
    if (self->more == 2)
        stop();
    else
        watch(self->younger, twin, gone, .who = 1);
    ask(self->nurse, weigh);
    send_after(5, self->nurse, sign, .by = (tr_ref)me(twin));
    send(self->nurse, sign, .by = (tr_ref)me(twin));
}
TR_FINI(twin)
{
    send(self->nurse, sign, .by = (tr_ref)me(twin));
}
TR_HANDLER(twin, sign)
{
    assert(sender() == msg->by);
}
TR_HANDLER(twin, gone)
{
    assert(sender() == (tr_ref)self->younger && msg->who == 1);
    self->gone++;
}
TR_BEHAVIOUR(twin, open, TR_ON(sign, twin_sign), TR_ON(gone, twin_gone));
TR_CLASS(twin, .start = &twin_open, .init = twin_init_, .fini = twin_fini_);
TR_HANDLER(nurse, begin)
{
    send(me(nurse), sign, .by = (tr_ref)me(nurse));
    twin_ref t = spawn(twin, .nurse = me(nurse), .more = 1);
    send(t, sign, .by = (tr_ref)me(nurse));
}
TR_BEHAVIOUR(nurse, open, TR_ON(begin, nurse_begin), TR_ON(sign, nurse_sign),
             TR_ON(weigh, nurse_weigh));
TR_CLASS(nurse, .start = &nurse_open);
TR_TEST(births)
{
    nurse_ref n = spawn(nurse);
    send(n, begin);
    drain();
    assert(peek(nurse, n)->signs == 1 + 3 + 3);
    for (each(twin, t))
        assert(t->more == 1 && t->gone == 1);
}

/* ---- chance, sender --------------------------------------------------- */

TR_SIGNAL(roll);
TR_PROTOCOL(dice, roll);
struct dice {
    int sum;
};
TR_HANDLER(dice, roll)
{
    self->sum = 10 * (int)choose(3) + (int)choose(2);
}
TR_BEHAVIOUR(dice, open, TR_ON(roll, dice_roll));
TR_CLASS(dice, .start = &dice_open);
TR_TEST(chance)
{
    send(spawn(dice), roll);
}

TR_SIGNAL(hello);
TR_PROTOCOL(greeter, hello, begin);
struct greeter {
    greeter_ref other;
    tr_ref from;
};
TR_HANDLER(greeter, hello)
{
    self->from = sender();
}
TR_HANDLER(greeter, begin)
{
    send(self->other, hello);
}
TR_BEHAVIOUR(greeter, open, TR_ON(hello, greeter_hello),
             TR_ON(begin, greeter_begin));
TR_CLASS(greeter, .start = &greeter_open);
TR_TEST(senders)
{
    greeter_ref a = spawn(greeter), b = spawn(greeter, .other = a);
    send(b, begin);
    drain();
    assert(peek(greeter, a)->from == (tr_ref)b);
    send(a, hello);
    drain();
    assert(peek(greeter, a)->from == NULL);
}

/* ---- messages that own memory ----------------------------------------- */

struct node {
    struct node *next;
    int value;
};
struct list {
    struct node *first;
    char *name;
};
static void list_copy(void *to, const void *from)
{
    const struct list *f = from;
    struct list *t = to;
    struct node **at = &t->first;
    for (const struct node *n = f->first; n; n = n->next) {
        *at = malloc(sizeof **at);
        **at = (struct node){.value = n->value};
        at = &(*at)->next;
    }
    t->name = strdup(f->name);
}
static void list_drop(void *p)
{
    struct list *l = p;
    while (l->first) {
        struct node *next = l->first->next;
        free(l->first);
        l->first = next;
    }
    free(l->name);
}
TR_MESSAGE(list, .copy = list_copy, .drop = list_drop);
struct parcel {
    char *text;
};
static void parcel_drop(void *p)
{
    free(((struct parcel *)p)->text);
}
TR_MESSAGE(parcel, .drop = parcel_drop);
TR_PROTOCOL(holder, begin, list, parcel);
struct holder {
    holder_ref next;
    int sum, length;
};
TR_HANDLER(holder, begin)
{
    struct node a[3] = {{&a[1], 1}, {&a[2], 2}, {NULL, 3}};
    char name[] = "three";
    send(self->next, list, .first = a, .name = name);
    send(self->next, parcel, .text = strdup("hello"));
}
TR_HANDLER(holder, list)
{
    for (const struct node *n = msg->first; n; n = n->next)
        self->sum = 10 * self->sum + n->value;
    self->length = (int)strlen(msg->name);
    if (self->next)
        forward(self->next, list);
}
TR_HANDLER(holder, parcel)
{
    self->length += 100 * (int)strlen(msg->text);
    if (self->next)
        forward(self->next, parcel);
}
TR_BEHAVIOUR(holder, open, TR_ON(begin, holder_begin), TR_ON(list, holder_list),
             TR_ON(parcel, holder_parcel));
TR_CLASS(holder, .start = &holder_open);
TR_TEST(owned_memory)
{
    holder_ref c = spawn(holder), b = spawn(holder, .next = c);
    holder_ref a = spawn(holder, .next = b);
    send(a, begin);
    drain();
    assert(peek(holder, b)->sum == 123 && peek(holder, b)->length == 505);
    assert(peek(holder, c)->sum == 123 && peek(holder, c)->length == 505);
}

/* ---- test bodies and invariants --------------------------------------- */

TR_TEST(one_at_a_time)
{
    book_ref b = spawn(book);
    for (int i = 1; i <= 3; i++)
        send(b, note, .what = i);
    int flying = 0;
    for (flying(note, m))
        flying += m->what;
    assert(flying == 6);
    assert(deliver_one());
    assert(read_book(ctx, b) == 1);
    drain_until(peek(book, b)->n == 3);
    assert(read_book(ctx, b) == 123);
    assert(!deliver_one());
}
TR_TEST(many)
{
    spawn(dice, .sum = 1);
    spawn(dice, .sum = 2);
    send(spawn(dice, .sum = 3), roll);
    int all = 0;
    for (each(dice, d))
        all = 10 * all + d->sum;
    assert(all == 123);
}
TR_INVARIANT(sums_are_small)
{
    for (each(dice, d))
        if (d->sum > 15)
            return false;
    return true;
}

TR_SYSTEM(bank)
{
    server_ref server = spawn(server);
    expose(server);
}
TR_REPLAY(of_system, "bank", "pair", "")
{
    server_ref s = receptionist(server, "server");
    assert(s && !receptionist(server, "nobody"));
    assert(get(ask(s, twice_of, .n = 3))->n == 6);
}

/* ---- become, then hold the actor ----------------------------------------- */

TR_SIGNAL(swap);
TR_PROTOCOL(clerk, item, swap);
struct clerk {
    server_ref server;
    book_ref book;
};
TR_STATES(clerk, closed, open);
TR_HANDLER(clerk, swap)
{
    become(clerk, open);
    send(self->book, note, .what = get(ask(self->server, twice_of, .n = 2))->n);
}
TR_HANDLER(clerk, item)
{
    send(self->book, note, .what = msg->n);
}
TR_BEHAVIOUR(clerk, closed, TR_DEFER(item), TR_ON(swap, clerk_swap));
TR_BEHAVIOUR(clerk, open, TR_ON(item, clerk_item), TR_IGNORE(swap));
TR_CLASS(clerk, .start = &clerk_closed);
TR_TEST(deferring_while_held)
{
    book_ref b = spawn(book);
    clerk_ref c = spawn(clerk, .server = spawn(server), .book = b);
    send(c, item, .n = 1);
    send(c, swap);
    send(c, item, .n = 2);
    drain();
    assert(read_book(ctx, b) == 412);
}

/* ---- futures that hide, travel, and are used up ---------------------------- */

struct question_of {
    server_ref server;
};
TR_MESSAGE(question_of);
TR_PROTOCOL(diver, question_of, later, carry, foreign, aside);
TR_SIGNAL(later);
struct carry {
    char c;
    TR_FUTURE(twice_of) f;
} __attribute__((packed));
TR_MESSAGE(carry);
struct foreign {
    TR_FUTURE(twice_of) f;
};
TR_MESSAGE(foreign);
TR_SIGNAL(aside);
struct diver {
    server_ref server;
    char c;
    TR_FUTURE(twice_of) hidden;
    int sum, how;
} __attribute__((packed));
TR_HANDLER(diver, question_of)
{
    self->hidden = ask(msg->server, twice_of, .n = 10);
}
TR_HANDLER(diver, later)
{
    self->sum += get(self->hidden)->n;
}
TR_HANDLER(diver, aside)
{
    send(me(diver), carry, .f = ask(self->server, twice_of, .n = 100));
}
TR_HANDLER(diver, carry)
{
    /* an answer that came meanwhile, under another name */
    int other = get(ask(self->server, twice_of, .n = 1000))->n;
    self->sum += get(msg->f)->n + other;
}
TR_HANDLER(diver, foreign)
{
    TR_FUTURE(twice_of) mine = ask(self->server, twice_of, .n = 1);
    self->sum += get(msg->f) != NULL;
    self->sum += get(mine)->n;
}
TR_BEHAVIOUR(diver, on, TR_ON(question_of, diver_question_of),
             TR_ON(later, diver_later), TR_ON(carry, diver_carry),
             TR_ON(foreign, diver_foreign), TR_ON(aside, diver_aside));
TR_CLASS(diver, .start = &diver_on);
TR_TEST(a_future_in_a_packed_struct)
{
    server_ref s = spawn(server);
    diver_ref d = spawn(diver, .server = s);
    send(d, question_of, .server = s);
    drain();
    send(d, later);
    drain();
    assert(peek(diver, d)->sum == 20);
}
TR_TEST(a_future_in_a_message)
{
    diver_ref d = spawn(diver, .server = spawn(server));
    send(d, aside);
    send(d, aside);
    drain();
    assert(peek(diver, d)->sum == 2 * 2200);
}
TR_TEST(anothers_future)
{
    server_ref s = spawn(server);
    diver_ref d = spawn(diver, .server = s);
    send(d, foreign, .f = ask(s, twice_of, .n = 50));
}
TR_TEST(a_used_up_future)
{
    server_ref s = spawn(server);
    diver_ref d = spawn(diver, .server = s);
    send(d, question_of, .server = s);
    drain();
    send(d, later);
    drain();
    send(d, later);
}

/* ---- asking for ever ------------------------------------------------------- */

TR_PROTOCOL(beggar, later, aside);
struct beggar {
    server_ref server;
    TR_FUTURE(twice_of) last;
};
TR_HANDLER(beggar, later)
{
    await(ask(self->server, twice_of, .n = 1));
    send(me(beggar), later);
}
TR_HANDLER(beggar, aside)
{
    self->last = ask(self->server, twice_of, .n = 1);
    send(me(beggar), aside);
}
TR_BEHAVIOUR(beggar, on, TR_ON(later, beggar_later), TR_ON(aside, beggar_aside));
TR_CLASS(beggar, .start = &beggar_on);
TR_TEST(begs)
{
    send(spawn(beggar, .server = spawn(server)), later);
}
TR_TEST(begs_and_does_not_wait)
{
    send(spawn(beggar, .server = spawn(server)), aside);
}

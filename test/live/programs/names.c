/* Names of futures and timers that hide in packed structs, travel in messages,
 * and are used when they are old. */
#include "troupe_short.h"

struct answer {
    int v;
};
struct question {
    int v;
};
TR_REQUEST(question, answer);
TR_PROTOCOL(server, question);
struct server {
    int n;
};
TR_HANDLER(server, question)
{
    reply(question, .v = 10 * ++self->n + msg->v);
}
TR_BEHAVIOUR(server, open, TR_ON(question, server_question));
TR_CLASS(server, .start = &server_open);

/* ---- futures --------------------------------------------------------------- */

TR_SIGNAL(begin);
struct carry {
    char c;
    TR_FUTURE(question) f;
} __attribute__((packed));
TR_MESSAGE(carry);
TR_PROTOCOL(asker, begin, carry);
struct asker {
    char c;
    server_ref server;
    TR_FUTURE(question) early;
    int log, id;
} __attribute__((packed));
TR_HANDLER(asker, begin)
{
    if (!self->early) {
        self->early = ask(self->server, question, .v = self->id);
        return;
    }
    TR_FUTURE(question) f = self->early;
    self->early = NULL;
    send(me(asker), carry, .f = f);
    send(me(asker), carry, .f = ask(self->server, question, .v = 3));
}
TR_HANDLER(asker, carry)
{
    self->log = 100 * self->log + get(msg->f)->v;
}
TR_BEHAVIOUR(asker, open, TR_ON(begin, asker_begin), TR_ON(carry, asker_carry));
TR_CLASS(asker, .start = &asker_open);

TR_TEST(futures_travel)
{
    server_ref s = spawn(server);
    asker_ref a = spawn(asker, .server = s, .id = 1);
    asker_ref b = spawn(asker, .server = s, .id = 2);
    send(a, begin);
    send(b, begin);
    send(a, begin);
}

/* ---- timers ---------------------------------------------------------------- */

TR_SIGNAL(tick);
struct stop_it {
    char c;
    tr_timer t;
} __attribute__((packed));
TR_MESSAGE(stop_it);
TR_PROTOCOL(clock, begin, tick, stop_it);
TR_PROTOCOL(mirror, stop_it);
struct mirror {
    int n;
};
struct clock {
    char c;
    mirror_ref mirror;
    tr_timer old;
    int ticks;
} __attribute__((packed));
TR_HANDLER(clock, begin)
{
    cancel(self->old);
    tr_timer t = send_after(10, me(clock), tick);
    send(self->mirror, stop_it, .t = t);
    self->old = t;
}
TR_HANDLER(clock, tick)
{
    self->ticks++;
    self->old = 0;
    if (self->ticks == 1)
        send_after(10, me(clock), tick);
}
TR_HANDLER(clock, stop_it)
{
    cancel(msg->t);
}
TR_BEHAVIOUR(clock, open, TR_ON(begin, clock_begin), TR_ON(tick, clock_tick),
             TR_ON(stop_it, clock_stop_it));
TR_CLASS(clock, .start = &clock_open);
TR_HANDLER(mirror, stop_it)
{
    self->n++;
    tr_send_any(ctx, sender(), stop_it, .t = msg->t);
}
TR_BEHAVIOUR(mirror, open, TR_ON(stop_it, mirror_stop_it));
TR_CLASS(mirror, .start = &mirror_open);

TR_TEST(timers_travel)
{
    clock_ref c = spawn(clock, .mirror = spawn(mirror));
    send(c, begin);
    send(c, begin);
}

/* One target for each rule of the backward search: the comments name them. */
#include "troupe_short.h"
#include <stdint.h>
TR_PROTOCOL(child, poke, who);
TR_PROTOCOL(boss, make, hit, got, open_up, secret, later, ring, quiet, q, slow,
            pickm, fwd);
struct poke {
    int n;
};
TR_MESSAGE(poke);
struct whoa {
    int id;
};
struct who {
    int k;
};
TR_REQUEST(who, whoa);
struct make {
    int id;
};
TR_MESSAGE(make);
struct hit {
    int n;
};
TR_MESSAGE(hit);
struct got {
    int n;
};
TR_MESSAGE(got);
TR_SIGNAL(open_up);
struct secret {
    int code;
};
TR_MESSAGE(secret);
struct later {
    int n;
};
TR_MESSAGE(later);
struct ring {
    int n;
};
TR_MESSAGE(ring);
TR_SIGNAL(quiet);
struct q {
    int n;
};
TR_MESSAGE(q);
struct slow {
    int n;
};
TR_MESSAGE(slow);
TR_SIGNAL(pickm);
struct fwd {
    int n;
    boss_ref other;
};
TR_MESSAGE(fwd);

struct child {
    int id, seen;
    boss_ref boss;
};
TR_INIT(child)
{
    self->seen = self->id * 2;
}
TR_HANDLER(child, poke)
{
    self->seen += msg->n;
    if (self->seen == 1234)
        self->id = 0; // child
    send(self->boss, got, .n = self->seen);
}
TR_HANDLER(child, who)
{
    reply(who, .id = self->id + msg->k);
}
TR_BEHAVIOUR(child, up, TR_ON(poke, child_poke), TR_ON(who, child_who));
TR_CLASS(child, .start = &child_up, .init = child_init_);

struct boss {
    child_ref kid;
    int state;
    int sum;
    tr_timer t;
    int rung;
    int answered;
};
extern const tr_behaviour boss_open, boss_shut;
TR_HANDLER(boss, make)
{
    if (msg->id > 100)
        self->kid = spawn(child, .id = msg->id, .boss = me(boss));
}
TR_HANDLER(boss, hit)
{
    if (self->kid)
        send(self->kid, poke, .n = msg->n);
}
TR_HANDLER(boss, got)
{
    self->sum = msg->n;
    if (msg->n == 555 && sender())
        self->state = 9; // got
}
TR_HANDLER(boss, open_up)
{
    become(boss, open);
}
TR_HANDLER(boss, secret)
{
    if (msg->code == 0x5eed)
        self->state = 5; // secret
}
TR_HANDLER(boss, later)
{
    if (msg->n == 42)
        self->t = send_after(50, me(boss), ring, .n = self->sum + 1);
}
TR_HANDLER(boss, ring)
{
    if (msg->n == 600 && self->sum == 7)
        self->rung = 1; // ring
}
TR_HANDLER(boss, quiet)
{
    cancel(self->t);
}
TR_HANDLER(boss, q)
{
    int before = self->sum;
    const struct whoa *a = await(ask(self->kid, who, .k = msg->n));
    if (!a)
        return;
    if (a->id == 350 && msg->n == 40)
        self->answered = 1; // answer
    if (self->sum != before && self->sum == 400)
        self->answered = 2; // between
}
TR_HANDLER(boss, slow)
{
    const struct whoa *a = get(ask_within(10, self->kid, who, .k = msg->n));
    if (!a && msg->n == 8)
        self->answered = 3; // limit
}
TR_HANDLER(boss, pickm)
{
    if (choose(5) == 3 && self->sum == 222)
        self->answered = 4; // choose
}
TR_HANDLER(boss, fwd)
{
    if (msg->n == 3 && msg->other == me(boss))
        self->answered = 5; // self
    if (msg->other && msg->n == 99)
        send(msg->other, secret, .code = 0x5eed);
}
TR_BEHAVIOUR(boss, shut, TR_ON(make, boss_make), TR_ON(hit, boss_hit),
             TR_ON(got, boss_got), TR_ON(open_up, boss_open_up),
             TR_DEFER(secret), TR_ON(later, boss_later), TR_ON(ring, boss_ring),
             TR_ON(quiet, boss_quiet), TR_ON(q, boss_q), TR_ON(slow, boss_slow),
             TR_ON(pickm, boss_pickm), TR_ON(fwd, boss_fwd));
TR_BEHAVIOUR(boss, open, TR_ON(make, boss_make), TR_ON(hit, boss_hit),
             TR_ON(got, boss_got), TR_IGNORE(open_up),
             TR_ON(secret, boss_secret), TR_ON(later, boss_later),
             TR_ON(ring, boss_ring), TR_ON(quiet, boss_quiet), TR_ON(q, boss_q),
             TR_ON(slow, boss_slow), TR_ON(pickm, boss_pickm),
             TR_ON(fwd, boss_fwd));
TR_CLASS(boss, .start = &boss_shut);
TR_SYSTEM(sys)
{
    boss_ref b = spawn(boss);
    expose(b);
}

// The threads manager under load: many actors on more threads than cores, all
// features at once.  Meant for TSan; each test takes a second or two there.
#include "troupe_short.h"
#include "test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

// ---- a storm: nodes spawn, send to whom they know, ask, stop --------------

TR_PROTOCOL(node, storm, weigh, gone, alarm);
struct weight {
    long value;
};
struct weigh {
    int hops;
};
TR_REQUEST(weigh, weight);
struct storm {
    node_ref friends[3];
    int left;
};
TR_MESSAGE(storm);
TR_SIGNAL(gone);
TR_SIGNAL(alarm);

static _Atomic long alive, weighed, storms, notices;

struct node {
    node_ref friends[3];
    int received;
    char padding[200];
};
TR_INIT(node)
{
    self->padding[7] = 7;
    atomic_fetch_add(&alive, 1);
}
TR_FINI(node)
{
    atomic_fetch_sub(&alive, self->padding[7] == 7);
}
static node_ref any(tr_ctx *ctx, struct node *self)
{
    node_ref f = self->friends[choose(3)];
    return f ? f : me(node);
}
TR_HANDLER(node, storm)
{
    node_ref mine = me(node);
    self->received++;
    atomic_fetch_add(&storms, 1);
    self->friends[choose(3)] = msg->friends[choose(3)];
    if (msg->left == 0)
        return;
    switch (choose(8)) {
    case 0: {
        node_ref n = spawn(node, .friends = {mine, self->friends[0]});
        send(n, storm, .friends = {mine}, .left = msg->left - 1);
        watch(n, node, gone);
        break;
    }
    case 1: {
        const struct weight *w =
            await(ask(any(ctx, self), weigh, .hops = (int)choose(3)));
        atomic_fetch_add(&weighed, w ? w->value : 1);
        send(any(ctx, self), storm, .friends = {mine}, .left = msg->left - 1);
        break;
    }
    case 2:
        if (choose(4) == 0)
            stop();
        send(any(ctx, self), storm, .friends = {any(ctx, self)},
             .left = msg->left - 1);
        break;
    case 3: {
        const struct weight *w =
            await(ask_within(choose(3), any(ctx, self), weigh, .hops = 1));
        atomic_fetch_add(&weighed, w ? w->value : 1);
        forward(any(ctx, self), storm);
        break;
    }
    case 4: {
        tr_timer t = send_after(choose(3), mine, alarm);
        if (choose(2))
            cancel(t);
        send_after(choose(2), any(ctx, self), alarm);
        break;
    }
    default:
        send(any(ctx, self), storm, .friends = {mine, any(ctx, self)},
             .left = msg->left - 1);
        send(any(ctx, self), storm, .friends = {any(ctx, self), mine},
             .left = msg->left - 1);
    }
}
TR_HANDLER(node, weigh)
{
    long more = 0;
    if (msg->hops > 0 && self->friends[0] != me(node)) {
        const struct weight *w = await(
            ask_within(5, self->friends[0], weigh, .hops = msg->hops - 1));
        more = w ? w->value : 0;
    }
    reply(weigh, .value = 1 + more);
}
TR_HANDLER(node, gone)
{
    atomic_fetch_add(&notices, 1);
}
TR_HANDLER(node, alarm)
{
    self->received++;
}
TR_BEHAVIOUR(node, on, TR_ON(storm, node_storm), TR_ON(weigh, node_weigh),
             TR_ON(gone, node_gone), TR_ON(alarm, node_alarm));
TR_CLASS(node, .start = &node_on, .init = node_init_, .fini = node_fini_);

static void quiet(void *user, const tr_fault *f)
{
    (void)user;
    if (f->kind != TR_FAULT_STOPPED && f->kind != TR_FAULT_NOBODY)
        abort();
}

static void storm(uint32_t threads, int left, int rounds)
{
    tr_runtime *r;
    tr_ctx *ctx;
    storms = alive = 0;
    if (tr_start_(
            NULL,
            &(tr_config){.threads = threads, .on_fault = quiet, .slice = 5},
            &r))
        abort();
    ctx = tr_enter(r);
    for (int i = 0; i < rounds; i++) {
        node_ref n[3];
        for (int k = 0; k < 3; k++)
            n[k] = spawn(node);
        for (int k = 0; k < 3; k++)
            send(n[k], storm, .friends = {n[0], n[1], n[2]}, .left = left);
        if (i % 4 == 0)
            drain();
    }
    drain();
    CHECK(storms > rounds * 3);
    CHECK(alive > 0);
    tr_leave(ctx);
    tr_end(r);
    CHECK_EQ(alive, 0);
}

TEST(storm_on_two_threads)
{
    storm(2, 12, 20);
}

TEST(storm_on_four_threads)
{
    storm(4, 12, 20);
}

TEST(storm_ended_in_the_middle)
{
    for (int i = 0; i < 20; i++) {
        tr_runtime *r;
        tr_ctx *ctx;
        alive = 0;
        tr_start_(NULL, &(tr_config){.threads = 3, .on_fault = quiet}, &r);
        ctx = tr_enter(r);
        for (int k = 0; k < 10; k++) {
            node_ref n = spawn(node);
            send(n, storm, .friends = {n, n, n}, .left = 14);
        }
        tr_leave(ctx);
        tr_shutdown(r);
        tr_end(r);
        CHECK_EQ(alive, 0);
    }
}

// ---- many threads outside -------------------------------------------------

TR_PROTOCOL(sink, drop_in, total, close_down);
struct drop_in {
    int n;
};
TR_MESSAGE(drop_in);
struct total {
    char none;
};
TR_REQUEST(total, weight);
TR_SIGNAL(close_down);
struct sink {
    long sum;
};
TR_HANDLER(sink, drop_in)
{
    self->sum += msg->n;
}
TR_HANDLER(sink, total)
{
    reply(total, .value = self->sum);
}
TR_HANDLER(sink, close_down)
{
    stop();
}
TR_BEHAVIOUR(sink, on, TR_ON(drop_in, sink_drop_in), TR_ON(total, sink_total),
             TR_ON(close_down, sink_close_down));
TR_CLASS(sink, .start = &sink_on, .mailbox = 50);

struct visitor {
    tr_runtime *r;
    sink_ref to;
};

static void *visit(void *arg)
{
    struct visitor *v = arg;
    for (int i = 0; i < 5; i++) {
        tr_ctx *ctx = tr_enter(v->r);
        tr_block_when_full(ctx, true);
        for (int k = 0; k < 200; k++)
            send(v->to, drop_in, .n = 1);
        if (!get(ask(v->to, total)))
            abort();
        send(spawn(sink), drop_in, .n = 1);
        tr_leave(ctx);
    }
    return NULL;
}

TEST(visitors_block_and_ask)
{
    pthread_t threads[4];
    struct visitor v;
    tr_ctx *ctx;
    if (tr_start_(NULL, &(tr_config){.threads = 2}, &v.r))
        abort();
    ctx = tr_enter(v.r);
    v.to = spawn(sink);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, visit, &v);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    CHECK_EQ(get(ask(v.to, total))->value, 4 * 5 * 200);
    tr_leave(ctx);
    tr_end(v.r);
}

// ---- stale references, from everywhere, into slots that are used again ----

TR_PROTOCOL(mayfly, buzz, swarm);
struct buzz {
    tr_ref other;
};
TR_MESSAGE(buzz);
struct swarm {
    int n;
};
TR_MESSAGE(swarm);
static _Atomic long right, wrong;
struct mayfly {
    tr_ref self;
};
TR_INIT(mayfly)
{
    self->self = (tr_ref)me(mayfly);
}
TR_HANDLER(mayfly, buzz)
{
    atomic_fetch_add(self->self == (tr_ref)me(mayfly) ? &right : &wrong, 1);
    send_any(msg->other, buzz, .other = msg->other);
    stop();
}
TR_HANDLER(mayfly, swarm)
{
    mayfly_ref last = me(mayfly);
    for (int i = 0; i < msg->n; i++) {
        mayfly_ref m = spawn(mayfly);
        send(m, buzz, .other = (tr_ref)last);
        send(last, buzz, .other = (tr_ref)m);
        last = m;
    }
}
TR_BEHAVIOUR(mayfly, on, TR_ON(buzz, mayfly_buzz), TR_ON(swarm, mayfly_swarm));
TR_CLASS(mayfly, .start = &mayfly_on, .init = mayfly_init_);

TEST(stale_references_never_hit_another)
{
    tr_runtime *r;
    tr_ctx *ctx;
    tr_stats s;
    right = wrong = 0;
    tr_start_(NULL, &(tr_config){.threads = 4, .on_fault = quiet}, &r);
    ctx = tr_enter(r);
    for (int i = 0; i < 10; i++)
        send(spawn(mayfly), swarm, .n = 500);
    drain();
    tr_stats_of(r, &mayfly_class, &s);
    CHECK_EQ(wrong, 0);
    CHECK_EQ(s.received - 10, right);
    CHECK_EQ(s.spawned, 5010);
    tr_leave(ctx);
    tr_end(r);
}

// ---- mail that is put aside while more comes ------------------------------

TR_PROTOCOL(gate, pass, flip, hold, told);
struct pass {
    long n;
};
TR_MESSAGE(pass);
TR_SIGNAL(flip);
struct hold {
    gate_ref other;
};
TR_MESSAGE(hold);
struct told {
    long n;
};
TR_REQUEST(told, told);

static _Atomic long passes, disorder;

struct gate {
    long seen[4]; // per sender
    bool shut;
};
TR_STATES(gate, open_, shut_);
TR_HANDLER(gate, pass)
{
    long who = msg->n % 4;
    if (msg->n / 4 != self->seen[who])
        atomic_fetch_add(&disorder, 1);
    self->seen[who]++;
    atomic_fetch_add(&passes, 1);
}
TR_HANDLER(gate, flip)
{
    self->shut = !self->shut;
    if (self->shut)
        become(gate, shut_);
    else
        become(gate, open_);
}
TR_HANDLER(gate, hold) // while it waits, mail is kept
{
    const struct told *t = get(ask(msg->other, told, .n = 1));
    if (!t || t->n != 2)
        atomic_fetch_add(&disorder, 1);
}
TR_HANDLER(gate, told)
{
    reply(told, .n = msg->n + 1);
}
TR_BEHAVIOUR(gate, open_, TR_ON(pass, gate_pass), TR_ON(flip, gate_flip),
             TR_ON(hold, gate_hold), TR_ON(told, gate_told));
TR_BEHAVIOUR(gate, shut_, TR_DEFER(pass), TR_ON(flip, gate_flip),
             TR_ON(hold, gate_hold), TR_ON(told, gate_told));
TR_CLASS(gate, .start = &gate_open_);

enum { PASSES = 20000, PUSHERS = 2 };

struct crowd {
    tr_runtime *r;
    gate_ref gate, other;
    long who;
};

// Mail that comes just when the one before it is put aside is what this is
// about: some moments are right.
static void dawdle(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    for (volatile uint32_t i = *seed >> 20; i > 0; i--)
        ;
}

static void *push(void *arg)
{
    struct crowd *c = arg;
    tr_ctx *ctx = tr_enter(c->r);
    uint32_t seed = (uint32_t)c->who;
    for (long i = 0; i < PASSES; i++) {
        send(c->gate, pass, .n = 4 * i + c->who);
        dawdle(&seed);
        send(c->gate, flip);
        dawdle(&seed);
        if (i % 50 == 0)
            send(c->gate, hold, .other = c->other);
    }
    tr_leave(ctx);
    return NULL;
}

TEST(mail_is_put_aside_while_more_comes)
{
    pthread_t threads[PUSHERS];
    struct crowd c[PUSHERS];
    tr_runtime *r;
    tr_ctx *ctx;
    passes = disorder = 0;
    if (tr_start_(NULL,
                  &(tr_config){.threads = 2, .on_fault = quiet, .slice = 9},
                  &r))
        abort();
    ctx = tr_enter(r);
    c[0] = (struct crowd){.r = r, .gate = spawn(gate), .other = spawn(gate)};
    for (long i = 0; i < PUSHERS; i++) {
        c[i] = c[0];
        c[i].who = i;
        pthread_create(&threads[i], NULL, push, &c[i]);
    }
    for (int i = 0; i < PUSHERS; i++)
        pthread_join(threads[i], NULL);
    drain();
    if (peek(gate, c[0].gate)->shut)
        send(c[0].gate, flip);
    drain();
    CHECK_EQ(passes, PUSHERS * PASSES);
    CHECK_EQ(disorder, 0);
    tr_leave(ctx);
    tr_end(r);
}

TEST_MAIN()

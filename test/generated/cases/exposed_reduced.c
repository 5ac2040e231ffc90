/* Handlers expose actors: receives of different actors do not commute, and
 * `reduced` must not leave any out.
 *
 * Bugs: none
 */
#include "troupe_short.h"
#include <assert.h>
#include <stdlib.h>

#define ALL m0, m1, m2, tick, gone, q0, q1
TR_PROTOCOL(peer, ALL);
#define FIELDS int v, hops; peer_ref to; tr_timer t; TR_FUTURE(q0) f
#define STATE int x, y, log, hops; peer_ref a, b; tr_timer t; int *p; \
    TR_FUTURE(q0) f
#define PACKED \
    char odd; \
    struct { STATE; } __attribute__((packed));
struct answer { int v; };
struct m0 { FIELDS; };
TR_MESSAGE(m0);
struct m1 { FIELDS; };
TR_MESSAGE(m1);
struct m2 { FIELDS; int *p; }; /* owns what p points to */
static void m2_copy(void *to, const void *from)
{
    const struct m2 *old = from;
    struct m2 *new = to;
    new->p = old->p ? malloc(sizeof *new->p) : NULL;
    if (new->p)
        *new->p = *old->p;
}
static void m2_drop(void *m)
{
    free(((struct m2 *)m)->p);
}
TR_MESSAGE(m2, .copy = m2_copy, .drop = m2_drop);
struct tick { FIELDS; };
TR_MESSAGE(tick);
struct gone { FIELDS; };
TR_MESSAGE(gone);
struct q0 { FIELDS; };
TR_REQUEST(q0, answer);
struct q1 { FIELDS; };
TR_REQUEST(q1, answer);
/* r, or the actor itself if r is nobody */
static inline peer_ref some(tr_ctx *ctx, peer_ref r)
{
    return r ? r : (peer_ref)tr_self_(ctx);
}
#define SOME(r) some(ctx, r)
#define LOOK(c, r, ok) \
    do { \
        const struct c *s = peek(c, (c##_ref)r); \
        if (s) \
            assert(ok); \
    } while (0)
#define DRAIN_UNTIL(c, r, ok) \
    do { \
        const struct c *s = peek(c, (c##_ref)r); \
        if (s && (ok)) \
            break; \
    } while (deliver_one())

/* ---- 80757562: SPAWN STOP CANCEL AWAIT WITHIN UNTIL CHOOSE HEAP SENDER IDS PACKED EXPOSE */
TR_PROTOCOL(g80757562a, ALL);
struct g80757562a { PACKED };
TR_PROTOCOL(g80757562b, ALL);
struct g80757562b { PACKED };

TR_STATES(g80757562a, b0, b1);
TR_HANDLER_AS(g80757562a_0_m0, g80757562a, m0)
{
    self->x = (int)choose(3);
}
TR_HANDLER_AS(g80757562a_0_m1, g80757562a, m1)
{
    self->x = (self->x + msg->v) % 4;
    cancel(msg->t);
}
TR_HANDLER_AS(g80757562a_0_m2, g80757562a, m2)
{
    self->x = (int)choose(2);
    expose_as(SOME(self->b), "n0");
}
TR_HANDLER_AS(g80757562a_0_q0, g80757562a, q0)
{
#undef REPLY
#define REPLY(...) reply(q0, __VA_ARGS__)
    if (msg->hops > 0)
        send(SOME(self->a), m0, .v = (self->x + msg->v) % 4, .hops = msg->hops - 1, .to = SOME(self->b));
    if (msg->hops > 0)
        send(SOME(self->b), m2, .v = self->x, .hops = msg->hops - 1, .to = SOME((peer_ref)sender()), .p = self->p);
    REPLY(.v = 0);
}
TR_HANDLER_AS(g80757562a_0_q1, g80757562a, q1)
{
#undef REPLY
#define REPLY(...) reply(q1, __VA_ARGS__)
    self->t = msg->t;
    if (msg->hops > 0) {
        TR_FUTURE(q1) f0 = ask(SOME(NULL), q1, .v = self->x, .hops = msg->hops - 1, .to = SOME(self->b));
        TR_FUTURE(q1) f1 = ask(SOME(NULL), q1, .v = self->x, .hops = msg->hops - 1, .to = SOME(self->b));
        self->b = msg->to;
        const struct answer *r1 = await(f1);
        self->x = r1 ? r1->v : self->x;
        const struct answer *r0 = await(f0);
        self->x = r0 ? r0->v : self->x;
    }
    if (msg->hops > 0) {
        TR_FUTURE(q0) f0 = ask(SOME(self->b), q0, .v = 2, .hops = msg->hops - 1, .to = SOME(self->a));
        const struct answer *r0 = await(f0);
        self->x = r0 ? r0->v : self->x;
    }
    REPLY(.v = 0);
}
TR_BEHAVIOUR(g80757562a, b0,
             TR_ON(m0, g80757562a_0_m0),
             TR_ON(m1, g80757562a_0_m1),
             TR_ON(m2, g80757562a_0_m2),
             TR_IGNORE(tick),
             TR_IGNORE(gone),
             TR_ON(q0, g80757562a_0_q0),
             TR_ON(q1, g80757562a_0_q1));
TR_CLASS(g80757562a, .start = &g80757562a_b0);

TR_STATES(g80757562b, b0, b1);
TR_HANDLER_AS(g80757562b_0_m0, g80757562b, m0)
{
    if (msg->hops > 0)
        send(SOME(NULL), m2, .v = 1, .hops = msg->hops - 1, .to = SOME(self->b), .p = self->p);
}
TR_HANDLER_AS(g80757562b_0_m1, g80757562b, m1)
{
    if (msg->hops > 0)
        send(SOME(self->b), m0, .v = 1, .hops = msg->hops - 1, .to = SOME(NULL));
    if (msg->hops > 0) {
        self->a = (peer_ref)spawn(g80757562b, .x = (self->x + msg->v) % 4, .a = SOME(NULL), .hops = msg->hops - 1);
    }
}
TR_HANDLER_AS(g80757562b_0_m2, g80757562b, m2)
{
    {
        g80757562b_ref found = receptionist(g80757562b, "n0");
        if (found)
            self->b = (peer_ref)found;
        else
            self->x = (self->x + msg->v) % 4;
    }
}
TR_HANDLER_AS(g80757562b_0_q0, g80757562b, q0)
{
#undef REPLY
#define REPLY(...) reply(q0, __VA_ARGS__)
    cancel(msg->t);
    self->y = 3;
    {
        g80757562a_ref found = receptionist(g80757562a, "n0");
        if (found)
            self->b = (peer_ref)found;
        else
            self->x = self->x;
    }
}
TR_HANDLER_AS(g80757562b_0_q1, g80757562b, q1)
{
#undef REPLY
#define REPLY(...) reply(q1, __VA_ARGS__)
    self->y = self->x;
    REPLY(.v = 3);
}
TR_BEHAVIOUR(g80757562b, b0,
             TR_ON(m0, g80757562b_0_m0),
             TR_ON(m1, g80757562b_0_m1),
             TR_ON(m2, g80757562b_0_m2),
             TR_IGNORE(tick),
             TR_IGNORE(gone),
             TR_ON(q0, g80757562b_0_q0),
             TR_ON(q1, g80757562b_0_q1));
TR_CLASS(g80757562b, .start = &g80757562b_b0);

TR_TEST(g80757562)
{
    peer_ref r0 = (peer_ref)spawn(g80757562a, .x = 2);
    peer_ref r1 = (peer_ref)spawn(g80757562b, .x = 0, .a = r0, .b = r0, .hops = 0);
    peer_ref r2 = (peer_ref)spawn(g80757562a, .x = 0, .a = r1, .b = r1, .hops = 0);
    (void)r0;
    (void)r1;
    (void)r2;
    send(r2, m2, .v = 1, .hops = 1, .to = r0);
    send(r2, m1, .v = 3, .hops = 2, .to = r1);
    send(r0, m2, .v = 3, .hops = 1, .to = r0);
}

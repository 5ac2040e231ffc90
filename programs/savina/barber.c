/* Sleeping barber (BAR): customers, a waiting room with w seats, a barber.
 *
 * The driver sends start to the factory, which creates n customers and sends
 * enter to the room for each.  The room sends full to a customer if all seats
 * are taken; else it seats it and wakes the barber (next to itself) or answers
 * wait.  On next the room sends its first customer to the barber, or wait if
 * there is none; the barber sends start and done to the customer and next to
 * the room.  A customer turned away is sent again by the factory (returned).
 * After n times done the factory sends exit to the room, which passes it on.
 *
 * Entry point: factory.
 * Parameters n, w: customers, seats (5000, 1000; in the test 2, 1), w >= 1.
 * The busy waits of the original are left out.  Attempts are counted only if
 * parameter count is 1 (as in the system): without, states repeat.
 * Expected: each customer is served once, attempts >= n, all stop.  Retries are
 * unbounded under an unfair schedule.
 * Known defects: none, in any model.  Lost messages do no harm: next to the
 * closed room, wait to a customer that has been served.
 */
#include "savina.h"

TR_PROTOCOL(room, enter, next, exit);
TR_PROTOCOL(barber, enter, wait, exit);
TR_PROTOCOL(factory, start, returned, done);
TR_PROTOCOL(customer, full, wait, start, done);

struct enter {
    customer_ref customer;
    room_ref room;
};
TR_MESSAGE(enter);
TR_SIGNAL(full);
TR_SIGNAL(wait);
TR_SIGNAL(start);
TR_SIGNAL(done);
TR_SIGNAL(next);
struct returned {
    customer_ref customer;
};
TR_MESSAGE(returned);
TR_SIGNAL(exit);

struct room {
    uint32_t capacity;
    barber_ref barber;
    LIST(customer_ref) queue;
    bool barber_awake;
};

TR_FINI(room)
{
    list_free(&self->queue);
}

TR_HANDLER(room, enter)
{
    if (list_length(&self->queue) == self->capacity) { /* [1] */
        send(msg->customer, full);
        return;
    }
    list_add(&self->queue, msg->customer);
    if (!self->barber_awake) { /* [2] */
        self->barber_awake = true;
        send(me(room), next);
    } else { /* [3] */
        send(msg->customer, wait);
    }
}

TR_HANDLER(room, next)
{
    if (list_length(&self->queue) > 0) { /* [4] */
        customer_ref first = list_first(&self->queue);
        list_drop(&self->queue);
        send(self->barber, enter, .customer = first, .room = me(room));
    } else { /* [5] */
        send(self->barber, wait);
        self->barber_awake = false;
    }
}

TR_HANDLER(room, exit)
{
    assert(list_length(&self->queue) == 0); /* [6] */
    send(self->barber, exit);
    stop();
}

TR_BEHAVIOUR(room, open, TR_ON(enter, room_enter), TR_ON(next, room_next),
             TR_ON(exit, room_exit));
TR_CLASS(room, .start = &room_open, .fini = room_fini_);
TR_HOT(room, open);

struct barber {
    char none;
};

TR_HANDLER(barber, enter)
{
    send(msg->customer, start); /* [7] */
    send(msg->customer, done);
    send(msg->room, next);
}

TR_HANDLER(barber, wait)
{
    /* [8] */
}

TR_HANDLER(barber, exit)
{
    stop(); /* [9] */
}

TR_BEHAVIOUR(barber, open, TR_ON(enter, barber_enter), TR_ON(wait, barber_wait),
             TR_ON(exit, barber_exit));
TR_CLASS(barber, .start = &barber_open);
TR_HOT(barber, open);

struct customer {
    factory_ref factory;
};

TR_HANDLER(customer, full)
{
    send(self->factory, returned, .customer = me(customer)); /* [14] */
}

TR_HANDLER(customer, wait)
{
    /* [15] */
}

TR_HANDLER(customer, start)
{
    /* [16] */
}

TR_HANDLER(customer, done)
{
    send(self->factory, done); /* [17] */
    stop();
}

TR_BEHAVIOUR(customer, alive, TR_ON(full, customer_full),
             TR_ON(wait, customer_wait), TR_ON(start, customer_start),
             TR_ON(done, customer_done));
TR_CLASS(customer, .start = &customer_alive);
TR_HOT(customer, alive);

struct factory {
    int haircuts;
    room_ref room;
    bool counts;
    int done, attempts;
};

static void bring(tr_ctx *ctx, struct factory *self, customer_ref customer)
{
    self->attempts += self->counts;
    send(self->room, enter, .customer = customer, .room = self->room);
}

TR_HANDLER(factory, start)
{
    for (int i = 0; i < self->haircuts; i++) /* [10] */
        bring(ctx, self, spawn(customer, .factory = me(factory)));
}

TR_HANDLER(factory, returned)
{
    bring(ctx, self, msg->customer); /* [11] */
}

TR_HANDLER(factory, done)
{
    if (++self->done == self->haircuts) { /* [12] */
        assert(!self->counts || self->attempts >= self->haircuts);
        result("%d haircuts, %d attempts", self->done, self->attempts);
        send(self->room, exit);
        stop();
    } /* else [13] */
}

TR_BEHAVIOUR(factory, open, TR_ON(start, factory_start),
             TR_ON(returned, factory_returned), TR_ON(done, factory_done));
TR_CLASS(factory, .start = &factory_open);
TR_HOT(factory, open);

static factory_ref make(tr_ctx *ctx, int n, int seats, bool counts)
{
    barber_ref barber = spawn(barber);
    room_ref room = spawn(room, .capacity = (uint32_t)seats, .barber = barber);
    return spawn(factory, .haircuts = n, .room = room, .counts = counts);
}

TR_SYSTEM(savina)
{
    factory_ref factory = make(ctx, (int)param("n", 5000),
                               (int)param("w", 1000), param("count", 1) != 0);
    expose(factory);
    if (starts())
        send(factory, start);
}

TR_TEST(barber)
{
    factory_ref factory = make(ctx, (int)param("n", 2), (int)param("w", 1),
                               param("count", 0) != 0);
    send(factory, start);
    drain();
}

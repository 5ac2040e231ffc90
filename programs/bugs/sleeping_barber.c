/* sleeping-barber: a wake-up that nobody hears.
 *
 * Source: Bita's Barber bug, rebuilt from its description.  The barber changes
 * its behaviour, and two receives around that change race.
 *
 * The test sends arrive to n customers; a customer sends enter to the room,
 * which queues it and answers sit; if the barber is idle, sit asks the customer
 * to wake it.  The barber, awake, asks the room for the next customer and is
 * told cut (whom) or empty; on empty it falls asleep.  When the room has sent
 * empty and then seats a customer, the customer's wake may reach the barber
 * before empty does: still awake, it ignores the wake, then falls asleep for
 * good.  Two hops beat one.
 *
 * Repaired: the room itself sends wake, which then queues behind empty.
 *
 * Kind of bug: assertion
 * Models with the bug: pair any
 * Models without it: mailbox causal
 * Repaired, clean in: mailbox causal pair (any reorders wake and empty)
 * Oracle, at the end: every customer is served.  Parameter n: customers (3).
 * Find it: troupe explore programs/bugs/sleeping_barber.c
 */
#include "repaired.h"
#include "troupe_short.h"
#include <assert.h>

enum { MAX = 8 };

TR_PROTOCOL(room, enter, next);
TR_PROTOCOL(barber, wake, cut, empty);
TR_PROTOCOL(customer, arrive, sit, done);

TR_SIGNAL(arrive);
struct enter {
    customer_ref who;
};
TR_MESSAGE(enter);
struct sit {
    bool wake_barber;
};
TR_MESSAGE(sit);
struct wake {
    room_ref room;
};
TR_MESSAGE(wake);
TR_SIGNAL(next);
TR_SIGNAL(empty);
struct cut {
    customer_ref who;
};
TR_MESSAGE(cut);
TR_SIGNAL(done);

struct room {
    barber_ref barber;
    bool idle; /* the barber was told that the room is empty */
    int n;
    customer_ref queue[MAX];
};

TR_HANDLER(room, enter)
{
    bool wake_barber = self->idle;
    assert(self->n < MAX);
    self->queue[self->n++] = msg->who;
    self->idle = false;
    send(msg->who, sit, .wake_barber = wake_barber && !repaired);
    if (wake_barber && repaired)
        send(self->barber, wake, .room = me(room));
}

static customer_ref first_of(struct room *self)
{
    customer_ref first = self->queue[0];
    self->n--;
    for (int i = 0; i < self->n; i++)
        self->queue[i] = self->queue[i + 1];
    self->queue[self->n] = NULL;
    return first;
}

TR_HANDLER(room, next)
{
    if (self->n == 0) {
        self->idle = true;
        send(self->barber, empty);
    } else {
        send(self->barber, cut, .who = first_of(self));
    }
}

TR_BEHAVIOUR(room, open, TR_ON(enter, room_enter), TR_ON(next, room_next));
TR_CLASS(room, .start = &room_open);

struct barber {
    room_ref room; /* known from the first wake on */
};
TR_STATES(barber, asleep, awake);

TR_HANDLER(barber, wake)
{
    self->room = msg->room;
    become(barber, awake);
    send(self->room, next);
}

TR_HANDLER(barber, cut)
{
    send(msg->who, done);
    send(self->room, next);
}

TR_HANDLER(barber, empty)
{
    become(barber, asleep);
}

TR_BEHAVIOUR(barber, asleep, TR_ON(wake, barber_wake), TR_IGNORE(cut),
             TR_IGNORE(empty));
TR_BEHAVIOUR(barber, awake, TR_ON(cut, barber_cut), TR_ON(empty, barber_empty),
             TR_IGNORE(wake));
TR_CLASS(barber, .start = &barber_asleep);

struct customer {
    room_ref room;
    barber_ref barber;
    bool served;
};

TR_HANDLER(customer, arrive)
{
    send(self->room, enter, .who = me(customer));
}

TR_HANDLER(customer, sit)
{
    if (msg->wake_barber)
        send(self->barber, wake, .room = self->room);
}

TR_HANDLER(customer, done)
{
    self->served = true;
}

TR_BEHAVIOUR(customer, alive, TR_ON(arrive, customer_arrive),
             TR_ON(sit, customer_sit), TR_ON(done, customer_done));
TR_CLASS(customer, .start = &customer_alive);

TR_SYSTEM(barber_shop)
{
    barber_ref barber = spawn(barber);
    room_ref room = spawn(room, .barber = barber, .idle = true);
    customer_ref customer1 = spawn(customer, .room = room, .barber = barber);
    customer_ref customer2 = spawn(customer, .room = room, .barber = barber);
    expose(customer1);
    expose(customer2);
}

TR_TEST(sleeping_barber)
{
    int n = (int)param("n", 3);
    customer_ref customers[MAX];
    barber_ref barber = spawn(barber);
    room_ref room = spawn(room, .barber = barber, .idle = true);
    assert(n <= MAX);
    for (int i = 0; i < n; i++)
        customers[i] = spawn(customer, .room = room, .barber = barber);
    for (int i = 0; i < n; i++)
        send(customers[i], arrive);
    drain();
    for (int i = 0; i < n; i++)
        assert(peek(customer, customers[i])->served);
}

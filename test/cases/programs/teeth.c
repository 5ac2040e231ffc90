/* Programs in which one rule of the reduced search matters: see teeth.c. */
#include "troupe_short.h"
#include <assert.h>

TR_SIGNAL(first);
TR_SIGNAL(second);
TR_SIGNAL(news);
TR_SIGNAL(on);
TR_SIGNAL(off);
TR_SIGNAL(spin);
TR_SIGNAL(spawn_one);

/* Remembers in which order it got its messages. */
TR_PROTOCOL(keeper, first, second);
struct keeper {
    int order;
};
TR_HANDLER(keeper, first)
{
    self->order = 10 * self->order + 1;
}
TR_HANDLER(keeper, second)
{
    self->order = 10 * self->order + 2;
}
TR_BEHAVIOUR(keeper, open, TR_ON(first, keeper_first),
             TR_ON(second, keeper_second));
TR_CLASS(keeper, .start = &keeper_open);

/* Sends the second message to the keeper. */
TR_PROTOCOL(sender, news);
struct sender {
    keeper_ref keeper;
};
TR_HANDLER(sender, news)
{
    send(self->keeper, second);
}
TR_BEHAVIOUR(sender, open, TR_ON(news, sender_news));
TR_CLASS(sender, .start = &sender_open);

/* The sender is not known to send anything before it was run; what it sends and
 * what is there already do not commute. */
TR_TEST(unknown_sender)
{
    keeper_ref k = spawn(keeper);
    sender_ref s = spawn(sender, .keeper = k);
    send(k, first);
    send(s, news);
}

/* Turns round for ever. */
TR_PROTOCOL(spinner, spin);
TR_STATELESS(spinner);
TR_HANDLER(spinner, spin)
{
    send(me(spinner), spin);
}
TR_BEHAVIOUR(spinner, open, TR_ON(spin, spinner_spin));
TR_CLASS(spinner, .start = &spinner_open);

TR_PROTOCOL(victim, second);
TR_STATELESS(victim);
TR_HANDLER(victim, second)
{
    assert(!"received");
}
TR_BEHAVIOUR(victim, open, TR_ON(second, victim_second));
TR_CLASS(victim, .start = &victim_open);

TR_PROTOCOL(bringer, news);
struct bringer {
    victim_ref victim;
};
TR_HANDLER(bringer, news)
{
    send(self->victim, second);
}
TR_BEHAVIOUR(bringer, open, TR_ON(news, bringer_news));
TR_CLASS(bringer, .start = &bringer_open);

/* The two that end wait while one turns. */
TR_TEST(beside_a_cycle, .endless = true)
{
    spinner_ref s = spawn(spinner);
    victim_ref v = spawn(victim);
    bringer_ref b = spawn(bringer, .victim = v);
    send(s, spin);
    send(b, news);
}

/* Is on for a while. */
TR_PROTOCOL(lamp, on, off);
struct lamp {
    bool lit;
};
TR_HANDLER(lamp, on)
{
    self->lit = true;
}
TR_HANDLER(lamp, off)
{
    self->lit = false;
}
TR_BEHAVIOUR(lamp, open, TR_ON(on, lamp_on), TR_ON(off, lamp_off));
TR_CLASS(lamp, .start = &lamp_open);

TR_INVARIANT(not_both)
{
    int lit = 0;
    for (each(lamp, l))
        lit += l->lit;
    return lit < 2;
}

TR_TEST(two_lamps)
{
    lamp_ref a = spawn(lamp), b = spawn(lamp);
    send(a, on);
    send(a, off);
    send(b, on);
    send(b, off);
}

TR_PROTOCOL(moth, off);
TR_STATELESS(moth);
TR_BEHAVIOUR(moth, open, TR_IGNORE(off));
TR_CLASS(moth, .start = &moth_open);

TR_PROTOCOL(egg, spawn_one);
TR_STATELESS(egg);
TR_HANDLER(egg, spawn_one)
{
    (void)spawn(moth);
}
TR_BEHAVIOUR(egg, open, TR_ON(spawn_one, egg_spawn_one));
TR_CLASS(egg, .start = &egg_open);

TR_INVARIANT(no_moth_at_a_lamp)
{
    int lit = 0, moths = 0;
    for (each(lamp, l))
        lit += l->lit;
    for (each(moth, m))
        moths++;
    return !lit || !moths;
}

TR_TEST(lamp_and_moth)
{
    lamp_ref l = spawn(lamp);
    egg_ref e = spawn(egg);
    send(l, on);
    send(l, off);
    send(e, spawn_one);
}

/* Remembers who sent a message. */
TR_PROTOCOL(guest, news);
struct guest {
    tr_ref last;
};
TR_HANDLER(guest, news)
{
    self->last = sender();
}
TR_BEHAVIOUR(guest, open, TR_ON(news, guest_news));
TR_CLASS(guest, .start = &guest_open);

TR_PROTOCOL(herald, first);
struct herald {
    guest_ref guest;
};
TR_HANDLER(herald, first)
{
    send(self->guest, news);
}
TR_BEHAVIOUR(herald, open, TR_ON(first, herald_first));
TR_CLASS(herald, .start = &herald_open);

TR_TEST(one_of_two_heralds)
{
    guest_ref g = spawn(guest);
    herald_ref a = spawn(herald, .guest = g), b = spawn(herald, .guest = g);
    if (choose(2))
        send(a, first);
    else
        send(b, first);
}

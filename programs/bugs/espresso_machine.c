/* espresso-machine: an answer arrives in a state that has no use for it.
 *
 * Source: after the coffee machine of the P tutorial.
 *
 * The test sends go to the panel, which heats up and lets a child play. Heated,
 * it lights its lamp; the user presses the button twice, once per lamp.  A
 * press grinds, then brews; the maker answers heat, grind and brew with hot,
 * ground and brewed.  The child opens the door and shuts it again, after which
 * the panel heats up anew.  A door opened and shut while beans are ground
 * leaves a ground in flight that lands in warming, where there is no row for
 * it; a brewed likewise.
 *
 * Repaired: operations carry a number that opening the door increases; answers
 * with an old number are dropped.
 *
 * Kind of bug: no-row
 * Models with the bug: mailbox causal pair any
 * Models without it: none
 * Repaired, clean in: mailbox causal pair any
 * Oracle: a message without a row.
 * Find it: troupe explore programs/bugs/espresso_machine.c
 */
#include "repaired.h"
#include "troupe_short.h"
#include <assert.h>

TR_PROTOCOL(panel, go, hot, button, ground, brewed, open, close);
TR_PROTOCOL(maker, heat, grind, brew);
TR_PROTOCOL(user, lamp);
TR_PROTOCOL(child, play, door_ok);

TR_SIGNAL(go); /* to the panel */
TR_SIGNAL(hot);
TR_SIGNAL(button);
struct ground {
    int op;
};
TR_MESSAGE(ground);
struct brewed {
    int op;
};
TR_MESSAGE(brewed);
struct open {
    child_ref from;
};
TR_MESSAGE(open);
TR_SIGNAL(close);
struct heat { /* to the maker */
    panel_ref from;
};
TR_MESSAGE(heat);
struct grind {
    int op;
    panel_ref from;
};
TR_MESSAGE(grind);
struct brew {
    int op;
    panel_ref from;
};
TR_MESSAGE(brew);
struct lamp { /* to the user */
    panel_ref from;
};
TR_MESSAGE(lamp);
struct play { /* to the child */
    panel_ref panel;
};
TR_MESSAGE(play);
TR_SIGNAL(door_ok);

TR_STATELESS(maker);

TR_HANDLER(maker, heat)
{
    send(msg->from, hot);
}

TR_HANDLER(maker, grind)
{
    send(msg->from, ground, .op = msg->op);
}

TR_HANDLER(maker, brew)
{
    send(msg->from, brewed, .op = msg->op);
}

TR_BEHAVIOUR(maker, open, TR_ON(heat, maker_heat), TR_ON(grind, maker_grind),
             TR_ON(brew, maker_brew));
TR_CLASS(maker, .start = &maker_open);

struct user {
    int presses; /* left */
};

TR_HANDLER(user, lamp)
{
    if (self->presses > 0) {
        self->presses--;
        send(msg->from, button);
    }
}

TR_BEHAVIOUR(user, thirsty, TR_ON(lamp, user_lamp));
TR_CLASS(user, .start = &user_thirsty);

struct child {
    panel_ref panel;
};

TR_HANDLER(child, play)
{
    self->panel = msg->panel;
    send(self->panel, open, .from = me(child));
}

TR_HANDLER(child, door_ok)
{
    send(self->panel, close);
}

TR_BEHAVIOUR(child, curious, TR_ON(play, child_play),
             TR_ON(door_ok, child_door_ok));
TR_CLASS(child, .start = &child_curious);

struct panel {
    maker_ref maker;
    user_ref user;
    child_ref child;
    int op; /* number of the operation; counted when repaired */
};
TR_STATES(panel, off, warming, ready, grinding, brewing, door);

TR_HANDLER(panel, go)
{
    become(panel, warming);
    send(self->maker, heat, .from = me(panel));
    send(self->child, play, .panel = me(panel));
}

TR_HANDLER(panel, hot)
{
    become(panel, ready);
    send(self->user, lamp, .from = me(panel));
}

TR_HANDLER(panel, button)
{
    become(panel, grinding);
    send(self->maker, grind, .op = self->op, .from = me(panel));
}

TR_HANDLER(panel, ground)
{
    if (msg->op != self->op)
        return;
    become(panel, brewing);
    send(self->maker, brew, .op = self->op, .from = me(panel));
}

TR_HANDLER(panel, brewed)
{
    if (msg->op != self->op)
        return;
    become(panel, ready);
    send(self->user, lamp, .from = me(panel));
}

TR_HANDLER(panel, open)
{
    if (repaired)
        self->op++;
    become(panel, door);
    send(msg->from, door_ok);
}

TR_HANDLER(panel, close)
{
    become(panel, warming);
    send(self->maker, heat, .from = me(panel));
}

#ifdef REPAIRED
/* Answers where none is expected: only the repaired machine knows old ones. */
TR_HANDLER_AS(panel_old_ground, panel, ground)
{
    assert(msg->op != self->op);
}

TR_HANDLER_AS(panel_old_brewed, panel, brewed)
{
    assert(msg->op != self->op);
}

#define OLD_GROUND , TR_ON(ground, panel_old_ground)
#define OLD_BREWED , TR_ON(brewed, panel_old_brewed)
#else
#define OLD_GROUND
#define OLD_BREWED
#endif

TR_BEHAVIOUR(panel, off, TR_ON(go, panel_go));
TR_BEHAVIOUR(panel, warming, TR_ON(hot, panel_hot), TR_IGNORE(button),
             TR_ON(open, panel_open) OLD_GROUND OLD_BREWED);
TR_BEHAVIOUR(panel, ready, TR_IGNORE(hot), TR_ON(button, panel_button),
             TR_ON(open, panel_open) OLD_GROUND OLD_BREWED);
TR_BEHAVIOUR(panel, grinding, TR_IGNORE(hot), TR_IGNORE(button),
             TR_ON(ground, panel_ground), TR_ON(open, panel_open) OLD_BREWED);
TR_BEHAVIOUR(panel, brewing, TR_IGNORE(hot), TR_IGNORE(button),
             TR_ON(brewed, panel_brewed), TR_ON(open, panel_open) OLD_GROUND);
TR_BEHAVIOUR(panel, door, TR_IGNORE(hot), TR_IGNORE(button), TR_IGNORE(ground),
             TR_IGNORE(brewed), TR_ON(close, panel_close));
TR_CLASS(panel, .start = &panel_off);

static panel_ref make_machine(tr_ctx *ctx)
{
    maker_ref maker = spawn(maker);
    user_ref user = spawn(user, .presses = 2);
    child_ref child = spawn(child);
    return spawn(panel, .maker = maker, .user = user, .child = child);
}

TR_SYSTEM(machine)
{
    panel_ref panel = make_machine(ctx);
    expose(panel);
}

TR_TEST(espresso_machine)
{
    panel_ref panel = make_machine(ctx);
    send(panel, go);
    drain();
}

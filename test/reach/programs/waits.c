/* What others may change while a handler waits, and where memory lies.  Lines
 * that are marked live can be reached, those that are marked dead cannot. */
#include "troupe_short.h"
#include <stdlib.h>

TR_PROTOCOL(kid, hello);
TR_PROTOCOL(helper, question);
TR_PROTOCOL(holder, count, hold, make, again);
struct answer {
    int value;
};
struct question {
    int n;
};
TR_REQUEST(question, answer);
TR_SIGNAL(hello);
TR_SIGNAL(count);
struct hold {
    int v;
};
TR_MESSAGE(hold);
TR_SIGNAL(make);
TR_SIGNAL(again);

static int made;
static int limit = 5;

struct kid {
    int number;
};
TR_INIT(kid)
{
    self->number = ++made;
}
TR_HANDLER(kid, hello)
{
    self->number++;
}
TR_BEHAVIOUR(kid, open, TR_ON(hello));
TR_CLASS(kid, .start = &kid_open, .init = kid_init_);

struct helper {
    int asked;
};
TR_HANDLER(helper, question)
{
    reply(question, .value = 2 * msg->n);
}
TR_BEHAVIOUR(helper, open, TR_ON(question));
TR_CLASS(helper, .start = &helper_open);

struct holder {
    helper_ref helper;
    int *box;
    int seen;
};
TR_INIT(holder)
{
    self->box = calloc(1, sizeof *self->box);
}
TR_HANDLER(holder, count)
{
    int before = made;
    await(ask(self->helper, question));
    if (made != before)
        self->seen = 1; /* live: the init of a kid */
    if (limit != 5)
        self->seen = 2; /* dead: nobody writes it */
}
TR_HANDLER(holder, hold)
{
    int *box = self->box, before = *box;
    const struct answer *a = await(ask(self->helper, question, .n = msg->v));
    if (msg->v > 3 && msg->v < 4)
        self->seen = 3; /* dead: numbers */
    if (*box != before)
        self->seen = 4; /* live: another hold */
    *box = a ? a->value : msg->v;
}
TR_HANDLER(holder, make)
{
    kid_ref kid = spawn(kid);
    send(kid, hello);
}
TR_HANDLER(holder, again)
{
    int *old = self->box;
    free(old);
    self->box = calloc(1, sizeof *self->box);
    if (self->box == old)
        self->seen = 5; /* live: the same place */
}
TR_BEHAVIOUR(holder, open, TR_ON(count), TR_ON(hold), TR_ON(make),
             TR_ON(again));
TR_CLASS(holder, .start = &holder_open, .init = holder_init_);

TR_SYSTEM(house)
{
    helper_ref helper = spawn(helper);
    holder_ref holder = spawn(holder, .helper = helper);
    expose(holder);
}

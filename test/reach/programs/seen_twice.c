/* Memory that is seen through two pointers, or changes in a way that a handler
 * does not show.  Lines that are marked live can be reached, those that are
 * marked dead cannot. */
#include "troupe_short.h"
#include <stdlib.h>
#include <string.h>

TR_PROTOCOL(helper, question);
TR_PROTOCOL(sink, text);
TR_PROTOCOL(plain, member, middle, copies, lends, scan, look);
TR_PROTOCOL(keeper, keep, count);
struct answer {
    int value;
};
struct question {
    int n, *out;
};
TR_REQUEST(question, answer);
TR_SIGNAL(member);
TR_SIGNAL(middle);
TR_SIGNAL(copies);
struct lends {
    int n;
};
TR_MESSAGE(lends);
struct scan {
    char t[32];
};
TR_MESSAGE(scan);
TR_SIGNAL(look);
TR_SIGNAL(keep);
TR_SIGNAL(count);

static int copied;
struct text {
    char *t;
};
static void text_copy(void *to, const void *from)
{
    const struct text *x = from;
    ((struct text *)to)->t = x->t ? strdup(x->t) : NULL;
    copied++;
}
static void text_drop(void *p)
{
    free(((struct text *)p)->t);
}
TR_MESSAGE(text, .copy = text_copy, .drop = text_drop);

struct sink {
    int n;
};
TR_HANDLER(sink, text)
{
    self->n++;
}
TR_BEHAVIOUR(sink, open, TR_ON(text));
TR_CLASS(sink, .start = &sink_open);

struct helper {
    int n;
};
TR_HANDLER(helper, question)
{
    if (msg->out)
        *msg->out = msg->n;
    if (msg->n != 9)
        reply(question, .value = 1);
}
TR_BEHAVIOUR(helper, open, TR_ON(question));
TR_CLASS(helper, .start = &helper_open);

struct pair {
    int a, b;
};
struct plain {
    helper_ref helper;
    sink_ref sink;
    struct pair *first, *third;
    int *b, *box;
    char name[8];
    int kept, never, busy, seen;
};
TR_INIT(plain)
{
    self->first = calloc(4, sizeof *self->first);
    self->box = calloc(1, sizeof *self->box);
    if (!self->first || !self->box)
        abort();
    self->third = &self->first[2];
    self->b = &self->first->b;
}
TR_HANDLER(plain, member)
{
    self->first->b = 1;
    *self->b = 2;
    if (self->first->b == 2)
        self->seen = 1; /* live: a member of it */
}
TR_HANDLER(plain, middle)
{
    self->first[2].a = 1;
    self->third->a = 2;
    if (self->first[2].a == 2)
        self->seen = 2; /* live: the middle of it */
    if (self->third - self->first == 2)
        self->seen = 3; /* live: two behind it */
}
TR_HANDLER(plain, copies)
{
    int before = copied;
    send(self->sink, text);
    if (copied != before)
        self->seen = 4; /* live: the function of the message */
}
TR_HANDLER(plain, lends)
{
    int mine = 0;
    *self->box = 0;
    self->busy = 1;
    get(ask(self->helper, question, .n = msg->n, .out = &mine));
    if (mine)
        self->seen = 5; /* live: the address of a local */
    get(ask(self->helper, question, .n = msg->n, .out = self->box));
    if (*self->box)
        self->seen = 6; /* live: a block that both know */
    self->busy = 0;
}
TR_HANDLER(plain, scan)
{
    for (const char *c = msg->t; *c && c < msg->t + 31; c++)
        self->kept += *c == ' ';
    if (msg->t[7] == 0)
        strcpy(self->name, msg->t);
}
TR_HANDLER(plain, look)
{
    if (self->name[0] == 'q')
        self->seen = 7; /* live: copied by a function that is not here */
    if (self->name[0] > 100 && self->name[0] < 100)
        self->seen = 8; /* dead: none is both */
}
TR_FINI(plain)
{
    if (self->busy == 1)
        self->seen = 9; /* live: the system ends while it holds its actor */
    free(self->first);
    free(self->box);
}
TR_BEHAVIOUR(plain, open, TR_ON(member), TR_ON(middle), TR_ON(copies),
             TR_ON(lends), TR_ON(scan), TR_ON(look));
TR_CLASS(plain, .start = &plain_open, .init = plain_init_,
         .fini = plain_fini_);

/* An address of the state as another type, kept by a function. */
struct word {
    int v;
};
struct box {
    struct word *to;
};
struct keeper {
    struct box *box;
    int n, seen;
};
static void put(struct box *box, struct word *w)
{
    box->to = w;
}
TR_INIT(keeper)
{
    self->box = calloc(1, sizeof *self->box);
    if (!self->box)
        abort();
    put(self->box, (struct word *)(void *)&self->n);
}
TR_HANDLER(keeper, keep)
{
    self->n = 1;
    self->box->to->v = 2;
    if (self->n == 2)
        self->seen = 1; /* live: it is there */
}
TR_HANDLER(keeper, count)
{
    if (self->n == 2)
        self->seen = 2; /* live: it was there */
}
TR_FINI(keeper)
{
    free(self->box);
}
TR_BEHAVIOUR(keeper, open, TR_ON(keep), TR_ON(count));
TR_CLASS(keeper, .start = &keeper_open, .init = keeper_init_,
         .fini = keeper_fini_);

TR_SYSTEM(house)
{
    helper_ref helper = spawn(helper);
    sink_ref sink = spawn(sink);
    plain_ref plain = spawn(plain, .helper = helper, .sink = sink);
    keeper_ref keeper = spawn(keeper);
    expose(plain);
    expose(keeper);
}

/* Targets of many kinds, a line each. */
#include "troupe_short.h"
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum kind { PLAIN, ODD = 40, LAST };

TR_PROTOCOL(child, poke, done);
TR_PROTOCOL(parent, number, text, list, make, ask_it, choice, late, owned);
TR_PROTOCOL(helper, question, give_up);

struct number {
    int32_t a;
    uint8_t b;
    unsigned low : 3, high : 5;
    enum kind kind;
    double d;
};
TR_MESSAGE(number);
struct text {
    char s[16];
};
TR_MESSAGE(text);
struct list {
    int at[4];
    uint32_t i;
};
TR_MESSAGE(list);
struct make {
    child_ref old;
};
TR_MESSAGE(make);
TR_SIGNAL(ask_it);
TR_SIGNAL(choice);
TR_SIGNAL(late);
struct owned {
    char *name;
};
static void owned_copy(void *to, const void *from)
{
    struct owned *t = to;
    const struct owned *f = from;
    t->name = f->name ? strdup(f->name) : NULL;
}
static void owned_drop(void *payload)
{
    struct owned *o = payload;
    free(o->name);
}
TR_MESSAGE(owned, .copy = owned_copy, .drop = owned_drop);
TR_SIGNAL(poke);
TR_SIGNAL(done);
struct answer {
    int value;
};
struct question {
    int n;
};
TR_REQUEST(question, answer);
TR_SIGNAL(give_up);

struct child {
    int poked;
};
TR_HANDLER(child, poke)
{
    if (++self->poked == 3)
        stop(); // three pokes
}
TR_HANDLER(child, done)
{
    self->poked = 0;
}
TR_BEHAVIOUR(child, open, TR_ON(poke, child_poke), TR_ON(done, child_done));
TR_CLASS(child, .start = &child_open);

struct helper {
    int asked;
};
TR_HANDLER(helper, question)
{
    reply(question, .value = msg->n * 2 + ++self->asked);
}
TR_HANDLER(helper, give_up)
{
    stop();
}
TR_BEHAVIOUR(helper, open, TR_ON(question, helper_question),
             TR_ON(give_up, helper_give_up));
TR_CLASS(helper, .start = &helper_open);

struct parent {
    child_ref child;
    helper_ref helper;
    int table[8];
    int sum, asks;
};

TR_HANDLER(parent, number)
{
    if (msg->a == 123456)
        self->sum = 1; // an equal number
    if (msg->b * 3 == 201)
        self->sum = 2; // an affine one
    if (msg->low == 5 && msg->high == 17)
        self->sum = 3; // bit-fields
    if (msg->kind == ODD)
        self->sum = 4; // an enumerator
    if (msg->d > 2.5 && msg->d < 2.6)
        self->sum = 5; // a float
    switch (msg->a) {
    case -77:
        self->sum = 6; // a case
        break;
    case 9000:
        self->sum = 7;
        break;
    }
    self->sum += 100 / (msg->a - 31); // a division
}

TR_HANDLER(parent, text)
{
    if (strcmp(msg->s, "open sesame") == 0)
        self->sum = 8; // a text
    if (strtol(msg->s, NULL, 10) == 4711)
        self->sum = 9; // digits
}

TR_HANDLER(parent, list)
{
    self->table[msg->i & 15] = msg->at[0]; // an index
    if (msg->at[0] + msg->at[1] == 50 && msg->at[2] > msg->at[3])
        self->sum = 10; // elements
}

TR_HANDLER(parent, make)
{
    if (msg->old)
        send(msg->old, poke); // a reference
    else
        self->child = spawn(child);
}

TR_HANDLER(parent, ask_it)
{
    const struct answer *a =
        await(ask_within(50, self->helper, question, .n = self->sum));
    if (!a)
        self->asks = -1; // no answer
    else if (a->value > 10)
        self->asks++; // a large answer
}

TR_HANDLER(parent, choice)
{
    if (choose(5) == 3 && choose(4) == 2)
        self->sum = 11; // chance
}

TR_HANDLER(parent, late)
{
    send_after(100, me(parent), choice);
}

TR_HANDLER(parent, owned)
{
    if (msg->name && strcmp(msg->name, "heap") == 0)
        self->sum = 12; // owned text
}

TR_INIT(parent)
{
    int n = (int)param("size", 3);
    if (n == 17)
        self->sum = 13; // a parameter
    assert(n < 1000);
    self->helper = spawn(helper);
    if (n == 5)
        send(self->helper, give_up);
}

TR_BEHAVIOUR(parent, open, TR_ON(number, parent_number),
             TR_ON(text, parent_text), TR_ON(list, parent_list),
             TR_ON(make, parent_make), TR_ON(ask_it, parent_ask_it),
             TR_ON(choice, parent_choice), TR_ON(late, parent_late),
             TR_ON(owned, parent_owned));
TR_CLASS(parent, .start = &parent_open, .init = parent_init_);

TR_SYSTEM(family)
{
    parent_ref parent = spawn(parent);
    child_ref first = spawn(child);
    expose(parent);
    expose_as(first, "first child");
}

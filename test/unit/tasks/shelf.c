// States and messages as C has them: texts, bit-fields, unions, arrays in
// structs; a message that is put off to the end; a condition that nobody makes
// true.
#include <troupe_short.h>

#include <string.h>

struct answer {
    int v;
};
struct find {
    char name[8];
};
TR_REQUEST(find, answer);
struct name {
    char name[8];
    int at;
};
TR_MESSAGE(name);
struct lend {
    char none;
};
TR_REQUEST(lend, answer);
TR_SIGNAL(back);
enum kind { NUMBER, TEXT, PAIR };
struct put {
    enum kind kind;
    union {
        int number;
        char text[8];
        struct {
            short a, b;
        } pair;
    } u;
};
TR_REQUEST(put, answer);
struct hold {
    int who;
};
TR_REQUEST(hold, answer);
struct twice {
    int who;
};
TR_REQUEST(twice, answer);
struct freeze {
    int to;
};
TR_REQUEST(freeze, answer);
struct color {
    int i;
};
TR_REQUEST(color, answer);
TR_PROTOCOL(shelf, find, name, lend, back, put, hold, twice, freeze, color);
TR_STATES(shelf, open, held)
{
    char name[8];
    int at, cold;
    struct {
        unsigned lent : 4, closed : 1;
    } now;
    union {
        double weight;
        int pieces;
    } of;
    struct {
        int row[2][2];
    } map;
    int holds;
};
TR_HANDLER(shelf, find) // strcmp() reads the field
{
    char want[8];
    memcpy(want, msg->name, sizeof want);
    want[7] = 0;
    await_until(strcmp(self->name, want) == 0);
    if (self->at == 0)
        reply(find, .v = 80);
    else
        reply(find, .v = self->at);
}
TR_HANDLER(shelf, name)
{
    memcpy(self->name, msg->name, sizeof self->name);
    self->name[7] = 0;
    self->at = msg->at;
}
TR_HANDLER(shelf, lend)
{
    if (self->now.closed || self->now.lent > 14) {
        reply(lend, .v = -1);
        return;
    }
    await_until(self->now.lent < 2);
    self->now.lent++;
    reply(lend, .v = self->now.lent);
}
TR_HANDLER(shelf, back)
{
    if (self->now.lent > 0)
        self->now.lent--;
}
TR_HANDLER(shelf, put)
{
    switch (msg->kind) {
    case NUMBER:
        if (msg->u.number > 5 && self->of.pieces == 3)
            reply(put, .v = 1);
        else
            reply(put, .v = 2);
        break;
    case TEXT:
        reply(put, .v = strcmp(msg->u.text, "ok") == 0);
        break;
    case PAIR:
        if (self->map.row[1][0] == msg->u.pair.b)
            reply(put, .v = 3);
        else
            reply(put, .v = 4);
        break;
    }
}
TR_HANDLER(shelf, hold)
{
    self->holds++;
    become(shelf, held);
    reply(hold, .v = self->holds);
}
TR_HANDLER(shelf, twice) // a second one stays where hold is put off
{
    int before = self->holds;
    int now = await(ask(me(shelf), hold, .who = msg->who))->v;
    reply(twice, .v = now - before);
}
TR_HANDLER(shelf, freeze)
{
    await_until(self->cold == 7);
    reply(freeze, .v = 1);
}
static const char *const colors[] = {"red", "green", "blue"};
TR_HANDLER(shelf, color) // one of several texts, not all as long
{
    char chosen[8] = "";
    if (msg->i >= 0 && msg->i < 3)
        strcpy(chosen, colors[msg->i]);
    if (strcmp(chosen, "blue") == 0)
        reply(color, .v = 1);
    else
        reply(color, .v = 2);
}
TR_BEHAVIOUR(shelf, open, TR_ON(find), TR_ON(name), TR_ON(lend), TR_ON(back),
             TR_ON(put), TR_ON(hold), TR_ON(twice), TR_ON(freeze),
             TR_ON(color));
TR_BEHAVIOUR(shelf, held, TR_DEFER(hold), TR_ON(twice), TR_IGNORE(find),
             TR_IGNORE(name), TR_IGNORE(lend), TR_IGNORE(back), TR_IGNORE(put),
             TR_IGNORE(freeze), TR_IGNORE(color));
TR_CLASS(shelf, .start = &shelf_open);

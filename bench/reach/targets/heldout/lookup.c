/* Asks through two actors, and a wait for a condition. */
#include "troupe_short.h"
#include <stdbool.h>

TR_PROTOCOL(table, find, fill);
TR_PROTOCOL(desk, search, fill, settle);
struct found {
    int value;
    bool known;
};
struct find {
    int key;
};
TR_REQUEST(find, found);
struct fill {
    int key, value;
};
TR_MESSAGE(fill);
struct search {
    int key;
};
TR_MESSAGE(search);
TR_SIGNAL(settle);

struct table {
    int key, value;
    bool set;
};
TR_HANDLER(table, find)
{
    if (self->set && self->key == msg->key)
        reply(find, .value = self->value, .known = true);
    else
        reply(find, .value = 0);
}
TR_HANDLER(table, fill)
{
    if (msg->value <= 0 || msg->value > 9000)
        return;
    self->key = msg->key;
    self->value = msg->value;
    self->set = true;
}
TR_BEHAVIOUR(table, open, TR_ON(find, table_find), TR_ON(fill, table_fill));
TR_CLASS(table, .start = &table_open);

struct desk {
    table_ref table;
    int fills, seen;
};
TR_HANDLER(desk, search)
{
    const struct found *f = await(ask(self->table, find, .key = msg->key));
    if (f && f->known && f->value == 8123)
        self->seen = 1; // TARGET value: reachable
    if (f && f->known && f->value > 9000)
        self->seen = 2; // TARGET large: impossible, the table keeps at most 9000
}
TR_HANDLER(desk, fill)
{
    self->fills++;
    forward(self->table, fill);
}
TR_HANDLER(desk, settle)
{
    int before = self->fills;
    await_until(self->fills >= before + 2);
    self->seen = 3; // TARGET settled: reachable
}
TR_BEHAVIOUR(desk, open, TR_ON(search, desk_search), TR_ON(fill, desk_fill),
             TR_ON(settle, desk_settle));
TR_CLASS(desk, .start = &desk_open);

static desk_ref build(tr_ctx *ctx)
{
    table_ref table = spawn(table);
    return spawn(desk, .table = table);
}
TR_SYSTEM(office)
{
    desk_ref desk = build(ctx);
    expose(desk);
}
TR_TEST(value)
{
    desk_ref desk = build(ctx);
    send(desk, fill, .key = 5, .value = 8123);
    send(desk, search, .key = 5);
    drain();
}
TR_TEST(settled)
{
    desk_ref desk = build(ctx);
    send(desk, settle);
    send(desk, fill);
    send(desk, fill);
    drain();
}

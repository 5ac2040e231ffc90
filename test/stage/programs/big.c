/* Globals of more than 64 KiB: read, and written. */
#include "troupe_short.h"

#include <assert.h>

static char table[300000];
static int before = 1, behind[1000] = {2};

struct look {
    int at;
};
TR_MESSAGE(look);
struct put {
    int at;
};
TR_MESSAGE(put);
TR_PROTOCOL(user, look, put);
struct user {
    int seen;
};
TR_HANDLER(user, look)
{
    self->seen += table[msg->at] + before + behind[0];
}
TR_HANDLER(user, put)
{
    assert(table[msg->at] == 0);
    table[msg->at] = 1;
    self->seen++;
}
TR_BEHAVIOUR(user, open, TR_ON(look, user_look), TR_ON(put, user_put));
TR_CLASS(user, .start = &user_open);

TR_TEST(reads)
{
    user_ref u = spawn(user);
    send(u, look, .at = 0);
    send(u, look, .at = 299999);
}

/* The second finds the table as it was. */
TR_TEST(writes)
{
    user_ref u = spawn(user);
    send(u, put, .at = 150000);
    send(u, put, .at = 150000);
}

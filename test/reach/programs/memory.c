// Memory that runs out: in a handler, in the setup, and what a test passes.
#include "troupe_short.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

TR_PROTOCOL(store, put, name, own);

struct put {
    int n;
};
TR_MESSAGE(put);
struct name {
    char text[8];
};
TR_MESSAGE(name);
TR_SIGNAL(own);

struct store {
    int *at;
    int n;
    bool poor;
    bool owns; // the test's is one of its own
};

TR_HANDLER(store, put)
{
    int *at = realloc(self->at, (size_t)(self->n + 1) * sizeof *at);
    if (!at) {
        if (self->n == 3)
            self->n = 0; // full at three
        return;
    }
    self->at = at;
    self->at[self->n++] = msg->n;
}

TR_HANDLER(store, name)
{
    char *p = strdup(msg->text);
    p[0] = 'x'; // not looked at
    free(p);
    if (self->poor)
        self->n = 0; // poor from the start
}

TR_HANDLER(store, own)
{
    if (self->owns)
        self->n = 1; // a test's own
}

TR_FINI(store)
{
    free(self->at);
}

TR_BEHAVIOUR(store, open, TR_ON(put, store_put), TR_ON(name, store_name),
             TR_ON(own, store_own));
TR_CLASS(store, .start = &store_open, .fini = store_fini_);

TR_SYSTEM(one)
{
    void *p = malloc(100);
    store_ref s = spawn(store, .poor = !p);
    expose(s);
    free(p);
}

TR_TEST(owned)
{
    store_ref s = spawn(store, .owns = true);
    send(s, own);
}

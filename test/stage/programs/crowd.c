/* So many actors that some share a slot, each with memory of its own. */
#include "troupe_short.h"

#include <assert.h>
#include <stdlib.h>

enum { CROWD = 2000 };

struct node {
    int n;
    struct node *next;
};

TR_SIGNAL(nod);
TR_PROTOCOL(member, nod);
struct member {
    int n;
    int *own;
    struct node *list;
    struct member *self;
};

TR_INIT(member)
{
    self->own = malloc(sizeof *self->own);
    *self->own = self->n;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        *n = (struct node){self->n + i, self->list};
        self->list = n;
    }
    self->self = self;
}

TR_BEHAVIOUR(member, open, TR_IGNORE(nod));
TR_CLASS(member, .start = &member_open, .init = member_init_);

static int wrong(const struct member *m, int n)
{
    const struct node *l = m->list;
    return m->n != n || *m->own != n || m->self != m || l->n != n + 2 ||
           l->next->n != n + 1 || l->next->next->n != n || l->next->next->next;
}

TR_TEST(looks)
{
    member_ref who[CROWD];
    const struct member *at[CROWD];
    int faults = 0;
    for (int i = 0; i < CROWD; i++)
        who[i] = spawn(member, .n = i);
    drain();
    for (int i = 0; i < CROWD; i++)
        at[i] = peek(member, who[i]);
    for (int i = 0; i < CROWD; i++)
        faults += wrong(at[i], i);
    assert(faults == 0);
}

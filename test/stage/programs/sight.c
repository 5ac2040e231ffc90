/* Invariants that read some of what actors hold: test/stage/sight.c. */
#include "troupe_short.h"

#include <stdlib.h>
#include <string.h>

struct set {
    int shown, hidden;
};
TR_MESSAGE(set);
TR_PROTOCOL(cell, set);
struct cell {
    char first;
    int hidden;
    double unused;
    int shown;
};
TR_HANDLER(cell, set)
{
    self->shown = msg->shown;
    self->hidden = msg->hidden;
}
TR_BEHAVIOUR(cell, open, TR_ON(set, cell_set));
TR_CLASS(cell, .start = &cell_open);

/* Looks at `hidden` only where enough is shown. */
TR_INVARIANT(large_ones_hide_little)
{
    for (each(cell, c))
        if (c->shown > 5 && c->hidden > 8)
            return false;
    return true;
}

struct name {
    int length;
};
TR_MESSAGE(name);
TR_PROTOCOL(text, name);
struct text {
    int other;
    char *name;
};
TR_HANDLER(text, name)
{
    free(self->name);
    self->name = malloc((size_t)msg->length + 1);
    memset(self->name, 'x', (size_t)msg->length);
    self->name[msg->length] = '\0';
    self->other++;
}
TR_FINI(text)
{
    free(self->name);
}
TR_BEHAVIOUR(text, open, TR_ON(name, text_name));
TR_CLASS(text, .start = &text_open, .fini = text_fini_);

TR_INVARIANT(names_are_short)
{
    for (each(text, t))
        if (t->name && strlen(t->name) > 5)
            return false;
    return true;
}

TR_TEST(fields)
{
    cell_ref c = spawn(cell);
    send(c, set, .shown = 1, .hidden = 1);
    send(c, set, .shown = 1, .hidden = 9);
    send(c, set, .shown = 2, .hidden = 9);
    send(c, set, .shown = 6, .hidden = 1);
    send(c, set, .shown = 6, .hidden = 2);
    send(c, set, .shown = 6, .hidden = 9);
}

TR_TEST(heaps)
{
    text_ref t = spawn(text);
    send(t, name, .length = 3);
    send(t, name, .length = 4);
    send(t, name, .length = 6);
}

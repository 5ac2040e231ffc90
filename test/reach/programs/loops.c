/* Lines behind loops.  Those marked "dead" nobody reaches however often the
 * loops turn; all others can be reached, most of them only because of what a
 * loop wrote. */
#include "troupe_short.h"
#include <string.h>

TR_PROTOCOL(box, text, fill, look, walk);
struct text {
    int n;
    char t[16];
};
TR_MESSAGE(text);
struct fill {
    unsigned char n, value;
};
TR_MESSAGE(fill);
struct look {
    unsigned char at;
};
TR_MESSAGE(look);
struct walk {
    int from, to;
};
TR_MESSAGE(walk);

struct box {
    int sum, kept;
    unsigned char cells[8];
    int limit;
};

static unsigned hash(const char *s, int n)
{
    unsigned h = 5381;
    for (int i = 0; i < n && s[i]; i++)
        h = h * 33 + (unsigned char)s[i];
    return h;
}

static void add_all(int *to, const unsigned char *from, int n)
{
    for (int i = 0; i < n; i++)
        *to += from[i];
}

TR_HANDLER(box, text)
{
    unsigned h = hash(msg->t, 16);
    int spaces = 0;
    for (int i = 0; i < 16 && msg->t[i]; i++)
        if (msg->t[i] == ' ')
            spaces++;
    if (msg->n > 100 && msg->n < 50)
        self->kept = 1; /* dead: numbers */
    if (spaces > 1)
        self->kept = 2; /* live: counted by a loop */
    if (h % 7 == 3 && self->limit != 40)
        self->kept = 3; /* dead: limit is always 40 */
}

TR_HANDLER(box, fill)
{
    for (int i = 0; i < 8 && i < msg->n; i++)
        self->cells[i] = msg->value;
    if (self->cells[3] == 77 && msg->value == 77)
        self->kept = 4; /* live: written by a loop */
    if (self->limit < 0)
        self->kept = 5; /* dead: not written by the loop */
}

TR_HANDLER(box, look)
{
    self->sum = 0;
    add_all(&self->sum, self->cells, 8);
    if (self->sum == 616)
        self->kept = 6; /* live: written through a pointer */
    if (msg->at > 250 && msg->at < 251)
        self->kept = 7; /* dead: nothing between */
}

TR_HANDLER(box, walk)
{
    int here = msg->from, turns = 0, last[4] = {0};
    for (int i = 0; i < 4 && i < msg->to; i++)
        last[i] = msg->from;
    if (last[2] == 9)
        self->kept = 11; /* live: written to a local array */
    while (here != msg->to && turns < 5) {
        if (here > 1000 && here < 1000)
            self->kept = 8; /* dead: in a loop */
        here++;
        turns++;
    }
    if (turns == 5 && here == 12)
        self->kept = 9; /* live: where the loop ends */
    if (msg->from != msg->from)
        self->kept = 10; /* dead: itself */
}

TR_BEHAVIOUR(box, open, TR_ON(text, box_text), TR_ON(fill, box_fill),
             TR_ON(look, box_look), TR_ON(walk, box_walk));
TR_CLASS(box, .start = &box_open);

TR_SYSTEM(loops)
{
    box_ref b = spawn(box, .limit = 40);
    expose(b);
}

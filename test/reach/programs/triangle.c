/* Three actors: what the first sends to the third may be overtaken by way of the
 * second, unless delivery is causal. */
#include "troupe_short.h"

TR_PROTOCOL(third, news, rumour);
TR_PROTOCOL(second, tell);
TR_PROTOCOL(first, go);

struct news {
    int n;
};
TR_MESSAGE(news);
struct rumour {
    int n;
};
TR_MESSAGE(rumour);
struct tell {
    int n;
};
TR_MESSAGE(tell);
struct go {
    int n;
};
TR_MESSAGE(go);

struct third {
    int news, rumours;
};
TR_HANDLER(third, news)
{
    self->news = msg->n;
    if (self->rumours == 7)
        self->news = 0; // overtaken
}
TR_HANDLER(third, rumour)
{
    self->rumours = msg->n;
    if (self->news == 7)
        self->rumours = 0; // in order
}
TR_BEHAVIOUR(third, up, TR_ON(news, third_news), TR_ON(rumour, third_rumour));
TR_CLASS(third, .start = &third_up);

struct second {
    third_ref third;
};
TR_HANDLER(second, tell)
{
    send(self->third, rumour, msg->n);
}
TR_BEHAVIOUR(second, up, TR_ON(tell, second_tell));
TR_CLASS(second, .start = &second_up);

struct first {
    third_ref third;
    second_ref second;
    int sent;
};
TR_HANDLER(first, go)
{
    if (self->sent++)
        return;
    send(self->third, news, msg->n);
    send(self->second, tell, msg->n);
}
TR_BEHAVIOUR(first, up, TR_ON(go, first_go));
TR_CLASS(first, .start = &first_up);

TR_SYSTEM(triangle)
{
    third_ref t = spawn(third);
    second_ref s = spawn(second, .third = t);
    first_ref f = spawn(first, .third = t, .second = s);
    expose(f);
}

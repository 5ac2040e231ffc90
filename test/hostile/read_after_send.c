/* A buffer is sent, which gives it away; a later handler reads it.
 *
 * Native: -
 * Explore: bug crash
 * Says: use after send: read a block of 16 bytes that was sent at
 */
#include "troupe_short.h"
#include <stdlib.h>
#include <string.h>

struct text {
    char *at;
};
static void text_drop(void *p)
{
    free(((struct text *)p)->at);
}
TR_MESSAGE(text, .drop = text_drop);
TR_SIGNAL(go);
TR_SIGNAL(use);

TR_PROTOCOL(reader, text);
struct reader {
    size_t n;
};
TR_HANDLER(reader, text)
{
    self->n += strlen(msg->at);
}
TR_BEHAVIOUR(reader, open, TR_ON(text, reader_text));
TR_CLASS(reader, .start = &reader_open);

TR_PROTOCOL(writer, go, use);
struct writer {
    reader_ref to;
    char *at;
    size_t n;
};
TR_HANDLER(writer, go)
{
    self->at = calloc(16, 1);
    strcpy(self->at, "first");
    send(self->to, text, .at = self->at);
}
TR_HANDLER(writer, use)
{
    self->n = strlen(self->at);
}
TR_BEHAVIOUR(writer, open, TR_ON(go, writer_go), TR_ON(use, writer_use));
TR_CLASS(writer, .start = &writer_open);
TR_TEST(t)
{
    reader_ref r = spawn(reader);
    writer_ref w = spawn(writer, .to = r);
    send(w, go);
    send(w, use);
}

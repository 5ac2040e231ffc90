/* A buffer is sent, which gives it away, and then written to.
 *
 * Native: -
 * Explore: bug crash
 * Says: use after send: wrote to a block of 16 bytes that was sent at
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

TR_PROTOCOL(writer, go);
struct writer {
    reader_ref to;
};
TR_HANDLER(writer, go)
{
    char *at = calloc(16, 1);
    strcpy(at, "first");
    send(self->to, text, .at = at);
    strcpy(at, "second");
}
TR_BEHAVIOUR(writer, open, TR_ON(go, writer_go));
TR_CLASS(writer, .start = &writer_open);
TR_TEST(t)
{
    send(spawn(writer, .to = spawn(reader)), go);
}

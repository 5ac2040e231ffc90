// Names and values that would do harm if a page took them for its own text.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <troupe_short.h>

struct word {
    char text[120];
};
TR_MESSAGE(word);
TR_SIGNAL(check);

TR_PROTOCOL(reader, word, check);
struct reader {
    char last[120];
    int n;
};
TR_HANDLER(reader, word)
{
    memcpy(self->last, msg->text, sizeof self->last);
    self->n++;
    printf("<img src=x onerror=window.harmed=1> %s\n", msg->text);
}
TR_HANDLER(reader, check)
{
    char *long_one = malloc(1 << 20);
    memset(long_one, 'x', (1 << 20) - 1);
    long_one[(1 << 20) - 1] = 0;
    puts(long_one);
    free(long_one);
    assert(self->n == 4 && "</script><script>window.harmed=1</script>");
}
TR_BEHAVIOUR(reader, open, TR_ON(word, reader_word), TR_ON(check, reader_check));
TR_CLASS(reader, .start = &reader_open);

TR_TEST(hostile)
{
    reader_ref r = spawn_named("</script><b>hi</b>", reader);
    send(r, word, .text = "</script><script>window.harmed=1</script>");
    send(r, word, .text = "right \u202e to left \u2066 and \a bell");
    send(r, word, .text = "<!-- <svg onload=window.harmed=1> \"'&amp;");
    send(r, check);
}

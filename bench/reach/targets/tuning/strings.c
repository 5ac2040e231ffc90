/* Strings and check sums. */
#include "troupe_short.h"
#include <stdint.h>
#include <string.h>

TR_PROTOCOL(reader, word);
struct word {
    char s[8];
    uint8_t check;
};
TR_MESSAGE(word);

struct reader {
    int seen;
};

TR_HANDLER(reader, word)
{
    char s[9];
    memcpy(s, msg->s, 8);
    s[8] = 0;
    if (strncmp(s, "go:", 3) == 0 && s[3] == '7' && !s[4])
        self->seen = 1; // TARGET prefix: reachable
    uint32_t h = 0;
    for (int i = 0; i < 4; i++)
        h = h * 31 + (uint8_t)s[i];
    if (h == 3555933 && s[0] >= 'a' && s[1] >= 'a' && s[2] >= 'a' &&
        s[3] >= 'a')
        self->seen = 2; // TARGET hash: reachable
    uint8_t sum = 0;
    for (int i = 0; i < 8; i++)
        sum = (uint8_t)(sum + (uint8_t)s[i]);
    if (sum == msg->check && sum == 201 && s[0] == 'x')
        self->seen = 3; // TARGET check: reachable
    if (strlen(s) > 8)
        self->seen = 4; // TARGET long: impossible, s has 8 characters at most
}
TR_BEHAVIOUR(reader, open, TR_ON(word, reader_word));
TR_CLASS(reader, .start = &reader_open);

TR_SYSTEM(desk)
{
    reader_ref reader = spawn(reader);
    expose(reader);
}

TR_TEST(prefix)
{
    reader_ref reader = spawn(reader);
    send(reader, word, .s = "go:7");
    drain();
}
TR_TEST(hash)
{
    reader_ref reader = spawn(reader);
    send(reader, word, .s = "team");
    drain();
}
TR_TEST(check)
{
    reader_ref reader = spawn(reader);
    send(reader, word, .s = {'x', 81}, .check = 201);
    drain();
}

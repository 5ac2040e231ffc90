/* Texts with numbers and words in them, brackets, check sums of chosen bytes.
 */
#include "troupe_short.h"
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

TR_PROTOCOL(box, frame, text, number, hex, words, nest, card);
struct frame {
    uint8_t data[8];
    uint8_t len;
    uint16_t crc;
};
TR_MESSAGE(frame);
struct text {
    char s[16];
};
TR_MESSAGE(text);
struct number {
    char s[16];
};
TR_MESSAGE(number);
struct hex {
    char s[16];
};
TR_MESSAGE(hex);
struct words {
    char s[24];
};
TR_MESSAGE(words);
struct nest {
    char s[12];
};
TR_MESSAGE(nest);
struct card {
    char s[12];
};
TR_MESSAGE(card);

struct box {
    int seen;
};

static uint16_t crc16(const uint8_t *p, int n)
{
    uint16_t c = 0xffff;
    for (int i = 0; i < n; i++) {
        c = (uint16_t)(c ^ (p[i] << 8));
        for (int k = 0; k < 8; k++)
            c = c & 0x8000 ? (uint16_t)(c << 1 ^ 0x1021) : (uint16_t)(c << 1);
    }
    return c;
}
TR_HANDLER(box, frame)
{
    if (msg->len > 8 || msg->len < 3)
        return;
    if (crc16(msg->data, msg->len) != msg->crc)
        return;
    self->seen = 1; // TARGET crc: reachable
    if (msg->data[0] == 0x7e && msg->data[1] == 5)
        self->seen = 2; // TARGET crc_kind: reachable
}
TR_HANDLER(box, number)
{
    char s[17];
    memcpy(s, msg->s, 16);
    s[16] = 0;
    double d = strtod(s, NULL);
    if (d == 12.25)
        self->seen = 3; // TARGET strtod: reachable
    char *end;
    double e = strtod(s, &end);
    if (e > 99.5 && *end == 'k')
        self->seen = 4; // TARGET strtod_end: reachable
}
TR_HANDLER(box, hex)
{
    char s[17];
    memcpy(s, msg->s, 16);
    s[16] = 0;
    char *end;
    long v = strtol(s, &end, 16);
    if (v == 0xbeef && !*end)
        self->seen = 5; // TARGET hex: reachable
    long w = strtol(s, &end, 0);
    if (w == 0755)
        self->seen = 6; // TARGET base_any: reachable
}
TR_HANDLER(box, words)
{
    char s[25];
    memcpy(s, msg->s, 24);
    s[24] = 0;
    char *a = strtok(s, " ");
    if (!a || strcmp(a, "set") != 0)
        return;
    char *b = strtok(NULL, " ");
    if (!b)
        return;
    char *c = strtok(NULL, " ");
    if (c && strcmp(c, "on") == 0)
        self->seen = 7; // TARGET third: reachable
    if (c && atoi(c) == 42 && strcmp(b, "x") == 0)
        self->seen = 8; // TARGET third_number: reachable
}
TR_HANDLER(box, nest)
{
    int depth = 0, most = 0;
    for (int i = 0; i < 12 && msg->s[i]; i++) {
        if (msg->s[i] == '(' || msg->s[i] == '[')
            depth++;
        else if (msg->s[i] == ')' || msg->s[i] == ']')
            depth--;
        else
            return;
        if (depth < 0)
            return;
        if (depth > most)
            most = depth;
    }
    if (depth == 0 && most >= 4)
        self->seen = 9; // TARGET nested: reachable
}
TR_HANDLER(box, card)
{
    int sum = 0, n = 0;
    while (n < 12 && isdigit((unsigned char)msg->s[n]))
        n++;
    if (n != 12)
        return;
    for (int i = 0; i < 12; i++) {
        int d = msg->s[11 - i] - '0';
        if (i % 2) {
            d *= 2;
            if (d > 9)
                d -= 9;
        }
        sum += d;
    }
    if (sum % 10 == 0 && sum > 60)
        self->seen = 10; // TARGET luhn: reachable
}
TR_HANDLER(box, text)
{
    char stack[8];
    int n = 0;
    for (int i = 0; i < 16 && msg->s[i]; i++) {
        char c = msg->s[i];
        if (c == '{' || c == '<') {
            if (n == 8)
                return;
            stack[n++] = c == '{' ? '}' : '>';
        } else if (c == '}' || c == '>') {
            if (!n || stack[--n] != c)
                return;
            if (n == 0 && i >= 7)
                self->seen = 11; // TARGET matched: reachable
        }
    }
}
TR_BEHAVIOUR(box, open, TR_ON(frame, box_frame), TR_ON(text, box_text),
             TR_ON(number, box_number), TR_ON(hex, box_hex),
             TR_ON(words, box_words), TR_ON(nest, box_nest),
             TR_ON(card, box_card));
TR_CLASS(box, .start = &box_open);
TR_SYSTEM(desk)
{
    box_ref box = spawn(box);
    expose(box);
}

TR_TEST(crc)
{
    box_ref box = spawn(box);
    send(box, frame, .data = {0x7e, 5, 0}, .len = 3, .crc = 61536);
    drain();
}
TR_TEST(crc_kind)
{
    box_ref box = spawn(box);
    send(box, frame, .data = {0x7e, 5, 0}, .len = 3, .crc = 61536);
    drain();
}
TR_TEST(strtod)
{
    box_ref box = spawn(box);
    send(box, number, .s = "12.25");
    drain();
}
TR_TEST(strtod_end)
{
    box_ref box = spawn(box);
    send(box, number, .s = "100k");
    drain();
}
TR_TEST(hex)
{
    box_ref box = spawn(box);
    send(box, hex, .s = "beef");
    drain();
}
TR_TEST(base_any)
{
    box_ref box = spawn(box);
    send(box, hex, .s = "0755");
    drain();
}
TR_TEST(third)
{
    box_ref box = spawn(box);
    send(box, words, .s = "set x on");
    drain();
}
TR_TEST(third_number)
{
    box_ref box = spawn(box);
    send(box, words, .s = "set x 42");
    drain();
}
TR_TEST(nested)
{
    box_ref box = spawn(box);
    send(box, nest, .s = "(([[]]))");
    drain();
}
TR_TEST(luhn)
{
    box_ref box = spawn(box);
    send(box, card, .s = "459845551439");
    drain();
}
TR_TEST(matched)
{
    box_ref box = spawn(box);
    send(box, text, .s = "<{<{}>}>");
    drain();
}

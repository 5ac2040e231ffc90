/* Strings: digits, a separator, a depth that is never negative. */
#include "troupe_short.h"
#include <ctype.h>
#include <string.h>

TR_PROTOCOL(parser, line, mark);
struct line {
    char text[10];
};
TR_MESSAGE(line);
struct mark {
    char c;
};
TR_MESSAGE(mark);

struct parser {
    int depth, deepest, seen;
};
static int number(const char *s)
{
    int n = 0;
    while (isdigit((unsigned char)*s) && n < 10000)
        n = n * 10 + (*s++ - '0');
    return n;
}
TR_HANDLER(parser, line)
{
    char s[11] = {0};
    memcpy(s, msg->text, 10);
    char *sign = strchr(s, '=');
    if (sign && sign - s == 2 && number(sign + 1) == 365)
        self->seen = 1; // TARGET assign: reachable
    if (strcmp(s, "help") == 0 && s[2] == 'x')
        self->seen = 2; // TARGET both: impossible, the third letter of help is l
    if (strstr(s, "no") && strstr(s, "on") && strlen(s) == 3)
        self->seen = 3; // TARGET overlap: reachable
}
TR_HANDLER(parser, mark)
{
    if (msg->c == '(')
        self->depth++;
    else if (msg->c == ')' && self->depth > 0)
        self->depth--;
    if (self->depth > self->deepest)
        self->deepest = self->depth;
    if (self->depth == 4 && msg->c == ')')
        self->seen = 4; // TARGET nested: reachable
    if (self->depth > self->deepest)
        self->seen = 5; // TARGET deeper: impossible, deepest was raised before
}
TR_BEHAVIOUR(parser, open, TR_ON(line, parser_line), TR_ON(mark, parser_mark));
TR_CLASS(parser, .start = &parser_open);

TR_SYSTEM(shell)
{
    parser_ref parser = spawn(parser);
    expose(parser);
}
TR_TEST(assign)
{
    parser_ref parser = spawn(parser);
    send(parser, line, .text = "ab=365;");
    drain();
}
TR_TEST(overlap)
{
    parser_ref parser = spawn(parser);
    send(parser, line, .text = "non");
    drain();
}
TR_TEST(nested)
{
    parser_ref parser = spawn(parser);
    for (int i = 0; i < 5; i++)
        send(parser, mark, .c = '(');
    send(parser, mark, .c = ')');
    drain();
}

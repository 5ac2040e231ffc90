/* Text commands: what sscanf reads, what snprintf writes, text in blocks. */
#include "troupe_short.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TR_PROTOCOL(shell, command, number, owned, say);
struct command {
    char text[16];
};
TR_MESSAGE(command);
struct number {
    int n;
    unsigned u;
};
TR_MESSAGE(number);
struct owned {
    char *text;
};
static void owned_drop(void *payload)
{
    free(((struct owned *)payload)->text);
}
TR_MESSAGE(owned, .drop = owned_drop);
struct say {
    int n;
};
TR_MESSAGE(say);

struct shell {
    int seen;
    char last[16];
};
TR_HANDLER(shell, command)
{
    int a, b;
    if (sscanf(msg->text, "set %d %d", &a, &b) == 2 && a == 37 && b == a + 5)
        self->seen = 1; // TARGET set: reachable
}
TR_HANDLER(shell, number)
{
    char text[16];
    snprintf(text, sizeof text, "%d", msg->n);
    if (strcmp(text, "-7312") == 0)
        self->seen = 2; // TARGET decimal: reachable
    sprintf(self->last, "%x", msg->u);
    if (strcmp(self->last, "cafe") == 0)
        self->seen = 3; // TARGET hexadecimal: reachable
}
TR_HANDLER(shell, owned)
{
    if (msg->text && msg->text[0] == 'q' && msg->text[1] == 'z')
        self->seen = 4; // TARGET block: reachable
}
TR_HANDLER(shell, say)
{
    for (int i = 0; i < msg->n && i < 8; i++)
        printf("%d\n", i);
    if (msg->n > 5 && msg->n < 5)
        self->seen = 5; // TARGET printed: impossible, no number is both
    printf("%s", self->last);
    if (msg->n * 2 == 7)
        self->seen = 6; // TARGET uneven: impossible, twice something is even
}
TR_BEHAVIOUR(shell, open, TR_ON(command), TR_ON(number), TR_ON(owned),
             TR_ON(say));
TR_CLASS(shell, .start = &shell_open);

TR_SYSTEM(shells)
{
    shell_ref s = spawn(shell);
    expose(s);
}
TR_TEST(set)
{
    shell_ref s = spawn(shell);
    send(s, command, .text = "set 37 42");
}
TR_TEST(decimal)
{
    shell_ref s = spawn(shell);
    send(s, number, .n = -7312);
}
TR_TEST(hexadecimal)
{
    shell_ref s = spawn(shell);
    send(s, number, .u = 0xcafe);
}
TR_TEST(block)
{
    shell_ref s = spawn(shell);
    send(s, owned, .text = strdup("qz"));
}

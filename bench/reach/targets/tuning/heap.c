/* Lists, elements that may be the same, recursion. */
#include "troupe_short.h"
#include <stdint.h>
#include <stdlib.h>

TR_PROTOCOL(shelf, put, swap, divide);
struct put {
    int v;
};
TR_MESSAGE(put);
struct swap {
    uint8_t i, j;
};
TR_MESSAGE(swap);
struct divide {
    uint16_t a, b;
};
TR_MESSAGE(divide);

struct node {
    struct node *next;
    int v;
};
struct shelf {
    struct node *first;
    int at[4];
    int seen;
};

TR_HANDLER(shelf, put)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        return;
    n->v = msg->v;
    n->next = self->first;
    self->first = n;
    int length = 0;
    for (struct node *p = n; p; p = p->next)
        length++;
    if (length == 3 && n->v < n->next->v && n->next->v < n->next->next->v)
        self->seen = 1; // TARGET falling: reachable
    if (n->next == n)
        self->seen = 2; // TARGET loop: impossible, n is new
}
TR_HANDLER(shelf, swap)
{
    int *a = &self->at[msg->i % 4], *b = &self->at[msg->j % 4];
    *a = 1;
    *b = 2;
    if (*a == 2)
        self->seen = 3; // TARGET alias: reachable
    if (*a == 2 && msg->i % 4 != msg->j % 4)
        self->seen = 4; // TARGET apart: impossible, they are different elements
}
static uint16_t gcd(uint16_t a, uint16_t b)
{
    return b ? gcd(b, a % b) : a;
}
TR_HANDLER(shelf, divide)
{
    if (msg->a > 100 && msg->b > 100 && msg->a != msg->b &&
        gcd(msg->a, msg->b) == 17)
        self->seen = 5; // TARGET gcd: reachable
}
TR_FINI(shelf)
{
    while (self->first) {
        struct node *n = self->first;
        self->first = n->next;
        free(n);
    }
}
TR_BEHAVIOUR(shelf, open, TR_ON(put, shelf_put), TR_ON(swap, shelf_swap),
             TR_ON(divide, shelf_divide));
TR_CLASS(shelf, .start = &shelf_open, .fini = shelf_fini_);

TR_SYSTEM(store)
{
    shelf_ref shelf = spawn(shelf);
    expose(shelf);
}
TR_TEST(falling)
{
    shelf_ref shelf = spawn(shelf);
    send(shelf, put, .v = 9);
    send(shelf, put, .v = 5);
    send(shelf, put, .v = 1);
    drain();
}
TR_TEST(alias)
{
    shelf_ref shelf = spawn(shelf);
    send(shelf, swap, .i = 2, .j = 6);
    drain();
}
TR_TEST(gcd)
{
    shelf_ref shelf = spawn(shelf);
    send(shelf, divide, .a = 170, .b = 119);
    drain();
}

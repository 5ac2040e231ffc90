/* A sorted list on the heap, and recursion over numbers. */
#include "troupe_short.h"
#include <stdint.h>
#include <stdlib.h>

TR_PROTOCOL(list, add, walk);
struct add {
    int key;
};
TR_MESSAGE(add);
struct walk {
    uint8_t n, a[3], i, j;
};
TR_MESSAGE(walk);

struct item {
    int key;
    struct item *next;
};
struct list {
    struct item *head;
    int n, seen;
};
TR_HANDLER(list, add)
{
    if (self->n == 5)
        return;
    struct item **p = &self->head;
    while (*p && (*p)->key < msg->key)
        p = &(*p)->next;
    struct item *i = malloc(sizeof *i);
    if (!i)
        return;
    *i = (struct item){msg->key, *p};
    *p = i;
    self->n++;
    if (self->n == 3 && i->next && i->next->key == i->key + 10 && self->head != i)
        self->seen = 1; // TARGET between: reachable
    if (i->next && i->next->key < i->key)
        self->seen = 2; // TARGET unsorted: impossible, it stands before the first not smaller
    if (self->n > 5)
        self->seen = 3; // TARGET sixth: impossible, five is the most
}
static uint32_t ways(uint8_t n)
{
    return n < 2 ? 1 : ways((uint8_t)(n - 1)) + ways((uint8_t)(n - 2));
}
TR_HANDLER(list, walk)
{
    if (msg->n < 20 && ways(msg->n) == 233)
        self->seen = 4; // TARGET ways: reachable
    uint8_t a[3] = {msg->a[0], msg->a[1], msg->a[2]};
    if (msg->i < 3 && msg->j < 3) {
        a[msg->i] = (uint8_t)(a[msg->j] + 1);
        if (a[0] == 10 && a[1] == 9 && a[msg->j] != 9)
            self->seen = 5; // TARGET same: reachable
    }
}
TR_FINI(list)
{
    while (self->head) {
        struct item *i = self->head;
        self->head = i->next;
        free(i);
    }
}
TR_BEHAVIOUR(list, open, TR_ON(add, list_add), TR_ON(walk, list_walk));
TR_CLASS(list, .start = &list_open, .fini = list_fini_);

TR_SYSTEM(shelf)
{
    list_ref list = spawn(list);
    expose(list);
}
TR_TEST(between)
{
    list_ref list = spawn(list);
    send(list, add, .key = 1);
    send(list, add, .key = 30);
    send(list, add, .key = 20);
    drain();
}
TR_TEST(ways)
{
    list_ref list = spawn(list);
    send(list, walk, .n = 12);
    drain();
}
TR_TEST(same)
{
    list_ref list = spawn(list);
    send(list, walk, .a = {9, 9}, .i = 0, .j = 0);
    drain();
}

// list.c
#include <stddef.h>

struct node {
    int key;
    struct node *next;
};

// Take the first node with this key out of a list.
struct node *without(struct node *list, int key)
{
    struct node *before = NULL, *at = list;
    while (at->key != key) {
        before = at;
        at = at->next;
    }
    if (!before)
        return at->next;
    before->next = at->next;
    return list;
}

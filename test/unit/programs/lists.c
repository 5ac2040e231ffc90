// Lists, trees, and what they give back.
#include <stdlib.h>

struct node {
    int key;
    struct node *next;
};
struct tree {
    int key;
    struct tree *left, *right;
};

struct node *push(struct node *list, int key)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        return list;
    n->key = key;
    n->next = list;
    return n;
}

void drop(struct node *list)
{
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

int sorted(const struct node *list)
{
    for (; list && list->next; list = list->next)
        if (list->key > list->next->key)
            return 0;
    return 1;
}

int depth(const struct tree *t)
{
    if (!t)
        return 0;
    int left = depth(t->left), right = depth(t->right);
    return 1 + (left > right ? left : right);
}

int same(struct node **a, struct node **b)
{
    if (*a != *b)
        return 0;
    *a = NULL;
    return 1;
}

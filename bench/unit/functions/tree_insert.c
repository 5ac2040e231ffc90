#include <stdlib.h>
struct tree {
    int key;
    struct tree *left, *right;
};
int tree_insert(struct tree **root, struct tree *t)
{
    while (*root) {
        if (t->key == (*root)->key)
            return 0;
        root = t->key < (*root)->key ? &(*root)->left : &(*root)->right;
    }
    *root = t;
    return 1;
}
#ifdef BRUTE
static void brute(void)
{
    for (int k = 0; k < 27; k++) {
        struct tree a = {k % 3, 0, 0}, b = {k / 3 % 3, 0, 0}, t = {k / 9, 0, 0};
        struct tree *root = &a;
        a.left = k & 1 ? &b : 0;
        TRY(tree_insert(&root, &t));
        root = 0;
        TRY(tree_insert(&root, &t));
    }
    struct tree a = {0}, *root = &a;
    TRY(tree_insert(0, &a));
    TRY(tree_insert(&root, 0));
}
#endif

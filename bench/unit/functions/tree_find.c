#include <stddef.h>
struct branch {
    int key;
    struct branch *left, *right;
};
const struct branch *tree_find(const struct branch *t, int key)
{
    while (t && t->key != key)
        t = key < t->key ? t->left : t->right;
    return t;
}
#ifdef BRUTE
static void brute(void)
{
    struct branch a = {1, NULL, NULL}, c = {3, NULL, NULL}, b = {2, &a, &c};
    for (int k = 0; k < 5; k++)
        TRY(tree_find(&b, k));
    TRY(tree_find(NULL, 0));
}
#endif

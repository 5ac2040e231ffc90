struct tree {
    struct tree *left, *right;
};
int tree_height(const struct tree *t)
{
    if (!t)
        return 0;
    int l = tree_height(t->left), r = tree_height(t->right);
    if (l < 0 || r < 0)
        return -1;
    if (l > r + 1 || r > l + 1)
        return -1;
    return (l > r ? l : r) + 1;
}
#ifdef BRUTE
static void brute(void)
{
    struct tree t[4];
    TRY(tree_height(0));
    for (int k = 0; k < 64; k++) {
        memset(t, 0, sizeof t);
        t[0].left = k & 1 ? &t[1] : 0;
        t[0].right = k & 2 ? &t[2] : 0;
        t[1].left = k & 4 ? &t[3] : 0;
        t[2].right = k & 8 ? &t[3] : 0;
        t[1].right = k & 16 ? &t[2] : 0;
        t[2].left = k & 32 ? &t[3] : 0;
        TRY(tree_height(t));
    }
    struct tree u[4] = {{&u[1], 0}, {&u[2], 0}, {&u[3], 0}, {0, 0}};
    struct tree v[5] = {{&v[1], 0}, {0, &v[2]}, {0, &v[3]}, {0, 0}};
    struct tree w[5] = {{0, &w[1]}, {0, &w[2]}, {0, &w[3]}, {0, 0}};
    TRY(tree_height(u));
    TRY(tree_height(v));
    TRY(tree_height(w));
}
#endif

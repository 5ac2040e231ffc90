struct node {
    int key;
    struct node *next;
};
struct node *merge(struct node *a, struct node *b)
{
    struct node *head = 0, **tail = &head;
    while (a && b) {
        if (a->key <= b->key) {
            *tail = a;
            a = a->next;
        } else {
            *tail = b;
            b = b->next;
        }
        tail = &(*tail)->next;
    }
    *tail = a ? a : b;
    return head;
}
#ifdef BRUTE
static void brute(void)
{
    for (int k = 0; k < 64; k++) {
        struct node a[2] = {{k & 1, 0}, {1, 0}},
                    b[2] = {{k >> 1 & 1, 0}, {1, 0}};
        a[0].next = k & 4 ? &a[1] : 0;
        b[0].next = k & 8 ? &b[1] : 0;
        TRY(merge(k & 16 ? a : 0, k & 32 ? b : 0));
    }
}
#endif

struct ring {
    struct ring *next, *prev;
    int value;
};
int unlink_node(struct ring *r)
{
    if (r->next == r)
        return 0;
    if (r->next->prev != r || r->prev->next != r)
        return -1;
    r->next->prev = r->prev;
    r->prev->next = r->next;
    r->next = r->prev = r;
    return 1;
}
#ifdef BRUTE
static void brute(void)
{
    struct ring r[3];
    for (int k = 0; k < 1 << 12; k++) {
        for (int i = 0; i < 3; i++) {
            int n = k >> 4 * i & 3, p = k >> (4 * i + 2) & 3;
            r[i].next = n < 3 ? &r[n] : 0;
            r[i].prev = p < 3 ? &r[p] : 0;
        }
        TRY(unlink_node(r));
    }
    TRY(unlink_node(0));
}
#endif

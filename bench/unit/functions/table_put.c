enum { SLOTS = 4 };
struct table {
    unsigned keys[SLOTS];
    unsigned char full[SLOTS];
    int n;
};
int table_put(struct table *t, unsigned key)
{
    if (t->n >= SLOTS)
        return -1;
    unsigned at = key % SLOTS;
    while (t->full[at]) {
        if (t->keys[at] == key)
            return 0;
        at = (at + 1) % SLOTS;
        if (at == key % SLOTS)
            return -2;
    }
    t->keys[at] = key;
    t->full[at] = 1;
    t->n++;
    return 1;
}
#ifdef BRUTE
static void brute(void)
{
    for (int n = 0; n < 5; n += 4)
        for (int full = 0; full < 16; full++)
            for (unsigned key = 0; key < 6; key++) {
                struct table t = {
                    {0, 1, 2, 3},
                    {full & 1, full >> 1 & 1, full >> 2 & 1, full >> 3},
                    n};
                TRY(table_put(&t, key));
            }
    TRY(table_put(0, 0));
}
#endif

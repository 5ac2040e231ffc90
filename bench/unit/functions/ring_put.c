struct buffer {
    unsigned head, count;
    unsigned char data[8];
};
int ring_put(struct buffer *b, const unsigned char *from, unsigned n)
{
    unsigned done = 0;
    while (done < n) {
        if (b->count == sizeof b->data)
            return (int)done;
        b->data[(b->head + b->count) % sizeof b->data] = from[done++];
        b->count++;
    }
    return b->count == sizeof b->data ? -1 : (int)done;
}
#ifdef BRUTE
static void brute(void)
{
    static const unsigned char from[4];
    for (unsigned head = 0; head < 8; head += 7)
        for (unsigned count = 0; count < 9; count++)
            for (unsigned n = 0; n < 3; n++) {
                struct buffer b = {head, count, {0}};
                TRY(ring_put(&b, from, n));
            }
    struct buffer b = {0};
    TRY(ring_put(0, from, 1));
    TRY(ring_put(0, from, 0));
    TRY(ring_put(&b, 0, 1));
}
#endif

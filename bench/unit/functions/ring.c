struct ring {
    unsigned char bytes[4];
    unsigned head, used;
};
int ring_push(struct ring *r, unsigned char c)
{
    if (r->used > 4 || r->head > 3)
        return -1;
    if (r->used == 4)
        return 0;
    unsigned at = r->head + r->used;
    if (at >= 4)
        at -= 4;
    r->bytes[at] = c;
    r->used++;
    return 1;
}
#ifdef BRUTE
static void brute(void)
{
    for (unsigned h = 0; h < 6; h++)
        for (unsigned u = 0; u < 7; u++) {
            struct ring r = {{0}, h, u};
            TRY(ring_push(&r, 'a'));
        }
    TRY(ring_push(0, 0));
}
#endif

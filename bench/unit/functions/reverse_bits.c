unsigned char reverse_bits(unsigned char b, int *odd)
{
    unsigned char r = 0;
    for (int i = 0; i < 8; i++)
        if (b & 1u << i)
            r |= (unsigned char)(0x80u >> i);
    if (odd)
        *odd = __builtin_parity(b);
    return r == b ? 0 : r;
}
#ifdef BRUTE
static void brute(void)
{
    int odd;
    for (int b = 0; b < 256; b++) {
        TRY(reverse_bits((unsigned char)b, 0));
        TRY(reverse_bits((unsigned char)b, &odd));
    }
}
#endif

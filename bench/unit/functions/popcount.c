int popcount(unsigned x)
{
    int n = 0;
    while (x) {
        x &= x - 1;
        n++;
    }
    if (n == 32)
        return -1;
    return n & 1 ? n : -n;
}
#ifdef BRUTE
int main(void)
{
    for (unsigned i = 0; i < 9; i++)
        popcount(i);
    popcount(0xffffffffu);
}
#endif

int sort_three(int *a, int *b, int *c)
{
    int swaps = 0, t;
    if (*a > *b) {
        t = *a, *a = *b, *b = t;
        swaps++;
    }
    if (*b > *c) {
        t = *b, *b = *c, *c = t;
        swaps++;
    }
    if (*a > *b) {
        t = *a, *a = *b, *b = t;
        swaps++;
    }
    return swaps;
}
#ifdef BRUTE
int main(void)
{
    for (int i = 0; i < 27; i++) {
        int a = i % 3, b = i / 3 % 3, c = i / 9;
        sort_three(&a, &b, &c);
    }
}
#endif

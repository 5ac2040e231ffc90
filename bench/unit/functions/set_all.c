void set_all(int **rows, int n, int value)
{
    for (int i = 0; i < n; i++) {
        if (!rows[i])
            continue;
        if (i > 0 && rows[i] == rows[i - 1])
            *rows[i] += value;
        else
            *rows[i] = value;
    }
}
#ifdef BRUTE
static void brute(void)
{
    int a, b;
    int *choice[] = {0, &a, &b};
    for (int n = 0; n < 3; n++)
        for (int k = 0; k < 9; k++) {
            int *rows[2] = {choice[k % 3], choice[k / 3]};
            TRY(set_all(rows, n, 1));
        }
    TRY(set_all(0, 1, 1));
}
#endif

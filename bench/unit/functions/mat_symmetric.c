int mat_symmetric(const int m[3][3], int n)
{
    if (n < 0 || n > 3)
        return -1;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            if (m[i][j] != m[j][i])
                return 0;
    return 1;
}
#ifdef BRUTE
static void brute(void)
{
    int m[3][3] = {{0, 1, 0}, {1, 0, 0}, {0, 0, 0}};
    for (int n = -1; n < 5; n++) {
        TRY(mat_symmetric(m, n));
        m[0][1] = 2;
        TRY(mat_symmetric(m, n));
        m[0][1] = 1;
    }
    TRY(mat_symmetric(0, 0));
    TRY(mat_symmetric(0, 2));
}
#endif

int is_symmetric(int m[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++)
            if (m[i][j] != m[j][i])
                return 0;
    return 1;
}
#ifdef BRUTE
static void brute(void)
{
    int m[3][3] = {{0}};
    TRY(is_symmetric(m));
    m[2][1] = 1;
    TRY(is_symmetric(m));
    TRY(is_symmetric(0));
}
#endif

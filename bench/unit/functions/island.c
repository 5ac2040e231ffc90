int island(const char g[3][3], int r, int c)
{
    static const int d[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
    if (r < 0 || r > 2 || c < 0 || c > 2)
        return -1;
    if (g[r][c] != '#')
        return 0;
    for (int i = 0; i < 4; i++) {
        int y = r + d[i][0], x = c + d[i][1];
        if (y < 0 || y > 2 || x < 0 || x > 2)
            continue;
        if (g[y][x] == '#')
            return 2;
    }
    return 1;
}
#ifdef BRUTE
static void brute(void)
{
    EACH(const char *, s, "#........", "##.......", ".........", "....#....",
         "........#")
    for (int r = -1; r < 4; r++)
        for (int c = -1; c < 4; c++) {
            char g[3][3];
            memcpy(g, *s, 9);
            TRY(island(g, r, c));
        }
    TRY(island(0, 0, 0));
    TRY(island(0, -1, 0));
}
#endif

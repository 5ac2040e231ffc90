struct date {
    int year;
    unsigned char month, day;
};
int date_compare(const struct date *a, const struct date *b)
{
    if (a->year != b->year)
        return a->year < b->year ? -1 : 1;
    if (a->month != b->month)
        return a->month < b->month ? -1 : 1;
    if (a->day != b->day)
        return a->day < b->day ? -1 : 1;
    return 0;
}
#ifdef BRUTE
static void brute(void)
{
    for (int i = 0; i < 64; i++) {
        struct date a = {i & 1, i >> 1 & 1, i >> 2 & 1};
        struct date b = {i >> 3 & 1, i >> 4 & 1, i >> 5 & 1};
        TRY(date_compare(&a, &b));
    }
    struct date d = {0};
    TRY(date_compare(0, &d));
    TRY(date_compare(&d, 0));
}
#endif

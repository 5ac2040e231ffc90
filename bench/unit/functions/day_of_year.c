struct day {
    int year, month, day;
};
int day_of_year(const struct day *d)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int leap = d->year % 4 == 0 && (d->year % 100 != 0 || d->year % 400 == 0);
    if (d->month < 1 || d->month > 12)
        return -1;
    int most = days[d->month - 1] + (leap && d->month == 2);
    if (d->day < 1 || d->day > most)
        return -2;
    int n = d->day;
    for (int m = 1; m < d->month; m++)
        n += days[m - 1];
    if (leap && d->month > 2)
        n++;
    return n;
}
#ifdef BRUTE
static void brute(void)
{
    EACH(int, y, 0, 1, 4, 100)
    for (int m = 0; m < 14; m++)
        for (int k = 0; k < 33; k++) {
            struct day d = {*y, m, k};
            TRY(day_of_year(&d));
        }
    TRY(day_of_year(0));
}
#endif

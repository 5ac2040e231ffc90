// Sums that do not fit, where nothing faults.
int twice(int a)
{
    return a * 2;
}

int percent(int a, int b)
{
    if (a < 0 || b < 0)
        return -1;
    return a * 100 / b;
}

int small(unsigned char a)
{
    return a * 100;
}

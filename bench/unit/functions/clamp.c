double clamp(double x, double low, double high)
{
    if (!(low <= high))
        return 0.0;
    if (x < low)
        return low;
    if (x > high)
        return high;
    return x;
}
#ifdef BRUTE
int main(void)
{
    for (int x = -3; x < 4; x++)
        clamp(x, -1, 1);
    clamp(0, 2, 1);
}
#endif

int celsius(float f)
{
    float c = (f - 32.0f) * 5.0f / 9.0f;
    if (c <= -273.15f)
        return -1;
    if (c < 0.0f)
        return 0;
    if (c >= 100.0f)
        return 2;
    return (int)c == 37 ? 3 : 1;
}
#ifdef BRUTE
static void brute(void)
{
    EACH(float, f, 0, 50, 99, -1000, 300, 98.6f)
    TRY(celsius(*f));
}
#endif

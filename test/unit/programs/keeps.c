int next_id(void)
{
    static int last;
    if (last == 3) {
        last = 0;
        return -1;
    }
    return ++last;
}

int allow(unsigned now)
{
    static unsigned window, used;
    if (now / 10 != window) {
        window = now / 10;
        used = 0;
    }
    if (used >= 2)
        return 0;
    used++;
    return 1;
}

// The least common multiple, with the sign taken away by a function of its own:
// four ways through `least` itself, of which one cannot be.
static int size_of(int n)
{
    return n < 0 ? -n : n;
}

static int common(int a, int b)
{
    while (b != 0) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return size_of(a);
}

int least(int a, int b)
{
    if (a < b) {
        int keep = a;
        a = b;
        b = keep;
    }
    int d = common(a, b), product = size_of(a * b);
    if (d == 0)
        return -1;
    return product / d;
}

struct handler {
    int id;
    int (*run)(void *self, int arg);
    void *self;
};
int dispatch(const struct handler *h, int n, int id, int arg)
{
    for (int i = 0; i < n; i++) {
        if (h[i].id != id)
            continue;
        if (!h[i].run)
            return -2;
        int r = h[i].run(h[i].self, arg);
        if (r >= 0)
            return r;
    }
    return -1;
}
#ifdef BRUTE
static int gives(void *self, int arg)
{
    (void)self;
    return arg;
}
static void brute(void)
{
    for (int n = 0; n < 3; n++)
        for (int id = 0; id < 2; id++)
            for (int arg = -1; arg < 1; arg++) {
                struct handler h[2] = {{0, gives, 0}, {1, 0, 0}};
                TRY(dispatch(h, n, id, arg));
            }
    TRY(dispatch(0, 1, 0, 0));
}
#endif

// Writes through references that may be one: the solver decides, no fork.
struct box {
    int in;
};

static void first(void)
{
}
static void then(void)
{
}
static int same(int v)
{
    return v;
}
static int other(int v)
{
    return 100 + v;
}

int after_writes(struct box *x, struct box *y, struct box *z)
{
    x->in = 1;
    z->in = -5;
    first();
    y->in = x->in + 1;
    then();
    if (x == z)
        return same(y->in);
    return other(y->in);
}

// The condition is on a field: where it holds, x is neither z nor y.
int by_field(struct box *x, struct box *y, struct box *z)
{
    x->in = 1;
    z->in = -5;
    first();
    y->in = x->in + 1;
    then();
    if (x->in == 1)
        return same(y->in);
    return other(y->in);
}

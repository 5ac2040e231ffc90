// Writes through references that may be one: the solver decides, no fork.
struct box {
    int in;
};

int after_writes(struct box *x, struct box *y, struct box *z)
{
    x->in = 1;
    z->in = -5;
    y->in = x->in + 1;
    if (x == z)
        return y->in;
    return 100 + y->in;
}

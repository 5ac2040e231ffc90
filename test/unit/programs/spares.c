double root_of(double a, double b, double c)
{
    double d = b * b - 4 * a * c;
    if (a == 0)
        return b != 0 ? -c / b : 0;
    if (d < 0)
        return -1;
    if (d == 0)
        return -b / (2 * a);
    return d;
}

struct value {
    enum { V_INT, V_REAL, V_LIST } kind;
    union {
        long i;
        double d;
        struct {
            struct value *items;
            int n;
        } list;
    } u;
};

int truthy(const struct value *v)
{
    switch (v->kind) {
    case V_INT:
        return v->u.i != 0;
    case V_REAL:
        return v->u.d != 0.0;
    case V_LIST:
        for (int i = 0; i < v->u.list.n; i++)
            if (!truthy(&v->u.list.items[i]))
                return 0;
        return 1;
    }
    return -1;
}

struct handler {
    int (*accept)(void *context, int key);
    void *context;
};

int dispatch(const struct handler *h, int key)
{
    return h->accept ? h->accept(h->context, key) > 0 : -1;
}

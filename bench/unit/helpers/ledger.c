// Helpers on a struct, three deep, called again and again.
struct account {
    int balance, limit, frozen;
};

static int can_pay(const struct account *a, int n)
{
    return !a->frozen && n > 0 && a->balance >= n - a->limit;
}

static int pay(struct account *a, int n)
{
    if (!can_pay(a, n))
        return 0;
    a->balance -= n;
    if (a->balance < 0)
        a->frozen = 1;
    return 1;
}

static int move(struct account *from, struct account *to, int n)
{
    if (!pay(from, n))
        return 0;
    to->balance += n;
    return 1;
}

int settle(struct account *a, struct account *b, int x, int y)
{
    int done = move(a, b, x) + move(b, a, y) + move(a, b, 10);
    if (done == 3)
        return a->balance > b->balance;
    if (done == 0 && a->frozen)
        return 2;
    return -1;
}

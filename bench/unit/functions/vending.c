enum coin { NICKEL, DIME, QUARTER, BACK };
struct machine {
    int credit, stock;
    enum { IDLE, READY, EMPTY } state;
};
int vending(struct machine *m, enum coin c)
{
    static const int worth[] = {5, 10, 25};
    if (m->state == EMPTY)
        return -1;
    if (c == BACK) {
        int give = m->credit;
        m->credit = 0;
        m->state = IDLE;
        return give;
    }
    m->credit += worth[c];
    if (m->credit < 50) {
        m->state = READY;
        return 0;
    }
    m->credit -= 50;
    if (--m->stock == 0)
        m->state = EMPTY;
    else
        m->state = m->credit ? READY : IDLE;
    return 1;
}
#ifdef BRUTE
static void brute(void)
{
    for (int state = 0; state < 3; state++)
        for (int c = 0; c < 4; c++)
            for (int credit = 0; credit < 60; credit += 5)
                for (int stock = 1; stock < 3; stock++) {
                    struct machine m = {credit, stock, state};
                    TRY(vending(&m, c));
                }
    TRY(vending(0, NICKEL));
    struct machine m = {0};
    TRY(vending(&m, 1 << 28));
}
#endif

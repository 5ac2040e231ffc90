#include <stddef.h>
struct message {
    unsigned kind : 2, urgent : 1, size : 5;
    union {
        int number;
        struct {
            short x, y;
        } point;
        struct message *inner;
    } u;
};
int weight(const struct message *m)
{
    if (!m)
        return 0;
    int w = m->urgent ? 10 : 1;
    switch (m->kind) {
    case 0:
        return w;
    case 1:
        return m->u.number > 5 ? w + 5 : w;
    case 2:
        return m->u.point.x == m->u.point.y ? -1 : w * 2;
    default:
        return m->u.inner == m ? -2 : w + weight(m->u.inner);
    }
}
#ifdef BRUTE
static void brute(void)
{
    for (unsigned kind = 0; kind < 4; kind++)
        for (unsigned urgent = 0; urgent < 2; urgent++)
            EACH(int, n, 0, 1, 6)
            {
                struct message m = {kind, urgent, 0, {.number = *n}};
                if (kind == 3)
                    m.u.inner = *n ? &m : NULL;
                TRY(weight(&m));
            }
    TRY(weight(NULL));
}
#endif

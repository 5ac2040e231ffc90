#include <stddef.h>
struct slot {
    unsigned key;
    int used;
};
int hash_find(const struct slot slots[4], unsigned key)
{
    unsigned at = (key * 2654435761u) >> 30;
    for (int i = 0; i < 4; i++) {
        const struct slot *s = &slots[(at + (unsigned)i) & 3];
        if (!s->used)
            return -1;
        if (s->key == key)
            return (int)(s - slots);
    }
    return -2;
}
#ifdef BRUTE
static void brute(void)
{
    for (int used = 0; used < 2; used++)
        for (unsigned key = 0; key < 3; key++) {
            struct slot s[4] = {{0, used}, {0, used}, {0, used}, {0, used}};
            TRY(hash_find(s, key));
        }
    TRY(hash_find(0, 0));
}
#endif

/* Who is exposed by an init hook is a receptionist; digits of base 64, which
 * branches tell. */
#include "troupe_short.h"
#include <string.h>

TR_PROTOCOL(house, key);
TR_PROTOCOL(lodger, letter);
struct key {
    char text[8];
};
TR_MESSAGE(key);
struct letter {
    int n;
};
TR_MESSAGE(letter);

struct lodger {
    int seen;
};
TR_HANDLER(lodger, letter)
{
    if (msg->n == 4096)
        self->seen = 1; // a letter
}
TR_BEHAVIOUR(lodger, in, TR_ON(letter, lodger_letter));
TR_CLASS(lodger, .start = &lodger_in);

struct house {
    int seen;
};
TR_INIT(house)
{
    lodger_ref upstairs = spawn(lodger);
    expose(upstairs);
}
static int digit(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}
TR_HANDLER(house, key)
{
    char out[6];
    for (int i = 0; i < 2; i++) {
        const char *s = msg->text + 4 * i;
        int a = digit(s[0]), b = digit(s[1]), c = digit(s[2]), d = digit(s[3]);
        if (a < 0 || b < 0 || c < 0 || d < 0)
            return;
        out[3 * i] = (char)(a << 2 | b >> 4);
        out[3 * i + 1] = (char)(b << 4 | c >> 2);
        out[3 * i + 2] = (char)(c << 6 | d);
    }
    if (memcmp(out, "open-5", 6) == 0)
        self->seen = 1; // the key
}
TR_BEHAVIOUR(house, up, TR_ON(key, house_key));
TR_CLASS(house, .start = &house_up, .init = house_init_);

TR_SYSTEM(street)
{
    house_ref house = spawn(house);
    expose(house);
}

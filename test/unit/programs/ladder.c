// Numbers, a switch, a select and conditions inside conditions.
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

int grade(int points, bool late)
{
    if (points < 0 || points > 100)
        abort();
    if (late && points > 90)
        points = 90;
    switch (points / 10) {
    case 10:
    case 9:
        return 1;
    case 8:
        return 2;
    case 7:
        return 3;
    default:
        return points ? 4 : 5;
    }
}

unsigned magic(unsigned x)
{
    if (x == 0xdeadbeefu)
        return 1;
    if ((x ^ 0x5a5a5a5au) == 0x12345678u)
        return 2;
    return 0;
}

static int hidden(int n)
{
    assert(n != 42);
    return n / (n - 7);
}

int shown(int n)
{
    return hidden(n);
}

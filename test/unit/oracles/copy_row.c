// A model for a function whose code is not at hand.
#include <stdlib.h>

struct fraction;
struct row {
    int length;
    struct fraction *at[];
};

void copy_row(struct row *from, struct row *to, int length)
{
    if (length < 0)
        abort();
    for (int i = 0; i < length; i++)
        to->at[i] = from->at[i];
}

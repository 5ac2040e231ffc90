#include <troupe_unit.h>

int pre_subtract(struct chain *from, struct chain *what)
{
    return from != NULL && unit_apart(from, what);
}

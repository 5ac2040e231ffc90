// Takes out of one list what is in another.
#include <stddef.h>

struct item {
    int value;
    struct item *next;
};
struct chain {
    struct item *first;
};

void subtract(struct chain *from, struct chain *what)
{
    for (struct item *w = what->first; w; w = w->next) {
        struct item *before = NULL, *here = NULL, *next = from->first;
        while (next) {
            before = here;
            here = next;
            next = next->next;
            if (here->value == w->value) {
                if (!before) {
                    from->first = next;
                    here = NULL;
                } else {
                    before->next = next;
                    here = before;
                }
            }
        }
    }
}

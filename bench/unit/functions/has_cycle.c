#include <stddef.h>
struct node {
    struct node *next;
};
int has_cycle(const struct node *head)
{
    const struct node *slow = head, *fast = head;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
        if (slow == fast)
            return 1;
    }
    return 0;
}
#ifdef BRUTE
static void brute(void)
{
    struct node n[3] = {{NULL}, {NULL}, {NULL}};
    TRY(has_cycle(NULL));
    TRY(has_cycle(n));
    n[0].next = &n[1];
    TRY(has_cycle(n));
    n[1].next = &n[2];
    TRY(has_cycle(n));
    n[1].next = &n[0];
    TRY(has_cycle(n));
    n[0].next = &n[0];
    TRY(has_cycle(n));
}
#endif

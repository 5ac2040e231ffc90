/* Dining philosophers, one meal each: the program of programs/eta/phils.c
 * under all delivery models.
 *
 * Parameter n: philosophers (3).  Schedules, classes, final states, distinct
 * handler runs:
 *   n = 2  any, pair 412, 9, 2, 20     causal 340, 5, 2, 18
 *          mailbox 150, 5, 2, 18
 *   n = 3  any, pair 18,322,416, 49, 2, 30   causal 18,288,288, 37, 2, 30
 *          mailbox 3,159,870, 37, 2, 30
 */
#include "../eta/phils.c"

/* SPDX-License-Identifier: Apache-2.0 */
/* Assumptions on the heap for preconditions of `troupe unit`.
 *
 * A function pre_f with the parameters of f, in the same file or given by
 * --pre, says which inputs f is meant for: it returns true for those.  It is
 * ordinary C, and may use what is declared here to say what C cannot:
 *
 *     int pre_merge(struct list *a, struct list *b)
 *     {
 *         return a && b && unit_apart(a, b) && unit_acyclic(a->first);
 *     }
 *
 * `troupe unit` checks them on the objects of each input.  In other builds they
 * are true as far as can be told. */
#ifndef TROUPE_UNIT_H
#define TROUPE_UNIT_H

#include <stddef.h>

#ifdef TROUPE_UNIT
/* They are not one object. */
int unit_distinct(const void *a, const void *b);
/* Nothing can be reached from both. */
int unit_apart(const void *a, const void *b);
/* Following pointers from a never comes back to an object. */
int unit_acyclic(const void *a);
int(unit_count)(const void *p, size_t n, size_t size);
#else
static inline int unit_distinct(const void *a, const void *b)
{
    return !a || a != b;
}
static inline int unit_apart(const void *a, const void *b)
{
    return !a || a != b;
}
static inline int unit_acyclic(const void *a)
{
    (void)a;
    return 1;
}
static inline int(unit_count)(const void *p, size_t n, size_t size)
{
    (void)p, (void)n, (void)size;
    return 1;
}
#endif

/* p points to n elements, no more and no less. */
#define unit_count(p, n) unit_count(p, n, sizeof *(p))

#endif

/* savina.h - what the programs here share.
 *
 * The switch REPAIRED, the suite's random numbers, growing lists, and how a
 * program says its result.
 *
 * All programs have the same form.  The system `savina` is the benchmark at the
 * suite's default parameters; its tests are the same thing at small ones.  An
 * actor that knows a result asserts it, so a wrong one is an assertion in every
 * order of messages and under every manager.  Every behaviour is hot: an actor
 * that is left waiting at the end (the suite calls it a hang) is a deadlock.
 * Labels in brackets number the branches, counted within one program; [1n] is
 * the side of branch [1] on which a reference is missing.
 *
 * With --param start=0 the system creates its actors but does not send the
 * driver's messages: for generators that send their own to the actors exposed.
 */
#ifndef SAVINA_H
#define SAVINA_H

#include "../bugs/repaired.h"
#include "troupe_short.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Says a result, in a handler: result("%d primes", n). */
#define result(...) tr_log(ctx, TR_INFO, __VA_ARGS__)
/* Does the driver send its messages? */
#define starts() (param("start", 1) != 0)

/* ---- the suite's random numbers ----------------------------------------- */

/* 16 bits, and the lowest alternates: two draws per decision see one parity. */
struct draws {
    uint64_t v; /* starts as the seed, 74755 if nothing else is said */
};

static inline uint32_t draw(struct draws *d)
{
    d->v = (d->v * 1309 + 13849) & 65535;
    return (uint32_t)d->v;
}

static inline uint32_t draw_below(struct draws *d, uint32_t n)
{
    return draw(d) % n;
}

/* In (0, 1], and mostly small. */
static inline double draw_double(struct draws *d)
{
    return 1.0 / (double)(draw(d) + 1);
}

/* ---- lists --------------------------------------------------------------- */

/* LIST(int) l: elements l.at[l.first] to l.at[l.n - 1]; all zero is empty.
 * What is not in use is zero, so that equal lists are equal bytes. */
#define LIST(T)                                                                \
    struct {                                                                   \
        T *at;                                                                 \
        uint32_t first, n, room;                                               \
    }
#define list_length(l) ((l)->n - (l)->first)
#define list_add(l, x)                                                         \
    ((l)->at = list_grown((l)->at, (l)->n, &(l)->room, sizeof *(l)->at),       \
     (l)->at[(l)->n++] = (x))
#define list_first(l) ((l)->at[(l)->first])
/* Take the first element away. */
#define list_drop(l)                                                           \
    list_shifted((l)->at, &(l)->first, &(l)->n, sizeof *(l)->at)
#define list_free(l)                                                           \
    (free((l)->at), (l)->at = NULL, (l)->first = (l)->n = (l)->room = 0)

static inline void *list_grown(void *at, uint32_t n, uint32_t *room,
                               size_t size)
{
    if (n < *room)
        return at;
    *room = *room ? 2 * *room : 4;
    at = realloc(at, *room * size);
    assert(at);
    memset((char *)at + n * size, 0, (*room - n) * size);
    return at;
}

static inline void list_shifted(void *at, uint32_t *first, uint32_t *n,
                                size_t size)
{
    char *bytes = at;
    uint32_t left = *n - ++*first;
    if (*first < left) {
        memset(bytes + (*first - 1) * size, 0, size);
        return;
    }
    memmove(bytes, bytes + *first * size, left * size);
    memset(bytes + left * size, 0, (*n - left) * size);
    *first = 0;
    *n = left;
}

#endif

// Adding one bound to a closed matrix closes it again in one pass: a new
// shortest path goes through the new bound once.
#include "runtime/bounds.h"

#include <string.h>

static int64_t sum(int64_t a, int64_t b)
{
    return a >= BOUNDS_NONE || b >= BOUNDS_NONE ? BOUNDS_NONE : a + b;
}

static int64_t duration(uint64_t ms)
{
    return ms < (uint64_t)BOUNDS_MOST ? (int64_t)ms : BOUNDS_MOST;
}

// A moment about which nothing is known.
static void forget(struct bounds *b, uint32_t x)
{
    for (uint32_t y = 0; y < b->n; y++)
        *tr__bound(b, x, y) = *tr__bound(b, y, x) = BOUNDS_NONE;
    *tr__bound(b, x, x) = 0;
}

void tr__bounds_init(struct bounds *b, int64_t *at, uint32_t room)
{
    *b = (struct bounds){at, room, BOUNDS_TIMERS};
    forget(b, BOUNDS_NOW);
    forget(b, BOUNDS_ORIGIN);
}

void tr__bounds_move(struct bounds *b, int64_t *at, uint32_t room)
{
    struct bounds old = *b;
    b->at = at;
    b->room = room;
    for (uint32_t x = 0; x < b->n; x++)
        memcpy(tr__bound(b, x, 0), tr__bound(&old, x, 0), b->n * sizeof *at);
}

void tr__bounds_limit(struct bounds *b, uint32_t x, uint32_t y, int64_t ms)
{
    if (*tr__bound(b, x, y) <= ms)
        return;
    for (uint32_t i = 0; i < b->n; i++) {
        int64_t to = sum(*tr__bound(b, i, x), ms);
        for (uint32_t j = 0; to < BOUNDS_NONE && j < b->n; j++) {
            int64_t new = sum(to, *tr__bound(b, y, j));
            if (new < *tr__bound(b, i, j))
                *tr__bound(b, i, j) = new;
        }
    }
}

void tr__bounds_pass(struct bounds *b)
{
    for (uint32_t y = 0; y < b->n; y++)
        *tr__bound(b, BOUNDS_NOW, y) = y == BOUNDS_NOW ? 0 : BOUNDS_NONE;
}

// Moment x becomes later by ms.
static void shift(struct bounds *b, uint32_t x, int64_t ms)
{
    for (uint32_t y = 0; y < b->n; y++) {
        if (y == x)
            continue;
        *tr__bound(b, x, y) = sum(*tr__bound(b, x, y), ms);
        *tr__bound(b, y, x) = sum(*tr__bound(b, y, x), -ms);
    }
}

void tr__bounds_sleep(struct bounds *b, uint64_t ms)
{
    shift(b, BOUNDS_NOW, duration(ms));
}

uint32_t tr__bounds_add(struct bounds *b, uint64_t ms)
{
    uint32_t x = b->n++;
    for (uint32_t y = 0; y < x; y++) {
        *tr__bound(b, x, y) = *tr__bound(b, BOUNDS_NOW, y);
        *tr__bound(b, y, x) = *tr__bound(b, y, BOUNDS_NOW);
    }
    *tr__bound(b, x, x) = 0;
    shift(b, x, duration(ms));
    return x;
}

void tr__bounds_remove(struct bounds *b, uint32_t x)
{
    uint32_t rest = b->n - x - 1;
    for (uint32_t y = x; y + 1 < b->n; y++)
        memcpy(tr__bound(b, y, 0), tr__bound(b, y + 1, 0),
               b->n * sizeof *b->at);
    b->n--;
    for (uint32_t y = 0; y < b->n; y++)
        memmove(tr__bound(b, y, x), tr__bound(b, y, x + 1),
                rest * sizeof *b->at);
}

// How much x - y may be at most if x fires before y.
static int64_t lead(uint32_t x, uint32_t y)
{
    return x < y ? 0 : -1;
}

bool tr__bounds_first(const struct bounds *b, uint32_t x)
{
    for (uint32_t y = BOUNDS_TIMERS; y < b->n; y++)
        if (y != x && *tr__bound(b, y, x) + lead(x, y) < 0)
            return false;
    return true;
}

void tr__bounds_fire(struct bounds *b, uint32_t x)
{
    tr__bounds_pass(b);
    for (uint32_t y = BOUNDS_TIMERS; y < b->n; y++)
        if (y != x)
            tr__bounds_limit(b, x, y, lead(x, y));
    tr__bounds_limit(b, x, BOUNDS_NOW, 0);
}

// This tells nothing new of the other moments: x has fired, so it is not after
// the present, and the bounds of the new moment do not contradict each other.
void tr__bounds_again(struct bounds *b, uint32_t x, uint64_t ms)
{
    uint32_t last = b->n++;
    int64_t period = duration(ms);
    for (uint32_t y = 0; y < last; y++) {
        int64_t after_due = sum(*tr__bound(b, y, x), -period);
        int64_t after_now = sum(*tr__bound(b, y, BOUNDS_NOW), -1);
        *tr__bound(b, y, last) = after_due < after_now ? after_due : after_now;
        *tr__bound(b, last, y) = sum(*tr__bound(b, BOUNDS_NOW, y), period);
    }
    *tr__bound(b, last, last) = 0;
    tr__bounds_remove(b, x);
}

static int64_t modulo(int64_t a, int64_t n)
{
    return a % n < 0 ? a % n + n : a % n;
}

static int64_t measure(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

// Of y's due times that come after the first, only the phase is known.
bool tr__bounds_pace(const struct bounds *b, uint32_t x, uint32_t y,
                     const struct pace *of_y, struct pace *of_x)
{
    int64_t after = *tr__bound(b, x, y);
    if (after >= BOUNDS_NONE || *tr__bound(b, y, x) != -after ||
        (of_y->fired && of_y->every != of_x->every))
        return false;
    of_x->group = of_y->group;
    of_x->phase = of_y->phase + after;
    return true;
}

// y is not after the present by more than its period, x is after the present:
// how much can y be after x at most?
void tr__bounds_keep_pace(struct bounds *b, uint32_t x, uint32_t y,
                          const struct pace *of_x, const struct pace *of_y)
{
    int64_t period = duration(of_y->every);
    int64_t common = measure(duration(of_x->every), period);
    int64_t lead = modulo(of_y->phase - of_x->phase, common);
    tr__bounds_limit(b, y, x, period - common + lead);
}

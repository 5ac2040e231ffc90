#include "explore/spread.h"

#include <math.h>

enum { FEW = 20 }; // probes of which nothing is said

// Of the probes the first part taught where to look.
static uint32_t taught(uint32_t n)
{
    return n / 4;
}

struct spread spread_none(void)
{
    return (struct spread){-1, -1, -1};
}

// Standard deviations of the logarithm that the interval reaches down, and up
// if the deviation is small.  Fitted: with 2 and 4 the truth lies in it in 93
// of 100 cases, over eight trees and 100 to 3,000 probes.
#define DOWN 2.
#define UP 4.

struct spread spread_of(const double *probes, uint32_t n)
{
    uint32_t from = n >= FEW ? taught(n) : 0, k = n - from;
    double sum = 0, squares = 0;
    if (!n)
        return spread_none();
    for (uint32_t i = from; i < n; i++)
        sum += probes[i];
    double mean = sum / k;
    for (uint32_t i = from; i < n; i++)
        squares += (probes[i] / mean - 1) * (probes[i] / mean - 1);
    if (n < FEW)
        return (struct spread){mean, -1, -1};
    double sigma = sqrt(log1p(squares / (k - 1) / k));
    return (struct spread){mean, mean * exp(-DOWN * sigma),
                           mean * exp(UP * (1 + sigma) * sigma)};
}

void spread_raise(struct spread *s, double least)
{
    if (s->mean < 0)
        return;
    if (s->mean < least)
        s->mean = least;
    if (s->low < 0)
        return;
    if (s->low < least)
        s->low = least;
    if (s->high < s->mean)
        s->high = s->mean;
}

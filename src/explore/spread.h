// A mean of random probes, and between which numbers it lies.
//
// Probes of a tree are skewed: most are small, a few are very large.  So the
// interval is one of factors, wider upwards, and it was fitted to trees whose
// size is known: in nine of ten cases the truth lies in it (test/explore/
// spread.c, bench/estimate).  No interval helps if the large parts of a tree
// were never met; what is known for certain may be given as a least number.
#ifndef EXPLORE_SPREAD_H
#define EXPLORE_SPREAD_H

#include <stdint.h>

struct spread {
    double mean; // < 0: not known
    double low, high;
};

struct spread spread_none(void);
// n probes in the order in which they were made; the later ones count.
struct spread spread_of(const double *probes, uint32_t n);
// The number is known to be no less than this.
void spread_raise(struct spread *s, double least);

#endif

#include "crew/sketch.h"

#include "base/hash.h"

#include <math.h>

uint32_t sketch_register(uint64_t hash, unsigned char *run)
{
    uint64_t h = hash_join(hash, SKETCH_BITS); // the given bits may be uneven
    uint64_t rest = h << SKETCH_BITS | UINT64_C(1) << (SKETCH_BITS - 1);
    *run = (unsigned char)(1 + __builtin_clzll(rest));
    return (uint32_t)(h >> (64 - SKETCH_BITS));
}

void sketch_add(struct sketch *s, uint64_t hash)
{
    unsigned char run;
    uint32_t i = sketch_register(hash, &run);
    if (run > s->at[i])
        s->at[i] = run;
}

// Where few were added, the number follows from how many registers are empty
// (section 4 of the paper in sketch.h).
double sketch_count(const struct sketch *s)
{
    const double m = SKETCH_BYTES;
    double sum = 0, empty = 0;
    for (int i = 0; i < SKETCH_BYTES; i++) {
        sum += ldexp(1, -s->at[i]);
        empty += s->at[i] == 0;
    }
    double raw = 0.7213 / (1 + 1.079 / m) * m * m / sum;
    return raw <= 2.5 * m && empty > 0 ? m * log(m / empty) : raw;
}

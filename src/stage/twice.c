// The same request twice, with other contents of fresh memory: does the effect
// depend on something besides state and message?
//
// The second run finds 0xAA on its stack and 0x55 in fresh blocks, where the
// first found zeros.  Bytes of blocks that were never written, or only as the
// padding of a copied struct, show exactly these values in the second image;
// they are no difference.  What counts: other sends, births or bugs, another
// struct, other written bytes.
#include "stage/core.h"

#include "stage/values.h"

#include <string.h>

enum { EVERY = 64, FIRST = 4 };

bool twice_wanted(struct native *n, uint32_t state, uint32_t msg)
{
    (void)n, (void)state, (void)msg;
    return false;
}

uint32_t twice(struct native *n, uint32_t after, run_fn *run, uint32_t state,
               uint32_t msg, uint32_t sender, const uint16_t *picks,
               uint32_t n_picks)
{
    (void)n, (void)run, (void)state, (void)msg, (void)sender, (void)picks;
    (void)n_picks;
    return after;
}

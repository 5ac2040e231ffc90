// The tool's side of an instrumented program (ir/instrument.h): the map that it
// marks the places it passes in, and who is told of more.
//
// The map is the tool's memory: neither the program's, which handlers must not
// change, nor an actor's.  It is shared with all processes forked after
// hits_open, so what workers and tests pass shows in their parent.
#ifndef STAGE_HITS_H
#define STAGE_HITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A map of `bytes` zero bytes from now on; one before is given back.  False
// with errno if there is no memory.
bool hits_open(size_t bytes);
void hits_close(void);
// The map that the program writes to: the one opened, until hits_use.
void *hits_map(void);
// Let this process write elsewhere; NULL: to the map opened.
void hits_use(void *map);

// Told by an instrumented program as it runs; NULL: nobody listens.
struct hits_watcher {
    void *user;
    // A check fails; on return the program goes on.
    void (*trapped)(void *user, uint32_t hit);
    // Operands of a comparison, with its enum ir_op, widened with zeros.
    void (*compare)(void *user, uint32_t site, uint32_t op, uint32_t bits,
                    uint64_t a, uint64_t b);
    // ... with the mask of an IR_FCMP.
    void (*floats)(void *user, uint32_t site, uint32_t mask, double a,
                   double b);
    // ... of a call that compares up to n characters, with its enum ir_text.
    void (*texts)(void *user, uint32_t site, uint32_t how, const void *a,
                  const void *b, size_t n);
    // The value of a switch; case k is comparison site + k.
    void (*cases)(void *user, uint32_t site, uint32_t bits, uint64_t v,
                  const uint64_t *cases, uint32_t n);
};
// Borrowed until the next call.
void hits_watch(const struct hits_watcher *w);

// Has the check or place `hit` been passed?  For maps of counters.
static inline uint32_t hits_count(const void *map, uint32_t hit)
{
    return ((const uint32_t *)map)[hit];
}

#endif

// The names that instrumented objects bind to.
#include "stage/hits.h"

#include <sys/mman.h>

#include "troupe.h"

TR_API extern uint8_t *tr_hits_;
TR_API void tr_trapped_(uint32_t hit);
TR_API void tr_compare_(uint32_t site, uint32_t op, uint32_t bits, uint64_t a,
                        uint64_t b);
TR_API void tr_compare_float_(uint32_t site, uint32_t mask, double a, double b);
TR_API void tr_compare_text_(uint32_t site, uint32_t how, const void *a,
                             const void *b, size_t n);
TR_API void tr_cases_(uint32_t site, uint32_t bits, uint64_t v,
                      const uint64_t *cases, uint32_t n);

uint8_t *tr_hits_;

static struct {
    void *map;
    size_t bytes;
    struct hits_watcher watcher;
} hits;

bool hits_open(size_t bytes)
{
    hits_close();
    void *p = mmap(NULL, bytes + 1, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return false;
    hits.map = p;
    hits.bytes = bytes + 1;
    tr_hits_ = p;
    return true;
}

void hits_close(void)
{
    if (hits.map)
        munmap(hits.map, hits.bytes);
    hits.map = NULL;
    tr_hits_ = NULL;
}

void *hits_map(void)
{
    return hits.map;
}

void hits_use(void *map)
{
    tr_hits_ = map ? map : hits.map;
}

void hits_watch(const struct hits_watcher *w)
{
    static const struct hits_watcher nobody;
    hits.watcher = w ? *w : nobody;
}

// The mark is made by whoever listens, or here as a counter.
void tr_trapped_(uint32_t hit)
{
    if (hits.watcher.trapped)
        hits.watcher.trapped(hits.watcher.user, hit);
    else
        ((uint32_t *)(void *)tr_hits_)[hit]++;
}

void tr_compare_(uint32_t site, uint32_t op, uint32_t bits, uint64_t a,
                 uint64_t b)
{
    if (hits.watcher.compare)
        hits.watcher.compare(hits.watcher.user, site, op, bits, a, b);
}

void tr_compare_float_(uint32_t site, uint32_t mask, double a, double b)
{
    if (hits.watcher.floats)
        hits.watcher.floats(hits.watcher.user, site, mask, a, b);
}

void tr_compare_text_(uint32_t site, uint32_t how, const void *a, const void *b,
                      size_t n)
{
    if (hits.watcher.texts)
        hits.watcher.texts(hits.watcher.user, site, how, a, b, n);
}

void tr_cases_(uint32_t site, uint32_t bits, uint64_t v, const uint64_t *cases,
               uint32_t n)
{
    if (hits.watcher.cases)
        hits.watcher.cases(hits.watcher.user, site, bits, v, cases, n);
}

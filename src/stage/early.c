// One heap for blocks, and a list of mappings.  Programs may have threads when
// they free what they allocated before: a lock is held.
//
// A sanitizer wants to see the blocks of a program.  Where one is at work this
// memory stays empty.
#include "stage/early.h"

#include "stage/heap.h"
#include "stage/region.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { EARLY_ROOM = 1 << 27 };

struct block {
    const void *at;
    uintptr_t caller;
};

static struct {
    pthread_mutex_t lock;
    struct heap *heap;        // NULL: nothing was allocated
    bool refused;             // the address is taken, or must not be
    VEC(struct block) blocks; // of heap and mappings, freed ones as well
    VEC(struct range) mapped;
} early = {.lock = PTHREAD_MUTEX_INITIALIZER};

extern void __asan_init(void) __attribute__((weak));
extern void __tsan_init(void) __attribute__((weak));
extern void __msan_init(void) __attribute__((weak));

bool early_now(void)
{
    return program_starting() && !__asan_init && !__tsan_init && !__msan_init;
}

// ---- blocks ---------------------------------------------------------------

static struct heap *heap_at(void)
{
    void *at = (void *)(uintptr_t)(REGION_BASE + SLOT_EARLY * REGION_SIZE);
    if (early.heap || early.refused)
        return early.heap;
    void *p =
        mmap(at, EARLY_ROOM, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
             -1, 0);
    early.refused = p != at;
    if (p == at)
        early.heap = at;
    else if (p != MAP_FAILED)
        munmap(p, EARLY_ROOM);
    return early.heap;
}

static void *map_block(size_t size)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    struct range r = {(uintptr_t)p, (uintptr_t)p + size};
    vec_push(&early.mapped, r);
    return p;
}

void *early_get(size_t size, size_t align, uintptr_t caller)
{
    void *p = NULL;
    pthread_mutex_lock(&early.lock);
    if (heap_at())
        p = heap_get(early.heap, EARLY_ROOM, size, align);
    if (!p && size > heap_most(EARLY_ROOM) / 2 && align <= HEAP_PAGE)
        p = map_block(size);
    if (p)
        vec_push(&early.blocks, ((struct block){p, caller}));
    pthread_mutex_unlock(&early.lock);
    return p;
}

static struct block *block_from(const void *p)
{
    for (uint32_t i = early.blocks.n; i-- > 0;)
        if (early.blocks.at[i].at == p)
            return &early.blocks.at[i];
    return NULL;
}

static bool in_heap(const void *p)
{
    return early.heap && heap_in(early.heap, EARLY_ROOM, p);
}

// The mapping that an address lies in, or how many there are.
static uint32_t mapping_of(uintptr_t address)
{
    uint32_t i = 0;
    while (i < early.mapped.n && (address < early.mapped.at[i].from ||
                                  address >= early.mapped.at[i].to))
        i++;
    return i;
}

// Blocks outside the heap are few; most programs have none.
bool early_has(const void *p)
{
    if (in_heap(p))
        return true;
    if (!early.mapped.n)
        return false;
    pthread_mutex_lock(&early.lock);
    bool is = block_from(p);
    pthread_mutex_unlock(&early.lock);
    return is;
}

static void unmap(uint32_t i)
{
    struct range *r = &early.mapped.at[i];
    munmap((void *)r->from, r->to - r->from);
    *r = vec_last(&early.mapped);
    early.mapped.n--;
}

void early_put(void *p)
{
    pthread_mutex_lock(&early.lock);
    struct block *b = block_from(p);
    if (in_heap(p))
        heap_put(early.heap, EARLY_ROOM, p);
    else
        unmap(mapping_of((uintptr_t)p));
    if (b)
        b->at = NULL;
    pthread_mutex_unlock(&early.lock);
}

size_t early_size(const void *p)
{
    uint32_t i = mapping_of((uintptr_t)p);
    return in_heap(p) ? heap_size(early.heap, EARLY_ROOM, p)
           : i < early.mapped.n
               ? early.mapped.at[i].to - early.mapped.at[i].from
               : 0;
}

void early_mapped(void *at, size_t size)
{
    pthread_mutex_lock(&early.lock);
    struct range r = {(uintptr_t)at, (uintptr_t)at + size};
    vec_push(&early.mapped, r);
    pthread_mutex_unlock(&early.lock);
}

// ---- looking --------------------------------------------------------------

// The part of a mapping that the process may read and write, as the kernel has
// it: the program may have unmapped or protected some of it.
static void add_mapping(early_ranges *to, struct range m)
{
    FILE *f = fopen("/proc/self/maps", "r");
    char line[512], access[8];
    unsigned long from, end;
    while (f && fgets(line, sizeof line, f)) {
        if (sscanf(line, "%lx-%lx %7s", &from, &end, access) != 3 ||
            from >= m.to || end <= m.from || strncmp(access, "rw", 2) != 0)
            continue;
        struct range r = {from > m.from ? from : m.from,
                          end < m.to ? end : m.to};
        vec_push(to, r);
    }
    if (f)
        fclose(f);
}

void early_each(early_ranges *to)
{
    struct extent e[HEAP_EXTENTS];
    uint32_t n = early.heap ? heap_extents(early.heap, EARLY_ROOM, e) : 0;
    for (uint32_t i = 0; i < n; i++) {
        struct range r = {(uintptr_t)e[i].at, (uintptr_t)e[i].at + e[i].size};
        vec_push(to, r);
    }
    for (uint32_t i = 0; i < early.mapped.n; i++)
        add_mapping(to, early.mapped.at[i]);
}

struct early_block early_block(uintptr_t address)
{
    const void *p = (const void *)address;
    uint32_t i = mapping_of(address);
    if (in_heap(p))
        p = heap_block(early.heap, EARLY_ROOM, p);
    else
        p = i < early.mapped.n ? (const void *)early.mapped.at[i].from : NULL;
    const struct block *b = p ? block_from(p) : NULL;
    return (struct early_block){(uintptr_t)p, p ? early_size(p) : 0,
                                b ? b->caller : 0};
}

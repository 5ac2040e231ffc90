// A block has a head of 16 bytes before it.  Sizes are rounded to classes. Each
// class has a list of free blocks; if the list is empty, the block is taken
// from the end.
#include "reach/heap.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum { SMALL = 64, CLASSES = SMALL + 40, GRAIN = 16 };

struct head {
    uint64_t size; // asked for
    uint32_t cls;
    uint32_t live;
};

struct heap_arena {
    unsigned char *next, *end;
    void *free[CLASSES]; // the first word of a free block leads to the next
    unsigned char *first;
};

struct heap_arena *heap_arena_new(size_t room)
{
    void *p = mmap(NULL, room, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    struct heap_arena *h = p;
    h->first = h->next =
        (unsigned char *)p + (sizeof *h + GRAIN - 1) / GRAIN * GRAIN;
    h->end = (unsigned char *)p + room;
    return h;
}

enum { KEPT = 16 << 20 }; // what is beyond goes back to the system

void heap_arena_reset(struct heap_arena *h)
{
    size_t used = (size_t)(h->next - h->first);
    if (used > KEPT) {
        uintptr_t from = ((uintptr_t)h->first + KEPT + 4095) & ~(uintptr_t)4095;
        madvise((void *)from, (uintptr_t)h->next - from, MADV_DONTNEED);
        used = from - (uintptr_t)h->first;
    }
    memset(h->first, 0, used);
    memset(h->free, 0, sizeof h->free);
    h->next = h->first;
}

static size_t rounded(size_t size, uint32_t *cls)
{
    size_t n = (size + GRAIN - 1) / GRAIN, power = SMALL;
    if (n < SMALL) {
        *cls = (uint32_t)n;
        return n * GRAIN;
    }
    for (*cls = SMALL; power < n; power *= 2)
        ++*cls;
    return power * GRAIN;
}

static struct head *head_of(const void *p)
{
    return (struct head *)((uintptr_t)p - sizeof(struct head));
}

void *heap_arena_get(struct heap_arena *h, size_t size, size_t align)
{
    uint32_t cls;
    if (size > (size_t)(h->end - h->next))
        return NULL;
    size_t room = rounded(size ? size : 1, &cls);
    unsigned char *p = align <= GRAIN ? h->free[cls] : NULL;
    if (p) {
        memcpy(&h->free[cls], p, sizeof h->free[cls]);
        memset(p, 0, room);
    } else {
        uintptr_t at = (uintptr_t)h->next + sizeof(struct head);
        if (align > GRAIN)
            at = (at + align - 1) & ~(uintptr_t)(align - 1);
        if (at > (uintptr_t)h->end || room > (uintptr_t)h->end - at)
            return NULL;
        p = (unsigned char *)at;
        h->next = p + room;
    }
    *head_of(p) = (struct head){size, cls, 1};
    return p;
}

void heap_arena_put(struct heap_arena *h, void *p)
{
    struct head *e = head_of(p);
    if (!e->live || e->cls >= CLASSES)
        return; // the program's mistake, which the replay tells
    e->live = 0;
    memcpy(p, &h->free[e->cls], sizeof(void *));
    h->free[e->cls] = p;
}

size_t heap_arena_size(const struct heap_arena *h, const void *p)
{
    (void)h;
    return head_of(p)->size;
}

bool heap_arena_has(const struct heap_arena *h, const void *p)
{
    return (const unsigned char *)p > h->first &&
           (const unsigned char *)p < h->next;
}

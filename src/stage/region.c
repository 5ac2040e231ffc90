// Mapping regions, and turning them into images and back.
#include "stage/region.h"

#include "play/play.h"
#include "stage/raw.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

static const size_t sizes[LISTS_N] = {
#define LIST_(name, type) sizeof(type),
    LISTS(LIST_)
#undef LIST_
};

size_t list_size(enum list l)
{
    return sizes[l];
}

static bool map(void *at, size_t size)
{
    void *p =
        mmap(at, size, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
             -1, 0);
    if (p == MAP_FAILED)
        return false;
    madvise(p, size, MADV_NOHUGEPAGE);
    return p == at;
}

struct region *region_map(uint32_t slot)
{
    unsigned char *at =
        (unsigned char *)(uintptr_t)(REGION_BASE + slot * REGION_SIZE);
    if (!map(at + LISTS_AT, REGION_SIZE - LISTS_AT))
        return NULL;
    struct region *r = region_at(slot);
    r->state = PLAY_NONE;
    r->actor = PLAY_NONE;
    return r;
}

void region_unmap(struct region *r)
{
    munmap(region_slot(r), REGION_SIZE);
}

bool region_need_stack(struct region *r, uint32_t k)
{
    if (r->stacks >> k & 1)
        return true;
    if (!map(region_stack(r, k) - region_stack_size(r), region_stack_size(r)))
        return false;
    r->stacks |= UINT32_C(1) << k;
    return true;
}

// ---- images ---------------------------------------------------------------

// Behaviour and flags are in one word.  Most states have neither lists nor
// heaps: then that is the head, else the rest of the struct follows.
#define SHORT_BIT (UINT64_C(1) << 63)
#define FLAGS_AT 48
#define REST_AT offsetof(struct head, burnt)
enum { REST = sizeof(struct head) - REST_AT };

static const struct task *tasks(const struct region *r)
{
    return region_list(r, LIST_TASKS);
}

static size_t stack_used(const struct region *r, const struct task *t)
{
    return (size_t)((uintptr_t)region_stack(r, t->stack) - t->sp);
}

static bool no_lists(const struct head *h)
{
    uint64_t n[3]; // the lists' lengths, some of them twice
    static_assert(sizeof h->n >= 16 && sizeof h->n <= 24, "three words");
    memcpy(n, h->n, 16);
    memcpy(n + 2, (const char *)h->n + sizeof h->n - 8, 8);
    return !(n[0] | n[1] | n[2]);
}

// Mostly all lists are empty: then there is nothing to walk.
static enum list lists_end(const struct head *h)
{
    return no_lists(h) ? 0 : LISTS_N;
}

// Is there nothing besides head and struct?
static bool small(const struct head *h)
{
    return no_lists(h) && !(h->heaps | h->burnt);
}

static unsigned char *save_head(unsigned char *to, const struct head *h)
{
    bool is_small = small(h);
    uint64_t word = h->behaviour | (uint64_t)h->flags << FLAGS_AT;
    if (is_small)
        word |= SHORT_BIT;
    memcpy(to, &word, sizeof word);
    if (is_small)
        return to + sizeof word;
    memcpy(to + sizeof word, (const char *)h + REST_AT, REST);
    return to + sizeof word + REST;
}

uint64_t image_behaviour(const unsigned char *image)
{
    uint64_t word;
    memcpy(&word, image, sizeof word);
    return word & ((UINT64_C(1) << FLAGS_AT) - 1);
}

const unsigned char *image_head(const unsigned char *image, struct head *out)
{
    uint64_t word;
    memcpy(&word, image, sizeof word);
    *out = (struct head){
        .behaviour = image_behaviour(image),
        .flags = (uint8_t)(word >> FLAGS_AT),
    };
    image += sizeof word;
    if (word & SHORT_BIT)
        return image;
    memcpy((char *)out + REST_AT, image, REST);
    return image + REST;
}

size_t image_list_at(const struct head *h, size_t self, size_t size,
                     enum list l)
{
    size_t at = self + size;
    for (enum list k = 0; k < l; k++)
        at += h->n[k] * sizes[k];
    return at;
}

size_t image_without_timers(const unsigned char *image, size_t bytes,
                            size_t size, unsigned char *to)
{
    struct head all, some;
    const unsigned char *from = image_head(image, &all), *end = image + bytes;
    unsigned char *at = to;
    some = all;
    some.n[LIST_TIMERS] = some.n[LIST_TICKS] = some.n[LIST_BOUNDS] = 0;
    at = save_head(at, &some);
    memcpy(at, from, size);
    at += size;
    from += size;
    for (enum list l = 0; l < LISTS_N; l++) {
        memcpy(at, from, some.n[l] * sizes[l]);
        at += some.n[l] * sizes[l];
        from += all.n[l] * sizes[l];
    }
    memcpy(at, from, (size_t)(end - from));
    return (size_t)(at - to) + (size_t)(end - from);
}

size_t region_image_size(const struct region *r)
{
    const struct head *h = &r->head;
    size_t bytes = sizeof(uint64_t) + r->size;
    if (small(h))
        return bytes;
    bytes += REST;
    for (enum list l = 0, end = lists_end(h); l < end; l++)
        bytes += h->n[l] * sizes[l];
    if (h->heaps & 1)
        bytes += heap_image_size(region_heap(r));
    if (h->heaps & 2)
        bytes += heap_image_size(region_own_heap(r));
    for (uint32_t i = 0; i < h->n[LIST_TASKS]; i++)
        bytes += stack_used(r, &tasks(r)[i]);
    return bytes;
}

static unsigned char *save(unsigned char *to, const void *from, size_t size)
{
    raw_copy(to, from, size);
    return to + size;
}

void region_save(const struct region *r, unsigned char *to)
{
    const struct head *h = &r->head;
    to = save(save_head(to, h), region_self(r), r->size);
    if (small(h))
        return;
    for (enum list l = 0, end = lists_end(h); l < end; l++)
        to = save(to, region_list(r, l), h->n[l] * sizes[l]);
    if (h->heaps & 1)
        to = heap_save(region_heap(r), USER_ROOM, to);
    if (h->heaps & 2)
        to = heap_save(region_own_heap(r), OWN_ROOM, to);
    for (uint32_t i = 0; i < h->n[LIST_TASKS]; i++) {
        const struct task *t = &tasks(r)[i];
        to = save(to, (const void *)(uintptr_t)t->sp, stack_used(r, t));
    }
}

static const unsigned char *load(void *to, const unsigned char *from,
                                 size_t size)
{
    raw_copy(to, from, size);
    return from + size;
}

static void empty_heap(struct heap *h, size_t room)
{
    struct heap old = *h;
    memset(h, 0, sizeof *h);
    heap_trim(h, room, &old);
}

// All but the stacks, which come last; where they do.
static const unsigned char *load_parts(struct region *r,
                                       const unsigned char *image)
{
    struct head *h = &r->head;
    uint8_t had = h->heaps;
    r->timed = false;
    image = image_head(image, h);
    image = load(region_self(r), image, r->size);
    if (had & ~h->heaps & 1)
        empty_heap(region_heap(r), USER_ROOM);
    if (had & ~h->heaps & 2)
        empty_heap(region_own_heap(r), OWN_ROOM);
    if (small(h))
        return image;
    for (enum list l = 0, end = lists_end(h); l < end; l++)
        image = load(region_list(r, l), image, h->n[l] * sizes[l]);
    if (h->heaps & 1)
        image = heap_load(region_heap(r), USER_ROOM, image);
    if (h->heaps & 2)
        image = heap_load(region_own_heap(r), OWN_ROOM, image);
    return image;
}

void region_load(struct region *r, const unsigned char *image)
{
    const struct head *h = &r->head;
    image = load_parts(r, image);
    for (uint32_t i = 0; i < h->n[LIST_TASKS]; i++) {
        const struct task *t = &tasks(r)[i];
        region_need_stack(r, t->stack);
        size_t size = stack_used(r, t);
        image = load((void *)(uintptr_t)t->sp, image, size);
        if (r->dirty[t->stack] < size)
            r->dirty[t->stack] = (uint32_t)size;
    }
}

// Words that are addresses of struct or heaps at home.
RAW static void move_words(void *at, size_t size, uint64_t home, uint64_t to)
{
    uint64_t *p = at;
    for (size_t i = 0; i < size / sizeof *p; i++)
        if (p[i] - home >= REGION_AT && p[i] - home < REGION_SIZE)
            p[i] += to - home;
}

static void move_heap(struct heap *h, size_t room, uint64_t home, uint64_t to)
{
    struct extent e[HEAP_EXTENTS];
    for (uint32_t i = 1, n = heap_extents(h, room, e); i < n; i++)
        move_words(e[i].at, e[i].size, home, to);
}

void region_show(struct region *r, const unsigned char *image, uint32_t size,
                 const struct region *home)
{
    uint64_t from = (uintptr_t)region_slot(home);
    uint64_t to = (uintptr_t)region_slot(r);
    r->size = size;
    load_parts(r, image);
    move_words(region_self(r), size, from, to);
    if (r->head.heaps & 1)
        move_heap(region_heap(r), USER_ROOM, from, to);
    if (r->head.heaps & 2)
        move_heap(region_own_heap(r), OWN_ROOM, from, to);
}

void region_clear(struct region *r, uint32_t size)
{
    if (r->head.heaps & 1)
        empty_heap(region_heap(r), USER_ROOM);
    if (r->head.heaps & 2)
        empty_heap(region_own_heap(r), OWN_ROOM);
    r->size = size;
    r->timed = false;
    memset(&r->head, 0, REGION_HEAD + size + STRUCT_FENCE);
}

// ---- contents -------------------------------------------------------------

RAW static bool holds(const void *at, size_t size, uint64_t word)
{
    typedef uint64_t unaligned __attribute__((aligned(1), may_alias));
    const unsigned char *p = at;
    for (size_t i = 0; i + sizeof word <= size; i++)
        if (*(const unaligned *)(const void *)(p + i) == word)
            return true;
    return false;
}

bool region_holds(const struct region *r, uint64_t word)
{
    struct extent e[HEAP_EXTENTS];
    if (holds(region_self(r), r->size, word))
        return true;
    if (r->head.heaps & 1)
        for (uint32_t i = 1, n = heap_extents(region_heap(r), USER_ROOM, e);
             i < n; i++)
            if (holds(e[i].at, e[i].size, word))
                return true;
    for (uint32_t i = 0; i < r->head.n[LIST_TASKS]; i++)
        if (holds((const void *)(uintptr_t)tasks(r)[i].sp,
                  stack_used(r, &tasks(r)[i]), word))
            return true;
    return false;
}

void *list_add(struct region *r, enum list l)
{
    uint16_t *n = &r->head.n[l];
    if ((*n + 1u) * sizes[l] > list_room(l))
        return NULL;
    unsigned char *at = (unsigned char *)region_list(r, l) + *n * sizes[l];
    memset(at, 0, sizes[l]);
    ++*n;
    return at;
}

void list_remove(struct region *r, enum list l, uint32_t i)
{
    uint16_t *n = &r->head.n[l];
    unsigned char *at = (unsigned char *)region_list(r, l) + i * sizes[l];
    memmove(at, at + sizes[l], (*n - i - 1u) * sizes[l]);
    --*n;
}

uint64_t list_message(enum list l, const union element *e)
{
    switch (l) {
    case LIST_TASKS:
        return e->of_TASKS.msg;
    case LIST_KEPT:
        return e->of_KEPT.msg;
    case LIST_HELD:
        return e->of_HELD.msg;
    case LIST_TIMERS:
        return e->of_TIMERS.to ? e->of_TIMERS.msg : 0;
    case LIST_WATCHERS:
        return e->of_WATCHERS.msg;
    case LIST_FUTURES:
    case LIST_OPEN:
    case LIST_BIRTHS:
    case LIST_NAMES:
    case LIST_TICKS:
    case LIST_BOUNDS:
    case LISTS_N:
        break;
    }
    return 0;
}

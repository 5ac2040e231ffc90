#include "stage/poison.h"

#include "stage/raw.h"

#include <string.h>

// ---- free memory ----------------------------------------------------------

// A block that was freed or sent, as far as nobody has it again.
static void set_freed(const struct heap *h, const struct freed *f, int value)
{
    for (size_t i = 0, k; i < f->whole; i += k) { // pages may be in use again
        k = f->whole - i < HEAP_PAGE ? f->whole - i : HEAP_PAGE;
        if (!heap_block(h, USER_ROOM, f->at + i))
            memset(f->at + i, value, k);
    }
}

// All that are remembered, or the one that is asked for.
void poison_freed(struct native *n, const struct heap *h, int value)
{
    for (uint32_t i = freed_first(n); i < n->freed.n; i++)
        if (heap_in(h, USER_ROOM, n->freed.at[i].at) &&
            (n->only == PLAY_NONE || n->only == i))
            set_freed(h, &n->freed.at[i], value);
}

void poison_begin(struct native *n, struct region *r)
{
    struct heap *h = region_heap(r);
    n->moved = (struct moved){0};
    if (!(n->alter & ALTER_FREED))
        return;
    memset(region_fence(r), n->only == PLAY_NONE ? HEAP_POISON : 0,
           STRUCT_FENCE);
    n->heap_was[0] = *h;
    n->heap_was[1] = *region_own_heap(r);
    if (n->only == PLAY_NONE) {
        heap_poison(h, USER_ROOM, n->beyond);
        heap_poison(region_own_heap(r), OWN_ROOM, n->beyond);
    } else {
        h->poison = HEAP_POISON;
    }
    poison_freed(n, h, HEAP_POISON);
}

// A heap that was emptied has used nothing: heal what it had used before.
static void heal(struct native *n, struct heap *h, size_t room,
                 const struct heap *was)
{
    if (!h->poison)
        *h = *was;
    heap_heal(h, room, n->beyond);
}

void poison_end(struct native *n, struct region *r)
{
    if (n->alter & ALTER_FREED) {
        memset(region_fence(r), 0, STRUCT_FENCE);
        heal(n, region_heap(r), USER_ROOM, &n->heap_was[0]);
        if (n->only == PLAY_NONE)
            heal(n, region_own_heap(r), OWN_ROOM, &n->heap_was[1]);
        poison_freed(n, region_heap(r), 0);
    }
    if (n->moved.size)
        memset((void *)n->moved.to, 0, n->moved.size);
}

bool poison_dirty(const unsigned char *at, size_t size)
{
    unsigned char is = at[size - 1] == HEAP_POISON ? HEAP_POISON : 0;
    return at[0] != is || memcmp(at, at + 1, size - 1) != 0;
}

// ---- messages -------------------------------------------------------------

// On top of the last stack, which next to no actor has in use.
unsigned char *poison_place(struct native *n, struct region *r,
                            unsigned char *usual, size_t size, size_t align)
{
    enum { LAST = STACKS_N - 1 };
    uintptr_t mask = (align > 16 ? align : 16) - 1;
    const struct task *t = region_list(r, LIST_TASKS);
    if (!(n->alter & ALTER_MESSAGE) || !size || n->moved.size)
        return NULL;
    for (uint32_t i = 0; i < r->head.n[LIST_TASKS]; i++)
        if (t[i].stack == LAST)
            return NULL;
    if (!region_need_stack(r, LAST))
        return NULL;
    uintptr_t to = ((uintptr_t)region_stack(r, LAST) - size) & ~mask;
    n->moved = (struct moved){(uintptr_t)usual, to, size};
    return (unsigned char *)to;
}

// Behind the block that it would usually get.
void *poison_large(struct native *n, struct region *r, size_t size,
                   size_t align)
{
    struct heap *h = region_own_heap(r);
    void *usual = heap_get(h, OWN_ROOM, size, align);
    if (!usual || !(n->alter & ALTER_MESSAGE) || n->moved.size)
        return usual;
    void *p = heap_get(h, OWN_ROOM, size, align);
    if (!p)
        return usual;
    n->moved = (struct moved){(uintptr_t)usual, (uintptr_t)p, size};
    heap_put(h, OWN_ROOM, usual);
    return p;
}

RAW void poison_unmove(const struct native *n, unsigned char *at, size_t size)
{
    typedef uint64_t loose_word __attribute__((aligned(1), may_alias));
    const struct moved *m = &n->moved;
    for (size_t i = 0; m->size && i + sizeof(uint64_t) <= size; i++) {
        loose_word *word = (loose_word *)(void *)(at + i);
        if (*word - m->to <= m->size)
            *word += m->from - m->to;
    }
}

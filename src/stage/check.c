// What is checked instead of assumed: handlers write to no heap block past its
// end, and neither messages nor states hold addresses of other actors' memory.
#include "stage/check.h"

#include "stage/raw.h"
#include "stage/seal.h"
#include "program/values.h"
#include "stage/tables.h"
#include "stage/verdict.h"

#include <string.h>

// ---- blocks ---------------------------------------------------------------

// ", allocated at bank.c:12" if that was in this run.
static void add_place(const struct native *n, const void *block,
                      struct text *to)
{
    for (uint32_t i = n->fresh.n; i-- > 0;) {
        if (n->fresh.at[i].at != block)
            continue;
        struct where w = program_where(n->program, n->fresh.at[i].caller - 1);
        if (w.file && w.line)
            text_format(to, ", allocated at %s:%d", w.file, w.line);
        return;
    }
}

static void describe_damage(const struct native *n, const struct region *r,
                            const void *block, struct text *to)
{
    const struct heap *h = region_heap(r);
    text_format(to, "wrote past the end of a block of %zu bytes",
                heap_size(h, USER_ROOM, block));
    add_place(n, block, to);
}

_Noreturn void check_block(struct native *n, const struct region *r,
                           const void *block)
{
    struct text t = {0};
    describe_damage(n, r, block, &t);
    const char *words = keep_text(n, t.at);
    text_free(&t);
    bug_end(n, BUG_CRASH, NULL, 0, NULL, "%s", words);
}

void check_freed(struct native *n, void *block, size_t size, uintptr_t caller,
                 bool sent)
{
    uint32_t *at = map_at(&n->freed_of, (uintptr_t)block);
    struct freed f = {block, size, caller, sent};
    if (*at == MAP_NONE) {
        *at = n->freed.n;
        vec_push(&n->freed, f);
    }
    n->freed.at[*map_at(&n->freed_of, (uintptr_t)block)] = f;
}

enum { FREED_MOST = 256 }; // looked at after each run: the latest addresses

// Has somebody written to a block that is free?  It is zero afterwards, as all
// free memory is.
static bool is_dirty(const struct heap *h, const struct freed *f)
{
    bool dirty = false;
    for (size_t i = 0, k; i < f->size; i += k) { // pages may be in use again
        k = f->size - i < HEAP_PAGE ? f->size - i : HEAP_PAGE;
        if (heap_block(h, USER_ROOM, f->at + i))
            continue;
        for (size_t b = i; b < i + k; b++) {
            dirty |= f->at[b] != 0;
            f->at[b] = 0;
        }
    }
    return dirty;
}

// One that was written to, NULL if none was.  All are clean afterwards.
static const struct freed *dirty_block(const struct native *n,
                                       const struct heap *h)
{
    uint32_t first = n->freed.n > FREED_MOST ? n->freed.n - FREED_MOST : 0;
    const struct freed *found = NULL;
    for (uint32_t i = n->freed.n; i-- > first;) {
        const struct freed *f = &n->freed.at[i];
        if (heap_in(h, USER_ROOM, f->at) && is_dirty(h, f))
            found = f;
    }
    return found;
}

static void describe_use(const struct native *n, const struct freed *f,
                         struct text *to)
{
    struct where w = program_where(n->program, f->caller - 1);
    text_format(to, "%s: wrote to a block of %zu bytes that was %s",
                f->sent ? "use after send" : "use after free", f->size,
                f->sent ? "sent" : "freed");
    if (w.file && w.line)
        text_format(to, " at %s:%d", w.file, w.line);
}

static bool describe_heap(const struct native *n, const struct region *r,
                          struct text *to)
{
    const struct heap *h = region_heap(r);
    const void *block = r->head.heaps & 1 ? heap_damaged(h, USER_ROOM) : NULL;
    const struct freed *f = block ? NULL : dirty_block(n, h);
    if (block)
        describe_damage(n, r, block, to);
    else if (f)
        describe_use(n, f, to);
    return block || f;
}

void check_heap(struct native *n, struct region *r)
{
    if (!(r->head.heaps & 1) && !n->freed.n)
        return;
    if (n->why == WHY_OVER || n->why == WHY_PICK) { // told, or run again
        dirty_block(n, region_heap(r));
        return;
    }
    struct region *outer = n->region;
    struct text t = {0};
    if (!describe_heap(n, r, &t))
        return;
    n->region = r;
    bug_at_handler(n, bug_note(n, BUG_CRASH, "%s", t.at));
    n->region = outer;
    n->why = WHY_OVER;
    text_free(&t);
}

// ---- addresses ------------------------------------------------------------

// Does this region hold something at p?  Numbers that merely look like an
// address mostly point to nothing.
static bool in_use(const struct region *r, uintptr_t p)
{
    uintptr_t slot = (uintptr_t)region_slot(r);
    uintptr_t self = (uintptr_t)region_self(r);
    if (p >= slot + USER_HEAP_AT)
        return heap_block(region_heap(r), USER_ROOM, (const void *)p);
    if (p >= slot + OWN_HEAP_AT)
        return heap_block(region_own_heap(r), OWN_ROOM, (const void *)p);
    if (p < slot + LISTS_AT)
        return r->stacks >> ((slot + LISTS_AT - 1 - p) / STACK_ROOM) & 1;
    return p >= self && p < self + (r->size ? r->size : 1);
}

// The region whose memory an address lies in, NULL if none.
static const struct region *owner(struct native *n, uintptr_t p)
{
    if (!in_regions(p))
        return NULL;
    uint32_t slot = (uint32_t)((p - REGION_BASE) >> REGION_SHIFT);
    if (map_get(&n->slot_mapped, slot) == MAP_NONE)
        return NULL;
    const struct region *r = region_at(slot);
    if (n->sealed & SEALED_OTHERS && r != n->region)
        return NULL; // the run is a repetition
    if (n->sealed)
        seal_lift(n, r);
    return in_use(r, p) ? r : NULL;
}

typedef uint64_t loose_word __attribute__((aligned(1), may_alias));

// The offset of the first word that is an address in an actor's memory other
// than `own`, or size; *whose is that actor.  Words are looked for at multiples
// of `step`.  Padding, where mask is 0, does not count.
RAW static size_t find_address(struct native *n, const void *p, size_t size,
                               size_t step, const unsigned char *mask,
                               const struct region *own,
                               const struct region **whose)
{
    for (size_t i = 0; i + sizeof(uint64_t) <= size; i += step) {
        const unsigned char *at = (const unsigned char *)p + i;
        uint64_t word = *(const loose_word *)(const void *)at;
        if (!in_regions(word))
            continue;
        if (mask)
            word &= *(const loose_word *)(const void *)(mask + i);
        const struct region *r = *whose = owner(n, word);
        if (r && r != own)
            return i;
    }
    return size;
}

static void tell_address(struct native *n, const char *type, size_t size,
                         size_t at, const char *whose)
{
    struct text field = {0};
    values_field_at(n->values, type, size, at, &field);
    if (!field.n)
        text_format(&field, "offset %zu", at);
    struct bug *b =
        bug_note(n, BUG_ISOLATION, "field '%s' of '%s' points into %s memory",
                 field.at, type, whose);
    b->thing = keep_text(n, field.at);
    text_free(&field);
}

// Where a type has a smaller alignment than an address, it holds none or is
// packed.  Packed parts of other types are found when the run is repeated.
void check_payload(struct native *n, const char *type, const void *payload,
                   size_t size, size_t align, const unsigned char *mask)
{
    const struct region *whose;
    size_t step = n->fill || align < sizeof(uint64_t) ? 1 : sizeof(uint64_t);
    size_t at = find_address(n, payload, size, step, mask, NULL, &whose);
    if (at < size)
        tell_address(n, type, size, at,
                     whose != on_stage()        ? "an actor's"
                     : whose->actor == PLAY_ENV ? "the test body's"
                                                : "the sender's");
}

void check_state(struct native *n, const struct region *r)
{
    const tr_class *cls = n->actors.at[r->actor].cls;
    struct extent e[HEAP_EXTENTS];
    if (!cls)
        return;
    const struct region *whose;
    size_t at = find_address(n, region_self(r), r->size, 1, NULL, r, &whose);
    if (at < r->size) {
        tell_address(n, cls->name, r->size, at, "another actor's");
        return;
    }
    if (!(r->head.heaps & 1))
        return;
    for (uint32_t i = 1, k = heap_extents(region_heap(r), USER_ROOM, e); i < k;
         i++)
        if (find_address(n, e[i].at, e[i].size, 1, NULL, r, &whose) <
            e[i].size) {
            bug_note(n, BUG_ISOLATION,
                     "memory of '%s' points into another actor's memory",
                     cls->name);
            return;
        }
}

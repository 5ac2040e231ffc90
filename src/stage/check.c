// What is checked instead of assumed: handlers write to no heap block past its
// end, and neither messages nor states hold addresses of other actors' memory.
#include "stage/check.h"

#include "base/die.h"
#include "stage/poison.h"
#include "stage/raw.h"
#include "stage/seal.h"
#include "program/values.h"
#include "stage/tables.h"
#include "stage/verdict.h"

#include <assert.h>
#include <stdlib.h>
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

void check_freed(struct native *n, struct region *r, void *block, size_t whole,
                 uintptr_t caller, bool sent)
{
    struct freed f = {block, heap_asked(block, whole), whole, caller, sent};
    uint32_t last = n->freed_last;
    r->freed = true;
    if (last >= n->freed.n || n->freed.at[last].at != block) {
        uint32_t *at = map_at(&n->freed_of, (uintptr_t)block);
        if (*at == MAP_NONE) {
            *at = n->freed.n;
            vec_push(&n->freed, f);
        }
        n->freed_last = last = *at;
    }
    n->freed.at[last] = f;
}

// Has somebody written to a block that is free?
static bool is_dirty(const struct heap *h, const struct freed *f)
{
    for (size_t i = 0, k; i < f->whole; i += k) { // pages may be in use again
        k = f->whole - i < HEAP_PAGE ? f->whole - i : HEAP_PAGE;
        if (!heap_block(h, USER_ROOM, f->at + i) && poison_dirty(f->at + i, k))
            return true;
    }
    return false;
}

// A freed block that was written to; NULL if none was.  Blocks that
// heap_intact() watches (with `beyond` bytes behind the last of each size) are
// passed over.
static const struct freed *dirty_block(const struct native *n,
                                       const struct heap *h, size_t beyond)
{
    for (uint32_t i = n->freed.n; i-- > freed_first(n);) {
        const struct freed *f = &n->freed.at[i];
        if (heap_in(h, USER_ROOM, f->at) &&
            !heap_watches(h, USER_ROOM, f->at, f->whole, beyond) &&
            is_dirty(h, f))
            return f;
    }
    return NULL;
}

// Who had the block that an address lies in, NULL if unknown.
static const struct freed *freed_at(const struct native *n,
                                    const unsigned char *p)
{
    for (uint32_t i = n->freed.n; i-- > freed_first(n);)
        if ((size_t)(p - n->freed.at[i].at) < n->freed.at[i].whole)
            return &n->freed.at[i];
    return NULL;
}

void check_describe_use(const struct native *n, const struct freed *f,
                        const char *did, struct text *to)
{
    struct where w = program_where(n->program, f->caller - 1);
    text_format(to, "%s: %s a block of %zu bytes that was %s",
                f->sent ? "use after send" : "use after free", did, f->size,
                f->sent ? "sent" : "freed");
    if (w.file && w.line)
        text_format(to, " at %s:%d", w.file, w.line);
}

// A write to memory that is nobody's, next to a block or far from all.
static void describe_stray(const struct native *n, const struct heap *h,
                           const unsigned char *at, struct text *to)
{
    const unsigned char *block = heap_neighbour(h, USER_ROOM, at);
    if (!block) {
        text_add(to, "wrote to memory of its heap that is not allocated");
        return;
    }
    text_format(to, "wrote %s a block of %zu bytes",
                at < block ? "in front of" : "past the end of",
                heap_size(h, USER_ROOM, block));
    if (at > block)
        text_format(to, ", to byte %zu", (size_t)(at - block));
    add_place(n, block, to);
}

enum { STRAY_BEYOND = 256 }; // behind the last block of a size

static size_t stray_beyond(const struct native *n, const struct heap *h)
{
    return h->poison ? n->beyond : STRAY_BEYOND;
}

static bool heap_clean(const struct native *n, const struct region *r)
{
    const struct heap *h = region_heap(r);
    size_t beyond = stray_beyond(n, h);
    return (!(r->head.heaps & 1) || heap_intact(h, USER_ROOM, beyond)) &&
           (!r->freed || !dirty_block(n, h, beyond));
}

static bool describe_heap(const struct native *n, const struct region *r,
                          struct text *to)
{
    const struct heap *h = region_heap(r);
    size_t beyond = stray_beyond(n, h);
    bool used = r->head.heaps & 1;
    const void *block = used ? heap_damaged(h, USER_ROOM) : NULL;
    const struct freed *f = block ? NULL : dirty_block(n, h, beyond);
    const unsigned char *at =
        used && !block && !f ? heap_stray(h, USER_ROOM, beyond) : NULL;
    if (at)
        f = freed_at(n, at);
    if (block)
        describe_damage(n, r, block, to);
    else if (f)
        check_describe_use(n, f, "wrote to", to);
    else if (at)
        describe_stray(n, h, at, to);
    return to->n;
}

// What was written to free memory is gone.
static void clean_heap(struct native *n, struct region *r)
{
    struct heap *h = region_heap(r);
    if (h->poison)
        return; // poison_end() does it
    if (r->head.heaps & 1)
        heap_heal(h, USER_ROOM, STRAY_BEYOND);
    poison_freed(n, h, 0);
}

// The task goes no further.
static void end_task(struct native *n, struct region *r, const char *text)
{
    struct region *outer = n->region;
    n->region = r;
    bug_at_handler(n, bug_note(n, BUG_CRASH, "%s", text));
    n->region = outer;
    n->why = WHY_OVER;
    n->proved = true;
}

void check_struct(struct native *n, struct region *r)
{
    unsigned char *fence = region_fence(r);
    if (!poison_dirty(fence, STRUCT_FENCE))
        return;
    const tr_class *cls = n->actors.at[r->actor].cls;
    memset(fence, 0, STRUCT_FENCE);
    if (!cls || n->why == WHY_OVER || n->why == WHY_PICK)
        return; // the test body has no struct; or it is told
    struct text t = {0};
    text_format(&t, "wrote past the end of 'struct %s', which has %u bytes",
                cls->name, cls->size);
    end_task(n, r, t.at);
    text_free(&t);
}

void check_heap(struct native *n, struct region *r)
{
    bool told = n->why == WHY_OVER || n->why == WHY_PICK; // or run again
    if (!told && heap_clean(n, r))
        return;
    struct text t = {0};
    if (!told && describe_heap(n, r, &t)) {
        end_task(n, r, t.at);
        told = true;
    }
    text_free(&t);
    if (told)
        clean_heap(n, r);
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

// May this byte of a struct hold anything that its value does not need?
static bool is_loose(struct native *n, const char *type, size_t size, size_t at)
{
    bool *loose = need(size * sizeof *loose);
    values_loose(n->values, type, size, loose);
    bool is = loose[at];
    free(loose);
    return is && values_known(n->values);
}

// The offset of the first word that is an address in an actor's memory other
// than `own`, or size; *whose is that actor.  Words are looked for at multiples
// of `step`.  Padding, where mask is 0, does not count; nor do bytes of texts
// and unions if the type is given: some were never set.
RAW static size_t find_address(struct native *n, const void *p, size_t size,
                               size_t step, const char *type,
                               const unsigned char *mask,
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
        if (r && r != own && !(type && is_loose(n, type, size, i)))
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
    size_t at = find_address(n, payload, size, step, type, mask, NULL, &whose);
    if (at >= size)
        return;
    assert(whose); // an address in it was found
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
    size_t at =
        find_address(n, region_self(r), r->size, 1, cls->name, NULL, r, &whose);
    if (at < r->size) {
        tell_address(n, cls->name, r->size, at, "another actor's");
        return;
    }
    if (!(r->head.heaps & 1))
        return;
    for (uint32_t i = 1, k = heap_extents(region_heap(r), USER_ROOM, e); i < k;
         i++)
        if (find_address(n, e[i].at, e[i].size, 1, NULL, NULL, r, &whose) <
            e[i].size) {
            bug_note(n, BUG_ISOLATION,
                     "memory of '%s' points into another actor's memory",
                     cls->name);
            return;
        }
}

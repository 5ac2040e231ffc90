// What is checked instead of assumed: handlers leave the program's globals
// alone and write to no heap block past its end, and neither messages nor states
// hold addresses of other actors' memory.
#include "stage/check.h"

#include "base/die.h"
#include "base/hash.h"
#include "stage/raw.h"
#include "stage/registry.h"
#include "program/values.h"
#include "stage/tables.h"
#include "stage/verdict.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { RANGES = 2, PAGE = 4096, COMPARED_MOST = 64 << 10, DIRTY_MOST = 64 };

// Up to 64 KiB of globals are compared after every run.  Above that their pages
// are write-protected, and those that a run wrote to all the same are compared.
struct check {
    struct range range[RANGES]; // data and bss; thread-local variables
    unsigned char *copy[RANGES];
    struct range guarded; // pages of range[0], empty: it is compared
    uintptr_t dirty[DIRTY_MOST];
    uint32_t n_dirty;
    // --shared: pages of range[0] that nobody may touch unnoticed
    struct range shared; // empty: actors share nothing
    uint32_t first;      // state: as loaded
    uint32_t want, have; // states: to be found there, and there now
    bool open, touched;
};

// The first touch of a thread's block allocates it: do that now.
static void touch_tls(const struct program *p)
{
    struct tls_index {
        unsigned long module, offset;
    } at = {0, 0};
    extern void *__tls_get_addr(struct tls_index *);
    if (p->tls_size && p->handle &&
        !dlinfo(p->handle, RTLD_DI_TLS_MODID, &at.module) && at.module)
        __tls_get_addr(&at);
}

static void guard(struct check *c)
{
    struct range r = c->range[0];
    r.from = (r.from + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
    r.to &= ~(uintptr_t)(PAGE - 1);
    if (c->range[0].to - c->range[0].from > COMPARED_MOST && r.from < r.to &&
        !mprotect((void *)r.from, r.to - r.from, PROT_READ))
        c->guarded = r;
}

static size_t shared_size(const struct check *c)
{
    return c->shared.to ? c->range[0].to - c->range[0].from : 0;
}

// What actors share: with --shared their globals, as they are in memory or as
// the run should find them, and the registry.
static uint32_t keep_shared(struct native *n, bool in_memory)
{
    const struct check *c = n->check;
    size_t size = shared_size(c);
    vec_clear(&n->scratch);
    vec_room(&n->scratch, size);
    n->scratch.n = (uint32_t)size;
    if (size)
        raw_copy(n->scratch.at,
                 in_memory ? (const void *)c->range[0].from
                           : (const void *)n->states.at.at[c->want].bytes,
                 size);
    registry_save(n);
    return images_intern(&n->states, PLAY_NONE,
                         hash_bytes(n->scratch.at, n->scratch.n) | 1,
                         n->scratch.at, n->scratch.n);
}

static void set_shared(struct check *c, bool open)
{
    if (c->open != open &&
        mprotect((void *)c->shared.from, c->shared.to - c->shared.from,
                 open ? PROT_READ | PROT_WRITE : PROT_NONE))
        die("cannot guard the program's globals");
    c->open = open;
}

static void open_shared(struct native *n)
{
    struct check *c = n->check;
    c->shared.from = c->range[0].from & ~(uintptr_t)(PAGE - 1);
    c->shared.to = (c->range[0].to + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
    c->open = true;
    c->first = c->want = c->have = keep_shared(n, true);
}

void check_share(struct native *n, uint32_t shared)
{
    n->check->want = shared == PLAY_NONE ? n->check->first : shared;
}

uint32_t check_first_shared(const struct native *n)
{
    return n->check->first;
}

uint32_t check_shared_now(const struct native *n)
{
    return n->check->want;
}

void check_begin(struct native *n)
{
    struct check *c = n->check;
    n->now.shared = PLAY_NONE;
    c->touched = false;
    registry_begin(n, c->want, shared_size(c));
    if (c->shared.to)
        set_shared(c, false);
}

// The first touch in a run brings in what should be there.
static bool fault_shared(struct native *n)
{
    struct check *c = n->check;
    if (c->open)
        return false;
    set_shared(c, true);
    if (c->have != c->want) {
        const struct image *i = &n->states.at.at[c->want];
        raw_copy((void *)c->range[0].from, i->bytes, shared_size(c));
        c->have = c->want;
    }
    c->touched = n->region;
    return true;
}

static void check_shared(struct native *n)
{
    struct check *c = n->check;
    if (!c->touched && !registry_touched(n))
        return;
    n->now.flags |= EFFECT_SHARED;
    n->now.shared = keep_shared(n, c->touched);
    if (c->touched)
        c->have = n->now.shared;
}

// Code that counts how often it runs changes its counters all the time.
static bool counts(const struct program *p)
{
    return program_address(p, "__gcov_init", NULL) ||
           program_address(p, "__llvm_profile_runtime", NULL);
}

void check_open(struct native *n)
{
    struct check *c = need_zero(sizeof *c);
    n->check = c;
    c->first = c->want = PLAY_NONE;
    registry_begin(n, PLAY_NONE, 0);
    if (counts(n->program))
        return;
    touch_tls(n->program);
    c->range[0] = n->program->data;
    c->range[1] = program_tls(n->program);
    for (int i = 0; i < RANGES; i++) {
        size_t size = c->range[i].to - c->range[i].from;
        c->copy[i] = need(size + 1);
        raw_copy(c->copy[i], (const void *)c->range[i].from, size);
    }
    if (n->shared && c->range[0].to > c->range[0].from)
        open_shared(n);
    else
        guard(c);
}

bool check_fault(struct native *n, uintptr_t address)
{
    struct check *c = n->check;
    uintptr_t page = address & ~(uintptr_t)(PAGE - 1);
    if (address >= c->shared.from && address < c->shared.to)
        return fault_shared(n);
    if (address < c->guarded.from || address >= c->guarded.to ||
        c->n_dirty == DIRTY_MOST ||
        mprotect((void *)page, PAGE, PROT_READ | PROT_WRITE))
        return false;
    c->dirty[c->n_dirty++] = page;
    return true;
}

void check_close(struct native *n)
{
    struct check *c = n->check;
    if (c->shared.to) {
        set_shared(c, true);
        raw_copy((void *)c->range[0].from, c->copy[0],
                 c->range[0].to - c->range[0].from);
    }
    if (c->guarded.to)
        mprotect((void *)c->guarded.from, c->guarded.to - c->guarded.from,
                 PROT_READ | PROT_WRITE);
    for (int i = 0; i < RANGES; i++)
        free(n->check->copy[i]);
    free(n->check);
}

static void tell_global(struct native *n, const struct check *c, int i,
                        size_t at)
{
    uintptr_t address = c->range[i].from + at;
    const char *name = program_symbol(n->program, address, NULL);
    struct bug *b =
        bug_note(n, BUG_ISOLATION, "the %s variable '%s' was changed",
                 i == 0 ? "global" : "thread-local", name ? name : "?");
    b->thing = name ? keep_text(n, name) : NULL;
    bug_at_handler(n, b);
}

// Part of a range, from one offset to another.
static void compare(struct native *n, int i, size_t from, size_t to)
{
    struct check *c = n->check;
    unsigned char *now = (unsigned char *)c->range[i].from;
    if (from >= to || raw_equal(now + from, c->copy[i] + from, to - from))
        return;
    size_t at = from;
    while (raw_equal(now + at, c->copy[i] + at, 1))
        at++;
    if (!n->now.bugs.n && !(n->now.flags & EFFECT_PICK))
        tell_global(n, c, i, at);
    raw_copy(now + from, c->copy[i] + from, to - from);
}

void check_globals(struct native *n)
{
    struct check *c = n->check;
    size_t all = c->range[0].to - c->range[0].from;
    compare(n, 1, 0, c->range[1].to - c->range[1].from);
    check_shared(n);
    if (c->shared.to)
        return;
    if (!c->guarded.to) {
        compare(n, 0, 0, all);
        return;
    }
    size_t first = c->guarded.from - c->range[0].from;
    compare(n, 0, 0, first);
    compare(n, 0, c->guarded.to - c->range[0].from, all);
    for (uint32_t i = 0; i < c->n_dirty; i++) {
        size_t at = c->dirty[i] - c->range[0].from;
        compare(n, 0, at, at + PAGE);
        mprotect((void *)c->dirty[i], PAGE, PROT_READ);
    }
    c->n_dirty = 0;
}

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
static const struct region *owner(const struct native *n, uintptr_t p)
{
    if (!in_regions(p))
        return NULL;
    uint32_t slot = (uint32_t)((p - REGION_BASE) >> REGION_SHIFT);
    if (map_get(&n->slot_mapped, slot) == MAP_NONE)
        return NULL;
    const struct region *r = region_at(slot);
    return in_use(r, p) ? r : NULL;
}

// The offset of the first word that is an address in an actor's memory other
// than `own`, or size; *whose is that actor.  Padding, where mask is 0, does
// not count.
static size_t find_address(const struct native *n, const void *p, size_t size,
                           const unsigned char *mask, const struct region *own,
                           const struct region **whose)
{
    for (size_t i = 0; i + sizeof(uint64_t) <= size; i += sizeof(uint64_t)) {
        uint64_t word, solid;
        raw_copy(&word, (const unsigned char *)p + i, sizeof word);
        if (!in_regions(word))
            continue;
        if (mask) {
            memcpy(&solid, mask + i, sizeof solid);
            word &= solid;
        }
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

void check_payload(struct native *n, const char *type, const void *payload,
                   size_t size, const unsigned char *mask)
{
    const struct region *whose;
    size_t at = find_address(n, payload, size, mask, NULL, &whose);
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
    size_t at = find_address(n, region_self(r), r->size, NULL, r, &whose);
    if (at < r->size) {
        tell_address(n, cls->name, r->size, at, "another actor's");
        return;
    }
    if (!(r->head.heaps & 1))
        return;
    for (uint32_t i = 1, k = heap_extents(region_heap(r), USER_ROOM, e); i < k;
         i++)
        if (find_address(n, e[i].at, e[i].size, NULL, r, &whose) < e[i].size) {
            bug_note(n, BUG_ISOLATION,
                     "memory of '%s' points into another actor's memory",
                     cls->name);
            return;
        }
}

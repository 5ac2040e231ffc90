// Memory of the threads manager: blocks for mail and larger states, slots for
// actors, pages of counters.
//
// Every desk has lists of its own and takes no lock for most calls.  Mail is
// freed where it was handled, not where it was made, so what piles up goes back
// to the runtime in batches and comes out again at another desk: one lock per
// BATCH blocks.  A list of free blocks goes through every sixth of them only,
// which names the five before it.  Blocks are cut from slabs and never given
// back before the end.
#include "runtime/threads/threads.h"

#include <string.h>
#include <sys/mman.h>

#if defined __has_feature
#if __has_feature(address_sanitizer)
#define WITH_ASAN 1
#endif
#endif
#if defined __SANITIZE_ADDRESS__ || defined WITH_ASAN
#include <sanitizer/asan_interface.h>
#define POISON(p, n) __asan_poison_memory_region(p, n)
#define UNPOISON(p, n) __asan_unpoison_memory_region(p, n)
#else
#define POISON(p, n) ((void)(p), (void)(n))
#define UNPOISON(p, n) ((void)(p), (void)(n))
#endif

enum {
    SLAB = 64 * 1024,
    HUGE_PAGE = 2 * 1024 * 1024,
    FEW = 16, // a desk's first slabs are small
};

// ---- large pieces ---------------------------------------------------------

// Mail that piles up is visited in another order than it lies in memory, so
// large pieces are on huge pages where the system has them: without, a queue
// of a million messages costs a miss of the translation buffer for each.
static void *huge_map(size_t size)
{
    size_t room = size + HUGE_PAGE, before, after;
    char *p = mmap(NULL, room, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    before = (size_t)(-(uintptr_t)p & (HUGE_PAGE - 1));
    after = room - before - size;
    if (before)
        munmap(p, before);
    if (after)
        munmap(p + before + size, after);
    madvise(p + before, size, MADV_HUGEPAGE);
    return p + before;
}

static bool is_huge(struct runtime *rt, size_t size)
{
    return !rt->config.alloc && size % HUGE_PAGE == 0;
}

static void *large_get(struct runtime *rt, size_t size)
{
    return is_huge(rt, size) ? huge_map(size) : tr__get(&rt->config, size);
}

static void large_put(struct runtime *rt, void *p, size_t size)
{
    if (is_huge(rt, size))
        munmap(p, size);
    else
        tr__put(&rt->config, p);
}

// ---- blocks ---------------------------------------------------------------

static size_t size_bytes(uint8_t size)
{
    return (size_t)64 << size;
}

static uint8_t size_for(size_t bytes)
{
    uint8_t k = 0;
    while (k < SIZES && size_bytes(k) < bytes)
        k++;
    return k;
}

// A batch from the runtime's store, NULL if it has none of this size.
static struct block *batch_take(struct runtime *rt, uint8_t size)
{
    _Atomic(struct block *) *first = &rt->batches[size];
    struct block *b;
    if (!atomic_load_explicit(first, memory_order_relaxed))
        return NULL;
    pthread_mutex_lock(&rt->pool_lock);
    b = atomic_load_explicit(first, memory_order_relaxed);
    if (b)
        atomic_store_explicit(first, b->batch, memory_order_relaxed);
    pthread_mutex_unlock(&rt->pool_lock);
    return b;
}

static void batch_give(struct runtime *rt, uint32_t size, struct block *b)
{
    _Atomic(struct block *) *first = &rt->batches[size];
    if (!b)
        return;
    pthread_mutex_lock(&rt->pool_lock);
    b->batch = atomic_load_explicit(first, memory_order_relaxed);
    atomic_store_explicit(first, b, memory_order_relaxed);
    pthread_mutex_unlock(&rt->pool_lock);
}

// What a desk that is gone left of its slab.
static bool slab_old(struct desk *p, size_t bytes)
{
    struct runtime *rt = p->rt;
    struct remains **link = &rt->remains, *r;
    pthread_mutex_lock(&rt->pool_lock);
    while ((r = *link) && r->left < bytes)
        link = &r->next;
    if (r)
        *link = r->next;
    pthread_mutex_unlock(&rt->pool_lock);
    if (r) {
        p->slab = (char *)r;
        p->slab_left = r->left;
    }
    return r;
}

static void slab_leave(struct desk *p)
{
    struct remains *r = (struct remains *)p->slab;
    if (p->slab_left < 64)
        return;
    r->left = p->slab_left;
    pthread_mutex_lock(&p->rt->pool_lock);
    r->next = p->rt->remains;
    p->rt->remains = r;
    pthread_mutex_unlock(&p->rt->pool_lock);
}

static bool slab_new(struct desk *p)
{
    struct runtime *rt = p->rt;
    size_t size =
        rt->config.alloc || p->n_slabs < FEW ? SLAB : (size_t)HUGE_PAGE;
    struct slab *s = large_get(rt, size);
    uintptr_t from, to;
    if (!s)
        return false;
    p->n_slabs++;
    s->size = size;
    pthread_mutex_lock(&rt->pool_lock);
    s->next = rt->slabs;
    rt->slabs = s;
    pthread_mutex_unlock(&rt->pool_lock);
    from = ((uintptr_t)s + sizeof *s + 63) & ~(uintptr_t)63;
    to = (uintptr_t)s + size;
    p->slab = (char *)from;
    p->slab_left = (to - from) & ~(size_t)63;
    return true;
}

// Cut a block off the slab; what is left of an old slab is lost.
static void *slab_cut(struct desk *p, size_t bytes)
{
    void *at;
    if (p->slab_left < bytes && !slab_old(p, bytes) && !slab_new(p))
        return NULL;
    at = p->slab;
    p->slab += bytes;
    p->slab_left -= bytes;
    return at;
}

// The list is not empty.  While one block's others are handed out, those of the
// next are fetched.
static void *list_pop(struct pool *pool)
{
    struct block *b = pool->list, *next;
    pool->n--;
    if (LIKELY(b->n > 0))
        return b->at[--b->n];
    pool->list = b->next;
    next = b->next ? b->next->next : NULL;
    if (next) {
        for (uint32_t i = 0; i < OTHERS; i++)
            __builtin_prefetch(next->at[i], 1);
        __builtin_prefetch(next->next, 1);
    }
    return b;
}

static void *block_slow(struct desk *p, uint8_t size)
{
    struct pool *pool = &p->pools[size];
    struct block *b = pool->full;
    if (b)
        pool->full = NULL;
    else
        b = batch_take(p->rt, size);
    if (!b)
        return slab_cut(p, size_bytes(size));
    pool->list = b;
    pool->n = BATCH; // at most: a desk that left gave what it had
    return list_pop(pool);
}

void *tr__block_get(struct desk *p, size_t bytes, uint8_t *size)
{
    uint8_t k = *size = size_for(bytes);
    struct pool *pool;
    void *b;
    if (UNLIKELY(k == BIG))
        return tr__get(&p->rt->config, bytes);
    pool = &p->pools[k];
    b = LIKELY(pool->list != NULL) ? list_pop(pool) : block_slow(p, k);
    if (b)
        UNPOISON(b, size_bytes(k));
    return b;
}

void tr__block_put(struct desk *p, void *at, uint8_t size)
{
    struct block *b = at, *list;
    struct pool *pool;
    if (UNLIKELY(size == BIG)) {
        tr__put(&p->rt->config, at);
        return;
    }
    pool = &p->pools[size];
    if (UNLIKELY(pool->n >= BATCH)) {
        batch_give(p->rt, size, pool->full);
        pool->full = pool->list;
        pool->list = NULL;
        pool->n = 0;
    }
    list = pool->list;
    pool->n++;
    if (LIKELY(list && list->n < OTHERS)) {
        list->at[list->n++] = at;
        POISON(at, size_bytes(size));
        return;
    }
    b->next = list;
    b->n = 0;
    pool->list = b;
    POISON((char *)at + sizeof *b, size_bytes(size) - sizeof *b);
}

// ---- mail -----------------------------------------------------------------

static size_t payload_at(enum mail_kind kind, const tr_msg *msg)
{
    size_t at = sizeof(struct mail);
    if (kind != MAIL_MESSAGE && kind != MAIL_WATCH)
        at += 16;
    return msg->align <= 16 ? at
                            : (at + msg->align - 1) / msg->align * msg->align;
}

// A block is aligned to 64; one from the hook, or for a stricter message, is
// shifted by hand.
static struct mail *mail_big(struct desk *p, enum mail_kind kind,
                             const tr_msg *msg, size_t size)
{
    size_t align = msg->align > 16 ? msg->align : 16;
    size_t head = sizeof(struct mail) + 16;
    struct mail *e = tr__get(&p->rt->config, head + align + size);
    uintptr_t at;
    if (!e || align > 2048)
        return e ? tr__put(&p->rt->config, e), NULL : NULL;
    at = ((uintptr_t)e + head + align - 1) / align * align;
    e->at = (uint8_t)((at - (uintptr_t)e) / 16);
    e->size = BIG;
    e->kind = (uint8_t)kind;
    return e;
}

struct mail *tr__mail_new(struct desk *p, enum mail_kind kind,
                          const tr_msg *msg, const void *payload, size_t size)
{
    size_t at = payload_at(kind, msg);
    struct mail *e;
    if (UNLIKELY(msg->align > 64 || at + size > size_bytes(SIZES - 1))) {
        e = mail_big(p, kind, msg, size);
    } else {
        uint8_t block;
        e = tr__block_get(p, at + size, &block);
        if (LIKELY(e)) {
            e->at = (uint8_t)(at / 16);
            e->size = block;
            e->kind = (uint8_t)kind;
        }
    }
    if (UNLIKELY(!e))
        return NULL;
    e->msg = msg;
    e->flags = 0;
    e->from = NULL;
    if (payload)
        memcpy(mail_payload(e), payload, size);
    return e;
}

void tr__mail_free(struct desk *p, struct mail *e)
{
    tr__block_put(p, e, e->size);
}

// ---- slots ----------------------------------------------------------------

// From the hook, a little more: slots are aligned to 64.
static size_t segment_bytes(struct runtime *rt, uint32_t k)
{
    size_t size = sizeof(struct actor) * ((size_t)FIRST << k);
    if (!is_huge(rt, size))
        return size + 64;
    return size;
}

// Under rt->lock: memory for the slots from index `at` on.
static bool segment_make(struct runtime *rt, uint32_t at)
{
    uint32_t k = 31u - (uint32_t)__builtin_clz(at / FIRST + 1);
    uintptr_t first;
    void *s;
    if (k >= SEGMENTS)
        return false;
    if (atomic_load_explicit(&rt->segments[k], memory_order_relaxed))
        return true;
    s = large_get(rt, segment_bytes(rt, k));
    if (!s)
        return false;
    rt->segment_memory[k] = s;
    first = ((uintptr_t)s + 63) & ~(uintptr_t)63;
    // Pairs with the load in actor_at().
    atomic_store_explicit(&rt->segments[k], (struct actor *)first,
                          memory_order_release);
    return true;
}

// Free slots of others.
static void slots_shared(struct desk *p)
{
    struct runtime *rt = p->rt;
    pthread_mutex_lock(&rt->lock);
    for (int i = 0; i < RANGE && rt->slots; i++) {
        struct actor *a = rt->slots;
        rt->slots = a->free;
        a->free = p->slots;
        p->slots = a;
        p->n_slots++;
    }
    pthread_mutex_unlock(&rt->lock);
}

// RANGE indices that were never used.
static void slots_more(struct desk *p)
{
    struct runtime *rt = p->rt;
    uint32_t n;
    pthread_mutex_lock(&rt->lock);
    n = atomic_load_explicit(&rt->n_slots, memory_order_relaxed);
    if (n < 1u << 28 && segment_make(rt, n)) {
        memset(actor_at(rt, n), 0, RANGE * sizeof(struct actor));
        p->fresh = n;
        p->fresh_end = n + RANGE;
        atomic_store_explicit(&rt->n_slots, n + RANGE, memory_order_relaxed);
    }
    pthread_mutex_unlock(&rt->lock);
}

static struct actor *slot_fresh(struct desk *p)
{
    struct actor *a;
    if (p->fresh == p->fresh_end)
        return NULL;
    a = actor_at(p->rt, p->fresh);
    a->index = p->fresh++;
    atomic_store_explicit(&a->gen, 1, memory_order_relaxed);
    atomic_store_explicit(&a->top, &p->rt->born, memory_order_relaxed);
    a->last = &p->rt->born;
    return a;
}

// A free slot may be busy with a dead letter: then it is left for later.
static struct actor *slot_used(struct desk *p)
{
    struct actor *a, *busy = NULL;
    while ((a = p->slots)) {
        struct mail *none = NULL;
        p->slots = a->free;
        // Acquire pairs with the release in tr__mail_idle().
        if (atomic_compare_exchange_strong_explicit(
                &a->top, &none, &p->rt->born, memory_order_acq_rel,
                memory_order_relaxed)) {
            p->n_slots--;
            a->last = &p->rt->born;
            break;
        }
        a->free = busy;
        busy = a;
    }
    while (busy) {
        struct actor *next = busy->free;
        busy->free = p->slots;
        p->slots = busy;
        busy = next;
    }
    return a;
}

struct actor *tr__slot_get(struct desk *p)
{
    struct actor *a = slot_used(p);
    if (!a)
        a = slot_fresh(p);
    if (!a) {
        slots_shared(p);
        a = slot_used(p);
    }
    if (!a) {
        slots_more(p);
        a = slot_fresh(p);
    }
    return a;
}

static void slots_less(struct desk *p, uint32_t keep)
{
    pthread_mutex_lock(&p->rt->lock);
    while (p->n_slots > keep) {
        struct actor *a = p->slots;
        p->slots = a->free;
        p->n_slots--;
        a->free = p->rt->slots;
        p->rt->slots = a;
    }
    pthread_mutex_unlock(&p->rt->lock);
}

void tr__slot_put(struct desk *p, struct actor *a)
{
    a->free = p->slots;
    p->slots = a;
    if (++p->n_slots > 4 * RANGE)
        slots_less(p, 2 * RANGE);
}

// ---- counters -------------------------------------------------------------

struct counts *tr__counts_make(struct desk *p, uint16_t cid)
{
    struct counts *page =
        tr__get_zero(&p->rt->config, PAGE * sizeof(struct counts));
    if (!page)
        return &p->rt->lost;
    // Pairs with the load in threads.c, stats_add().
    atomic_store_explicit(&p->pages[cid / PAGE], page, memory_order_release);
    return page + cid % PAGE;
}

static bool class_add(struct runtime *rt, const tr_class *cls)
{
    if (rt->n_classes == rt->cap_classes) {
        uint32_t cap = rt->cap_classes ? 2 * rt->cap_classes : 16;
        const tr_class **at =
            tr__resize(&rt->config, (void *)rt->classes, cap * sizeof *at);
        if (!at)
            return false;
        rt->classes = at;
        rt->cap_classes = cap;
    }
    rt->classes[rt->n_classes++] = cls;
    return true;
}

bool tr__class_number(struct desk *p, const tr_class *cls, uint16_t *cid)
{
    struct runtime *rt = p->rt;
    uint32_t i = 0;
    if (LIKELY(p->cls == cls)) {
        *cid = p->cid;
        return true;
    }
    pthread_mutex_lock(&rt->lock);
    while (i < rt->n_classes && rt->classes[i] != cls)
        i++;
    if (i == rt->n_classes && (i >= PAGE * PAGES || !class_add(rt, cls))) {
        pthread_mutex_unlock(&rt->lock);
        return false;
    }
    pthread_mutex_unlock(&rt->lock);
    p->cls = cls;
    *cid = p->cid = (uint16_t)i;
    return true;
}

// ---- desks ---------------------------------------------------------------

void tr__desk_init(struct desk *p, struct runtime *rt, struct worker *w,
                   uint64_t seed)
{
    memset(p, 0, sizeof *p);
    p->rt = rt;
    p->worker = w;
    p->rng = rng_of(seed);
}

static void counts_add(struct counts *to, struct counts *from)
{
    bump(&to->spawned, from->spawned);
    bump(&to->stopped, from->stopped);
    bump(&to->received, from->received);
    bump(&to->sent, from->sent);
    bump(&to->deferred, from->deferred);
    bump(&to->dead, from->dead);
    bump(&to->unhandled, from->unhandled);
    if (from->high_water > to->high_water)
        to->high_water = from->high_water;
}

static void counts_merge(struct desk *to, struct desk *from)
{
    for (int i = 0; i < PAGES; i++) {
        struct counts *page =
            atomic_load_explicit(&from->pages[i], memory_order_relaxed);
        if (!page)
            continue;
        for (int k = 0; k < PAGE; k++) {
            struct counts *a = counts_of(to, (uint16_t)(i * PAGE + k));
            counts_add(a, &page[k]);
        }
        tr__put(&to->rt->config, page);
    }
}

void tr__desk_release(struct desk *p)
{
    struct runtime *rt = p->rt;
    for (uint32_t k = 0; k < SIZES; k++) {
        batch_give(rt, k, p->pools[k].full);
        batch_give(rt, k, p->pools[k].list);
    }
    slab_leave(p);
    slots_less(p, 0);
    pthread_mutex_lock(&rt->lock);
    while (p->fresh < p->fresh_end) {
        struct actor *a = actor_at(rt, p->fresh);
        a->index = p->fresh++;
        atomic_store_explicit(&a->gen, 1, memory_order_relaxed);
        a->free = rt->slots;
        rt->slots = a;
    }
    counts_merge(&rt->rest, p);
    pthread_mutex_unlock(&rt->lock);
}

void tr__pools_free(struct runtime *rt)
{
    struct slab *s;
    while ((s = rt->slabs)) {
        size_t size = s->size;
        rt->slabs = s->next;
        UNPOISON(s, size);
        large_put(rt, s, size);
    }
    for (uint32_t k = 0; k < SEGMENTS; k++)
        if (rt->segment_memory[k])
            large_put(rt, rt->segment_memory[k], segment_bytes(rt, k));
}

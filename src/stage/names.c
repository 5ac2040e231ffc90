#include "stage/names.h"

#include "stage/future.h"
#include "stage/raw.h"
#include "stage/verdict.h"

enum { TAG = 0xfa, NUMBER_MOST = 0xffffff, SEEN = 1 };

// From the highest bit down: 8 bits TAG, 1 bit kind, 27 bits of the actor's
// handle, 24 bits number, 4 bits zero.
static uint64_t stem_of(const struct native *n, const struct region *r)
{
    uint64_t actor = n->actors.at[r->actor].handle >> 4 & 0x7ffffff;
    return (uint64_t)TAG << 56 | actor << 28;
}

#define KIND_BIT (UINT64_C(1) << 55)
#define STEM (~(KIND_BIT | (uint64_t)NUMBER_MOST << 4))

static uint32_t number_of(uint64_t name)
{
    return (uint32_t)(name >> 4) & NUMBER_MOST;
}

static struct name *names(const struct region *r)
{
    return region_list(r, LIST_NAMES);
}

static uint32_t names_n(const struct region *r)
{
    return r->head.n[LIST_NAMES];
}

// ---- giving ---------------------------------------------------------------

// The list is in order of numbers: the first gap.
uint64_t name_new(struct native *n, struct region *r, enum name_kind kind)
{
    uint32_t number = r->head.burnt + 1, i = 0;
    for (; i < names_n(r) && number_of(names(r)[i].id) <= number; i++)
        if (number_of(names(r)[i].id) == number)
            number++;
    if (number > NUMBER_MOST || !list_add(r, LIST_NAMES))
        bug_end(n, BUG_LIMIT, NULL, 0, NULL,
                "too many futures and timers of one actor");
    for (uint32_t k = names_n(r) - 1u; k > i; k--)
        names(r)[k] = names(r)[k - 1];
    uint64_t name = stem_of(n, r) | (uint64_t)number << 4 |
                    (kind == NAME_TIMER ? KIND_BIT : 0);
    names(r)[i].id = name;
    if (n->shared) // globals may have it
        r->head.burnt = number;
    return name;
}

bool name_is_timer(uint64_t name, uint32_t *number)
{
    *number = number_of(name);
    return name >> 56 == TAG && name & KIND_BIT;
}

// ---- finding --------------------------------------------------------------

typedef uint64_t word __attribute__((aligned(1), may_alias));

// The first byte that may be the highest of a name, or end.
RAW static const unsigned char *next_tag(const unsigned char *p,
                                         const unsigned char *end)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    for (; end - p >= 8; p += 8) {
        uint64_t w = *(const word *)(const void *)p ^ TAG * ones;
        if ((w - ones) & ~w & 0x80 * ones)
            break;
    }
    while (p < end && *p != TAG)
        p++;
    return p;
}

static void mark(struct region *r, uint64_t name)
{
    for (uint32_t i = 0; i < names_n(r); i++)
        if (names(r)[i].id == name)
            names(r)[i].id |= SEEN;
}

static bool is_marked(const struct region *r, uint64_t name)
{
    for (uint32_t i = 0; i < names_n(r); i++)
        if (names(r)[i].id == (name | SEEN))
            return true;
    return false;
}

static void burn(struct region *r, uint64_t name)
{
    if (number_of(name) > r->head.burnt)
        r->head.burnt = number_of(name);
}

// Call found for each name of the actor that these bytes spell.
RAW static void search(struct region *r, uint64_t stem, const void *bytes,
                       size_t size, void (*found)(struct region *, uint64_t))
{
    const unsigned char *p = bytes, *end = p + size;
    if (size < 8)
        return;
    for (p = next_tag(p + 7, end); p < end; p = next_tag(p + 1, end)) {
        uint64_t w = *(const word *)(const void *)(p - 7);
        if ((w & STEM) == stem)
            found(r, w);
    }
}

void names_sent(const struct native *n, struct region *r, const void *bytes,
                size_t size)
{
    if (names_n(r))
        search(r, stem_of(n, r), bytes, size, burn);
}

static void search_memory(struct region *r, uint64_t stem)
{
    struct extent e[HEAP_EXTENTS];
    uint32_t n =
        r->head.heaps & 1 ? heap_extents(region_heap(r), USER_ROOM, e) : 0;
    const struct task *t = region_list(r, LIST_TASKS);
    search(r, stem, region_self(r), r->size, mark);
    for (uint32_t i = 1; i < n; i++)
        search(r, stem, e[i].at, e[i].size, mark);
    for (uint32_t i = 0; i < r->head.n[LIST_TASKS]; i++) {
        uintptr_t top = (uintptr_t)region_stack(r, t[i].stack);
        search(r, stem, (const void *)(uintptr_t)t[i].sp, top - t[i].sp, mark);
    }
}

// ---- forgetting -----------------------------------------------------------

// The environment's one task may use a value as long as it can find it.
static bool in_use(const struct region *r, const struct future *f)
{
    if (!f->answered || future_awaited(r, f->id) || is_marked(r, f->id) ||
        number_of(f->id) <= r->head.burnt)
        return true;
    return f->taker && (r->actor != PLAY_ENV || region_holds(r, f->value));
}

static void drop_futures(struct region *r)
{
    const struct future *f = region_list(r, LIST_FUTURES);
    for (uint32_t i = 0; i < r->head.n[LIST_FUTURES];)
        if (in_use(r, &f[i]))
            i++;
        else
            future_remove(r, i);
}

static void mark_lists(struct region *r)
{
    const struct future *f = region_list(r, LIST_FUTURES);
    const struct timer *t = region_list(r, LIST_TIMERS);
    for (uint32_t i = 0; i < r->head.n[LIST_FUTURES]; i++)
        mark(r, f[i].id);
    for (uint32_t i = 0; i < r->head.n[LIST_TIMERS]; i++)
        mark(r, t[i].id);
    for (enum list l = LIST_KEPT; l <= LIST_HELD; l++) {
        const struct kept *k = region_list(r, l);
        for (uint32_t i = 0; i < r->head.n[l]; i++)
            mark(r, k[i].timer);
    }
}

static void drop_names(struct region *r)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < names_n(r); i++) {
        uint64_t name = names(r)[i].id;
        if (name & SEEN && number_of(name) > r->head.burnt)
            names(r)[kept++].id = name & ~(uint64_t)SEEN;
    }
    r->head.n[LIST_NAMES] = (uint16_t)kept;
}

void names_settle(const struct native *n, struct region *r)
{
    search_memory(r, stem_of(n, r));
    drop_futures(r);
    mark_lists(r);
    drop_names(r);
}

#include "flow/set.h"

#include "base/vec.h"

#include <string.h>

// The first word whose index is not below this one.
static uint32_t find(const struct set *s, uint32_t index)
{
    uint32_t low = 0, high = s->n;
    while (low < high) {
        uint32_t mid = (low + high) / 2;
        if (s->at[mid].index < index)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static void insert(struct set *s, uint32_t at, uint32_t index, uint64_t bits)
{
    vec_room(s, 1);
    memmove(s->at + at + 1, s->at + at, (s->n - at) * sizeof *s->at);
    s->at[at] = (struct set_word){index, bits};
    s->n++;
}

static uint64_t add_word(struct set *s, uint32_t index, uint64_t bits)
{
    uint32_t at = find(s, index);
    if (at == s->n || s->at[at].index != index) {
        insert(s, at, index, bits);
        return bits;
    }
    uint64_t fresh = bits & ~s->at[at].bits;
    s->at[at].bits |= bits;
    return fresh;
}

bool set_add(struct set *s, uint32_t x)
{
    return add_word(s, x / 64, UINT64_C(1) << x % 64) != 0;
}

bool set_has(const struct set *s, uint32_t x)
{
    uint32_t at = find(s, x / 64);
    return at < s->n && s->at[at].index == x / 64 &&
           (s->at[at].bits >> x % 64 & 1);
}

bool set_join(struct set *a, const struct set *b, struct set *fresh)
{
    bool any = false;
    for (uint32_t i = 0; i < b->n; i++) {
        uint64_t more = add_word(a, b->at[i].index, b->at[i].bits);
        if (more) {
            any = true;
            add_word(fresh, b->at[i].index, more);
        }
    }
    return any;
}

uint32_t set_count(const struct set *s)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n; i++)
        n += (uint32_t)__builtin_popcountll(s->at[i].bits);
    return n;
}

void set_free(struct set *s)
{
    vec_free(s);
}

bool set_next(struct set_walk *w)
{
    while (!w->rest) {
        if (w->word >= w->of->n)
            return false;
        w->rest = w->of->at[w->word++].bits;
    }
    w->x =
        w->of->at[w->word - 1].index * 64 + (uint32_t)__builtin_ctzll(w->rest);
    w->rest &= w->rest - 1;
    return true;
}

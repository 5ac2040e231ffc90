// The times are shifted in a copy, which is hashed.  A shifted moment is made
// odd: the present would be 0 otherwise, and 0 means that there is no moment.
#include "stage/relative.h"

#include "base/hash.h"
#include "stage/tables.h"
#include "stage/timers.h"

#include <string.h>

static unsigned char *copy_of(struct native *n, const struct image *i)
{
    vec_clear(&n->scratch);
    vec_room(&n->scratch, i->size);
    memcpy(n->scratch.at, i->bytes, i->size);
    return n->scratch.at;
}

static void shift_moments(unsigned char *at, const uint32_t *offsets,
                          uint32_t n, uint64_t clock)
{
    for (uint32_t i = 0; i < n; i++) {
        uint64_t moment;
        memcpy(&moment, at + offsets[i], sizeof moment);
        moment = moment ? (moment - clock) << 1 | 1 : 0;
        memcpy(at + offsets[i], &moment, sizeof moment);
    }
}

static void shift_bound(unsigned char *at, int64_t ms)
{
    struct bound b;
    memcpy(&b, at, sizeof b);
    if (b.ms < BOUNDS_NONE)
        b.ms += ms;
    memcpy(at, &b, sizeof b);
}

// The origin becomes later by the clock.
static void shift_bounds(unsigned char *at, uint32_t timers, uint64_t clock)
{
    uint32_t wide = timers + 1;
    for (uint32_t x = 0; x < wide; x++) {
        shift_bound(at + x * sizeof(struct bound), (int64_t)clock);
        if (x)
            shift_bound(at + x * wide * sizeof(struct bound), -(int64_t)clock);
    }
}

static size_t bounds_at(const struct head *h, size_t self, const tr_class *cls)
{
    return image_list_at(h, self, cls ? cls->size : 0, LIST_BOUNDS);
}

static bool has_origin(const struct head *h)
{
    uint32_t timers = h->n[LIST_TIMERS];
    return h->n[LIST_BOUNDS] != timers * timers;
}

struct digest native_state_hash(void *self, uint32_t state, uint64_t clock)
{
    struct native *n = self;
    const struct image *i = &n->states.at.at[state];
    uint32_t actor = i->info.actor;
    const tr_class *cls = actor == PLAY_NONE ? NULL : n->actors.at[actor].cls;
    const struct class *c = cls ? class_of(n, cls) : NULL;
    struct head h;
    if (actor == PLAY_NONE)
        return i->info.hash;
    size_t at = (size_t)(image_head(i->bytes, &h) - i->bytes);
    bool alive = !(h.flags & (HEAD_STOPPED | HEAD_CRASHED));
    if (!alive || !(has_origin(&h) || (c && c->n_times)))
        return i->info.hash;
    unsigned char *copy = copy_of(n, i);
    if (c)
        shift_moments(copy + at, c->times, c->n_times, clock);
    if (has_origin(&h))
        shift_bounds(copy + bounds_at(&h, at, cls), h.n[LIST_TIMERS], clock);
    return image_hash(n, actor, copy, i->size);
}

struct digest native_message_hash(void *self, uint32_t msg, uint64_t clock)
{
    struct native *n = self;
    const struct image *i = &n->msgs.at.at[msg];
    const struct message *m = message_at(n, msg);
    const struct kind *k = kind_of(n, message_type(n, m));
    bool reply = m->kind == MSG_REPLY;
    uint32_t times = reply ? k->n_reply_times : k->n_times;
    if (!times || !m->size)
        return i->info.hash;
    unsigned char *copy = copy_of(n, i);
    shift_moments(copy + sizeof *m, reply ? k->reply_times : k->times, times,
                  clock);
    return digest_bytes(copy, i->size, 0);
}

// What the clock of the state's actor shows.
static uint64_t own_clock(const struct native *n, uint32_t state)
{
    const struct image *i = &n->states.at.at[state];
    const tr_class *cls = n->actors.at[i->info.actor].cls;
    struct head h;
    struct bound now = {0};
    size_t at = (size_t)(image_head(i->bytes, &h) - i->bytes);
    if (has_origin(&h))
        memcpy(&now, i->bytes + bounds_at(&h, at, cls), sizeof now);
    return (uint64_t)-now.ms;
}

struct digest own_hash(struct native *n, uint32_t state)
{
    return native_state_hash(n, state, own_clock(n, state));
}

struct digest native_final_hash(void *self, uint32_t state, uint64_t clock)
{
    struct native *n = self;
    const struct image *i = &n->states.at.at[state];
    uint32_t actor = i->info.actor;
    const tr_class *cls = n->actors.at[actor].cls;
    const struct class *c = cls ? class_of(n, cls) : NULL;
    struct head h;
    vec_clear(&n->scratch);
    vec_room(&n->scratch, i->size);
    unsigned char *copy = n->scratch.at;
    size_t size =
        image_without_timers(i->bytes, i->size, cls ? cls->size : 0, copy);
    size_t at = (size_t)(image_head(copy, &h) - copy);
    if (n->own_clocks)
        clock = own_clock(n, state);
    if (c && n->clocked)
        shift_moments(copy + at, c->times, c->n_times, clock);
    return image_hash(n, actor, copy, size);
}

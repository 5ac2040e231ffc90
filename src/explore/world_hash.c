// Hashes of global states: equal for worlds with the same future.
//
// The states of the actors, and what is in flight as far as the delivery model
// can tell it apart: a set (`any`), a queue per pair, a queue per actor; in
// `causal` also which of the messages in flight each message and each actor
// knows of, because that decides what may overtake what later on.  With a clock
// all times count as they lie before or after what it shows.
#include "explore/world.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

static struct digest name_of(struct world *w, const struct flight *f)
{
    struct digest what = w->clocked
                             ? play_message_hash(w->play, f->msg, w->time)
                             : play_msg_hash(w->play, f->msg);
    uint64_t way = hash_join(w->seats.at[f->to].name_hash,
                             w->seats.at[f->sender].name_hash);
    return digest_with(what, way);
}

// It changes only with the clock.
static struct digest flight_hash(struct world *w, struct flight *f)
{
    if (w->clocked || !f->name.low)
        f->name = name_of(w, f);
    return f->name;
}

struct digest world_flight_hash(struct world *w, uint32_t flight)
{
    return flight_hash(w, &w->flights.at[flight]);
}

static struct digest mailbox_hash(struct world *w, uint32_t actor)
{
    uint64_t name = w->seats.at[actor].name_hash;
    struct digest h = {name, name};
    uint32_t i = w->seats.at[actor].first;
    for (; i != PLAY_NONE; i = w->flights.at[i].next)
        h = digest_join(h, flight_hash(w, &w->flights.at[i]));
    return h;
}

// How many messages of the same sender to the same actor come before.
static uint64_t place_in_pair(const struct world *w, const struct flight *f)
{
    uint64_t place = 0;
    for (uint32_t i = f->prev; i != PLAY_NONE; i = w->flights.at[i].prev)
        place += w->flights.at[i].sender == f->sender;
    return place;
}

static struct digest pair_name(struct world *w, struct flight *f)
{
    return digest_with(flight_hash(w, f), place_in_pair(w, f));
}

struct digest world_flight_name(struct world *w, uint32_t flight)
{
    struct flight *f = &w->flights.at[flight];
    return w->delivery == DELIVERY_PAIR ? pair_name(w, f) : flight_hash(w, f);
}

// ---- all of them ------------------------------------------------------------

// Call `each` with the name of every message in flight in its pair.
static void each_in_pairs(struct world *w,
                          void (*each)(struct world *w, const struct flight *f,
                                       struct digest name))
{
    uint32_t *places;
    vec_clear(&w->places);
    vec_room(&w->places, w->n);
    places = w->places.at;
    if (w->n)
        memset(places, 0, w->n * sizeof *places);
    for (uint32_t a = 0; a < w->n; a++) {
        uint32_t first = w->seats.at[a].first;
        for (uint32_t i = first; i != PLAY_NONE; i = w->flights.at[i].next) {
            struct flight *f = &w->flights.at[i];
            each(w, f, digest_with(flight_hash(w, f), places[f->sender]++));
        }
        for (uint32_t i = first; i != PLAY_NONE; i = w->flights.at[i].next)
            places[w->flights.at[i].sender] = 0;
    }
}

static void add_name(struct world *w, const struct flight *f,
                     struct digest name)
{
    (void)f;
    w->sum = digest_plus(w->sum, name);
}

static struct digest pairs_hash(struct world *w)
{
    w->sum = (struct digest){0};
    each_in_pairs(w, add_name);
    return w->sum;
}

static struct digest set_hash(struct world *w)
{
    struct digest h = {0};
    for (uint32_t a = 0; a < w->n; a++) {
        uint32_t i = w->seats.at[a].first;
        for (; i != PLAY_NONE; i = w->flights.at[i].next)
            h = digest_plus(h, flight_hash(w, &w->flights.at[i]));
    }
    return h;
}

// ---- causal -----------------------------------------------------------------

static void add_known(struct world *w, const struct flight *f,
                      struct digest name)
{
    struct known k = {world_sent_by(w, f), f->index, name};
    vec_push(&w->known, k);
    vec_room(&w->names, w->flights.n);
    w->names.at[f - w->flights.at] = name;
}

static int by_sender(const void *a, const void *b)
{
    const struct known *x = a, *y = b;
    if (x->by != y->by)
        return x->by < y->by ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

// List what is in flight by who sent it and when, each with the sum of the
// names up to its own.
static void list_known(struct world *w)
{
    vec_clear(&w->known);
    each_in_pairs(w, add_known);
    if (w->known.n)
        qsort(w->known.at, w->known.n, sizeof *w->known.at, by_sender);
    for (uint32_t i = 1; i < w->known.n; i++)
        if (w->known.at[i].by == w->known.at[i - 1].by)
            w->known.at[i].sum =
                digest_plus(w->known.at[i].sum, w->known.at[i - 1].sum);
}

// The end of the messages, from i on, that the same one sent.
static uint32_t end_of_sender(const struct world *w, uint32_t i)
{
    uint32_t low = i + 1, high = w->known.n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (w->known.at[middle].by == w->known.at[i].by)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// The sum of the names of those in [i, end) with an index below n.
static struct digest sum_below(const struct world *w, uint32_t i, uint32_t end,
                               uint32_t n)
{
    uint32_t low = i, high = end;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (w->known.at[middle].index < n)
            low = middle + 1;
        else
            high = middle;
    }
    return low > i ? w->known.at[low - 1].sum : (struct digest){0};
}

// The messages in flight that a clock counts, whatever their order.
static struct digest known_hash(const struct world *w, uint32_t clock,
                                uint32_t n_clock, uint32_t self, uint32_t below)
{
    struct digest h = {0};
    for (uint32_t i = 0, end; i < w->known.n; i = end) {
        uint32_t by = w->known.at[i].by;
        end = end_of_sender(w, i);
        uint32_t n = by == self ? below : world_clock(w, clock, n_clock, by);
        h = digest_plus(h, sum_below(w, i, end, n));
    }
    return h;
}

// In `causal`, what is in flight and which of it each message and each actor
// knows of: the rest of the past has no influence any more.
static struct digest causal_hash(struct world *w)
{
    struct digest h = {0};
    list_known(w);
    for (uint32_t a = 0; a < w->n; a++) {
        const struct seat *s = &w->seats.at[a];
        if (s->state == PLAY_NONE)
            continue;
        struct digest knows = known_hash(w, s->clock, s->n_clock, a, s->sends);
        h = digest_plus(h, digest_with(knows, s->name_hash));
        for (uint32_t i = s->first; i != PLAY_NONE; i = w->flights.at[i].next) {
            const struct flight *f = &w->flights.at[i];
            struct digest tells = known_hash(w, f->clock, f->n_clock,
                                             world_sent_by(w, f), f->index);
            h = digest_plus(h, digest_join(w->names.at[i], tells));
        }
    }
    return h;
}

struct digest world_states_hash(struct world *w, bool final)
{
    struct digest h = w->hash;
    for (uint32_t a = 0; (w->clocked || final) && a < w->n; a++) {
        const struct seat *s = &w->seats.at[a];
        struct digest state;
        if (s->state == PLAY_NONE)
            continue;
        if (final && s->flags & STATE_TIMED)
            state = play_final_hash(w->play, s->state, w->time);
        else if (w->clocked)
            state = play_state_hash(w->play, s->state, w->time);
        else
            continue;
        state = world_part(state, s->name_hash);
        h = digest_plus(h, digest_minus(state, s->part));
    }
    return h;
}

struct digest world_hash(struct world *w, bool loose)
{
    struct digest h =
        digest_with(world_states_hash(w, false), w->body + 256u * w->due);
    if (loose || w->delivery == DELIVERY_ANY)
        return digest_join(h, set_hash(w));
    if (w->delivery == DELIVERY_PAIR)
        return digest_join(h, pairs_hash(w));
    if (w->delivery == DELIVERY_CAUSAL)
        return digest_join(h, causal_hash(w));
    struct digest boxes = {0};
    for (uint32_t a = 0; a < w->n; a++)
        if (w->seats.at[a].n_flights)
            boxes = digest_plus(boxes, mailbox_hash(w, a));
    return digest_join(h, boxes);
}

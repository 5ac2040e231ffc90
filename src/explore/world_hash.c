// Hashes of global states: equal for worlds with the same future.
//
// The states of the actors, and what is in flight as far as the delivery model
// can tell it apart: a set (`any`), a queue per pair, a queue per actor; in
// `causal` also which of the messages in flight each message and each actor
// knows of, because that decides what may overtake what later on.  With a clock
// all times count as they lie before or after what it shows.
#include "explore/world.h"

#include "base/hash.h"

static uint64_t flight_hash(struct world *w, const struct flight *f)
{
    uint64_t what = w->clocked ? play_message_hash(w->play, f->msg, w->time)
                               : play_msg_hash(w->play, f->msg);
    return hash_join(hash_join(w->seats.at[f->to].name_hash, what),
                     w->seats.at[f->sender].name_hash);
}

uint64_t world_flight_hash(struct world *w, uint32_t flight)
{
    return flight_hash(w, &w->flights.at[flight]);
}

static uint64_t mailbox_hash(struct world *w, uint32_t actor)
{
    uint64_t h = w->seats.at[actor].name_hash;
    uint32_t i = w->seats.at[actor].first;
    for (; i != PLAY_NONE; i = w->flights.at[i].next)
        h = hash_join(h, flight_hash(w, &w->flights.at[i]));
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

static uint64_t pair_name(struct world *w, const struct flight *f)
{
    return hash_join(flight_hash(w, f), place_in_pair(w, f));
}

uint64_t world_flight_name(struct world *w, uint32_t flight)
{
    const struct flight *f = &w->flights.at[flight];
    return w->delivery == DELIVERY_PAIR ? pair_name(w, f) : flight_hash(w, f);
}

// The messages in flight that a clock counts, whatever their order.
static uint64_t known_hash(struct world *w, uint32_t clock, uint32_t n_clock,
                           uint32_t self, uint32_t below)
{
    uint64_t h = 0;
    for (uint32_t a = 0; a < w->n; a++) {
        uint32_t i = w->seats.at[a].first;
        for (; i != PLAY_NONE; i = w->flights.at[i].next) {
            const struct flight *f = &w->flights.at[i];
            uint32_t by = world_sent_by(w, f);
            uint32_t known =
                by == self ? below : world_clock(w, clock, n_clock, by);
            if (known > f->index)
                h += pair_name(w, f);
        }
    }
    return h;
}

// In `causal`, what is in flight and which of it each message and each actor
// knows of: the rest of the past has no influence any more.
static uint64_t causal_hash(struct world *w)
{
    uint64_t h = 0;
    for (uint32_t a = 0; a < w->n; a++) {
        const struct seat *s = &w->seats.at[a];
        if (s->state == PLAY_NONE)
            continue;
        h += hash_join(s->name_hash,
                       known_hash(w, s->clock, s->n_clock, a, s->sends));
        for (uint32_t i = s->first; i != PLAY_NONE; i = w->flights.at[i].next) {
            const struct flight *f = &w->flights.at[i];
            h += hash_join(pair_name(w, f),
                           known_hash(w, f->clock, f->n_clock,
                                      world_sent_by(w, f), f->index));
        }
    }
    return h;
}

static uint64_t plain_hash(struct world *w, bool in_pairs)
{
    uint64_t h = 0;
    for (uint32_t a = 0; a < w->n; a++) {
        uint32_t i = w->seats.at[a].first;
        for (; i != PLAY_NONE; i = w->flights.at[i].next) {
            const struct flight *f = &w->flights.at[i];
            h += in_pairs ? pair_name(w, f) : flight_hash(w, f);
        }
    }
    return h;
}

uint64_t world_states_hash(struct world *w)
{
    uint64_t h = w->hash;
    for (uint32_t a = 0; w->clocked && a < w->n; a++) {
        const struct seat *s = &w->seats.at[a];
        if (s->state != PLAY_NONE)
            h += world_part(play_state_hash(w->play, s->state, w->time),
                            s->name_hash) -
                 s->part;
    }
    return h;
}

uint64_t world_hash(struct world *w, bool loose)
{
    uint64_t h = hash_join(world_states_hash(w), w->body + 256u * w->due);
    if (loose || w->delivery == DELIVERY_ANY)
        return hash_join(h, plain_hash(w, false));
    if (w->delivery == DELIVERY_PAIR)
        return hash_join(h, plain_hash(w, true));
    if (w->delivery == DELIVERY_CAUSAL)
        return hash_join(h, causal_hash(w));
    uint64_t boxes = 0;
    for (uint32_t a = 0; a < w->n; a++)
        if (w->seats.at[a].n_flights)
            boxes += mailbox_hash(w, a);
    return hash_join(h, boxes);
}

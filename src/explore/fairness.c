#include "explore/fairness.h"

#include "base/hash.h"

void fairness_clear(struct fairness *f)
{
    hashset_free(&f->always);
    hashset_free(&f->received);
    f->begun = false;
}

void fairness_free(struct fairness *f)
{
    fairness_clear(f);
    vec_free(&f->now);
}

uint64_t receive_name(struct world *w, const struct choice *c)
{
    if (!is_flight(c->flight))
        return hash_join(c->actor, c->flight == CHOICE_BODY);
    const struct flight *f = &w->flights.at[c->flight];
    return hash_join(hash_join(f->to, f->sender),
                     play_msg_hash(w->play, f->msg).low);
}

// What could be received now, deliverable or still behind another.
static void list_waiting(struct fairness *f, struct world *w)
{
    vec_clear(&f->now);
    for (uint32_t a = 0; a < w->n; a++) {
        const struct seat *s = &w->seats.at[a];
        uint32_t i = s->first;
        for (; i != PLAY_NONE; i = w->flights.at[i].next)
            vec_push(&f->now, receive_name(w, &(struct choice){a, i, 0, 0}));
        if (state_all_timers(s->flags))
            vec_push(&f->now,
                     receive_name(w, &(struct choice){a, play_timer(0), 0, 0}));
    }
}

// `always` becomes what of it waits in this state, too.
void fairness_state(struct fairness *f, struct world *w)
{
    struct hashset both = {0};
    if (f->begun && !f->always.n)
        return;
    list_waiting(f, w);
    for (uint32_t i = 0; i < f->now.n; i++)
        if (!f->begun || hashset_has(&f->always, f->now.at[i]))
            hashset_add(&both, f->now.at[i]);
    hashset_free(&f->always);
    f->always = both;
    f->begun = true;
}

void fairness_receive(struct fairness *f, uint64_t name)
{
    hashset_add(&f->received, name);
}

bool is_fair(const struct fairness *f)
{
    for (uint64_t i = 0, name; hashset_next(&f->always, &i, &name);)
        if (!hashset_has(&f->received, name))
            return false;
    return true;
}

#include "explore/reduced/facts.h"

#include "base/hash.h"

#include <string.h>

void facts_free(struct facts *f)
{
    map_free(&f->first);
    vec_free(&f->list);
    map_free(&f->first_coarse);
    vec_free(&f->coarse);
    map_free(&f->same_state);
    map_free(&f->same_msg);
    vec_free(&f->state_for);
    vec_free(&f->msg_for);
    map_free(&f->types);
    vec_free(&f->type_of);
    hashset_free(&f->curious);
}

static uint64_t key_of(uint32_t state, uint32_t msg)
{
    return (uint64_t)state << 32 | msg;
}

static uint64_t type_key(struct play *p, uint32_t actor, uint32_t msg)
{
    const char *cls = play_actor_class(p, actor), *name = play_msg_name(p, msg);
    return hash_join(hash_bytes(cls, strlen(cls)),
                     hash_bytes(name, strlen(name)));
}

static uint32_t first_of(struct map *same, uint64_t hash, uint32_t id)
{
    uint32_t *first = map_at(same, hash);
    if (*first == MAP_NONE)
        *first = id;
    return *first;
}

uint32_t facts_state(struct facts *f, struct play *p, uint32_t state)
{
    while (f->state_for.n <= state)
        vec_push(&f->state_for, 0);
    uint32_t *at = &f->state_for.at[state];
    if (!*at) {
        const struct play_state *s = play_state(p, state);
        uint64_t hash = hash_join(s->hash.low, s->actor);
        uint32_t first = first_of(&f->same_state, hash, state);
        bool equal = digest_equal(play_state(p, first)->hash, s->hash);
        *at = 1 + (equal ? first : state);
    }
    return *at - 1;
}

uint32_t facts_msg(struct facts *f, struct play *p, uint32_t msg)
{
    if (play_is_timer(msg))
        return msg;
    while (f->msg_for.n <= msg)
        vec_push(&f->msg_for, 0);
    uint32_t *at = &f->msg_for.at[msg];
    if (!*at) {
        struct digest hash = play_msg_hash(p, msg);
        uint32_t first = first_of(&f->same_msg, hash.low, msg);
        bool equal = digest_equal(play_msg_hash(p, first), hash);
        *at = 1 + (equal ? first : msg);
    }
    return *at - 1;
}

static bool known(const struct facts *f, uint32_t first, const struct effect *e)
{
    for (uint32_t i = first; i != PLAY_NONE; i = f->list.at[i].next)
        if (f->list.at[i].effect == e)
            return true;
    return false;
}

uint32_t facts_type(struct facts *f, struct play *p, uint32_t msg)
{
    if (play_is_timer(msg))
        return 0;
    while (f->type_of.n <= msg)
        vec_push(&f->type_of, 0);
    if (f->type_of.at[msg])
        return f->type_of.at[msg];
    const char *name = play_msg_name(p, msg);
    uint32_t *type = map_at(&f->types, hash_bytes(name, strlen(name)));
    if (*type == MAP_NONE)
        *type = f->types.n;
    return f->type_of.at[msg] = *type;
}

uint32_t facts_coarse(const struct facts *f, uint32_t actor, uint32_t type)
{
    return map_get(&f->first_coarse, key_of(actor, type));
}

static void add_coarse(struct facts *f, uint32_t actor, uint32_t type,
                       struct coarse c)
{
    uint32_t *first = map_at(&f->first_coarse, key_of(actor, type));
    for (uint32_t i = *first; i != PLAY_NONE; i = f->coarse.at[i].next) {
        const struct coarse *o = &f->coarse.at[i];
        if (o->sender == c.sender && o->to == c.to && o->type == c.type)
            return;
    }
    c.next = *first;
    *first = f->coarse.n;
    vec_push(&f->coarse, c);
}

static void read_coarsely(struct facts *f, struct play *p, uint32_t actor,
                          uint32_t msg, const struct effect *e)
{
    uint32_t type = facts_type(f, p, msg);
    for (uint32_t i = 0; i < e->n_sends; i++)
        add_coarse(f, actor, type,
                   (struct coarse){.sender = e->sends[i].sender,
                                   .to = e->sends[i].to,
                                   .type = facts_type(f, p, e->sends[i].msg)});
    for (uint32_t i = 0; i < e->n_births; i++)
        add_coarse(
            f, actor, type,
            (struct coarse){.sender = PLAY_NONE, .to = e->births[i].actor});
}

void facts_add(struct facts *f, struct play *p, uint32_t state, uint32_t msg,
               const struct effect *e)
{
    state = facts_state(f, p, state);
    msg = facts_msg(f, p, msg);
    uint32_t *first = map_at(&f->first, key_of(state, msg));
    if (known(f, *first, e))
        return;
    struct fact fact = {.effect = e, .next = *first};
    *first = f->list.n;
    vec_push(&f->list, fact);
    f->grown = true;
    read_coarsely(f, p, play_state(p, state)->actor, msg, e);
    if (e->flags & EFFECT_SENDER && !play_is_timer(msg))
        hashset_add(&f->curious, type_key(p, play_state(p, state)->actor, msg));
}

uint32_t facts_of(const struct facts *f, uint32_t state, uint32_t msg)
{
    return map_get(&f->first, key_of(state, msg));
}

bool facts_asks_sender(const struct facts *f, struct play *p, uint32_t actor,
                       uint32_t msg)
{
    return f->curious.n && hashset_has(&f->curious, type_key(p, actor, msg));
}

#include "explore/waiting.h"

#include "base/arena.h"
#include "base/die.h"
#include "base/hash.h"
#include "base/map.h"
#include "explore/search.h"

#include <stdlib.h>

enum {
    STATES_MOST = 1000,  // of one end
    ALLOWANCE = 1000000, // steps of a search, and as many as it made itself
};

struct frame {
    uint32_t first, next; // its choices, and the next one to make
};

struct waiting {
    struct search *search;
    struct world world;
    choices open;
    VEC(struct frame) frames;
    VEC(uint64_t) ends; // by actor: hash of its state at the end
    VEC(bool) stays;
    struct hashset seen;     // global states behind this end
    struct map looked;       // from the hash of an end to what was found
    VEC(const bool *) found; // NULL: not known
    struct arena arena;
    uint64_t spent;
};

struct waiting *waiting_new(struct search *s)
{
    struct waiting *w = need_zero(sizeof *w);
    w->search = s;
    world_init(&w->world, s->play, s->options->delivery);
    w->world.guest = true;
    w->world.tireless = true;
    return w;
}

void waiting_free(struct waiting *w)
{
    if (!w)
        return;
    world_release(&w->world);
    vec_free(&w->open);
    vec_free(&w->frames);
    vec_free(&w->ends);
    vec_free(&w->stays);
    hashset_free(&w->seen);
    map_free(&w->looked);
    vec_free(&w->found);
    arena_free(&w->arena);
    free(w);
}

// ---- to the end, and beyond ------------------------------------------------

static bool make(struct waiting *w, struct choice c, const uint16_t *picks,
                 uint32_t n)
{
    while (world_do(&w->world, &c)->flags & EFFECT_PICK) {
        if (!picks || c.n_picks >= n)
            return false;
        c = world_pick(&w->world, &c, picks[c.n_picks]);
    }
    w->spent++;
    return true;
}

static bool follow(struct waiting *w, const struct schedule *all)
{
    world_reset(&w->world);
    for (uint32_t i = 0; i < all->steps.n; i++) {
        const struct step *t = &all->steps.at[i];
        struct choice c = {t->actor, CHOICE_BODY, 0, 0};
        if (play_is_timer(t->msg))
            c.flight = t->msg;
        else if (t->msg != PLAY_NONE)
            c.flight = world_flight(&w->world, t->actor, t->source, t->nth);
        if ((c.flight == PLAY_NONE && t->msg != PLAY_NONE) ||
            !make(w, c, t->n_picks ? all->picks.at + t->picks : NULL,
                  t->n_picks))
            return false;
    }
    return true;
}

// What an actor's state is but for its timers.
static uint64_t state_hash(const struct waiting *w, uint32_t actor)
{
    uint32_t state = w->world.states.at[actor];
    if (state == PLAY_NONE)
        return 0;
    const struct play_state *s = play_state(w->world.play, state);
    return s->flags & STATE_TIMED ? play_final_hash(w->world.play, state, 0).low
                                  : s->hash.low;
}

// In a global state: not been here before.
static bool enter(struct waiting *w)
{
    if (!hashset_add(&w->seen, world_hash(&w->world, false).low))
        return false;
    for (uint32_t a = 0; a < w->ends.n; a++)
        w->stays.at[a] &= state_hash(w, a) == w->ends.at[a];
    struct frame f = {w->open.n, w->open.n};
    world_choices(&w->world, &w->open);
    vec_push(&w->frames, f);
    return true;
}

static void leave(struct waiting *w)
{
    w->open.n = vec_last(&w->frames).first;
    (void)vec_pop(&w->frames);
}

// Visit all that can still happen, depth first.
static bool visit(struct waiting *w)
{
    enter(w);
    while (w->frames.n) {
        struct frame *f = &vec_last(&w->frames);
        if (f->next == w->open.n) {
            leave(w);
            if (w->frames.n)
                world_undo(&w->world);
            continue;
        }
        struct choice c = w->open.at[f->next++];
        if (w->seen.n > STATES_MOST || !make(w, c, NULL, 0) ||
            search_ends(w->search))
            return false;
        if (!enter(w))
            world_undo(&w->world);
    }
    return true;
}

static const bool *look(struct waiting *w, const struct schedule *all)
{
    vec_clear(&w->open);
    vec_clear(&w->frames);
    vec_clear(&w->ends);
    vec_clear(&w->stays);
    hashset_clear(&w->seen);
    if (w->spent > ALLOWANCE + w->search->result->receives || !follow(w, all))
        return NULL;
    for (uint32_t a = 0; a < w->world.n; a++) {
        vec_push(&w->ends, state_hash(w, a));
        vec_push(&w->stays, true);
    }
    return visit(w) ? arena_copy(&w->arena, w->stays.at, w->stays.n) : NULL;
}

static uint64_t end_hash(const struct waiting *w, const uint32_t *states,
                         uint32_t n)
{
    struct play *p = w->search->play;
    uint64_t h = n;
    for (uint32_t a = 0; a < n; a++)
        h = hash_join(
            h, states[a] == PLAY_NONE ? 0 : play_state(p, states[a])->hash.low);
    return h;
}

const bool *waiting_look(struct waiting *w, const struct schedule *all,
                         const uint32_t *states, uint32_t n)
{
    uint32_t *at = map_at(&w->looked, end_hash(w, states, n));
    if (*at == MAP_NONE) {
        *at = w->found.n;
        vec_push(&w->found, look(w, all));
    }
    return w->found.at[*at];
}

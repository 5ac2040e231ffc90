// How a run follows another schedule.
#include "explore/follow.h"

#include <string.h>

void follow_init(struct follow *f, struct play *p, enum delivery d,
                 const struct explore_sink *sink)
{
    *f = (struct follow){.options = {.delivery = d,
                                     .keep_going = true,
                                     .warnings = true,
                                     .no_final_states = !sink->final}};
    search_init(&f->search, p, &f->options, sink, &f->result);
    world_init(&f->world, p, d);
    f->world.guest = true; // a search may be under way
}

void follow_release(struct follow *f)
{
    search_release(&f->search);
    world_release(&f->world);
    vec_free(&f->choices);
    vec_free(&f->map);
}

void follow_reset(struct follow *f)
{
    world_reset(&f->world);
    hashset_free(&f->search.told);
    vec_clear(&f->map);
}

void follow_make(struct follow *f, struct choice c, const uint16_t *picks,
                 uint32_t n)
{
    const struct effect *e;
    uint32_t i = 0;
    while ((e = world_do(&f->world, &c))->flags & EFFECT_PICK) {
        uint16_t pick = i < n && picks[i] < e->pick ? picks[i] : 0;
        c = world_pick(&f->world, &c, pick);
        i++;
    }
    search_effect(&f->search, &f->world, e, true);
}

// What may happen next; its first element is the body if it is its turn.
static bool look(struct follow *f)
{
    vec_clear(&f->choices);
    world_choices(&f->world, &f->choices);
    return f->choices.n;
}

static bool body_is_due(struct follow *f)
{
    return look(f) && f->choices.at[0].flight == CHOICE_BODY;
}

// May the body go on, perhaps beside timers?  It comes last then.
static bool find_body(struct follow *f, struct choice *c)
{
    if (look(f))
        *c = vec_last(&f->choices);
    return f->choices.n && c->flight == CHOICE_BODY;
}

bool follow_body_early(struct follow *f, const uint16_t *picks, uint32_t n)
{
    struct choice c;
    if (!find_body(f, &c) || f->world.due)
        return false;
    follow_make(f, c, picks, n);
    return true;
}

void follow_bodies(struct follow *f, const uint16_t *picks, uint32_t n)
{
    while (body_is_due(f) && f->world.trail.n <= f->search.steps) {
        follow_make(f, f->choices.at[0], picks, n);
        n = 0;
    }
}

static uint32_t mapped(const struct follow *f, uint32_t step)
{
    return step < f->map.n ? f->map.at[step] : PLAY_NONE;
}

// Is it among what may happen next?
static bool may_choose(const struct follow *f, const struct choice *c)
{
    for (uint32_t i = 0; i < f->choices.n; i++)
        if (f->choices.at[i].actor == c->actor &&
            f->choices.at[i].flight == c->flight)
            return true;
    return false;
}

// The same timer, or the one at its place.
static bool find_timer(struct follow *f, const struct step *t, struct choice *c)
{
    const struct world *w = &f->world;
    if (t->actor >= w->n)
        return false;
    const struct seat *s = &w->seats.at[t->actor];
    uint32_t n = state_all_timers(s->flags);
    *c = (struct choice){t->actor, t->msg, 0, 0};
    for (uint32_t k = 0; k < n; k++)
        if (timer_number(w->play, s->state, play_timer(k)) == t->nth)
            c->flight = play_timer(k);
    return play_timer_index(c->flight) < n &&
           (!f->within_ticks || may_choose(f, c));
}

static bool find(struct follow *f, const struct step *t, struct choice *c)
{
    if (play_is_timer(t->msg))
        return find_timer(f, t, c);
    uint32_t source = mapped(f, t->source);
    if (source == PLAY_NONE)
        return false;
    uint32_t i = world_flight(&f->world, t->actor, source, t->nth);
    *c = (struct choice){t->actor, i, 0, 0};
    return i != PLAY_NONE && world_deliverable(&f->world, i);
}

bool follow_step(struct follow *f, const struct schedule *s, uint32_t i)
{
    const struct step *t = &s->steps.at[i];
    const uint16_t *picks = t->n_picks ? s->picks.at + t->picks : NULL;
    struct choice c;
    while (f->map.n <= i)
        vec_push(&f->map, PLAY_NONE);
    bool due = body_is_due(f);
    if (t->msg == PLAY_NONE ? !find_body(f, &c) : due || !find(f, t, &c))
        return false;
    f->map.at[i] = f->world.trail.n;
    follow_make(f, c, picks, t->n_picks);
    return true;
}

static uint32_t find_alike(struct follow *f, const struct step *s)
{
    struct world *w = &f->world;
    const char *name = play_msg_name(w->play, s->msg);
    uint32_t i = s->actor < w->n ? w->seats.at[s->actor].first : PLAY_NONE;
    for (; i != PLAY_NONE; i = w->flights.at[i].next)
        if (w->flights.at[i].sender == s->sender && world_deliverable(w, i) &&
            !strcmp(play_msg_name(w->play, w->flights.at[i].msg), name))
            return i;
    return PLAY_NONE;
}

bool follow_alike(struct follow *f, const struct schedule *s, uint32_t i)
{
    const struct step *t = &s->steps.at[i];
    if (follow_step(f, s, i))
        return true;
    if (!is_flight(t->msg) || t->msg == PLAY_FINI || body_is_due(f))
        return false;
    struct choice c = {t->actor, find_alike(f, t), 0, 0};
    if (c.flight == PLAY_NONE)
        return false;
    f->map.at[i] = f->world.trail.n;
    follow_make(f, c, t->n_picks ? s->picks.at + t->picks : NULL, t->n_picks);
    return true;
}

bool follow_ended(struct follow *f)
{
    if (look(f))
        return false;
    search_ending(&f->search, &f->world);
    return true;
}

bool follow_next(struct follow *f)
{
    if (f->world.trail.n > f->search.steps || follow_ended(f))
        return false;
    uint32_t last = f->world.trail.n ? vec_last(&f->world.trail).actor : 0;
    uint32_t i = 0;
    while (i < f->choices.n && f->choices.at[i].actor <= last)
        i++;
    follow_make(f, f->choices.at[i < f->choices.n ? i : 0], NULL, 0);
    return true;
}

void follow_rest(struct follow *f)
{
    while (follow_next(f))
        continue;
}

// A pair (state, message) of one actor is looked at when the later of the two
// is taken from the lists: `states_done` and `mail_done` count what was taken.
#include "explore/reduced/closure.h"

enum { STEPS_MOST = 1000 };

static struct prospect *prospect(struct closure *c, uint32_t actor)
{
    while (c->actors.n <= actor) {
        struct prospect none = {.creator = PLAY_NONE};
        vec_push(&c->actors, none);
    }
    return &c->actors.at[actor];
}

// The actor's prospect, to be emptied before the next closure.
static struct prospect *use(struct closure *c, uint32_t actor)
{
    struct prospect *p = prospect(c, actor);
    if (!p->touched)
        vec_push(&c->touched, actor);
    p->touched = true;
    return p;
}

static void enqueue(struct closure *c, uint32_t actor)
{
    struct prospect *p = &c->actors.at[actor];
    if (p->queued || p->frozen)
        return;
    p->queued = true;
    vec_push(&c->queue, actor);
}

static void add_state(struct closure *c, uint32_t actor, uint32_t state)
{
    struct prospect *p = use(c, actor);
    state = facts_state(c->facts, c->world->play, state);
    while (c->marks.n <= state)
        vec_push(&c->marks, 0);
    if (c->marks.at[state] == c->serial)
        return;
    c->marks.at[state] = c->serial;
    vec_push(&p->states, state);
    enqueue(c, actor);
}

static void add_mail(struct closure *c, uint32_t actor, uint32_t msg,
                     uint32_t sender)
{
    struct prospect *p = use(c, actor);
    for (uint32_t i = 0; i < p->mail.n; i++)
        if (p->mail.at[i].msg == msg && p->mail.at[i].sender == sender)
            return;
    vec_push(&p->mail, ((struct mail){msg, sender}));
    enqueue(c, actor);
}

// ---- one run --------------------------------------------------------------

static void follow_sends(struct closure *c, uint32_t actor,
                         const struct effect *e, bool everything)
{
    for (uint32_t i = 0; i < e->n_sends; i++) {
        const struct send *s = &e->sends[i];
        bool frozen = prospect(c, s->to)->frozen;
        if (frozen || everything) {
            struct arrival a = {actor, s->sender, s->to, s->msg};
            vec_push(&c->arrivals, a);
        }
        if (!frozen)
            add_mail(c, s->to, facts_msg(c->facts, c->world->play, s->msg),
                     s->sender);
    }
}

static void follow_births(struct closure *c, uint32_t actor,
                          const struct effect *e)
{
    const struct world *w = c->world;
    for (uint32_t i = 0; i < e->n_births; i++) {
        uint32_t born = e->births[i].actor;
        if (born < w->n && w->seats.at[born].state != PLAY_NONE)
            continue;
        add_state(c, born, e->births[i].state);
        c->actors.at[born].creator = actor;
    }
}

static void follow(struct closure *c, uint32_t actor, uint32_t state,
                   uint32_t msg, bool everything)
{
    uint32_t i = facts_of(c->facts, state, msg);
    c->steps++;
    for (; i != PLAY_NONE; i = c->facts->list.at[i].next) {
        const struct effect *e = c->facts->list.at[i].effect;
        if (c->shows && c->shows(c->shows_self, i, state, msg))
            c->actors.at[actor].shows = true;
        add_state(c, actor, e->state);
        follow_births(c, actor, e);
        follow_sends(c, actor, e, everything);
    }
}

// ---- one run, coarsely ------------------------------------------------------

static void follow_type(struct closure *c, uint32_t actor, uint32_t type,
                        bool everything)
{
    const struct world *w = c->world;
    uint32_t i = facts_coarse(c->facts, actor, type);
    c->steps++;
    for (; i != PLAY_NONE; i = c->facts->coarse.at[i].next) {
        struct coarse k = c->facts->coarse.at[i];
        struct prospect *to = use(c, k.to);
        if (k.sender == PLAY_NONE) {
            if (k.to >= w->n || w->seats.at[k.to].state == PLAY_NONE)
                to->creator = actor;
            add_mail(c, k.to, 0, PLAY_NONE); // its timers
            continue;
        }
        if (to->frozen || everything)
            vec_push(&c->arrivals,
                     ((struct arrival){actor, k.sender, k.to, PLAY_NONE}));
        if (!to->frozen)
            add_mail(c, k.to, k.type, PLAY_NONE);
    }
}

// ---- all of them ----------------------------------------------------------

static void take_state(struct closure *c, uint32_t actor, bool everything)
{
    struct prospect *p = &c->actors.at[actor];
    uint32_t state = p->states.at[p->states_done++], mail = p->mail_done;
    uint32_t timers = state_timers(play_state(c->world->play, state)->flags);
    for (uint32_t i = 0; i < mail; i++)
        follow(c, actor, state, c->actors.at[actor].mail.at[i].msg, everything);
    for (uint32_t k = 0; k < timers; k++)
        follow(c, actor, state, play_timer(k), everything);
}

static void take_mail(struct closure *c, uint32_t actor, bool everything)
{
    struct prospect *p = &c->actors.at[actor];
    uint32_t msg = p->mail.at[p->mail_done++].msg, states = p->states_done;
    for (uint32_t i = 0; i < states; i++)
        follow(c, actor, c->actors.at[actor].states.at[i], msg, everything);
}

static void take_types(struct closure *c, uint32_t actor, bool everything)
{
    while (c->actors.at[actor].mail_done < c->actors.at[actor].mail.n) {
        struct prospect *p = &c->actors.at[actor];
        uint32_t type = p->mail.at[p->mail_done++].msg;
        follow_type(c, actor, type, everything);
    }
}

static void take(struct closure *c, uint32_t actor, bool everything)
{
    c->actors.at[actor].queued = false;
    if (c->coarse) {
        take_types(c, actor, everything);
        return;
    }
    while (c->steps <= STEPS_MOST) {
        const struct prospect *p = &c->actors.at[actor];
        if (p->states_done < p->states.n)
            take_state(c, actor, everything);
        else if (p->mail_done < p->mail.n && p->states.n)
            take_mail(c, actor, everything);
        else
            return;
    }
}

void closure_begin(struct closure *c)
{
    for (uint32_t i = 0; i < c->touched.n; i++) {
        struct prospect *p = &c->actors.at[c->touched.at[i]];
        p->states.n = p->mail.n = p->states_done = p->mail_done = 0;
        p->creator = PLAY_NONE;
        p->touched = p->frozen = p->queued = p->shows = false;
    }
    if (!++c->serial) {
        vec_clear(&c->marks);
        c->serial = 1;
    }
    vec_clear(&c->touched);
    vec_clear(&c->queue);
    vec_clear(&c->arrivals);
    c->steps = 0;
}

void closure_freeze(struct closure *c, uint32_t actor)
{
    use(c, actor)->frozen = true;
}

static void seed(struct closure *c, uint32_t actor, uint32_t without)
{
    const struct world *w = c->world;
    const struct seat *s = &w->seats.at[actor];
    if (s->state == PLAY_NONE || prospect(c, actor)->frozen)
        return;
    if (c->coarse)
        add_mail(c, actor, 0, PLAY_NONE); // timers
    else
        add_state(c, actor, s->state);
    for (uint32_t i = s->first; i != PLAY_NONE; i = w->flights.at[i].next) {
        const struct flight *f = &w->flights.at[i];
        if (i == without)
            continue;
        if (c->coarse)
            add_mail(c, actor, facts_type(c->facts, w->play, f->msg),
                     PLAY_NONE);
        else
            add_mail(c, actor, facts_msg(c->facts, w->play, f->msg), f->sender);
    }
}

bool closure_run(struct closure *c, uint32_t without, bool everything)
{
    for (uint32_t a = 0; a < c->world->n; a++)
        seed(c, a, without);
    uint32_t most = c->coarse ? UINT32_MAX : STEPS_MOST;
    for (uint32_t i = 0; i < c->queue.n && c->steps <= most; i++)
        take(c, c->queue.at[i], everything);
    *c->all_steps += c->steps;
    return c->steps <= most;
}

void closure_free(struct closure *c)
{
    for (uint32_t i = 0; i < c->actors.n; i++) {
        vec_free(&c->actors.at[i].states);
        vec_free(&c->actors.at[i].mail);
    }
    vec_free(&c->actors);
    vec_free(&c->arrivals);
    vec_free(&c->queue);
    vec_free(&c->touched);
    vec_free(&c->marks);
}

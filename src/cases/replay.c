// Following words and schedules, and telling where they do not fit.
#include "cases/replay.h"

#include "explore/follow.h"

#include <string.h>

// ---- what is found on the way ---------------------------------------------

static const char *copy(struct replay *r, const char *s)
{
    return s ? arena_text(&r->texts, s) : NULL;
}

static void on_bug(void *self, const struct bug *b, const struct schedule *s)
{
    struct replay *r = self;
    struct replay_bug found = {.bug = *b, .step = s->steps.n - 1};
#define COPY_(name) found.bug.name = copy(r, b->name);
    BUG_STRINGS(COPY_)
#undef COPY_
    vec_push(&r->bugs, found);
}

void replay_free(struct replay *r)
{
    schedule_free(&r->schedule);
    vec_free(&r->twins);
    vec_free(&r->timers);
    text_free(&r->why);
    vec_free(&r->bugs);
    vec_free(&r->states);
    arena_free(&r->texts);
    *r = (struct replay){0};
}

// ---- words ----------------------------------------------------------------

// Same name, sender and receiver.
static bool alike(struct world *w, const struct flight *a,
                  const struct flight *b)
{
    return a->sender == b->sender &&
           (a->msg == b->msg || !strcmp(play_msg_name(w->play, a->msg),
                                        play_msg_name(w->play, b->msg)));
}

// The k of "message:k": its place among those in flight that look alike.
static uint32_t twin(struct world *w, uint32_t flight)
{
    const struct flight *f = &w->flights.at[flight];
    uint32_t k = 1;
    for (uint32_t i = f->prev; i != PLAY_NONE; i = w->flights.at[i].prev)
        k += alike(w, &w->flights.at[i], f);
    return k;
}

static bool is_named(struct world *w, const struct flight *f, const char *msg,
                     size_t length, const char *sender)
{
    const char *name = play_msg_name(w->play, f->msg);
    return strlen(name) == length && !memcmp(name, msg, length) && sender &&
           !strcmp(play_actor_name(w->play, f->sender), sender);
}

static uint32_t find_message(struct world *w, uint32_t actor,
                             const struct words_step *word)
{
    size_t length;
    uint32_t k = words_twin(word->msg, &length);
    uint32_t i = w->seats.at[actor].first;
    for (; i != PLAY_NONE; i = w->flights.at[i].next)
        if (is_named(w, &w->flights.at[i], word->msg, length, word->sender) &&
            --k == 0)
            return i;
    return PLAY_NONE;
}

// The choice a word means; false if the world does not offer it.
static bool meant(struct follow *f, const struct words_step *word,
                  struct choice *c)
{
    struct world *w = &f->world;
    *c = (struct choice){.actor = play_actor_named(w->play, word->actor)};
    if (c->actor == PLAY_NONE || c->actor >= w->n ||
        w->seats.at[c->actor].state == PLAY_NONE)
        return false;
    const struct seat *s = &w->seats.at[c->actor];
    if (words_is_timer(word)) {
        uint32_t n = state_all_timers(s->flags);
        uint32_t k = words_find_timer(w->play, s->state, n, word);
        c->flight = play_timer(k);
        return k < n;
    }
    c->flight = find_message(w, c->actor, word);
    return c->flight != PLAY_NONE && world_deliverable(w, c->flight);
}

// ---- what was possible ----------------------------------------------------

static void tell_choice(struct follow *f, const struct choice *c,
                        struct text *to)
{
    struct world *w = &f->world;
    text_format(to, "%s ", play_actor_name(w->play, c->actor));
    if (c->flight == CHOICE_BODY) {
        text_add(to, w->due ? "body" : WORDS_EARLY);
        return;
    }
    if (play_is_timer(c->flight)) {
        struct arena a = {0};
        text_add(to, words_timer(&a, w->play, w->seats.at[c->actor].state,
                                 play_timer_index(c->flight)));
        arena_free(&a);
        return;
    }
    const struct flight *m = &w->flights.at[c->flight];
    text_add(to, play_msg_name(w->play, m->msg));
    uint32_t k = twin(w, c->flight);
    if (k > 1)
        text_format(to, ":%u", k);
    text_format(to, "<%s", play_actor_name(w->play, m->sender));
}

static void tell_possible(struct follow *f, struct replay *r)
{
    vec_clear(&f->choices);
    world_choices(&f->world, &f->choices);
    if (!f->choices.n)
        text_add(&r->why, "nothing is left to receive");
    for (uint32_t i = 0; i < f->choices.n; i++) {
        text_add(&r->why, i ? "; " : "possible: ");
        tell_choice(f, &f->choices.at[i], &r->why);
    }
}

// ---- following ------------------------------------------------------------

static void begin(struct replay *r, struct follow *f, struct play *p,
                  enum delivery d, struct explore_sink *sink)
{
    replay_free(r);
    *sink = (struct explore_sink){.self = r, .bug = on_bug};
    follow_init(f, p, d, sink);
    r->fits = true;
}

// What a step by an actor in this state needs besides names.
static void note_step(struct replay *r, struct world *w, uint32_t state,
                      uint32_t flight, uint32_t k)
{
    bool timer = play_is_timer(flight);
    vec_push(&r->twins, k);
    vec_push(&r->timers, timer ? words_timer(&r->texts, w->play, state,
                                             play_timer_index(flight))
                               : NULL);
}

static void note_body(struct replay *r, const struct trail_step *t)
{
    vec_push(&r->twins, 1);
    vec_push(&r->timers, t->early ? WORDS_EARLY : NULL);
}

// Steps made since last time.  Of messages received before the newest step
// nobody knows any more which looked alike.
static void note_steps(struct replay *r, struct world *w)
{
    while (r->twins.n < w->trail.n) {
        const struct trail_step *t = &w->trail.at[r->twins.n];
        bool newest = r->twins.n + 1 == w->trail.n;
        if (t->flight == CHOICE_BODY)
            note_body(r, t);
        else
            note_step(r, w, t->state, t->flight,
                      newest && is_flight(t->flight) ? twin(w, t->flight) : 1);
    }
}

static void finish(struct replay *r, struct follow *f)
{
    note_steps(r, &f->world);
    world_schedule(&f->world, &r->schedule);
    for (uint32_t i = 0; i < f->world.n; i++)
        vec_push(&r->states, f->world.states.at[i]);
    r->hash = f->world.hash.low;
    follow_release(f);
}

static void misfit(struct replay *r, struct follow *f, uint32_t at)
{
    r->fits = false;
    r->at = at;
    tell_possible(f, r);
}

static void stop_at(struct replay *r, const struct follow *f)
{
    const struct replay_stop *s = r->stop;
    if (!s || f->world.trail.n < s->at)
        return;
    r->stop = NULL;
    s->before(s->self);
}

// One word.  The body goes on before it, with its picks if it is the body's.
static bool follow_word(struct replay *r, struct follow *f,
                        const struct words_step *w)
{
    bool body = words_is_body(w), early = words_is_early(w);
    stop_at(r, f);
    follow_bodies(f, body && !early ? w->picks : NULL,
                  body && !early ? w->n_picks : 0);
    note_steps(r, &f->world);
    stop_at(r, f);
    struct choice c;
    if (early && !follow_body_early(f, w->picks, w->n_picks))
        return false;
    note_steps(r, &f->world);
    if (body)
        return true;
    if (!meant(f, w, &c))
        return false;
    note_step(r, &f->world, f->world.seats.at[c.actor].state, c.flight,
              is_flight(c.flight) ? twin(&f->world, c.flight) : 1);
    follow_make(f, c, w->picks, w->n_picks);
    return true;
}

bool replay_words(struct play *p, enum delivery d,
                  const struct words_step *words, uint32_t n, struct replay *r)
{
    return replay_words_to(p, d, words, n, NULL, r);
}

bool replay_words_to(struct play *p, enum delivery d,
                     const struct words_step *words, uint32_t n,
                     const struct replay_stop *stop, struct replay *r)
{
    struct follow f;
    struct explore_sink sink;
    VEC(uint64_t) seen = {0};
    begin(r, &f, p, d, &sink);
    r->stop = stop;
    vec_push(&seen, world_hash(&f.world, false).low);
    for (uint32_t i = 0; r->fits && i < n; i++) {
        if (!follow_word(r, &f, &words[i]))
            misfit(r, &f, i);
        vec_push(&seen, world_hash(&f.world, false).low);
    }
    for (uint32_t i = 0; i + 1 < seen.n; i++)
        r->repeats |= r->fits && seen.at[i] == vec_last(&seen);
    vec_free(&seen);
    if (r->fits) {
        stop_at(r, &f);
        follow_bodies(&f, NULL, 0);
        r->complete = follow_ended(&f);
    }
    finish(r, &f);
    return r->fits;
}

enum { AHEAD = 1000 }; // words tried where one does not fit

// Follow the first of the words left that fits.  *at is the first left.
static bool follow_any(struct replay *r, struct follow *f,
                       const struct words_step *words, uint32_t n, bool *done,
                       uint32_t *at)
{
    while (*at < n && done[*at])
        ++*at;
    for (uint32_t i = *at; i < n && i - *at < AHEAD; i++) {
        if (!done[i] && follow_word(r, f, &words[i]))
            return done[i] = true;
        if (r->fits)
            misfit(r, f, i);
    }
    return false;
}

static bool has_bug(const struct replay *r)
{
    for (uint32_t i = 0; i < r->bugs.n; i++)
        if (!r->bugs.at[i].bug.warning)
            return true;
    return false;
}

void replay_loosely(struct play *p, enum delivery d,
                    const struct words_step *words, uint32_t n,
                    struct replay *r)
{
    struct follow f;
    struct explore_sink sink;
    struct arena a = {0};
    uint32_t at = 0;
    begin(r, &f, p, d, &sink);
    bool *done = arena_zero(&a, n + 1ul);
    while (!has_bug(r) && at < n && f.world.trail.n <= f.search.steps) {
        bool followed = follow_any(r, &f, words, n, done, &at);
        if (!followed && at < n && !follow_next(&f))
            break;
        note_steps(r, &f.world);
    }
    if (!has_bug(r))
        follow_rest(&f);
    vec_clear(&f.choices);
    world_choices(&f.world, &f.choices);
    r->complete = !f.choices.n;
    finish(r, &f);
    arena_free(&a);
}

bool replay_schedule(struct play *p, enum delivery d, const struct schedule *s,
                     bool rest, struct replay *r)
{
    struct follow f;
    struct explore_sink sink;
    begin(r, &f, p, d, &sink);
    for (uint32_t i = 0; r->fits && i < s->steps.n; i++) {
        if (!follow_step(&f, s, i)) {
            misfit(r, &f, i);
            break;
        }
        note_steps(r, &f.world);
    }
    if (r->fits && rest)
        follow_rest(&f);
    else if (r->fits)
        follow_ended(&f);
    vec_clear(&f.choices);
    world_choices(&f.world, &f.choices);
    r->complete = !f.choices.n;
    finish(r, &f);
    return r->fits;
}

// ---- what else ------------------------------------------------------------

static const char *choice_words(struct follow *f, const struct choice *c,
                                struct arena *a)
{
    struct text t = {0};
    tell_choice(f, c, &t);
    const char *words = arena_text(a, text_get(&t));
    text_free(&t);
    return words;
}

void replay_others(struct play *p, enum delivery d, const struct schedule *s,
                   uint32_t most, struct arena *a,
                   void (*each)(void *self, uint32_t step,
                                const char *const *others, uint32_t n,
                                bool more),
                   void *self)
{
    struct follow f;
    struct explore_sink sink = {0};
    VEC(const char *) words = {0};
    choices all = {0};
    follow_init(&f, p, d, &sink);
    for (uint32_t i = 0; i < s->steps.n; i++) {
        vec_clear(&words);
        vec_clear(&all);
        bool body = s->steps.at[i].msg == PLAY_NONE;
        if (!body)
            world_choices(&f.world, &all);
        for (uint32_t k = 0; k < all.n && k <= most; k++)
            vec_push(&words, choice_words(&f, &all.at[k], a));
        if (!follow_step(&f, s, i))
            break;
        const struct trail_step *made = &vec_last(&f.world.trail);
        uint32_t n = 0;
        for (uint32_t k = 0; k < words.n; k++)
            if (all.at[k].actor != made->actor ||
                all.at[k].flight != made->flight)
                words.at[n++] = words.at[k];
        if (!body)
            each(self, i, words.at, n < most ? n : most, all.n > most + 1);
    }
    vec_free(&words);
    vec_free(&all);
    follow_release(&f);
}

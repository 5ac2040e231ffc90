// Plays a test of a program in the simplest order, oldest message first, and
// remembers what came out.
#ifndef TEST_PLAYER_H
#define TEST_PLAYER_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"
#include "base/vec.h"
#include "program/build.h"
#include "stage/native.h"
#include "play/play.h"
#include "program/program.h"

#include "sanitizer.h"
#include "scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct flying {
    uint32_t from, to, msg;
};

struct player {
    struct native *native;
    struct play *play;
    VEC(uint32_t) states;
    VEC(struct flying) flights;
    VEC(struct bug) bugs;
    VEC(struct send) sends; // all of them
    struct text output;
    uint32_t env;
    uint32_t steps;
    uint16_t body;       // the body's last flags
    VEC(uint16_t) picks; // for the next receive
};

static inline struct program *
player_build(const char *file, const char *const *flags, uint32_t n_flags)
{
    static struct arena arena;
    struct diag d = {0};
    struct built b;
    scratch_path cache;
    struct build_options o = {.inputs = &file,
                              .n_inputs = 1,
                              .flags = flags,
                              .n_flags = n_flags,
                              .include = "include",
                              .cache = scratch_new(cache)};
    struct program *p = NULL;
#if TEST_TSAN // it has no room for regions
    printf("0 passed, 0 failed\n");
    exit(0);
#endif
    if (build_program(&arena, &o, &b, &d))
        p = program_load(b.path, &d);
    if (!p) {
        diag_print(&d, stderr);
        exit(1);
    }
    scratch_remove(cache);
    return p;
}

static inline void player_take(struct player *p, const struct effect *e)
{
    for (uint32_t i = 0; i < e->n_births; i++) {
        while (p->states.n <= e->births[i].actor)
            vec_push(&p->states, PLAY_NONE);
        p->states.at[e->births[i].actor] = e->births[i].state;
    }
    for (uint32_t i = 0; i < e->n_sends; i++) {
        vec_push(&p->sends, e->sends[i]);
        vec_push(&p->flights,
                 ((struct flying){e->sends[i].sender, e->sends[i].to,
                                  e->sends[i].msg}));
    }
    for (uint32_t i = 0; i < e->n_bugs; i++)
        vec_push(&p->bugs, e->bugs[i]);
    if (e->flags & EFFECT_SHARED)
        play_share(p->play, e->shared);
    if (e->output)
        text_add(&p->output, e->output);
}

static inline void player_body(struct player *p)
{
    VEC(struct send) s = {0};
    struct flying *f;
    vec_each(&p->flights, f)
        vec_push(&s, ((struct send){f->from, f->to, f->msg, 0}));
    const struct effect *e = play_body(p->play, p->env, p->states.at,
                                       p->states.n, s.at, s.n, NULL, 0);
    vec_free(&s);
    p->env = e->state;
    if (p->states.n)
        p->states.at[0] = p->env;
    else
        vec_push(&p->states, p->env);
    p->body = e->flags;
    player_take(p, e);
}

// One receive; what it did.
static inline const struct effect *player_receive(struct player *p, uint32_t to,
                                                  uint32_t msg, uint32_t from)
{
    const struct effect *e =
        play_run(p->play, p->states.at[to], msg, from, p->picks.at, p->picks.n);
    vec_clear(&p->picks);
    if (e->flags & EFFECT_PICK)
        return e;
    p->steps++;
    p->states.at[to] = e->state;
    if (to == PLAY_ENV)
        p->env = e->state;
    player_take(p, e);
    return e;
}

// The timer that is next if no time passes between receives.
static inline uint32_t player_timer(struct player *p, uint32_t actor)
{
    uint32_t k = 0;
    while (!play_timer_of(p->play, p->states.at[actor], k).first)
        k++;
    return play_timer(k);
}

// The oldest message, or else a timer; false if there is neither.
static inline bool player_step(struct player *p)
{
    if (p->flights.n) {
        struct flying f = p->flights.at[0];
        memmove(p->flights.at, p->flights.at + 1,
                --p->flights.n * sizeof *p->flights.at);
        player_receive(p, f.to, f.msg, f.from);
        return true;
    }
    for (uint32_t a = 0; a < p->states.n; a++)
        if (p->states.at[a] != PLAY_NONE &&
            play_state(p->play, p->states.at[a])->flags & STATE_TIMER) {
            player_receive(p, a, player_timer(p, a), a);
            return true;
        }
    return false;
}

static inline void player_run(struct player *p)
{
    for (int i = 0; i < 10000; i++) {
        bool stepped = player_step(p);
        if (p->body & EFFECT_BODY_DONE) {
            if (!stepped)
                return;
        } else if (!stepped || p->body & EFFECT_BODY_ONE) {
            player_body(p);
        }
    }
}

static inline struct player *player_open_as(const struct program *program,
                                            const struct native_options *o)
{
    struct diag d = {0};
    struct player *p = calloc(1, sizeof *p);
    p->native = native_open(program, o, &d);
    if (!p->native) {
        diag_print(&d, stderr);
        exit(1);
    }
    p->play = play_new(native_ops(p->native), p->native, 0);
    p->env = PLAY_NONE;
    player_body(p);
    return p;
}

static inline struct player *player_open(const struct program *program,
                                         const char *test, const char *params)
{
    return player_open_as(program, &(struct native_options){.test = test,
                                                            .params = params,
                                                            .limit_ms = 20});
}

static inline struct player *player_play(const struct program *program,
                                         const char *test)
{
    struct player *p = player_open(program, test, NULL);
    player_run(p);
    return p;
}

// The same, with handlers in a process apart.
static inline struct player *player_play_apart(const struct program *program,
                                               const char *test)
{
    struct player *p = player_open_as(
        program, &(struct native_options){
                     .test = test, .limit_ms = 20, .isolated = true});
    player_run(p);
    return p;
}

static inline void player_close(struct player *p)
{
    play_free(p->play);
    native_close(p->native);
    vec_free(&p->states);
    vec_free(&p->flights);
    vec_free(&p->bugs);
    vec_free(&p->sends);
    vec_free(&p->picks);
    text_free(&p->output);
    free(p);
}

#endif

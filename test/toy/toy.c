// Interned tuples and the functions behind a play.
//
// Tuples are kept in an arena, found by hash, and named by dense ids; ids of
// forgotten ones are given out again.  Numbers that name actors are hashed by
// the actor's name, so that hashes are the same in every process.
#include "toy/toy.h"
#include "toy/toy_programs.h"

#include "base/hash.h"
#include "base/arena.h"
#include "base/die.h"
#include "base/vec.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct actor {
    uint32_t creator, nth;
    int cls;
    uint64_t hash;
    char *name;
};

struct table {         // of tuples of int16_t
    VEC(int16_t *) at; // by id, NULL if forgotten
    VEC(struct play_state) info;
    VEC(uint32_t) unused;
    struct slot {
        uint32_t id, tag; // id + 1, and a part of the hash
    } * slots;
    uint32_t n, n_slots;
};

struct toy {
    const struct toy_program *program;
    struct play *play;
    int param[4];
    void *table; // of a random program
    struct arena memory;
    struct table states, messages;
    VEC(struct actor) actors;
    VEC(const struct toy_state *) all; // scratch of body
};

static uint64_t mix(uint64_t h, uint64_t x)
{
    return hash_join(h + 1, x);
}

static uint64_t hash_value(const struct toy *t, int16_t v)
{
    if (TOY_IS_REF(v) && v > 0 && TOY_ACTOR(v) < t->actors.n)
        return t->actors.at[TOY_ACTOR(v)].hash;
    return (uint16_t)v;
}

static uint64_t hash_tuple(const struct toy *t, const int16_t *x, uint32_t n)
{
    uint64_t h = n;
    for (uint32_t i = 0; i < n; i++)
        h = mix(h, hash_value(t, x[i]));
    return h;
}

static struct slot *find_slot(const struct table *b, const int16_t *x,
                              uint32_t n, uint64_t h)
{
    for (uint32_t i = (uint32_t)(h >> 20);; i++) {
        struct slot *s = &b->slots[i & (b->n_slots - 1)];
        if (!s->id)
            return s;
        if (s->tag != (uint32_t)h)
            continue;
        const int16_t *y = b->at.at[s->id - 1];
        if ((uint32_t)y[-1] == n && memcmp(x, y, n * sizeof *x) == 0)
            return s;
    }
}

static void put_slot(struct table *b, uint32_t id)
{
    uint64_t h = b->info.at[id].hash.low;
    uint32_t i = (uint32_t)(h >> 20);
    while (b->slots[i & (b->n_slots - 1)].id)
        i++;
    b->slots[i & (b->n_slots - 1)] = (struct slot){id + 1, (uint32_t)h};
}

static void rehash(struct table *b, uint32_t n_slots)
{
    free(b->slots);
    b->slots = need_zero(n_slots * sizeof *b->slots);
    b->n_slots = n_slots;
    for (uint32_t i = 0; i < b->at.n; i++)
        if (b->at.at[i])
            put_slot(b, i);
}

static int16_t *keep(struct toy *t, const int16_t *x, uint32_t n)
{
    int16_t *y = arena_get(&t->memory, (n + 1) * sizeof *y);
    y[0] = (int16_t)n;
    memcpy(y + 1, x, n * sizeof *y);
    return y + 1;
}

// Of the n numbers the last `names` are not hashed.
static uint32_t intern(struct toy *t, struct table *b, const int16_t *x,
                       uint32_t n, uint32_t names)
{
    if (b->n * 2 >= b->n_slots)
        rehash(b, b->n_slots ? b->n_slots * 2 : 64);
    uint64_t h = hash_tuple(t, x, n - names);
    struct slot *s = find_slot(b, x, n, h);
    if (s->id)
        return s->id - 1;
    uint32_t id = b->unused.n ? vec_pop(&b->unused) : b->at.n;
    if (id == b->at.n) {
        vec_push(&b->at, NULL);
        vec_push(&b->info, (struct play_state){0});
    }
    b->at.at[id] = keep(t, x, n);
    b->info.at[id].hash = digest_bytes(&h, sizeof h, 0);
    b->info.at[id].hash.low = h;
    b->n++;
    *s = (struct slot){id + 1, (uint32_t)h};
    return id;
}

// ---- timers ---------------------------------------------------------------

enum { FREE = 0x2000 }; // in the type of a timer that waits for no other

static bool may_fire(const struct toy_state *st, int i)
{
    for (int j = 0; j < i; j++)
        if (!(st->timers[i] & FREE) && !(st->timers[j] & FREE))
            return false;
    return true;
}

// The k-th that may fire, or n_timers.
static int nth_timer(const struct toy_state *st, uint32_t k)
{
    int i = 0;
    while (i < st->n_timers && (!may_fire(st, i) || k-- > 0))
        i++;
    return i;
}

static uint32_t timer_flags(const struct toy_state *st)
{
    uint32_t n = 0;
    for (int i = 0; i < st->n_timers; i++)
        n += may_fire(st, i);
    return state_timer_flags(n, n) | (n ? STATE_OWES : 0u);
}

// ---- states and messages --------------------------------------------------

// States are stored as actor, cls, flags, born, timers and values, each list
// after its length; then the names of timers, which do not tell states apart.
static uint32_t intern_state(struct toy *t, const struct toy_state *st)
{
    int16_t x[sizeof *st / sizeof(int16_t)];
    uint32_t n = 0;
    x[n++] = TOY_REF(st->actor);
    x[n++] = st->cls;
    x[n++] = st->flags;
    x[n++] = st->born;
    x[n++] = st->n_timers;
    for (int i = 0; i < st->n_timers; i++)
        x[n++] = st->timers[i];
    for (int i = 0; i < st->n; i++)
        x[n++] = st->v[i];
    x[n++] = st->set;
    for (int i = 0; i < st->n_timers; i++)
        x[n++] = st->names[i];
    uint32_t id = intern(t, &t->states, x, n, 1u + (uint32_t)st->n_timers);
    struct play_state *info = &t->states.info.at[id];
    info->actor = (uint32_t)st->actor;
    info->flags = (uint32_t)st->flags | timer_flags(st);
    return id;
}

static void load_state(const struct toy *t, uint32_t id, struct toy_state *st)
{
    const int16_t *x = t->states.at.at[id];
    int n = x[-1];
    st->actor = (int16_t)TOY_ACTOR(x[0]);
    st->cls = x[1];
    st->flags = x[2];
    st->born = x[3];
    st->n_timers = x[4];
    memcpy(st->timers, x + 5, (size_t)x[4] * sizeof *x);
    st->n = (int16_t)(n - 6 - 2 * x[4]);
    memcpy(st->v, x + 5 + x[4], (size_t)st->n * sizeof *x);
    st->set = x[n - 1 - x[4]];
    memcpy(st->names, x + n - x[4], (size_t)x[4] * sizeof *x);
}

static uint32_t intern_message(struct toy *t, const struct toy_message *m)
{
    int16_t x[1 + TOY_IN] = {m->type};
    memcpy(x + 1, m->v, (size_t)m->n * sizeof *x);
    return intern(t, &t->messages, x, 1u + (uint32_t)m->n, 0);
}

static uint32_t actor_of(struct toy *t, uint32_t creator, uint32_t nth, int cls)
{
    for (uint32_t i = 0; i < t->actors.n; i++)
        if (t->actors.at[i].creator == creator && t->actors.at[i].nth == nth &&
            t->actors.at[i].cls == cls)
            return i;
    struct actor a = {creator, nth, cls, 1, NULL};
    char name[200] = "test";
    if (creator != PLAY_NONE) {
        const struct actor *c = &t->actors.at[creator];
        a.hash = mix(mix(c->hash, nth + 1), (uint64_t)cls);
        snprintf(name, sizeof name, "%.90s%s%.90s#%u", creator ? c->name : "",
                 creator ? "/" : "", t->program->names[cls - 1], nth + 1);
    }
    a.name = need_text(name);
    vec_push(&t->actors, a);
    return t->actors.n - 1;
}

uint32_t toy_spawn_with(struct toy_run *r, int cls, int n, const int *values,
                        toy_handler *init)
{
    struct toy_run kid = *r;
    kid.self = actor_of(r->toy, r->self, (uint32_t)r->st.born++, cls);
    kid.st = (struct toy_state){
        .actor = (int16_t)kid.self, .cls = (int16_t)cls, .n = (int16_t)n};
    for (int i = 0; i < n; i++)
        kid.st.v[i] = (int16_t)values[i];
    assert(r->out->n_births < TOY_OUT);
    struct birth *b = (struct birth *)(uintptr_t)r->out->births;
    b += r->out->n_births++;
    if (init)
        init(&kid);
    r->used_picks = kid.used_picks;
    *b = (struct birth){kid.self, intern_state(r->toy, &kid.st),
                        r->out->n_sends};
    return kid.self;
}

uint32_t toy_spawn(struct toy_run *r, int cls, int n, const int *values)
{
    return toy_spawn_with(r, cls, n, values, NULL);
}

void toy_send(struct toy_run *r, uint32_t to, int type, int n,
              const int *values)
{
    struct toy_message m = {.type = (int16_t)type, .n = (int16_t)n};
    for (int i = 0; i < n; i++)
        m.v[i] = (int16_t)values[i];
    struct send *s = (struct send *)(uintptr_t)r->out->sends;
    assert(r->out->n_sends < TOY_OUT);
    s[r->out->n_sends++] =
        (struct send){r->self, to, intern_message(r->toy, &m), 0};
}

uint32_t toy_sender(struct toy_run *r)
{
    r->out->flags |= EFFECT_SENDER;
    return r->from;
}

uint32_t toy_choose(struct toy_run *r, uint32_t n)
{
    if (r->out->flags & EFFECT_PICK)
        return 0;
    if (r->used_picks < r->n_picks)
        return r->picks[r->used_picks++];
    r->out->flags |= EFFECT_PICK;
    r->out->pick = (uint16_t)n;
    return 0;
}

void toy_crash(struct toy_run *r, const char *text)
{
    struct bug *b = arena_zero(&r->toy->memory, sizeof *b);
    b->kind = BUG_CRASH;
    b->text = text;
    r->st.flags = STATE_CRASHED;
    r->st.n_timers = r->st.n = 0;
    r->out->bugs = b;
    r->out->n_bugs = 1;
}

void toy_stop(struct toy_run *r)
{
    r->st.flags = STATE_STOPPED;
    r->st.n_timers = r->st.n = 0;
}

void toy_timer(struct toy_run *r, int type)
{
    if (r->st.n_timers == TOY_TIMERS)
        return;
    r->st.names[r->st.n_timers] = ++r->st.set;
    r->st.timers[r->st.n_timers++] = (int16_t)type;
}

void toy_timer_free(struct toy_run *r, int type)
{
    toy_timer(r, type | FREE);
}

void toy_drain(struct toy_run *r)
{
    r->out->flags |= EFFECT_BODY_DRAIN;
}

void toy_one(struct toy_run *r)
{
    r->out->flags |= EFFECT_BODY_ONE;
}

// Move what the run made from the stack into memory that stays.
static void finish(struct toy_run *r)
{
    struct effect *e = r->out;
    struct toy *t = r->toy;
    e->handlers = 1;
    if (e->flags & EFFECT_PICK) {
        *e = (struct effect){.flags = e->flags, .pick = e->pick};
        return;
    }
    assert(r->st.n <= TOY_VALUES);
    e->state = intern_state(t, &r->st);
    e->sends = e->n_sends ? arena_copy(&t->memory, e->sends,
                                       e->n_sends * sizeof *e->sends)
                          : NULL;
    e->births = e->n_births ? arena_copy(&t->memory, e->births,
                                         e->n_births * sizeof *e->births)
                            : NULL;
}

static void take_timer(struct toy_run *r, uint32_t k)
{
    int i = nth_timer(&r->st, k);
    assert(i < r->st.n_timers);
    r->in.type = (int16_t)(r->st.timers[i] & ~FREE);
    r->in.n = 0;
    r->st.n_timers--;
    size_t rest = (size_t)(r->st.n_timers - i) * sizeof *r->st.timers;
    memmove(r->st.timers + i, r->st.timers + i + 1, rest);
    memmove(r->st.names + i, r->st.names + i + 1, rest);
}

static void toy_do_run(void *self, uint32_t state, uint32_t msg,
                       uint32_t sender, const uint16_t *picks, uint32_t n_picks,
                       struct effect *out)
{
    struct toy *t = self;
    struct send sends[TOY_OUT];
    struct birth births[TOY_OUT];
    struct toy_run r;
    *out = (struct effect){.sends = sends, .births = births};
    load_state(t, state, &r.st);
    r.toy = t;
    r.param = t->param;
    r.self = (uint32_t)r.st.actor;
    r.from = sender;
    r.picks = picks;
    r.n_picks = n_picks;
    r.used_picks = 0;
    r.out = out;
    if (play_is_timer(msg)) {
        take_timer(&r, play_timer_index(msg));
    } else {
        const int16_t *m = t->messages.at.at[msg];
        r.in.type = m[0];
        r.in.n = (int16_t)(m[-1] - 1);
        memcpy(r.in.v, m + 1, (size_t)r.in.n * sizeof *m);
    }
    toy_handler *h = r.self == PLAY_ENV ? t->program->env
                                        : t->program->classes[r.st.cls - 1];
    if (h && !(r.st.flags & (STATE_CRASHED | STATE_STOPPED)))
        h(&r);
    finish(&r);
}

static void toy_body(void *self, uint32_t env, const uint32_t *states,
                     uint32_t n, const struct send *in_flight,
                     uint32_t n_in_flight, const uint16_t *picks,
                     uint32_t n_picks, struct effect *out)
{
    (void)in_flight, (void)n_in_flight;
    struct toy *t = self;
    struct send sends[TOY_OUT];
    struct birth births[TOY_OUT];
    struct toy_run r = {.toy = t,
                        .param = t->param,
                        .picks = picks,
                        .n_picks = n_picks,
                        .out = out};
    *out = (struct effect){.sends = sends, .births = births};
    if (env == PLAY_NONE) {
        actor_of(t, PLAY_NONE, 0, 0);
        r.st.n = 1;
    } else {
        load_state(t, env, &r.st);
        r.st.v[0]++;
    }
    struct toy_state *all = calloc(n + 1, sizeof *all);
    vec_clear(&t->all);
    for (uint32_t i = 0; i < n; i++) {
        if (states[i] != PLAY_NONE)
            load_state(t, states[i], &all[i]);
        vec_push(&t->all, states[i] == PLAY_NONE ? NULL : &all[i]);
    }
    r.all = t->all.at;
    r.n_all = n;
    t->program->body(&r);
    free(all);
    if (!(out->flags & (EFFECT_BODY_DRAIN | EFFECT_BODY_ONE | EFFECT_PICK)))
        out->flags |= EFFECT_BODY_DONE;
    finish(&r);
}

static const struct play_state *toy_state(void *self, uint32_t state)
{
    struct toy *t = self;
    return &t->states.info.at[state];
}

static void toy_pending(void *self, uint32_t state, uint32_t k,
                        struct play_pending *out)
{
    struct toy *t = self;
    struct toy_state st;
    load_state(t, state, &st);
    int i = nth_timer(&st, k);
    char text[16];
    snprintf(text, sizeof text, "m%d", st.timers[i] & ~FREE);
    *out = (struct play_pending){.name = (uint64_t)st.names[i],
                                 .msg = PLAY_NONE,
                                 .of = arena_text(&t->memory, text),
                                 .first = k == 0};
}

static const char *toy_actor_name(void *self, uint32_t actor)
{
    struct toy *t = self;
    return t->actors.at[actor].name;
}

static const char *toy_actor_class(void *self, uint32_t actor)
{
    struct toy *t = self;
    int cls = t->actors.at[actor].cls;
    return cls ? t->program->names[cls - 1] : "test";
}

static const char *toy_msg_name(void *self, uint32_t msg)
{
    struct toy *t = self;
    const int16_t *m = t->messages.at.at[msg];
    char text[64];
    int n = snprintf(text, sizeof text, "m%d", m[0]);
    for (int i = 1; i < m[-1]; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, ".%d", m[i]);
    return arena_text(&t->memory, text);
}

static uint32_t toy_actor_named(void *self, const char *name)
{
    struct toy *t = self;
    for (uint32_t i = 0; i < t->actors.n; i++)
        if (strcmp(t->actors.at[i].name, name) == 0)
            return i;
    return PLAY_NONE;
}

static uint64_t toy_actor_hash(void *self, uint32_t actor)
{
    struct toy *t = self;
    return t->actors.at[actor].hash;
}

static struct digest toy_msg_hash(void *self, uint32_t msg)
{
    struct toy *t = self;
    return t->messages.info.at[msg].hash;
}

static void forget_table(struct toy *t, struct table *b, const uint32_t *ids,
                         uint32_t n)
{
    VEC(int16_t *) old = {b->at.at, b->at.n, b->at.cap};
    b->at.at = need_zero(b->at.cap * sizeof *b->at.at);
    b->n = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (b->at.at[ids[i]])
            continue;
        int16_t *x = old.at[ids[i]];
        b->at.at[ids[i]] = keep(t, x, (uint32_t)x[-1]);
        b->n++;
    }
    vec_clear(&b->unused);
    for (uint32_t i = b->at.n; i-- > 0;)
        if (!b->at.at[i])
            vec_push(&b->unused, i);
    vec_free(&old);
    rehash(b, b->n_slots);
}

static void toy_forget(void *self, const uint32_t *states, uint32_t n_states,
                       const uint32_t *msgs, uint32_t n_msgs)
{
    struct toy *t = self;
    struct arena old = t->memory;
    t->memory = (struct arena){0};
    forget_table(t, &t->states, states, n_states);
    forget_table(t, &t->messages, msgs, n_msgs);
    arena_free(&old);
}

static uint64_t toy_bytes(void *self)
{
    struct toy *t = self;
    return t->memory.bytes;
}

static const struct play_ops ops = {
    .run = toy_do_run,
    .body = toy_body,
    .state = toy_state,
    .timer = toy_pending,
    .actor_name = toy_actor_name,
    .actor_class = toy_actor_class,
    .msg_name = toy_msg_name,
    .actor_named = toy_actor_named,
    .actor_hash = toy_actor_hash,
    .msg_hash = toy_msg_hash,
    .forget = toy_forget,
    .bytes = toy_bytes,
};

static struct toy *make(const struct toy_program *program, void *table,
                        const int *param, uint64_t limit)
{
    struct toy *t = need_zero(sizeof *t);
    t->program = program;
    t->table = table;
    memcpy(t->param, param, sizeof t->param);
    t->play = play_new(&ops, t, limit);
    return t;
}

const void *toy_table(const struct toy_run *r)
{
    return r->toy->table;
}

struct play *toy_play(const struct toy *t)
{
    return t->play;
}

struct toy *toy_new(const char *name, int a, int b, int c, int d)
{
    const struct toy_program *g = toy_program_named(name);
    return g ? make(g, NULL, (int[]){a, b, c, d}, 0) : NULL;
}

struct toy *toy_new_limit(const char *name, int a, uint64_t limit)
{
    const struct toy_program *g = toy_program_named(name);
    return g ? make(g, NULL, (int[]){a, 0, 0, 0}, limit) : NULL;
}

struct toy *toy_new_random(uint64_t seed, unsigned parts)
{
    const struct toy_program *program;
    void *table = toy_random_table(seed, parts, &program);
    return make(program, table, (int[]){0, 0, 0, 0}, 0);
}

static void free_table(struct table *b)
{
    vec_free(&b->at);
    vec_free(&b->info);
    vec_free(&b->unused);
    free(b->slots);
}

void toy_free(struct toy *t)
{
    play_free(t->play);
    free_table(&t->states);
    free_table(&t->messages);
    for (uint32_t i = 0; i < t->actors.n; i++)
        free(t->actors.at[i].name);
    vec_free(&t->actors);
    vec_free(&t->all);
    free(t->table);
    arena_free(&t->memory);
    free(t);
}

// Opening and closing a native, and one run from request to effect.
#include "stage/native_inner.h"

#include "base/die.h"
#include "base/diag.h"
#include "base/hash.h"
#include "base/libc.h"
#include "runtime/common.h"
#include "program/values.h"
#include "stage/body.h"
#include "stage/check.h"
#include "stage/commons.h"
#include "stage/explain.h"
#include "stage/isolate.h"
#include "stage/output.h"
#include "stage/poison.h"
#include "stage/posts.h"
#include "stage/receive.h"
#include "stage/recheck.h"
#include "stage/registry.h"
#include "stage/relative.h"
#include "stage/seal.h"
#include "stage/sight.h"
#include "stage/tables.h"
#include "stage/verdict.h"
#include "stage/wrap_memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct native *stage_now;

// What programs call must be linked in, from archives too: a __wrap_NAME for
// each row of the table that says so.
#define DECLARE_WRAPPED(name) extern const char __wrap_##name[];
#define DECLARE_HARMLESS(name)
#define DECLARE_OUTSIDE(name)
#define DECLARE_REPLACED(name)
#define DECLARE_(name, stage, does, model, terms) DECLARE_##stage(name)
LIBC(DECLARE_)
#define MENTION_WRAPPED(name) __wrap_##name,
#define MENTION_HARMLESS(name)
#define MENTION_OUTSIDE(name)
#define MENTION_REPLACED(name)
#define MENTION_(name, stage, does, model, terms) MENTION_##stage(name)
__attribute__((used)) static const char *const wraps[] = {LIBC(MENTION_) &
                                                          wrap_cxx_here};
__attribute__((used)) static const char *(*const face)(int) = tr_strerror;

enum { LIMIT_MS = 100 };      // of a handler run
enum { REGIONS_MOST = 4096 }; // mapped at a time: two mappings each, and RSS

// ---- one run --------------------------------------------------------------

static void unmap_all(struct native *n)
{
    for (uint32_t i = 0; i < n->actors.n; i++)
        if (n->actors.at[i].region) {
            region_unmap(n->actors.at[i].region);
            n->actors.at[i].region = NULL;
        }
    n->mapped = 0;
    map_clear(&n->slot_mapped);
    seal_forget(n);
}

void run_begin(struct native *n, const uint16_t *picks, uint32_t n_picks)
{
    struct making *m = &n->now;
    vec_clear(&m->sends);
    vec_clear(&m->births);
    vec_clear(&m->bugs);
    text_clear(&m->output);
    m->handlers = m->acts = 0;
    m->flags = m->pick = 0;
    m->more = false;
    m->clock = 0;
    n->present = n->clock;
    n->picks = picks;
    n->n_picks = n_picks;
    n->picks_used = 0;
    n->asked_chance = 0;
    n->seeded.random = n->seeded.rand48 = false;
    n->token = NULL;
    vec_clear(&n->fresh);
    if (!n->alter) // a repetition begins with the same handler
        n->trail->handler = 0;
    if (n->mapped > REGIONS_MOST)
        unmap_all(n);
    if (n->body_open)
        seal_body(n);
    commons_begin(n);
    verdicts_begin(n);
}

void run_finish(struct native *n, uint32_t state, struct effect *out)
{
    struct making *m = &n->now;
    struct arena *a = &n->effects;
    out->state = state;
    out->flags = m->flags;
    out->pick = m->pick;
    out->shared = m->shared;
    out->clock = m->flags & EFFECT_CLOCK ? n->present : m->clock;
    if (m->flags & EFFECT_PICK)
        return;
    out->handlers = m->handlers;
    out->n_sends = m->sends.n;
    out->n_births = (uint16_t)m->births.n; // at most BIRTHS_MOST
    out->n_bugs = (uint16_t)(m->bugs.n < UINT16_MAX ? m->bugs.n : UINT16_MAX);
    for (uint32_t i = 0; i < m->sends.n; i++)
        m->sends.at[i].line = line_of(n, m->sends.at[i].line);
    if (m->sends.n)
        out->sends =
            arena_copy(a, m->sends.at, m->sends.n * sizeof *m->sends.at);
    if (m->births.n)
        out->births =
            arena_copy(a, m->births.at, m->births.n * sizeof *m->births.at);
    if (m->bugs.n)
        out->bugs = arena_copy(a, m->bugs.at, m->bugs.n * sizeof *m->bugs.at);
    if (m->output.n)
        out->output = arena_text(a, m->output.at);
}

// A run that was ended early has sent nothing: how much it had sent by then is
// not a function of the request.
void run_limits(struct native *n)
{
    if (verdicts_timed_out(n) || n->now.more) {
        vec_clear(&n->now.sends);
        vec_clear(&n->now.births);
    }
    if (n->now.more && !n->now.bugs.n)
        bug_at_handler(n, bug_note(n, BUG_LIMIT,
                                   "one handler run sends more than %d "
                                   "messages or creates more than %d actors",
                                   SENDS_MOST, BIRTHS_MOST));
}

static uint32_t run_once(struct native *n, uint32_t state, uint32_t msg,
                         uint32_t sender, const uint16_t *picks,
                         uint32_t n_picks)
{
    run_begin(n, picks, n_picks);
    struct region *r = state_place(n, state);
    r->state = PLAY_NONE;
    if (n->alter)
        poison_begin(n, r);
    receive_run(n, r, msg, sender);
    if (n->alter)
        poison_end(n, r);
    run_limits(n);
    commons_check(n);
    if (n->now.flags & EFFECT_PICK)
        return PLAY_NONE;
    return msg == PLAY_FINI ? state : state_keep(n, r);
}

static void native_run(void *self, uint32_t state, uint32_t msg,
                       uint32_t sender, const uint16_t *picks, uint32_t n_picks,
                       struct effect *out)
{
    struct native *n = self;
    uint32_t after;
    do
        after = run_once(n, state, msg, sender, picks, n_picks);
    while (verdicts_again(n));
    if (recheck_wanted(n, state, msg))
        after =
            recheck_run(n, after, run_once, state, msg, sender, picks, n_picks);
    run_finish(n, after, out);
}

// ---- forgetting -----------------------------------------------------------

static void keep_messages(struct native *n, uint32_t state, bool *keep)
{
    struct head h;
    const unsigned char *at = image_head(n->states.at.at[state].bytes, &h);
    const tr_class *cls = n->actors.at[state_info(n, state)->actor].cls;
    at += cls ? cls->size : 0;
    union element e;
    for (enum list l = 0; l < LISTS_N; l++)
        for (uint32_t i = 0; i < h.n[l]; i++, at += list_size(l)) {
            memcpy(&e, at, list_size(l));
            uint64_t hash = list_message(l, &e);
            uint32_t id = hash ? message_of(n, hash) : PLAY_NONE;
            if (id != PLAY_NONE)
                keep[id] = true;
        }
}

static void native_forget(void *self, const uint32_t *states, uint32_t n_states,
                          const uint32_t *msgs, uint32_t n_msgs)
{
    struct native *n = self;
    bool *keep = need_zero(n->states.at.n + 1ul);
    bool *keep_msg = need_zero(n->msgs.at.n + 1ul);
    for (uint32_t i = 0; i < n_states; i++)
        if (states[i] < n->states.at.n && !keep[states[i]]) {
            keep[states[i]] = true;
            if (state_info(n, states[i])->actor != PLAY_NONE)
                keep_messages(n, states[i], keep_msg);
        }
    if (commons_first(n) != PLAY_NONE)
        keep[commons_first(n)] = true;
    for (uint32_t i = 0; i < n_msgs; i++)
        if (msgs[i] < n->msgs.at.n)
            keep_msg[msgs[i]] = true;
    sight_forget(n);
    images_keep(&n->states, keep);
    images_keep(&n->msgs, keep_msg);
    free(keep);
    free(keep_msg);
    arena_clear(&n->effects);
    for (uint32_t i = 0; i < n->actors.n; i++)
        if (n->actors.at[i].region)
            n->actors.at[i].region->state = PLAY_NONE;
}

static uint64_t native_bytes(void *self)
{
    struct native *n = self;
    return images_bytes(&n->states) + images_bytes(&n->msgs) +
           n->effects.bytes + n->names.bytes +
           n->actors.cap * sizeof *n->actors.at + n->mapped * 32768ul;
}

// ---- names ----------------------------------------------------------------

static const struct play_state *native_state(void *self, uint32_t state)
{
    return state_info(self, state);
}

static const char *native_actor_name(void *self, uint32_t actor)
{
    return actor_name(self, actor);
}

static const char *native_actor_class(void *self, uint32_t actor)
{
    const tr_class *cls = actor_at(self, actor)->cls;
    return cls ? cls->name : "test";
}

static const char *native_msg_name(void *self, uint32_t msg)
{
    return message_name(self, msg);
}

static uint32_t native_actor_named(void *self, const char *name)
{
    struct native *n = self;
    for (uint32_t i = 0; i < n->actors.n; i++)
        if (!strcmp(actor_name(n, i), name))
            return i;
    return PLAY_NONE;
}

static uint64_t native_actor_hash(void *self, uint32_t actor)
{
    return actor_at(self, actor)->handle;
}

static struct digest native_msg_hash(void *self, uint32_t msg)
{
    struct native *n = self;
    return play_is_timer(msg) ? (struct digest){msg, msg}
                              : n->msgs.at.at[msg].info.hash;
}

static void native_share(void *self, uint32_t shared)
{
    commons_share(self, shared);
}

static void native_clock(void *self, uint64_t clock)
{
    struct native *n = self;
    n->clock = clock;
}

static uint32_t native_mailbox(void *self, uint32_t actor)
{
    const struct native *n = self;
    const tr_class *cls = n->actors.at[actor].cls;
    return cls ? cls->mailbox : 0;
}

// ---- opening --------------------------------------------------------------

const struct play_ops ops_here = {
    .run = native_run,
    .body = native_body,
    .invariant = native_invariant,
    .watched_invariant = native_watched_invariant,
    .alike = native_alike,
    .watches_actor = native_watches_actor,
    .watches_msg = native_watches_msg,
    .watches = native_watches,
    .state = native_state,
    .timer = native_pending,
    .mailbox = native_mailbox,
    .due = native_due,
    .final_hash = native_final_hash,
    .actor_name = native_actor_name,
    .actor_class = native_actor_class,
    .msg_name = native_msg_name,
    .actor_named = native_actor_named,
    .actor_hash = native_actor_hash,
    .msg_hash = native_msg_hash,
    .forget = native_forget,
    .bytes = native_bytes,
    .share = native_share,
};

// A replay starts from another test or from a system.
static bool find_test(struct native *n, const char *name, struct diag *d)
{
    const struct program *p = n->program;
    const tr_test *t = program_test(p, name);
    n->test = t;
    n->system = t ? NULL : program_system(p, name);
    if (t && t->of) {
        n->of = program_test(p, t->of);
        n->system = n->of ? NULL : program_system(p, t->of);
        if (!n->of && !n->system)
            return diag_at(d, EXIT_USAGE, t->file, t->line,
                           "test '%s' is of '%s', which does not exist",
                           t->name, t->of);
    }
    if (!n->test && !n->system)
        return diag_set(d, EXIT_NO_MATCH, "no test or system '%s'", name);
    return true;
}

static bool find_params(struct native *n, const struct native_options *o,
                        struct diag *d)
{
    const char *given = o->params ? o->params : "";
    const char *own = n->test && n->test->params ? n->test->params : "";
    struct text t = {0};
    text_format(&t, "%s %s", own, given); // the last one counts
    n->params = text_take(&t);
    if (tr__params(n->params))
        return diag_set(d, EXIT_USAGE, "parameters are NAME=NUMBER, not '%s'",
                        given);
    return true;
}

static void open_tables(struct native *n)
{
    images_init(&n->states);
    images_init(&n->msgs);
    n->values = values_new(n->program);
    vec_push(&n->actors, ((struct actor){.handle = HANDLE_BIT | 16,
                                         .creator = PLAY_NONE,
                                         .slot = SLOT_BODY,
                                         .name = "test"}));
    map_put(&n->actor_of, n->actors.at[0].handle, PLAY_ENV);
    for (uint32_t i = 0; i < n->program->n_msgs; i++)
        kind_of(n, n->program->msgs[i]);
    for (uint32_t i = 0; i < n->program->n_classes; i++)
        class_of(n, n->program->classes[i]);
}

// Shared with a stage process, if there is one.
static void trail_open(struct native *n)
{
    n->trail = mmap(NULL, sizeof *n->trail, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (n->trail == MAP_FAILED)
        die("no shared memory");
}

struct native *native_open(const struct program *program,
                           const struct native_options *options, struct diag *d)
{
    struct native *n = need_zero(sizeof *n);
    n->program = program;
    n->shared = options->shared;
    n->unchecked = options->unchecked;
    n->scattered = options->scattered;
    n->clocked = program_clocked(program);
    n->own_clocks = n->clocked && options->own_clocks;
    n->alloc_fails = options->alloc_fails;
    n->ticks = options->ticks;
    if (stage_now)
        die("two stages in one process");
    if (!program_controllable(program, d) || !find_test(n, options->test, d) ||
        !find_params(n, options, d)) {
        free(n->params);
        free(n);
        return NULL;
    }
    if (!posts_open(n, options, d)) {
        posts_close(n);
        free(n->params);
        free(n);
        return NULL;
    }
    n->ops = ops_here;
    if (!program->n_invariants)
        n->ops.invariant = NULL;
    if (n->clocked && !n->own_clocks) {
        n->ops.clock = native_clock;
        n->ops.state_hash = native_state_hash;
        n->ops.message_hash = native_message_hash;
    }
    n->deepest = 1024;
    n->only = PLAY_NONE;
    open_tables(n);
    trail_open(n);
    output_open(n);
    commons_open(n);
    verdicts_open(n, options->limit_ms ? options->limit_ms : LIMIT_MS);
    if (options->explained)
        explain_open(n);
    if (options->isolated)
        isolate_open(n);
    stage_now = n;
    return n;
}

static void close_tables(struct native *n)
{
    values_free(n->values);
    images_release(&n->states);
    images_release(&n->msgs);
    vec_free(&n->actors);
    vec_free(&n->kinds);
    vec_free(&n->classes);
    registry_release(n);
    vec_free(&n->asked);
    vec_free(&n->text_at);
    vec_free(&n->scratch);
    vec_free(&n->bounds);
    vec_free(&n->timers);
    vec_free(&n->fresh);
    vec_free(&n->closed);
    vec_free(&n->freed);
    map_free(&n->freed_of);
    map_free(&n->actor_of);
    map_free(&n->kind_of);
    map_free(&n->kind_named);
    map_free(&n->class_of);
    map_free(&n->texts);
    map_free(&n->lines);
    map_free(&n->sampled);
    map_free(&n->slot_mapped);
    hashset_free(&n->watched);
    sight_close(n);
    arena_free(&n->effects);
    arena_free(&n->names);
}

static void making_free(struct making *m)
{
    vec_free(&m->sends);
    vec_free(&m->births);
    vec_free(&m->bugs);
    text_free(&m->output);
}

void native_close(struct native *n)
{
    if (!n)
        return;
    isolate_close(n);
    verdicts_close(n);
    commons_close(n);
    output_close(n);
    unmap_all(n);
    if (n->judge)
        region_unmap(n->judge);
    for (uint32_t i = 0; i < GUESTS_N; i++)
        if (n->scene.guests[i])
            region_unmap(n->scene.guests[i]);
    explain_close(n);
    posts_close(n);
    close_tables(n);
    making_free(&n->now);
    making_free(&n->spare);
    vec_free(&n->scene.shown);
    arena_free(&n->scene.copies);
    munmap(n->trail, sizeof *n->trail);
    free(n->params);
    stage_now = NULL;
    free(n);
}

const struct play_ops *native_ops(const struct native *n)
{
    return &n->ops;
}

bool native_tainted(const struct native *n)
{
    return n->tainted;
}

// Budgets, bugs and final states of a running search.
//
// The clock is read once in 256 receives, or 64 that were not in the memo, and
// more often while many messages are in flight: strategies go through them.  A
// bug is told once per key.  At the end of an execution an actor that rests in
// a hot behaviour is deadlocked, a task that still waits has an ask nobody
// answers, a message still kept was deferred for ever; only the gravest of
// these is told, because it usually is the cause of the others, and none if an
// actor crashed.
#include "explore/search.h"

#include "base/clock.h"
#include "base/hash.h"
#include "explore/cuts.h"
#include "explore/endless.h"
#include "explore/waiting.h"
#include "explore/times.h"

#include <string.h>

void search_init(struct search *s, struct play *p,
                 const struct explore_options *o,
                 const struct explore_sink *sink, struct explore_result *r)
{
    *r = (struct explore_result){.estimate = -1, .progress = -1};
    *s = (struct search){.play = p, .options = o, .sink = sink, .result = r};
    s->invariants = play_has_invariants(p) && !o->no_invariants &&
                    !(o->ignore >> BUG_INVARIANT & 1);
    s->guest = o->guest;
    s->steps = o->steps ? o->steps : 10000;
    s->rng = rng_of(o->seed);
    s->finals.cap = o->max_finals ? o->max_finals : 1u << 22;
    s->counts = play_counts(p);
    s->runs_seen = s->counts->runs;
    s->pause_at = UINT64_MAX;
    s->began = clock_now();
    s->next_look = s->began + 0.2;
}

static void refresh(struct search *s)
{
    struct explore_result *r = s->result;
    r->seconds = clock_now() - s->began;
    r->more_final_states = s->finals.more;
    if (!s->estimate || clock_now() < s->next_estimate)
        return;
    double before = clock_now();
    s->estimate(s->estimate_self, r);
    s->next_estimate = clock_now() + 10 * (clock_now() - before);
}

void search_release(struct search *s)
{
    struct explore_result *r = s->result;
    // The execution in which the search stopped at a bug is one of those made.
    if (r->stopped_by == STOP_BUG && explore_schedules(r) == s->at_bug) {
        r->executions++;
        r->broken_off++;
    }
    refresh(s);
    r->rested = play_rested(s->play);
    if (!s->over && r->cut)
        search_stop(s, STOP_STEPS);
    // a state that was met before is not visited again at another time
    if (r->ruled_out && s->options->strategy == STRATEGY_STATEFUL)
        search_stop(s, STOP_CLOCK);
    r->complete = r->stopped_by == STOP_DONE;
    hashset_free(&s->told);
    hashset_free(&s->finals);
    seen_free(&s->checked);
    cuts_free(s->cuts);
    endless_free(s->endless);
    waiting_free(s->waiting);
    schedule_free(&s->schedule);
    arena_free(&s->texts);
}

void search_stop(struct search *s, enum stop why)
{
    if (s->over)
        return;
    s->over = true;
    s->result->stopped_by = why;
}

void search_refuse(struct search *s, enum refusal why)
{
    search_stop(s, STOP_REFUSED);
    s->result->refused = why;
}

static void look_at_time(struct search *s, double now)
{
    if (s->options->seconds > 0 && now - s->began >= s->options->seconds)
        search_stop(s, STOP_TIME);
}

static void look_at_clock(struct search *s, double now)
{
    look_at_time(s, now);
    if (s->sink->stop && s->sink->stop(s->sink->self))
        search_stop(s, STOP_ASKED);
}

bool search_ends(struct search *s)
{
    bool (*ends)(void *self) = s->sink->ends ? s->sink->ends : s->sink->stop;
    look_at_time(s, clock_now());
    if (ends && ends(s->sink->self))
        search_stop(s, STOP_ASKED);
    return s->over;
}

void search_look(struct search *s)
{
    double t = clock_now();
    s->runs_seen = s->counts->runs;
    look_at_clock(s, t);
    if (t < s->next_look)
        return;
    s->next_look = t + 0.2;
    refresh(s);
    if (s->sink->progress)
        s->sink->progress(s->sink->self, s->result);
}

// Runs of the program's own code since the last look; some take long.
static uint64_t fresh_runs(const struct search *s)
{
    return s->counts->runs - s->runs_seen;
}

void search_tick(struct search *s, uint32_t pending)
{
    s->result->receives++;
    s->ticks += 1 + pending / 256;
    if (s->ticks < 256 && fresh_runs(s) < 64)
        return;
    s->ticks = 0;
    search_look(s);
}

// ---- bugs -----------------------------------------------------------------

// A limit of ours is never ignored: what came after it would be our doing.
static bool ignored(const struct search *s, enum bug_kind k)
{
    return k != BUG_LIMIT && s->options->ignore >> k & 1;
}

void search_bug(struct search *s, const struct bug *b,
                const struct schedule *schedule)
{
    if (b->kind == BUG_LIMIT)
        search_stop(s, STOP_LIMIT);
    if (ignored(s, b->kind) || (b->warning && !s->options->warnings))
        return;
    if (hashset_has(&s->told, bug_key(b)))
        return;
    if (play_clocked(s->play) &&
        !times_possible(s->play, s->options->delivery, schedule)) {
        s->result->ruled_out++;
        return;
    }
    hashset_add(&s->told, bug_key(b));
    *(b->warning ? &s->result->warnings : &s->result->bugs) += 1;
    if (s->sink->bug)
        s->sink->bug(s->sink->self, b, schedule);
    if (b->warning || s->options->keep_going || s->over)
        return;
    s->at_bug = explore_schedules(s->result);
    search_stop(s, STOP_BUG);
}

static void world_bug(struct search *s, struct world *w, const struct bug *b)
{
    if (ignored(s, b->kind) || hashset_has(&s->told, bug_key(b)))
        return;
    world_schedule(w, &s->schedule);
    search_bug(s, b, &s->schedule);
}

bool search_wants_full(struct search *s, uint32_t to, uint32_t msg,
                       struct bug *b)
{
    *b = (struct bug){.kind = BUG_FULL,
                      .warning = true,
                      .cls = play_actor_class(s->play, to),
                      .msg = play_msg_name(s->play, msg)};
    return s->options->warnings && !ignored(s, BUG_FULL) &&
           !hashset_has(&s->told, bug_key(b));
}

void search_full(struct search *s, uint32_t to, uint32_t most, struct bug *b)
{
    b->text = arena_format(&s->texts,
                           "'%s' is sent to %s, whose mailbox has %u of %u "
                           "messages: it would be lost",
                           b->msg, play_actor_name(s->play, to), most, most);
}

// In production the last of more messages than a mailbox takes is lost.  What
// is told was seen; the execution goes on as if there were room.
static void full_mailboxes(struct search *s, struct world *w,
                           const struct effect *e)
{
    for (uint32_t i = 0; i < e->n_sends; i++) {
        uint32_t to = e->sends[i].to, most = 0;
        if (to == PLAY_ENV || to >= w->n || w->seats.at[to].n_flights < 2)
            continue; // any mailbox has room for one
        most = play_mailbox(s->play, to);
        if (!most || w->seats.at[to].n_flights <= most)
            continue;
        struct bug b;
        if (!search_wants_full(s, to, e->sends[i].msg, &b))
            continue;
        search_full(s, to, most, &b);
        world_bug(s, w, &b);
    }
}

// These visit one execution of a class, in which ticks that need not come
// before the body come before it.
static bool by_class(enum strategy s)
{
    return s == STRATEGY_SOURCE || s == STRATEGY_ETA;
}

void search_effect(struct search *s, struct world *w, const struct effect *e,
                   bool check)
{
    search_tick(s, w->pending);
    if (world_beside_ticks(w) && by_class(s->options->strategy))
        search_refuse(s, REFUSAL_TICKS);
    full_mailboxes(s, w, e);
    for (uint32_t i = 0; i < e->n_bugs; i++)
        world_bug(s, w, &e->bugs[i]);
    if (e->n_bugs && fresh_runs(s))
        search_look(s); // an endless handler, perhaps
    if (!check || !s->invariants)
        return;
    const struct bug *b = world_invariant(w, s->watched);
    if (b)
        world_bug(s, w, b);
}

// ---- endings --------------------------------------------------------------

static const struct rest {
    uint32_t flag;
    enum bug_kind kind;
    const char *one, *many; // what they do
    const char *where;
} rests[] = {
    {STATE_HOT, BUG_DEADLOCK, "rests", "rest", "in a behaviour marked hot"},
    {STATE_UNTIL, BUG_DEADLOCK, "waits", "wait",
     "for a condition that never becomes true"},
    {STATE_BODY_WAITS, BUG_DEADLOCK, "waits", "wait",
     "for a reply that never comes"},
    {STATE_WAITS, BUG_UNANSWERED, "never gets", "never get", "a reply"},
    {STATE_KEPT, BUG_DEFERRED, "keeps", "keep", "a deferred message"},
};

static uint32_t rest_flags(struct search *s, uint32_t actor, uint32_t state)
{
    return state == PLAY_NONE
               ? 0
               : search_rest_flags(actor, play_state(s->play, state)->flags);
}

// stays: by actor, does it wait for ever?  NULL: nobody can help any of them.
static void rest_bug(struct search *s, const struct rest *r,
                     const struct schedule *schedule, const uint32_t *states,
                     uint32_t n, const bool *stays)
{
    struct bug b = {.kind = r->kind};
    const char *text = NULL;
    uint32_t many = 0;
    for (uint32_t a = 0; a < n; a++) {
        if (!(rest_flags(s, a, states[a]) & r->flag) || (stays && !stays[a]))
            continue;
        const char *name = play_actor_name(s->play, a);
        if (!b.cls)
            b.cls = play_actor_class(s->play, a);
        text = text ? arena_format(&s->texts, "%s, %s", text, name) : name;
        many++;
    }
    b.text =
        arena_format(&s->texts, "%s: %s, %s %s %s", bug_kind_id(r->kind),
                     stays ? "only timers go on" : "nothing left to deliver",
                     text, many > 1 ? r->many : r->one, r->where);
    search_bug(s, &b, schedule);
    arena_clear(&s->texts);
}

// The gravest way in which an actor waits for ever, NULL if none does.  Where
// timers rest a tick more might help: then the schedule is looked at further.
static const struct rest *worst_rest(struct search *s, const uint32_t *states,
                                     uint32_t n,
                                     const struct schedule *schedule,
                                     const bool **stays)
{
    uint32_t all = 0, waits = 0;
    for (uint32_t a = 0; a < n; a++)
        all |= rest_flags(s, a, states[a]);
    *stays = NULL;
    if (all & (STATE_CRASHED | STATE_TIMER) || !(all & STATE_STUCK))
        return NULL;
    if (all & STATE_RESTS) {
        if (!s->waiting)
            s->waiting = waiting_new(s);
        *stays = waiting_look(s->waiting, schedule, states, n);
        if (!*stays)
            return NULL;
        for (uint32_t a = 0; a < n; a++)
            waits |= (*stays)[a] ? rest_flags(s, a, states[a]) : 0;
        all = waits;
    }
    for (uint32_t i = 0; i < sizeof rests / sizeof *rests; i++)
        if (all & rests[i].flag && !ignored(s, rests[i].kind))
            return &rests[i];
    return NULL;
}

// ---- fini hooks -----------------------------------------------------------

// One run of a hook at the end; with schedule its bugs are told.  True if one
// was not told before.
static bool fini_bugs(struct search *s, const struct effect *e,
                      const struct schedule *schedule)
{
    bool new = false;
    for (uint32_t i = 0; i < e->n_bugs; i++) {
        const struct bug *b = &e->bugs[i];
        new |= !ignored(s, b->kind) && (!b->warning || s->options->warnings) &&
               !hashset_has(&s->told, bug_key(b));
        if (schedule)
            search_bug(s, b, schedule);
    }
    return new;
}

// The next list of answers to choose(), in order; false after the last.
static bool next_picks(uint16_t *picks, const uint16_t *of, uint32_t *n)
{
    while (*n && picks[*n - 1] + 1 == of[*n - 1])
        --*n;
    if (*n)
        picks[*n - 1]++;
    return *n;
}

// With every answer to what the hook chooses.
static bool fini_actor(struct search *s, uint32_t state,
                       const struct schedule *schedule)
{
    enum { MOST = 16 };
    uint16_t picks[MOST], of[MOST];
    uint32_t n = 0, actor = play_state(s->play, state)->actor;
    bool new = false;
    do {
        const struct effect *e =
            play_run(s->play, state, PLAY_FINI, actor, picks, n);
        for (; e->flags & EFFECT_PICK && n < MOST; n++) {
            picks[n] = 0;
            of[n] = e->pick;
            e = play_run(s->play, state, PLAY_FINI, actor, picks, n + 1);
        }
        if (e->flags & EFFECT_PICK)
            continue;
        if (e->flags & EFFECT_SHARED)
            play_share(s->play, e->shared);
        new |= fini_bugs(s, e, schedule);
    } while (next_picks(picks, of, &n));
    return new;
}

// Not if somebody crashed: then the test is over before.  Nor if the bound on
// ticks ended the execution: then the test is not over.
static bool fini_all(struct search *s, const uint32_t *states, uint32_t n,
                     uint32_t shared, const struct schedule *schedule)
{
    uint32_t all = 0;
    bool new = false;
    for (uint32_t a = 1; a < n; a++)
        all |=
            states[a] == PLAY_NONE ? 0 : play_state(s->play, states[a])->flags;
    if (!(all & STATE_FINI) || all & (STATE_CRASHED | STATE_OWES))
        return false;
    play_share(s->play, shared);
    for (uint32_t a = 1; a < n; a++)
        if (states[a] != PLAY_NONE &&
            play_state(s->play, states[a])->flags & STATE_FINI)
            new |= fini_actor(s, states[a], schedule);
    return new;
}

bool search_fini(struct search *s, const uint32_t *states, uint32_t n,
                 uint32_t shared)
{
    return fini_all(s, states, n, shared, NULL);
}

static void add_final(struct search *s, uint64_t hash)
{
    const struct explore_sink *k = s->sink;
    if (s->options->no_final_states ||
        !(k->final ? k->final(k->self, hash) : hashset_add(&s->finals, hash)))
        return;
    s->result->final_states += !s->finals.more;
    s->result->finals_hash += hash_join(hash, 1);
}

static void count_schedule(struct search *s)
{
    struct explore_result *r = s->result;
    uint64_t most = s->options->schedules;
    r->rested = play_rested(s->play);
    if (most && explore_schedules(r) >= most)
        search_stop(s, STOP_SCHEDULES);
}

void search_count(struct search *s, uint64_t hash, uint32_t receives)
{
    struct explore_result *r = s->result;
    r->executions++;
    if (receives > r->max_depth)
        r->max_depth = receives;
    add_final(s, hash);
    count_schedule(s);
}

bool search_wants_given_up(struct search *s)
{
    if (ignored(s, BUG_CYCLE))
        return false;
    if (!s->endless)
        s->endless = endless_new(s);
    return endless_wanted(s->endless);
}

void search_give_up_schedule(struct search *s, const struct schedule *schedule)
{
    if (schedule)
        endless_look(s->endless, schedule);
    s->result->cut++;
    count_schedule(s);
}

void search_give_up(struct search *s, struct world *w)
{
    bool wanted = search_wants_given_up(s);
    if (wanted)
        world_schedule(w, &s->schedule);
    search_give_up_schedule(s, wanted ? &s->schedule : NULL);
}

// If actors wait for ever, the live managers other than threads fail the test
// before any hook runs.
static void ended(struct search *s, const struct schedule *schedule,
                  const uint32_t *states, uint32_t n, uint64_t hash,
                  uint32_t shared, const struct rest *rest, const bool *stays)
{
    if (rest)
        rest_bug(s, rest, schedule, states, n, stays);
    if (!rest || !s->over)
        fini_all(s, states, n, shared, schedule);
    struct ending e = {schedule, states, n, hash};
    if (s->sink->execution)
        s->sink->execution(s->sink->self, &e);
}

void search_ending(struct search *s, struct world *w)
{
    const struct seat *seats = w->seats.at;
    uint32_t all = search_rest_flags(PLAY_ENV, seats[PLAY_ENV].flags);
    for (uint32_t a = 1, n = w->n; a < n; a++)
        all |= search_rest_flags(a, seats[a].flags);
    const struct rest *rest = NULL;
    const bool *stays = NULL;
    if (all & STATE_STUCK) {
        if (all & STATE_RESTS)
            world_schedule(w, &s->schedule);
        rest = worst_rest(s, w->states.at, w->n, &s->schedule, &stays);
    }
    bool timed = (all | seats[PLAY_ENV].flags) & STATE_TIMED;
    uint64_t hash = world_states_hash(w, timed).low;
    bool fini =
        all & STATE_FINI && search_fini(s, w->states.at, w->n, w->shared);
    if (rest || fini || s->sink->execution) {
        world_schedule(w, &s->schedule);
        ended(s, &s->schedule, w->states.at, w->n, hash, w->shared, rest,
              stays);
    }
    uint32_t receives = w->trail.n - 1; // and later segments of the body
    if (receives > s->result->max_depth)
        receives = world_receives(w);
    search_count(s, hash, receives);
}

void search_check_cuts(struct search *s, const struct schedule *schedule)
{
    if (!s->invariants || s->over)
        return;
    if (!s->cuts)
        s->cuts = cuts_new(s);
    cuts_check(s->cuts, schedule);
}

static struct digest final_hash(struct play *p, uint32_t state)
{
    const struct play_state *s = play_state(p, state);
    return s->flags & STATE_TIMED ? play_final_hash(p, state, 0) : s->hash;
}

// A hash of final states, PLAY_NONE left out; the same as world_states_hash.
static uint64_t states_hash(struct search *s, const uint32_t *states,
                            uint32_t n)
{
    uint64_t h = 0;
    for (uint32_t a = 0; a < n; a++)
        if (states[a] != PLAY_NONE)
            h += world_part(final_hash(s->play, states[a]),
                            play_actor_hash(s->play, a))
                     .low;
    return h;
}

void search_final(struct search *s, const struct schedule *schedule,
                  const uint32_t *states, uint32_t n, uint32_t shared)
{
    uint64_t hash = states_hash(s, states, n);
    search_check_cuts(s, schedule);
    const bool *stays;
    const struct rest *rest = worst_rest(s, states, n, schedule, &stays);
    ended(s, schedule, states, n, hash, shared, rest, stays);
    search_count(s, hash, schedule->steps.n - 1);
}

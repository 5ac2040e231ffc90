// Walking a schedule: states per actor, sends numbered as they are made, and
// each receive linked to the send it takes.
#include "cases/trace.h"

#include "base/arena.h"
#include "cases/fields.h"
#include "play/case.h"
#include "play/schedule.h"

#include <stdio.h>
#include <string.h>

struct walk {
    struct arena *arena;
    struct play *play;
    const struct schedule *schedule;
    const struct describe *d;
    struct trace *t;
    VEC(uint32_t) states;    // per play actor, PLAY_NONE if not born
    VEC(uint32_t) ids;       // play actor -> index + 1, 0 if not in the trace
    VEC(struct send) flying; // in flight, for the test body
    uint32_t sends;          // numbered so far
    bool returned;           // the body
    struct effect over;      // of the test's early end
};

static const char *words(const char *s)
{
    return s ? s : "";
}

static const char *of_msg(struct walk *w, uint32_t msg)
{
    return w->d && w->d->msg ? words(w->d->msg(w->d->self, w->arena, msg)) : "";
}

static const char *behaviour(struct walk *w, uint32_t state)
{
    return w->d && w->d->behaviour && state != PLAY_NONE
               ? words(w->d->behaviour(w->d->self, state))
               : "";
}

enum { LABEL_MOST = 32 };

// A label on one line.
static const char *label_of(struct walk *w, uint32_t actor)
{
    if (!w->d || !w->d->label || actor == PLAY_ENV)
        return NULL;
    const char *label = w->d->label(w->d->self, actor);
    if (!label || !*label)
        return NULL;
    char *s = arena_format(w->arena, "%.*s", LABEL_MOST, label);
    for (char *c = s; *c; c++)
        if ((unsigned char)*c < 0x21 || *c == '"' || *c == '\\')
            *c = '_';
    return s;
}

const char *trace_title(struct arena *a, const char *name, const char *label)
{
    return label ? arena_format(a, "%s(%s)", name, label) : arena_text(a, name);
}

static uint32_t actor_index(struct walk *w, uint32_t actor)
{
    struct trace *t = w->t;
    while (w->ids.n <= actor)
        vec_push(&w->ids, 0u);
    while (w->states.n <= actor)
        vec_push(&w->states, (uint32_t)PLAY_NONE);
    if (!w->ids.at[actor]) {
        const char *label = label_of(w, actor);
        const char *name = play_actor_name(w->play, actor);
        struct trace_actor a = {
            .name = arena_text(w->arena, name),
            .label = label,
            .title = trace_title(w->arena, name, label),
            .cls =
                arena_text(w->arena, words(play_actor_class(w->play, actor))),
            .id = actor,
            .first = "",
            .changed = " ",
            .last_step = PLAY_NONE,
        };
        vec_push(&t->actors, a);
        w->ids.at[actor] = t->actors.n;
    }
    return w->ids.at[actor] - 1;
}

static const char *state_text(struct walk *w, uint32_t state)
{
    const struct describe *d = w->d;
    return d && d->state ? words(d->state(d->self, w->arena, state)) : "";
}

// Fields that are not as they were first.
static void note_changed(struct walk *w, struct trace_actor *a, const char *now)
{
    struct field f, was;
    while (fields_next(&now, &f)) {
        char *name = arena_format(w->arena, " %.*s ", (int)f.name, f.at + 1);
        if (fields_find(a->first, &f, &was) && !fields_equal(&f, &was) &&
            !strstr(a->changed, name))
            a->changed = arena_format(w->arena, "%s%s", a->changed, name + 1);
    }
}

static void note_births(struct walk *w, struct trace_step *st,
                        const struct effect *e)
{
    for (uint32_t i = 0; i < e->n_births; i++) {
        uint32_t index = actor_index(w, e->births[i].actor);
        w->states.at[e->births[i].actor] = e->births[i].state;
        w->t->actors.at[index].first = state_text(w, e->births[i].state);
        vec_push(&st->births, index);
    }
}

static void note_sends(struct walk *w, struct trace_step *st,
                       const struct effect *e)
{
    for (uint32_t i = 0; i < e->n_sends; i++) {
        actor_index(w, e->sends[i].to);
        struct trace_send s = {
            .number = ++w->sends,
            .by = actor_index(w, e->sends[i].sender),
            .to = play_actor_name(w->play, e->sends[i].to),
            .msg =
                arena_text(w->arena, play_msg_name(w->play, e->sends[i].msg)),
            .fields = of_msg(w, e->sends[i].msg),
            .line = e->sends[i].line,
            .received_at = PLAY_NONE,
        };
        s.to = arena_text(w->arena, s.to);
        vec_push(&st->sends, s);
        vec_push(&w->flying, e->sends[i]);
    }
}

static void land(struct walk *w, uint32_t to, uint32_t msg)
{
    for (uint32_t i = 0; i < w->flying.n; i++) {
        struct send *s = &w->flying.at[i];
        if (s->to != to || s->msg != msg)
            continue;
        memmove(s, s + 1, (w->flying.n - i - 1) * sizeof *s);
        w->flying.n--;
        return;
    }
}

// Memory that actors share goes on as each step leaves it.
static const struct effect *perform(struct walk *w, const struct step *s,
                                    uint32_t before)
{
    const uint16_t *picks = w->schedule->picks.at + s->picks;
    const struct effect *e;
    if (s->msg == PLAY_NONE && w->returned) {
        w->over = (struct effect){.state = before};
        return &w->over;
    }
    if (s->msg == PLAY_NONE && before == PLAY_NONE)
        play_share(w->play, PLAY_NONE);
    if (s->msg != PLAY_NONE)
        e = play_run(w->play, before, s->msg, s->sender, picks, s->n_picks);
    else
        e = play_body(w->play, before, w->states.at, w->states.n, w->flying.at,
                      w->flying.n, picks, s->n_picks);
    w->returned |= (e->flags & EFFECT_BODY_DONE) != 0;
    if (e->flags & EFFECT_SHARED)
        play_share(w->play, e->shared);
    return e;
}

static void link_send(struct walk *w, const struct step *s,
                      struct trace_step *st, uint32_t index)
{
    if (s->source == PLAY_NONE || s->source >= w->t->steps.n)
        return;
    struct trace_step *from = &w->t->steps.at[s->source];
    if (s->nth >= from->sends.n)
        return;
    from->sends.at[s->nth].received_at = index;
    st->number = from->sends.at[s->nth].number;
    st->sent_at = s->source;
}

// A word of "take, put" at *at, which moves on; its length, 0 at the end.
static size_t next_word(const char **at)
{
    *at += strspn(*at, ", ");
    return strcspn(*at, ",");
}

static uint32_t count_word(const char *list, const char *word, size_t n)
{
    uint32_t found = 0;
    for (size_t k; (k = next_word(&list)); list += k)
        found += k == n && strncmp(list, word, n) == 0;
    return found;
}

// The words that the first list has more of than the second, each once.
static const char *gone(struct arena *a, const char *before, const char *after)
{
    const char *out = "";
    for (size_t n; (n = next_word(&before)); before += n)
        if (count_word(before, before, n) > count_word(after, before, n))
            out = arena_format(a, "%s%s%.*s", out, *out ? ", " : "", (int)n,
                               before);
    return out;
}

// Was the message put off, or was one handled that had been?
static const char *
note_kept(struct walk *w,
          const char *(*list)(void *self, struct arena *a, uint32_t state),
          const char *word, const char *msg, uint32_t before, uint32_t after)
{
    if (!list || before == PLAY_NONE || after == PLAY_NONE || before == after)
        return "";
    const char *was = list(w->d->self, w->arena, before);
    const char *is = list(w->d->self, w->arena, after);
    const char *taken = gone(w->arena, was, is);
    size_t n = strlen(msg);
    if (*taken)
        return arena_format(w->arena, "handles %s %s", word, taken);
    return count_word(is, msg, n) > count_word(was, msg, n) ? word : "";
}

// The change of the state in words.  The stage calls every actor crashed whose
// handler did not come to its end.
static const char *change_of(struct walk *w, uint32_t before,
                             const struct effect *e)
{
    enum bug_kind k = e->n_bugs ? e->bugs[e->n_bugs - 1].kind : BUG_NONE;
    const char *change =
        words(w->d->change(w->d->self, w->arena, before, e->state));
    return strcmp(change, "crashed") != 0 ? change
           : k == BUG_ASSERTION           ? "assertion failed"
           : k == BUG_ENDLESS             ? "timed out"
                                          : change;
}

static void note_effect(struct walk *w, const struct step *s,
                        struct trace_step *st, uint32_t before,
                        const struct effect *e)
{
    const struct describe *d = w->d;
    st->from = behaviour(w, s->msg == PLAY_NONE ? PLAY_NONE : before);
    st->to = behaviour(w, s->msg == PLAY_NONE ? PLAY_NONE : e->state);
    st->change = st->before = "";
    if (d && d->state && e->n_bugs && s->msg != PLAY_NONE)
        st->before = words(d->state(d->self, w->arena, before));
    if (d && d->change && s->msg != PLAY_NONE)
        st->change = change_of(w, before, e);
    st->kept = "";
    if (d && s->msg != PLAY_NONE && st->msg)
        st->kept = note_kept(w, d->kept, "deferred", st->msg, before, e->state);
    if (d && s->msg != PLAY_NONE && st->msg && !*st->kept)
        st->kept = note_kept(w, d->held, "held", st->msg, before, e->state);
    st->output = e->output ? arena_text(w->arena, e->output) : NULL;
    st->bugs = e->bugs;
    st->n_bugs = e->n_bugs;
    note_births(w, st, e);
    note_sends(w, st, e);
}

static void note_place(struct walk *w, struct trace_step *st, uint32_t before,
                       uint32_t msg)
{
    const struct describe *d = w->d;
    if (d && d->place && msg != PLAY_NONE && before != PLAY_NONE)
        st->file = d->place(d->self, w->arena, before, msg, &st->line);
}

static void walk_step(struct walk *w, const struct step *s)
{
    uint32_t index = w->t->steps.n;
    struct trace_step st = {
        .sent_at = PLAY_NONE, .n_picks = s->n_picks, .after = ""};
    st.actor = actor_index(w, s->actor);
    st.sender = actor_index(w, s->sender == PLAY_NONE ? s->actor : s->sender);
    for (uint32_t i = 0; i < s->n_picks && i < 4; i++)
        st.picks[i] = w->schedule->picks.at[s->picks + i];
    if (play_is_timer(s->msg))
        st.msg = "timer";
    else if (s->msg != PLAY_NONE)
        st.msg = arena_text(w->arena, play_msg_name(w->play, s->msg));
    st.fields = st.msg && !play_is_timer(s->msg) ? of_msg(w, s->msg) : "";
    link_send(w, s, &st, index);
    if (s->msg != PLAY_NONE)
        land(w, s->actor, s->msg);
    uint32_t before =
        s->msg == PLAY_NONE && index == 0 ? PLAY_NONE : w->states.at[s->actor];
    if (play_is_timer(s->msg) && w->d && w->d->timer)
        st.fields = words(w->d->timer(w->d->self, w->arena, before,
                                      play_timer_index(s->msg)));
    const struct effect *e = perform(w, s, before);
    note_effect(w, s, &st, before, e);
    w->states.at[s->actor] = e->state;
    w->t->actors.at[st.actor].last_step = index;
    note_place(w, &st, before, s->msg);
    if (s->msg != PLAY_NONE)
        st.after = state_text(w, e->state);
    if (*w->t->actors.at[st.actor].first && e->state != before)
        note_changed(w, &w->t->actors.at[st.actor], st.after);
    vec_push(&w->t->steps, st);
}

static void note_waits(struct walk *w, struct trace_actor *a, uint32_t state)
{
    struct trace_wait t;
    for (uint32_t i = 0; w->d->wait(w->d->self, w->arena, state, i, &t); i++) {
        if (t.holds && t.asked < w->ids.n && w->ids.at[t.asked])
            a->held_by = w->ids.at[t.asked] - 1;
        vec_push(&a->waits, t);
    }
}

static void note_ends(struct walk *w)
{
    const struct describe *d = w->d;
    for (uint32_t i = 0; i < w->t->actors.n; i++) {
        struct trace_actor *a = &w->t->actors.at[i];
        uint32_t s = w->states.at[a->id];
        a->state = a->behaviour = a->kept = "";
        a->held_by = PLAY_NONE;
        if (s == PLAY_NONE)
            continue;
        a->flags = play_state(w->play, s)->flags;
        a->behaviour = behaviour(w, s);
        if (d && d->state && a->id != PLAY_ENV)
            a->state = words(d->state(d->self, w->arena, s));
        if (d && d->kept)
            a->kept = words(d->kept(d->self, w->arena, s));
        if (d && d->wait)
            note_waits(w, a, s);
    }
}

struct trace *trace_make(struct arena *a, struct play *p,
                         const struct schedule *s, const struct describe *d)
{
    struct walk w = {.arena = a, .play = p, .schedule = s, .d = d};
    w.t = arena_zero(a, sizeof *w.t);
    actor_index(&w, PLAY_ENV);
    for (uint32_t i = 0; i < s->steps.n; i++)
        walk_step(&w, &s->steps.at[i]);
    note_ends(&w);
    vec_free(&w.states);
    vec_free(&w.ids);
    vec_free(&w.flying);
    return w.t;
}

void trace_sends(const struct trace *t, struct test_case *c)
{
    for (uint32_t i = 0; i < t->actors.n; i++)
        if (t->actors.at[i].label)
            vec_push(&c->labels, ((struct case_label){t->actors.at[i].name,
                                                      t->actors.at[i].label}));
    for (uint32_t i = 0; i < t->steps.n; i++) {
        const struct trace_step *st = &t->steps.at[i];
        for (uint32_t k = 0; !st->msg && k < st->sends.n; k++) {
            const struct trace_send *m = &st->sends.at[k];
            if (m->by == st->actor)
                vec_push(&c->sends,
                         ((struct case_send){m->to, m->msg, m->fields}));
        }
    }
}

void trace_release(struct trace *t)
{
    for (uint32_t i = 0; i < t->steps.n; i++) {
        vec_free(&t->steps.at[i].sends);
        vec_free(&t->steps.at[i].births);
    }
    for (uint32_t i = 0; i < t->actors.n; i++)
        vec_free(&t->actors.at[i].waits);
    vec_free(&t->steps);
    vec_free(&t->actors);
}

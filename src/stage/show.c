// What a report shows of messages and states, read from their images.
#include "stage/show.h"

#include "base/peek.h"
#include "program/final.h"
#include "program/values.h"
#include "stage/names.h"
#include "stage/tables.h"
#include "stage/timers.h"
#include "stage/verdict.h"

#include <string.h>

static bool element(struct native *n, uint32_t state, enum list l, uint32_t i,
                    union element *out);

// ---- names ----------------------------------------------------------------

static bool print_ref(void *user, uintptr_t ref, struct text *out)
{
    struct native *n = ((struct show *)user)->native;
    uint32_t id = actor_of(n, ref);
    if (!ref || id == PLAY_NONE)
        return false;
    text_add(out, actor_name(n, id));
    return true;
}

// The message that a timer of the state brings, NULL if it is not pending.
static const char *brings(struct native *n, uint32_t state, uint64_t timer)
{
    union element e;
    for (uint32_t i = 0; element(n, state, LIST_TIMERS, i, &e); i++)
        if (e.of_TIMERS.id == timer && e.of_TIMERS.to)
            return message_name(n, message_of(n, e.of_TIMERS.msg));
    return NULL;
}

// "timer#2(tick)"; without what it brings if it is over.
static bool print_timer(void *user, uint64_t timer, struct text *out)
{
    struct show *s = user;
    uint32_t number;
    if (!name_is_timer(timer, &number))
        return false;
    const char *what =
        s->state == PLAY_NONE ? NULL : brings(s->native, s->state, timer);
    text_format(out, what ? "timer#%u(%s)" : "timer#%u", number, what);
    return true;
}

// Text in the memory of the state's actor, or in what the message owns.
static size_t read_text(void *user, uintptr_t at, char *out, size_t most)
{
    struct show *s = user;
    if (s->msg != PLAY_NONE)
        return message_read(message_at(s->native, s->msg), at, out, most);
    if (s->state != PLAY_NONE) {
        const struct region *r = state_place(s->native, s->state);
        if (at - (uintptr_t)region_slot(r) >= REGION_SIZE)
            return 0;
    }
    return peek_most(at, out, most);
}

struct values_names show_names(struct show *s)
{
    return (struct values_names){
        .user = s, .ref = print_ref, .timer = print_timer, .read = read_text};
}

static struct show show_state(struct native *n, uint32_t state)
{
    return (struct show){n, state, PLAY_NONE};
}

static struct show show_message(struct native *n, uint32_t msg)
{
    return (struct show){n, PLAY_NONE, msg};
}

struct show show_memory(struct native *n)
{
    return (struct show){n, PLAY_NONE, PLAY_NONE};
}

// ---- messages -------------------------------------------------------------

// What a message carries; NULL if there is nothing to show (timers, watches).
// Valid until forget.
static const void *payload_of(struct native *n, uint32_t msg, const char **type,
                              size_t *size)
{
    if (msg >= n->msgs.at.n)
        return NULL;
    const struct message *m = message_at(n, msg);
    const tr_msg *t = message_type(n, m);
    if (!m->size)
        return NULL;
    *type = m->kind == MSG_REPLY ? t->reply : t->name;
    *size = m->size;
    return m + 1;
}

void native_message_text(struct native *n, uint32_t msg, struct text *out)
{
    struct show show = show_message(n, msg);
    struct values_names names = show_names(&show);
    const char *type;
    size_t size;
    text_add(out, message_name(n, msg));
    const void *p = payload_of(n, msg, &type, &size);
    if (!p) {
        if (msg < n->msgs.at.n && message_at(n, msg)->kind == MSG_NO_REPLY)
            text_add(out, " NULL");
        return;
    }
    struct text fields = {0};
    values_print(n->values, type, p, size, &names, &fields);
    if (fields.n)
        text_format(out, " %s", text_get(&fields));
    text_free(&fields);
}

// ---- states ---------------------------------------------------------------

// The i-th element of a list in an image, false if there is none.
static bool element(struct native *n, uint32_t state, enum list l, uint32_t i,
                    union element *out)
{
    const tr_class *cls = n->actors.at[state_info(n, state)->actor].cls;
    struct head h;
    const unsigned char *at = image_head(n->states.at.at[state].bytes, &h);
    at += cls ? cls->size : 0;
    if (i >= h.n[l])
        return false;
    for (enum list k = 0; k < l; k++)
        at += h.n[k] * list_size(k);
    memcpy(out, at + i * list_size(l), list_size(l));
    return true;
}

// What an actor's struct holds; NULL if it has stopped.  Valid until forget.
static const void *struct_of(struct native *n, uint32_t state,
                             const char **type, size_t *size)
{
    const struct play_state *s = state_info(n, state);
    struct head h;
    const tr_class *cls = n->actors.at[s->actor].cls;
    if (!cls || s->flags & (STATE_STOPPED | STATE_CRASHED))
        return NULL;
    *type = cls->name;
    *size = cls->size;
    return image_head(n->states.at.at[state].bytes, &h);
}

const char *native_label(struct native *n, uint32_t actor)
{
    return actor_at(n, actor)->label;
}

const tr_behaviour *native_behaviour(struct native *n, uint32_t state)
{
    struct head h;
    image_head(n->states.at.at[state].bytes, &h);
    return behaviour_of(n, &h);
}

void native_state_text(struct native *n, uint32_t state, struct text *out)
{
    struct show show = show_state(n, state);
    struct values_names names = show_names(&show);
    const char *type;
    size_t size;
    const void *p = struct_of(n, state, &type, &size);
    if (p)
        values_print(n->values, type, p, size, &names, out);
    else if (state_info(n, state)->flags & STATE_STOPPED)
        text_add(out, "stopped");
    else if (state_info(n, state)->flags & STATE_CRASHED)
        text_add(out, "crashed");
}

// ---- final states ---------------------------------------------------------

static void look(void *user, const struct final_actor *a, struct tr_look *out)
{
    struct native *n = ((struct show *)user)->native;
    const struct play_state *s = state_info(n, (uint32_t)a->id);
    if (s->flags & (STATE_STOPPED | STATE_CRASHED))
        return;
    const struct region *r = state_place(n, (uint32_t)a->id);
    *out = (struct tr_look){.state = region_self(r),
                            .behaviour = behaviour_of(n, &r->head),
                            .kept = (uint32_t)r->head.n[LIST_KEPT] +
                                    r->head.n[LIST_HELD],
                            .tasks = r->head.n[LIST_TASKS]};
}

void native_final_text(struct native *n, const char *test,
                       const uint32_t *states, uint32_t k, struct text *out)
{
    VEC(struct final_actor) actors = {0};
    struct show show = show_memory(n);
    struct values_names names = show_names(&show);
    names.read = values_read_here;
    names.plain = true;
    for (uint32_t a = 1; a < k; a++)
        if (states[a] != PLAY_NONE)
            vec_push(&actors, ((struct final_actor){
                                  .name = actor_name(n, a),
                                  .cls = n->actors.at[a].cls,
                                  .id = states[a],
                                  .crashed = state_info(n, states[a])->flags &
                                             STATE_CRASHED}));
    final_print(n->values, test, actors.at, actors.n, &names, look, out);
    vec_free(&actors);
}

void native_diff_text(struct native *n, uint32_t before, uint32_t after,
                      struct text *out)
{
    struct show old = show_state(n, before), new = show_state(n, after);
    struct values_names old_names = show_names(&old);
    struct values_names names = show_names(&new);
    const char *type;
    size_t size;
    const void *p = struct_of(n, before, &type, &size);
    const void *q = struct_of(n, after, &type, &size);
    if (!q) {
        if (before != after)
            native_state_text(n, after, out);
        return;
    }
    const tr_behaviour *was = native_behaviour(n, before);
    const tr_behaviour *is = native_behaviour(n, after);
    if (p &&
        values_diff(n->values, type, p, q, size, &old_names, &names, out) &&
        was != is)
        text_add(out, ", ");
    if (was != is && was && is)
        text_format(out, "%s -> %s", was->name, is->name);
}

// The request of an ask, and whom it went to; NULL if there is no such ask.
static const char *request_of(struct native *n, uint32_t state, uint64_t future,
                              uint32_t *asked)
{
    union element e;
    *asked = PLAY_NONE;
    for (uint32_t k = 0; element(n, state, LIST_FUTURES, k, &e); k++)
        if (future && e.of_FUTURES.id == future) {
            uint32_t kind = map_get(&n->kind_named, e.of_FUTURES.request);
            *asked = actor_of(n, e.of_FUTURES.asked);
            return n->kinds.at[kind].type->name;
        }
    return NULL;
}

bool native_waits(struct native *n, uint32_t state, uint32_t i, uint32_t *asked,
                  const char **request, bool *holds)
{
    union element e;
    if (!element(n, state, LIST_TASKS, i, &e))
        return false;
    *holds = e.of_TASKS.wait == WAIT_GET;
    *request = request_of(n, state, e.of_TASKS.future, asked);
    return true;
}

struct where native_waits_at(struct native *n, uint32_t state, uint32_t i)
{
    struct region *r = state_place(n, state);
    const struct task *t = region_list(r, LIST_TASKS);
    uintptr_t pc =
        i < r->head.n[LIST_TASKS] ? verdict_waiting_pc(n, r, t + i) : 0;
    return pc ? program_where(n->program, pc - 1) : (struct where){0};
}

static uintptr_t handler_pc(struct native *n, uint32_t state,
                            const tr_msg *type)
{
    const tr_behaviour *b = native_behaviour(n, state);
    for (uint32_t i = 0; b && i < b->n; i++)
        if (b->on[i].msg == type && b->on[i].policy == TR_RUN)
            return (uintptr_t)b->on[i].fn;
    return 0;
}

static uintptr_t resumed_pc(struct native *n, uint32_t state, uint64_t future)
{
    struct region *r = state_place(n, state);
    const struct task *t = region_list(r, LIST_TASKS);
    for (uint32_t i = 0; i < r->head.n[LIST_TASKS]; i++)
        if (t[i].future == future)
            return verdict_waiting_pc(n, r, t + i);
    return 0;
}

uintptr_t native_next_pc(struct native *n, uint32_t state, uint32_t msg,
                         bool *resumes)
{
    uint32_t to;
    *resumes = false;
    if (play_is_timer(msg))
        msg = native_timer(n, state, play_timer_index(msg), &to);
    if (msg >= n->msgs.at.n)
        return 0;
    const struct message *m = message_at(n, msg);
    *resumes = m->kind == MSG_REPLY || m->kind == MSG_NO_REPLY;
    return *resumes ? resumed_pc(n, state, m->asks)
                    : handler_pc(n, state, message_type(n, m));
}

uint32_t native_kept(struct native *n, uint32_t state, uint32_t i)
{
    union element e;
    return element(n, state, LIST_KEPT, i, &e) ? message_of(n, e.of_KEPT.msg)
                                               : PLAY_NONE;
}

uint32_t native_held(struct native *n, uint32_t state, uint32_t i)
{
    union element e;
    return element(n, state, LIST_HELD, i, &e) ? message_of(n, e.of_HELD.msg)
                                               : PLAY_NONE;
}

// The timers in an image, and their bounds.
static struct folded bounds_of(struct native *n, uint32_t state)
{
    const tr_class *cls = n->actors.at[state_info(n, state)->actor].cls;
    struct head h;
    const unsigned char *image = n->states.at.at[state].bytes;
    size_t self = (size_t)(image_head(image, &h) - image);
    size_t size = cls ? cls->size : 0;
    const unsigned char *bounds =
        image + image_list_at(&h, self, size, LIST_BOUNDS);
    const unsigned char *timers =
        image + image_list_at(&h, self, size, LIST_TIMERS);
    vec_clear(&n->bounds);
    vec_room(&n->bounds, h.n[LIST_BOUNDS]);
    memcpy(n->bounds.at, bounds, h.n[LIST_BOUNDS] * sizeof *n->bounds.at);
    vec_clear(&n->timers);
    vec_room(&n->timers, h.n[LIST_TIMERS]);
    memcpy(n->timers.at, timers, h.n[LIST_TIMERS] * sizeof *n->timers.at);
    return folded_of(n, n->bounds.at, h.n[LIST_BOUNDS], n->timers.at,
                     h.n[LIST_TIMERS]);
}

// The k-th timer that may be the next; false if there are fewer.
static bool ready_timer(struct native *n, uint32_t state, uint32_t k,
                        union element *out)
{
    struct folded f = bounds_of(n, state);
    return element(n, state, LIST_TIMERS, timers_nth(&f, k), out);
}

uint32_t native_timer(struct native *n, uint32_t state, uint32_t k,
                      uint32_t *to)
{
    union element e;
    *to = PLAY_NONE;
    if (!ready_timer(n, state, k, &e) || !e.of_TIMERS.to)
        return PLAY_NONE;
    *to = actor_of(n, e.of_TIMERS.to);
    return message_of(n, e.of_TIMERS.msg);
}

const char *native_limit(struct native *n, uint32_t state, uint32_t k,
                         uint32_t *asked)
{
    union element e;
    *asked = PLAY_NONE;
    if (!ready_timer(n, state, k, &e) || e.of_TIMERS.to)
        return NULL;
    return request_of(n, state, e.of_TIMERS.msg, asked);
}

void native_pending(void *self, uint32_t state, uint32_t k,
                    struct play_pending *out)
{
    struct native *n = self;
    union element e;
    uint32_t asked;
    struct folded f = bounds_of(n, state);
    uint32_t i = timers_nth(&f, k);
    if (!element(n, state, LIST_TIMERS, i, &e))
        return;
    out->name = e.of_TIMERS.id;
    out->first = i == timers_soonest(&f);
    out->msg = e.of_TIMERS.to ? message_of(n, e.of_TIMERS.msg) : PLAY_NONE;
    out->of = e.of_TIMERS.to ? message_name(n, out->msg)
                             : request_of(n, state, e.of_TIMERS.msg, &asked);
}

bool native_due(void *self, uint32_t state, uint32_t i, struct play_due *out)
{
    struct native *n = self;
    union element e;
    if (!element(n, state, LIST_TIMERS, i, &e))
        return false;
    struct folded f = bounds_of(n, state);
    out->name = e.of_TIMERS.id;
    out->after = timer_after(&f, i);
    out->every = e.of_TIMERS.every;
    return true;
}

const char *native_asked(struct native *n, uint32_t i, int64_t *otherwise)
{
    if (i >= n->asked.n)
        return NULL;
    *otherwise = n->asked.at[i].otherwise;
    return n->asked.at[i].name;
}

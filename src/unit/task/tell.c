// What comes of a path, its order and its decisions, in C and in words.
#include "unit/task/writer.h"

#include "unit/literal.h"

#include <string.h>

// ---- what came of it ----------------------------------------------------

struct held { // a scalar at the end of the path
    struct place p;
    union ir_bits now, was;
    bool given; // `was` is of a state that was given
};

struct checks {
    struct writer *w;
    term at;           // address of the struct
    const char *value; // expression of it, with -> behind
    uint32_t given;    // index of SX_SELF cells, IR_NOTHING: none
    bool state;        // only what is interesting
    struct text *to, *said;
    VEC(struct held) all;
    VEC(struct place) places; // of these
};

static u128 bits_of(const struct place *p, u128 v)
{
    return p->bits ? v >> p->bit & (((u128)1 << p->bits) - 1) : v;
}

// What the path was given there; false: nothing.
static bool was_at(const struct checks *c, const struct place *p,
                   union ir_bits *out)
{
    const struct sx_path *path = c->w->p->path;
    bool given = false;
    u128 v = 0;
    for (uint32_t i = 0; i < path->n_cells; i++) {
        const struct sx_cell *x = &path->cells[i];
        uint64_t at = (uint64_t)x->place.offset;
        if (x->place.from != SX_SELF || x->place.index != c->given ||
            at < p->offset || at >= p->offset + p->bytes)
            continue;
        given = true;
        v |= writer_value(c->w, x->value) << 8 * (at - p->offset);
    }
    out->i = bits_of(p, v);
    return given;
}

// Is it a type whose values the library chooses?
static bool is_of_library(const struct ir *ir, uint32_t type)
{
    return type != IR_NOTHING &&
           strcmp(ir->types.at[type].name, "tr_timer") == 0;
}

static void take(void *self, const struct place *p)
{
    struct checks *c = self;
    struct writer *w = c->w;
    enum call_kind kind = places_kind(w->ir, p->type);
    if (kind == CALL_POINTER || kind == CALL_KINDS_N || p->in_union ||
        is_of_library(w->ir, p->type))
        return;
    term at = term_binary(w->p->ts, IR_ADD, c->at,
                          term_const(w->p->ts, 64, p->offset));
    term v = sx_read(w->p->run, w->p->path, at, p->bytes, false);
    if (v == TERM_NONE)
        return;
    struct held h = {.p = *p, .now = {.i = bits_of(p, writer_value(w, v))}};
    h.given = c->state && c->given != IR_NOTHING && was_at(c, p, &h.was);
    h.p.path = arena_text(w->a, p->path);
    vec_push(&c->all, h);
    vec_push(&c->places, h.p);
}

static void tell_value(struct checks *c, const char *path, const char *now,
                       const char *was)
{
    const char *mark = c->said->n ? ", " : "";
    if (!c->state)
        text_format(c->said, "%s%s = %s", mark, path, now);
    else if (strcmp(now, was) != 0)
        text_format(c->said, "%s%s %s -> %s", mark, path + 1, was, now);
}

static void check_number(struct checks *c, const struct held *h)
{
    struct text now = {0}, was = {0};
    uint32_t bits = h->p.bits ? h->p.bits : h->p.bytes * 8;
    if (c->state && !h->given && !h->now.i)
        return;
    writer_literal(c->w, h->p.type, bits, h->now, &now);
    writer_literal(c->w, h->p.type, bits, h->was, &was);
    if (strcmp(text_get(&now), "true") == 0)
        text_format(c->to, "    assert(%s->%s);\n", c->value, h->p.path + 1);
    else if (strcmp(text_get(&now), "false") == 0)
        text_format(c->to, "    assert(!%s->%s);\n", c->value, h->p.path + 1);
    else
        text_format(c->to, "    assert(%s->%s == %s);\n", c->value,
                    h->p.path + 1, text_get(&now));
    tell_value(c, h->p.path, text_get(&now), text_get(&was));
    text_free(&now);
    text_free(&was);
}

// Characters that are a text before and after: how many, 0: they are not.
static uint32_t check_text(struct checks *c, uint32_t i)
{
    uint32_t n = writer_characters(c->w, &c->places.at[i], c->places.n - i);
    uint8_t *now = arena_zero(c->w->a, n + 1ul);
    uint8_t *was = arena_zero(c->w->a, n + 1ul);
    uint64_t long_now, long_was;
    bool given = false;
    for (uint32_t k = 0; k < n; k++) {
        now[k] = (uint8_t)c->all.at[i + k].now.i;
        was[k] = (uint8_t)c->all.at[i + k].was.i;
        given |= c->all.at[i + k].given;
    }
    if (!n || !literal_is_text(now, n, &long_now) ||
        !literal_is_text(was, n, &long_was))
        return 0;
    if (c->state && !given && !long_now)
        return n;
    struct text t = {0}, old = {0};
    const char *path = c->all.at[i].p.path;
    path = arena_format(c->w->a, "%.*s", (int)strlen(path) - 3, path);
    literal_text(now, long_now, &t);
    literal_text(was, long_was, &old);
    text_format(c->to, "    assert(strcmp(%s->%s, %s) == 0);\n", c->value,
                path + 1, text_get(&t));
    tell_value(c, path, text_get(&t), text_get(&old));
    text_free(&t);
    text_free(&old);
    return n;
}

static void check(struct checks *c, uint32_t type)
{
    places(c->w->ir, type, 0, FIELDS_MOST, take, c);
    for (uint32_t i = 0; i < c->all.n;) {
        uint32_t n = check_text(c, i);
        if (!n)
            check_number(c, &c->all.at[i]);
        i += n ? n : 1;
    }
    vec_free(&c->all);
    vec_free(&c->places);
}

static void check_states(struct writer *w, struct text *t, struct text *said)
{
    const struct sx_scene *s = w->p->path->scene;
    for (uint32_t i = 0; i < w->n_casts; i++) {
        const struct cast *x = &w->casts[i];
        const struct ir_class *k = &w->ir->classes.at[x->cls];
        struct text lines = {0}, changes = {0};
        if (x->actor == IR_NOTHING || s->actors[x->actor].stopped)
            continue;
        struct checks c = {.w = w,
                           .at = s->actors[x->actor].state,
                           .given = x->given,
                           .state = true,
                           .to = &lines,
                           .said = &changes};
        c.value = arena_format(w->a, "%s_now", x->name);
        check(&c, k->type);
        if (lines.n && x->own_class)
            text_format(t,
                        "    const struct %s *%s_now =\n        tr_peek_(ctx, "
                        "(tr_ref)%s, &%s);\n",
                        k->name, x->name, x->name, writer_class(w, x));
        else if (lines.n)
            text_format(t,
                        "    const struct %s *%s_now = tr_peek(ctx, %s, "
                        "%s);\n",
                        k->name, x->name, k->name, x->name);
        text_add(t, text_get(&lines));
        if (changes.n)
            text_format(said, "; %s: %s", x->name, text_get(&changes));
        text_free(&lines);
        text_free(&changes);
    }
}

static void check_answer(struct writer *w, struct text *t, struct text *said)
{
    const struct sx_task *k = &w->p->path->scene->tasks[0];
    const struct ir_msg *m = &w->ir->msgs.at[k->msg];
    struct checks c = {.w = w,
                       .at = k->answer,
                       .value = "answer",
                       .given = IR_NOTHING,
                       .to = t,
                       .said = said};
    text_add(t, "    assert(answer != NULL);\n");
    check(&c, m->reply_type);
}

const char *tell_result(struct writer *w, struct text *body)
{
    const struct sx_scene *s = w->p->path->scene;
    const struct ir_msg *m = &w->ir->msgs.at[s->tasks[0].msg];
    struct text said = {0}, answer = {0};
    if (s->tasks[0].replied) {
        text_format(body,
                    "    const struct %s *answer = tr_await(ctx, asked);\n",
                    m->reply);
        text_add(body, "    tr_drain(ctx);\n");
        check_answer(w, body, &answer);
        text_format(&said, "{%s}", text_get(&answer));
    } else {
        text_add(body, "    tr_drain(ctx);\n");
        text_add(&said, m->reply ? "no answer" : "returns");
    }
    check_states(w, body, &said);
    text_free(&answer);
    return writer_take(w, &said);
}

// ---- the order ----------------------------------------------------------

static const char *actor_words(struct writer *w, uint32_t actor)
{
    const struct sx_scene *s = w->p->path->scene;
    if (actor == IR_NOTHING)
        return "test";
    const struct sx_actor *x = &s->actors[actor];
    if (x->by == IR_NOTHING)
        return writer_cast(w, x->number)->words;
    return arena_format(w->a, "%s/%s#%u", actor_words(w, x->by),
                        w->ir->classes.at[x->cls].name, x->nth);
}

const char *tell_steps(struct writer *w)
{
    const struct sx_scene *s = w->p->path->scene;
    struct text t = {0};
    for (uint32_t i = 0; i < w->n_casts; i++)
        if (w->casts[i].linked)
            text_format(&t, "%s %s_links<test; ", w->casts[i].words,
                        writer_class(w, &w->casts[i]));
    for (uint32_t i = 0; i < s->n_order; i++) {
        const struct sx_receive *x = &s->order[i];
        const struct ir_msg *m = &w->ir->msgs.at[x->msg];
        text_format(&t, "%s%s ", i ? "; " : "", actor_words(w, x->actor));
        if (x->timer) {
            text_format(&t, "timer %s", m->name);
            if (x->twin > 1)
                text_format(&t, ":%u", x->twin);
        } else {
            text_add(&t, x->watch ? "watch" : x->reply ? m->reply : m->name);
            if (x->twin > 1)
                text_format(&t, ":%u", x->twin);
            text_format(&t, "<%s", actor_words(w, x->sender));
        }
        const char *mark = " pick";
        for (uint32_t k = 0; k < s->n_picks; k++)
            if (s->picks[k].receive == i) {
                text_format(&t, "%s %u", mark,
                            (uint32_t)writer_value(w, s->picks[k].value));
                mark = "";
            }
    }
    return writer_take(w, &t);
}

// ---- for a reader -------------------------------------------------------

// Is this the first time that the handler decides it?
static bool is_first(const struct sx_path *p, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (p->decisions[k].task == 0 &&
            p->decisions[k].fn == p->decisions[i].fn &&
            p->decisions[k].inst == p->decisions[i].inst)
            return false;
    return true;
}

// The name is that of the last side that no simpler case has, of a condition
// that is decided for the first time; an assertion that holds says little.
const char *tell_decisions(struct writer *w, struct text *name)
{
    const struct sx_path *p = w->p->path;
    struct text t = {0};
    const uint8_t *fresh = w->p->fresh;
    uint32_t told = 0, best = 0;
    const struct side *last = NULL;
    for (uint32_t i = 0; i < p->n_decisions; i++) {
        const struct sx_decision *d = &p->decisions[i];
        const struct sides *s = w->p->sides;
        for (uint32_t k = 0;
             d->task == 0 && d->fn == w->p->o->fn && k < s->at.n; k++) {
            const struct side *x = &s->at.at[k];
            if (x->inst != d->inst || x->k != d->side)
                continue;
            uint32_t weight = 1 + (is_first(p, i) ? 1 : 0) +
                              (strncmp(x->text, "assert(", 7) != 0 ? 2 : 0) +
                              (fresh && fresh[k] ? 4 : 0);
            if (weight >= best && weight > 1) {
                last = x;
                best = weight;
            }
            if (told++ < 8)
                text_format(&t, "%s%s (%u): %s", t.n ? "; " : "",
                            *x->text ? x->text : "?", x->line, x->which);
        }
    }
    if (told > 8)
        text_format(&t, "; %u more", told - 8);
    if (last)
        side_name(last, name);
    return writer_take(w, &t);
}

static bool is_itself(const struct writer *w)
{
    const struct sx_path *p = w->p->path;
    for (uint32_t i = 0; i < p->n_refs; i++) {
        uint32_t cls;
        if (ir_is_actor(w->ir, sx_run_ref(w->p->run, p->refs[i])->type, &cls) &&
            writer_number(w, p->refs[i]) == p->scene->actors[0].number)
            return true;
    }
    return false;
}

const char *tell_name(struct writer *w, const struct text *side)
{
    const struct sx_scene *s = w->p->path->scene;
    struct text t = {0};
    text_format(&t, "%s__", w->ir->msgs.at[s->tasks[0].msg].name);
    if (w->p->path->end == SX_TRAPPED)
        text_add(&t, "traps_");
    text_add(&t, side->n ? text_get(side) : "returns");
    for (uint32_t i = 1; i < s->n_tasks; i++)
        if (s->tasks[i].given != IR_NOTHING)
            text_format(&t, "_%s", w->ir->msgs.at[s->tasks[i].msg].name);
    if (is_itself(w))
        text_add(&t, "_of_itself");
    return writer_take(w, &t);
}

const char *task_given(const struct task_path *p, struct arena *a)
{
    const char *why;
    struct writer w = {
        .p = p, .ir = p->o->ir, .a = a, .why = &why, .said = true};
    struct text t = {0};
    if (writer_gather(&w))
        for (uint32_t i = 0; i < w.n_casts; i++) {
            const struct cast *c = &w.casts[i];
            struct text f = {0};
            if (c->given != IR_NOTHING)
                writer_list(&w,
                            &(struct writer_fields){
                                .from = SX_SELF,
                                .index = c->given,
                                .type = w.ir->classes.at[c->cls].type,
                                .size = w.ir->classes.at[c->cls].size,
                                .owner = i,
                                .texts = true},
                            &f);
            text_format(&t, "%s%s {%s}%s", i ? ", " : "", c->name,
                        f.n ? text_get(&f) + 2 : "",
                        c->gone ? " (stopped)" : "");
            text_free(&f);
        }
    writer_release(&w);
    return writer_take(&w, &t);
}

static const char *messages(const struct task_path *p, struct arena *a,
                            bool call)
{
    const char *why;
    struct writer w = {
        .p = p, .ir = p->o->ir, .a = a, .why = &why, .said = true};
    const struct sx_scene *s = p->path->scene;
    struct text t = {0};
    if (writer_gather(&w))
        for (uint32_t i = call ? 0 : 1; i < (call ? 1 : s->n_tasks); i++) {
            const struct ir_msg *m = &w.ir->msgs.at[s->tasks[i].msg];
            struct text f = {0};
            if (s->tasks[i].given == IR_NOTHING)
                continue;
            writer_list(&w,
                        &(struct writer_fields){.from = SX_MESSAGE,
                                                .index = s->tasks[i].given,
                                                .type = m->type,
                                                .size = m->size,
                                                .owner = IR_NOTHING,
                                                .texts = true},
                        &f);
            text_format(&t, "%s%s {%s}", t.n ? ", " : "", m->name,
                        f.n ? text_get(&f) + 2 : "");
            text_free(&f);
        }
    writer_release(&w);
    return writer_take(&w, &t);
}

const char *task_waiting(const struct task_path *p, struct arena *a)
{
    return messages(p, a, false);
}

const char *task_call(const struct task_path *p, struct arena *a)
{
    return messages(p, a, true);
}

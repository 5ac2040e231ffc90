// A path of tasks as a test in C.
//
// The body creates the actors that the path was given.  Where a plain
// tr_spawn() would not do (a hook would run, the behaviour is not the first or
// hot, the state has pointers into a heap of its own) the actor gets a class of
// the test's own with the same rows, whose init sets the state up.
// Memory that messages point to is static.
#include "unit/task/writer.h"

#include "unit/places.h"
#include "unit/spell.h"

#include <string.h>

// ---- creating actors ----------------------------------------------------

static bool refers_to_itself(struct writer *w, uint32_t n)
{
    const struct sx_path *p = w->p->path;
    for (uint32_t i = 0; i < p->n_cells; i++) {
        const struct sx_cell *c = &p->cells[i];
        if (c->place.from == SX_SELF && c->place.index == w->casts[n].given &&
            c->ref != IR_NOTHING &&
            writer_number(w, c->ref) == w->casts[n].number)
            return true;
    }
    return false;
}

// Does this cell of n's state or heap name an actor that is not there yet?
static bool is_later(struct writer *w, uint32_t n, const struct sx_cell *c,
                     bool heap)
{
    const struct thing *t =
        heap && c->place.from == SX_CELL
            ? writer_thing(w, writer_number(w, c->place.index))
            : NULL;
    bool own = !heap && c->place.from == SX_SELF &&
               c->place.index == w->casts[n].given;
    if ((!own && !(t && t->owner == n)) || c->ref == IR_NOTHING)
        return false;
    const struct cast *x = writer_cast(w, writer_number(w, c->ref));
    return x && !x->done && x != &w->casts[n];
}

static bool must_wait(struct writer *w, uint32_t n, bool heap)
{
    const struct sx_path *p = w->p->path;
    for (uint32_t i = 0; i < p->n_cells; i++)
        if (is_later(w, n, &p->cells[i], heap))
            return true;
    return false;
}

struct set {
    const char *name;
    struct text *to;
};

static void set_field(void *self, uint64_t element, const char *path,
                      const char *value)
{
    struct set *s = self;
    text_format(s->to, "    %s[%llu]%s = %s;\n", s->name,
                (unsigned long long)element, path, value);
}

// "things" of an actor's heap, made by its init.
static bool make_things(struct writer *w, uint32_t owner, struct text *t)
{
    for (uint32_t i = 0; i < w->n_things; i++) {
        const struct thing *x = &w->things[i];
        uint64_t each = spell_bare(w->ir, x->type)->size;
        unsigned long long n = (x->size + each - 1) / each;
        struct text name = {0};
        if (x->owner != owner)
            continue;
        text_format(&name, owner == IR_NOTHING ? "%s_[%llu]" : "*%s", x->name,
                    n);
        text_add(t, owner == IR_NOTHING ? "    static " : "    ");
        bool ok = spell_plain(w->ir, x->type, text_get(&name), t);
        text_clear(&name);
        text_format(&name, "*const %s", x->name);
        if (owner == IR_NOTHING) {
            text_add(t, ";\n    ");
            ok = ok && spell_plain(w->ir, x->type, text_get(&name), t);
            text_format(t, " = %s_;\n", x->name);
        } else {
            text_format(t, " = calloc(%llu, sizeof *%s);\n", n, x->name);
        }
        text_free(&name);
        if (!ok)
            return writer_fails(w, "a type that a test cannot name");
    }
    for (uint32_t i = 0; i < w->n_things; i++) {
        const struct thing *x = &w->things[i];
        struct set set = {x->name, t};
        if (x->owner == owner &&
            !writer_fields(w,
                           &(struct writer_fields){.from = SX_CELL,
                                                   .index = x->number,
                                                   .type = x->type,
                                                   .size = x->size,
                                                   .owner = owner},
                           set_field, &set))
            return false;
    }
    return true;
}

// A class of the test's own: rows of the behaviour, an init for what the state
// points to.
static bool init_text(struct writer *w, uint32_t n, struct text *t)
{
    const struct cast *c = &w->casts[n];
    const struct sx_path *p = w->p->path;
    if (!make_things(w, n, t))
        return false;
    if (c->gone)
        text_add(t, "    (void)self;\n    tr_stop_(ctx);\n");
    for (uint32_t i = 0; i < p->n_cells; i++) {
        const struct sx_cell *x = &p->cells[i];
        struct place at = {0};
        bool ok;
        if (x->place.from != SX_SELF || x->place.index != c->given ||
            x->ref == IR_NOTHING)
            continue;
        uint32_t number = writer_number(w, x->ref);
        const struct thing *y = writer_thing(w, number);
        if (!(y && y->owner == n) && number != c->number)
            continue;
        const char *v = writer_cell(w, x, n, &ok);
        if (!ok || !v ||
            !places_at(w->ir, w->a, w->ir->classes.at[c->cls].type, 0,
                       (uint64_t)x->place.offset, x->bytes, &at))
            return writer_fails(w, "a part of a struct that has no name");
        text_format(t, "    self->%s = %s;\n", at.path + 1, v);
    }
    return true;
}

// The actors that the init names come with the state, behind the struct.
static void share(struct writer *w, const char *class, const char *name,
                  struct text *before, struct text *with)
{
    if (!w->shared.n)
        return;
    text_format(before, "struct %s_state {\n    struct %s state;\n", name,
                class);
    for (uint32_t i = 0; i < w->shared.n; i++) {
        const struct cast *x = writer_cast(w, w->shared.at[i]);
        bool again = false;
        for (uint32_t k = 0; k < i; k++)
            again |= w->shared.at[k] == w->shared.at[i];
        if (again)
            continue;
        text_format(before, "    %s_ref %s;\n", w->ir->classes.at[x->cls].name,
                    x->name);
        text_format(with, ", .%s = %s", x->name, x->name);
    }
    text_add(before, "};\n");
    w->shared.n = 0;
}

// Actors whose states name each other: the one that is created first gets the
// rest of its state, and its behaviour, by a message of its own.
static bool link_text(struct writer *w, uint32_t n, struct text *before)
{
    const struct cast *c = &w->casts[n];
    const struct ir_class *k = &w->ir->classes.at[c->cls];
    const struct sx_path *p = w->p->path;
    const char *name = writer_class(w, c);
    struct text fields = {0}, sets = {0};
    bool ok = c->behaviour != IR_NOTHING;
    for (uint32_t i = 0; i < p->n_cells && ok; i++) {
        const struct sx_cell *x = &p->cells[i];
        struct place at = {0};
        if (!is_later(w, n, x, false))
            continue;
        ok = places_at(w->ir, w->a, k->type, 0, (uint64_t)x->place.offset,
                       x->bytes, &at);
        text_format(&fields, "    tr_ref to%u;\n", i);
        if (ok)
            text_format(&sets, "    self->%s = (void *)links->to%u;\n",
                        at.path + 1, i);
        vec_push(&w->links, ((struct writer_link){n, i}));
    }
    if (ok)
        text_format(
            before,
            "struct %s_links {\n%s};\nTR_MESSAGE(%s_links);\n"
            "static void %s_link(tr_ctx *ctx, void *state, const void *msg)\n"
            "{\n    struct %s *self = state;\n"
            "    const struct %s_links *links = msg;\n%s"
            "    tr_become_(ctx, &%s);\n}\n"
            "static const tr_handler %s_on[] = {\n"
            "    {&tr_msg_%s_links, TR_RUN, %s_link, \"link\"}};\n"
            "static const tr_behaviour %s_start = {\"start\", 1, %s_on};\n",
            name, text_get(&fields), name, name, k->name, name, text_get(&sets),
            w->ir->globals.at[w->ir->behaviours.at[c->behaviour].global].name,
            name, name, name, name, name);
    text_free(&fields);
    text_free(&sets);
    return ok || writer_fails(w, "a part of a struct that has no name");
}

static void send_links(struct writer *w, struct text *body)
{
    for (uint32_t i = 0; i < w->n_casts; i++) {
        const struct cast *c = &w->casts[i];
        const char *mark = "";
        if (!c->linked)
            continue;
        text_format(body,
                    "    tr_send_(ctx, (tr_ref)%s, &tr_msg_%s_links,\n"
                    "             &(struct %s_links){",
                    c->name, writer_class(w, c), writer_class(w, c));
        for (uint32_t k = 0; k < w->links.n; k++) {
            const struct sx_cell *x = &w->p->path->cells[w->links.at[k].cell];
            if (w->links.at[k].cast != i)
                continue;
            text_format(body, "%s.to%u = (tr_ref)%s", mark, w->links.at[k].cell,
                        writer_cast(w, writer_number(w, x->ref))->name);
            mark = ", ";
        }
        text_add(body, "});\n");
    }
}

// with: what else the spawn gives.
static bool own_class(struct writer *w, uint32_t n, struct text *before,
                      struct text *with)
{
    const struct cast *c = &w->casts[n];
    const struct ir_class *k = &w->ir->classes.at[c->cls];
    const char *name = writer_class(w, c);
    struct text init = {0};
    w->in_init = true;
    bool ok = init_text(w, n, &init);
    w->in_init = false;
    share(w, k->name, name, before, with);
    const char *state =
        with->n ? arena_format(w->a, "%s_state", name) : k->name;
    if (c->linked)
        ok = ok && link_text(w, n, before);
    if (init.n)
        text_format(before,
                    "static void %s_init(tr_ctx *ctx, void *state)\n{\n"
                    "%s    struct %s *self = state;\n    (void)ctx;\n%s}\n",
                    name,
                    with->n ? arena_format(
                                  w->a, "    struct %s *with = state;\n", state)
                            : "",
                    k->name, text_get(&init));
    text_format(before,
                "static const tr_class %s = {.name = \"%s\",\n"
                "    .size = sizeof(struct %s), .align = _Alignof(struct %s)",
                name, k->name, state, state);
    if (c->linked) {
        text_format(before, ",\n    .start = &%s_start", name);
    } else if (c->behaviour != IR_NOTHING) {
        const struct ir_behaviour *b = &w->ir->behaviours.at[c->behaviour];
        text_format(before, ",\n    .start = &%s",
                    w->ir->globals.at[b->global].name);
    }
    if (init.n)
        text_format(before, ", .init = %s_init", name);
    text_format(before, "};\nTR_IN_(tr_classes, tr_class, %s);\n", name);
    text_free(&init);
    return ok;
}

// What an init of ours sets, or a message.
static bool is_set_later(struct writer *w, uint32_t n, const struct sx_cell *c)
{
    uint32_t number = c->ref == IR_NOTHING ? 0 : writer_number(w, c->ref);
    const struct thing *t = number ? writer_thing(w, number) : NULL;
    return number == w->casts[n].number || (t && t->owner == n) ||
           is_later(w, n, c, false);
}

// Fields that the spawn can give.
static bool plain_fields(struct writer *w, uint32_t n, struct text *t)
{
    const struct cast *c = &w->casts[n];
    const struct ir_class *k = &w->ir->classes.at[c->cls];
    return writer_list(w,
                       &(struct writer_fields){.from = SX_SELF,
                                               .index = c->given,
                                               .type = k->type,
                                               .size = k->size,
                                               .owner = n,
                                               .texts = true,
                                               .skips = is_set_later},
                       t);
}

static void name_in_words(struct writer *w, struct cast *c, const char *cls)
{
    uint32_t nth = 1;
    for (uint32_t i = 0; i < w->n_casts; i++)
        nth += w->casts[i].done && w->casts[i].cls == c->cls;
    c->words = arena_format(w->a, "%s#%u", cls, nth);
    c->done = true;
}

// Must actors of the class not rest in some behaviour?  In a test of one call
// they may.
static bool is_hot(const struct writer *w, uint32_t cls)
{
    for (uint32_t i = 0; i < w->ir->hots.n; i++)
        if (w->ir->hots.at[i].cls == cls)
            return true;
    return false;
}

static bool create(struct writer *w, uint32_t n, struct text *before,
                   struct text *body)
{
    struct cast *c = &w->casts[n];
    const struct ir_class *k = &w->ir->classes.at[c->cls];
    struct text f = {0}, with = {0};
    c->own_class = c->own_class || k->init != IR_NOTHING ||
                   k->fini != IR_NOTHING || is_hot(w, c->cls) ||
                   c->behaviour != k->start || refers_to_itself(w, n);
    bool ok = (!c->own_class || own_class(w, n, before, &with)) &&
              plain_fields(w, n, &f);
    const char *plain = text_get(&f);
    name_in_words(w, c, k->name);
    if (with.n)
        text_format(body,
                    "    %s_ref %s = (%s_ref)tr_spawn_( // %s\n"
                    "        ctx, &%s, &(struct %s_state){.state = {%s}%s}, "
                    "NULL);\n",
                    k->name, c->name, k->name, c->words, writer_class(w, c),
                    writer_class(w, c), *plain ? plain + 2 : "0",
                    text_get(&with));
    else if (c->own_class)
        text_format(body,
                    "    %s_ref %s = (%s_ref)tr_spawn_( // %s\n"
                    "        ctx, &%s, &(struct %s){%s}, NULL);\n",
                    k->name, c->name, k->name, c->words, writer_class(w, c),
                    k->name, *plain ? plain + 2 : "0");
    else
        text_format(body, "    %s_ref %s = tr_spawn(ctx, %s%s); // %s\n",
                    k->name, c->name, k->name, plain, c->words);
    text_free(&f);
    text_free(&with);
    return ok;
}

static bool create_all(struct writer *w, struct text *before, struct text *body)
{
    uint32_t left = w->n_casts;
    while (left) {
        uint32_t n = 0;
        while (n < w->n_casts && (w->casts[n].done || must_wait(w, n, false) ||
                                  must_wait(w, n, true)))
            n++;
        if (n == w->n_casts) { // their states name each other
            n = 0;
            while (w->casts[n].done || must_wait(w, n, true))
                if (++n == w->n_casts)
                    return writer_fails(w, "heaps that name each other");
            w->casts[n].linked = w->casts[n].own_class = true;
        }
        if (!create(w, n, before, body))
            return false;
        left--;
    }
    send_links(w, body);
    return true;
}

// ---- messages -----------------------------------------------------------

// A request that is not answered goes as a plain message: a test whose question
// stays open does not pass.  After a trap that has no effect there may be an
// answer.
static bool send(struct writer *w, uint32_t task, bool answered, struct text *t)
{
    const struct sx_task *k = &w->p->path->scene->tasks[task];
    const struct ir_msg *m = &w->ir->msgs.at[k->msg];
    bool asks = k->replied || (m->reply && w->p->path->end == SX_TRAPPED);
    struct text f = {0};
    bool ok = writer_list(w,
                          &(struct writer_fields){.from = SX_MESSAGE,
                                                  .index = k->given,
                                                  .type = m->type,
                                                  .size = m->size,
                                                  .owner = IR_NOTHING,
                                                  .texts = true},
                          &f);
    if (answered)
        text_format(t,
                    "    TR_FUTURE(%s) asked =\n        tr_ask(ctx, self, "
                    "%s%s);\n",
                    m->name, m->name, text_get(&f));
    else
        text_format(t, "    %s(ctx, self, %s%s);\n",
                    asks ? "(void)tr_ask" : "tr_send", m->name, text_get(&f));
    text_free(&f);
    return ok;
}

static bool send_all(struct writer *w, struct text *t)
{
    const struct sx_scene *s = w->p->path->scene;
    bool ok =
        make_things(w, IR_NOTHING, t) &&
        send(w, 0, s->tasks[0].replied && w->p->path->end == SX_RETURNED, t);
    for (uint32_t i = 1; i < s->n_tasks && ok; i++)
        if (s->tasks[i].given != IR_NOTHING)
            ok = send(w, i, false, t);
    return ok;
}

// The input that is followed although it is null; NULL: that is not the trap.
static const char *null_input(const struct task_path *p, struct arena *a)
{
    const struct sx_path *x = p->path;
    if (x->end != SX_TRAPPED || x->trap != IR_TRAP_NULL || !x->n_conditions)
        return NULL;
    for (uint32_t i = 0; i < x->n_refs; i++) {
        const struct sx_ref *r = sx_run_ref(p->run, x->refs[i]);
        if (term_eq(p->ts, r->var, term_const(p->ts, SX_OBJECT_BITS, 0)) ==
            x->conditions[x->n_conditions - 1])
            return arena_text(a, r->name);
    }
    return NULL;
}

// ---- all of it ----------------------------------------------------------

bool task_case_of(const struct task_path *p, struct arena *a,
                  struct task_case *c, const char **why)
{
    struct writer w = {.p = p, .ir = p->o->ir, .a = a, .why = why};
    struct text before = {0}, body = {0}, side = {0};
    *why = "it cannot be set up";
    *c = (struct task_case){
        .end = p->path->end == SX_TRAPPED ? TASK_TRAPS : TASK_RETURNS,
        .trap = p->path->end == SX_TRAPPED ? sx_trap_id(p->path->trap) : NULL,
        .fn = p->path->fn,
        .inst = p->path->inst,
        .labels = p->path->labels,
        .null = null_input(p, a),
        .receives = p->path->scene->n_order};
    bool ok = writer_gather(&w);
    c->decisions = tell_decisions(&w, &side);
    c->name = w.test = tell_name(&w, &side);
    ok = ok && create_all(&w, &before, &body) && send_all(&w, &body);
    if (ok && c->end == TASK_RETURNS)
        c->result = tell_result(&w, &body);
    else
        text_add(&body, "    tr_drain(ctx);\n");
    if (ok) {
        c->steps = tell_steps(&w);
        c->given = task_given(p, a);
        c->waiting = task_waiting(p, a);
        c->call = task_call(p, a);
    }
    writer_release(&w);
    text_free(&side);
    c->before = writer_take(&w, &before);
    c->body = writer_take(&w, &body);
    return ok;
}

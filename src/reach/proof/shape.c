// Cells of states, messages and answers, and what facts are about.
#include "reach/proof/proof.h"

#include <string.h>

enum { PATH_ROOM = 200 };

static bool kind_of(const struct ir *ir, uint32_t type, enum cell_kind *kind)
{
    uint32_t bare = ir_bare_type(ir, type);
    if (bare == IR_NOTHING)
        return false;
    const struct ir_dtype *t = &ir->types.at[bare];
    switch ((enum ir_dkind)t->kind) {
    case IR_D_SIGNED:
        *kind = CELL_SIGNED;
        break;
    case IR_D_UNSIGNED:
    case IR_D_BOOL:
        *kind = CELL_UNSIGNED;
        break;
    case IR_D_ENUM:
        *kind = CELL_UNSIGNED;
        break;
    case IR_D_FLOAT:
        *kind = CELL_FLOAT;
        break;
    case IR_D_POINTER:
        *kind = CELL_POINTER;
        break;
    default:
        return false;
    }
    return t->size == 1 || t->size == 2 || t->size == 4 || t->size == 8;
}

static struct cell cell_at(struct proofs *p, const char *base, uint32_t type,
                           uint64_t byte, enum cell_kind kind, uint32_t bytes)
{
    char path[PATH_ROOM];
    ir_place(p->ir, type, byte, path, sizeof path);
    struct cell c = {.offset = byte, .bytes = bytes, .kind = kind};
    c.name = arena_format(&p->arena, "%s->%s", base, path);
    c.var = term_var(p->ts, c.name, bytes * 8,
                     kind == CELL_FLOAT ? TERM_FLOAT : TERM_INT);
    return c;
}

// The type of a bit-field is larger than what is left before the next member:
// its cell ends there.
static uint32_t before_next(struct proofs *p, uint32_t type, uint64_t byte,
                            uint32_t bytes)
{
    for (uint64_t b = byte + 1; b < byte + bytes; b++) {
        uint32_t at = ir_field_type(p->ir, type, b);
        enum cell_kind kind;
        if (at == IR_NOTHING || !kind_of(p->ir, at, &kind) ||
            b % p->ir->types.at[ir_bare_type(p->ir, at)].size)
            continue;
        while (byte + bytes > b)
            bytes /= 2;
    }
    return bytes;
}

static struct shape shape_make(struct proofs *p, const char *base,
                               uint32_t type, uint64_t size)
{
    VEC(struct cell) cells = {0};
    for (uint64_t byte = 0; byte < size && cells.n < CELLS_MOST;) {
        uint32_t at = ir_field_type(p->ir, type, byte);
        enum cell_kind kind;
        if (at == IR_NOTHING || !kind_of(p->ir, at, &kind)) {
            byte++;
            continue;
        }
        uint32_t bytes =
            (uint32_t)p->ir->types.at[ir_bare_type(p->ir, at)].size;
        if (byte + bytes > size || byte % bytes) {
            byte++;
            continue;
        }
        bytes = before_next(p, type, byte, bytes);
        vec_push(&cells, cell_at(p, base, type, byte, kind, bytes));
        byte += bytes;
    }
    struct shape s = {.n = cells.n};
    s.at = arena_copy(&p->arena, cells.at, cells.n * sizeof *cells.at);
    s.wanted = arena_zero(&p->arena, cells.n + 1);
    vec_free(&cells);
    return s;
}

void shapes_make(struct proofs *p)
{
    const struct ir *ir = p->ir;
    p->states = arena_zero(&p->arena, (ir->classes.n + 1) * sizeof *p->states);
    p->messages = arena_zero(&p->arena, (ir->msgs.n + 1) * sizeof *p->messages);
    p->answers = arena_zero(&p->arena, (ir->msgs.n + 1) * sizeof *p->answers);
    for (uint32_t i = 0; i < ir->classes.n; i++)
        p->states[i] = shape_make(p, "self", ir->classes.at[i].type,
                                  ir->classes.at[i].size);
    for (uint32_t i = 0; i < ir->msgs.n; i++) {
        const struct ir_msg *m = &ir->msgs.at[i];
        // A message that is copied by its own function may change on the way.
        if (m->copy == IR_NOTHING)
            p->messages[i] = shape_make(p, "msg", m->type, m->size);
        if (m->reply)
            p->answers[i] =
                shape_make(p, "answer", m->reply_type, m->reply_size);
    }
}

// ---- subjects -----------------------------------------------------------

struct subject *subject_of(struct proofs *p, uint32_t index)
{
    return &p->subjects.at[index];
}

uint32_t state_subject(const struct proofs *p, uint32_t cls, uint32_t behaviour)
{
    return p->state_of[cls * p->ir->behaviours.n + behaviour];
}

uint32_t message_subject(const struct proofs *p, uint32_t cls, uint32_t msg)
{
    return p->message_of[cls * p->ir->msgs.n + msg];
}

static uint32_t *none(struct proofs *p, size_t n)
{
    uint32_t *at = arena_get(&p->arena, (n + 1) * sizeof *at);
    for (size_t i = 0; i <= n; i++)
        at[i] = IR_NOTHING;
    return at;
}

static void add(struct proofs *p, uint32_t *place, struct subject s)
{
    if (*place != IR_NOTHING)
        return;
    *place = p->subjects.n;
    s.none = true;
    vec_push(&p->subjects, s);
}

// What comes from outside has any contents.
static void open_receptionists(struct proofs *p)
{
    for (uint32_t i = 0; i < p->flow->edges.n; i++) {
        const struct flow_edge *e = &p->flow->edges.at[i];
        bool outside =
            e->kind == FLOW_OUTSIDE || (e->from == flow_env(p->flow) && !e->n);
        if (!outside || e->msg == IR_NOTHING || e->to >= p->ir->classes.n)
            continue;
        uint32_t s = message_subject(p, e->to, e->msg);
        if (s != IR_NOTHING)
            subject_any(subject_of(p, s));
    }
    for (uint32_t c = 0; c < p->ir->classes.n; c++)
        for (uint32_t m = 0; p->flow->receptionist[c] && m < p->ir->msgs.n; m++)
            if (message_subject(p, c, m) != IR_NOTHING)
                subject_any(subject_of(p, message_subject(p, c, m)));
}

void subjects_make(struct proofs *p)
{
    const struct ir *ir = p->ir;
    p->state_of = none(p, (size_t)ir->classes.n * ir->behaviours.n);
    p->message_of = none(p, (size_t)ir->classes.n * ir->msgs.n);
    p->answer_of = none(p, ir->msgs.n);
    for (uint32_t c = 0; c < ir->classes.n; c++)
        for (uint32_t b = 0; b < ir->behaviours.n; b++)
            if (p->flow->created[c] && flow_reachable(p->flow, c, b))
                add(p, &p->state_of[c * ir->behaviours.n + b],
                    (struct subject){
                        .cls = c, .id = b, .shape = &p->states[c]});
    for (uint32_t i = 0; i < p->flow->handlers.n; i++) {
        const struct flow_handler *h = &p->flow->handlers.at[i];
        if (h->live)
            add(p, &p->message_of[h->cls * ir->msgs.n + h->msg],
                (struct subject){.about = ABOUT_MESSAGE,
                                 .cls = h->cls,
                                 .id = h->msg,
                                 .shape = &p->messages[h->msg]});
    }
    for (uint32_t m = 0; m < ir->msgs.n; m++)
        if (ir->msgs.at[m].reply)
            add(p, &p->answer_of[m],
                (struct subject){.about = ABOUT_ANSWER,
                                 .cls = IR_NOTHING,
                                 .id = m,
                                 .shape = &p->answers[m]});
    open_receptionists(p);
}

void subjects_reset(struct proofs *p, bool for_good)
{
    for (uint32_t i = 0; i < p->subjects.n; i++) {
        struct subject *s = &p->subjects.at[i];
        s->open |= for_good && s->any;
        s->any = s->open;
        s->none = !s->open;
        s->version++;
        vec_free(&s->chains);
    }
    for (uint32_t i = 0; i < p->rules.n; i++) {
        p->rules.at[i].done = UINT64_MAX;
        p->rules.at[i].feasible = false;
    }
}

void subject_any(struct subject *s)
{
    if (s->any)
        return;
    s->any = true;
    s->none = false;
    s->version++;
    vec_free(&s->chains);
}

// ---- values -------------------------------------------------------------

void subject_meet(struct proofs *p, struct subject *s, const u128 *values)
{
    if (s->any || !s->none)
        return;
    s->none = false;
    s->version++;
    guess_facts(p, s, values);
}

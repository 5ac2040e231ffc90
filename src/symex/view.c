// Pointers in unions: of the members that lie at a place, the one that the
// program takes its bytes for.
//
// Where there are several, the use of what is loaded tells: the steps it is
// indexed by, the members looked at behind it, the width of what is read, the
// parameter it becomes.  Each is a view of its own, an input that no condition
// links to the others.
#include "symex/engine.h"

enum { USES_DEEP = 3 };

struct uses {
    const struct ir *ir;
    uint32_t pointee;
    int score; // below 0: it is used as something else
};

// Of an array of these, too: then `byte` is behind the first.
static bool has_member_at(const struct ir *ir, uint32_t type, uint64_t byte)
{
    return layout_slot(ir, type, byte).start == byte;
}

static void weigh_access(struct uses *w, uint64_t at, uint32_t bytes)
{
    struct slot s = layout_slot(w->ir, w->pointee, at);
    w->score += s.loose || (s.start == at && s.bytes == bytes) ? 1 : -1;
}

static void weigh_uses(struct uses *w, const struct ir_fn *f, ir_id v,
                       int deep);

static void weigh_call(struct uses *w, const struct ir_fn *f,
                       const struct ir_inst *call, ir_id v)
{
    uint32_t to = ir_as_fn(w->ir, ir_args(f, call)[0]);
    for (uint32_t k = 1; k < call->n && to != IR_NOTHING; k++) {
        const struct ir_fn *g = w->ir->fns.at[to];
        uint32_t at = sx_source_param(w->ir, g, k - 1);
        if (ir_args(f, call)[k] != v)
            continue;
        uint32_t type = at < g->n_types && at + 1 < g->n_types
                            ? layout_pointee(w->ir, g->types[at + 1])
                            : IR_NOTHING;
        if (type != IR_NOTHING)
            w->score += ir_bare_type(w->ir, type) ==
                                ir_bare_type(w->ir, w->pointee)
                            ? 2
                            : -2;
        else if (!g->defined) // of the C library, mostly: a text
            w->score += layout_size(w->ir, w->pointee) == 1 ? 1 : -1;
    }
}

static void weigh_field(struct uses *w, const struct ir_fn *f, ir_id field)
{
    for (uint32_t n = 0; n < f->insts.n; n++) {
        const struct ir_inst *i = &f->insts.at[n];
        if (i->op == IR_LOAD && ir_args(f, i)[0] == field)
            weigh_access(w, (uint64_t)f->insts.at[field].imm,
                         ir_bytes(i->type));
    }
}

static void weigh_use(struct uses *w, const struct ir_fn *f, ir_id user,
                      ir_id v, int deep)
{
    const struct ir_inst *i = &f->insts.at[user];
    uint64_t size = layout_size(w->ir, w->pointee);
    switch (i->op) {
    case IR_LOAD:
        weigh_access(w, 0, ir_bytes(i->type));
        break;
    case IR_STORE:
        if (ir_args(f, i)[0] != v)
            weigh_access(w, 0, ir_bytes(i->type));
        break;
    case IR_INDEX:
        w->score += (uint64_t)i->imm == size ? 2 : -1;
        if (deep)
            weigh_uses(w, f, user, deep - 1);
        break;
    case IR_FIELD:
        w->score += i->imm >= 0 &&
                            has_member_at(w->ir, w->pointee, (uint64_t)i->imm)
                        ? 1
                        : -2;
        weigh_field(w, f, user);
        break;
    case IR_CALL:
        weigh_call(w, f, i, v);
        break;
    case IR_PHI:
    case IR_SELECT:
        if (deep)
            weigh_uses(w, f, user, deep - 1);
        break;
    default:
        break;
    }
}

static void weigh_uses(struct uses *w, const struct ir_fn *f, ir_id v, int deep)
{
    for (uint32_t n = 0; n < f->insts.n; n++) {
        const struct ir_inst *i = &f->insts.at[n];
        for (uint32_t k = 0; k < i->n; k++)
            if (ir_args(f, i)[k] == v) {
                weigh_use(w, f, n, v, deep);
                break;
            }
    }
}

// Which of these the load at hand asks for.
static uint32_t asked(const struct sx_run *r, const struct sx_state *s,
                      const uint32_t *types, uint32_t n)
{
    const struct ir_fn *f = s->top->f;
    uint32_t best = 0;
    int most = 0;
    if (f->insts.at[s->top->at].op != IR_LOAD)
        return 0;
    for (uint32_t i = 0; i < n; i++) {
        struct uses w = {r->ir, layout_pointee(r->ir, types[i]), 0};
        if (w.pointee != IR_NOTHING)
            weigh_uses(&w, f, s->top->at, USES_DEEP);
        if (i == 0 || w.score > most) {
            most = w.score;
            best = i;
        }
    }
    return best;
}

uint32_t view_pointers(const struct ir *ir, uint32_t type, uint64_t byte,
                       uint32_t types[VIEWS_MAX])
{
    uint64_t size = layout_size(ir, type);
    return layout_pointers(ir, type, byte % size, types, 0);
}

struct slot view_slot(struct sx_run *r, struct sx_state *s, uint32_t type,
                      uint64_t byte)
{
    uint32_t types[VIEWS_MAX];
    uint32_t n = view_pointers(r->ir, type, byte, types);
    uint32_t k = n > 1 ? asked(r, s, types, n) : 0;
    s->labels |= SX_TWO_VIEWS;
    return (struct slot){.start = byte,
                         .bytes = 8,
                         .pointer = true,
                         .loose = true,
                         .view = (uint8_t)(k + 1),
                         .type = n ? types[k] : IR_NOTHING};
}

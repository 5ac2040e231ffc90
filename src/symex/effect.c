// Operations of the library, as effects of a path.
//
// What comes from outside is an input: the answer to a question, a choice, the
// sender.  What the path makes is its own: a new actor is an object that holds
// its state, so that its init runs inside the creator's activation.  Where a
// handler gives its actor up, others may change the state: the segment ends,
// and the next one begins with a state of which nothing is known.
#include "symex/engine.h"

#include "base/die.h"

#include <stdlib.h>
#include <string.h>

// ---- the start of a handler ---------------------------------------------

term effect_input(struct sx_run *r, struct sx_state *s, struct sx_place at,
                  uint32_t type, uint64_t size, uint32_t *number)
{
    struct object o = {.fill = FILL_INPUT,
                       .size = offset_const(r, size),
                       .type = type,
                       .place = at,
                       .region = region_new(r, type)};
    *number = object_make(r, s, o);
    return address_of(r, *number, 0);
}

static uint32_t pointee_of_param(const struct sx_run *r, uint32_t i)
{
    return layout_pointee(r->ir, param_type(r, i));
}

void handler_args(struct sx_run *r, struct sx_state *s, term *args)
{
    const struct ir_fn *f = r->ir->fns.at[r->start.fn];
    const struct sx_start *st = &r->start;
    struct sx_place self = {SX_SELF, 0, 0}, message = {SX_MESSAGE, 0, 0};
    r->self_type = st->cls == IR_NOTHING ? pointee_of_param(r, 1)
                                         : r->ir->classes.at[st->cls].type;
    r->message_type = st->msg == IR_NOTHING ? pointee_of_param(r, 2)
                                            : r->ir->msgs.at[st->msg].type;
    for (uint32_t i = 0; i < f->n_params; i++)
        args[i] = term_const(r->ts, 64, 0);
    if (f->n_params > 0)
        args[0] = allocate(r, s, term_const(r->ts, 64, 8), FILL_ZERO, false);
    if (f->n_params > 1)
        args[1] = effect_input(r, s, self, r->self_type,
                               layout_size(r->ir, r->self_type), &r->self);
    if (f->n_params > 2)
        args[2] =
            effect_input(r, s, message, r->message_type,
                         layout_size(r->ir, r->message_type), &r->message);
    if (r->start.tasks)
        tasks_begin(r, s);
}

// ---- segments -----------------------------------------------------------

static uint32_t self_writes(struct sx_run *r, struct sx_state *s,
                            const struct sx_write **out)
{
    uint64_t size = layout_size(r->ir, r->self_type), value;
    VEC(struct sx_write) all = {0};
    for (uint64_t i = 0; r->self && i < size; i++)
        if (pmap_get(&s->cells, (uint64_t)r->self << SX_OFFSET_BITS | i,
                     &value))
            vec_push(&all, ((struct sx_write){i, (term)value}));
    uint32_t n = all.n;
    *out = arena_copy(&r->arena, all.at, n * sizeof *all.at);
    vec_free(&all);
    return n;
}

void effect_segment(struct sx_run *r, struct sx_state *s, enum ir_op wait,
                    term future, bool late)
{
    struct segment *new = arena_zero(&r->arena, sizeof *new);
    new->up = s->segments;
    new->s = (struct sx_segment){.conditions = s->segment_conditions,
                                 .effects = s->segment_effects,
                                 .wait = wait,
                                 .future = future,
                                 .late = late,
                                 .behaviour = s->behaviour,
                                 .stopped = s->stopped};
    new->s.n_writes = self_writes(r, s, &new->s.writes);
    s->segments = new;
    s->n_segments++;
    s->segment_conditions = s->path.n;
    s->segment_effects = s->n_effects;
    s->behaviour = IR_NOTHING;
}

// Others may have changed the state meanwhile.
static void forget_self(struct sx_run *r, struct sx_state *s)
{
    if (!r->self)
        return;
    struct object o = *object_at(r, s, r->self);
    uint64_t size = layout_size(r->ir, r->self_type);
    for (uint64_t i = 0; i < size; i++)
        pmap_remove(&s->cells, (uint64_t)r->self << SX_OFFSET_BITS | i);
    o.place.index = s->n_segments;
    object_replace(r, s, &o);
}

// Others may have changed globals, too.  Large ones keep what they had, and a
// path that looks there says so (SX_KEPT).
static void forget_globals(struct sx_run *r, struct sx_state *s)
{
    for (uint32_t g = 0; g < r->ir->globals.n; g++)
        if (r->x->written[g] && !r->ir->globals.at[g].external &&
            r->ir->globals.at[g].size <= SMALL_GLOBAL)
            object_unknown(r, s, object_at(r, s, SX_GLOBALS + g), 0,
                           r->ir->globals.at[g].size);
}

// Does the function, or one that it calls, write to more than its own locals
// and the copy that it makes?
static bool writes_elsewhere(const struct ir *ir, uint32_t fn, bool *seen)
{
    const struct ir_fn *f = ir->fns.at[fn];
    if (seen[fn])
        return false;
    seen[fn] = true;
    for (uint32_t n = 0; f->defined && n < f->insts.n; n++) {
        const struct ir_inst *i = &f->insts.at[n];
        bool store = i->op == IR_STORE;
        if (store || i->op == IR_COPY || i->op == IR_MOVE || i->op == IR_SET) {
            ir_id to = ir_args(f, i)[store];
            while (!ir_is_const(to) && (f->insts.at[to].op == IR_FIELD ||
                                        f->insts.at[to].op == IR_INDEX))
                to = ir_args(f, &f->insts.at[to])[0];
            bool own = !ir_is_const(to) && (f->insts.at[to].op == IR_ALLOCA ||
                                            f->insts.at[to].op == IR_PARAM);
            if (!own)
                return true;
        }
        uint32_t callee =
            i->op == IR_CALL ? ir_as_fn(ir, ir_args(f, i)[0]) : IR_NOTHING;
        if (i->op == IR_CALL &&
            (callee == IR_NOTHING || writes_elsewhere(ir, callee, seen)))
            return true;
    }
    return false;
}

static bool hook_writes(const struct ir *ir, uint32_t msg)
{
    const struct ir_msg *m = &ir->msgs.at[msg];
    bool *seen = need_zero(ir->fns.n + 1);
    bool writes =
        (m->copy != IR_NOTHING && writes_elsewhere(ir, m->copy, seen)) ||
        (m->drop != IR_NOTHING && writes_elsewhere(ir, m->drop, seen));
    free(seen);
    return writes;
}

bool hooks_write(const struct sx_run *r)
{
    for (uint32_t m = 0; m < r->ir->msgs.n; m++)
        if (hook_writes(r->ir, m))
            return true;
    return false;
}

// Sending runs the message's own function, which may count or share.
static void run_hooks(struct sx_run *r, struct sx_state *s, uint32_t msg)
{
    if (msg == IR_NOTHING || r->live || s->scene || !hook_writes(r->ir, msg))
        return;
    s->waited = true;
    forget_globals(r, s);
}

// ---- recording ----------------------------------------------------------

static uint32_t table_index(const struct sx_run *r, const struct sx_effect *e,
                            uint32_t arg,
                            uint32_t (*find)(const struct ir *, uint32_t))
{
    if (arg >= e->n || !e->args[arg] || !term_is_const(r->ts, e->args[arg]))
        return IR_NOTHING;
    uint64_t at = (uint64_t)term_value(r->ts, e->args[arg]);
    uint64_t object = at >> SX_OFFSET_BITS;
    bool whole = at << SX_OBJECT_BITS == 0 && object >= SX_GLOBALS &&
                 object - SX_GLOBALS < r->ir->globals.n;
    return whole ? find(r->ir, (uint32_t)(object - SX_GLOBALS)) : IR_NOTHING;
}

// The argument that is the message, the class or the behaviour.
static void name_tables(const struct sx_run *r, const struct ir_inst *i,
                        struct sx_effect *e)
{
    uint32_t msg = i->op == IR_REPLY ? 1 : i->op == IR_AFTER ? 3 : 2;
    e->msg = e->cls = e->behaviour = IR_NOTHING;
    if (i->op == IR_SPAWN)
        e->cls = table_index(r, e, 1, ir_class_of);
    else if (i->op == IR_BECOME)
        e->behaviour = table_index(r, e, 1, ir_behaviour_of);
    else
        e->msg = table_index(r, e, msg, ir_msg_of);
}

// Where the bytes are that go along, and how many; false: none.
static bool payload(const struct sx_run *r, const struct ir_inst *i,
                    const struct sx_effect *e, uint32_t *arg, uint64_t *size)
{
    *size = 0;
    switch ((enum ir_op)i->op) {
    case IR_SPAWN:
        *arg = 2;
        *size = e->cls == IR_NOTHING ? 0 : r->ir->classes.at[e->cls].size;
        break;
    case IR_REPLY:
        *arg = 2;
        *size = e->msg == IR_NOTHING ? 0 : r->ir->msgs.at[e->msg].reply_size;
        break;
    case IR_SEND:
    case IR_FORWARD:
    case IR_TRY_SEND:
    case IR_ASK:
    case IR_WATCH:
        *arg = 3;
        *size = e->msg == IR_NOTHING ? 0 : r->ir->msgs.at[e->msg].size;
        break;
    case IR_AFTER:
        *arg = 4;
        *size = e->msg == IR_NOTHING ? 0 : r->ir->msgs.at[e->msg].size;
        break;
    default:
        break;
    }
    return *size > 0;
}

// The address of something that the path made, or perhaps one.
static bool is_own_address(struct sx_run *r, term t)
{
    struct sx_pointer p;
    if (!sx_pointer(r->ts, t, &p))
        return term_op(r->ts, t) == IR_SELECT;
    return term_op(r->ts, p.object) == IR_SELECT ||
           (term_is_const(r->ts, p.object) &&
            (uint64_t)term_value(r->ts, p.object) >= SX_MADE);
}

bool effect_of(struct sx_run *r, struct sx_state *s, const struct ir_inst *i,
               struct sx_effect *e)
{
    const struct ir_fn *f = s->top->f;
    term *args = arena_get(&r->arena, (i->n + 1) * sizeof *args);
    struct pieces p = {0};
    uint32_t from;
    uint64_t size;
    for (uint32_t k = 0; k < i->n; k++)
        args[k] = operand(r, s, ir_args(f, i)[k]);
    *e = (struct sx_effect){.op = (enum ir_op)i->op,
                            .fn = f->id,
                            .inst = s->top->at,
                            .actor = s->actor,
                            .n = i->n,
                            .args = args};
    name_tables(r, i, e);
    if (!r->live && payload(r, i, e, &from, &size) && from < i->n &&
        !term_is(r->ts, args[from], 0)) {
        if (!read_pieces(r, s, args[from], size, &p)) {
            vec_free(&p.at);
            return false;
        }
        e->cells = arena_copy(&r->arena, p.at.at, p.at.n * sizeof *p.at.at);
        e->n_cells = p.at.n;
        for (uint32_t k = 0; k < e->n_cells; k++)
            s->lent |= is_own_address(r, e->cells[k].value);
        vec_free(&p.at);
    }
    return true;
}

void effect_record(struct sx_run *r, struct sx_state *s,
                   const struct sx_effect *e)
{
    struct effect *new = arena_get(&r->arena, sizeof *new);
    *new = (struct effect){s->effects, *e};
    s->effects = new;
    s->n_effects++;
}

// ---- results ------------------------------------------------------------

term effect_given(struct sx_run *r, struct sx_state *s, uint32_t index,
                  struct ir_type t)
{
    bool pointer = t.kind == IR_PTR && !r->o.plain_refs;
    struct slot slot = {
        .bytes = ir_bytes(t), .pointer = pointer, .type = IR_NOTHING};
    // The size is part of the place: operation number `index` of another path
    // may be of another kind.
    struct sx_place at = {SX_OPERATION, index,
                          slot.bytes == 8 ? 0 : slot.bytes};
    term v = input_value(r, s, at, &slot);
    return t.kind == IR_INT && t.bits < slot.bytes * 8
               ? term_slice(r->ts, v, 0, t.bits)
               : v;
}

// Something new that nothing else equals: a future, a timer.
static term own_token(struct sx_run *r, struct sx_state *s, struct ir_type t)
{
    if (t.kind != IR_PTR)
        return effect_given(r, s, s->operations++, t);
    return allocate(r, s, term_const(r->ts, 64, 0), FILL_ZERO, false);
}

static bool do_self(struct sx_run *r, struct sx_state *s,
                    const struct ir_inst *i, uint32_t place)
{
    if (place == SX_ME && s->actor)
        return advance(r, s, s->actor);
    term v = effect_given(r, s, place, i->type),
         null = term_const(r->ts, 64, 0);
    if (place == SX_ME && !assume(r, s, compare_pointers(r, IR_NE, v, null)))
        return false;
    return advance(r, s, v);
}

bool effect_choose(struct sx_run *r, struct sx_state *s,
                   const struct ir_inst *i, struct sx_effect *e)
{
    if (!effect_of(r, s, i, e))
        return false;
    e->result = effect_given(r, s, s->operations++, i->type);
    term n = e->args[1], zero = term_const(r->ts, term_bits(r->ts, n), 0);
    term none = term_and(r->ts, term_eq(r->ts, n, zero),
                         term_eq(r->ts, e->result, zero)); // of nothing: 0
    return assume(
        r, s, term_or(r->ts, term_binary(r->ts, IR_ULT, e->result, n), none));
}

static bool do_choose(struct sx_run *r, struct sx_state *s,
                      const struct ir_inst *i)
{
    struct sx_effect e;
    if (!effect_choose(r, s, i, &e))
        return false;
    effect_record(r, s, &e);
    return advance(r, s, e.result);
}

// One input for each name.
static bool do_param(struct sx_run *r, struct sx_state *s,
                     const struct ir_inst *i)
{
    struct sx_effect e;
    if (!effect_of(r, s, i, &e))
        return false;
    uint32_t name = ir_as_global(r->ir, ir_args(s->top->f, i)[1]);
    e.result = effect_given(
        r, s, name == IR_NOTHING ? s->operations++ : SX_PARAMETERS + name,
        i->type);
    effect_record(r, s, &e);
    return advance(r, s, e.result);
}

// ---- creation -----------------------------------------------------------

bool init_call(struct sx_run *r, struct sx_state *s, const struct sx_effect *e,
               term state)
{
    const struct ir_class *c = &r->ir->classes.at[e->cls];
    if (c->init == IR_NOTHING || !r->ir->fns.at[c->init]->defined)
        return advance(r, s, e->result);
    term args[3] = {e->args[0], state, term_const(r->ts, 64, 0)};
    const struct ir_fn *init = r->ir->fns.at[c->init];
    term creator = s->actor, child = e->result;
    s->actor = child;
    if (!call_fn(r, s, init, args, init->n_params < 3 ? init->n_params : 3,
                 FOR_INIT))
        return false;
    s->top->model[0] = child;
    s->top->model[1] = creator;
    return true;
}

// The new actor's state is an object; its init runs on it at once.
static bool do_spawn(struct sx_run *r, struct sx_state *s,
                     const struct ir_inst *i)
{
    struct sx_effect e;
    if (!effect_of(r, s, i, &e))
        return false;
    if (e.cls == IR_NOTHING)
        return finish_unsupported(r, s, "an actor of a class not known");
    const struct ir_class *c = &r->ir->classes.at[e.cls];
    uint64_t size = c->size ? c->size : 1;
    term child = allocate(r, s, term_const(r->ts, 64, size), FILL_ZERO, true);
    const struct object *o = object_at(r, s, SX_MADE + s->made - 1);
    for (uint32_t k = 0; k < e.n_cells; k++)
        cell_write(r, s, o, e.cells[k].offset, e.cells[k].value);
    e.state = child;
    e.result =
        r->o.plain_refs ? effect_given(r, s, s->operations++, i->type) : child;
    effect_record(r, s, &e);
    return init_call(r, s, &e, child);
}

bool init_returned(struct sx_run *r, struct sx_state *s)
{
    term child = s->top->model[0];
    s->actor = s->top->model[1];
    state_pop(r, s);
    return advance(r, s, child);
}

// ---- waiting ------------------------------------------------------------

// The message whose answer a future is, IR_NOTHING if it is not known.
static uint32_t asked(const struct sx_state *s, term future)
{
    for (const struct effect *e = s->effects; e; e = e->up)
        if (e->e.op == IR_ASK && e->e.result == future)
            return e->e.msg;
    return IR_NOTHING;
}

// An answer, or null: the time is over, or the asked actor has stopped.
static term answer(struct sx_run *r, struct sx_state *s, term future,
                   uint32_t *number)
{
    uint32_t msg = asked(s, future);
    uint32_t type =
        msg == IR_NOTHING ? IR_NOTHING : r->ir->msgs.at[msg].reply_type;
    uint64_t size = msg == IR_NOTHING ? 4096 : r->ir->msgs.at[msg].reply_size;
    struct sx_place at = {SX_ANSWER, s->waits, 0};
    return effect_input(r, s, at, type, size, number);
}

static bool do_wait(struct sx_run *r, struct sx_state *s,
                    const struct ir_inst *i)
{
    enum ir_op op = (enum ir_op)i->op;
    term future =
        i->n > 1 ? operand(r, s, ir_args(s->top->f, i)[1]) : TERM_NONE;
    bool late = false;
    if (op != IR_PAUSE) {
        term v = effect_given(r, s, s->operations, (struct ir_type){IR_INT, 8});
        late = decide(r, s, term_eq(r->ts, v, term_const(r->ts, 8, 1)));
        s->operations++;
    }
    effect_segment(r, s, op, future, late);
    s->waited = true;
    if (op != IR_GET)
        forget_self(r, s);
    forget_globals(r, s);
    uint32_t number;
    term value = op == IR_PAUSE ? TERM_NONE
                 : late         ? term_const(r->ts, 64, 0)
                                : answer(r, s, future, &number);
    s->waits++;
    return advance(r, s, value);
}

// ---- all operations -----------------------------------------------------

// Effects without a result, or with one of their own.
static bool do_plain(struct sx_run *r, struct sx_state *s,
                     const struct ir_inst *i)
{
    struct sx_effect e;
    if (!effect_of(r, s, i, &e))
        return false;
    if (i->op == IR_BECOME && !s->actor)
        s->behaviour = e.behaviour;
    if (i->op == IR_STOP && !s->actor)
        s->stopped = true;
    if (i->type.kind != IR_VOID)
        e.result = own_token(r, s, i->type);
    effect_record(r, s, &e);
    run_hooks(r, s, e.msg);
    return advance(r, s, e.result);
}

bool actor_operation(struct sx_run *r, struct sx_state *s,
                     const struct ir_inst *i)
{
    if (r->live && i->op != IR_LOG)
        return live_operation(r, s, i);
    if (s->scene)
        return tasks_operation(r, s, i);
    switch ((enum ir_op)i->op) {
    case IR_SPAWN:
        return do_spawn(r, s, i);
    case IR_SEND:
    case IR_FORWARD:
    case IR_ASK:
    case IR_REPLY:
    case IR_AFTER:
    case IR_CANCEL:
    case IR_BECOME:
    case IR_STOP:
    case IR_WATCH:
    case IR_EXPOSE:
        return do_plain(r, s, i);
    case IR_AWAIT:
    case IR_GET:
    case IR_PAUSE:
        return do_wait(r, s, i);
    case IR_SELF:
        return do_self(r, s, i, SX_ME);
    case IR_SENDER:
        return do_self(r, s, i, SX_SENDER);
    case IR_CHOOSE:
        return do_choose(r, s, i);
    case IR_GETPARAM:
        return do_param(r, s, i);
    case IR_TRY_SEND:
    case IR_RECEPTIONIST:
    case IR_NOW: {
        struct sx_effect e;
        if (!effect_of(r, s, i, &e))
            return false;
        e.result = effect_given(r, s, s->operations++, i->type);
        effect_record(r, s, &e);
        return advance(r, s, e.result);
    }
    case IR_LOG:
        return advance(r, s, TERM_NONE);
    default: // only in tests
        return finish_unsupported(r, s, ir_op_text((enum ir_op)i->op));
    }
}

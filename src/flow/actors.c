// Actor operations: figure 8 of TAP, on the library's primitives.
//
//   actor creation      an edge, a reference for the creator, the initial
//                       fields copied into the class's abstract state
//   message sending     an edge for each class the reference may name; the
//                       payload copied into the receiver's message object
//   message receiving   handlers of the behaviours the receiver may be in run
//                       on its state and that message
//   self, sender        the class's own reference; those of all senders
//
// Asks, replies, timers and notices of watched actors are messages too.
#include "flow/inner.h"

#include "base/hash.h"

// ---- abstract actors ----------------------------------------------------

uint32_t actor_ref(struct flow_inner *f, uint32_t cls)
{
    struct pts_object o = {.kind = OBJECT_REF, .of = cls};
    return pts_loc(&f->pts, object_of(f, o, cls), 0);
}

uint32_t state_loc(struct flow_inner *f, uint32_t cls)
{
    const struct ir_class *c = &f->ir->classes.at[cls];
    struct pts_object o = {.kind = OBJECT_STATE,
                           .of = cls,
                           .ctx = cls,
                           .type = c->type,
                           .size = c->size};
    return pts_loc(&f->pts, object_of(f, o, cls), 0);
}

void actor_param(struct flow_inner *f, uint32_t fn, uint32_t ctx,
                 uint32_t param, uint32_t loc)
{
    if (fn == IR_NOTHING || f->ir->fns.at[fn]->n_params <= param ||
        !f->ir->fns.at[fn]->defined)
        return;
    uint32_t i = instance_get(f, fn, ctx);
    pts_add(&f->pts, param_node(f, i, param), loc);
}

static void reach_behaviour(struct flow_inner *f, uint32_t cls,
                            uint32_t behaviour)
{
    bool *at = &f->reachable[behaviour * (f->ir->classes.n + 1) + cls];
    if (*at || cls == f->env)
        return;
    *at = true;
    for (uint32_t i = 0; i < f->inboxes.n; i++)
        if (f->inboxes.at[i].cls == cls) {
            struct inbox in = f->inboxes.at[i];
            inbox_dispatch(f, &in, behaviour);
        }
}

void actor_create(struct flow_inner *f, uint32_t cls)
{
    const struct ir_class *c = &f->ir->classes.at[cls];
    if (f->created[cls])
        return;
    f->created[cls] = true;
    actor_param(f, c->init, cls, 1, state_loc(f, cls));
    actor_param(f, c->fini, cls, 1, state_loc(f, cls));
    if (c->start != IR_NOTHING)
        reach_behaviour(f, cls, c->start);
}

// ---- edges --------------------------------------------------------------

uint32_t edge_get(struct flow_inner *f, uint32_t from, uint32_t to,
                  enum flow_kind kind, uint32_t msg)
{
    uint32_t key[4] = {from, to, kind, msg};
    uint32_t *at = map_at(&f->edge_ids, hash_bytes(key, sizeof key));
    if (*at == MAP_NONE) {
        *at = f->edges.n;
        vec_push(
            &f->edges,
            ((struct edge){
                .from = from, .to = to, .kind = (uint8_t)kind, .msg = msg}));
    }
    return *at;
}

void edge_add(struct flow_inner *f, uint32_t op, uint32_t from, uint32_t to,
              enum flow_kind kind, uint32_t msg)
{
    uint32_t e = edge_get(f, from, to, kind, msg);
    struct flow_site s = op_site(f, op);
    uint64_t where = ((uint64_t)s.fn << 32) | s.inst;
    if (!gen_seen(f, 4, ((uint64_t)e << 32) | s.ctx, where))
        vec_push(&f->edges.at[e].sites, s);
}

// ---- operations ---------------------------------------------------------

uint32_t op_result(struct flow_inner *f, uint32_t op)
{
    return value_node(f, f->ops.at[op].instance, f->ops.at[op].inst, 0);
}

uint32_t object_made_at(struct flow_inner *f, struct flow_site s,
                        enum object_kind kind)
{
    struct pts_object o = {.kind = (uint8_t)kind,
                           .ctx = s.ctx,
                           .fn = s.fn,
                           .inst = s.inst,
                           .type = IR_NOTHING,
                           .size = UINT32_MAX};
    uint64_t key[3] = {s.ctx, s.fn, s.inst};
    return object_of(f, o, hash_bytes(key, sizeof key));
}

// ---- creation -----------------------------------------------------------

static uint32_t class_at(const struct flow_inner *f, uint32_t loc)
{
    const struct pts_object *o = pts_object_at(&f->pts, loc);
    return o->kind == OBJECT_GLOBAL ? ir_class_of(f->ir, o->of) : IR_NOTHING;
}

static void spawn_all(struct flow_inner *f, uint32_t op)
{
    struct set classes = {0}, states = {0}, x = {0};
    set_join(&classes, op_set(f, op, 1), &x);
    set_join(&states, op_set(f, op, 2), &x);
    for (struct set_walk c = {.of = &classes}; set_next(&c);) {
        uint32_t cls = class_at(f, c.x);
        if (cls == IR_NOTHING)
            continue;
        edge_add(f, op, op_site(f, op).ctx, cls, FLOW_CREATE, IR_NOTHING);
        actor_create(f, cls);
        pts_add(&f->pts, op_result(f, op), actor_ref(f, cls));
        struct pts_loc to = pts_at(&f->pts, state_loc(f, cls));
        for (struct set_walk s = {.of = &states}; set_next(&s);) {
            uint8_t k = pts_object_at(&f->pts, s.x)->kind;
            if (k != OBJECT_NUMBER && k != OBJECT_REF && k != OBJECT_FUNCTION)
                pts_copy_range(&f->pts, to, pts_place(&f->pts, s.x),
                               f->ir->classes.at[cls].size);
        }
    }
    set_free(&classes);
    set_free(&states);
    set_free(&x);
}

// ---- other operations ---------------------------------------------------

static void become(struct flow_inner *f, uint32_t op, uint32_t loc)
{
    const struct pts_object *o = pts_object_at(&f->pts, loc);
    uint32_t b =
        o->kind == OBJECT_GLOBAL ? ir_behaviour_of(f->ir, o->of) : IR_NOTHING;
    struct flow_site s = op_site(f, op);
    if (b == IR_NOTHING || s.ctx == f->env)
        return;
    if (!gen_seen(f, 7, op, b))
        vec_push(&f->becomes,
                 ((struct flow_become){s.ctx, IR_NOTHING, b, IR_NOTHING, s}));
    reach_behaviour(f, s.ctx, b);
}

static void add_result(struct flow_inner *f, uint32_t op, uint32_t loc)
{
    pts_add(&f->pts, op_result(f, op), loc);
}

static void class_event(struct flow_inner *f, uint32_t op, uint32_t loc)
{
    uint32_t cls = class_at(f, loc);
    if (cls == IR_NOTHING)
        return;
    if (op_inst(f, op)->op == IR_RECEPTIONIST)
        add_result(f, op, actor_ref(f, cls));
    else
        add_result(f, op, state_loc(f, cls));
}

static void watch_three(struct flow_inner *f, uint32_t op, uint32_t first)
{
    for (uint32_t i = 0; i < 3; i++)
        op_watch(f, op, first + i);
}

void gen_actor(struct flow_inner *f, uint32_t instance, uint32_t inst)
{
    uint32_t op = op_new(f, instance, inst);
    switch ((enum ir_op)op_inst(f, op)->op) {
    case IR_SPAWN:
        op_watch(f, op, 1);
        op_watch(f, op, 2);
        break;
    case IR_ASK:
        add_result(f, op,
                   pts_loc(&f->pts,
                           object_made_at(f, op_site(f, op), OBJECT_FUTURE),
                           0));
        watch_three(f, op, 1);
        break;
    case IR_SEND:
    case IR_FORWARD:
    case IR_TRY_SEND:
    case IR_WATCH:
        watch_three(f, op, 1);
        break;
    case IR_AFTER:
        watch_three(f, op, 2);
        break;
    case IR_REPLY:
        gen_reply(f, op);
        break;
    case IR_AWAIT:
    case IR_GET:
    case IR_BECOME:
    case IR_EXPOSE:
    case IR_EACH:
        op_watch(f, op, 1);
        break;
    case IR_FLYING:
        vec_push(&f->flying_ops, op);
        op_watch(f, op, 1);
        break;
    case IR_PEEK:
    case IR_RECEPTIONIST:
        op_watch(f, op, 2);
        break;
    case IR_SELF:
        add_result(f, op, actor_ref(f, op_site(f, op).ctx));
        break;
    case IR_SENDER:
        gen_sender(f, op);
        break;
    case IR_NOW:
    case IR_CHOOSE:
    case IR_GETPARAM:
        if (f->numbers.n)
            add_result(f, op, f->any_number);
        break;
    default: // PAUSE, CANCEL, STOP, DRAIN, DELIVER_ONE, LOG move nothing
        break;
    }
}

static void future_event(struct flow_inner *f, uint32_t op, uint32_t loc)
{
    const struct pts_object *o = pts_object_at(&f->pts, loc);
    struct flow_site s = {o->ctx, o->fn, o->inst};
    if (o->kind == OBJECT_FUTURE)
        add_result(f, op,
                   pts_loc(&f->pts, object_made_at(f, s, OBJECT_REPLY), 0));
}

static void expose_event(struct flow_inner *f, uint32_t loc)
{
    const struct pts_object *o = pts_object_at(&f->pts, loc);
    if (o->kind == OBJECT_REF && o->of != f->env)
        f->receptionist[o->of] = true;
}

void actor_event(struct flow_inner *f, uint32_t op, uint32_t role, uint32_t loc)
{
    if (role >= ROLE_TAG) {
        deliver_tagged(f, role - ROLE_TAG, loc);
        return;
    }
    switch ((enum ir_op)op_inst(f, op)->op) {
    case IR_SPAWN:
        spawn_all(f, op);
        break;
    case IR_REPLY:
        answer_all(f, op);
        break;
    case IR_AWAIT:
    case IR_GET:
        future_event(f, op, loc);
        break;
    case IR_BECOME:
        become(f, op, loc);
        break;
    case IR_EXPOSE:
        expose_event(f, loc);
        break;
    case IR_FLYING:
        flying_all(f, op);
        break;
    case IR_EACH:
    case IR_PEEK:
    case IR_RECEPTIONIST:
        class_event(f, op, loc);
        break;
    default:
        send_all(f, op);
        break;
    }
}

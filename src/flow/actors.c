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

#include <string.h>

// ---- abstract actors ----------------------------------------------------

static uint32_t ref_loc(struct flow_inner *f, uint32_t cls)
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

static void add_param(struct flow_inner *f, uint32_t fn, uint32_t ctx,
                      uint32_t param, uint32_t loc)
{
    if (fn == IR_NOTHING || f->ir->fns.at[fn]->n_params <= param ||
        !f->ir->fns.at[fn]->defined)
        return;
    uint32_t i = instance_get(f, fn, ctx);
    pts_add(&f->pts, param_node(f, i, param), loc);
}

// sender() in a handler: those who send the messages it has a row for.
static void sender_of_inbox(struct flow_inner *f, uint32_t op, uint32_t inbox)
{
    const struct inbox *in = &f->inboxes.at[inbox];
    struct flow_site s = op_site(f, op);
    if (in->cls != s.ctx)
        return;
    for (uint32_t b = 0; b < f->ir->behaviours.n; b++) {
        const struct ir_behaviour *k = &f->ir->behaviours.at[b];
        for (uint32_t i = 0; i < k->n; i++)
            if (k->rows[i].fn == s.fn && k->rows[i].msg == in->msg)
                pts_copy(&f->pts, in->sender,
                         value_node(f, f->ops.at[op].instance, s.inst, 0));
    }
}

// Message receiving.  The baseline gives every message to every handler, as
// one onReceive would have it.
static void dispatch(struct flow_inner *f, const struct inbox *in,
                     uint32_t behaviour)
{
    const struct ir_behaviour *b = &f->ir->behaviours.at[behaviour];
    uint32_t loc = pts_loc(&f->pts, in->object, 0);
    for (uint32_t i = 0; i < b->n; i++) {
        const struct ir_row *row = &b->rows[i];
        if (row->policy != 0 || row->fn == IR_NOTHING ||
            (row->msg != in->msg && !f->baseline))
            continue;
        add_param(f, row->fn, in->cls, 1, state_loc(f, in->cls));
        add_param(f, row->fn, in->cls, 2, loc);
        if (f->tag_offsets.n && f->ir->fns.at[row->fn]->defined)
            tag_arrives(f, instance_get(f, row->fn, in->cls), in->tag, loc);
    }
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
            dispatch(f, &in, behaviour);
        }
}

static void create_class(struct flow_inner *f, uint32_t cls)
{
    const struct ir_class *c = &f->ir->classes.at[cls];
    if (f->created[cls])
        return;
    f->created[cls] = true;
    add_param(f, c->init, cls, 1, state_loc(f, cls));
    add_param(f, c->fini, cls, 1, state_loc(f, cls));
    if (c->start != IR_NOTHING)
        reach_behaviour(f, cls, c->start);
}

// ---- edges --------------------------------------------------------------

static uint32_t edge_get(struct flow_inner *f, uint32_t from, uint32_t to,
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

static void add_edge(struct flow_inner *f, uint32_t op, uint32_t from,
                     uint32_t to, enum flow_kind kind, uint32_t msg)
{
    uint32_t e = edge_get(f, from, to, kind, msg);
    struct flow_site s = op_site(f, op);
    uint64_t where = ((uint64_t)s.fn << 32) | s.inst;
    if (!gen_seen(f, 4, ((uint64_t)e << 32) | s.ctx, where))
        vec_push(&f->edges.at[e].sites, s);
}

// ---- messages -----------------------------------------------------------

static uint32_t msg_at(const struct flow_inner *f, uint32_t loc)
{
    const struct pts_object *o = pts_object_at(&f->pts, loc);
    return o->kind == OBJECT_GLOBAL ? ir_msg_of(f->ir, o->of) : IR_NOTHING;
}

// A loop over messages in flight sees this one.
static void flying(struct flow_inner *f, uint32_t op, const struct inbox *in)
{
    uint32_t result =
        value_node(f, f->ops.at[op].instance, f->ops.at[op].inst, 0);
    for (struct set_walk w = {.of = op_set(f, op, 1)}; set_next(&w);)
        if (msg_at(f, w.x) == in->msg)
            pts_add(&f->pts, result, pts_loc(&f->pts, in->object, 0));
}

static uint32_t inbox_get(struct flow_inner *f, uint32_t cls, uint32_t msg,
                          int64_t tag)
{
    for (uint32_t i = 0; i < f->inboxes.n; i++) {
        const struct inbox *in = &f->inboxes.at[i];
        if (in->cls == cls && in->msg == msg && in->tag == tag)
            return i;
    }
    const struct ir_msg *m = &f->ir->msgs.at[msg];
    struct pts_object o = {.kind = OBJECT_MESSAGE,
                           .of = msg,
                           .ctx = cls,
                           .type = m->type,
                           .size = m->size ? m->size : UINT32_MAX};
    uint64_t key[3] = {cls, msg, (uint64_t)tag};
    struct inbox in = {cls, msg, object_of(f, o, hash_bytes(key, sizeof key)),
                       tag, pts_node(&f->pts)};
    pts_copy(&f->pts, in.sender, f->sender[cls]);
    vec_push(&f->inboxes, in);
    for (uint32_t i = 0; i < f->sender_ops.n; i++)
        sender_of_inbox(f, f->sender_ops.at[i], f->inboxes.n - 1);
    for (uint32_t i = 0; i < f->flying_ops.n; i++)
        flying(f, f->flying_ops.at[i], &in);
    for (uint32_t b = 0; b < f->ir->behaviours.n; b++)
        if (f->reachable[b * (f->ir->classes.n + 1) + cls])
            dispatch(f, &in, b);
    add_param(f, m->drop, cls, 0, pts_loc(&f->pts, in.object, 0));
    return f->inboxes.n - 1;
}

static void fill_message(struct flow_inner *f, uint32_t from, uint32_t inbox,
                         uint32_t payload)
{
    struct inbox in = f->inboxes.at[inbox];
    const struct ir_msg *m = &f->ir->msgs.at[in.msg];
    struct pts_loc to = {in.object, 0};
    pts_add(&f->pts, in.sender, ref_loc(f, from));
    if (payload == IR_NOTHING)
        return;
    enum object_kind kind =
        (enum object_kind)pts_object_at(&f->pts, payload)->kind;
    if (kind == OBJECT_FUNCTION || kind == OBJECT_REF || kind == OBJECT_NUMBER)
        return;
    pts_copy_range(&f->pts, to, pts_place(&f->pts, payload),
                   m->size ? m->size : UINT32_MAX);
    add_param(f, m->copy, from, 0, pts_loc(&f->pts, in.object, 0));
    add_param(f, m->copy, from, 1, payload);
}

// A payload whose tag decides which message it is.
enum { ROLE_TAG = 1000 };

static void deliver_by_tag(struct flow_inner *f, uint32_t op, uint32_t from,
                           uint32_t cls, uint32_t msg, uint32_t payload,
                           uint32_t offset)
{
    struct pts_loc l = pts_place(&f->pts, payload);
    uint32_t cell = pts_cell(&f->pts, l.object, l.offset + offset);
    vec_push(&f->tagged, ((struct tagged){from, cls, msg, payload}));
    pts_on(
        &f->pts, cell,
        (struct pts_constraint){ON_EVENT, op, 0, ROLE_TAG + f->tagged.n - 1});
}

static void deliver_tagged(struct flow_inner *f, uint32_t index, uint32_t loc)
{
    struct tagged t = f->tagged.at[index];
    if (pts_object_at(&f->pts, loc)->kind != OBJECT_NUMBER)
        return;
    int64_t tag = TAG_ANY;
    if (loc != f->any_number)
        tag = pts_at(&f->pts, loc).offset;
    fill_message(f, t.from, inbox_get(f, t.cls, t.msg, tag), t.payload);
}

static void deliver(struct flow_inner *f, uint32_t op, uint32_t from,
                    uint32_t cls, uint32_t msg, uint32_t payload)
{
    if (cls == f->env ||
        gen_seen(f, 5 + ((uint64_t)op << 8), ((uint64_t)from << 32) | cls,
                 ((uint64_t)msg << 32) | payload))
        return;
    uint32_t tag = tag_of(f, cls, msg);
    if (tag == IR_NOTHING)
        fill_message(f, from, inbox_get(f, cls, msg, TAG_NONE), payload);
    else if (payload != IR_NOTHING &&
             pts_object_at(&f->pts, payload)->kind == OBJECT_LOCAL)
        deliver_by_tag(f, op, from, cls, msg, payload, tag);
    else if (payload != IR_NOTHING)
        fill_message(f, from, inbox_get(f, cls, msg, TAG_ANY), payload);
}

// A payload whose tag nothing is known of may have any.
bool complete_tags(struct flow_inner *f)
{
    bool any = false;
    for (uint32_t i = 0; i < f->tagged.n; i++) {
        struct tagged t = f->tagged.at[i];
        struct pts_loc l = pts_place(&f->pts, t.payload);
        uint32_t cell =
            pts_cell(&f->pts, l.object, l.offset + tag_of(f, t.cls, t.msg));
        if (set_count(pts_of(&f->pts, cell)) || gen_seen(f, 9, i, 0))
            continue;
        fill_message(f, t.from, inbox_get(f, t.cls, t.msg, TAG_ANY), t.payload);
        any = true;
    }
    gen_pending(f);
    return any;
}

// ---- sends --------------------------------------------------------------

// Which argument is what.
struct roles {
    uint32_t to, msg, payload;
    enum flow_kind kind;
};

static struct roles roles_of(enum ir_op op)
{
    if (op == IR_AFTER)
        return (struct roles){2, 3, 4, FLOW_TIMER};
    return (struct roles){1, 2, 3, op == IR_WATCH ? FLOW_NOTICE : FLOW_SEND};
}

static void ask_of(struct flow_inner *f, uint32_t op, uint32_t cls,
                   uint32_t msg);

// One class, one message type, one payload (or not known yet).
static void send_one(struct flow_inner *f, uint32_t op, uint32_t ref,
                     uint32_t msg, uint32_t payload)
{
    struct roles r = roles_of((enum ir_op)op_inst(f, op)->op);
    uint32_t me = op_site(f, op).ctx;
    uint32_t other = pts_object_at(&f->pts, ref)->of;
    uint32_t from = r.kind == FLOW_NOTICE ? other : me;
    uint32_t to = r.kind == FLOW_NOTICE ? me : other;
    add_edge(f, op, from, to, r.kind, msg);
    deliver(f, op, from, to, msg, payload);
    if (op_inst(f, op)->op == IR_ASK)
        ask_of(f, op, to, msg);
}

static void send_all(struct flow_inner *f, uint32_t op)
{
    struct roles r = roles_of((enum ir_op)op_inst(f, op)->op);
    struct set tos = {0}, msgs = {0}, payloads = {0}, x = {0};
    set_join(&tos, op_set(f, op, r.to), &x);
    set_join(&msgs, op_set(f, op, r.msg), &x);
    set_join(&payloads, op_set(f, op, r.payload), &x);
    for (struct set_walk t = {.of = &tos}; set_next(&t);) {
        if (pts_object_at(&f->pts, t.x)->kind != OBJECT_REF)
            continue;
        for (struct set_walk m = {.of = &msgs}; set_next(&m);) {
            uint32_t msg = msg_at(f, m.x);
            if (msg == IR_NOTHING)
                continue;
            send_one(f, op, t.x, msg, IR_NOTHING);
            for (struct set_walk p = {.of = &payloads}; set_next(&p);)
                send_one(f, op, t.x, msg, p.x);
        }
    }
    set_free(&tos);
    set_free(&msgs);
    set_free(&payloads);
    set_free(&x);
}

// ---- asks and replies ---------------------------------------------------

static uint32_t result_node(struct flow_inner *f, uint32_t op)
{
    return value_node(f, f->ops.at[op].instance, f->ops.at[op].inst, 0);
}

static uint32_t made_at(struct flow_inner *f, struct flow_site s,
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

static void answer(struct flow_inner *f, uint32_t op, const struct asked *a)
{
    struct set msgs = {0}, payloads = {0}, x = {0};
    if (op_site(f, op).ctx != a->cls)
        return;
    set_join(&msgs, op_set(f, op, 1), &x);
    set_join(&payloads, op_set(f, op, 2), &x);
    for (struct set_walk m = {.of = &msgs}; set_next(&m);) {
        if (msg_at(f, m.x) != a->msg)
            continue;
        add_edge(f, op, a->cls, a->from, FLOW_REPLY, a->msg);
        for (struct set_walk p = {.of = &payloads}; set_next(&p);)
            if (pts_object_at(&f->pts, p.x)->kind != OBJECT_NUMBER)
                pts_copy_range(&f->pts, (struct pts_loc){a->reply, 0},
                               pts_place(&f->pts, p.x), UINT32_MAX);
    }
    set_free(&msgs);
    set_free(&payloads);
    set_free(&x);
}

static void add_asked(struct flow_inner *f, struct asked a)
{
    uint64_t who = ((uint64_t)a.cls << 32) | a.msg;
    uint64_t what = ((uint64_t)a.from << 32) | a.reply;
    if (gen_seen(f, 6, who, what))
        return;
    vec_push(&f->asked, a);
    for (uint32_t i = 0; i < f->answers.n; i++)
        answer(f, f->answers.at[i], &a);
}

static void ask_of(struct flow_inner *f, uint32_t op, uint32_t cls,
                   uint32_t msg)
{
    struct flow_site s = op_site(f, op);
    uint32_t reply = made_at(f, s, OBJECT_REPLY);
    add_asked(f, (struct asked){cls, msg, s.ctx, reply});
}

static void answer_all(struct flow_inner *f, uint32_t op)
{
    for (uint32_t i = 0; i < f->asked.n; i++) {
        struct asked a = f->asked.at[i];
        answer(f, op, &a);
    }
}

static void gen_reply(struct flow_inner *f, uint32_t op)
{
    vec_push(&f->answers, op);
    op_watch(f, op, 1);
    op_watch(f, op, 2);
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
        add_edge(f, op, op_site(f, op).ctx, cls, FLOW_CREATE, IR_NOTHING);
        create_class(f, cls);
        pts_add(&f->pts, result_node(f, op), ref_loc(f, cls));
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

// In a handler, those who send its own messages; elsewhere, all senders.
static void gen_sender(struct flow_inner *f, uint32_t op)
{
    struct flow_site s = op_site(f, op);
    if (s.ctx == f->env)
        return;
    if (!f->ir->fns.at[s.fn]->is_handler || f->baseline) {
        pts_copy(&f->pts, f->sender[s.ctx], result_node(f, op));
        return;
    }
    vec_push(&f->sender_ops, op);
    for (uint32_t i = 0; i < f->inboxes.n; i++)
        sender_of_inbox(f, op, i);
}

static void flying_all(struct flow_inner *f, uint32_t op)
{
    for (uint32_t i = 0; i < f->inboxes.n; i++) {
        struct inbox in = f->inboxes.at[i];
        flying(f, op, &in);
    }
}

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
    pts_add(&f->pts, result_node(f, op), loc);
}

static void class_event(struct flow_inner *f, uint32_t op, uint32_t loc)
{
    uint32_t cls = class_at(f, loc);
    if (cls == IR_NOTHING)
        return;
    if (op_inst(f, op)->op == IR_RECEPTIONIST)
        add_result(f, op, ref_loc(f, cls));
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
        add_result(
            f, op,
            pts_loc(&f->pts, made_at(f, op_site(f, op), OBJECT_FUTURE), 0));
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
        add_result(f, op, ref_loc(f, op_site(f, op).ctx));
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
        add_result(f, op, pts_loc(&f->pts, made_at(f, s, OBJECT_REPLY), 0));
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

// ---- the environment ----------------------------------------------------

// References that an outside message can carry: receptionists of the field's
// type, and the outside itself.
static void outside_field(struct flow_inner *f, uint32_t object,
                          uint32_t offset, const char *type)
{
    uint32_t cell = pts_cell(&f->pts, object, offset);
    for (uint32_t c = 0; c < f->ir->classes.n; c++) {
        const char *name = f->ir->classes.at[c].name;
        size_t n = strlen(name);
        bool typed =
            strncmp(type, name, n) == 0 && strcmp(type + n, "_ref") == 0;
        if (f->receptionist[c] && (typed || strcmp(type, "tr_ref") == 0))
            pts_add(&f->pts, cell, ref_loc(f, c));
    }
    pts_add(&f->pts, cell, ref_loc(f, f->env));
}

static void outside_fields(struct flow_inner *f, uint32_t object, uint32_t type,
                           uint32_t at)
{
    const struct ir *ir = f->ir;
    if (type == IR_NOTHING)
        return;
    const struct ir_dtype *t = &ir->types.at[type];
    uint32_t bare = ir_bare_type(ir, type);
    const struct ir_dtype *b = bare == IR_NOTHING ? t : &ir->types.at[bare];
    if (b->kind == IR_D_POINTER && t->kind == IR_D_TYPEDEF && t->name[0])
        outside_field(f, object, at, t->name);
    if (b->kind == IR_D_ARRAY) {
        uint64_t step = b->base == IR_NOTHING ? 0 : ir->types.at[b->base].size;
        for (uint64_t i = 0; i < b->count && i < 256; i++)
            outside_fields(f, object, b->base, at + (uint32_t)(i * step));
    }
    if (b->kind == IR_D_STRUCT || b->kind == IR_D_UNION)
        for (uint32_t i = 0; i < b->n; i++)
            outside_fields(f, object, b->members[i].type,
                           at + (uint32_t)(b->members[i].bit / 8));
}

static bool open_inbox(struct flow_inner *f, uint32_t cls, uint32_t msg)
{
    if (gen_seen(f, 8, cls, msg))
        return false;
    bool tagged = tag_of(f, cls, msg) != IR_NOTHING;
    uint32_t in = inbox_get(f, cls, msg, tagged ? TAG_ANY : TAG_NONE);
    edge_get(f, f->env, cls, FLOW_OUTSIDE, msg);
    fill_message(f, f->env, in, IR_NOTHING);
    outside_fields(f, f->inboxes.at[in].object, f->ir->msgs.at[msg].type, 0);
    if (f->ir->msgs.at[msg].reply) {
        struct flow_site nowhere = {f->env, IR_NOTHING, cls};
        add_asked(f, (struct asked){cls, msg, f->env,
                                    made_at(f, nowhere, OBJECT_REPLY)});
    }
    return true;
}

void open_class(struct flow_inner *f, uint32_t cls)
{
    create_class(f, cls);
    f->receptionist[cls] = true;
}

bool open_receptionists(struct flow_inner *f)
{
    bool any = false;
    for (uint32_t c = 0; c < f->ir->classes.n; c++)
        for (uint32_t b = 0; f->receptionist[c] && b < f->ir->behaviours.n;
             b++) {
            if (!f->reachable[b * (f->ir->classes.n + 1) + c])
                continue;
            const struct ir_behaviour *k = &f->ir->behaviours.at[b];
            for (uint32_t i = 0; i < k->n; i++)
                if (k->rows[i].msg != IR_NOTHING &&
                    open_inbox(f, c, k->rows[i].msg))
                    any = true;
        }
    gen_pending(f);
    return any;
}

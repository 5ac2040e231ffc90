// Messages and their receivers: inboxes, sends, asks and replies (see
// actors.c).
//
// All messages of one type that a class may get, of one tag if a tag tells them
// apart, are one inbox: an object that stands for each of them, and a node with
// those who may have sent one.
#include "flow/inner.h"

#include "base/hash.h"

// ---- inboxes ------------------------------------------------------------

static uint32_t msg_at(const struct flow_inner *f, uint32_t loc)
{
    const struct pts_object *o = pts_object_at(&f->pts, loc);
    return o->kind == OBJECT_GLOBAL ? ir_msg_of(f->ir, o->of) : IR_NOTHING;
}

// Message receiving.  With options.baseline every handler gets every message,
// as if the class had one handler for all (the onReceive of TAP's programs).
void inbox_dispatch(struct flow_inner *f, const struct inbox *in,
                    uint32_t behaviour)
{
    const struct ir_behaviour *b = &f->ir->behaviours.at[behaviour];
    uint32_t loc = pts_loc(&f->pts, in->object, 0);
    for (uint32_t i = 0; i < b->n; i++) {
        const struct ir_row *row = &b->rows[i];
        if (row->policy != 0 || row->fn == IR_NOTHING ||
            (row->msg != in->msg && !f->baseline))
            continue;
        actor_param(f, row->fn, in->cls, 1, state_loc(f, in->cls));
        actor_param(f, row->fn, in->cls, 2, loc);
        if (f->tag_offsets.n && f->ir->fns.at[row->fn]->defined)
            tag_arrives(f, instance_get(f, row->fn, in->cls), in->tag, loc);
    }
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

// The loop `op` over messages in flight sees the messages of this inbox.
static void flying(struct flow_inner *f, uint32_t op, const struct inbox *in)
{
    uint32_t result =
        value_node(f, f->ops.at[op].instance, f->ops.at[op].inst, 0);
    for (struct set_walk w = {.of = op_set(f, op, 1)}; set_next(&w);)
        if (msg_at(f, w.x) == in->msg)
            pts_add(&f->pts, result, pts_loc(&f->pts, in->object, 0));
}

uint32_t inbox_get(struct flow_inner *f, uint32_t cls, uint32_t msg,
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
            inbox_dispatch(f, &in, b);
    actor_param(f, m->drop, cls, 0, pts_loc(&f->pts, in.object, 0));
    return f->inboxes.n - 1;
}

void inbox_fill(struct flow_inner *f, uint32_t from, uint32_t inbox,
                uint32_t payload)
{
    struct inbox in = f->inboxes.at[inbox];
    const struct ir_msg *m = &f->ir->msgs.at[in.msg];
    struct pts_loc to = {in.object, 0};
    pts_add(&f->pts, in.sender, actor_ref(f, from));
    if (payload == IR_NOTHING)
        return;
    enum object_kind kind =
        (enum object_kind)pts_object_at(&f->pts, payload)->kind;
    if (kind == OBJECT_FUNCTION || kind == OBJECT_REF || kind == OBJECT_NUMBER)
        return;
    pts_copy_range(&f->pts, to, pts_place(&f->pts, payload),
                   m->size ? m->size : UINT32_MAX);
    actor_param(f, m->copy, from, 0, pts_loc(&f->pts, in.object, 0));
    actor_param(f, m->copy, from, 1, payload);
}

// The payload goes to the inbox of its tag, once for each value of the tag that
// the analysis finds.
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

void deliver_tagged(struct flow_inner *f, uint32_t index, uint32_t loc)
{
    struct tagged t = f->tagged.at[index];
    if (pts_object_at(&f->pts, loc)->kind != OBJECT_NUMBER)
        return;
    int64_t tag = TAG_ANY;
    if (loc != f->any_number)
        tag = pts_at(&f->pts, loc).offset;
    inbox_fill(f, t.from, inbox_get(f, t.cls, t.msg, tag), t.payload);
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
        inbox_fill(f, from, inbox_get(f, cls, msg, TAG_NONE), payload);
    else if (payload != IR_NOTHING &&
             pts_object_at(&f->pts, payload)->kind == OBJECT_LOCAL)
        deliver_by_tag(f, op, from, cls, msg, payload, tag);
    else if (payload != IR_NOTHING)
        inbox_fill(f, from, inbox_get(f, cls, msg, TAG_ANY), payload);
}

// If the analysis found no value for the tag of a payload, it may have any.
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
        inbox_fill(f, t.from, inbox_get(f, t.cls, t.msg, TAG_ANY), t.payload);
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
    edge_add(f, op, from, to, r.kind, msg);
    deliver(f, op, from, to, msg, payload);
    if (op_inst(f, op)->op == IR_ASK)
        ask_of(f, op, to, msg);
}

void send_all(struct flow_inner *f, uint32_t op)
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
        edge_add(f, op, a->cls, a->from, FLOW_REPLY, a->msg);
        for (struct set_walk p = {.of = &payloads}; set_next(&p);)
            if (pts_object_at(&f->pts, p.x)->kind != OBJECT_NUMBER)
                pts_copy_range(&f->pts, (struct pts_loc){a->reply, 0},
                               pts_place(&f->pts, p.x), UINT32_MAX);
    }
    set_free(&msgs);
    set_free(&payloads);
    set_free(&x);
}

void asked_add(struct flow_inner *f, struct asked a)
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
    uint32_t reply = object_made_at(f, s, OBJECT_REPLY);
    asked_add(f, (struct asked){cls, msg, s.ctx, reply});
}

void answer_all(struct flow_inner *f, uint32_t op)
{
    for (uint32_t i = 0; i < f->asked.n; i++) {
        struct asked a = f->asked.at[i];
        answer(f, op, &a);
    }
}

void gen_reply(struct flow_inner *f, uint32_t op)
{
    vec_push(&f->answers, op);
    op_watch(f, op, 1);
    op_watch(f, op, 2);
}

// ---- operations that read inboxes ---------------------------------------

// In a handler, those who send its own messages; elsewhere, all senders.
void gen_sender(struct flow_inner *f, uint32_t op)
{
    struct flow_site s = op_site(f, op);
    if (s.ctx == f->env)
        return;
    if (!f->ir->fns.at[s.fn]->is_handler || f->baseline) {
        pts_copy(&f->pts, f->sender[s.ctx], op_result(f, op));
        return;
    }
    vec_push(&f->sender_ops, op);
    for (uint32_t i = 0; i < f->inboxes.n; i++)
        sender_of_inbox(f, op, i);
}

void flying_all(struct flow_inner *f, uint32_t op)
{
    for (uint32_t i = 0; i < f->inboxes.n; i++) {
        struct inbox in = f->inboxes.at[i];
        flying(f, op, &in);
    }
}

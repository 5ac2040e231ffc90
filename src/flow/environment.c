// The environment: whatever is outside may know each receptionist, and may send
// it any message that it has a row for, with any reference to a receptionist in
// it.
#include "flow/inner.h"

#include <string.h>

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
            pts_add(&f->pts, cell, actor_ref(f, c));
    }
    pts_add(&f->pts, cell, actor_ref(f, f->env));
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
    inbox_fill(f, f->env, in, IR_NOTHING);
    outside_fields(f, f->inboxes.at[in].object, f->ir->msgs.at[msg].type, 0);
    if (f->ir->msgs.at[msg].reply) {
        struct flow_site nowhere = {f->env, IR_NOTHING, cls};
        asked_add(f, (struct asked){cls, msg, f->env,
                                    object_made_at(f, nowhere, OBJECT_REPLY)});
    }
    return true;
}

void open_class(struct flow_inner *f, uint32_t cls)
{
    actor_create(f, cls);
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

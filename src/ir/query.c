// Questions about a program that need no more than a look.
#include "ir/ir.h"

#include "base/libc.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *text;
    enum ir_group group;
} ops[IR_OPS_N] = {
#define IR_OP_(name, text, group) {text, IR_G_##group},
    IR_OPS(IR_OP_)
#undef IR_OP_
};

const char *ir_op_text(enum ir_op op)
{
    return ops[op].text;
}

enum ir_group ir_op_group(enum ir_op op)
{
    return ops[op].group;
}

static const struct {
    const char *id, *text;
} traps[IR_TRAPS_N] = {
#define IR_TRAP_(name, id, text) {id, text},
    IR_TRAPS(IR_TRAP_)
#undef IR_TRAP_
};

const char *ir_trap_id(enum ir_trap t)
{
    return traps[t].id;
}

const char *ir_trap_text(enum ir_trap t)
{
    return traps[t].text;
}

const char *ir_math_text(enum ir_math m)
{
    static const char *const texts[IR_MATHS_N] = {
#define IR_MATH_(name, text) text,
        IR_MATHS(IR_MATH_)
#undef IR_MATH_
    };
    return texts[m];
}

struct ir_type ir_type_of(const struct ir *ir, const struct ir_fn *f, ir_id v)
{
    if (v == IR_NOTHING)
        return (struct ir_type){IR_VOID, 0};
    return ir_is_const(v) ? ir_const_at(ir, v)->type : f->insts.at[v].type;
}

uint32_t ir_as_fn(const struct ir *ir, ir_id v)
{
    if (!ir_is_const(v) || ir_const_at(ir, v)->kind != IR_C_FUNCTION)
        return IR_NOTHING;
    return ir_const_at(ir, v)->index;
}

uint32_t ir_as_global(const struct ir *ir, ir_id v)
{
    if (!ir_is_const(v) || ir_const_at(ir, v)->kind != IR_C_GLOBAL ||
        ir_const_at(ir, v)->lo)
        return IR_NOTHING;
    return ir_const_at(ir, v)->index;
}

uint32_t ir_find_fn(const struct ir *ir, const char *name)
{
    for (uint32_t i = 0; i < ir->fns.n; i++)
        if (strcmp(ir->fns.at[i]->name, name) == 0)
            return i;
    return IR_NOTHING;
}

uint32_t ir_find_global(const struct ir *ir, const char *name)
{
    for (uint32_t i = 0; i < ir->globals.n; i++)
        if (strcmp(ir->globals.at[i].name, name) == 0)
            return i;
    return IR_NOTHING;
}

#define TABLE_OF(what, table)                                                  \
    uint32_t ir_##what##_of(const struct ir *ir, uint32_t global)              \
    {                                                                          \
        for (uint32_t i = 0; i < ir->table.n; i++)                             \
            if (ir->table.at[i].global == global)                              \
                return i;                                                      \
        return IR_NOTHING;                                                     \
    }
TABLE_OF(msg, msgs)
TABLE_OF(behaviour, behaviours)
TABLE_OF(class, classes)

uint32_t ir_find_class(const struct ir *ir, const char *name)
{
    for (uint32_t i = 0; i < ir->classes.n; i++)
        if (strcmp(ir->classes.at[i].name, name) == 0)
            return i;
    return IR_NOTHING;
}

uint32_t ir_bare_type(const struct ir *ir, uint32_t type)
{
    while (type != IR_NOTHING && ir->types.at[type].kind == IR_D_TYPEDEF)
        type = ir->types.at[type].base;
    return type;
}

// "client_protocol" is the class client; tr_any is anybody.
bool ir_is_actor(const struct ir *ir, uint32_t type, uint32_t *cls)
{
    type = ir_bare_type(ir, type);
    *cls = IR_NOTHING;
    if (type == IR_NOTHING || ir->types.at[type].kind != IR_D_UNION)
        return false;
    const char *name = ir->types.at[type].name;
    const char *end = strstr(name, "_protocol");
    if (strcmp(name, "tr_any") == 0)
        return true;
    if (!end || end[9])
        return false;
    for (uint32_t i = 0; i < ir->classes.n; i++)
        if (strlen(ir->classes.at[i].name) == (size_t)(end - name) &&
            strncmp(ir->classes.at[i].name, name, (size_t)(end - name)) == 0)
            *cls = i;
    return true;
}

// The definition if there is one, else a declaration.
uint32_t ir_find_struct(const struct ir *ir, const char *tag)
{
    uint32_t found = IR_NOTHING;
    for (uint32_t i = 0; i < ir->types.n; i++) {
        const struct ir_dtype *t = &ir->types.at[i];
        if (t->kind != IR_D_STRUCT && t->kind != IR_D_UNION)
            continue;
        if (strcmp(t->name, tag) == 0 && (t->n || found == IR_NOTHING))
            found = i;
        if (found == i && t->n)
            break;
    }
    return found;
}

// ---- paths to a byte ----------------------------------------------------

static uint64_t size_of(const struct ir *ir, uint32_t type)
{
    return type == IR_NOTHING ? 0 : ir->types.at[type].size;
}

static const struct ir_member *
member_at(const struct ir *ir, const struct ir_dtype *t, uint64_t byte)
{
    for (uint32_t i = 0; i < t->n; i++) {
        const struct ir_member *m = &t->members[i];
        uint64_t size =
            m->bits ? (m->bit % 8 + m->bits + 7) / 8 : size_of(ir, m->type);
        if (byte >= m->bit / 8 && byte < m->bit / 8 + size)
            return m;
    }
    return NULL;
}

static void append(char *out, size_t size, const char *s)
{
    size_t n = strlen(out);
    snprintf(out + n, size - n, "%s", s);
}

static void path_of(const struct ir *ir, uint32_t type, uint64_t byte,
                    bool numbers, char *out, size_t size)
{
    char index[24];
    out[0] = 0;
    for (type = ir_bare_type(ir, type); type != IR_NOTHING;
         type = ir_bare_type(ir, type)) {
        const struct ir_dtype *t = &ir->types.at[type];
        if (t->kind == IR_D_STRUCT || t->kind == IR_D_UNION) {
            const struct ir_member *m = member_at(ir, t, byte);
            if (!m)
                return;
            if (out[0] && m->name[0])
                append(out, size, ".");
            append(out, size, m->name);
            byte -= m->bit / 8;
            type = m->type;
        } else if (t->kind == IR_D_ARRAY && size_of(ir, t->base)) {
            snprintf(index, sizeof index, "[%llu]",
                     (unsigned long long)(byte / size_of(ir, t->base)));
            append(out, size, numbers ? index : "[]");
            byte %= size_of(ir, t->base);
            type = t->base;
        } else {
            return;
        }
    }
}

void ir_path(const struct ir *ir, uint32_t type, uint64_t byte, char *out,
             size_t size)
{
    path_of(ir, type, byte, false, out, size);
}

void ir_place(const struct ir *ir, uint32_t type, uint64_t byte, char *out,
              size_t size)
{
    path_of(ir, type, byte, true, out, size);
}

uint32_t ir_field_type(const struct ir *ir, uint32_t type, uint64_t byte)
{
    while (type != IR_NOTHING) {
        uint32_t bare = ir_bare_type(ir, type);
        if (bare == IR_NOTHING)
            break;
        const struct ir_dtype *t = &ir->types.at[bare];
        if (t->kind == IR_D_STRUCT || t->kind == IR_D_UNION) {
            const struct ir_member *m = member_at(ir, t, byte);
            if (!m)
                return IR_NOTHING;
            byte -= m->bit / 8;
            type = m->type;
        } else if (t->kind == IR_D_ARRAY && size_of(ir, t->base)) {
            byte %= size_of(ir, t->base);
            type = t->base;
        } else {
            break;
        }
    }
    return type;
}

const char *ir_type_at(const struct ir *ir, uint32_t type, uint64_t byte)
{
    uint32_t at = ir_field_type(ir, type, byte);
    return at == IR_NOTHING ? "" : ir->types.at[at].name;
}

// ---- calls of the C library ---------------------------------------------

// A format that is known and has no %n.
static bool writes_nothing(const struct ir *ir, ir_id format)
{
    if (!ir_is_const(format))
        return false;
    const struct ir_const *c = &ir->consts.at[ir_const_index(format)];
    const struct ir_global *g =
        c->kind == IR_C_GLOBAL ? &ir->globals.at[c->index] : NULL;
    if (!g || !g->constant || !g->bytes || g->n_relocs || c->lo >= g->size)
        return false;
    const char *at = (const char *)g->bytes + c->lo;
    size_t left = g->size - c->lo;
    if (!memchr(at, 0, left))
        return false;
    while ((at = strchr(at, '%'))) {
        at += 1 + strspn(at + 1, "0123456789$.*-+ #'IhlLqjzt");
        if (*at == 'n' || !*at)
            return false;
        at++;
    }
    return true;
}

bool ir_only_reads(const struct ir *ir, const struct ir_fn *caller,
                   const struct ir_inst *call)
{
    const ir_id *args = ir_args(caller, call);
    uint32_t to = ir_as_fn(ir, args[0]);
    const struct libc_row *row =
        to == IR_NOTHING ? NULL : libc_find(ir->fns.at[to]->name);
    if (!row || row->does & LIBC_READS)
        return row;
    for (uint32_t k = 0; k < 2 && k + 1 < call->n; k++)
        if (row->does & (k ? LIBC_FORMAT1 : LIBC_FORMAT0))
            return writes_nothing(ir, args[k + 1]);
    return false;
}

// ---- the call graph -----------------------------------------------------

static void mark_taken(const struct ir *ir, ir_id v, bool *taken)
{
    uint32_t f = ir_as_fn(ir, v);
    if (f != IR_NOTHING)
        taken[f] = true;
}

static void find_taken(const struct ir *ir, bool *taken)
{
    for (uint32_t g = 0; g < ir->globals.n; g++)
        for (uint32_t i = 0; i < ir->globals.at[g].n_relocs; i++)
            mark_taken(ir, ir->globals.at[g].relocs[i].value, taken);
    for (uint32_t k = 0; k < ir->fns.n; k++) {
        const struct ir_fn *f = ir->fns.at[k];
        for (uint32_t i = 0; i < f->insts.n; i++) {
            const struct ir_inst *in = &f->insts.at[i];
            for (uint32_t a = in->op == IR_CALL; a < in->n; a++)
                mark_taken(ir, ir_args(f, in)[a], taken);
        }
    }
}

static void add_indirect(const struct ir *ir, const struct ir_fn *f,
                         uint32_t inst, const bool *taken, struct ir_calls *out)
{
    uint32_t n = f->insts.at[inst].n - 1;
    for (uint32_t k = 0; k < ir->fns.n; k++) {
        const struct ir_fn *to = ir->fns.at[k];
        bool fits = to->n_params == n || (to->variadic && to->n_params <= n);
        if (taken[k] && to->defined && fits)
            vec_push(&out->at, ((struct ir_call){f->id, inst, k}));
    }
}

void ir_calls(const struct ir *ir, struct ir_calls *out)
{
    struct arena scratch = {0};
    bool *taken = arena_zero(&scratch, ir->fns.n + 1);
    find_taken(ir, taken);
    for (uint32_t k = 0; k < ir->fns.n; k++) {
        const struct ir_fn *f = ir->fns.at[k];
        for (uint32_t i = 0; i < f->insts.n; i++) {
            if (f->insts.at[i].op != IR_CALL)
                continue;
            uint32_t to = ir_as_fn(ir, ir_args(f, &f->insts.at[i])[0]);
            if (to != IR_NOTHING)
                vec_push(&out->at, ((struct ir_call){k, i, to}));
            else
                add_indirect(ir, f, i, taken, out);
        }
    }
    arena_free(&scratch);
}

void ir_calls_free(struct ir_calls *c)
{
    vec_free(&c->at);
}

void ir_spread(const struct ir *ir, bool *marked)
{
    struct ir_calls calls = {0};
    ir_calls(ir, &calls);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < calls.at.n; i++) {
            const struct ir_call *c = &calls.at.at[i];
            if (marked[c->caller] && !marked[c->callee])
                marked[c->callee] = again = true;
        }
        for (uint32_t k = 0; k < ir->fns.n; k++)
            for (uint32_t i = 0; marked[k] && i < ir->fns.at[k]->args.n; i++) {
                uint32_t f = ir_as_fn(ir, ir->fns.at[k]->args.at[i]);
                if (f != IR_NOTHING && !marked[f])
                    marked[f] = again = true;
            }
    }
    ir_calls_free(&calls);
}

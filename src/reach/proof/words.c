// Conditions of the program in the words of its source: from the IR, with the
// names of variables and fields that the debug information has.
#include "reach/proof/proof.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS_DEEP = 8, WORDS_ROOM = 200, INDICES_MOST = 4 };

struct wording {
    const struct ir *ir;
    const struct ir_fn *f;
    struct text *out;
    bool failed; // something has no name
};

static void say(struct wording *w, ir_id v, unsigned deep, bool nested);

static uint32_t pointee(const struct ir *ir, uint32_t type)
{
    uint32_t bare = ir_bare_type(ir, type);
    if (bare == IR_NOTHING || ir->types.at[bare].kind != IR_D_POINTER)
        return IR_NOTHING;
    return ir->types.at[bare].base;
}

// The members on the path, with an index for each "[]".
static void say_members(struct wording *w, const char *path, const ir_id *index,
                        uint32_t n, unsigned deep)
{
    for (const char *c = path; *c; c++) {
        if (c[0] == '[' && c[1] == ']' && n) {
            text_format(w->out, "[");
            say(w, index[--n], deep, false);
            text_format(w->out, "]");
            c++;
        } else {
            text_format(w->out, "%c", *c);
        }
    }
    w->failed |= n > 0;
}

// The type of the answer that a wait gives, IR_NOTHING: not known.
static uint32_t answer_type(const struct wording *w, const struct ir_inst *wait)
{
    ir_id ask = wait->n > 1 ? ir_args(w->f, wait)[1] : IR_NOTHING;
    if (ask == IR_NOTHING || ir_is_const(ask) ||
        w->f->insts.at[ask].op != IR_ASK)
        return IR_NOTHING;
    uint32_t g = ir_as_global(w->ir, ir_args(w->f, &w->f->insts.at[ask])[2]);
    uint32_t msg = g == IR_NOTHING ? g : ir_msg_of(w->ir, g);
    return msg == IR_NOTHING ? IR_NOTHING : w->ir->msgs.at[msg].reply_type;
}

// What lies at an address; its debug type, IR_NOTHING: unknown.
static uint32_t say_place(struct wording *w, ir_id v, unsigned deep)
{
    const struct ir *ir = w->ir;
    ir_id index[INDICES_MOST];
    uint32_t n = 0, type = IR_NOTHING;
    uint64_t byte = 0;
    char path[WORDS_ROOM];
    const struct ir_inst *i = NULL;
    while (!ir_is_const(v)) {
        i = &w->f->insts.at[v];
        if (i->op == IR_FIELD) {
            byte += (uint64_t)i->imm;
        } else if (i->op == IR_INDEX && n < INDICES_MOST) {
            if (ir_is_const(ir_args(w->f, i)[1]))
                byte +=
                    (uint64_t)i->imm * ir_const_at(ir, ir_args(w->f, i)[1])->lo;
            else
                index[n++] = ir_args(w->f, i)[1];
        } else {
            break;
        }
        v = ir_args(w->f, i)[0];
    }
    if (ir_is_const(v) || !deep) {
        w->failed = true;
        return IR_NOTHING;
    }
    if (i->op == IR_AWAIT || i->op == IR_GET) {
        type = answer_type(w, i);
        text_format(w->out, "%s", i->name ? i->name : "answer");
    } else if (i->op == IR_PARAM && v + 1 < w->f->n_types && i->name) {
        type = pointee(ir, w->f->types[v + 1]);
        text_format(w->out, "%s", i->name);
    } else if (i->op == IR_LOAD) {
        type = pointee(ir, say_place(w, ir_args(w->f, i)[0], deep - 1));
    } else {
        w->failed = true;
    }
    if (type == IR_NOTHING) {
        w->failed = true;
        return IR_NOTHING;
    }
    uint32_t bare = ir_bare_type(ir, type);
    bool members =
        bare != IR_NOTHING && (ir->types.at[bare].kind == IR_D_STRUCT ||
                               ir->types.at[bare].kind == IR_D_UNION);
    (n ? ir_path : ir_place)(ir, type, byte, path, sizeof path);
    if (members && path[0]) {
        text_format(w->out, "->");
        say_members(w, path, index, n, deep - 1);
    } else if (n == 1) {
        say_members(w, "[]", index, n, deep - 1);
    } else if (n == 0 && !byte) {
        text_format(w->out, "[0]");
    } else {
        w->failed = true;
    }
    return ir_field_type(ir, type, byte);
}

static void say_const(struct wording *w, ir_id v)
{
    const struct ir_const *c = ir_const_at(w->ir, v);
    unsigned bits = c->type.bits;
    switch (c->kind) {
    case IR_C_INT:
        if (c->type.kind == IR_PTR)
            text_format(w->out, "NULL");
        else if (bits && bits < 64 && c->lo >> (bits - 1) & 1)
            text_format(w->out, "%lld",
                        (long long)(c->lo | ~UINT64_C(0) << bits));
        else
            text_format(w->out, "%lld", (long long)c->lo);
        break;
    case IR_C_FLOAT: {
        double d = 0;
        float f = 0;
        memcpy(&f, &c->lo, sizeof f);
        memcpy(&d, &c->lo, sizeof d);
        text_format(w->out, "%.17g", bits == 32 ? (double)f : d);
        break;
    }
    case IR_C_FUNCTION:
        text_format(w->out, "%s", w->ir->fns.at[c->index]->name);
        break;
    case IR_C_GLOBAL:
        text_format(w->out, "%s", w->ir->globals.at[c->index].name);
        break;
    default:
        if (c->type.kind == IR_PTR)
            text_format(w->out, "NULL");
        else
            w->failed = true;
    }
}

static const char *sign_of(const struct ir_inst *i, bool holds)
{
    static const char *const floats[8] = {
        "", "==", ">", ">=", "<", "<=", "!=", ""};
    switch ((enum ir_op)i->op) {
    case IR_ADD:
    case IR_FADD:
        return "+";
    case IR_SUB:
    case IR_FSUB:
        return "-";
    case IR_MUL:
    case IR_FMUL:
        return "*";
    case IR_UDIV:
    case IR_SDIV:
    case IR_FDIV:
        return "/";
    case IR_UREM:
    case IR_SREM:
        return "%";
    case IR_SHL:
        return "<<";
    case IR_LSHR:
    case IR_ASHR:
        return ">>";
    case IR_AND:
        return "&";
    case IR_OR:
        return "|";
    case IR_XOR:
        return "^";
    case IR_EQ:
        return holds ? "==" : "!=";
    case IR_NE:
        return holds ? "!=" : "==";
    case IR_ULT:
    case IR_SLT:
        return holds ? "<" : ">=";
    case IR_ULE:
    case IR_SLE:
        return holds ? "<=" : ">";
    case IR_FCMP:
        return floats[i->sub & 7];
    default:
        return "";
    }
}

// Of a comparison whose sides change places, NULL: it is none.
static const char *sign_of_turned(const struct ir_inst *i, bool holds)
{
    switch ((enum ir_op)i->op) {
    case IR_ULT:
    case IR_SLT:
        return holds ? ">" : "<=";
    case IR_ULE:
    case IR_SLE:
        return holds ? ">=" : "<";
    default:
        return NULL;
    }
}

static void say_call(struct wording *w, const struct ir_inst *i, unsigned deep)
{
    uint32_t to = ir_as_fn(w->ir, ir_args(w->f, i)[0]);
    if (to == IR_NOTHING) {
        w->failed = true;
        return;
    }
    text_format(w->out, "%s(", w->ir->fns.at[to]->name);
    for (uint32_t k = 1; k < i->n; k++) {
        text_format(w->out, "%s", k > 1 ? ", " : "");
        ir_id a = ir_args(w->f, i)[k];
        bool place = !ir_is_const(a) && (w->f->insts.at[a].op == IR_FIELD ||
                                         w->f->insts.at[a].op == IR_INDEX);
        if (place)
            say_place(w, a, deep);
        else
            say(w, a, deep, false);
    }
    text_format(w->out, ")");
}

static void say_two(struct wording *w, const struct ir_inst *i, bool holds,
                    unsigned deep, bool nested)
{
    const char *sign = sign_of(i, holds);
    if (!sign[0]) {
        w->failed = true;
        return;
    }
    // A reader has the constant on the right.
    bool turned = sign_of_turned(i, holds) && ir_is_const(ir_args(w->f, i)[0]);
    text_format(w->out, nested ? "(" : "");
    say(w, ir_args(w->f, i)[turned], deep, true);
    text_format(w->out, " %s ", turned ? sign_of_turned(i, holds) : sign);
    say(w, ir_args(w->f, i)[!turned], deep, true);
    text_format(w->out, nested ? ")" : "");
}

static void say(struct wording *w, ir_id v, unsigned deep, bool nested)
{
    if (v == IR_NOTHING || !deep--) {
        w->failed = true;
        return;
    }
    if (ir_is_const(v)) {
        say_const(w, v);
        return;
    }
    const struct ir_inst *i = &w->f->insts.at[v];
    switch ((enum ir_op)i->op) {
    case IR_LOAD:
        if (i->name)
            text_format(w->out, "%s", i->name);
        else
            say_place(w, ir_args(w->f, i)[0], deep);
        break;
    case IR_CALL:
        say_call(w, i, deep);
        break;
    case IR_TRUNC:
    case IR_ZEXT:
    case IR_SEXT:
    case IR_FPTOUI:
    case IR_FPTOSI:
    case IR_UITOFP:
    case IR_SITOFP:
    case IR_FPCONV:
    case IR_BITS:
        say(w, ir_args(w->f, i)[0], deep, nested);
        break;
    default:
        if (i->name)
            text_format(w->out, "%s", i->name);
        else if (i->n == 2)
            say_two(w, i, true, deep, nested);
        else
            w->failed = true;
    }
}

static bool is_comparison(const struct ir_inst *i)
{
    return i->op >= IR_EQ && i->op <= IR_SLE;
}

// A number that is tested for zero: the comparison itself, or "x".
static void say_condition(struct wording *w, ir_id v, bool holds)
{
    const struct ir_inst *i = ir_is_const(v) ? NULL : &w->f->insts.at[v];
    // "flag ? 1 : 0" of a bool is that bool.
    while (i && (i->op == IR_TRUNC || i->op == IR_ZEXT) &&
           !ir_is_const(ir_args(w->f, i)[0])) {
        v = ir_args(w->f, i)[0];
        i = &w->f->insts.at[v];
    }
    if (i && is_comparison(i)) {
        say_two(w, i, holds, WORDS_DEEP, false);
        return;
    }
    text_format(w->out, holds ? "" : "!(");
    if (i && i->op == IR_FCMP)
        say_two(w, i, true, WORDS_DEEP, false);
    else
        say(w, v, WORDS_DEEP, false);
    text_format(w->out, holds ? "" : ")");
}

static void say_label(struct wording *w, const struct ir_inst *i, uint32_t side)
{
    say(w, ir_args(w->f, i)[0], WORDS_DEEP, false);
    if (side) {
        text_format(w->out, " == ");
        say_const(w, ir_args(w->f, i)[side]);
    } else {
        text_format(w->out, " is none of the labels:");
    }
    for (uint32_t k = 1; !side && k < i->n; k++) {
        text_format(w->out, k > 1 ? ", " : " ");
        say_const(w, ir_args(w->f, i)[k]);
    }
}

bool words_of_side(const struct ir *ir, const struct ir_fn *f, uint32_t block,
                   uint32_t side, struct text *out)
{
    const struct ir_block *b = &f->blocks.at[block];
    const struct ir_inst *i = &f->insts.at[b->first + b->n - 1];
    struct text words = {0};
    struct wording w = {.ir = ir, .f = f, .out = &words};
    if (i->op == IR_BRANCH)
        say_condition(&w, ir_args(f, i)[0], side == 0);
    else if (i->op == IR_SWITCH)
        say_label(&w, i, side);
    else
        w.failed = true;
    if (!w.failed && words.n <= WORDS_ROOM)
        text_format(out, "%s", text_get(&words));
    bool said = !w.failed && words.n && words.n <= WORDS_ROOM;
    if (said && i->line)
        text_format(out, " (line %u)", i->line);
    text_free(&words);
    return said;
}

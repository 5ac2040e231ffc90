// The IR as text for people.
//
//     fn client_deposit(ptr ctx, ptr self, ptr msg)            bank.c:25
//       b0:
//         %3 = load f64 [msg]                                       ; 26
//
// Values are called by the source variable where that is unambiguous, else by
// number; a global by its name, a message descriptor by @msg:deposit.
#include "ir/ir.h"

#include <inttypes.h>
#include <string.h>

static void print_type(struct ir_type t, FILE *to)
{
    static const char *const letters[] = {
        [IR_INT] = "i", [IR_FLOAT] = "f", [IR_BLOB] = "b"};
    if (t.kind == IR_PTR)
        fprintf(to, "ptr");
    else if (t.kind == IR_VOID)
        fprintf(to, "void");
    else if (t.kind == IR_NONE)
        fprintf(to, "?");
    else
        fprintf(to, "%s%d", letters[t.kind], t.bits);
}

static void print_float(const struct ir_const *c, FILE *to)
{
    double d;
    float f;
    if (c->type.bits == 64) {
        memcpy(&d, &c->lo, 8);
        fprintf(to, "%.17g", d);
    } else if (c->type.bits == 32) {
        memcpy(&f, &c->lo, 4);
        fprintf(to, "%.9g", (double)f);
    } else {
        fprintf(to, "0x%04" PRIx64 ":%016" PRIx64, c->hi, c->lo);
    }
}

static void print_int(const struct ir_const *c, FILE *to)
{
    uint64_t x = c->lo;
    if (c->type.kind == IR_PTR) {
        fprintf(to, x ? "0x%" PRIx64 : "null", x);
    } else if (c->type.bits == 1) {
        fprintf(to, x ? "true" : "false");
    } else if (c->type.bits <= 64) {
        unsigned shift = 64 - c->type.bits;
        fprintf(to, "%" PRId64, (int64_t)(x << shift) >> shift);
    } else {
        fprintf(to, "0x%" PRIx64 "%016" PRIx64, c->hi, x);
    }
}

static void print_global(const struct ir *ir, uint32_t g, int64_t offset,
                         FILE *to)
{
    uint32_t m = ir_msg_of(ir, g);
    if (m != IR_NOTHING)
        fprintf(to, "@msg:%s", ir->msgs.at[m].name);
    else
        fprintf(to, "@%s", ir->globals.at[g].name);
    if (offset)
        fprintf(to, "%+" PRId64, offset);
}

static void print_const(const struct ir *ir, ir_id v, FILE *to)
{
    const struct ir_const *c = ir_const_at(ir, v);
    switch ((enum ir_const_kind)c->kind) {
    case IR_C_INT:
        print_int(c, to);
        break;
    case IR_C_FLOAT:
        print_float(c, to);
        break;
    case IR_C_GLOBAL:
        print_global(ir, c->index, (int64_t)c->lo, to);
        break;
    case IR_C_FUNCTION:
        fprintf(to, "@%s", ir->fns.at[c->index]->name);
        break;
    case IR_C_UNDEF:
        fprintf(to, "undef");
        break;
    case IR_C_BLOB:
        fprintf(to, "{0x%" PRIx64 ":%" PRIx64 "}", c->hi, c->lo);
        break;
    }
}

// Parameters are the only values whose variable's name is surely theirs alone.
static void print_value(const struct ir *ir, const struct ir_fn *f, ir_id v,
                        FILE *to)
{
    if (v == IR_NOTHING)
        fprintf(to, "nothing");
    else if (ir_is_const(v))
        print_const(ir, v, to);
    else if (f->insts.at[v].op == IR_PARAM && f->insts.at[v].name)
        fprintf(to, "%%%s", f->insts.at[v].name);
    else
        fprintf(to, "%%%u", v);
}

static void print_succs(const struct ir *ir, const struct ir_fn *f,
                        uint32_t inst, FILE *to)
{
    const struct ir_block *b = &f->blocks.at[ir_block_of(f, inst)];
    const struct ir_inst *in = &f->insts.at[inst];
    const uint32_t *s = ir_succs(f, b);
    if (in->op == IR_JUMP)
        fprintf(to, " b%u", s[0]);
    if (in->op == IR_BRANCH)
        fprintf(to, " ? b%u : b%u", s[0], s[1]);
    for (uint32_t i = 1; in->op == IR_SWITCH && i < b->n_succs; i++) {
        fprintf(to, i > 1 ? ", " : " { ");
        print_value(ir, f, ir_args(f, in)[i], to);
        fprintf(to, ": b%u", s[i]);
    }
    if (in->op == IR_SWITCH)
        fprintf(to, "%selse: b%u }", b->n_succs > 1 ? ", " : " { ", s[0]);
}

// What stands between the operation and its arguments.
static void print_detail(const struct ir_inst *in, FILE *to)
{
    static const char *const relations[] = {
        "false", "==",  ">",  ">=",  "<",  "<=",  "<>", "ord",
        "uno",   "?==", "?>", "?>=", "?<", "?<=", "!=", "true"};
    if (in->op == IR_FCMP)
        fprintf(to, " %s", relations[in->sub & 15]);
    if (in->op == IR_MATH)
        fprintf(to, " %s", ir_math_text((enum ir_math)in->sub));
    if (in->op == IR_OVERFLOW)
        fprintf(to, " %s%s", in->flags & IR_NSW ? "s" : "u",
                ir_op_text((enum ir_op)in->sub));
    if (in->op == IR_TRAP)
        fprintf(to, " %s", ir_trap_id((enum ir_trap)in->sub));
    if (in->op == IR_ALLOCA)
        fprintf(to, " %" PRId64 " bytes", in->imm);
    if (in->flags & IR_VOLATILE)
        fprintf(to, " volatile");
    if (in->text)
        fprintf(to, " \"%s\"", in->text);
}

static void print_args(const struct ir *ir, const struct ir_fn *f,
                       const struct ir_inst *in, FILE *to)
{
    uint32_t n = in->op == IR_SWITCH ? 1 : in->n;
    for (uint32_t i = 0; i < n; i++) {
        fprintf(to, i ? ", " : " ");
        print_value(ir, f, ir_args(f, in)[i], to);
    }
    if (in->op == IR_FIELD || in->op == IR_EXTRACT || in->op == IR_INSERT)
        fprintf(to, " at %" PRId64, in->imm);
    if (in->op == IR_INDEX)
        fprintf(to, " of %" PRId64, in->imm);
    if (in->op == IR_INDEX && in->count)
        fprintf(to, " below %u", in->count);
}

void ir_print_inst(const struct ir *ir, const struct ir_fn *f, uint32_t inst,
                   FILE *to)
{
    const struct ir_inst *in = &f->insts.at[inst];
    bool result = in->type.kind != IR_VOID && in->op != IR_STORE;
    fprintf(to, "    ");
    if (result)
        fprintf(to, "%%%u = ", inst);
    fprintf(to, "%s", ir_op_text((enum ir_op)in->op));
    if (in->type.kind != IR_VOID) {
        fprintf(to, " ");
        print_type(in->type, to);
    }
    print_detail(in, to);
    print_args(ir, f, in, to);
    print_succs(ir, f, inst, to);
    if (in->name && in->op != IR_PARAM)
        fprintf(to, "  (%s)", in->name);
    if (in->line)
        fprintf(to, "  ; %u:%u", in->line, in->column);
    fprintf(to, "\n");
}

static void print_head(const struct ir *ir, const struct ir_fn *f, FILE *to)
{
    fprintf(to, "fn %s(", f->name);
    for (uint32_t i = 0; i < f->n_params; i++) {
        fprintf(to, i ? ", " : "");
        if (f->defined) {
            print_type(f->insts.at[i].type, to);
            fprintf(to, " ");
            print_value(ir, f, i, to);
        } else {
            fprintf(to, "_");
        }
    }
    fprintf(to, "%s) -> ", f->variadic ? ", ..." : "");
    print_type(f->result, to);
    if (f->line)
        fprintf(to, "  ; %s:%u", ir->files.at[f->file], f->line);
    fprintf(to, "%s\n", f->is_handler ? ", handler" : "");
}

void ir_print_fn(const struct ir *ir, const struct ir_fn *f, FILE *to)
{
    print_head(ir, f, to);
    for (uint32_t b = 0; b < f->blocks.n; b++) {
        const struct ir_block *k = &f->blocks.at[b];
        fprintf(to, "  b%u:", b);
        for (uint32_t i = 0; i < k->n_preds; i++)
            fprintf(to, "%sb%u", i ? ", " : "  ; from ", ir_preds(f, k)[i]);
        if (k->loop == b)
            fprintf(to, "; loop");
        fprintf(to, "\n");
        for (uint32_t i = 0; i < k->n; i++)
            ir_print_inst(ir, f, k->first + i, to);
    }
    fprintf(to, "\n");
}

static void print_behaviour(const struct ir *ir, uint32_t b, FILE *to)
{
    static const char *const policies[] = {"run", "defer", "ignore"};
    const struct ir_behaviour *k = &ir->behaviours.at[b];
    fprintf(to, "behaviour %s (@%s)\n", k->name,
            ir->globals.at[k->global].name);
    for (uint32_t i = 0; i < k->n; i++) {
        const struct ir_row *r = &k->rows[i];
        fprintf(to, "  on %s %s",
                r->msg == IR_NOTHING ? "?" : ir->msgs.at[r->msg].name,
                policies[r->policy > 2 ? 0 : r->policy]);
        if (r->fn != IR_NOTHING)
            fprintf(to, " %s", ir->fns.at[r->fn]->name);
        fprintf(to, "\n");
    }
}

void ir_print(const struct ir *ir, FILE *to)
{
    for (uint32_t i = 0; i < ir->msgs.n; i++)
        fprintf(to, "message %s, %u bytes%s%s\n", ir->msgs.at[i].name,
                ir->msgs.at[i].size,
                ir->msgs.at[i].reply ? ", answered with " : "",
                ir->msgs.at[i].reply ? ir->msgs.at[i].reply : "");
    for (uint32_t i = 0; i < ir->behaviours.n; i++)
        print_behaviour(ir, i, to);
    for (uint32_t i = 0; i < ir->classes.n; i++) {
        const struct ir_class *c = &ir->classes.at[i];
        fprintf(to, "class %s, %u bytes, starts %s\n", c->name, c->size,
                c->start == IR_NOTHING ? "nowhere"
                                       : ir->behaviours.at[c->start].name);
    }
    for (uint32_t i = 0; i < ir->systems.n; i++)
        fprintf(to, "system %s\n", ir->systems.at[i].name);
    for (uint32_t i = 0; i < ir->tests.n; i++)
        fprintf(to, "test %s\n", ir->tests.at[i].name);
    fprintf(to, "\n");
    for (uint32_t i = 0; i < ir->fns.n; i++)
        if (ir->fns.at[i]->defined)
            ir_print_fn(ir, ir->fns.at[i], to);
}

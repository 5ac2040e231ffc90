// C declarations are written from the inside out: the name first, and what
// stands left and right of it with every step towards the base type.
#include "unit/spell.h"

#include "base/text.h"
#include "ir/ir.h"

#include <string.h>

enum { DEPTH_MOST = 32 };

struct speller {
    const struct ir *ir;
    uint32_t unnamed[DEPTH_MOST]; // types being looked for, outermost first
    uint32_t n;
};

static bool declare(struct speller *s, uint32_t type, struct text *middle,
                    struct text *to);

static void qualifiers(uint8_t q, struct text *to)
{
    if (q & IR_Q_CONST)
        text_add(to, "const ");
    if (q & IR_Q_VOLATILE)
        text_add(to, "volatile ");
    if (q & IR_Q_RESTRICT)
        text_add(to, "restrict ");
    if (q & IR_Q_ATOMIC)
        text_add(to, "_Atomic ");
}

// Put text before and after what t holds.
static void around(struct text *t, const char *before, const char *after)
{
    struct text all = {0};
    text_format(&all, "%s%s%s", before, text_get(t), after);
    text_free(t);
    *t = all;
}

static bool is_array_or_function(const struct ir *ir, uint32_t type)
{
    if (type == IR_NOTHING)
        return false;
    uint8_t kind = ir->types.at[type].kind;
    return kind == IR_D_ARRAY || kind == IR_D_FUNCTION;
}

static void base_and_name(const char *base, const struct text *middle,
                          struct text *to)
{
    const char *m = text_get(middle);
    text_format(to, "%s%s%s", base, *m && *m != '[' ? " " : "", m);
}

// ---- types without a name -------------------------------------------------

// Does `from` lead to `to` by arrays and pointers?  How many: one [0] each.
static bool leads(const struct ir *ir, uint32_t from, uint32_t to,
                  uint32_t *steps)
{
    for (*steps = 0; *steps < 8; ++*steps) {
        from = ir_bare_type(ir, from);
        if (from == to)
            return true;
        if (from == IR_NOTHING || (ir->types.at[from].kind != IR_D_ARRAY &&
                                   ir->types.at[from].kind != IR_D_POINTER))
            return false;
        from = ir->types.at[from].base;
    }
    return false;
}

static void add_steps(uint32_t steps, struct text *to)
{
    while (steps--)
        text_add(to, "[0]");
}

static bool through_member(struct speller *s, uint32_t holder, uint32_t type,
                           struct text *to)
{
    const struct ir_dtype *t = &s->ir->types.at[holder];
    uint32_t steps;
    for (uint32_t i = 0; i < t->n; i++) {
        struct text name = {0}, star = {0};
        if (!t->members[i].name[0] || t->members[i].bits ||
            !leads(s->ir, t->members[i].type, type, &steps))
            continue;
        text_add(&star, "*");
        bool ok = declare(s, holder, &star, &name);
        if (ok) {
            text_format(to, "((%s)0)->%s", text_get(&name), t->members[i].name);
            add_steps(steps, to);
        }
        text_free(&name);
        text_free(&star);
        if (ok)
            return true;
    }
    return false;
}

// An expression of this type: a global, or a member of a type with a name.
static bool reach(struct speller *s, uint32_t type, struct text *to)
{
    const struct ir *ir = s->ir;
    uint32_t steps;
    for (uint32_t g = 0; g < ir->globals.n; g++) {
        const struct ir_global *v = &ir->globals.at[g];
        if (v->type == IR_NOTHING || strpbrk(v->name, ".$") ||
            !leads(ir, v->type, type, &steps))
            continue;
        text_add(to, v->name);
        add_steps(steps, to);
        return true;
    }
    for (uint32_t i = 0; i < ir->types.n; i++)
        if ((ir->types.at[i].kind == IR_D_STRUCT ||
             ir->types.at[i].kind == IR_D_UNION) &&
            through_member(s, i, type, to))
            return true;
    return false;
}

static uint32_t named_as(const struct ir *ir, uint32_t type)
{
    for (uint32_t i = 0; i < ir->types.n; i++) {
        const struct ir_dtype *t = &ir->types.at[i];
        if (t->kind == IR_D_TYPEDEF && !t->qualifiers && t->name[0] &&
            !t->local && t->base == type)
            return i;
    }
    return IR_NOTHING;
}

static bool unnamed(struct speller *s, uint32_t type, const struct text *middle,
                    struct text *to)
{
    uint32_t as = named_as(s->ir, type);
    if (as != IR_NOTHING) {
        base_and_name(s->ir->types.at[as].name, middle, to);
        return true;
    }
    for (uint32_t i = 0; i < s->n; i++)
        if (s->unnamed[i] == type)
            return false;
    if (s->n == DEPTH_MOST)
        return false;
    struct text e = {0};
    s->unnamed[s->n++] = type;
    bool ok = reach(s, type, &e);
    s->n--;
    if (ok) {
        around(&e, "__typeof__(", ")");
        base_and_name(text_get(&e), middle, to);
    }
    text_free(&e);
    return ok;
}

static bool record(struct speller *s, uint32_t type, const struct text *middle,
                   struct text *to)
{
    const struct ir_dtype *t = &s->ir->types.at[type];
    static const char *const words[] = {
        [IR_D_STRUCT] = "struct", [IR_D_UNION] = "union", [IR_D_ENUM] = "enum"};
    if (t->local)
        return false;
    if (!t->name[0])
        return unnamed(s, type, middle, to);
    struct text base = {0};
    text_format(&base, "%s %s", words[t->kind], t->name);
    base_and_name(text_get(&base), middle, to);
    text_free(&base);
    return true;
}

// ---- all types ------------------------------------------------------------

static bool parameters(struct speller *s, const struct ir_dtype *t,
                       struct text *to)
{
    text_add(to, "(");
    for (uint32_t i = 0; i < t->n; i++) {
        struct text none = {0};
        if (i)
            text_add(to, ", ");
        bool ok = declare(s, t->members[i].type, &none, to);
        text_free(&none);
        if (!ok)
            return false;
    }
    text_add(to, t->variadic ? ", ...)" : t->n ? ")" : "void)");
    return true;
}

static bool pointer(struct speller *s, uint32_t to_type, struct text *middle,
                    struct text *to)
{
    if (is_array_or_function(s->ir, to_type))
        around(middle, "(*", ")");
    else
        around(middle, "*", "");
    return declare(s, to_type, middle, to);
}

static bool array(struct speller *s, const struct ir_dtype *t,
                  struct text *middle, struct text *to)
{
    if (t->count)
        text_format(middle, "[%llu]", (unsigned long long)t->count);
    else
        text_add(middle, "[]");
    return declare(s, t->base, middle, to);
}

static bool function(struct speller *s, const struct ir_dtype *t,
                     struct text *middle, struct text *to)
{
    return parameters(s, t, middle) && declare(s, t->base, middle, to);
}

// A qualifier stands left of a base type, and behind the star of a pointer.
static bool qualified(struct speller *s, const struct ir_dtype *t,
                      struct text *middle, struct text *to)
{
    struct text q = {0};
    bool behind =
        t->base != IR_NOTHING && s->ir->types.at[t->base].kind == IR_D_POINTER;
    qualifiers(t->qualifiers, &q);
    if (behind)
        around(middle, text_get(&q), "");
    else
        text_add(to, text_get(&q));
    text_free(&q);
    return declare(s, t->base, middle, to);
}

static bool declare(struct speller *s, uint32_t type, struct text *middle,
                    struct text *to)
{
    if (type == IR_NOTHING) {
        base_and_name("void", middle, to);
        return true;
    }
    const struct ir_dtype *t = &s->ir->types.at[type];
    switch ((enum ir_dkind)t->kind) {
    case IR_D_TYPEDEF:
        if (t->qualifiers)
            return qualified(s, t, middle, to);
        if (t->local)
            return declare(s, t->base, middle, to);
        base_and_name(t->name, middle, to);
        return true;
    case IR_D_POINTER:
        return pointer(s, t->base, middle, to);
    case IR_D_ARRAY:
        return array(s, t, middle, to);
    case IR_D_FUNCTION:
        return function(s, t, middle, to);
    case IR_D_STRUCT:
    case IR_D_UNION:
    case IR_D_ENUM:
        return record(s, type, middle, to);
    case IR_D_SIGNED:
    case IR_D_UNSIGNED:
    case IR_D_BOOL:
    case IR_D_FLOAT:
        base_and_name(t->name, middle, to);
        return true;
    case IR_D_OTHER:
        return false;
    }
    return false;
}

static bool spell_middle(const struct ir *ir, uint32_t type,
                         struct text *middle, struct text *to)
{
    struct speller s = {.ir = ir};
    struct text out = {0};
    bool ok = declare(&s, type, middle, &out);
    if (ok)
        text_add(to, text_get(&out));
    text_free(&out);
    text_free(middle);
    return ok;
}

bool spell(const struct ir *ir, uint32_t type, const char *name,
           struct text *to)
{
    struct text middle = {0};
    text_add(&middle, name);
    return spell_middle(ir, type, &middle, to);
}

static uint32_t unqualified(const struct ir *ir, uint32_t type)
{
    while (type != IR_NOTHING && ir->types.at[type].qualifiers)
        type = ir->types.at[type].base;
    return type;
}

bool spell_plain(const struct ir *ir, uint32_t type, const char *name,
                 struct text *to)
{
    return spell(ir, unqualified(ir, type), name, to);
}

bool spell_array(const struct ir *ir, uint32_t element, uint64_t count,
                 const char *name, struct text *to)
{
    struct text middle = {0};
    text_format(&middle, "%s[%llu]", name, (unsigned long long)count);
    return spell_middle(ir, unqualified(ir, element), &middle, to);
}

const struct ir_dtype *spell_bare(const struct ir *ir, uint32_t type)
{
    static const struct ir_dtype nothing = {.kind = IR_D_OTHER, .name = ""};
    type = ir_bare_type(ir, type);
    return type == IR_NOTHING ? &nothing : &ir->types.at[type];
}

bool spell_is_file(const struct ir *ir, uint32_t type)
{
    const struct ir_dtype *t = spell_bare(ir, type);
    return t->kind == IR_D_STRUCT && strcmp(t->name, "_IO_FILE") == 0;
}

static uint32_t type_named(const struct ir *ir, const char *name)
{
    for (uint32_t i = 0; i < ir->types.n; i++)
        if (ir->types.at[i].kind <= IR_D_FLOAT &&
            strcmp(ir->types.at[i].name, name) == 0)
            return i;
    return IR_NOTHING;
}

uint32_t spell_byte_type(const struct ir *ir)
{
    static const char *const names[] = {"char", "unsigned char", "signed char"};
    uint32_t type = IR_NOTHING;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (type == IR_NOTHING)
            type = type_named(ir, names[i]);
    return type;
}

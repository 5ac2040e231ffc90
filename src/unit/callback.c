#include "unit/callback.h"

#include "base/text.h"
#include "unit/spell.h"

#include <stdio.h>
#include <string.h>

enum { CALLBACKS_MOST = 16 };

static const char prefix[] = "unit_of_";

const char *callback_name(const char *stub)
{
    size_t n = sizeof prefix - 1;
    return strncmp(stub, prefix, n) == 0 ? stub + n : NULL;
}

const struct unit_callback *callback_of(const struct unit_subject *s,
                                        const char *stub)
{
    const char *name = callback_name(stub);
    for (uint32_t i = 0; name && i < s->callbacks.n; i++)
        if (strcmp(s->callbacks.at[i].name, name) == 0)
            return &s->callbacks.at[i];
    return NULL;
}

static bool same(const struct ir *ir, uint32_t a, uint32_t b)
{
    return ir_bare_type(ir, a) == ir_bare_type(ir, b);
}

static bool same_function(const struct ir *ir, const struct ir_dtype *a,
                          const struct ir_dtype *b)
{
    bool is = a->n == b->n && a->variadic == b->variadic &&
              same(ir, a->base, b->base);
    for (uint32_t i = 0; i < a->n && is; i++)
        is = same(ir, a->members[i].type, b->members[i].type);
    return is;
}

static bool has_type(const struct ir *ir, const struct ir_fn *f,
                     const struct ir_dtype *t)
{
    bool is = f->defined && f->n_types == t->n + 1 &&
              f->variadic == t->variadic && same(ir, f->types[0], t->base);
    for (uint32_t i = 0; i < t->n && is; i++)
        is = same(ir, f->types[i + 1], t->members[i].type);
    return is;
}

// Has the source a function of this type?
static bool is_there(const struct ir *ir, const struct ir_dtype *t)
{
    for (uint32_t k = 0; k < ir->fns.n; k++)
        if (has_type(ir, ir->fns.at[k], t))
            return true;
    return false;
}

// Can a pointer that the program has lead to this function?
static bool is_pointed_to(const struct ir *ir, const struct ir_fn *f)
{
    for (uint32_t i = 0; i < ir->types.n; i++) {
        uint32_t to = ir->types.at[i].kind == IR_D_POINTER
                          ? ir_bare_type(ir, ir->types.at[i].base)
                          : IR_NOTHING;
        if (to != IR_NOTHING && ir->types.at[to].kind == IR_D_FUNCTION &&
            has_type(ir, f, &ir->types.at[to]))
            return true;
    }
    return false;
}

static bool is_known(const struct ir *ir, const struct unit_subject *s,
                     const struct ir_dtype *t)
{
    for (uint32_t i = 0; i < s->callbacks.n; i++)
        if (same_function(ir, t, &ir->types.at[s->callbacks.at[i].type]))
            return true;
    return false;
}

// A scalar or nothing: what a stub can return.
static bool is_plain_result(const struct ir *ir, uint32_t type)
{
    const struct ir_dtype *t = spell_bare(ir, type);
    return ir_bare_type(ir, type) == IR_NOTHING ||
           (t->size <= 8 && t->kind != IR_D_STRUCT && t->kind != IR_D_UNION &&
            t->kind != IR_D_ARRAY && t->kind != IR_D_OTHER);
}

static bool is_name_taken(const struct ir *ir, const char *name)
{
    bool taken = ir_find_fn(ir, name) != IR_NOTHING ||
                 ir_find_global(ir, name) != IR_NOTHING;
    for (uint32_t i = 0; i < ir->types.n; i++)
        taken |= ir->types.at[i].kind == IR_D_TYPEDEF &&
                 strcmp(ir->types.at[i].name, name) == 0;
    return taken;
}

static const char *new_name(const struct ir *ir, struct arena *a, uint32_t n)
{
    const char *name = n ? arena_format(a, "callback%u", n + 1) : "callback";
    while (is_name_taken(ir, name))
        name = arena_format(a, "%s_", name);
    return name;
}

void callbacks_find(const struct ir *ir, struct arena *a,
                    struct unit_subject *s)
{
    for (uint32_t i = 0; i < ir->types.n; i++) {
        struct unit_callback c = {
            .type = ir->types.at[i].kind == IR_D_POINTER
                        ? ir_bare_type(ir, ir->types.at[i].base)
                        : IR_NOTHING};
        if (c.type == IR_NOTHING || s->callbacks.n == CALLBACKS_MOST)
            continue;
        const struct ir_dtype *t = &ir->types.at[c.type];
        if (t->kind != IR_D_FUNCTION || t->variadic || is_there(ir, t) ||
            is_known(ir, s, t) || !is_plain_result(ir, t->base))
            continue;
        struct text said = {0};
        c.name = new_name(ir, a, s->callbacks.n);
        if (spell(ir, c.type, c.name, &said)) {
            c.declaration = arena_text(a, text_get(&said));
            vec_push(&s->callbacks, c);
            vec_push(&s->stubs, arena_format(a, "%s%s", prefix, c.name));
        }
        text_free(&said);
    }
}

static void print(const struct ir *ir, const struct unit_callback *c,
                  struct text *to)
{
    const struct ir_dtype *t = &ir->types.at[c->type];
    struct text name = {0}, params = {0};
    bool has_result = ir_bare_type(ir, t->base) != IR_NOTHING;
    text_format(&name, "%s%s", prefix, c->name);
    char result[64];
    snprintf(result, sizeof result, "unit_result_of_%s", c->name);
    text_add(to, "typedef ");
    spell_plain(ir, t->base, result, to);
    text_format(to, ";\n%s %s(void);\n", result, text_get(&name));
    for (uint32_t i = 0; i < t->n; i++) {
        char param[32];
        snprintf(param, sizeof param, "unit_arg%u", i);
        text_add(&params, i ? ", " : "");
        spell_plain(ir, t->members[i].type, param, &params);
    }
    text_format(to,
                "__attribute__((visibility(\"default\"))) %s "
                "%s(%s)\n{\n    %s%s();\n}\n",
                result, c->name, t->n ? text_get(&params) : "void",
                has_result ? "return " : "", text_get(&name));
    text_free(&name);
    text_free(&params);
}

void callbacks_print(const struct ir *ir, const struct unit_subject *s,
                     const struct ir_fn *const *own, uint32_t n_own,
                     struct text *to)
{
    struct text all = {0};
    for (uint32_t i = 0; i < s->callbacks.n; i++) {
        print(ir, &s->callbacks.at[i], to);
        text_format(&all, "%s(void *)%s", all.n ? ", " : "",
                    s->callbacks.at[i].name);
    }
    for (uint32_t i = 0; i < n_own; i++)
        if (is_pointed_to(ir, own[i])) {
            text_format(&all, "%s(void *)%s", all.n ? ", " : "", own[i]->name);
            text_format(to,
                        "__attribute__((visibility(\"default\"))) void "
                        "*unit_address_%s(void) { return (void *)%s; }\n",
                        own[i]->name, own[i]->name);
        }
    if (all.n)
        text_format(to, "void *const unit_callbacks[] = {%s};\n",
                    text_get(&all));
    text_free(&all);
}

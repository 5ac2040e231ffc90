// The library's constant tables, read from the contents of globals.
//
// Every class, message, system, test, invariant and hot behaviour leaves a
// pointer in a section of its own (see TR_IN_ in troupe.h).  Behaviours that
// only `become` names are constants of type tr_behaviour.
#include "ir/read.h"

#include "troupe.h"

#include <string.h>

static ir_id reloc_at(const struct ir *ir, uint32_t g, uint64_t offset)
{
    const struct ir_global *o = &ir->globals.at[g];
    for (uint32_t i = 0; i < o->n_relocs; i++)
        if (o->relocs[i].offset == offset)
            return o->relocs[i].value;
    return IR_NOTHING;
}

// The global that the pointer at byte `at` of global g leads to, and where in
// it; IR_NOTHING if it leads to no global.
static uint32_t points(const struct ir *ir, uint32_t g, uint64_t at,
                       uint64_t *offset)
{
    ir_id v = reloc_at(ir, g, at);
    if (v == IR_NOTHING || ir_const_at(ir, v)->kind != IR_C_GLOBAL)
        return IR_NOTHING;
    *offset = ir_const_at(ir, v)->lo;
    return ir_const_at(ir, v)->index;
}

static uint32_t fn_at(const struct ir *ir, uint32_t g, uint64_t at)
{
    ir_id v = reloc_at(ir, g, at);
    return v == IR_NOTHING ? IR_NOTHING : ir_as_fn(ir, v);
}

static uint32_t word_at(const struct ir *ir, uint32_t g, uint64_t at)
{
    const struct ir_global *o = &ir->globals.at[g];
    uint32_t x = 0;
    if (o->bytes && at + 4 <= o->size)
        memcpy(&x, o->bytes + at, 4);
    return x;
}

static const char *text_at(struct ir *ir, uint32_t g, uint64_t at)
{
    uint64_t offset = 0;
    uint32_t s = points(ir, g, at, &offset);
    if (s == IR_NOTHING)
        return NULL;
    const struct ir_global *o = &ir->globals.at[s];
    if (!o->bytes || offset >= o->size)
        return "";
    return arena_format(&ir->arena, "%.*s", (int)(o->size - offset),
                        (const char *)o->bytes + offset);
}

static const char *or_empty(const char *s)
{
    return s ? s : "";
}

static uint32_t read_msg(struct ir *ir, uint32_t g)
{
    uint32_t known = ir_msg_of(ir, g);
    if (known != IR_NOTHING)
        return known;
    struct ir_msg m = {
        .global = g,
        .name = or_empty(text_at(ir, g, offsetof(tr_msg, name))),
        .reply = text_at(ir, g, offsetof(tr_msg, reply)),
        .size = word_at(ir, g, offsetof(tr_msg, size)),
        .reply_size = word_at(ir, g, offsetof(tr_msg, reply_size)),
        .copy = fn_at(ir, g, offsetof(tr_msg, copy)),
        .drop = fn_at(ir, g, offsetof(tr_msg, drop)),
    };
    m.type = ir_find_struct(ir, m.name);
    m.reply_type = m.reply ? ir_find_struct(ir, m.reply) : IR_NOTHING;
    vec_push(&ir->msgs, m);
    return ir->msgs.n - 1;
}

static struct ir_row read_row(struct ir *ir, uint32_t g, uint64_t at)
{
    uint64_t offset = 0;
    uint32_t m = points(ir, g, at + offsetof(tr_handler, msg), &offset);
    struct ir_row row = {
        m == IR_NOTHING ? IR_NOTHING : read_msg(ir, m),
        (uint8_t)word_at(ir, g, at + offsetof(tr_handler, policy)),
        fn_at(ir, g, at + offsetof(tr_handler, fn)),
    };
    if (row.fn != IR_NOTHING)
        ir->fns.at[row.fn]->is_handler = true;
    return row;
}

static uint32_t read_behaviour(struct ir *ir, uint32_t g)
{
    uint32_t known = ir_behaviour_of(ir, g);
    if (known != IR_NOTHING)
        return known;
    uint64_t at = 0;
    uint32_t n = word_at(ir, g, offsetof(tr_behaviour, n));
    uint32_t on = points(ir, g, offsetof(tr_behaviour, on), &at);
    struct ir_row *rows = arena_zero(&ir->arena, (n + 1) * sizeof *rows);
    if (on == IR_NOTHING ||
        at + n * sizeof(tr_handler) > ir->globals.at[on].size)
        n = 0;
    for (uint32_t i = 0; i < n; i++)
        rows[i] = read_row(ir, on, at + i * sizeof(tr_handler));
    const char *name = text_at(ir, g, offsetof(tr_behaviour, name));
    vec_push(&ir->behaviours,
             ((struct ir_behaviour){g, or_empty(name), n, rows}));
    return ir->behaviours.n - 1;
}

static void read_class(struct ir *ir, uint32_t g)
{
    uint64_t at = 0;
    uint32_t b = points(ir, g, offsetof(tr_class, start), &at);
    struct ir_class c = {
        .global = g,
        .name = or_empty(text_at(ir, g, offsetof(tr_class, name))),
        .size = word_at(ir, g, offsetof(tr_class, size)),
        .start = b == IR_NOTHING ? IR_NOTHING : read_behaviour(ir, b),
        .init = fn_at(ir, g, offsetof(tr_class, init)),
        .fini = fn_at(ir, g, offsetof(tr_class, fini)),
        .mailbox = word_at(ir, g, offsetof(tr_class, mailbox)),
    };
    c.type = ir_find_struct(ir, c.name);
    vec_push(&ir->classes, c);
}

static struct ir_root read_root(struct ir *ir, uint32_t g, uint64_t name,
                                uint64_t line, uint64_t fn)
{
    return (struct ir_root){.name = or_empty(text_at(ir, g, name)),
                            .fn = fn_at(ir, g, fn),
                            .file = ir->globals.at[g].file,
                            .line = word_at(ir, g, line)};
}

static void read_entry(struct ir *ir, const char *section, uint32_t g)
{
    uint64_t at = 0;
    if (strcmp(section, "tr_msgs") == 0) {
        uint32_t m = points(ir, g, offsetof(tr_seen, msg), &at);
        if (m != IR_NOTHING)
            read_msg(ir, m);
    } else if (strcmp(section, "tr_classes") == 0) {
        read_class(ir, g);
    } else if (strcmp(section, "tr_systems") == 0) {
        vec_push(&ir->systems, read_root(ir, g, offsetof(tr_system, name),
                                         offsetof(tr_system, line),
                                         offsetof(tr_system, setup)));
    } else if (strcmp(section, "tr_tests") == 0) {
        struct ir_root t =
            read_root(ir, g, offsetof(tr_test, name), offsetof(tr_test, line),
                      offsetof(tr_test, run));
        t.of = text_at(ir, g, offsetof(tr_test, of));
        vec_push(&ir->tests, t);
    } else if (strcmp(section, "tr_invariants") == 0) {
        vec_push(&ir->invariants, read_root(ir, g, offsetof(tr_invariant, name),
                                            offsetof(tr_invariant, line),
                                            offsetof(tr_invariant, holds)));
    }
}

static void read_hot(struct ir *ir, uint32_t g)
{
    uint64_t at = 0;
    uint32_t c = points(ir, g, offsetof(tr_hot, cls), &at);
    uint32_t b = points(ir, g, offsetof(tr_hot, behaviour), &at);
    if (c != IR_NOTHING && b != IR_NOTHING)
        vec_push(&ir->hots,
                 ((struct ir_hot){ir_class_of(ir, c), read_behaviour(ir, b)}));
}

// Call use() for the global that each pointer of this section leads to, in the
// order of the program.
static void each_entry(struct ir *ir, const char *section,
                       void (*use)(struct ir *, const char *, uint32_t))
{
    for (uint32_t i = 0; i < ir->globals.n; i++) {
        uint64_t at = 0;
        if (strcmp(ir->globals.at[i].section, section) != 0)
            continue;
        uint32_t g = points(ir, i, 0, &at);
        if (g != IR_NOTHING)
            use(ir, section, g);
    }
}

static void use_hot(struct ir *ir, const char *section, uint32_t g)
{
    (void)section;
    read_hot(ir, g);
}

void read_actors(struct ir *ir)
{
    static const char *const sections[] = {
        "tr_msgs", "tr_classes", "tr_systems", "tr_tests", "tr_invariants"};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        each_entry(ir, sections[i], read_entry);
    for (uint32_t i = 0; i < ir->globals.n; i++) {
        const struct ir_global *g = &ir->globals.at[i];
        if (g->type != IR_NOTHING && g->bytes &&
            strcmp(ir->types.at[g->type].name, "tr_behaviour") == 0)
            read_behaviour(ir, i);
    }
    each_entry(ir, "tr_hots", use_hot);
}

// Debug types and names out of LLVM's metadata.
//
// The C API gives tags, names, sizes and offsets; the rest is reached through
// the operands of metadata nodes, whose positions are LLVM's own business.
// They are named here and nowhere else, and test/ir/load.c would tell if they
// moved.  A basic type's encoding is not an operand: it is told by its name.
#include "ir/read.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

enum { OP_SCOPE = 1, OP_NAME = 2, OP_BASE = 3, OP_ELEMENTS = 4 };
enum { OP_SIGNATURE = 3 };
enum { SUBPROGRAM_TYPE = 4 };
enum { VARIABLE_NAME = 1, VARIABLE_TYPE = 3 };
enum { FLAG_BIT_FIELD = 1 << 19 };

#define DW_TAGS(X)                                                             \
    X(0x01, array)                                                             \
    X(0x04, enumeration)                                                       \
    X(0x0d, member)                                                            \
    X(0x0f, pointer)                                                           \
    X(0x13, structure)                                                         \
    X(0x15, subroutine)                                                        \
    X(0x16, typedef)                                                           \
    X(0x17, union)                                                             \
    X(0x24, base)                                                              \
    X(0x26, const)                                                             \
    X(0x35, volatile)                                                          \
    X(0x37, restrict)                                                          \
    X(0x47, atomic)
enum {
#define DW_TAG_(value, name) TAG_##name = value,
    DW_TAGS(DW_TAG_)
#undef DW_TAG_
};

static LLVMValueRef as_value(struct reader *r, LLVMMetadataRef m)
{
    return LLVMMetadataAsValue(r->context, m);
}

// Operand i of a node, NULL if there is none.
static LLVMValueRef operand(struct reader *r, LLVMMetadataRef m, unsigned i)
{
    LLVMValueRef v = as_value(r, m), some[16], *all = some, found = NULL;
    unsigned n = LLVMGetMDNodeNumOperands(v);
    if (i >= n)
        return NULL;
    if (n > 16)
        all = malloc(n * sizeof *all);
    if (!all)
        return NULL;
    LLVMGetMDNodeOperands(v, all);
    found = all[i];
    if (all != some)
        free(all);
    return found;
}

static LLVMMetadataRef node(struct reader *r, LLVMMetadataRef m, unsigned i)
{
    LLVMValueRef v = operand(r, m, i);
    return v ? LLVMValueAsMetadata(v) : NULL;
}

static const char *string_operand(struct reader *r, LLVMMetadataRef m,
                                  unsigned i)
{
    LLVMValueRef v = operand(r, m, i);
    unsigned n = 0;
    const char *s = v && LLVMIsAMDString(v) ? LLVMGetMDString(v, &n) : "";
    return s ? arena_format(&r->ir->arena, "%.*s", (int)n, s) : "";
}

uint16_t read_file(struct reader *r, LLVMMetadataRef file)
{
    struct ir *ir = r->ir;
    unsigned n = 0, m = 0;
    if (!file)
        return 0;
    uint32_t known = ptr_map_get(&r->files, file);
    if (known != IR_NOTHING)
        return (uint16_t)known;
    const char *name = LLVMDIFileGetFilename(file, &n);
    const char *dir = LLVMDIFileGetDirectory(file, &m);
    char here[4096];
    char *s = arena_format(&ir->arena, "%.*s", (int)n, name);
    char *d = arena_format(&ir->arena, "%.*s", (int)m, dir);
    if (s[0] != '/' && d[0] && realpath(".", here) && strcmp(here, d) != 0)
        s = arena_format(&ir->arena, "%s/%s", d, s);
    if (strncmp(s, "./", 2) == 0)
        s += 2;
    uint32_t at = 0;
    while (at < ir->files.n && strcmp(ir->files.at[at], s) != 0)
        at++;
    if (at == ir->files.n)
        vec_push(&ir->files, s);
    ptr_map_put(&r->files, file, at);
    return (uint16_t)at;
}

static uint8_t basic_kind(const char *name)
{
    if (strstr(name, "complex"))
        return IR_D_OTHER;
    if (strstr(name, "float") || strstr(name, "double") ||
        strcmp(name, "_Float16") == 0)
        return IR_D_FLOAT;
    if (strcmp(name, "_Bool") == 0 || strcmp(name, "bool") == 0)
        return IR_D_BOOL;
    return strstr(name, "unsigned") ? IR_D_UNSIGNED : IR_D_SIGNED;
}

static uint32_t read_dtype(struct reader *r, LLVMMetadataRef type);

static struct ir_member read_member(struct reader *r, LLVMMetadataRef m)
{
    size_t n;
    const char *name = LLVMDITypeGetName(m, &n);
    bool bits = LLVMDITypeGetFlags(m) & FLAG_BIT_FIELD;
    return (struct ir_member){
        arena_format(&r->ir->arena, "%.*s", (int)n, name ? name : ""),
        read_dtype(r, node(r, m, OP_BASE)),
        LLVMDITypeGetOffsetInBits(m),
        bits ? (uint32_t)LLVMDITypeGetSizeInBits(m) : 0,
    };
}

static void read_members(struct reader *r, LLVMMetadataRef list, uint32_t type)
{
    unsigned n = list ? LLVMGetMDNodeNumOperands(as_value(r, list)) : 0;
    struct ir_member *m = arena_zero(&r->ir->arena, (n + 1) * sizeof *m);
    uint32_t used = 0;
    for (unsigned i = 0; i < n; i++) {
        LLVMMetadataRef e = node(r, list, i);
        if (e && LLVMGetDINodeTag(e) == TAG_member)
            m[used++] = read_member(r, e);
    }
    r->ir->types.at[type].members = m;
    r->ir->types.at[type].n = used;
}

// "!DIEnumerator(name: "RED", value: 3)": the value is not an operand.
static void read_enumerators(struct reader *r, LLVMMetadataRef list,
                             uint32_t type)
{
    unsigned n = list ? LLVMGetMDNodeNumOperands(as_value(r, list)) : 0;
    struct ir_enumerator *v = arena_zero(&r->ir->arena, (n + 1) * sizeof *v);
    for (unsigned i = 0; i < n; i++) {
        LLVMMetadataRef e = node(r, list, i);
        char *s = LLVMPrintValueToString(as_value(r, e));
        const char *p = strstr(s, "value: ");
        v[i].name = string_operand(r, e, 0);
        v[i].value = p ? strtoll(p + 7, NULL, 10) : 0;
        LLVMDisposeMessage(s);
    }
    r->ir->types.at[type].values = v;
    r->ir->types.at[type].n = n;
}

// One of ours per dimension, the outermost first.
static uint32_t read_array(struct reader *r, LLVMMetadataRef list, unsigned i,
                           uint32_t element)
{
    struct ir *ir = r->ir;
    unsigned n = list ? LLVMGetMDNodeNumOperands(as_value(r, list)) : 0;
    if (i >= n)
        return element;
    LLVMMetadataRef sub = node(r, list, i);
    LLVMValueRef count = sub ? operand(r, sub, 0) : NULL;
    uint64_t k = count && LLVMIsAConstantInt(count)
                     ? LLVMConstIntGetZExtValue(count)
                     : 0;
    if (k > UINT32_MAX) // an array without a bound has -1
        k = 0;
    uint32_t of = read_array(r, list, i + 1, element);
    uint64_t size = of == IR_NOTHING ? 0 : ir->types.at[of].size * k;
    vec_push(&ir->types, ((struct ir_dtype){.kind = IR_D_ARRAY,
                                            .name = "",
                                            .size = size,
                                            .base = of,
                                            .count = k}));
    return ir->types.n - 1;
}

static uint8_t kind_of_tag(uint16_t tag, const char *name)
{
    switch (tag) {
    case TAG_base:
        return basic_kind(name);
    case TAG_pointer:
        return IR_D_POINTER;
    case TAG_structure:
        return IR_D_STRUCT;
    case TAG_union:
        return IR_D_UNION;
    case TAG_enumeration:
        return IR_D_ENUM;
    case TAG_typedef:
        return IR_D_TYPEDEF;
    case TAG_subroutine:
        return IR_D_FUNCTION;
    default:
        return IR_D_OTHER;
    }
}

// The result is the base; what has no type at the end stands for "...".
static void read_signature(struct reader *r, LLVMMetadataRef list,
                           uint32_t type)
{
    unsigned n = list ? LLVMGetMDNodeNumOperands(as_value(r, list)) : 0;
    struct ir_member *m = arena_zero(&r->ir->arena, (n + 1) * sizeof *m);
    uint32_t result = n ? read_dtype(r, node(r, list, 0)) : IR_NOTHING;
    bool variadic = n > 1 && !node(r, list, n - 1);
    for (unsigned i = 1; i + variadic < n; i++)
        m[i - 1] =
            (struct ir_member){"", read_dtype(r, node(r, list, i)), 0, 0};
    struct ir_dtype *t = &r->ir->types.at[type];
    t->base = result;
    t->members = m;
    t->n = n ? n - 1 - variadic : 0;
    t->variadic = variadic;
}

static void read_parts(struct reader *r, LLVMMetadataRef m, uint16_t tag,
                       uint32_t at)
{
    if (tag == TAG_subroutine)
        read_signature(r, node(r, m, OP_SIGNATURE), at);
    if (tag == TAG_pointer || tag == TAG_typedef || tag == TAG_enumeration) {
        uint32_t base = read_dtype(r, node(r, m, OP_BASE));
        r->ir->types.at[at].base = base;
        if (tag == TAG_typedef && base != IR_NOTHING)
            r->ir->types.at[at].size = r->ir->types.at[base].size;
    }
    if (tag == TAG_structure || tag == TAG_union)
        read_members(r, node(r, m, OP_ELEMENTS), at);
    if (tag == TAG_enumeration)
        read_enumerators(r, node(r, m, OP_ELEMENTS), at);
}

static uint8_t qualifier(uint16_t tag)
{
    switch (tag) {
    case TAG_const:
        return IR_Q_CONST;
    case TAG_volatile:
        return IR_Q_VOLATILE;
    case TAG_restrict:
        return IR_Q_RESTRICT;
    case TAG_atomic:
        return IR_Q_ATOMIC;
    default:
        return 0;
    }
}

static uint32_t read_qualified(struct reader *r, LLVMMetadataRef m, uint8_t q)
{
    struct ir *ir = r->ir;
    uint32_t base = read_dtype(r, node(r, m, OP_BASE));
    uint32_t known = ptr_map_get(&r->types, m); // by way of the base
    if (known != IR_NOTHING)
        return known;
    struct ir_dtype t = {
        .kind = IR_D_TYPEDEF, .qualifiers = q, .name = "", .base = base};
    if (base != IR_NOTHING) {
        t.name = ir->types.at[base].name;
        t.size = ir->types.at[base].size;
    }
    vec_push(&ir->types, t);
    ptr_map_put(&r->types, m, ir->types.n - 1);
    return ir->types.n - 1;
}

static bool inside_function(struct reader *r, LLVMMetadataRef m)
{
    LLVMMetadataRef scope = node(r, m, OP_SCOPE);
    unsigned kind = scope ? LLVMGetMetadataKind(scope) : 0;
    return scope && (kind == LLVMDISubprogramMetadataKind ||
                     kind == LLVMDILexicalBlockMetadataKind);
}

static uint32_t read_dtype(struct reader *r, LLVMMetadataRef m)
{
    if (!m)
        return IR_NOTHING;
    uint32_t known = ptr_map_get(&r->types, m);
    if (known != IR_NOTHING)
        return known;
    uint16_t tag = LLVMGetDINodeTag(m);
    if (qualifier(tag))
        return read_qualified(r, m, qualifier(tag));
    if (tag == TAG_array) {
        uint32_t e = read_dtype(r, node(r, m, OP_BASE));
        uint32_t a = read_array(r, node(r, m, OP_ELEMENTS), 0, e);
        ptr_map_put(&r->types, m, a);
        return a;
    }
    size_t n = 0;
    const char *s = LLVMDITypeGetName(m, &n);
    char *name = arena_format(&r->ir->arena, "%.*s", (int)n, s ? s : "");
    vec_push(&r->ir->types,
             ((struct ir_dtype){.kind = kind_of_tag(tag, name),
                                .name = name,
                                .local = inside_function(r, m),
                                .size = LLVMDITypeGetSizeInBits(m) / 8,
                                .base = IR_NOTHING}));
    uint32_t at = r->ir->types.n - 1;
    ptr_map_put(&r->types, m, at); // before the parts: types are recursive
    read_parts(r, m, tag, at);
    return at;
}

void read_fn_debug(struct reader *r, LLVMValueRef f, struct ir_fn *out)
{
    LLVMMetadataRef sub = LLVMGetSubprogram(f);
    if (!sub)
        return;
    r->ir->has_debug = r->ir->has_debug || out->defined;
    out->line = LLVMDISubprogramGetLine(sub);
    out->file = read_file(r, LLVMDIScopeGetFile(sub));
    LLVMMetadataRef type = node(r, sub, SUBPROGRAM_TYPE);
    LLVMMetadataRef list = type ? node(r, type, OP_SIGNATURE) : NULL;
    unsigned n = list ? LLVMGetMDNodeNumOperands(as_value(r, list)) : 0;
    uint32_t *types = arena_get(&r->ir->arena, (n + 1) * sizeof *types);
    types[0] = IR_NOTHING;
    for (unsigned i = 0; i < n; i++)
        types[i] = read_dtype(r, node(r, list, i));
    out->types = types;
    out->n_types = n ? n : 1; // "void f(void)" comes as an empty list
}

void read_global_debug(struct reader *r, LLVMValueRef g, struct ir_global *out)
{
    size_t n;
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(g, &n);
    out->type = IR_NOTHING;
    for (unsigned i = 0; i < n; i++) {
        LLVMMetadataRef m = LLVMValueMetadataEntriesGetMetadata(all, i);
        if (LLVMGetMetadataKind(m) !=
            LLVMDIGlobalVariableExpressionMetadataKind)
            continue;
        LLVMMetadataRef var = LLVMDIGlobalVariableExpressionGetVariable(m);
        out->line = LLVMDIVariableGetLine(var);
        out->file = read_file(r, LLVMDIVariableGetFile(var));
        out->type = read_dtype(r, node(r, var, VARIABLE_TYPE));
    }
    LLVMDisposeValueMetadataEntries(all);
}

const char *read_variable(struct reader *r, LLVMValueRef call,
                          LLVMValueRef *value, uint32_t *type)
{
    LLVMValueRef first = LLVMGetOperand(call, 0);
    LLVMMetadataRef var = LLVMValueAsMetadata(LLVMGetOperand(call, 1));
    *value = NULL;
    *type = IR_NOTHING;
    if (LLVMGetMDNodeNumOperands(first) == 1)
        LLVMGetMDNodeOperands(first, value);
    if (LLVMGetMetadataKind(var) != LLVMDILocalVariableMetadataKind)
        return NULL;
    *type = read_dtype(r, node(r, var, VARIABLE_TYPE));
    const char *name = string_operand(r, var, VARIABLE_NAME);
    return name[0] ? name : NULL;
}

// From files to a program: read, link, mem2reg and sroa, translate.
#include "ir/probes.h"

#include "base/debug.h"
#include "base/diag.h"
#include "base/die.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool ends(const char *s, const char *with)
{
    size_t n = strlen(s), m = strlen(with);
    return n >= m && strcmp(s + n - m, with) == 0;
}

// ---- reading modules ----------------------------------------------------

struct complaint {
    struct diag *d;
    const char *path;
};

// LLVM's words, shortened to their first line.
static void complain(LLVMDiagnosticInfoRef info, void *data)
{
    struct complaint *c = data;
    char *text = LLVMGetDiagInfoDescription(info);
    if (LLVMGetDiagInfoSeverity(info) == LLVMDSError) {
        text[strcspn(text, "\n")] = 0;
        bool version = strstr(text, "Producer") != NULL;
        diag_set(c->d, EXIT_USAGE, "%s: %s (%s)", c->path,
                 version ? "bitcode of another version than LLVM 19 can read"
                         : "cannot read or link this bitcode",
                 text);
    }
    LLVMDisposeMessage(text);
}

static bool is_bitcode(LLVMMemoryBufferRef b)
{
    const unsigned char *p = (const unsigned char *)LLVMGetBufferStart(b);
    size_t n = LLVMGetBufferSize(b);
    return n >= 4 && (memcmp(p, "BC\xc0\xde", 4) == 0 ||
                      memcmp(p, "\xde\xc0\x17\x0b", 4) == 0);
}

static LLVMModuleRef parse_text(struct reader *r, LLVMMemoryBufferRef b,
                                const char *path, struct diag *d)
{
    LLVMModuleRef m = NULL;
    char *why = NULL;
    if (LLVMParseIRInContext(r->context, b, &m, &why)) {
        why[strcspn(why, "\n")] = 0;
        diag_set(d, EXIT_USAGE, "%s: not LLVM IR (%s)", path, why);
        LLVMDisposeMessage(why);
        return NULL;
    }
    return m;
}

static LLVMModuleRef parse_module(struct reader *r, const char *path,
                                  struct diag *d)
{
    LLVMMemoryBufferRef b = NULL;
    LLVMModuleRef m = NULL;
    char *why = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &b, &why)) {
        diag_set(d, EXIT_USAGE, "%s: %s", path, why);
        LLVMDisposeMessage(why);
        return NULL;
    }
    if (ends(path, ".ll"))
        return parse_text(r, b, path, d); // takes b
    if (!is_bitcode(b))
        diag_set(d, EXIT_USAGE, "%s: not LLVM bitcode", path);
    else if (LLVMParseBitcodeInContext2(r->context, b, &m))
        diag_set(d, EXIT_USAGE, "%s: broken bitcode", path);
    LLVMDisposeMemoryBuffer(b);
    if (m && LLVMVerifyModule(m, LLVMReturnStatusAction, &why)) {
        why[strcspn(why, "\n")] = 0;
        diag_set(d, EXIT_USAGE, "%s: broken bitcode (%s)", path, why);
        LLVMDisposeModule(m);
        m = NULL;
    }
    LLVMDisposeMessage(why);
    return m;
}

static bool link_in(struct reader *r, LLVMModuleRef m, const char *path,
                    struct diag *d)
{
    if (!r->module) {
        r->module = m;
        return true;
    }
    if (LLVMLinkModules2(r->module, m))
        return diag_set(d, EXIT_USAGE, "%s: cannot be linked with the others",
                        path);
    return true;
}

static bool simplify(struct reader *r, struct diag *d)
{
    LLVMPassBuilderOptionsRef o = LLVMCreatePassBuilderOptions();
    LLVMErrorRef e = LLVMRunPasses(r->module, "mem2reg,sroa", NULL, o);
    LLVMDisposePassBuilderOptions(o);
    if (!e)
        return true;
    char *why = LLVMGetErrorMessage(e);
    diag_set(d, EXIT_FAULT, "LLVM's passes failed: %s", why);
    LLVMDisposeErrorMessage(why);
    return false;
}

// ---- last operands ------------------------------------------------------

// The value of `a && b` is a phi of constants and b, so nothing branches on b.
// A select of true and false gives it sides.
static void last_operand(LLVMBuilderRef build, LLVMValueRef phi)
{
    unsigned n = LLVMCountIncoming(phi), at = n, constants = 0;
    for (unsigned i = 0; i < n; i++)
        if (LLVMIsConstant(LLVMGetIncomingValue(phi, i)))
            constants++;
        else
            at = i;
    if (constants + 1 != n || n < 2)
        return;
    LLVMValueRef v = LLVMGetIncomingValue(phi, at);
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, at);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    if (!LLVMIsAInstruction(v) || LLVMIsAPHINode(v) ||
        LLVMGetNumSuccessors(end) != 1)
        return;
    LLVMTypeRef type = LLVMTypeOf(v);
    LLVMPositionBuilderBefore(build, end);
    LLVMSetCurrentDebugLocation2(build, LLVMInstructionGetDebugLoc(v));
    LLVMValueRef s = LLVMBuildSelect(build, v, LLVMConstInt(type, 1, false),
                                     LLVMConstNull(type), "");
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(phi); i++)
        if (LLVMGetOperand(phi, i) == v)
            LLVMSetOperand(phi, i, s);
}

static void last_operands(struct reader *r)
{
    LLVMBuilderRef build = LLVMCreateBuilderInContext(r->context);
    LLVMTypeRef bit = LLVMInt1TypeInContext(r->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(r->module); f;
         f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
             b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef v = LLVMGetFirstInstruction(b);
                 v && LLVMIsAPHINode(v); v = LLVMGetNextInstruction(v))
                if (LLVMTypeOf(v) == bit)
                    last_operand(build, v);
    LLVMDisposeBuilder(build);
}

// ---- translating --------------------------------------------------------

static bool is_local(LLVMValueRef v)
{
    LLVMLinkage k = LLVMGetLinkage(v);
    return k == LLVMInternalLinkage || k == LLVMPrivateLinkage;
}

static bool is_weak(LLVMValueRef v)
{
    LLVMLinkage k = LLVMGetLinkage(v);
    return k == LLVMWeakAnyLinkage || k == LLVMWeakODRLinkage ||
           k == LLVMLinkOnceAnyLinkage || k == LLVMLinkOnceODRLinkage ||
           k == LLVMExternalWeakLinkage;
}

static void add_global(struct reader *r, LLVMValueRef v)
{
    size_t n;
    const char *name = LLVMGetValueName2(v, &n);
    const char *section = LLVMGetSection(v);
    LLVMTypeRef t = LLVMGlobalGetValueType(v);
    if (strncmp(name, "llvm.", 5) == 0)
        return;
    struct ir_global g = {
        .name = arena_format(&r->ir->arena, "%.*s", (int)n, name),
        .size = LLVMTypeIsSized(t) ? LLVMABISizeOfType(r->layout, t) : 0,
        .align = LLVMGetAlignment(v),
        .constant = LLVMIsGlobalConstant(v),
        .local = is_local(v),
        .external = LLVMIsDeclaration(v),
        .thread_local_ = LLVMIsThreadLocal(v),
        .weak = is_weak(v),
        .section = arena_text(&r->ir->arena, section ? section : ""),
        .type = IR_NOTHING,
    };
    ptr_map_put(&r->globals, v, r->ir->globals.n);
    vec_push(&r->ir->globals, g);
}

static void add_fn(struct reader *r, LLVMValueRef v)
{
    size_t n;
    const char *name = LLVMGetValueName2(v, &n);
    LLVMTypeRef t = LLVMGlobalGetValueType(v);
    if (strncmp(name, "llvm.", 5) == 0)
        return;
    struct ir_fn *f = arena_zero(&r->ir->arena, sizeof *f);
    f->name = arena_format(&r->ir->arena, "%.*s", (int)n, name);
    f->id = r->ir->fns.n;
    f->result = read_type(r, LLVMGetReturnType(t));
    f->n_params = LLVMCountParams(v);
    f->variadic = LLVMIsFunctionVarArg(t);
    f->defined = !LLVMIsDeclaration(v);
    f->local = is_local(v);
    f->noreturn =
        LLVMGetEnumAttributeAtIndex(v, (LLVMAttributeIndex)-1, r->noreturn);
    read_fn_debug(r, v, f);
    ptr_map_put(&r->fns, v, f->id);
    vec_push(&r->ir->fns, f);
}

static unsigned attribute(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

// Find the types of messages and states once more: now those are known, too,
// that only local variables mention.
static void complete_tables(struct ir *ir)
{
    for (uint32_t i = 0; i < ir->msgs.n; i++) {
        struct ir_msg *m = &ir->msgs.at[i];
        m->type = ir_find_struct(ir, m->name);
        m->reply_type = m->reply ? ir_find_struct(ir, m->reply) : IR_NOTHING;
    }
    for (uint32_t i = 0; i < ir->classes.n; i++)
        ir->classes.at[i].type = ir_find_struct(ir, ir->classes.at[i].name);
}

static void translate(struct reader *r)
{
    LLVMModuleRef m = r->module;
    LLVMSetIsNewDbgInfoFormat(m, false); // shows variables to the C API
    r->layout = LLVMGetModuleDataLayout(m);
    r->byval = attribute("byval");
    r->noreturn = attribute("noreturn");
    vec_push(&r->ir->files, "?");
    for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g))
        add_global(r, g);
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f;
         f = LLVMGetNextFunction(f))
        add_fn(r, f);
    for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g)) {
        uint32_t id = ptr_map_get(&r->globals, g);
        if (id != IR_NOTHING)
            read_global_debug(r, g, &r->ir->globals.at[id]);
    }
    read_globals(r);
    read_actors(r->ir);
    if (r->hooks) // not before: what they add is not the program's
        hooks_init(r->hooks, r, r->options->probes->watch);
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f;
         f = LLVMGetNextFunction(f)) {
        uint32_t id = ptr_map_get(&r->fns, f);
        if (id != IR_NOTHING && r->ir->fns.at[id]->defined)
            read_fn(r, f, r->ir->fns.at[id]);
    }
    complete_tables(r->ir);
}

static void write_probed(struct reader *r, struct diag *d)
{
    const char *path = r->options->probes->bitcode;
    char *why = NULL;
    if (LLVMVerifyModule(r->module, LLVMReturnStatusAction, &why))
        diag_set(d, EXIT_FAULT, "the instrumented bitcode is broken: %s", why);
    else if (LLVMWriteBitcodeToFile(r->module, path) != 0)
        diag_set(d, EXIT_USAGE, "%s: cannot be written", path);
    LLVMDisposeMessage(why);
}

// Translate the module; if probes are asked for, instrument it as well.
static void translate_all(struct reader *r, struct diag *d)
{
    struct hooks hooks;
    if (!r->options->probes) {
        translate(r);
        return;
    }
    r->hooks = &hooks;
    translate(r);
    write_probed(r, d);
    hooks_release(&hooks);
}

static void reader_free(struct reader *r)
{
    map_free(&r->globals);
    map_free(&r->fns);
    map_free(&r->types);
    map_free(&r->files);
    if (r->module)
        LLVMDisposeModule(r->module);
    LLVMContextDispose(r->context);
}

static bool load_all(struct reader *r, const char *const *paths, uint32_t n,
                     struct complaint *c)
{
    for (uint32_t i = 0; i < n; i++) {
        const char *path = paths[i];
        c->path = path;
        if (access(path, R_OK) != 0)
            return diag_set(c->d, EXIT_USAGE, "%s: cannot be read", path);
        if (!ends(path, ".bc") && !ends(path, ".ll"))
            path = ir_compile(&r->ir->arena, path, r->options, NULL, c->d);
        LLVMModuleRef m = path ? parse_module(r, path, c->d) : NULL;
        if (!m || !link_in(r, m, paths[i], c->d))
            return false;
    }
    if (!simplify(r, c->d))
        return false;
    if (r->options->operands)
        last_operands(r);
    return true;
}

static bool load(struct reader *r, const char *const *paths, uint32_t n,
                 struct complaint *c)
{
    if (!n)
        return diag_set(c->d, EXIT_USAGE, "no source file given");
    return load_all(r, paths, n, c);
}

struct ir *ir_load(const char *const *paths, uint32_t n,
                   const struct ir_options *options, struct diag *d)
{
    static const struct ir_options none;
    struct ir *ir = need_zero(sizeof *ir);
    struct reader r = {.ir = ir, .options = options ? options : &none};
    struct complaint c = {d, ""};
    r.context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(r.context, complain, &c);
    if (load(&r, paths, n, &c)) {
        translate_all(&r, d);
        debug_assert(!ir_check(ir, &ir->arena));
        if (!ir->has_debug)
            diag_set(d, EXIT_USAGE, "%s: no debug info: compile with -g",
                     paths[0]);
    }
    reader_free(&r);
    if (d->status) {
        ir_free(ir);
        return NULL;
    }
    return ir;
}

void ir_free(struct ir *ir)
{
    if (!ir)
        return;
    for (uint32_t i = 0; i < ir->fns.n; i++) {
        struct ir_fn *f = ir->fns.at[i];
        vec_free(&f->insts);
        vec_free(&f->blocks);
        vec_free(&f->args);
        vec_free(&f->edges);
    }
    vec_free(&ir->files);
    vec_free(&ir->consts);
    vec_free(&ir->chain_);
    vec_free(&ir->globals);
    vec_free(&ir->fns);
    vec_free(&ir->types);
    vec_free(&ir->msgs);
    vec_free(&ir->behaviours);
    vec_free(&ir->classes);
    vec_free(&ir->systems);
    vec_free(&ir->tests);
    vec_free(&ir->invariants);
    vec_free(&ir->hots);
    arena_free(&ir->arena);
    free(ir);
}

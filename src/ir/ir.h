// Our small IR of a C actor program.
//
// Functions of blocks of typed SSA values.  Everything an analysis must know
// is an instruction of its own: actor operations are recognised from the
// library's primitives, what can go wrong (null, division, bounds, assert,
// abort) is a branch to a trap, an address is a base plus bytes.  What has no
// meaning here (inline assembler, computed goto, setjmp...) is kept as
// IR_UNSUPPORTED with its place, and matters only to who walks over it.
//
// Invariants:
//   - a value is 16 bytes at most: an integer of up to 128 bits, a float, a
//     pointer, or a blob (a small struct or vector as the ABI passes it);
//   - the instructions of a block are contiguous, phis first, and the last is
//     the only terminator; block 0 is the entry and has no predecessors;
//   - a phi has one argument per predecessor, in the order of ir_preds();
//   - the first n_params instructions of a function are its IR_PARAMs, before
//     those of block 0;
//   - all strings and arrays live as long as the struct ir.
#ifndef IR_IR_H
#define IR_IR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/vec.h"

struct diag;

// ---- types and values ---------------------------------------------------

enum ir_kind {
    IR_VOID,
    IR_INT,   // of `bits` bits, 1 to 128
    IR_FLOAT, // of `bits` bits: 32, 64 or 80
    IR_PTR,   // 64 bits
    IR_BLOB,  // bits/8 bytes, laid out as in memory
    IR_NONE   // a type our values cannot hold
};

struct ir_type {
    uint8_t kind; // enum ir_kind
    uint8_t bits;
};

// Bytes it takes in memory.
static inline uint32_t ir_bytes(struct ir_type t)
{
    return (t.bits + 7u) / 8;
}

// A value in a function: an instruction's index, or a constant of the program.
typedef uint32_t ir_id;
#define IR_CONST_BIT 0x80000000u
#define IR_NOTHING 0xffffffffu
#define ir_is_const(v) (((v)&IR_CONST_BIT) && (v) != IR_NOTHING)
#define ir_const_index(v) ((v) & ~IR_CONST_BIT)

enum ir_const_kind {
    IR_C_INT,      // also null pointers: 0
    IR_C_FLOAT,    // bits of the float in lo, hi
    IR_C_GLOBAL,   // address of globals[index] + lo
    IR_C_FUNCTION, // address of functions[index]
    IR_C_UNDEF,    // any value: undef and poison
    IR_C_BLOB      // bytes in lo, hi
};

struct ir_const {
    uint8_t kind; // enum ir_const_kind
    struct ir_type type;
    uint32_t index;
    uint64_t lo, hi;
};

// ---- instructions -------------------------------------------------------

// X(name, text, group): group is VALUE (a result, no effect), MEM (memory),
// CALL, ACTOR (an operation of the library), END (a terminator).
//
// Arguments:
//   arithmetic a, b (nsw, nuw, exact in flags); IR_FCMP a, b with a mask of
//   IR_EQUAL, IR_GREATER, IR_LESS, IR_UNORDERED in sub
//   ALLOCA: imm bytes (times args[0] if there is one), align in sub as log2
//   FIELD p: p + imm.  INDEX p, i: p + i * imm, an array of `count` elements of
//   imm bytes (0: unknown how many)
//   LOAD p, STORE v, p: `type` of the value; COPY and MOVE to, from, n;
//   SET to, byte, n
//   EXTRACT b: bytes of b at imm; INSERT b, v: b with v at imm
//   OVERFLOW a, b: {result, bit}, the operation in sub (enum ir_op), signed if
//   IR_NSW
//   MATH a...: the function in sub (enum ir_math)
//   VASTART p
//   CALL f, args...
//   actor operations: the primitive's arguments, ctx first.  FORWARD is a SEND
//   of the message that the handler was given.  AFTER with IR_AGAIN in sub
//   fires again and again. BRANCH c: successor 0 if true, else 1.  SWITCH v,
//   c1, c2...: successor i if v is ci, else 0.  RETURN v or nothing.  TRAP:
//   kind in sub, text. UNSUPPORTED: what in text; may have a type and stands
//   for any effect.
#define IR_OPS(X)                                                              \
    X(PARAM, "param", VALUE)                                                   \
    X(ADD, "add", VALUE)                                                       \
    X(SUB, "sub", VALUE)                                                       \
    X(MUL, "mul", VALUE)                                                       \
    X(UDIV, "udiv", VALUE)                                                     \
    X(SDIV, "sdiv", VALUE)                                                     \
    X(UREM, "urem", VALUE)                                                     \
    X(SREM, "srem", VALUE)                                                     \
    X(SHL, "shl", VALUE)                                                       \
    X(LSHR, "lshr", VALUE)                                                     \
    X(ASHR, "ashr", VALUE)                                                     \
    X(AND, "and", VALUE)                                                       \
    X(OR, "or", VALUE)                                                         \
    X(XOR, "xor", VALUE)                                                       \
    X(EQ, "eq", VALUE)                                                         \
    X(NE, "ne", VALUE)                                                         \
    X(ULT, "ult", VALUE)                                                       \
    X(ULE, "ule", VALUE)                                                       \
    X(SLT, "slt", VALUE)                                                       \
    X(SLE, "sle", VALUE)                                                       \
    X(FADD, "fadd", VALUE)                                                     \
    X(FSUB, "fsub", VALUE)                                                     \
    X(FMUL, "fmul", VALUE)                                                     \
    X(FDIV, "fdiv", VALUE)                                                     \
    X(FREM, "frem", VALUE)                                                     \
    X(FNEG, "fneg", VALUE)                                                     \
    X(FCMP, "fcmp", VALUE)                                                     \
    X(TRUNC, "trunc", VALUE)                                                   \
    X(ZEXT, "zext", VALUE)                                                     \
    X(SEXT, "sext", VALUE)                                                     \
    X(FPTOUI, "fptoui", VALUE)                                                 \
    X(FPTOSI, "fptosi", VALUE)                                                 \
    X(UITOFP, "uitofp", VALUE)                                                 \
    X(SITOFP, "sitofp", VALUE)                                                 \
    X(FPCONV, "fpconv", VALUE)                                                 \
    X(BITS, "bits", VALUE)                                                     \
    X(PTRTOINT, "ptrtoint", VALUE)                                             \
    X(INTTOPTR, "inttoptr", VALUE)                                             \
    X(SELECT, "select", VALUE)                                                 \
    X(PHI, "phi", VALUE)                                                       \
    X(EXTRACT, "extract", VALUE)                                               \
    X(INSERT, "insert", VALUE)                                                 \
    X(OVERFLOW, "overflow", VALUE)                                             \
    X(MATH, "math", VALUE)                                                     \
    X(FIELD, "field", VALUE)                                                   \
    X(INDEX, "index", VALUE)                                                   \
    X(ALLOCA, "alloca", MEM)                                                   \
    X(LOAD, "load", MEM)                                                       \
    X(STORE, "store", MEM)                                                     \
    X(COPY, "copy", MEM)                                                       \
    X(MOVE, "move", MEM)                                                       \
    X(SET, "set", MEM)                                                         \
    X(VASTART, "vastart", MEM)                                                 \
    X(CALL, "call", CALL)                                                      \
    X(UNSUPPORTED, "unsupported", CALL)                                        \
    X(SPAWN, "spawn", ACTOR)                                                   \
    X(SEND, "send", ACTOR)                                                     \
    X(FORWARD, "forward", ACTOR)                                               \
    X(TRY_SEND, "try_send", ACTOR)                                             \
    X(ASK, "ask", ACTOR)                                                       \
    X(REPLY, "reply", ACTOR)                                                   \
    X(AWAIT, "await", ACTOR)                                                   \
    X(GET, "get", ACTOR)                                                       \
    X(PAUSE, "pause", ACTOR)                                                   \
    X(AFTER, "after", ACTOR)                                                   \
    X(CANCEL, "cancel", ACTOR)                                                 \
    X(BECOME, "become", ACTOR)                                                 \
    X(STOP, "stop", ACTOR)                                                     \
    X(WATCH, "watch", ACTOR)                                                   \
    X(SELF, "self", ACTOR)                                                     \
    X(SENDER, "sender", ACTOR)                                                 \
    X(EXPOSE, "expose", ACTOR)                                                 \
    X(RECEPTIONIST, "receptionist", ACTOR)                                     \
    X(NOW, "now", ACTOR)                                                       \
    X(CHOOSE, "choose", ACTOR)                                                 \
    X(GETPARAM, "getparam", ACTOR)                                             \
    X(DRAIN, "drain", ACTOR)                                                   \
    X(DELIVER_ONE, "deliver_one", ACTOR)                                       \
    X(PEEK, "peek", ACTOR)                                                     \
    X(EACH, "each", ACTOR)                                                     \
    X(FLYING, "flying", ACTOR)                                                 \
    X(LOG, "log", ACTOR)                                                       \
    X(JUMP, "jump", END)                                                       \
    X(BRANCH, "branch", END)                                                   \
    X(SWITCH, "switch", END)                                                   \
    X(RETURN, "return", END)                                                   \
    X(TRAP, "trap", END)

enum ir_op {
#define IR_OP_(name, text, group) IR_##name,
    IR_OPS(IR_OP_)
#undef IR_OP_
        IR_OPS_N
};

enum ir_group { IR_G_VALUE, IR_G_MEM, IR_G_CALL, IR_G_ACTOR, IR_G_END };

// Traps: how a run can end other than by returning.
#define IR_TRAPS(X)                                                            \
    X(NULL, "null", "a null pointer is followed")                              \
    X(DIVISION, "division", "division by zero, or its result does not fit")    \
    X(BOUNDS, "bounds", "an index is outside its array")                       \
    X(ASSERT, "assert", "an assertion fails")                                  \
    X(ABORT, "abort", "the program aborts")                                    \
    X(EXIT, "exit", "the program exits")                                       \
    X(UNREACHABLE, "unreachable", "code said to be unreachable")

enum ir_trap {
#define IR_TRAP_(name, id, text) IR_TRAP_##name,
    IR_TRAPS(IR_TRAP_)
#undef IR_TRAP_
        IR_TRAPS_N
};

#define IR_MATHS(X)                                                            \
    X(FABS, "fabs")                                                            \
    X(SQRT, "sqrt")                                                            \
    X(FLOOR, "floor")                                                          \
    X(CEIL, "ceil")                                                            \
    X(FTRUNC, "trunc")                                                         \
    X(RINT, "rint")                                                            \
    X(ROUND, "round")                                                          \
    X(COPYSIGN, "copysign")                                                    \
    X(FMIN, "minnum")                                                          \
    X(FMAX, "maxnum")                                                          \
    X(FMA, "fma")                                                              \
    X(POW, "pow")                                                              \
    X(EXP, "exp")                                                              \
    X(LN, "log")                                                               \
    X(SIN, "sin")                                                              \
    X(COS, "cos")                                                              \
    X(BSWAP, "bswap")                                                          \
    X(CTPOP, "ctpop")                                                          \
    X(CTLZ, "ctlz")                                                            \
    X(CTTZ, "cttz")                                                            \
    X(ABS, "abs")                                                              \
    X(SMIN, "smin")                                                            \
    X(SMAX, "smax")                                                            \
    X(UMIN, "umin")                                                            \
    X(UMAX, "umax")                                                            \
    X(FSHL, "fshl")                                                            \
    X(FSHR, "fshr")                                                            \
    X(FPCLASS, "is.fpclass")

enum ir_math {
#define IR_MATH_(name, text) IR_M_##name,
    IR_MATHS(IR_MATH_)
#undef IR_MATH_
        IR_MATHS_N
};

// How a function compares text: in `sub` of an IR_CALL that has a site.
enum ir_text { IR_TEXT_EQUAL, IR_TEXT_CASE, IR_TEXT_BYTES, IR_TEXT_INSIDE };

enum { IR_AGAIN = 1 };
enum { IR_EQUAL = 1, IR_GREATER = 2, IR_LESS = 4, IR_UNORDERED = 8 };
enum { IR_NSW = 1, IR_NUW = 2, IR_EXACT = 4, IR_VOLATILE = 8 };

struct ir_inst {
    uint8_t op; // enum ir_op
    uint8_t sub;
    uint8_t flags;
    struct ir_type type; // of the result; of the value for STORE
    uint16_t column;
    uint16_t file; // index in ir.files
    uint32_t line; // 0: unknown
    uint32_t n;    // arguments,
    uint32_t args; // from here in fn.args
    uint32_t count;
    uint32_t site; // what instrumentation tells of it (below); IR_NOTHING: none
    int64_t imm;   // of PARAM: 1 + the debug type of pointer that variables
                   // holding it have, 0 or less: none, or several
    const char *name; // of the source variable, NULL if none
    const char *text; // TRAP, UNSUPPORTED
};

struct ir_block {
    uint32_t first, n;       // instructions
    uint32_t succs, n_succs; // in fn.edges
    uint32_t preds, n_preds; // in fn.edges, each once
    uint32_t idom, ipdom;    // IR_NOTHING: none
    uint32_t loop;           // header of the innermost loop around it
    uint32_t depth;          // of loops
    uint32_t origin;         // LLVM's block, in reverse postorder: checks split
                             // one into parts, traps of checks are parts, too
    bool reachable;
};

struct ir_fn {
    const char *name;
    uint32_t id;
    struct ir_type result;
    uint32_t n_params;
    bool variadic;
    bool defined;
    bool local; // of its file
    bool noreturn;
    bool is_handler; // in a row of a behaviour
    uint16_t file;
    uint32_t line;
    uint32_t first_hit; // of origin 0; origins have consecutive ones
    uint32_t n_origins;
    uint32_t n_types;      // debug types: of the result, then of parameters
    const uint32_t *types; // (IR_NOTHING: void or unknown)
    VEC(struct ir_inst) insts;
    VEC(struct ir_block) blocks;
    VEC(ir_id) args;
    VEC(uint32_t) edges;
};

// ---- debug types --------------------------------------------------------

enum ir_dkind {
    IR_D_SIGNED,
    IR_D_UNSIGNED,
    IR_D_BOOL,
    IR_D_FLOAT,
    IR_D_POINTER,
    IR_D_STRUCT,
    IR_D_UNION,
    IR_D_ARRAY, // one dimension
    IR_D_ENUM,
    IR_D_TYPEDEF,
    IR_D_FUNCTION,
    IR_D_OTHER
};

struct ir_member {
    const char *name; // "" for an unnamed struct or union
    uint32_t type;
    uint64_t bit;  // offset from the start of the struct
    uint32_t bits; // of a bit-field, else 0
};

struct ir_enumerator {
    const char *name;
    int64_t value;
};

enum { IR_Q_CONST = 1, IR_Q_VOLATILE = 2, IR_Q_RESTRICT = 4, IR_Q_ATOMIC = 8 };

struct ir_dtype {
    uint8_t kind;       // enum ir_dkind
    uint8_t qualifiers; // of a typedef: not one, but its base so qualified,
                        // with the name of the base
    bool local;         // declared inside a function
    bool variadic;      // function
    const char *name;   // "" if none
    uint64_t size;      // bytes
    uint32_t base;      // pointer, array, typedef, enum, result of a function;
                        // IR_NOTHING: void
    uint64_t count;     // array; 0: unknown
    uint32_t n;         // members, enumerators or parameters
    const struct ir_member *members; // parameters have no names
    const struct ir_enumerator *values;
};

// ---- the program --------------------------------------------------------

struct ir_reloc {
    uint32_t offset; // where in the global
    ir_id value;     // IR_C_GLOBAL or IR_C_FUNCTION, 8 bytes
};

struct ir_global {
    const char *name;
    uint64_t size;
    uint32_t align;
    bool constant, local, external, thread_local_, weak;
    const char *section;  // "" if none
    const uint8_t *bytes; // NULL: zero (or external)
    uint32_t n_relocs;
    const struct ir_reloc *relocs; // by offset
    uint32_t type;                 // debug type, IR_NOTHING if none
    uint16_t file;
    uint32_t line;
};

// The library's constant tables; each index is a global's unless said.
struct ir_msg {
    uint32_t global;
    const char *name, *reply; // reply NULL: no request
    uint32_t size, reply_size;
    uint32_t copy, drop; // functions
    uint32_t type;       // debug type of the struct
    uint32_t reply_type;
};

struct ir_row {
    uint32_t msg;   // in ir.msgs
    uint8_t policy; // enum tr_policy: 0 run, 1 put off, 2 drop
    uint32_t fn;
};

struct ir_behaviour {
    uint32_t global;
    const char *name;
    uint32_t n;
    const struct ir_row *rows;
};

struct ir_class {
    uint32_t global;
    const char *name;
    uint32_t size;
    uint32_t start;      // in ir.behaviours
    uint32_t init, fini; // functions
    uint32_t mailbox;    // how many messages may wait, 0: no bound
    uint32_t type;       // debug type of the state
};

struct ir_root { // a system, a test or an invariant
    const char *name;
    uint32_t fn;
    uint16_t file;
    uint32_t line;
    const char *of; // a replay: the test or system it starts from, else NULL
};

struct ir_hot {
    uint32_t cls, behaviour;
};

struct ir {
    struct arena arena;
    VEC(const char *) files;
    VEC(struct ir_const) consts;
    VEC(struct ir_global) globals;
    VEC(struct ir_fn *) fns;
    VEC(struct ir_dtype) types;
    VEC(struct ir_msg) msgs;
    VEC(struct ir_behaviour) behaviours;
    VEC(struct ir_class) classes;
    VEC(struct ir_root) systems;
    VEC(struct ir_root) tests;
    VEC(struct ir_root) invariants;
    VEC(struct ir_hot) hots;
    bool has_debug;             // some function knows its lines
    uint32_t n_hits;            // places that an instrumented program marks
    uint32_t n_compares;        // comparisons that it can tell the operands of
    uint32_t next_const_[1024]; // hash chains of consts
    VEC(uint32_t) chain_;
};

// ---- places -------------------------------------------------------------

// An instrumented program (ir/instrument.h) marks places as it passes them; a
// place is known by its hit, from 0 to ir.n_hits:
//   - the head of an origin: first_hit + origin;
//   - a check that fails: `site` of the IR_TRAP it leads to;
//   - a side of a condition: `site` + k of an IR_BRANCH or IR_SWITCH that is
//     not a check for its successor k, of an IR_SELECT for its value k.
// Comparisons (IR_EQ... IR_FCMP, those of checks included) have numbers of
// their own, from 0 to ir.n_compares, in `site`; so have calls of functions
// that compare text.  Case k of a switch is comparison `count` + k - 1.
static inline uint32_t ir_block_hit(const struct ir_fn *f,
                                    const struct ir_block *b)
{
    return f->first_hit + b->origin;
}

// ---- making one ---------------------------------------------------------

struct ir_options {
    const char *const *flags; // for the compiler: -I..., -D...
    uint32_t n_flags;
    const char *cache;        // folder for bitcode; NULL: as build_cache() says
    const char *database;     // a compile_commands.json, NULL: none
    const char *clang;        // NULL: clang-19, then clang
    bool no_checks;           // leave out the branches to traps
    bool operands;            // the last operand of a && or || whose value is
                              // kept is a select, so it has sides
    struct ir_probes *probes; // NULL: instrument nothing (ir/instrument.h)
};

// Compilers leave out an allocation whose result is not needed; with these flags
// it stays, since it may fail.  NULL ends them.
extern const char *const ir_allocation_flags[];

// Compile (.c) or read (.bc, .ll) these files, link them and translate.  NULL
// with d set when that is impossible.
struct ir *ir_load(const char *const *paths, uint32_t n,
                   const struct ir_options *options, struct diag *d);
// The bitcode of one source, compiled or from the cache: a path that lives in
// a.  `fresh`, if not NULL, is told whether the compiler ran.
const char *ir_compile(struct arena *a, const char *path,
                       const struct ir_options *options, bool *fresh,
                       struct diag *d);
void ir_free(struct ir *ir);

// ---- asking -------------------------------------------------------------

const char *ir_op_text(enum ir_op op);
enum ir_group ir_op_group(enum ir_op op);
const char *ir_trap_id(enum ir_trap t);
const char *ir_trap_text(enum ir_trap t);
const char *ir_math_text(enum ir_math m);

static inline const ir_id *ir_args(const struct ir_fn *f,
                                   const struct ir_inst *i)
{
    return f->args.at + i->args;
}
static inline const uint32_t *ir_succs(const struct ir_fn *f,
                                       const struct ir_block *b)
{
    return f->edges.at + b->succs;
}
static inline const uint32_t *ir_preds(const struct ir_fn *f,
                                       const struct ir_block *b)
{
    return f->edges.at + b->preds;
}
static inline const struct ir_const *ir_const_at(const struct ir *ir, ir_id v)
{
    return &ir->consts.at[ir_const_index(v)];
}
struct ir_type ir_type_of(const struct ir *ir, const struct ir_fn *f, ir_id v);
// The global that v is an address in, through fields and indices of one
// function; IR_NOTHING if it is not.
uint32_t ir_global_of(const struct ir *ir, const struct ir_fn *f, ir_id v);
// By global: may the program's code change it?  Also yes if its address gets
// where writes through it are not followed.  The caller frees it.
bool *ir_written(const struct ir *ir);
// A global that the function stores to by its name, IR_NOTHING: none.  What it
// writes through pointers, or its callees write, does not count.
uint32_t ir_writes(const struct ir *ir, const struct ir_fn *f);
// The function or global that a constant is the address of (offset 0), else
// IR_NOTHING.
uint32_t ir_as_fn(const struct ir *ir, ir_id v);
uint32_t ir_as_global(const struct ir *ir, ir_id v);
// A constant with these contents, made if there is none.
ir_id ir_const_make(struct ir *ir, struct ir_const c);
ir_id ir_const_int(struct ir *ir, struct ir_type t, uint64_t lo);

uint32_t ir_find_fn(const struct ir *ir, const char *name);
uint32_t ir_find_global(const struct ir *ir, const char *name);
// Indices in the tables, IR_NOTHING if there is none.
uint32_t ir_msg_of(const struct ir *ir, uint32_t global);
uint32_t ir_behaviour_of(const struct ir *ir, uint32_t global);
uint32_t ir_class_of(const struct ir *ir, uint32_t global);
uint32_t ir_find_class(const struct ir *ir, const char *name);
// A debug type without its typedefs.
uint32_t ir_bare_type(const struct ir *ir, uint32_t type);
// Is this what references to actors point to?  *cls: the class they are for,
// IR_NOTHING: any.
bool ir_is_actor(const struct ir *ir, uint32_t type, uint32_t *cls);
// A struct or union of this tag, IR_NOTHING if none.
uint32_t ir_find_struct(const struct ir *ir, const char *tag);
// "server.balance", "in.left[]": the members at this byte, "" if unknown.
void ir_path(const struct ir *ir, uint32_t type, uint64_t byte, char *out,
             size_t size);
// The same with the number of each element: "rows[2].key".
void ir_place(const struct ir *ir, uint32_t type, uint64_t byte, char *out,
              size_t size);

// The type of what lies at this byte, IR_NOTHING if unknown.
uint32_t ir_field_type(const struct ir *ir, uint32_t type, uint64_t byte);
// The name of the type of what lies at this byte, "" if it has none: a
// typedef's, not what it stands for.
const char *ir_type_at(const struct ir *ir, uint32_t type, uint64_t byte);

// Block a dominates (post-dominates) block b.  A block does so itself.
bool ir_dominates(const struct ir_fn *f, uint32_t a, uint32_t b);
bool ir_postdominates(const struct ir_fn *f, uint32_t a, uint32_t b);
// Does this call of a function of the C library leave the program's memory
// alone?  False also if that is not known, or for another function.
bool ir_only_reads(const struct ir *ir, const struct ir_fn *caller,
                   const struct ir_inst *call);
// The block of an instruction.
uint32_t ir_block_of(const struct ir_fn *f, uint32_t inst);

// Call graph over direct calls and address-taken functions: for a call whose
// callee is no constant, every defined function of that many parameters whose
// address is taken somewhere.
struct ir_call {
    uint32_t caller, inst, callee;
};
struct ir_calls {
    VEC(struct ir_call) at; // by caller, then instruction, then callee
};
void ir_calls(const struct ir *ir, struct ir_calls *out);
void ir_calls_free(struct ir_calls *c);
// Mark all functions that marked ones may call: every function that one names
// counts as called by it.
void ir_spread(const struct ir *ir, bool *marked);

// ---- showing ------------------------------------------------------------

// All of it, or one function, in a form for people.
void ir_print(const struct ir *ir, FILE *to);
void ir_print_fn(const struct ir *ir, const struct ir_fn *f, FILE *to);
void ir_print_inst(const struct ir *ir, const struct ir_fn *f, uint32_t inst,
                   FILE *to);
// Check the invariants above: NULL, or what is broken.
const char *ir_check(const struct ir *ir, struct arena *a);

#endif

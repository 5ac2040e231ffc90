// How terms are kept: for the files of this folder that build and read them.
#ifndef SOLVER_STORE_H
#define SOLVER_STORE_H

#include "base/arena.h"
#include "base/vec.h"
#include "solver/term.h"

// A constant has its low 64 bits in a and b, and in c the place of the high
// ones in terms.wide, 0 if they are all zero.  A variable has its number in a.
struct node {
    uint8_t op;
    uint8_t sub; // mask of FCMP, function of MATH, low bit of SLICE
    uint8_t bits;
    uint8_t has; // TERM_HAS_...
    term a, b, c;
};

// What is known of every value of a term of at most 64 bits.
struct known {
    uint64_t lo, hi;      // unsigned range
    uint64_t zeros, ones; // bits that are surely clear, surely set
};

struct var {
    const char *name;
    term self;
    enum term_kind kind;
};

// Values under the model that was evaluated last.
struct values {
    VEC(u128) at;
    VEC(uint32_t) when; // the epoch in which at[t] was computed
    uint32_t epoch;
    uint64_t model; // its serial number; 0: no model
};

// Callers evaluate under a path's model for long, so the models that steps of a
// question try are evaluated apart.
enum { VALUES_OF_PATH, VALUES_TRIED, VALUES_JUDGED, VALUES_N };

struct terms {
    struct arena arena; // names, lists of variables
    VEC(struct node) nodes;
    VEC(struct known) known;
    VEC(uint64_t) wide;
    VEC(struct var) vars;
    uint32_t *table; // open addressing; 0: free
    uint32_t mask;
    unsigned depth;        // of nested rewriting
    VEC(uint32_t) vars_of; // term -> place in var_lists, 0: not asked yet
    VEC(struct term_vars) var_lists;
    // Scratch of walks over a term: a number per term that says when it was
    // last met.
    VEC(uint32_t) met;
    uint32_t now;
    VEC(term) stack;
    struct values values[VALUES_N];
    uint64_t last_serial; // of models; one that changes gets a new one
};

// Operations that nest rewriting deeper than this are kept as they are.
enum { DEPTH_MOST = 200 };

static inline const struct node *node_of(const struct terms *ts, term t)
{
    return &ts->nodes.at[t];
}

static inline uint64_t mask_of(unsigned bits)
{
    return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

static inline bool is_op(const struct terms *ts, term t, unsigned op)
{
    return node_of(ts, t)->op == op;
}

static inline bool is_const(const struct terms *ts, term t)
{
    return is_op(ts, t, TERM_CONST);
}

static inline unsigned bits_of(const struct terms *ts, term t)
{
    return node_of(ts, t)->bits;
}

static inline u128 value_of(const struct terms *ts, term t)
{
    const struct node *n = node_of(ts, t);
    uint64_t low = (uint64_t)n->b << 32 | n->a;
    return n->c ? (u128)ts->wide.at[n->c] << 64 | low : low;
}

// The arguments of a node: 0 to 3.
static inline uint32_t n_args(const struct node *n)
{
    return n->op == TERM_CONST || n->op == TERM_VAR ? 0
           : n->c                                   ? 3
           : n->b                                   ? 2
                                                    : 1;
}

static inline term arg_of(const struct node *n, uint32_t i)
{
    return i == 0 ? n->a : i == 1 ? n->b : n->c;
}

// The term for this node, which is in normal form but for what is known of it:
// a constant if it can have one value only.
term term_intern(struct terms *ts, struct node n);

// Is each term there once, made of earlier ones, with facts about its values
// that do not exclude each other?
void terms_check(const struct terms *ts);

// What is known of a node from what is known of its arguments.
struct known known_of(const struct terms *ts, const struct node *n);
// The same from these facts about the arguments.
struct known known_with(const struct terms *ts, const struct node *n,
                        const struct known *args);
// k with values outside of lo..hi left out.
struct known known_narrow(struct known k, uint64_t lo, uint64_t hi);
// EQ, ULT or SLT of values of this width: 1 always, 0 never, -1 neither.
int known_decides(unsigned op, unsigned bits, struct known a, struct known b);
struct known known_const(unsigned bits, u128 value);

// The value of an operation on these values of its arguments, whose widths are
// `bits`; total, as term.h says.  The second asks ir_eval() whatever it is.
u128 node_value(const struct node *n, const uint8_t *bits, const u128 *args);
u128 node_judge(const struct node *n, const uint8_t *bits, const u128 *args);

// As term_eval(), for models that are tried once.
u128 term_try(struct terms *ts, term t, const struct model *m);

// Start a walk: no term is met.  True if t was not met before on this walk.
void walk_begin(struct terms *ts);
bool walk_meet(struct terms *ts, term t);
// Take the next condition that is no conjunction off ts->stack, down to `base`.
// Conjunctions that are met are replaced by their parts.  False: none is left.
bool conjunct_next(struct terms *ts, uint32_t base, term *out);

#endif

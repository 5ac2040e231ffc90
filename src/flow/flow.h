// The message flow graph: who can create whom, and who can send what to whom.
//
// Phase one of TAP (Li, Hariri, Agha: Targeted test generation for actor
// systems, ECOOP 2018, section 4), on C.  One abstract actor per class; the
// functions a handler calls are analysed once per class; initial states and
// messages travel between classes as points-to sets.
//
// Sound for what the language allows, up to the list of `doubts`: whatever a
// run creates or sends is an edge.
#ifndef FLOW_FLOW_H
#define FLOW_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "ir/ir.h"

struct diag;
struct json;

struct flow_options {
    const char *system; // start from this system alone; NULL: from all roots
    bool baseline;      // without TAP's two optimisations (4.3)
    bool open;          // every class is created, and gets all it has rows for
};

// An actor is a class's index; the environment (tests, systems, main, what is
// outside) comes after the classes.
#define flow_env(f) ((f)->ir->classes.n)

#define FLOW_KINDS(X)                                                          \
    X(CREATE, "create")                                                        \
    X(SEND, "send")                                                            \
    X(REPLY, "reply")                                                          \
    X(TIMER, "timer")     /* sent later, by send_after */                      \
    X(NOTICE, "notice")   /* that a watched actor has stopped */               \
    X(OUTSIDE, "outside") /* from whoever knows a receptionist */

enum flow_kind {
#define FLOW_KIND_(name, text) FLOW_##name,
    FLOW_KINDS(FLOW_KIND_)
#undef FLOW_KIND_
};

struct flow_site {
    uint32_t ctx, fn, inst; // an instruction, in the code of an actor
};

struct flow_edge {
    uint32_t from, to;
    uint8_t kind; // enum flow_kind
    uint32_t msg; // in ir.msgs; IR_NOTHING for CREATE.  REPLY: the request
    uint32_t n;
    const struct flow_site *sites; // none for OUTSIDE
};

// A field of an actor's state or a global that a handler reads or writes.
struct flow_access {
    bool write, global;
    uint32_t of;           // the class, or the global
    uint32_t offset;       // in bytes; arrays by their first element
    uint32_t size;         // bytes; UINT32_MAX: unknown how many
    bool guessed;          // by a pointer that may point to many things
    struct flow_site site; // the first
};

// A row of a behaviour that an actor may be in.
struct flow_handler {
    uint32_t cls, behaviour, row;
    uint32_t fn, msg;
    bool live; // its message can come
    uint32_t n;
    const struct flow_access *accesses; // of it and all it calls
};

struct flow_become {
    uint32_t cls, from, to; // behaviours
    uint32_t msg;           // on this message; IR_NOTHING: in init
    struct flow_site site;
};

// A message that may come in a behaviour without a row for it.
struct flow_unhandled {
    uint32_t cls, behaviour, msg;
};

// What the analysis took for granted.
struct flow_doubt {
    const char *what;
    struct flow_site site;
};

struct flow_counts {
    uint32_t nodes, edges, labels; // as in TAP's table 2
    uint32_t instances, locations, variables;
    uint64_t steps;
};

struct flow {
    const struct ir *ir;
    struct arena arena;
    VEC(struct flow_edge) edges; // by from, to, kind, msg
    VEC(struct flow_handler) handlers;
    VEC(struct flow_become) becomes;
    VEC(struct flow_unhandled) unhandled;
    VEC(struct flow_site) nobody; // sends that reach nobody
    VEC(struct flow_doubt) doubts;
    const bool *created;      // by class
    const bool *receptionist; // by class
    struct flow_counts counts;
    struct flow_inner *inner;
};

// NULL with d set when there is nothing to analyse: no actors, no such system.
// Borrows ir.
struct flow *flow_new(const struct ir *ir, const struct flow_options *options,
                      struct diag *d);
void flow_free(struct flow *f);

const char *flow_kind_text(enum flow_kind k);
const char *flow_name(const struct flow *f, uint32_t actor); // "environment"
bool flow_reachable(const struct flow *f, uint32_t cls, uint32_t behaviour);
// Is there such an edge?  msg IR_NOTHING for CREATE.
bool flow_has(const struct flow *f, uint32_t from, uint32_t to,
              enum flow_kind kind, uint32_t msg);
// Is there such an edge that brings the message: a send, timer, notice, or from
// outside?
bool flow_sends(const struct flow *f, uint32_t from, uint32_t to, uint32_t msg);
// The classes a send, ask, spawn... may concern; returns how many, fills up to
// `room` of them.
uint32_t flow_targets(const struct flow *f, struct flow_site site,
                      uint32_t *out, uint32_t room);
// The references that an edge carries, from where it is sent: `use` gets each
// field of the message (of the new state, for CREATE) and whom it may name.
void flow_payload(const struct flow *f, const struct flow_edge *e,
                  void (*use)(void *self, const char *field, uint32_t actor),
                  void *self);
// Cycles of classes, each of which may wait for an answer of the next: calls
// `use` with the classes of each.
void flow_request_cycles(const struct flow *f,
                         void (*use)(void *self, const uint32_t *cls,
                                     uint32_t n),
                         void *self);

// Pictures.  cls is a class's name for its behaviour graph, NULL for the whole.
void flow_dot(const struct flow *f, const char *cls, FILE *to);
// Members of an object.
void flow_json(const struct flow *f, struct json *j);
void flow_print(const struct flow *f, FILE *to);

// ---- lint ---------------------------------------------------------------

#define LINTS(X)                                                               \
    X(NO_ROW, "no-row", "a message may come that has no row")                  \
    X(GLOBAL, "writes-global", "a handler writes a global variable")           \
    X(POINTER, "pointer-in-message", "a message carries a pointer into state") \
    X(BLOCKING, "blocking-call", "a handler calls a function that blocks")     \
    X(DEAD, "dead-handler", "no message can reach this handler")               \
    X(BEHAVIOUR, "unreachable-behaviour", "no actor gets into this behaviour") \
    X(NOBODY, "send-to-nobody", "a message is sent to nobody")                 \
    X(UNSET, "unset-reference", "a reference may be used before it is set")

enum lint_kind {
#define LINT_KIND_(name, id, text) LINT_##name,
    LINTS(LINT_KIND_)
#undef LINT_KIND_
        LINT_KINDS_N
};

struct lint {
    enum lint_kind kind;
    bool note; // may well be intended: shown with --verbose only
    const char *file;
    uint32_t line, column;
    const char *text; // a sentence without a full stop
};

struct lints {
    VEC(struct lint) at; // by file, line, kind
};

// Strings live in f.
void flow_lint(struct flow *f, struct lints *out);
const char *lint_id(enum lint_kind k);
const char *lint_text(enum lint_kind k);

#endif

// Backward search for one target after the other: TAP's phase two.
#ifndef REACH_BACKWARD_BACKWARD_H
#define REACH_BACKWARD_BACKWARD_H

#include "reach/backward/node.h"
#include "reach/reach.h"

// The five settings of TAP's table 3, by name: random, h1, h2, h1h2, hf.
//   H1  a handler is one step.  Without it, each of its sends, creations and
//       receives is one, and those of other actors may come between (small.c)
//   H2  few actors: a new one has little weight, a binding much
//   HF  H1 and H2, and cores of refuted conditions say what to try first
#define BACKWARD_SETTINGS(X)                                                   \
    X(RANDOM, "random")                                                        \
    X(H1, "h1")                                                                \
    X(H2, "h2")                                                                \
    X(H1H2, "h1h2")                                                            \
    X(HF, "hf")

enum backward_setting {
#define BACKWARD_SETTING_(name, text) BACKWARD_##name,
    BACKWARD_SETTINGS(BACKWARD_SETTING_)
#undef BACKWARD_SETTING_
        BACKWARD_SETTINGS_N
};

struct backward_bounds {
    uint32_t messages; // posts, each counter once
    uint32_t actors;   // made on the way
    uint32_t loop;
    uint32_t steps;
};

struct backward_figures {
    uint64_t nodes, queries, cores;
    uint64_t found, lost; // lost: ways that a run did not confirm
    uint32_t cut;         // bounds that were met
};

// What was cut off, so that an empty queue proves nothing.
enum {
    CUT_MESSAGES = 1,
    CUT_ACTORS = 2,
    CUT_LOOP = 4,
    CUT_STEPS = 8,
    CUT_HEAP = 16,
    CUT_UNSUPPORTED = 32,
    CUT_UNKNOWN = 64,
    CUT_BINDINGS = 128
};

struct backward {
    const struct ir *ir;
    const struct flow *flow;
    const struct reach_model *model;
    struct start start;
    struct arena arena;
    struct terms *ts;
    struct solver *solver;
    struct solver *rough; // in this process, bounded by effort
    struct summaries *summaries;
    enum delivery delivery;
    enum backward_setting setting;
    struct backward_bounds bounds;
    struct backward_figures figures;
    struct rng *rng;
    VEC(struct handler) handlers;
    VEC(struct case_list *) lists;
    VEC(double) needs; // by handler: posts that a message for it takes
    uint32_t needs_of; // lists.n when `needs` was computed
    VEC(struct instance *) instances;
    VEC(struct node *) queue; // a heap by priority, or a stack
    struct map seen;          // paths, by what makes them differ
    uint64_t serial;
    uint32_t root_handler, root_case; // ways to the target so far
    struct case_list *root;           // of the handler
    uint32_t next_actor;
    uint64_t next_timer;
    const char *unsupported;
    bool (*stop)(void *user);
    void *user;
};

// merge.c
void cases_prepare(struct backward *b, struct summary *s, struct case_list *l);
const struct summary_case *cases_at(struct backward *b, struct case_list *l,
                                    uint32_t i);

// With these parameters, "n=3 m=4".
bool backward_open(struct backward *b, struct reach *r, const char *params,
                   struct diag *d);
void backward_close(struct backward *b);

// What came of a search.
enum backward_end { BACKWARD_FOUND, BACKWARD_EMPTY, BACKWARD_STOPPED };

// A way to the target, for the caller to try.  Return true to end the search.
typedef bool backward_try(void *user, const struct node *n,
                          const struct model *m);
enum backward_end backward_search(struct backward *b,
                                  const struct ir_target *target,
                                  backward_try *found, void *user);

// ---- for the files of the search ------------------------------------------

// Put all nodes with one more step into the queue.  `core` has the places in
// n->demands that a refutation needs; NULL: not known.
void backward_expand(struct backward *b, const struct node *n,
                     const bool *core);
// Put one more way to the target into the queue; false: there are no more.
bool backward_root(struct backward *b, const struct ir_target *target);
void backward_push(struct backward *b, struct node *n, double penalty);
uint32_t backward_actor(struct backward *b);
// Does no handler of the class write these bytes of the state?
bool backward_fixed(const struct backward *b, uint32_t cls, uint64_t offset,
                    uint32_t bytes);
// Can a message of this type come to this class from outside?
bool backward_accepts(const struct backward *b, uint32_t cls, uint32_t msg);
// May code that a class runs send this, as an actor of the class or as one that
// it makes?
bool backward_may_send(const struct backward *b, uint32_t cls, uint32_t to,
                       uint32_t msg);
// Posts that the path takes at least (needs.c).
double backward_needs(struct backward *b, const struct node *n);
// Has the class a behaviour that defers or ignores this message?  Then messages
// behind it in the channel need not wait for its handler.
bool backward_absorbs(const struct backward *b, uint32_t cls, uint32_t msg);
// Is the byte in an array or a union?  The graph does not tell these apart.
bool backward_in_array(const struct ir *ir, uint32_t type, uint64_t byte);
// Ways of a handler to the target.
struct case_list *backward_ways(struct backward *b, uint32_t handler,
                                const struct ir_target *target);
// The i-th case of a handler, NULL: there is none.
const struct summary_case *backward_case(struct backward *b, uint32_t handler,
                                         uint32_t i);
// Is the setting one without H1; one with H2?
bool backward_small_steps(const struct backward *b);
bool backward_weighs(const struct backward *b);
bool backward_is_initial(const struct backward *b, uint32_t actor);

#endif

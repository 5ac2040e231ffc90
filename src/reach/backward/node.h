// Nodes of the backward search: what must be so before the activations that a
// path has so far.
//
// TAP (ECOOP 2018) section 5.1 has a configuration of actors, pending events,
// conditions and external messages, and one rule for each statement.  Here an
// activation is one step (a case of reach/summary.h, a segment of it where the
// handler waits), so that one operation, node_prepend(), does the work of all
// rules of figure 10: it puts a segment before everything in the path, and
// binds its sends, replies and creations to what later steps still ask for.
//
// The path is a total order, and each step is put in front.  Positions count
// from the end: a greater position is an earlier time.
#ifndef REACH_BACKWARD_NODE_H
#define REACH_BACKWARD_NODE_H

#include "base/map.h"
#include "flow/flow.h"
#include "play/delivery.h"
#include "reach/model.h"
#include "reach/start.h"
#include "reach/summary.h"

enum { ACTOR_NONE = 0 };

// Cases of a summary.  If all of them were found in a short time, cases that
// differ in nothing that is read are merged (merge.c).
struct case_list {
    struct summary *from;
    bool ready;
    VEC(struct summary_case) at;
};

// A row of a behaviour that runs a handler.
struct handler {
    uint32_t cls, behaviour, msg, fn;
    struct case_list *cases; // NULL: not asked for yet
};

// An activation: a case with variables of its own.
struct instance {
    uint32_t id;
    uint32_t actor;
    uint32_t handler; // in bw.handlers, IR_NOTHING: the message is ignored
    uint32_t msg;
    struct summary_case c;
    term *vars;              // by cell of the path: what it is here
    struct term_subst *here; // from the case's terms to the instance's
    struct instance *asked;  // of a handler that replies: to this ask
    uint32_t ask;            // effect of `asked`
};

// What a segment of an actor looks at before it runs.
struct demand {
    term var;
    uint32_t actor;
    uint32_t offset, bytes;
};

enum request_kind { ASKS_MESSAGE, ASKS_REPLY };

// A receive whose message nobody has sent so far.
struct request {
    enum request_kind kind;
    uint32_t actor, msg;    // of a reply: the request that it answers
    struct instance *by;    // whose cells are the contents
    uint32_t wait;          // of a reply: which wait
    struct instance *asked; // of a message: by this ask and no other,
    uint32_t ask;           // effect of `asked`; NULL: by anybody
    uint32_t position;      // of the receive
    uint32_t stopper;       // it is the notice that this actor has stopped
    uint32_t n_cancels;     // timers that were cancelled meanwhile
    term cancels[8];
};

// The earlier part of an activation that waited.
struct pending {
    struct instance *of;
    uint32_t segment; // that is to come
    bool held;        // by get: nothing of the actor comes between
    bool paused;      // something of the actor must come between
    bool between;     // and did
};

// An activation that is walked through in small steps, from its end (without
// H1): effects up to `left` are to come, then its conditions and its message.
struct opened {
    struct instance *of;
    uint32_t segment, position, left;
    bool fresh; // the activation began with this segment
};

struct cast { // an actor of the path
    uint32_t number;
    uint32_t cls;
    uint32_t behaviour; // needed before its first step so far, IR_NOTHING: any
    bool initial;       // the setup made it
    bool made;          // or a step of the path
    uint32_t steps;     // of it in the path
};

// The earliest receive so far that is bound to a send of this channel.
struct channel {
    uint32_t from, to, position;
};

enum step_kind {
    STEP_POST,  // a message from outside
    STEP_IN,    // one from inside
    STEP_REPLY, // an answer resumes the handler
    STEP_LATE,  // a time limit does
    STEP_PAUSE  // another handler of the actor does
};

struct path_step {
    const struct path_step *later;
    enum step_kind kind;
    struct instance *of;
    uint32_t segment;
    uint32_t position;
    term times; // how often, of 32 bits; TERM_NONE: once
};

// Who sent what a step receives: found when the send is bound.
struct origin {
    const struct origin *up;
    uint32_t position;     // of the receive
    uint32_t from;         // actor
    uint32_t sent, effect; // position of the step that sent it, and effect
    enum ir_op op;
};

// Which effect of which step makes an actor.
struct birth {
    const struct birth *up;
    uint32_t position, effect, number;
};

struct node {
    VEC(term) conditions;
    VEC(struct demand) demands;
    VEC(struct request) requests;
    VEC(struct pending) pendings;
    VEC(struct opened) opened;
    VEC(struct cast) cast;
    VEC(struct channel) channels;
    VEC(uint32_t) flights; // by flight of the start: position of its receive
    VEC(term) counts;      // of repeats
    const struct path_step *path;
    const struct origin *origins;
    const struct birth *births;
    uint32_t length, posts, unknown; // steps; unknown: actors not made yet
    uint32_t repeated; // handler of the last step if it was a repeat, else
                       // IR_NOTHING
    double priority;
    uint64_t serial;
};

struct backward;

// A binding of an effect of a segment to what a later step asks for.
enum bind_kind { BIND_REQUEST, BIND_ACTOR };
struct binding {
    enum bind_kind kind;
    uint32_t effect; // in path.effects
    uint32_t to;     // request, or place in the cast
};
struct bindings {
    uint32_t n;
    struct binding at[16];
};

// Why a step cannot be put in front, or that it was.
enum prepended {
    PREPENDED,
    NOT_POSSIBLE, // it contradicts the path
    BLOCKED       // an earlier message of a channel is in the way: *by, *msg
};

struct step_plan {
    uint32_t cast;    // whose step: place in the cast of the node
    uint32_t handler; // in bw.handlers
    const struct summary_case *c;
    uint32_t segment;
    struct instance *of; // of a pending part; NULL: a new activation
    bool outside;        // its message is posted
    struct bindings bound;
    uint32_t blocked_by, blocked_msg; // out: receiver and message in the way
};

struct node *node_new(struct backward *b);
struct node *node_copy(struct backward *b, const struct node *n);
void node_free(struct node *n);

// The place of an actor in the cast, added if it is not there.
uint32_t node_cast(struct backward *b, struct node *n, uint32_t number,
                   uint32_t cls, bool initial);

// Turn n into the node before the step.  Unless the result is PREPENDED, n must
// not be used any more.
enum prepended node_prepend(struct backward *b, struct node *n,
                            struct step_plan *p);
// The same in small steps.  First the state that the segment leaves; its
// creations are bound as the plan says, nothing else is.
enum prepended node_begin(struct backward *b, struct node *n,
                          struct step_plan *p);
// Then the effect before those that were walked through; request IR_NOTHING: it
// is bound to nothing.  *p has what is in the way.
enum prepended node_effect(struct backward *b, struct node *n, uint32_t opened,
                           uint32_t request, struct step_plan *p);
// At last what the segment asks for.
enum prepended node_end(struct backward *b, struct node *n, uint32_t opened,
                        bool outside);
bool node_is_opened(const struct node *n, uint32_t actor);
void node_drop_request(struct node *n, uint32_t request);
// The request is for a message that was under way at the start.
bool node_bind_flight(struct backward *b, struct node *n, uint32_t request,
                      uint32_t flight);
// The node with one handler n times in front, n a variable: by the cases of its
// `which`-th group (repeat.c).  NULL if there is no such group.
struct node *node_repeat(struct backward *b, const struct node *n,
                         uint32_t cast, uint32_t handler, uint32_t which);

// The flight that is in the way of one that was received, IR_NOTHING: none.
uint32_t node_flight_in_way(const struct backward *b, const struct node *n);

// Does the order of receives keep to causes (causal.c)?
bool node_is_causal(const struct node *n);

// Where in the conditions a variable occurs is forgotten for demands that
// nothing needs; false: a condition is false.
bool node_tidy(struct backward *b, struct node *n);

struct instance *instance_new(struct backward *b, uint32_t actor,
                              uint32_t handler, const struct summary_case *c);
// A term of the case as one of the instance.
term instance_term(const struct instance *i, term t);
// What the instance has for a cell at this place; TERM_NONE: it has none.
term instance_cell(const struct instance *i, enum sx_from from, uint32_t index,
                   int64_t offset, uint32_t bytes);
// References in a message from outside are nobody or a receptionist.
void node_outside(struct backward *b, struct node *n, struct instance *i);
// Which state a segment begins with, by number of its variables.
uint32_t segment_state(const struct summary_case *c, uint32_t k);
// The message that is sent; false: the effect sends none.
bool effect_sends(const struct sx_effect *e, term *to, uint32_t *msg);

#endif

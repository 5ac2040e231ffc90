// What the files of src/flow share while a graph is made.
//
// How this is TAP's algorithm 1: a class's state machine is the set of
// function instances with its number as context; its data facts are the
// locations of its state object, its message objects and its sender nodes.  A
// new incoming edge adds to these facts, and only the constraints that read
// them run again: the worklist is that of the solver, the fact store the
// points-to sets, and merging is set union.  Nothing is executed twice.
#ifndef FLOW_INNER_H
#define FLOW_INNER_H

#include "flow/flow.h"
#include "flow/pts.h"

// A message that came to a function, with its tag.
struct arrived {
    int64_t tag;
    uint32_t loc;
};

// The message parameter as the blocks below a test of its tag see it: messages
// that pass the test.
struct narrowed {
    uint32_t block, node;
};

// A function in the code of one actor.
struct instance {
    uint32_t fn, ctx;
    uint32_t *nodes; // of values, made when asked for
    uint32_t result;
    bool *active;                 // blocks
    VEC(uint32_t) todo;           // blocks to be activated
    VEC(uint32_t) callees;        // instances
    VEC(struct arrived) messages; // that came, with their tags (see tags.c)
    VEC(struct narrowed) narrowed;
    bool calls_outside;
};

// An actor operation or a call that waits for locations of its operands.
struct op {
    uint32_t instance, inst;
};

// A message of one type at one class.
struct inbox {
    uint32_t cls, msg;
    uint32_t object;
    int64_t tag;     // TAG_NONE: not told apart by tag
    uint32_t sender; // node
};

struct edge {
    uint32_t from, to;
    uint8_t kind;
    uint32_t msg;
    VEC(struct flow_site) sites;
};

// A payload that was sent, and whose tag decides which inbox it goes to.
struct tagged {
    uint32_t from, cls, msg;
    uint32_t payload; // location
};

// All asks of one message that one actor sent to a class: who gets the replies.
struct asked {
    uint32_t cls, msg, from; // from: the asker
    uint32_t reply;          // object
};

enum {
    TAG_NONE = -1, // messages are not told apart
    TAG_ANY = -2   // any number
};

struct flow_inner {
    struct flow *f;
    const struct ir *ir;
    bool baseline;
    uint32_t env;
    struct pts pts;
    VEC(struct instance) instances;
    struct map instance_ids; // (fn, ctx)
    struct map const_nodes;
    struct map objects; // (kind, a, b) to object
    struct map edge_ids;
    struct map done; // (op, class, msg...) seen
    VEC(struct op) ops;
    struct map op_ids; // (instance, instruction)
    VEC(struct inbox) inboxes;
    VEC(struct edge) edges;
    VEC(struct asked) asked;
    VEC(uint32_t) answers;    // ops: replies
    VEC(uint32_t) sender_ops; // ops: sender() in handlers
    VEC(uint32_t) flying_ops; // ops: loops over messages in flight
    VEC(struct tagged) tagged;
    VEC(struct flow_become) becomes;
    uint32_t *sender; // by class: node
    bool *reachable;  // behaviour * classes + class
    bool *created;
    bool *receptionist;
    bool *wrapper;        // by function: returns its own fresh allocation
    uint32_t any_number;  // location
    VEC(int64_t) numbers; // cases of tests of a tag
    VEC(uint32_t) tag_offsets;
    uint32_t *tag_offset;  // by function: of the tag that it tests
    VEC(uint32_t) pending; // instances with blocks to activate
    uint32_t kept_text;    // node: what strtok() goes on with
    // what code that is not given holds (see outside.c)
    uint32_t outside_object;    // its memory; IR_NOTHING: none is called
    uint32_t outside;           // node
    VEC(uint32_t) outside_fns;  // functions that it may call
    VEC(uint32_t) outside_ctxs; // actors whose code calls it
};

// instances.c: objects, functions in the code of an actor, operations
uint32_t object_of(struct flow_inner *f, struct pts_object o, uint64_t key);
uint32_t instance_get(struct flow_inner *f, uint32_t fn, uint32_t ctx);
// MAP_NONE if the function is not in the code of that actor.
uint32_t instance_find(const struct flow_inner *f, uint32_t fn, uint32_t ctx);
void gen_activate(struct flow_inner *f, uint32_t instance, uint32_t block);
// May a value of this type hold a location?
bool value_carries(struct ir_type t);
// The node of an instruction's result.
uint32_t inst_node(struct flow_inner *f, uint32_t instance, uint32_t inst);
// The node of a value, IR_NOTHING if it can hold no location.
uint32_t value_node(struct flow_inner *f, uint32_t instance, ir_id v,
                    uint32_t block);
uint32_t param_node(struct flow_inner *f, uint32_t instance, uint32_t param);
uint32_t op_new(struct flow_inner *f, uint32_t instance, uint32_t inst);
// Tell `op` of each location that argument `role` gets.
void op_watch(struct flow_inner *f, uint32_t op, uint32_t role);
ir_id op_arg(const struct flow_inner *f, uint32_t op, uint32_t role);
// The node of argument `role`, IR_NOTHING if it can hold no location.
uint32_t op_node(struct flow_inner *f, uint32_t op, uint32_t role);
const struct set *op_set(struct flow_inner *f, uint32_t op, uint32_t role);
struct flow_site op_site(const struct flow_inner *f, uint32_t op);
// The operation at a place, MAP_NONE if there is none.
uint32_t op_at(const struct flow_inner *f, struct flow_site site);
const struct ir_inst *op_inst(const struct flow_inner *f, uint32_t op);

// gen.c: constraints of ordinary instructions
void gen_pending(struct flow_inner *f);
// Was this called with these three numbers before?
bool gen_seen(struct flow_inner *f, uint64_t a, uint64_t b, uint64_t c);
// The memory that a call allocates; size 0: not known.
uint32_t heap_at(struct flow_inner *f, uint32_t op, uint32_t size);

// extern.c: functions without a body
void gen_external(struct flow_inner *f, uint32_t op, uint32_t fn);
// An argument of an external function got a new location.
void external_event(struct flow_inner *f, uint32_t op);
bool is_allocator(const char *name);
// Does it allocate as many bytes as the product of its arguments says?
bool is_sized_allocator(const char *name);
// Functions that return their own fresh allocation and keep no pointer to it.
void find_wrappers(struct flow_inner *f);
// Does calling it wait for something outside?
bool is_blocking(const char *name);
bool is_known(const char *name);
// May this call of a function without a body write through its argument k?
bool external_writes(const struct flow_inner *f, const struct ir_fn *caller,
                     const struct ir_inst *call, uint32_t k);

// outside.c: code that is not given
void call_outside(struct flow_inner *f, uint32_t op);
// The outside got a new location.
void outside_event(struct flow_inner *f, uint32_t loc);
// The member of the object's type around an offset.
struct pts_span outside_member(const struct flow_inner *f,
                               const struct pts_object *o, uint32_t offset);

// actors.c: actor operations, and the actors they make
void gen_actor(struct flow_inner *f, uint32_t instance, uint32_t inst);
void actor_event(struct flow_inner *f, uint32_t op, uint32_t role,
                 uint32_t loc);
uint32_t state_loc(struct flow_inner *f, uint32_t cls);
// What a reference to an actor of the class points to.
uint32_t actor_ref(struct flow_inner *f, uint32_t cls);
void actor_create(struct flow_inner *f, uint32_t cls);
// A parameter of a function in the code of an actor gets a location.
void actor_param(struct flow_inner *f, uint32_t fn, uint32_t ctx,
                 uint32_t param, uint32_t loc);
uint32_t edge_get(struct flow_inner *f, uint32_t from, uint32_t to,
                  enum flow_kind kind, uint32_t msg);
// The edge, with the operation as one of its sites.
void edge_add(struct flow_inner *f, uint32_t op, uint32_t from, uint32_t to,
              enum flow_kind kind, uint32_t msg);
uint32_t op_result(struct flow_inner *f, uint32_t op);
// The object that stands for all that is made at this place.
uint32_t object_made_at(struct flow_inner *f, struct flow_site s,
                        enum object_kind kind);

// messages.c: inboxes, sends, asks and replies
uint32_t inbox_get(struct flow_inner *f, uint32_t cls, uint32_t msg,
                   int64_t tag);
// A message from this sender with this payload (IR_NOTHING: not known) is in
// the inbox.
void inbox_fill(struct flow_inner *f, uint32_t from, uint32_t inbox,
                uint32_t payload);
// The handlers of a behaviour get the messages of the inbox.
void inbox_dispatch(struct flow_inner *f, const struct inbox *in,
                    uint32_t behaviour);
void asked_add(struct flow_inner *f, struct asked a);
void send_all(struct flow_inner *f, uint32_t op);
void gen_reply(struct flow_inner *f, uint32_t op);
void answer_all(struct flow_inner *f, uint32_t op);
void gen_sender(struct flow_inner *f, uint32_t op);
void flying_all(struct flow_inner *f, uint32_t op);
// Events with roles from here on are tags: ROLE_TAG + k is that of
// f->tagged[k].
enum { ROLE_TAG = 1000 };
void deliver_tagged(struct flow_inner *f, uint32_t index, uint32_t loc);
bool complete_tags(struct flow_inner *f);

// environment.c: after the first fixed point, what may be sent to receptionists
bool open_receptionists(struct flow_inner *f);
// The class is there, and whoever is outside may send it anything.
void open_class(struct flow_inner *f, uint32_t cls);

// tags.c: TAP's optimisations for one handler with a switch on a field
void find_tags(struct flow_inner *f);
// The offset of the tag that handlers of msg at cls test, IR_NOTHING if none.
uint32_t tag_of(struct flow_inner *f, uint32_t cls, uint32_t msg);
// Activate the successors of a block, as far as tags allow.
void tags_follow(struct flow_inner *f, uint32_t instance, uint32_t block);
void tag_arrives(struct flow_inner *f, uint32_t instance, int64_t tag,
                 uint32_t loc);
// The message parameter as this block sees it.
uint32_t narrowed_node(struct flow_inner *f, uint32_t instance, uint32_t block);
uint32_t number_loc(struct flow_inner *f, int64_t x);

// graph.c
// Fields of state and globals that an instruction reads or writes, added.
struct accesses {
    VEC(struct flow_access) at;
};
void inst_accesses(struct flow_inner *f, uint32_t instance, uint32_t block,
                   uint32_t inst, struct accesses *a);
void graph_collect(struct flow_inner *f);
// Mark all instances that a run of this one may go through.
void reach_instances(const struct flow_inner *f, uint32_t from, bool *mark);

#endif

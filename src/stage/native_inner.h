// The stage's insides, shared by its files.
//
// How a handler runs.  The host (the search) calls play_ops.run; place() puts
// the actor's image into its region; go() switches to a stack of that region,
// where task code runs; its operations (ops.c) append to the effect under way
// in struct native.  Control comes back to the host when the task ends, waits,
// or cannot go on (verdict.c).  finish() saves and interns the image.
//
// Invariants:
//   - native.region is the region whose code runs, NULL while the host does.
//     Wrapped functions and signal handlers look at nothing else.
//   - A region that ran and was not saved has state PLAY_NONE.
//   - Handles, not ids, stand in images and messages: they are the same in
//     every process.
#ifndef STAGE_NATIVE_INNER_H
#define STAGE_NATIVE_INNER_H

#include "base/arena.h"
#include "base/map.h"
#include "base/text.h"
#include "base/vec.h"
#include "stage/intern.h"
#include "stage/native.h"
#include "play/play.h"
#include "program/program.h"
#include "stage/region.h"

#define HANDLE_BIT (UINT64_C(1) << 63)
#define FUTURE_TAG UINT64_C(0xfa00000000000000)
#define TIMER_TAG UINT64_C(0xf100000000000000)

struct actor {
    uint64_t handle; // multiple of 16, never an address
    uint32_t creator;
    uint32_t nth; // of its class, by its creator, from 1
    uint32_t slot;
    uint32_t order;      // how far from the environment
    const tr_class *cls; // NULL: the environment
    const char *name;
    struct region *region; // NULL: not mapped
};

enum message_kind {
    MSG_PLAIN,
    MSG_REQUEST,
    MSG_REPLY,
    MSG_NO_REPLY,
    MSG_WATCH
};

// What a message's image starts with; the payload follows.
struct message {
    uint64_t type; // hash of its name
    uint16_t kind;
    uint16_t blocks; // of memory that it owns, behind the payload
    uint32_t size;   // of the payload
    uint64_t asker;  // request: who; watch: who watches
    uint64_t asks;   // request, reply: the future
};

// A message type as the stage knows it.
struct kind {
    const tr_msg *type;
    uint64_t hash;
    const unsigned char *mask;       // bytes that are no padding, NULL: all
    const unsigned char *reply_mask; // of its reply
    uint32_t runs;                   // handlers of it that ran: sampling
};

struct class
{
    const tr_class *cls;
    uint64_t hash;
    const unsigned char *mask;
};

enum why { WHY_DONE, WHY_WAIT, WHY_OVER, WHY_PICK };

struct exposed {
    const char *name;
    uint64_t handle;
};

// A parameter that the program asked for.
struct asked {
    const char *name;
    int64_t otherwise;
};

// The effect that is being made.
struct making {
    VEC(struct send) sends;
    VEC(struct birth) births;
    VEC(struct bug) bugs;
    struct text output;
    uint32_t handlers;
    uint32_t acts; // operations that somebody else can see
    uint32_t shared;
    uint16_t flags, pick;
};

// A block, and the return address of the call that allocated it.
struct fresh {
    const void *at;
    uintptr_t caller;
};

struct shown {
    const void *of; // type or class
    const void *at;
    uint32_t acts; // of the body when it was listed
};

enum { GUESTS_N = SLOT_ACTORS - SLOT_GUESTS };

// A global state that test code may look at.
struct scene {
    const uint32_t *states;
    uint32_t n;
    const struct send *in_flight;
    uint32_t n_in_flight;
    uint64_t serial;
    VEC(struct shown) shown;         // for each and flying, in order
    struct arena copies;             // of payloads
    struct region *guests[GUESTS_N]; // actors without a slot; NULL: not mapped
    uint32_t n_guests;
};

struct native {
    const struct program *program;
    const tr_test *test, *of;
    const tr_system *system;
    char *params;
    bool shared, unchecked, tainted;
    struct values *values;
    struct play_ops ops;

    VEC(struct actor) actors;
    struct map actor_of; // handle -> id
    VEC(struct kind) kinds;
    struct map kind_of;    // address of the type -> index
    struct map kind_named; // hash -> index
    VEC(struct class) classes;
    struct map class_of;
    struct images states, msgs;
    VEC(struct exposed) exposed;
    VEC(struct asked) asked;
    struct arena effects; // until forget
    struct arena names;   // for good
    struct map texts;     // hash -> index in text_at
    VEC(const char *) text_at;
    VEC(unsigned char) scratch;
    struct map lines; // pc -> line
    struct map slot_mapped;
    uint32_t mapped; // regions

    // the run under way
    struct region *region;   // whose code runs
    void *host;              // where to go back to
    const void *host_bottom; // its stack, for sanitizers
    size_t host_size;
    enum why why;
    struct making now, spare;
    struct map sampled; // (class, behaviour, type) -> runs
    uint32_t twice;     // runs made twice
    bool rare;          // the first of its kind
    const uint16_t *picks;
    uint32_t n_picks, picks_used;
    uint32_t handling; // id of the message that is being handled
    uint32_t stack;    // that task code runs on
    bool over;         // the receive goes no further
    struct region *receiver;
    volatile bool hurry;     // the time is up: end at the next operation
    struct range text;       // of the program
    unsigned char fill;      // of fresh memory
    uint32_t deepest;        // that stacks were seen to be used
    uint64_t asked_chance;   // how often in this run
    VEC(struct fresh) fresh; // blocks allocated in this run
    struct scene scene;      // bodies and invariants only
    uint32_t judging;        // the invariant that runs
    struct region *judge;
    bool judged;

    struct verdicts *verdicts;
    struct output *output;
    struct check *check;
    struct trail *trail;
    struct apart *apart; // NULL: handlers run in this process
};

// Where a run stands; to be read when its process is gone.
struct trail {
    uint64_t handler; // the last one that ran, an offset in the program
};

// The one native of the process whose handlers may run.
extern struct native *stage_now;
// The region that task code runs in, NULL if the host runs.
static inline struct region *on_stage(void)
{
    return stage_now ? stage_now->region : NULL;
}
// Operations in this process.
extern const struct play_ops ops_here;

// ---- native.c -------------------------------------------------------------

// A text that lives as long as the native.
const char *keep_text(struct native *n, const char *s);
struct actor *actor_at(struct native *n, uint32_t id);
// The actor of a handle, PLAY_NONE if there is none.
uint32_t actor_of(struct native *n, uint64_t handle);
// The n-th actor of a class made by creator.
uint32_t actor_born(struct native *n, uint32_t creator, const tr_class *cls,
                    uint32_t nth);
struct kind *kind_of(struct native *n, const tr_msg *type);
struct class *class_of(struct native *n, const tr_class *cls);
// The line of a place in the program's text (see calling_place), 0: unknown.
uint32_t line_of(struct native *n, uint32_t place);
uint64_t hash_name(const char *s);

// Regions and states.
static inline struct play_state *state_info(const struct native *n,
                                            uint32_t state)
{
    return &n->states.at.at[state].info;
}
struct region *actor_region(struct native *n, uint32_t actor);
struct region *place(struct native *n, uint32_t state);
uint32_t keep_state(struct native *n, struct region *r);
const tr_behaviour *behaviour_of(const struct native *n, const struct head *h);

// Messages.
uint32_t message_id(struct native *n, const struct message *m,
                    const void *payload, const unsigned char *mask);
const struct message *message_at(struct native *n, uint32_t id);
uint32_t message_of(struct native *n, uint64_t hash);
const tr_msg *message_type(struct native *n, const struct message *m);
const char *message_name(struct native *n, uint32_t msg);
// Put a message's payload, and what it owns, into an actor.
void unpack(struct native *n, struct region *r, unsigned char *payload,
            const struct message *m);
// The message with this payload, from an actor: what it owns is taken along.
uint32_t pack(struct native *n, struct region *r, struct message *m,
              const struct kind *k, const void *payload);

// ---- receive.c ------------------------------------------------------------

// One receive of the actor whose image lies in r.
void receive(struct native *n, struct region *r, uint32_t msg, uint32_t sender);
// Run fn(arg) on stack k of r until it ends, waits or is over.
void run_on(struct native *n, struct region *r, uint32_t k, size_t above,
            void (*fn)(void *), void *arg);
void resume_on(struct native *n, struct region *r, const struct task *t);
void measure_stack(struct native *n, const struct region *r, uint32_t k);
// The first thing task code does on its stack.
void arrive(struct native *n);
// From task code: back to the host.
void leave(struct native *n, enum why why);
// The actor of r sends.
void post(struct native *n, const struct region *r, uint64_t to, uint32_t msg,
          uint32_t place);
// payload NULL: no reply will come.
void post_reply(struct native *n, const struct region *r, const tr_msg *request,
                uint64_t asker, uint64_t asks, const void *payload,
                uint32_t place);
struct future *future_at(struct region *r, uint64_t id);
void future_done(struct native *n, struct region *r, uint64_t id,
                 const struct message *m);
void run_hook(struct native *n, struct region *r, void (*fn)(tr_ctx *, void *));
void actor_stop(struct native *n, struct region *r);

// ---- ops.c ----------------------------------------------------------------

extern const struct tr_ops stage_ops;

// ---- body.c ---------------------------------------------------------------

const void *body_wait(struct native *n, struct region *r, tr_future f);
void body_suspend(struct native *n, struct region *r, uint16_t flag);
bool body_deliver_one(struct native *n, struct region *r);
const void *scene_peek(struct native *n, uint64_t handle, const tr_class *cls);
const void *scene_each(struct native *n, const tr_class *cls,
                       const void *before);
const void *scene_flying(struct native *n, const tr_msg *type,
                         const void *before);
void native_body(void *self, uint32_t env, const uint32_t *states, uint32_t k,
                 const struct send *in_flight, uint32_t n_in_flight,
                 const uint16_t *picks, uint32_t n_picks, struct effect *out);
const struct bug *native_invariant(void *self, const uint32_t *states,
                                   uint32_t k, const struct send *in_flight,
                                   uint32_t n_in_flight);
void begin(struct native *n, const uint16_t *picks, uint32_t n_picks);
void finish(struct native *n, uint32_t state, struct effect *out);

// ---- verdict.c ------------------------------------------------------------

void verdicts_open(struct native *n, uint32_t limit_ms);
void verdicts_close(struct native *n);
void verdicts_arm(struct native *n);
uint32_t verdicts_limit(const struct native *n); // ms
// Note a bug of the handler under way; its place is where the program called.
struct bug *bug_note(struct native *n, enum bug_kind kind, const char *format,
                     ...) __attribute__((format(printf, 3, 4)));
// Its place is the handler that ran last.
void bug_at_handler(struct native *n, struct bug *b);
// Note a bug and end the handler.
_Noreturn void bug_end(struct native *n, enum bug_kind kind, const char *file,
                       int line, const char *function, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
// Where in the program's text the innermost call was made, 0 if unknown; and
// the same as an offset.  Looking up the line is left to the host: the task's
// stack is not for that.
uintptr_t calling_pc(const struct native *n);
uint32_t calling_place(const struct native *n);
// Where a suspended task of the actor in r made the call that waits.
uintptr_t waiting_pc(const struct native *n, const struct region *r,
                     const struct task *t);
// The handler did not come back by itself: note why, if it is not noted yet.
void verdicts_record(struct native *n, struct region *r);
// A new run starts: watch its time.
void verdicts_begin(struct native *n);
// Asked after each run: did it take too long, and is it to be made again, with
// ten times the limit?
bool verdicts_again(struct native *n);

// ---- output.c -------------------------------------------------------------

void output_open(struct native *n);
void output_close(struct native *n);
void output_begin(struct native *n); // the program's streams are ours
void output_end(struct native *n);   // and are not any more

// ---- check.c --------------------------------------------------------------

void check_open(struct native *n);
void check_close(struct native *n);
// After a handler ran: are globals as before?  They are afterwards.
void check_globals(struct native *n);
// Memory that actors share (--shared): the state that runs shall find, the
// first one, the start of a run.
void check_share(struct native *n, uint32_t shared);
uint32_t check_first_shared(const struct native *n);
uint32_t check_shared_now(const struct native *n);
void check_begin(struct native *n);
// A write to globals that are guarded: let it pass, and remember.
bool check_fault(struct native *n, uintptr_t address);
// After task code ran: did it write past the end of a block?  It has crashed
// then.  And for one block that is damaged, from task code.
void check_heap(struct native *n, struct region *r);
_Noreturn void check_block(struct native *n, const struct region *r,
                           const void *block);
// A payload that is about to be sent.
void check_payload(struct native *n, const char *type, const void *payload,
                   size_t size, const unsigned char *mask);
// The state an actor was left in: does it hold addresses of other actors?
void check_state(struct native *n, const struct region *r);

// ---- news.c ---------------------------------------------------------------

struct text;
struct reader;
struct mark {
    uint32_t n, free;
};
// How far the tables go.
struct marks {
    uint32_t actors, kinds, classes;
    struct mark states, msgs;
    uint64_t exposed;
};
struct marks mark_all(const struct native *n);
void put_news(struct text *t, struct native *n, const struct marks *since);
void take_news(struct native *n, struct reader *r);
void put_effect(struct text *t, const struct effect *e);
void take_effect(struct native *n, struct reader *r, struct effect *out);

// ---- apart.c --------------------------------------------------------------

// Let the operations of n be done by a process apart from this one.
void apart_open(struct native *n);
void apart_close(struct native *n);

// ---- twice.c --------------------------------------------------------------

typedef uint32_t run_fn(struct native *n, uint32_t state, uint32_t msg,
                        uint32_t sender, const uint16_t *picks,
                        uint32_t n_picks);
bool twice_wanted(struct native *n, uint32_t state, uint32_t msg);
// Run once more with other contents of fresh memory; the state afterwards.
uint32_t twice(struct native *n, uint32_t after, run_fn *run, uint32_t state,
               uint32_t msg, uint32_t sender, const uint16_t *picks,
               uint32_t n_picks);

#endif

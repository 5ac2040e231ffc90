// The stage's insides, shared by its files.
//
// How a handler runs.  The host (the search) calls play_ops.run; state_place()
// puts the actor's image into its region; go() switches to a stack of that
// region, where task code runs; its operations (ops.c) append to the effect
// under way in struct native.  Control comes back to the host when the task
// ends, waits, or cannot go on (verdict.c).  run_finish() saves and interns the
// image.
//
// Invariants:
//   - native.region is the region whose code runs, NULL while the host does.
//     Wrapped functions and signal handlers look at nothing else.
//   - A region that ran and was not saved has state PLAY_NONE.
//   - Handles, not ids, stand in images and messages: they are the same in
//     every process.
#ifndef STAGE_NATIVE_INNER_H
#define STAGE_NATIVE_INNER_H

#include "base/hashset.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/text.h"
#include "base/vec.h"
#include "stage/intern.h"
#include "stage/native.h"
#include "play/play.h"
#include "program/program.h"
#include "stage/region.h"

#include <stdlib.h>

#define HANDLE_BIT (UINT64_C(1) << 63)

struct actor {
    uint64_t handle; // multiple of 16, never an address
    uint32_t creator;
    uint32_t nth; // of its class, by its creator, from 1
    uint32_t slot;
    uint32_t order;        // how far from the environment
    const tr_class *cls;   // NULL: the environment
    const unsigned char *mask; // of its struct, see struct class
    const char *name;      // NULL: not asked for yet; see actor_name()
    const char *label;     // given by the program, NULL: none
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
    const uint32_t *times;           // offsets of fields of type tr_time
    const uint32_t *reply_times;     // of its reply
    uint32_t n_times, n_reply_times;
    uint32_t runs; // handlers of it that ran: sampling
};

struct class
{
    const tr_class *cls;
    uint64_t hash;
    const unsigned char *mask;
    const uint32_t *times; // offsets of fields of type tr_time
    uint32_t n_times;
};

// A message type by the hash of its name: see message_type().
struct known_type {
    uint64_t hash;
    const tr_msg *type; // NULL: free
};
enum { KNOWN_TYPES = 64 };

enum why { WHY_DONE, WHY_WAIT, WHY_OVER, WHY_PICK };

struct frames;

struct exposed {
    const char *name;
    uint64_t handle;
};

// See registry.h.
struct registry {
    VEC(struct exposed) at; // in order of names
    uint32_t from;          // shared state to be read at the first touch
    size_t skip;
    bool touched;
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
    bool more;      // sends or births than an effect holds
    uint64_t clock; // of a timer that fired: not before this
};

// Of one run; a region takes two mappings, and a process has 65,530.
enum { SENDS_MOST = 1 << 20, BIRTHS_MOST = 1 << 14 };

// A block, and the return address of the call that allocated it.
struct fresh {
    const void *at;
    uintptr_t caller;
};

// A block that was freed or sent, and by which call: nobody may write there
// until it is allocated again.
struct freed {
    unsigned char *at;
    size_t size, whole; // as asked for, and with what lies behind it
    uintptr_t caller;
    bool sent;
};

// What is different in a run that is repeated.
enum {
    ALTER_FILL = 1,    // memory that was never set: stack and fresh blocks
    ALTER_FREED = 2,   // memory that is free
    ALTER_MESSAGE = 4, // where the message lies
    ALTER_ALL = 7,
};

// A message that lies elsewhere than usual.
struct moved {
    uintptr_t from, to;
    size_t size; // 0: none does
};

// A region that is out of reach, and its stacks that are mapped.
struct closed {
    const struct region *region;
    uint32_t stacks;
};

enum { SEALED_BODY = 1, SEALED_OTHERS = 2 };

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

// Random numbers after srand() or srand48() in a run.
struct seeded {
    bool random, rand48; // there was one
    struct random_data of_random;
    struct drand48_data of_rand48;
    char state[128]; // as much as the C library's own
};

struct native {
    const struct program *program;
    const tr_test *test, *of;
    const tr_system *system;
    char *params;
    bool shared, unchecked, scattered, tainted;
    bool clocked;     // the program looks at the clock
    bool own_clocks;  // and each actor has one of its own
    bool alloc_fails; // allocations take picks
    uint64_t clock;   // the one for all, before the run
    uint32_t ticks;   // how often a timer of one kind fires, 0: no bound
    struct values *values;
    struct play_ops ops;

    VEC(struct actor) actors;
    struct map actor_of; // handle -> id
    VEC(struct kind) kinds;
    struct map kind_of;    // address of the type -> index
    struct map kind_named; // hash -> index
    struct known_type known_types[KNOWN_TYPES]; // the last ones asked for
    VEC(struct class) classes;
    struct map class_of;
    struct images states, msgs;
    VEC(struct asked) asked;
    struct arena effects; // until forget
    struct arena names;   // for good
    struct map texts;     // hash -> index in text_at
    VEC(const char *) text_at;
    VEC(unsigned char) scratch;
    VEC(struct bound) bounds; // scratch of show.c
    VEC(struct timer) timers; // likewise
    struct map lines;         // pc -> line
    struct map slot_mapped;
    uint32_t mapped; // regions

    // see seal.h
    uint8_t sealed;
    bool body_open; // the body's heap is to be sealed
    VEC(struct closed) closed;

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
    bool early;         // one of the first
    const uint16_t *picks;
    uint32_t n_picks, picks_used;
    uint32_t handling; // id of the message that is being handled
    uint32_t stack;    // that task code runs on
    bool over;         // the receive goes no further
    bool ending;       // the test is over: nobody is told anything
    bool setting_up;   // the test body runs, and nothing was received yet
    struct region *receiver;
    volatile bool hurry; // the time is up: end at the next operation
    struct range text;   // of the program
    unsigned char fill;  // of fresh memory
    uint8_t alter;       // see above
    bool proved;         // a bug that a repetition showed holds for the run
    uint32_t only;       // of all freed blocks poison this one; PLAY_NONE: all
    uint32_t beyond;     // how far behind the last block of a size
    struct moved moved;
    struct heap heap_was[2]; // before they were poisoned: program's, stage's
    uint32_t deepest;        // that stacks were seen to be used
    uint64_t asked_chance;   // how often in this run
    struct seeded seeded;    // likewise
    char *token;             // likewise: where strtok() goes on; NULL: nowhere
    uint64_t present;        // the run is not before this, by the clock for all
    struct registry registry;
    VEC(struct fresh) fresh; // blocks allocated in this run
    VEC(struct freed) freed; // blocks freed in any run, each address once
    struct map freed_of;     // address -> index
    uint32_t freed_last;     // index of the block that was freed last
    struct hashset watched;  // classes and types that invariants look at
    struct sight *sight;     // what of them they read; NULL: nothing yet
    struct scene scene;      // bodies and invariants only
    uint32_t judging;        // the invariant that runs
    struct region *judge;
    bool judged;

    struct posts *posts; // NULL: the test body is the program's
    struct verdicts *verdicts;
    struct output *output;
    struct commons *commons;
    struct frames *frames; // of a task that failed; NULL: not to be explained
    // Of a call that failed, all registers by their numbers in debug information
    // and, behind them, its return address; NULL: not noted.
    const uint64_t *registers;
    struct trail *trail;
    struct isolate *isolate; // NULL: handlers run in this process
};

// Where a run stands; to be read when its process is gone.
struct trail {
    uint64_t handler; // the last one that ran, an offset in the program
};

// Of the blocks that were freed, the latest are looked at after each run.
enum { FREED_MOST = 256 };
static inline uint32_t freed_first(const struct native *n)
{
    return n->freed.n > FREED_MOST ? n->freed.n - FREED_MOST : 0;
}

// The one native of the process whose handlers may run.
extern struct native *stage_now;
// The region that task code runs in, NULL if the host runs.
static inline struct region *on_stage(void)
{
    return stage_now ? stage_now->region : NULL;
}
// Operations in this process.
extern const struct play_ops ops_here;

extern const struct tr_ops stage_ops;

// show.c: play_ops.timer and due
bool native_due(void *self, uint32_t state, uint32_t i, struct play_due *out);
void native_pending(void *self, uint32_t state, uint32_t k,
                    struct play_pending *out);

// The answer to choose(k), k > 1; if none was given, the run is left.
uint32_t stage_pick(struct native *n, uint32_t k);
void run_begin(struct native *n, const uint16_t *picks, uint32_t n_picks);
// The task code has run: was it ended by the clock, did it send or create more
// than an effect holds?
void run_limits(struct native *n);
void run_finish(struct native *n, uint32_t state, struct effect *out);

#endif

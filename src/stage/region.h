// An actor's memory: everything its state consists of, at a fixed address.
//
// The range of regions is cut into slots of 256 MiB; an actor's slot follows
// from its identity, so pointers in its state mean the same in every process.
//
//     0       stacks, the first one on top; 64 KiB of nothing below each
//     10 MiB  lists: what the stage itself remembers about the actor
//     11.2    bounds of timers, while a run has to do with them
//     11.7    struct region, and behind it the actor's struct
//     16      heap of the stage: values of futures, large messages
//     128     heap of the program
//
// The *image* of a region is its used parts one after the other: head, struct,
// lists, heaps, the live parts of suspended stacks.  Whatever is not
// used is zero (heaps) or never read (lists); so equal images are equal states.
#ifndef STAGE_REGION_H
#define STAGE_REGION_H

#include "runtime/bounds.h"
#include "runtime/seam.h"
#include "stage/heap.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REGION_BASE UINT64_C(0x200000000000)
#define REGION_SHIFT 28
#define REGION_SIZE (UINT64_C(1) << REGION_SHIFT)
#define REGION_SLOTS (UINT32_C(1) << 16)
#define REGION_END (REGION_BASE + REGION_SLOTS * REGION_SIZE)

enum {
    STACK_ROOM = 320 << 10, // a stack and the guard below it
    STACK_GUARD = 64 << 10,
    STACK_SIZE = STACK_ROOM - STACK_GUARD,
    STACKS_N = 32,
    LISTS_AT = STACKS_N * STACK_ROOM, // 10 MiB
    LIST_ROOM = 64 << 10,
    BODY_STACK_SIZE = LISTS_AT - STACK_GUARD, // the test body has one task
    BOUNDS_ROOM = 512 << 10, // of the last list, and of its live form
    BOUNDS_WIDE = 256,       // moments
    BOUNDS_AT = LISTS_AT + 10 * LIST_ROOM + BOUNDS_ROOM,
    REGION_AT = BOUNDS_AT + BOUNDS_ROOM,
    OWN_HEAP_AT = 16 << 20,
    USER_HEAP_AT = 128 << 20,
    OWN_ROOM = USER_HEAP_AT - OWN_HEAP_AT,
    USER_ROOM = (1 << REGION_SHIFT) - USER_HEAP_AT,
    STRUCT_MOST = OWN_HEAP_AT - REGION_AT - 4096, // and what is around it
    MESSAGE_MOST = 64 << 20,
    ON_STACK_MOST = 4096, // larger payloads are in the heap of the stage
};

// Why a task does not run.
enum wait {
    WAIT_NOT,
    WAIT_AWAIT,
    WAIT_GET,
    WAIT_PAUSE,
    WAIT_BODY,  // a test body, for receives
    WAIT_NEVER, // init and fini: they cannot
};

// A handler run that is under way or suspended.
struct task {
    uint64_t sp;          // suspended: its stack pointer
    uint64_t fn;          // offset of the handler in the program
    uint64_t msg;         // hash of the message it handles
    uint64_t sender;      // handle
    uint64_t asker, asks; // of a request: who asked, which future; or 0
    uint64_t future;      // waited for
    uint64_t payload;     // address of its copy of the message
    uint8_t stack, wait;
    uint8_t stops;   // the actor, when the task ends
    uint8_t replied; // the request is answered
    uint8_t moved;   // what the message owns was sent on
    uint8_t drops;   // the message's type has a function for what it owns
    uint8_t zero[2];
};

// A message that waits: for another behaviour, or for the end of a get.
struct kept {
    uint64_t msg, sender, timer;
};

// In the order of setting.  to 0: the limit of an ask, msg is the future.
struct timer {
    uint64_t id, to, msg;
    uint64_t every; // milliseconds, 0: it fires once
    int64_t phase;  // see struct pace
    uint16_t group;
    uint16_t again; // it was set again
    uint32_t fired; // others of its kind in a row, before it was set
};

// How often timers of one kind, which bring the same message to the same actor
// or limit the same request to it, fired one after the other.
struct tick {
    uint64_t to, type;
    uint64_t n;
};

// What is known of the times of n timers (runtime/bounds.h), as n rows of n: in
// row x and column y, how much x is after y at most; where both are the same,
// how much x is after the actor's last receive.
struct bound {
    int64_t ms;
};

struct future {
    uint64_t id, asked;
    uint64_t request; // hash of the type's name
    uint64_t value;   // address, 0: none
    uint64_t timer;   // that limits it, 0: none
    uint8_t done;     // the program may have the value
    uint8_t answered; // the reply has come: nothing is on its way any more
    uint8_t taker;    // stack of the task that has the value, plus 1; or 0
    uint8_t used_up;  // that task has ended
    uint8_t zero[4];
};

struct watcher {
    uint64_t who, msg;
};

// A request that was handled without a reply.
struct open {
    uint64_t asker, asks, type;
};

struct births {
    uint64_t cls; // hash of its name
    uint64_t n;
};

struct name {
    uint64_t id; // see names.h
};

#define LISTS(X)                                                               \
    X(TASKS, struct task)                                                      \
    X(KEPT, struct kept)                                                       \
    X(HELD, struct kept)                                                       \
    X(TIMERS, struct timer)                                                    \
    X(FUTURES, struct future)                                                  \
    X(WATCHERS, struct watcher)                                                \
    X(OPEN, struct open)                                                       \
    X(BIRTHS, struct births)                                                   \
    X(NAMES, struct name)                                                      \
    X(TICKS, struct tick)                                                      \
    X(BOUNDS, struct bound)

enum list {
#define LIST_(name, type) LIST_##name,
    LISTS(LIST_)
#undef LIST_
        LISTS_N
};

union element {
#define LIST_(name, type) type of_##name;
    LISTS(LIST_)
#undef LIST_
};

enum {
    HEAD_STOPPED = 1,
    HEAD_CRASHED = 2,
    HEAD_HELD = 4, // a task in get holds the actor
};

struct head {
    uint64_t behaviour; // offset in the program
    uint32_t burnt;     // see names.h
    uint16_t n[LISTS_N];
    uint8_t flags;
    uint8_t heaps; // bit 0: the program's is in use, bit 1: the stage's
    uint8_t zero[4];
};

struct native;

struct region {
    struct tr_ctx ctx; // what handlers are given
    struct native *native;
    uint32_t actor;
    uint32_t state;           // whose image lies here, PLAY_NONE: none
    uint32_t size;            // of the struct
    uint32_t stacks;          // bits: stacks that are mapped
    uint64_t scene;           // that test code looks at and this is part of
    uint32_t dirty[STACKS_N]; // bytes below each top that may not be clear
    bool ran;                 // a handler ran since paused tasks were tested
    bool timed;               // bounds are live: the list is not
    bool freed;               // native.freed may name blocks of this heap
    struct task running;
    struct bounds bounds;
    _Alignas(64) struct head head; // the image starts here
    // the struct follows, REGION_HEAD bytes after the head's start
};

enum { REGION_HEAD = 64 };
_Static_assert(sizeof(struct head) <= REGION_HEAD, "the struct follows");
// Elements of images are compared byte by byte: nothing may be padding.
_Static_assert(sizeof(struct head) == 18 + 2 * LISTS_N, "no padding");
_Static_assert(LISTS_AT + LIST_BOUNDS * LIST_ROOM + BOUNDS_ROOM <= BOUNDS_AT,
               "room for lists");
_Static_assert(sizeof(struct timer) == 48, "no padding");
_Static_assert(sizeof(struct task) == 72, "no padding");
_Static_assert(sizeof(struct future) == 48, "no padding");

static inline unsigned char *region_slot(const struct region *r)
{
    return (unsigned char *)(uintptr_t)((uintptr_t)r & ~(REGION_SIZE - 1));
}

static inline unsigned char *region_self(const struct region *r)
{
    return (unsigned char *)(uintptr_t)&r->head + REGION_HEAD;
}

// What lies behind the struct is zero: a write past its end shows there.
enum { STRUCT_FENCE = 64 };
static inline unsigned char *region_fence(const struct region *r)
{
    return region_self(r) + r->size;
}

static inline void *region_list(const struct region *r, enum list l)
{
    return region_slot(r) + LISTS_AT + l * LIST_ROOM;
}

static inline size_t list_room(enum list l)
{
    return l == LIST_BOUNDS ? (size_t)BOUNDS_ROOM : (size_t)LIST_ROOM;
}

static inline struct heap *region_heap(const struct region *r)
{
    return (struct heap *)(void *)(region_slot(r) + USER_HEAP_AT);
}

static inline struct heap *region_own_heap(const struct region *r)
{
    return (struct heap *)(void *)(region_slot(r) + OWN_HEAP_AT);
}

// Where stack k ends; it grows down from there.
static inline unsigned char *region_stack(const struct region *r, uint32_t k)
{
    return region_slot(r) + LISTS_AT - k * STACK_ROOM;
}

static inline bool in_regions(uint64_t address)
{
    return address - REGION_BASE < REGION_END - REGION_BASE;
}

static inline struct region *region_at(uint32_t slot)
{
    return (struct region *)(uintptr_t)(REGION_BASE + slot * REGION_SIZE +
                                        REGION_AT);
}

static inline bool region_alive(const struct region *r)
{
    return !(r->head.flags & (HEAD_STOPPED | HEAD_CRASHED));
}

// Slots that are no actor's.
enum {
    SLOT_JUDGE,        // of invariants
    SLOT_BODY,         // of the test body
    SLOT_EARLY,        // no region: early.h
    SLOT_GUESTS,       // the first of those for region_show()
    SLOT_ACTORS = 128, // the first of actors
};

// Map a slot; its contents are zero.  NULL without memory.
struct region *region_map(uint32_t slot);
void region_unmap(struct region *r);
// The stack of a task is as large as in production, that of a test body as
// large as a process has it.
static inline uint32_t region_stack_size(const struct region *r)
{
    return r == region_at(SLOT_BODY) ? BODY_STACK_SIZE : STACK_SIZE;
}
// Make stack k usable; false without memory.
bool region_need_stack(struct region *r, uint32_t k);
// Make the region that of a fresh actor with a struct of this size.
void region_clear(struct region *r, uint32_t size);

// The head of an image, and where the struct follows in it (aligned to 8); the
// lists come after the struct.
const unsigned char *image_head(const unsigned char *image, struct head *out);
// The behaviour in that head.
uint64_t image_behaviour(const unsigned char *image);
// Where a list lies in an image with this head.  The struct has `size` bytes
// and is at `self`.
size_t image_list_at(const struct head *h, size_t self, size_t size,
                     enum list l);
// A copy of an image in `to`, as if nothing had to do with timers: its size.
// to has room for the whole image.
size_t image_without_timers(const unsigned char *image, size_t bytes,
                            size_t size, unsigned char *to);

size_t region_image_size(const struct region *r);
// Write the image to a place of that size, or put one back.
void region_save(const struct region *r, unsigned char *to);
void region_load(struct region *r, const unsigned char *image);
// Show an image away from home, because another actor is there: struct and
// heaps, with pointers that lead from there to there made to fit.
void region_show(struct region *r, const unsigned char *image, uint32_t size,
                 const struct region *home);

// Do eight bytes of what the program can reach (struct, heap, suspended stacks)
// spell this word, wherever they begin?
bool region_holds(const struct region *r, uint64_t word);

// Lists: room for one more at the end, NULL if the list is full; removal.
void *list_add(struct region *r, enum list l);
void list_remove(struct region *r, enum list l, uint32_t i);
size_t list_size(enum list l); // of an element
// The message (by hash) that an element refers to, 0 if none.
uint64_t list_message(enum list l, const union element *e);

#endif

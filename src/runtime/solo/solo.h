// The solo manager: live actors on one thread, and who decides what is received
// next.  tr_single and tr_random are two ways to decide; the test library makes
// others by giving a chooser.
//
// Everything runs on the caller's thread, inside tr_wait, drain, deliver_one or
// get.  Actors have ids in order of creation, 0 is the environment; the same
// choices give the same ids, names and order in every run.
#ifndef RUNTIME_SOLO_SOLO_H
#define RUNTIME_SOLO_SOLO_H

#include "troupe.h"

// What may overtake what; a chooser is only offered what the model allows.
enum solo_delivery {
    SOLO_PAIR,   // first in, first out between each sender and receiver
    SOLO_ANY,    // no order
    SOLO_CAUSAL, // no message overtakes one it depends on
    SOLO_MAILBOX // one queue per receiver, filled at the send
};

enum solo_what {
    SOLO_MESSAGE,
    SOLO_REPLY, // msg is the request it answers
    SOLO_WATCH, // msg is the notice wanted
    SOLO_TIMER  // a timer of the receiver's; msg NULL: the limit of an ask
};

// One receive that is possible now.
struct solo_option {
    enum solo_what what;
    uint32_t to, from;
    const tr_msg *msg;
    const void *payload;
    uint64_t nr; // in order of the sends, unique
    // Of a timer:
    bool soonest;         // it is next if no time passes between receives
    const tr_msg *brings; // msg, or the request whose limit it is
    uint32_t nth;         // of those that may be next and bring the same
    bool rests;           // it fired as often as the bound on ticks allows
    bool every;           // it is set again by itself
};

// Of a chooser: nothing is received, and the body goes on, or the test ends.
enum { SOLO_NOTHING = -1 };

enum solo_kind {
    SOLO_MISUSE,
    SOLO_INVARIANT,  // an invariant is broken
    SOLO_ENDLESS,    // the bound on receives is reached
    SOLO_DEADLOCK,   // somebody waits for what cannot come
    SOLO_UNANSWERED, // an ask is never answered
    SOLO_DEFERRED    // a deferred message is never handled
};

// Something is wrong with the program.
struct solo_bug {
    enum solo_kind kind;
    const char *text;
    const char *file; // NULL if unknown
    int line;
};

// Code of the program that the manager calls.
enum solo_code {
    SOLO_HANDLER, // of: its tr_handler, a: its task, b: the message
    SOLO_INIT,    // of: the tr_class
    SOLO_FINI,    // likewise
    SOLO_COPY,    // of: the tr_msg, a: to, b: from
    SOLO_DROP     // of: the tr_msg, a: the message
};

// Told all that a run does with code and contents of the program, in order: for
// who computes the same beside it.
struct solo_tale {
    void *user;
    // Contexts have this table, whose functions lead to tr__solo_ops.
    const struct tr_ops *ops;
    // Bytes of a message, a reply or a state are where they are kept now.
    void (*copied)(void *user, const void *to, const void *from, size_t size);
    // Before it is called.
    void (*enters)(void *user, enum solo_code code, uint32_t actor,
                   const void *of, const void *a, const void *b);
    // A task waits; it goes on.
    void (*waits)(void *user, const void *task);
    void (*goes_on)(void *user, const void *task);
};
// What the functions of solo_tale.ops lead to in the end.
extern const struct tr_ops tr__solo_ops;

// All of it may be zero.  Borrowed until the runtime's end.
struct solo_options {
    void *user;
    enum solo_delivery delivery; // of a chooser
    bool random;                 // without a chooser: seeded, else oldest first
    // An index; or SOLO_NOTHING if all that is left are timers that rest, or
    // are set by every().
    uint32_t (*choose)(void *user, const struct solo_option *, uint32_t n);
    uint32_t (*pick)(void *user, uint32_t n); // for choose(n) of the program
    // Before and after each receive.
    void (*on_receive)(void *user, const struct solo_option *);
    void (*on_received)(void *user, const struct solo_option *);
    void (*on_bug)(void *user, const struct solo_bug *);
    const tr_invariant *const *invariants;
    uint32_t n_invariants;
    uint64_t max_steps; // receives in all; 0: no bound
    // While *in_order is set a chooser is not asked: the oldest message comes,
    // timers when there is none.  NULL: it is always asked.
    const bool *in_order;
    // Stacks for handlers, `size` bytes each, whose owner takes them back when
    // the runtime is gone; NULL: they are mapped.  The result is the lowest
    // address, NULL without memory.
    void *(*stack)(void *user, size_t size);
    bool testing;    // keep names of the stopped, spoil what is freed
    bool own_clocks; // of a chooser: each actor has one of its own
    // How often a timer that is set again and again fires before it rests; 0:
    // no bound, and drain does not wait for those set by every().
    uint32_t ticks;
    // drain would wait for ever for a timer that rests.  It returns if this
    // does.
    void (*on_owed)(void *user);
    // The body goes on, or the test ends, before timers of every() that might
    // fire.
    void (*on_early)(void *user);
    const struct solo_tale *tale; // NULL: nobody is told
};

int tr__solo_open(const struct solo_options *, const tr_config *,
                  tr_runtime **out);

// "server#1", "master#1/worker#2", "test" for the environment; in buf.
const char *tr__solo_name(tr_runtime *, uint32_t actor, char *buf, size_t size);
const tr_class *tr__solo_class(tr_runtime *, uint32_t actor);
uint32_t tr__solo_id(tr_ref);
// What was exposed so far, and under which name; NULL: less than i.
tr_ref tr__solo_exposed(tr_runtime *, uint32_t i, const char **name);
// For a chooser: which of the n options comes while *in_order is set?  May be
// SOLO_NOTHING.
uint32_t tr__solo_oldest(tr_runtime *, uint32_t n);
// The words for what an option delivers: the message's name, the reply's...
const char *tr__solo_words(const struct solo_option *);

// Where the program is: the receive that is under way (what it delivers may be
// gone already), the handler that runs.  False between receives.
struct solo_now {
    struct solo_option receive;
    uint32_t actor;      // whose code runs, 0: none's
    const char *handler; // NULL: none
    const tr_msg *msg;   // it was given, NULL: none
    const void *payload; // of that message
    const void *state;   // of the actor
    uint64_t step;
};
bool tr__solo_now(tr_runtime *, struct solo_now *out);

// For functions of the C library that programs call under the tool: what the
// clock of the runtime that is open shows, and time passes there.  False if
// there is none.
bool tr__solo_clock(uint64_t *ms);
bool tr__solo_sleep(uint64_t ms);

// Call fn, which must not return, on the stack of whoever called tr_wait or
// drain, from wherever the program is.  After that the runtime can only be
// freed: by tr__solo_lose, which runs nothing of the program.
_Noreturn void tr__solo_escape(tr_runtime *, void (*fn)(void *), void *arg);
void tr__solo_lose(tr_runtime *);

// One of those who wait though nothing is left to deliver.
struct solo_rest {
    enum solo_kind kind; // one of the last three
    uint32_t actor;
    const char *behaviour; // NULL for the environment
    const char *why;       // "rests in a hot behaviour", "waits in await"...
    const tr_msg *msg;     // asked or deferred, NULL: none
    uint32_t on;           // asked actor, 0: none
};
// Tell all of them, deadlocks first, and how many they are: none while timers
// are pending.
uint32_t tr__solo_rest(tr_runtime *, const tr_hot *const *hots, uint32_t n_hots,
                       void (*each)(void *user, const struct solo_rest *),
                       void *user);

#endif

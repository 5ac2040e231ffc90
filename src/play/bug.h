// What can be wrong with a program, and what tells two bugs apart.
#ifndef PLAY_BUG_H
#define PLAY_BUG_H

#include <stdbool.h>
#include <stdint.h>

// Kinds of bug; the text is the id a user sees and may give to --ignore.
#define BUG_KINDS(X)                                                           \
    X(NONE, "none", "nothing wrong")                                           \
    X(ASSERTION, "assertion", "assertion failed")                              \
    X(CRASH, "crash", "the handler crashed")                                   \
    X(EXIT, "exit", "the handler ended the process")                           \
    X(ENDLESS, "endless-handler", "the handler does not end")                  \
    X(UNHANDLED, "no-row", "no row for a message")                             \
    X(STOPPED, "stopped-actor", "message to a stopped actor")                  \
    X(NOBODY, "nobody", "message to nobody")                                   \
    X(ISOLATION, "isolation", "memory shared between actors")                  \
    X(NONDET, "nondeterminism", "depends on more than state and message")      \
    X(USE, "misuse", "wrong use of the library")                               \
    X(DEADLOCK, "deadlock", "nothing left to deliver, an actor waits")         \
    X(UNANSWERED, "unanswered-ask", "an ask is never answered")                \
    X(DEFERRED, "deferred-for-ever", "a deferred message is never handled")    \
    X(LEAK, "leak", "memory of a stopped actor was not freed")                 \
    X(INVARIANT, "invariant", "an invariant is broken")                        \
    X(CYCLE, "endless-schedule", "a cycle of states that can go on for ever")  \
    X(FULL, "full-mailbox", "message to a full mailbox")                       \
    X(LIMIT, "limit", "a limit of troupe is reached, not a bug")

enum bug_kind {
#define BUG_KIND_(name, id, text) BUG_##name,
    BUG_KINDS(BUG_KIND_)
#undef BUG_KIND_
        BUG_KINDS_N
};

const char *bug_kind_id(enum bug_kind k);
const char *bug_kind_text(enum bug_kind k);
// Told, but no failure: a message to a stopped actor, to nobody or to a full
// mailbox, a leak, a limit of ours.
bool bug_kind_warns(enum bug_kind k);
// The kind with this id, BUG_NONE if there is none.
enum bug_kind bug_kind_of(const char *id);

// The strings of a bug, for whoever copies one.
#define BUG_STRINGS(X)                                                         \
    X(text)                                                                    \
    X(file)                                                                    \
    X(spot) X(function) X(cls) X(msg) X(thing) X(chain) X(values) X(state)

// What went wrong in a receive.  Strings live as long as the play.
struct bug {
    enum bug_kind kind;
    bool warning;     // as bug_kind_warns
    const char *text; // "assertion 'self->n > 0' failed", "SIGSEGV at 0x8"
    const char *file; // NULL if unknown
    int line;
    const char *spot;     // the line in words, see play/spot.h; NULL if unknown
    const char *function; // NULL if unknown
    const char *cls;      // class of the actor it happened to
    const char *msg;      // name of the message being handled
    const char *thing;    // named field, global, invariant...; NULL if none
    // What it looked like at the failure, where it is known; else NULL.
    const char *chain;  // functions under way: "check <- counter_add"
    const char *values; // "self->n = 3, limit = 2"
    const char *state;  // of the actor
};

// Bugs with the same key are the same to a user: kind, place, class, message
// and thing.  The same in every process that runs the same program.
uint64_t bug_key(const struct bug *b);
// The same with the words of the line in the place of its number, where they
// are known: it stays when lines move.
uint64_t bug_lasting_key(const struct bug *b);

#endif

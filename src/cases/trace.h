// A trace: one execution told in words, step by step, with values.
//
// Made by walking a schedule through a play again, which is cheap: the memo
// knows every step.  Everything that shows an execution (terminal, chart,
// diagrams, JSON) starts from here.
#ifndef CASES_TRACE_H
#define CASES_TRACE_H

#include "base/vec.h"
#include "play/play.h"

#include <stdint.h>

struct arena;
struct schedule;
struct test_case;

// What a task waits for, and where in the source.
struct trace_wait {
    const char *what; // "fact of server#1", "a condition"
    uint32_t asked;   // the actor whose reply it is, PLAY_NONE: a condition
    bool holds;       // the actor takes nothing else meanwhile
    const char *file; // NULL if unknown
    int line;
};

// How values are put in words; strings live in a.  Any member may be NULL.
struct describe {
    void *self;
    // "{.amount = 120}", "" for a message without fields
    const char *(*msg)(void *self, struct arena *a, uint32_t msg);
    // "{.balance = 100, .server = server#1}"
    const char *(*state)(void *self, struct arena *a, uint32_t state);
    // "balance 100 -> 150, n 0 -> 1"; "" if nothing changed
    const char *(*change)(void *self, struct arena *a, uint32_t before,
                          uint32_t after);
    const char *(*behaviour)(void *self, uint32_t state); // "open"
    // The i-th wait of a task in this state, false if there is none
    bool (*wait)(void *self, struct arena *a, uint32_t state, uint32_t i,
                 struct trace_wait *out);
    // Messages kept (deferred) in this state, "take, put", "" if none
    const char *(*kept)(void *self, struct arena *a, uint32_t state);
    // The same of those kept until a task that holds the actor goes on
    const char *(*held)(void *self, struct arena *a, uint32_t state);
    // The label that the program gave an actor, NULL if none
    const char *(*label)(void *self, uint32_t actor);
    // What the k-th timer that may fire in this state brings: "tick {.n = 2}"
    const char *(*timer)(void *self, struct arena *a, uint32_t state,
                         uint32_t k);
    // Where the code is that runs when a state receives a message; NULL if
    // none does, or that is not known
    const char *(*place)(void *self, struct arena *a, uint32_t state,
                         uint32_t msg, int *line);
};

struct trace_send {
    uint32_t number; // from 1, over the whole trace
    uint32_t by;     // index in trace.actors: the step's, or one born in it
    const char *to, *msg, *fields;
    uint32_t line;        // of the send, 0 if unknown
    uint32_t received_at; // index of the step, PLAY_NONE: still in flight
};

struct trace_step {
    uint32_t actor;         // index in trace.actors
    const char *msg;        // "timer"; NULL: the test body goes on
    const char *fields;     // of the message; what a timer brings
    uint32_t sender;        // index in trace.actors
    uint32_t sent_at;       // index of the step it was sent in; PLAY_NONE
    uint32_t number;        // of the send, 0 if there is none
    const char *change;     // of the state
    const char *kept;       // "deferred", "handles deferred note"; "" if neither
    const char *before;     // the state before, where a bug happened; else ""
    const char *after;      // the state after, "" for the test body
    const char *file;       // of the code that ran, NULL if unknown
    int line;
    const char *from, *to;  // behaviour before and after
    const char *output;     // what it printed, NULL if nothing
    VEC(struct trace_send) sends;
    VEC(uint32_t) births;   // actors created, indices
    const struct bug *bugs; // those of a trace just made are the play's
    uint32_t n_bugs;
    uint16_t picks[4]; // the first answers to choose()
    uint32_t n_picks;
    // What else could have been received there: "server#1 deposit<client#1".
    // NULL: nobody looked.
    const char *const *others;
    uint32_t n_others;
    bool more_others; // than these
};

struct trace_actor {
    const char *name, *cls;
    const char *label;      // given by the program, NULL if none
    const char *title;      // for people: "client#1", "client#1(alice)"
    uint32_t id;            // the play's
    uint32_t flags;         // STATE_... at the end
    const char *state;      // at the end
    const char *first;      // the state it was born with
    const char *changed;    // fields that were ever other than there: " n to "
    const char *behaviour;  // at the end
    const char *kept;
    VEC(struct trace_wait) waits;
    uint32_t held_by;   // index in trace.actors, PLAY_NONE if nobody
    uint32_t last_step; // its last receive, PLAY_NONE if none
};

struct trace {
    VEC(struct trace_step) steps; // the first is the test body
    VEC(struct trace_actor) actors; // the first is the test body
};

// Walk the schedule.  The trace and its strings live in a.
struct trace *trace_make(struct arena *a, struct play *p,
                         const struct schedule *s, const struct describe *d);
// The title of an actor; label may be NULL.  In a.
const char *trace_title(struct arena *a, const char *name, const char *label);
// What the test body sends, with values, appended to c->sends; and the labels
// of actors, to c->labels.
void trace_sends(const struct trace *t, struct test_case *c);
void trace_release(struct trace *t); // the arrays, not the arena

#endif

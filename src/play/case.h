// A test case as a value: which test, which delivery model, which order of
// receives, and what must come of it.
//
// All engines meet here: what one finds, another replays, shrinks, prints.  A
// case is a text file of lines "word rest"; '#' begins a comment line:
//
//     troupe-case 1                       2, 3 or 4 if it has words of these
//     tool 0.1.0
//     program bank.c                      one line per source
//     flag -DLIMIT=3                      one line per compiler flag
//     build 9c3a...                       hash of what was built
//     test deposit_then_withdraw          or a system
//     param n=3
//     delivery any
//     clock own                           each actor has its own clock
//     ticks 5                             the bound on ticks; 0: none
//     expect assertion                    kind of bug, or `pass`
//     place bank.c:7                      these five as far as they are known
//     source TR_HANDLER(server, withdraw) / assert(...); / 1     (version 4)
//     class server
//     message withdraw
//     thing NAME
//     text assertion 'self->balance >= msg->amount' failed
//     send client#1 deposit {.amount = 50}        what the test body sends
//     step client#1 deposit<test                  receiver message<sender
//     step node#2 timer                           its soonest timer fires
//     step dice#1 roll<test pick 3 0              answers to choose()
//     step test body pick 1                       those of the test body
//     step test body before timers                it goes on before ticks
//
// Version 3 has tests without C code: after the setup of a system the messages
// are posted to its receptionists, in this order, before anything is received.
//
//     reach bank.c:16                             a line that must be passed
//     post client deposit {.amount = 50}          RECEPTIONIST MESSAGE {FIELDS}
//     post client tick times 1000000
//     step client#1 tick<test times 1000000       the same step as often
//
// Version 4 has memory that runs out:
//
//     alloc-fails                 each allocation of the program takes an
//                                 answer like choose(2): 1 if it fails
//
// Version 5 has steps that go round and round:
//
//     again 3 times 999999        the last three steps, as often
//
// Fields are as values_parse() reads them; a name that is not a word stands in
// quotes.
//
// Names of actors come from creation history (class#n, creator/class#n), so a
// case survives changes that do not touch what it tells.
#ifndef PLAY_CASE_H
#define PLAY_CASE_H

#include "base/vec.h"
#include "play/bug.h"
#include "play/words.h"

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct diag;
struct play;
struct schedule;
struct text;

struct case_send {
    const char *to, *msg, *fields;
};

struct case_post {
    const char *to; // name of a receptionist
    const char *msg;
    const char *fields; // "" if none
    uint32_t times;
    int line; // in the file it was read from, 0 if made
};

struct case_label {
    const char *actor, *label;
};

// All zero is an empty case.  Strings and arrays live in the arena it was read
// or made with.
struct test_case {
    const char *tool; // version that wrote it
    VEC(const char *) programs, flags, params;
    const char *build; // hash of the program, in hex
    const char *test;
    const char *delivery;
    bool shared;                   // the actors share memory
    bool own_clocks;               // each actor has a clock of its own
    bool alloc_fails;              // allocations are answered like choose()
    uint32_t ticks;                // the bound on ticks, see play.h
    struct bug bug;                // kind BUG_NONE: it must pass
    VEC(struct case_label) labels; // that the program gives, for the reader
    VEC(struct case_send) sends;
    const char *reach_file; // NULL: no line must be passed
    int reach_line;
    VEC(struct case_post) posts;
    VEC(struct words_step) steps;
};

// Read a case; false with a position in *d.
bool case_read(struct arena *a, const char *path, struct test_case *c,
               struct diag *d);
bool case_parse(struct arena *a, const char *name, const char *text,
                struct test_case *c, struct diag *d);
void case_print(const struct test_case *c, struct text *to);
// Write the case to a file, in the format of case_print().
bool case_write(const struct test_case *c, const char *path, struct diag *d);
void case_release(struct test_case *c); // the arrays, not the arena

// How many steps from the i-th on are the same.
uint32_t case_run(const struct test_case *c, uint32_t i);
// The fewest steps, two or more, that come from the i-th on again and again:
// *times in all.  0: none do often enough to be told together.
uint32_t case_round(const struct test_case *c, uint32_t i, uint32_t *times);

// Parameters as --param gives them, "n=3 m=4", appended to c->params.
void case_params(struct arena *a, struct test_case *c, const char *params);
// Is this the bug that the case expects, as far as the case tells of it?
bool case_meets(const struct test_case *c, const struct bug *b);

// The receives of a schedule in words, appended to c->steps.  twins says,
// per step, which of several equal messages is meant; NULL: always the first.
void case_take(struct arena *a, struct test_case *c, struct play *p,
               const struct schedule *s, const uint32_t *twins,
               const char *const *timers);
// The first hex digits of the group of a bug: the same on every machine and
// run. A bug without a place in the source, such as a deadlock, is one of its
// test.
void case_id(const struct bug *b, const char *test, char id[9]);
// The id it had before lines were told by their words: with the line's number.
void case_id_by_line(const struct bug *b, const char *test, char id[9]);
// Note the words of the line where the bug is, if the source can be read.
void case_note_spot(struct arena *a, struct bug *b);
// The same of a case; one that reaches a line without a bug is known by that.
void case_id_of(const struct test_case *c, char id[9]);

#endif

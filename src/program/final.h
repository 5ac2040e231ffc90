// How a test ended, as text: the same for equal final states, whoever ran it.
//
//     test transfer
//     account#1 open {.balance = 50, .peer = account#2}
//     account#2 open {.balance = 150, .peer = account#1}, keeps 1, waits 1
//     clerk#1 stopped
//
// or, of a run that failed,
//
//     test transfer
//     failed assertion
//
// Actors are in order of their names.  In a file an empty line ends each.
#ifndef PROGRAM_FINAL_H
#define PROGRAM_FINAL_H

#include "runtime/seam.h"

#include <stdbool.h>
#include <stdint.h>

struct text;
struct values;
struct values_names;

struct final_actor {
    const char *name;
    const tr_class *cls;
    uint64_t id;  // the caller's name for it, passed to look()
    bool crashed; // it has no state any more
};

// Sorts the actors.  look(names->user, ...) gives the state of one actor; the
// state is printed before the next call.
void final_print(struct values *v, const char *test, struct final_actor *actors,
                 uint32_t n, const struct values_names *names,
                 void (*look)(void *user, const struct final_actor *a,
                              struct tr_look *out),
                 struct text *out);
void final_failed(const char *test, const char *kind, struct text *out);

// Append the text and an empty line to a file, in one write: other processes
// append to it as well.  False with errno set if that failed.
bool final_append(const char *path, struct text *text);

#endif

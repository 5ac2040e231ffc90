// A program that runs in this process but not on the stage: under a live
// manager, again and again, as the search for inputs does it.
//
// Whoever runs it may give it memory of its own, which can be taken back at
// once, and be told when it ends.  Without a host the C library serves it.
#ifndef STAGE_GUEST_H
#define STAGE_GUEST_H

#include <stdbool.h>
#include <stddef.h>

struct guest_host {
    void *user;
    // A block of zeros; NULL if there is none.
    void *(*get)(void *user, size_t size, size_t align);
    void (*put)(void *user, void *p);
    size_t (*size)(void *user, const void *p);
    bool (*owns)(void *user, const void *p);
    // Does the next allocation fail?  NULL: none does.
    bool (*refuses)(void *user);
    // An assertion fails, abort or exit is called; does not return.
    void (*ends)(void *user, const char *how);
};

// Borrowed until the next call; NULL: no host.
void guest_use(const struct guest_host *host);

// The host of the program that runs now; NULL: none.
extern const struct guest_host *guest_host;

// Whoever runs the program off the stage hears of its end first.
void guest_ends(const char *how);

#endif

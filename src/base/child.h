// Child processes that are forks of this one: how they begin, how they are
// spoken to, how they end.
//
// Parent and child have a socket between them, for messages of base/wire.  What
// a child found comes in a message: an exit status has too few values, and a
// program under test may call exit() itself.  A child holds no descriptor of
// the tool but its own end of the socket, and dies with its parent.
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include "base/wire.h"

#include <stdbool.h>
#include <sys/types.h>

// All zero: there is no child.
struct child {
    pid_t pid;
    int fd;
    bool group; // it leads a process group
};

// What SIGINT and SIGTERM do in a child.
enum child_signals {
    CHILD_AS_PARENT, // the same as in the parent
    CHILD_IGNORES,   // nothing: the parent decides when the child ends
    CHILD_DIES,
};

struct child_plan {
    void (*body)(void *self, int fd); // when it returns, the child ends
    void *self;
    enum child_signals signals;
    bool group;  // lead a process group: child_kill() ends all of it
    bool quiet;  // standard output and error go nowhere
    int output;  // or to this descriptor, if it is not 0
    int last_ms; // for child_ask(): how long the child may speak once we are
                 // interrupted; 0: a second
};

// Start a child.  False with errno if that is not possible.
bool child_start(struct child *c, const struct child_plan *plan);
// Kill the child; do not wait until it is gone.
void child_end(const struct child *c);
// Wait for its end; the status of waitpid(), 0 if there is no child.
int child_wait(struct child *c);
// Kill the child and wait for it.  The status tells whether it had ended by
// itself before.
int child_kill(struct child *c);

// How a conversation with a child ended.
enum child_answer {
    CHILD_ANSWERED,
    CHILD_DIED, // before it said anything, or with damaged words
    CHILD_LATE,
};

// Run the body in a child that sends one message.  Wait for the message at most
// `seconds` (0: for ever); after an interruption the wait ends soon, and the
// child sees the interruption by child_is_hushed().  The message lies in *in.
// *status is the one of child_wait().
enum child_answer child_ask(const struct child_plan *plan, double seconds,
                            struct wire_in *in, struct wire_message *m,
                            int *status);
// In a child that runs for child_ask(): was the parent interrupted, and waits
// only for what the child has so far?
bool child_is_hushed(int fd);

#endif

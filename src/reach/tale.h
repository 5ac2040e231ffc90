// What a native run did with the program's code and with the contents of its
// messages, in order: enough to compute the run again without a runtime.
#ifndef REACH_TALE_H
#define REACH_TALE_H

#include <stdbool.h>
#include <stdint.h>

struct runner;

enum tale_what {
    TALE_SETUP,  // the setup begins
    TALE_POST,   // post n begins; its message is copied next
    TALE_POSTED, // the post is done
    TALE_BEGINS, // an operation begins
    TALE_ENDS,   // the operation ends with result a
    TALE_COPIED, // bytes from b are kept at a now
    TALE_ENTERS, // the manager calls code of the program
    TALE_WAITS,  // task a waits
    TALE_GOES_ON
};

// Results: of spawn, self, sender, receptionist the actor's id; of ask, after,
// now, try_send the value; of await and get where the answer is, 0: none; of
// param the value, n says which (IR_NOTHING: unknown); of choose the value, b
// how many there were and n which choice it was.
struct tale_event {
    uint8_t what; // enum tale_what
    uint8_t op;   // enum ir_op, or enum solo_code where code is entered
    uint32_t n;   // post, actor, parameter, choice
    const void *of;
    uint64_t a, b;
};

enum { TALE_MOST = 150000 };

struct tale {
    uint32_t n;
    bool cut; // events were left out for lack of room
    struct tale_event *at;
};

// Let the next runs be told here; NULL: no more.
void tale_begin(struct runner *r, struct tale *t);
void tale_free(struct tale *t);

// ---- for the runner ---------------------------------------------------------

void tale_note(struct runner *r, struct tale_event e);

#endif

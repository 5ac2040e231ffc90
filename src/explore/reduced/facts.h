// What is known of the program's handler runs: the runs seen so far.
//
// A fact is one remembered run: in this state, this message had this effect.
// Facts are kept apart from the play's memo, because a run that the memo forgot
// would look like one that was never made; so as long as facts are in use the
// play must not forget.
//
// States with equal hashes are the same to a search whatever their ids
// (play.h), and so are messages.  Facts speak of the first id of each.
#ifndef EXPLORE_REDUCED_FACTS_H
#define EXPLORE_REDUCED_FACTS_H

#include "base/hashset.h"
#include "base/map.h"
#include "base/vec.h"
#include "play/play.h"

struct fact {
    const struct effect *effect;
    uint32_t next;   // another outcome of the same receive; PLAY_NONE: none
    bool shows;      // it changes what an invariant looks at
    uint64_t judged; // what play_watches() was then, plus 1; 0: not yet
};

// A fact read coarsely: when this actor receives a message of one type, in
// whatever state and with whatever contents, it may send this or create this.
struct coarse {
    uint32_t sender, to; // of a message; a birth: PLAY_NONE and who is born
    uint32_t type;       // of the message
    uint32_t next;       // as in struct fact
};

// All zero is empty.
struct facts {
    struct map first; // (state, message) -> fact
    VEC(struct fact) list;
    struct map first_coarse; // (actor, type) -> coarse
    VEC(struct coarse) coarse;
    struct map same_state, same_msg;  // half of a hash -> first id
    VEC(uint32_t) state_for, msg_for; // by id: 1 + first id; 0: not known yet
    struct map types;                 // hash of a name -> type
    VEC(uint32_t) type_of;            // by message; 0: not looked up yet
    struct hashset curious; // (class, message type) that asked for the sender
    bool grown;             // something was learned since it was last cleared
};

void facts_free(struct facts *f);

// The first id of what is the same as this.
uint32_t facts_state(struct facts *f, struct play *p, uint32_t state);
uint32_t facts_msg(struct facts *f, struct play *p, uint32_t msg);

// A run was made: remember it.
void facts_add(struct facts *f, struct play *p, uint32_t state, uint32_t msg,
               const struct effect *e);
// The known outcomes of a receive, given by first ids: follow `next` from here;
// PLAY_NONE: none.
// Answers to choose() and senders that were asked for make several.
uint32_t facts_of(const struct facts *f, uint32_t state, uint32_t msg);
// The type of a message, from 1; all timers have type 0.
uint32_t facts_type(struct facts *f, struct play *p, uint32_t msg);
// As facts_of(), for coarse facts.
uint32_t facts_coarse(const struct facts *f, uint32_t actor, uint32_t type);
// Has a run of this actor's class ever asked who sent such a message?
bool facts_asks_sender(const struct facts *f, struct play *p, uint32_t actor,
                       uint32_t msg);

#endif

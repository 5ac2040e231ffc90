// The actors of a run of tasks: who is there, which messages are under way,
// which tasks wait.
//
// A state shares its scene with its copies.  Before a state changes the scene,
// it makes one of its own (scene_own()).  Tasks that wait keep their frames,
// and with these their counts of turns of loops.
#ifndef SYMEX_SCENE_H
#define SYMEX_SCENE_H

#include "symex/engine.h"

enum task_at {
    TASK_FLIES, // its message is under way
    TASK_RUNS,
    TASK_AWAITS, // a reply; others may run
    TASK_HOLDS,  // a reply; nobody else of its actor runs
    TASK_PAUSES, // for a condition
    TASK_ENDED
};

// When a timer was set: in which order, in which receive, for how long.
struct timer {
    uint32_t set, receive;
    uint64_t ms;
};

struct task {
    uint32_t actor, msg, fn;
    uint32_t payload; // object
    uint32_t given;   // in run.messages, IR_NOTHING: none
    uint32_t sender;  // actor, IR_NOTHING: the test
    uint32_t future;  // that it is to answer, IR_NOTHING: none
    uint32_t sent;    // when
    uint8_t at;       // enum task_at
    bool replied, stops;
    bool timed; // a timer of the sender's is to bring it
    struct timer timer;
    uint32_t answer; // object, 0: none
    // While it waits:
    struct frame *frames;
    uint32_t depth;
    uint32_t awaits; // future
    uint32_t since;  // when it began
    uint32_t fn_at, inst;
};

struct future {
    uint32_t token;   // object
    uint32_t asker;   // actor, IR_NOTHING: the test
    uint32_t msg;     // asked
    uint32_t by;      // actor that was asked
    uint32_t payload; // object of the answer, 0: NULL
    uint32_t sent;    // when the answer was, 0: not yet
    bool come;
    bool limited, late; // there is a time limit; it has passed
    struct timer timer;
};

// The next receive.
struct choice {
    uint8_t kind;   // enum choice_kind
    uint32_t actor; // whose
    uint32_t n;     // task, future, or which of sx_tasks.related
};
enum choice_kind { CHOOSE_TASK, CHOOSE_REPLY, CHOOSE_LATE, CHOOSE_WAITING };

struct receive {
    const struct receive *up;
    struct sx_receive r;
};

struct scene {
    uint32_t refs;
    VEC(struct sx_actor) actors; // `state` is the object's address
    VEC(struct task) tasks;
    VEC(struct future) futures;
    VEC(struct sx_pick) picks;
    VEC(struct choice) asleep; // orders that begin so were followed before
    const struct receive *order;
    uint32_t n_order;
    uint32_t receive; // that is under way
    uint32_t running; // task, IR_NOTHING: none
    uint32_t now;     // counts sends and waits
    uint32_t queued;  // messages that waited at the start
    bool closed;      // none of these is left
    uint32_t ran;     // actor whose conditions must be tested, IR_NOTHING: none
    uint32_t tested;  // tasks that wait since this or earlier were tested
    bool testing;     // the running task tests its condition again
    const struct decision *decisions; // when that test began
    uint32_t n_decisions;
};

struct scene *scene_new(void);
// The state's scene, for writing.
struct scene *scene_own(struct sx_state *s);

// The actor whose code runs: the one whose init does, else the task's.
uint32_t scene_actor(const struct sx_run *r, const struct sx_state *s);
// The actor that a reference of this object means, IR_NOTHING if none.
uint32_t scene_find(const struct scene *w, uint32_t number);
uint32_t scene_add(struct scene *w, struct sx_actor a);
// Is there a task that holds the actor?
bool scene_held(const struct scene *w, uint32_t actor);
// The row of an actor's behaviour for a message, NULL if there is none.
const struct ir_row *scene_row(const struct sx_run *r, const struct scene *w,
                               uint32_t actor, uint32_t msg);
// The message begins a task as soon as it is received; returns which.
uint32_t scene_send(struct scene *w, struct task t);
void scene_receive(struct sx_run *r, struct scene *w, struct sx_receive x);
// An input of tasks: the number in run.actors or run.messages.
uint32_t scene_given(struct sx_run *r, bool message, uint32_t key, uint32_t of,
                     const char *name, uint32_t type);

// ---- schedule.c ---------------------------------------------------------

// No task runs: test conditions, then choose the next receive.
bool scene_go_on(struct sx_run *r, struct sx_state *s);
// The running task is put aside.
void scene_suspend(struct sx_run *r, struct sx_state *s, enum task_at at,
                   uint32_t future);
// The running task, which waited for a condition, has gone on; false: over the
// bound.
bool scene_went_on(struct sx_run *r, struct sx_state *s);

#endif

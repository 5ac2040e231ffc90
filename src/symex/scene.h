// The actors of a run of tasks: who is there, which messages are under way,
// which tasks wait.
//
// A state shares its scene with its copies.  Before a state changes the scene,
// it makes one of its own (scene_own()).  Tasks that wait keep their frames,
// and with these their counts of turns of loops.
#ifndef SYMEX_SCENE_H
#define SYMEX_SCENE_H

#include "runtime/bounds.h"
#include "symex/engine.h"

enum task_at {
    TASK_FLIES, // its message is under way
    TASK_RUNS,
    TASK_AWAITS, // a reply; others may run
    TASK_HOLDS,  // a reply; nobody else of its actor runs
    TASK_PAUSES, // for a condition
    TASK_ENDED
};

// A pending timer: its number among those of its owner, 0: it has fired or was
// cancelled; by every(): how often.
struct timer {
    uint32_t id;
    uint64_t every;
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
    bool watch; // no message: the sender wants this one when the actor stops
    uint32_t handle; // what the program knows the timer by
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

// Who wants which message when an actor stops.
struct watcher {
    uint32_t who, actor, msg, payload;
};

// How often timers of one kind have fired: for an actor and a message, or as
// the limit of such a request.
struct tick {
    uint32_t owner, to, msg, n;
    bool limit;
};

// What an actor knows of its time; see runtime/bounds.h.
enum { MOMENTS_MOST = 8, MOMENTS_WIDE = MOMENTS_MOST + BOUNDS_TIMERS };
struct moments {
    uint32_t actor, n;
    uint32_t ids[MOMENTS_MOST]; // timers in the order of setting
    struct pace paces[MOMENTS_MOST];
    int64_t at[MOMENTS_WIDE * MOMENTS_WIDE];
};

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
    VEC(struct watcher) watchers;
    VEC(struct moments) moments;
    VEC(struct tick) ticks;
    uint64_t clock;            // the present is not before this
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

// ---- tasks.c ------------------------------------------------------------

uint32_t scene_object(struct sx_run *r, struct sx_state *s, uint64_t size,
                      const struct sx_write *cells, uint32_t n);
// The actor that a reference means, which gets such a message; IR_NOTHING: the
// test.  False: the state is put away.
bool scene_actor_at(struct sx_run *r, struct sx_state *s, term to, uint32_t msg,
                    uint32_t *actor);

// ---- time.c -------------------------------------------------------------

bool time_after(struct sx_run *r, struct sx_state *s, const struct ir_inst *i);
bool time_cancel(struct sx_run *r, struct sx_state *s, const struct ir_inst *i);
bool time_now(struct sx_run *r, struct sx_state *s);
// Set a timer; false: there is no room for it.
bool time_set(struct scene *w, uint32_t owner, uint64_t ms, uint64_t every,
              struct timer *t);
void time_remove(struct scene *w, uint32_t owner, struct timer *t);
// May it fire before all others of its owner, and has it not fired as often as
// timers of its kind do?
bool task_timer_ready(const struct sx_run *r, const struct scene *w,
                      const struct task *t);
bool limit_ready(const struct sx_run *r, const struct scene *w,
                 const struct future *f);
// Is a timer pending that has fired as often?
bool time_rests(const struct sx_run *r, const struct scene *w);
// Its number among timers of the same name that may fire next.
uint32_t timer_twin(const struct sx_run *r, const struct scene *w,
                    uint32_t owner, uint32_t msg, uint32_t id);
// It fires.  One of every() is set again.
void task_timer_fire(struct scene *w, uint32_t n);
void limit_fire(struct scene *w, uint32_t n);
// The actor receives: any time may have passed.
void time_pass(struct scene *w, uint32_t actor);

// ---- watch.c ------------------------------------------------------------

bool watch_begin(struct sx_run *r, struct sx_state *s, const struct ir_inst *i);
// The task, which is such a request, has come.
void watch_comes(struct scene *w, uint32_t n);
void watch_notify(struct scene *w, uint32_t actor);
// May somebody who is watched still stop?
bool watch_pending(const struct scene *w, uint32_t who);

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

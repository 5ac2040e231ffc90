// What the files of the supervisor share.
//
// Invariant: every unit of the search is in exactly one place: in a queue, held
// by one worker, set aside for good, or done and counted.  What a worker holds
// is what it was given or, once it has written something down, what was left
// then.
#ifndef CREW_INNER_H
#define CREW_INNER_H

#include "base/hashset.h"
#include "base/map.h"
#include "base/text.h"
#include "crew/supervisor.h"
#include "crew/words.h"

enum { CREW_PLACES = 8192 }; // workers of all kinds

struct member {
    bool here;
    bool far;
    bool isolated; // its handlers run in a process apart
    bool busy;
    bool yielding;           // was asked to yield
    bool ending;             // was asked to yield at once
    bool whole;              // was given the whole search
    bool aside;              // searches states beside the others
    bool discard;            // what it has left is not wanted any more
    bool written;            // `last` is valid
    struct work_list holds;  // the units it was given
    struct crew_return last; // what it wrote down last: it holds last.rest now
    struct explore_result now; // its figures as told last, with last.result
    struct play_counts counts;
    uint64_t allowed; // schedules it may make, 0: no bound
    double slice;     // seconds that it may take, 0: no bound
    double began, heard;
};

// Work that nobody holds.
struct queue {
    struct work_list units;
    bool sorted; // by size in bytes; else as they came
    bool whole;  // all of the search, before there are units
};

// What has changed since something was kept last.
struct changes {
    bool some;
    VEC(uint64_t) gone; // units, by content
    struct work_list came;
    VEC(uint64_t) finals;
    bool base;    // a whole search is kept, which changes can refer to
    size_t bytes; // of the changes kept since then
    size_t whole; // bytes of the whole search, when it was kept
};

struct crew {
    const struct crew_transport *transport;
    const struct explore_options *options;
    const struct crew_options *co;
    const struct crew_sink *sink;
    struct crew_figures *out;
    struct shared_set *finals;
    struct crew_places places;
    struct member *members;
    uint32_t n; // members that there were so far
    uint32_t busy, far_busy;
    struct queue queue;
    struct queue suspect;       // a worker was lost with it: for isolated ones
    struct work_list set_aside; // killed too many processes: not tried again
    struct map deaths;          // of processes with a unit, by its content
    uint32_t whole_deaths;
    uint32_t losses; // since work was last returned
    double early;    // part of the far orders that were done early, lately
    struct hashset bugs;
    struct changes changes;
    struct text message; // scratch
    bool aside;          // a worker must still be set to search states
    bool decided;        // that worker has seen all states
    bool undivided;      // the search turned out not to be divisible
    uint32_t orders;     // given so far
    bool ending;
    enum stop why;
    double waited; // since when the first far worker is waited for
    double began, ended, yielded, asked, checkpointed, told;
    uint64_t runs_gone, once_gone, hits_gone; // of members that ended
};

// supervisor.c
void crew_end(struct crew *c, enum stop why);
bool queue_has_work(const struct queue *q);
// Add what is in the list, which is empty afterwards.
void queue_add(struct queue *q, struct work_list *from);
void work_list_move(struct work_list *to, struct work_list *from);
uint64_t work_content(const struct work *w);

// figures.c
// What was done beside the search that is counted.
void figures_add_beside(struct explore_result *sum,
                        const struct explore_result *r);
// What a worker returned, or had written down before it was lost.
void figures_count(struct crew *c, const struct crew_return *r);
void figures_refresh(struct crew *c);
void figures_tell(struct crew *c);

// members.c
// Is the worker's search left out of the counts?
bool member_is_beside(const struct crew *c, const struct member *m);
void member_begin(struct crew *c, struct member *m);
void member_idle(struct crew *c, struct member *m);
bool member_hire(struct crew *c, struct member *m, bool isolated);
void member_dismiss(struct crew *c, struct member *m);
// A worker is gone: what it holds must be done again.  `counts` is added to the
// losses, of which too many end the search.
void member_lose(struct crew *c, struct member *m, uint32_t counts);
// The process of a far worker died while it did its order.
void member_died(struct crew *c, struct member *m);
// Take back the order of a far worker: its result is not waited for.
void member_recall(struct crew *c, struct member *m);
// Send the message in c->message.
bool member_give(struct crew *c, struct member *m);

// returns.c: what members say.
void crew_hear(struct crew *c, uint32_t ms);

// orders.c: handing out.
void crew_hand_out(struct crew *c);
// Is a worker idle, while all units are held by other workers?
bool crew_wants_work(const struct crew *c);

// asking.c
void crew_ask_all_to_end(struct crew *c);
void crew_ask(struct crew *c, double at);
void crew_drop_hung(struct crew *c, double at);

// keeping.c
void changes_return(struct crew *c, const struct member *m,
                    const struct work_list *rest);
void changes_final(struct crew *c, uint64_t hash);
// Before anything is handed out.
void crew_keep(struct crew *c, double at);
void crew_keep_all(struct crew *c);

// crew_check.c
void crew_check(const struct crew *c);

#endif

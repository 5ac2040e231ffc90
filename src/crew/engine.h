// What the tool and troupe-wq, which runs a Work Queue, say to each other, as
// messages of base/wire.
//
// The engine knows nothing of exploration.  A task is bytes that become the
// file `order` where it runs, and its result is what is then in the file
// `result`.
#ifndef CREW_ENGINE_H
#define CREW_ENGINE_H

enum engine_word {
    // to the engine
    ENGINE_OPEN = 64, // where to listen, what every task needs
    ENGINE_TASK,      // number, bytes
    ENGINE_CANCEL,    // number
    ENGINE_LEFT,      // how many tasks are yet to come, for a factory
    ENGINE_DISMISS,   // when the socket ends, workers are to end too
    // from the engine
    ENGINE_READY,  // the port
    ENGINE_FAILED, // text: it cannot work
    ENGINE_RESULT, // number, enum engine_outcome, host, text, bytes
    ENGINE_STATE,  // workers, cores, workers that went away
};

enum engine_outcome {
    TASK_DONE,  // there is a result
    TASK_DIED,  // its process ended without one
    TASK_LOST,  // it is not known what became of the process
    TASK_UNFIT, // the machine cannot do tasks
    TASKS_N
};

// Exit status of a task's process: it could not load what it was sent, or could
// not write its result.  Whatever is in its order, that is not to blame.
enum { ENGINE_UNFIT = 76 };

#define ENGINE_ORDER "order"
#define ENGINE_RESULT_FILE "result"

#endif

// How the tool and test programs end: the exit statuses that users, scripts and
// build servers see.
#ifndef BASE_EXITS_H
#define BASE_EXITS_H

// X(name, status, what it means)
#define EXITS(X)                                                               \
    X(GOOD, 0, "nothing wrong found")                                          \
    X(BUG, 1, "a bug or a failing test")                                       \
    X(USAGE, 2, "usage, configuration or build error")                         \
    X(FAULT, 3, "fault of the tool itself")                                    \
    X(NO_ANSWER, 4, "no answer: the budget is spent, or a case does not fit")  \
    X(NO_MATCH, 5, "no test or system matched")                                \
    X(UNREACHABLE, 6, "shown unreachable within the stated bounds")            \
    X(INTERRUPTED, 130, "interrupted, partial results kept")

enum exit_status {
#define EXIT_(name, code, text) EXIT_##name = code,
    EXITS(EXIT_)
#undef EXIT_
};

#endif

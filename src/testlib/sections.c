// The linker names the bounds of sections whose names are C identifiers; they
// are weak because a program need not have all of them.
#include "testlib/sections.h"

#include <string.h>

#define SECTIONS(X)                                                            \
    X(tests, tr_test)                                                          \
    X(systems, tr_system)                                                      \
    X(hots, tr_hot)                                                            \
    X(invariants, tr_invariant)                                                \
    X(msgs, tr_seen)

#define BOUNDS_(name, T)                                                       \
    extern const T *const __start_tr_##name[] __attribute__((weak));           \
    extern const T *const __stop_tr_##name[] __attribute__((weak));
SECTIONS(BOUNDS_)
#undef BOUNDS_

struct sections sections_here(void)
{
    return (struct sections){
        .tests = __start_tr_tests,
        .systems = __start_tr_systems,
        .hots = __start_tr_hots,
        .invariants = __start_tr_invariants,
        .seen = __start_tr_msgs,
        .n_tests = (uint32_t)(__stop_tr_tests - __start_tr_tests),
        .n_systems = (uint32_t)(__stop_tr_systems - __start_tr_systems),
        .n_hots = (uint32_t)(__stop_tr_hots - __start_tr_hots),
        .n_invariants =
            (uint32_t)(__stop_tr_invariants - __start_tr_invariants),
        .n_seen = (uint32_t)(__stop_tr_msgs - __start_tr_msgs),
    };
}

const tr_test *sections_test(const struct sections *s, const char *name)
{
    for (uint32_t i = 0; i < s->n_tests; i++)
        if (strcmp(s->tests[i]->name, name) == 0)
            return s->tests[i];
    return NULL;
}

const tr_system *sections_system(const struct sections *s, const char *name)
{
    for (uint32_t i = 0; i < s->n_systems; i++)
        if (strcmp(s->systems[i]->name, name) == 0)
            return s->systems[i];
    return NULL;
}

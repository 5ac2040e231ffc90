// The linker names the bounds of sections whose names are C identifiers; they
// are weak because a program need not have all of them.
#include "testlib/sections.h"

#include "program/program.h"

#include <string.h>

#define SECTIONS(X)                                                            \
    X(tests, tr_test)                                                          \
    X(systems, tr_system)                                                      \
    X(classes, tr_class)                                                       \
    X(hooks, tr_hook)                                                          \
    X(hots, tr_hot)                                                            \
    X(invariants, tr_invariant)                                                \
    X(msgs, tr_seen)

#define BOUNDS_(name, T)                                                       \
    extern const T *const __start_tr_##name[] __attribute__((weak));           \
    extern const T *const __stop_tr_##name[] __attribute__((weak));
SECTIONS(BOUNDS_)
#undef BOUNDS_

// Compared as numbers: to C the two bounds are different objects.
static uint32_t count(const void *from, const void *to)
{
    return (uint32_t)(((uintptr_t)to - (uintptr_t)from) / sizeof(void *));
}

struct sections sections_here(void)
{
    return (struct sections){
        .tests = __start_tr_tests,
        .systems = __start_tr_systems,
        .classes = __start_tr_classes,
        .hooks = __start_tr_hooks,
        .hots = __start_tr_hots,
        .invariants = __start_tr_invariants,
        .seen = __start_tr_msgs,
        .n_tests = count(__start_tr_tests, __stop_tr_tests),
        .n_systems = count(__start_tr_systems, __stop_tr_systems),
        .n_classes = count(__start_tr_classes, __stop_tr_classes),
        .n_hooks = count(__start_tr_hooks, __stop_tr_hooks),
        .n_hots = count(__start_tr_hots, __stop_tr_hots),
        .n_invariants = count(__start_tr_invariants, __stop_tr_invariants),
        .n_seen = count(__start_tr_msgs, __stop_tr_msgs),
    };
}

struct sections sections_of(const struct program *p)
{
    return (struct sections){
        .tests = p->tests,
        .systems = p->systems,
        .hots = p->hots,
        .invariants = p->invariants,
        .seen = p->seen,
        .n_tests = p->n_tests,
        .n_systems = p->n_systems,
        .n_hots = p->n_hots,
        .n_invariants = p->n_invariants,
        .n_seen = p->n_seen,
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

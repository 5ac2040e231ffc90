// What the macros of troupe.h left in the executable's sections.
#ifndef TESTLIB_SECTIONS_H
#define TESTLIB_SECTIONS_H

#include "troupe.h"

struct sections {
    const tr_test *const *tests;
    const tr_system *const *systems;
    const tr_hot *const *hots;
    const tr_invariant *const *invariants;
    const tr_seen *const *seen;
    uint32_t n_tests, n_systems, n_hots, n_invariants, n_seen;
};

struct sections sections_here(void);
const tr_test *sections_test(const struct sections *s, const char *name);
const tr_system *sections_system(const struct sections *s, const char *name);

#endif

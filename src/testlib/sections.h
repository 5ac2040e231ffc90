// What the macros of troupe.h left in the executable's sections.
#ifndef TESTLIB_SECTIONS_H
#define TESTLIB_SECTIONS_H

#include "troupe.h"

struct program;

struct sections {
    const tr_test *const *tests;
    const tr_system *const *systems;
    const tr_hot *const *hots;
    const tr_invariant *const *invariants;
    const tr_seen *const *seen;
    uint32_t n_tests, n_systems, n_hots, n_invariants, n_seen;
    // Of the running executable only:
    const tr_class *const *classes;
    const tr_hook *const *hooks;
    uint32_t n_classes, n_hooks;
};

struct sections sections_here(void);
// Of a program that was loaded.
struct sections sections_of(const struct program *p);
const tr_test *sections_test(const struct sections *s, const char *name);
const tr_system *sections_system(const struct sections *s, const char *name);

#endif

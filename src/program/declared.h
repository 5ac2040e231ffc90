// Mistakes in what a program declares that no compiler sees.
#ifndef PROGRAM_DECLARED_H
#define PROGRAM_DECLARED_H

#include "troupe.h"

struct diag;

// Does each class start in a behaviour, and does a class name each TR_INIT and
// TR_FINI?  False with *d set.
bool declared_check(const tr_class *const *classes, uint32_t n_classes,
                    const tr_hook *const *hooks, uint32_t n_hooks,
                    struct diag *d);
// Has each test a name of its own?  The compiler sees those of one source.
bool declared_names(const tr_test *const *tests, uint32_t n, struct diag *d);

#endif

// The calls that earlier runs of `troupe unit` kept, and what has changed
// since.
#ifndef CLI_LLVM_UNIT_KEPT_H
#define CLI_LLVM_UNIT_KEPT_H

#include "unit/check.h"

struct session;
struct text;
struct unit_subject;

struct unit_kept {
    VEC(struct call_case) calls;
    struct check_result check;
};

// Read the calls of a function of this source and make them again.  Calls that
// cannot be read are left out.
void unit_kept_check(struct session *s, const struct unit_subject *subject,
                     const char *function, struct unit_kept *out);
// Forget the calls of a function: those of this run take their place.
void unit_kept_remove(struct session *s, const char *source,
                      const char *function);
// A line for each change: "changed f__n_gt_0  result  3 -> 4".
void unit_kept_print(const char *function, const struct unit_kept *k,
                     struct text *to);
// How many calls come out otherwise.
uint32_t unit_kept_changed(const struct unit_kept *k);
void unit_kept_free(struct unit_kept *k);

#endif

// What the files of a search share: unit/search.h.
#ifndef UNIT_SEARCHING_H
#define UNIT_SEARCHING_H

#include "unit/condition.h"
#include "unit/engine.h"
#include "unit/fuzz.h"
#include "unit/search.h"

struct search {
    const struct unit_subject *s;
    const struct ir *ir;
    struct arena *a;
    const struct ir_fn *f;
    const struct search_options *o;
    struct unit_result *out;
    VEC(struct unit_case) found;    // confirmed
    VEC(struct unit_case) suspects; // may go wrong in silence
    bool silent;                    // calls of the function may
    bool typed;                     // untyped cases do not count as found, since
                                    // the engine can find better ones
    struct condition_file file;
    struct engine_result engine;
    uint32_t pre;       // IR_NOTHING: none
    double until;       // then no candidate is looked at any more
    const char **never; // by side: why nothing takes it, NULL: it may be taken
};

// Say something once.
void search_note(struct search *w, const char *text);
// The trap that this hit stands for, NULL if it is none; *fn gets its function.
const struct ir_inst *search_trap_at(const struct ir *ir, uint32_t hit,
                                     const struct ir_fn **fn);

// ---- confirming (confirm.c) -------------------------------------------------

// Run the case natively, more than once; false: it does not end in one way, or
// cannot be written.
bool search_confirm(struct search *w, struct unit_case *c);
// The sides that a native run took.
void search_sides_of(struct search *w, const struct runner_outcome *n,
                     struct unit_case *c);
// The functions that a test defines because no other source does.
void search_stubs(struct search *w, struct unit_case *c);
// Does it return, or end where the source says so?
bool case_counts(const struct unit_case *c);
// Does the engine say that memory is used after it was freed, or that a number
// overflows?
bool case_uses_freed(const struct unit_case *c);
bool case_overflows(const struct unit_case *c);

// ---- candidates (candidates.c) ----------------------------------------------

void search_take_random(struct search *w, const struct fuzz_found *f);
void search_take_path(struct search *w, const struct engine_found *f);
// A random run that did not end.
void search_take_late(struct search *w, const struct input *in);
// By side, 1: no input is looked for any more.
uint8_t *search_taken(struct search *w);

// ---- allocations (failing.c) ------------------------------------------------

// What was found once more, with allocations that fail, where that takes sides
// which nothing else takes.
void search_fail_allocations(struct search *w);

// ---- earlier calls (earlier.c) ----------------------------------------------

// The same for calls that come after others like them, of a function that keeps
// something in static variables of its own.
void search_earlier_calls(struct search *w);

// ---- choosing (choose.c) ----------------------------------------------------

// Keep the simplest cases that add something.
void search_choose(struct search *w);

#endif

// The source under test, built so that its functions can be called natively
// with any input: translated, instrumented and linked as a shared object.
//
// The object is compiled from a file of ours that includes the source, so
// static functions and private types are within reach.  For each function of
// the source it has a thunk that takes pointers to the arguments.
#ifndef UNIT_SUBJECT_H
#define UNIT_SUBJECT_H

#include "ir/ir.h"

struct args;
struct diag;

struct unit_options {
    const char *source;       // FILE.c, as the user named it
    const char *const *flags; // of the user
    uint32_t n_flags;
    const char *const *others; // sources and objects that belong to it: models
    uint32_t n_others;
    const char *pre;      // a file with preconditions, NULL: none
    const char *database; // a compile_commands.json, NULL: none
    const char *cc;       // NULL: cc
};

// A function that tests bring along for a type of function pointers.
struct unit_callback {
    const char *name;        // "callback"
    const char *declaration; // "int callback(void *, int)"
    uint32_t type;           // of the function, in the IR it was found in
};

struct unit_subject {
    const struct unit_options *options;
    struct ir *ir;
    const char *object; // the shared object
    bool has_main;
    VEC(uint32_t) fns; // functions of the source, in its order
    VEC(uint32_t)
    variables;               // globals that can be set; unit_at_NAME() tells
                             // where they are
    VEC(const char *) stubs; // functions of elsewhere that are stubs there
    VEC(struct unit_callback) callbacks; // see unit/callback.h
    VEC(const char *) own; // what it defines although the C library does, too
};

// The number under which a stub asks what it writes through argument k, and the
// name of those values in an input.
static inline uint32_t unit_write(uint32_t stub, uint32_t k)
{
    return 0x10000 | stub << 3 | k;
}
const char *unit_write_name(struct arena *a, const char *function, uint32_t k);

// What the program calls instead of functions of the C library, and what stubs
// ask for their results.  The object has one of these, called unit_hooks.
struct unit_hooks {
    void *(*malloc)(size_t size);
    void *(*calloc)(size_t n, size_t size);
    void *(*realloc)(void *p, size_t size);
    void (*free)(void *p);
    void (*exit)(int status);
    void (*stub)(unsigned which, void *result, size_t size);
    void (*touch)(void *at, size_t size);
    // The assumptions of troupe_unit.h.
    int (*distinct)(const void *a, const void *b);
    int (*apart)(const void *a, const void *b);
    int (*acyclic)(const void *a);
    int (*count)(const void *p, size_t n, size_t size);
    int (*fclose)(void *file);
};

// Compile, translate, link.  Strings live in a.  False with *d set.
bool unit_build(struct arena *a, const struct unit_options *o,
                struct unit_subject *s, struct diag *d);
void unit_release(struct unit_subject *s);

// The name of the thunk of a function: "unit_call_f".  In a.
const char *unit_thunk(struct arena *a, const struct ir_fn *f);
// Why a function cannot be called, NULL if it can.
const char *unit_refuses(const struct ir *ir, const struct ir_fn *f);
// The precondition of a function, IR_NOTHING if it has none.  False with *d set
// if there is one of another type.
bool unit_precondition(const struct unit_subject *s, const struct ir_fn *f,
                       uint32_t *pre, struct diag *d);
// Is it a function of ours, not of the source under test?
bool unit_is_own(const char *function);
bool unit_is_of_source(const struct ir *ir, const struct ir_fn *f,
                       const char *source);
bool unit_is_precondition(const struct ir_fn *f);
// Does it take the context that only an actor, a test or a system has?
bool unit_is_of_actors(const struct ir *ir, const struct ir_fn *f);
// Can a test set it and look at it?
bool unit_is_variable(const struct ir_global *g);
// Does the C library define it?
bool unit_is_of_libc(const char *function);
// Does it do something that others than this process see?
bool unit_reaches_out(const char *function);
// Does it begin another process or thread?
bool unit_starts(const char *function);

#endif

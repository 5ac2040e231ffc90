// One call of a C function as a value: the objects it is given, its arguments,
// and what must come of it.
//
// A call is kept as a text file of lines "word rest"; '#' begins a comment
// line.  Values are C source, and links are by the names of objects:
//
//     troupe-call 1
//     tool 0.1.0
//     program remall.c                    the source with the function; others
//     flag -DLIMIT=3                      one line per compiler flag
//     function rem_all
//     place remall.c:10
//     name first_node_goes                what tells it from its neighbours
//     decision 13 true lf                 line, side, condition
//     label assumes that 'a' has 3 elements
//     object local a struct node a        form, name, declaration
//     field .data signed 1                of the object above; kind, value
//     field .next pointer &b
//     freed                               of the object above: by the call
//     before signed counter 3             a global: kind, place, value
//     stub signed read_one                a function the test brings along:
//                                         kind of its result, void, or ends
//                                         if it does not return; name
//     declares int read_one(void *)       the stub above, if the source does
//                                         not declare it
//     writes 2 4                          the stub above: through its second
//                                         argument, 4 bytes
//     fails 2                             the second allocation gives NULL
//     earlier 3                           calls like it that come before it
//     argument &a
//     result int result                   declaration; none: void
//     own dup                             the source has a function or variable
//                                         that the C library has, too
//     end return                          or: trap, exit; report: only a
//                                         sanitizer notices the trap
//     trap null SIGSEGV remall.c:12       kind, signal, place
//     text l->first                       where it happens, in source text
//     after pointer a.next NULL           kind, place, value
#ifndef CASES_CALL_H
#define CASES_CALL_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct diag;
struct text;

// How a value is compared and written.
#define CALL_KINDS(X)                                                          \
    X(SIGNED, "signed")                                                        \
    X(UNSIGNED, "unsigned")                                                    \
    X(FLOAT, "float") /* 32 bits */                                            \
    X(DOUBLE, "double")                                                        \
    X(LONG_DOUBLE, "long-double")                                              \
    X(POINTER, "pointer")                                                      \
    X(TEXT, "text") /* bytes, as a string literal without its end */

enum call_kind {
#define CALL_KIND_(name, text) CALL_##name,
    CALL_KINDS(CALL_KIND_)
#undef CALL_KIND_
        CALL_KINDS_N
};

struct call_value {
    enum call_kind kind;
    const char *place; // of a field: ".next", "[2]", "->n", "" all of it;
                       // else an lvalue: "a.next", "result->n"
    const char *value; // "-1", "&b", "NULL", "\"abc\""
};

// Where an object lies.
#define CALL_FORMS(X)                                                          \
    X(LOCAL, "local")   /* a local variable */                                 \
    X(HEAP, "heap")     /* calloc, through a pointer of its name */            \
    X(BEHIND, "behind") /* the same, and behind it no memory may be touched */ \
    X(BEFORE, "before") /* likewise, before it */                              \
    X(FILE, "file")     /* an open file that holds its field, size bytes */

enum call_form {
#define CALL_FORM_(name, text) CALL_##name,
    CALL_FORMS(CALL_FORM_)
#undef CALL_FORM_
        CALL_FORMS_N
};

struct call_object {
    enum call_form form;
    const char *name;
    const char *declaration; // "struct node a", "char *names[3]"; but for
                             // CALL_LOCAL that of a pointer: "struct node *a"
    const char *size;        // but for CALL_LOCAL, in C: "sizeof *a"
    bool freed;              // by the call
    VEC(struct call_value) fields;
};

struct call_decision {
    uint32_t line;
    const char *side; // "true", "false", "case 3", "default"
    const char *text; // the condition
};

// A function of elsewhere that the test defines.  What its n-th call returns is
// the variable NAME_returns[n], set before the call with NAME_calls.
struct call_stub {
    bool is_void;
    bool ends; // it does not return: the process ends with status 1
    enum call_kind kind;
    const char *name;
    const char *declaration; // "int callback(int)", NULL: the source has it
    // By argument: bytes that it writes there, 0: none.  What the n-th call
    // writes through argument k (from 1 on) is NAME_writes_k[n].
    uint8_t writes[6];
};
enum { CALL_RETURNS_MOST = 8, CALL_WRITES_MOST = 6 };

enum call_end {
    CALL_RETURNS,
    CALL_TRAPS,    // by a signal
    CALL_EXITS,    // with a status
    CALL_REPORTED, // a sanitizer notices the trap; without one it may go on
    CALL_ENDS_N
};

// What -fsanitize=bounds reports, and -fsanitize=address does not.
#define CALL_BY_BOUNDS "bounds-sanitizer"

struct call_trap {
    const char *kind;   // "null"
    const char *signal; // "SIGSEGV"; of an exit: the status; of a report:
                        // "sanitizer", or CALL_BY_BOUNDS
    const char *file;
    uint32_t line;
    const char *text; // "l->first", "" if unknown
};

// All zero is an empty call.  Strings live in the arena it was made with.
struct call_case {
    const char *tool;
    VEC(const char *) programs, flags;
    VEC(const char *) own; // names of the C library that the source defines
    const char *function;
    const char *file;
    uint32_t line;
    const char *name;
    VEC(struct call_decision) decisions;
    VEC(const char *) labels; // what was assumed
    uint32_t earlier;         // calls with these arguments that come before it
    uint32_t fails;           // this allocation gives NULL, from 1 on; 0: none
    VEC(struct call_object) objects;
    VEC(struct call_value) before;
    VEC(struct call_stub) stubs;
    VEC(const char *) arguments;
    const char *result; // NULL: void
    enum call_end end;
    struct call_trap trap;
    VEC(struct call_value) after;
};

// "return", "trap": the word of a file.
const char *call_end_id(enum call_end end);

// Is this the text of a call?
bool call_is(const char *text);
// Read a call; false with a position in *d.
bool call_read(struct arena *a, const char *path, struct call_case *c,
               struct diag *d);
bool call_parse(struct arena *a, const char *name, const char *text,
                struct call_case *c, struct diag *d);
void call_print(const struct call_case *c, struct text *to);
bool call_write(const struct call_case *c, const char *path, struct diag *d);
void call_release(struct call_case *c); // the arrays, not the arena

// The objects before and after, and the decisions, for people.
void call_show(const struct call_case *c, struct text *to);

#endif

// Types of the program under test, as printing and masking need them.
//
// A shape is made from debug information once and kept.  Typedefs, but those
// of moments and timers, and qualifiers are gone; a reference to an actor is
// told by what it points to: the protocol unions that TR_PROTOCOL makes, or
// tr_any.
#ifndef PROGRAM_SHAPE_H
#define PROGRAM_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum shape_kind {
    SHAPE_INT,
    SHAPE_UNSIGNED,
    SHAPE_CHAR, // plain char, whose arrays are strings
    SHAPE_BOOL,
    SHAPE_FLOAT,
    SHAPE_ENUM,
    SHAPE_POINTER,
    SHAPE_TEXT, // pointer to char
    SHAPE_REF,  // reference to an actor
    SHAPE_TIMER, // tr_timer
    SHAPE_STRUCT,
    SHAPE_UNION,
    SHAPE_ARRAY,
    SHAPE_BYTES, // anything else
};

struct shape_field {
    const char *name; // NULL: anonymous
    const char *type; // as written in the source
    const struct shape *shape;
    uint32_t bit;  // from the start of the struct
    uint32_t bits; // width
    bool packed;   // a bit-field
};

struct shape_value {
    const char *name;
    int64_t value;
};

struct shape {
    enum shape_kind kind;
    uint32_t size; // in bytes
    const char *name;
    const char *alias;          // tr_time, tr_timer: by that name; else NULL
    struct shape_field *fields; // struct, union
    struct shape_value *values; // enum
    uint32_t n;                 // fields, values or elements
    const struct shape *of;     // array
    bool is_signed;             // enum
    uint64_t to; // pointer: what it points to, for shapes_at(); 0: unknown
};

struct shapes;
struct Dwarf;

// dwarf may be NULL: then no shape is ever found.
struct shapes *shapes_new(struct Dwarf *dwarf);
void shapes_free(struct shapes *s);
// The struct of this name and size, NULL if there is none.
const struct shape *shapes_find(struct shapes *s, const char *name,
                                size_t size);

// The type at this offset in the debug information.
const struct shape *shapes_at(struct shapes *s, uint64_t type);

#endif

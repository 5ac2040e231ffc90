// The scalars of a debug type, by their C places.
//
// Walks structs, arrays and unions down to what has a single value: numbers,
// enumerators, pointers, bit-fields.
#ifndef UNIT_PLACES_H
#define UNIT_PLACES_H

#include "cases/call.h"
#include "ir/ir.h"

struct place {
    const char
        *path;       // ".in.v[2]", "" for a scalar by itself; valid in the call
    uint32_t type;   // debug type, with its typedefs
    uint64_t offset; // bytes from the start
    uint32_t bytes;
    uint32_t bit, bits; // a bit-field: `bits` bits from bit `bit` of `offset`
    bool in_union;
};

typedef void places_each(void *self, const struct place *p);

// All scalars of a type, in order of their offsets; of a union those of all its
// members.  An array without a count has `more` bytes behind the type.  At most
// `most` scalars are told; false if there are more.
bool places(const struct ir *ir, uint32_t type, uint64_t more, uint32_t most,
            places_each *each, void *self);
// The member of a union, at this byte of the whole, whose scalars are told; as
// many as it has: none.
typedef uint32_t places_pick(const void *picker, uint32_t type, uint64_t at);
bool places_picked(const struct ir *ir, uint32_t type, uint64_t more,
                   uint32_t most, places_pick *pick, const void *picker,
                   places_each *each, void *self);
// The scalar that begins at this byte and has this size: a copy of it with the
// path in a.  False if there is none.
bool places_at(const struct ir *ir, struct arena *a, uint32_t type,
               uint64_t more, uint64_t offset, uint32_t bytes,
               struct place *out);

// The part of this type that begins at this byte of a larger one: its path in a,
// NULL if there is none.
const char *places_part(const struct ir *ir, struct arena *a, uint32_t type,
                        uint64_t offset, uint32_t part);

// How values of a type are compared; CALL_KINDS_N: it is no scalar.
enum call_kind places_kind(const struct ir *ir, uint32_t type);
// Does the type end in an array without a count?
bool places_flexible(const struct ir *ir, uint32_t type);

#endif

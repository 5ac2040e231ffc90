// What the files of values share: a walk over the shape of a value.
//
// A walk goes by fields, so padding never shows.  Leaves are read bit by bit
// where they are bit-fields and by memcpy otherwise.
#ifndef PROGRAM_VALUES_INNER_H
#define PROGRAM_VALUES_INNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "program/shape.h"
#include "program/values.h"

struct values {
    const struct program *program;
    struct shapes *shapes;
    struct arena arena;
    struct map mask_of; // hash of (type, size) -> index in masks
    VEC(const unsigned char *) masks;
};

// What a walk carries.
struct walk {
    struct values *v;
    const struct values_names *names;
    struct text *out;
    uint32_t deep; // pointers followed so far
};

// A place: a shape, where it lies, and how wide it is.
struct spot {
    const struct shape *shape;
    const unsigned char *at;
    uint32_t bit, bits; // of a bit-field, from `at`; bits 0: none
};

static inline struct spot member(struct spot in, const struct shape_field *f)
{
    if (f->packed)
        return (struct spot){f->shape, in.at, f->bit, f->bits};
    return (struct spot){f->shape, in.at + f->bit / 8, 0, 0};
}

static inline struct spot element(struct spot in, uint32_t i)
{
    return (struct spot){in.shape->of, in.at + i * in.shape->of->size, 0, 0};
}

static inline uint64_t load(struct spot s)
{
    if (!s.bits) {
        uint64_t v = 0;
        memcpy(&v, s.at, s.shape->size < 8 ? s.shape->size : 8);
        return v;
    }
    uint64_t v = 0;
    for (uint32_t i = 0; i < s.bits && i < 64; i++) {
        uint32_t bit = s.bit + i;
        v |= (uint64_t)(s.at[bit / 8] >> bit % 8 & 1) << i;
    }
    return v;
}

static inline int64_t load_signed(struct spot s)
{
    uint32_t bits = s.bits ? s.bits : s.shape->size * 8;
    uint64_t v = load(s);
    if (bits < 64 && bits && v >> (bits - 1) & 1)
        v |= ~(uint64_t)0 << bits;
    return (int64_t)v;
}

void values_print_spot(const struct walk *w, struct spot s);
// Mark the bits of a struct or union that the field is about.
void values_tell(unsigned char *to, const struct shape_field *f);
// In hexadecimal.
void values_print_bytes(struct text *out, const unsigned char *p, size_t n);
// Is it the struct of a signal, which has nothing in it?
bool values_is_signal(const struct shape *s);

#endif

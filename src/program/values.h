// Payloads and states as text, by the field names in the debug information.
//
//     deposit {.amount = 50, .to = server#1}
//
// Types are found by the names in class and message descriptors (`struct
// deposit`) and kept.  Without debug information values come out as bytes.
// Padding is left out throughout: a difference is one of fields.
#ifndef PROGRAM_VALUES_H
#define PROGRAM_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct program;
struct text;
struct values;

// How to name actors and timers: print the name, or nothing and return false
// for a value that is none.  How to read memory that a value points to: the
// number of bytes copied to out.  Any but user may be NULL.
struct values_names {
    void *user;
    bool (*ref)(void *user, uintptr_t ref, struct text *out);
    bool (*timer)(void *user, uint64_t timer, struct text *out);
    size_t (*read)(void *user, uintptr_t at, char *out, size_t most);
    // The text is the same in every process: no addresses, timers or futures,
    // but what pointers lead to, as far as it can be read.
    bool plain;
    // The text is one that values_parse() reads: all elements and characters,
    // one member of a union, what pointers lead to.
    bool exact;
};

// For values_names.read: memory of this process as it is now.
size_t values_read_here(void *user, uintptr_t at, char *out, size_t most);

// The text has one element for what a pointer leads to.  The program may take
// it for the first of several, so the block that values_parse() makes for it
// has at least VALUES_BLOCK bytes, which are zero behind the element.
enum { VALUES_BLOCK = 256 };

// How to read what stands for actors and for memory.  Any but user may be NULL:
// then nothing stands for it.
struct values_makers {
    void *user;
    bool (*ref)(void *user, const char *name, uintptr_t *out);
    void *(*block)(void *user, size_t size); // zeroed; NULL: not to be had
};

struct values *values_new(const struct program *p);
void values_free(struct values *v);

// Is there debug information at all?
bool values_known(const struct values *v);

// Add "{.amount = 50}" for a struct of this name at p; bytes in hexadecimal if
// the type is unknown; nothing for a signal.  names may be NULL.
void values_print(struct values *v, const char *type, const void *p,
                  size_t size, const struct values_names *names,
                  struct text *out);
// The inverse: fill the struct of this name from text that values_print() made
// with `exact`.  Fields not named are zero.  False, with what is wrong and
// where in *why (NULL: never mind), if it does not fit the type.
bool values_parse(struct values *v, const char *type, const char *text, void *p,
                  size_t size, const struct values_makers *makers,
                  struct text *why);
// Add "balance 100 -> 150, open true -> false"; nothing if no field differs.
// names_before is for the values before.  Returns how many differ.
uint32_t values_diff(struct values *v, const char *type, const void *before,
                     const void *after, size_t size,
                     const struct values_names *names_before,
                     const struct values_names *names, struct text *out);

struct shape;
// The same for a shape of values_shapes(), at p; bits is not 0 for a bit-field,
// `bit` bits behind p.
void values_print_shape(struct values *v, const struct shape *s, const void *p,
                        uint32_t bit, uint32_t bits,
                        const struct values_names *names, struct text *out);
struct shapes *values_shapes(const struct values *v);
const struct program *values_program(const struct values *v);

struct values_field {
    const char *type; // as written: "double", "server_ref", "char[16]"
    const char *name; // "" if anonymous
    uint32_t offset;  // in bytes
    uint32_t bits;    // width of a bit-field, else 0
};

// The i-th field of a struct, false if it has no more or is unknown.  A signal
// has none.
bool values_field(struct values *v, const char *type, size_t size, uint32_t i,
                  struct values_field *out);
// The field that holds byte `offset`: "by", "pos.x", "out[3]"; false if it is
// unknown or padding.
bool values_field_at(struct values *v, const char *type, size_t size,
                     size_t offset, struct text *out);
// Which bytes of the struct are not padding: size bytes, 0xff where a field
// lies and 0 in padding; partial for bytes shared by bit-fields.  NULL if the
// type is unknown or its size is not `size`.  The values'.
const unsigned char *values_mask(struct values *v, const char *type,
                                 size_t size);
// Which bytes of the struct may never be set though the value is: those of
// unions and of arrays of bytes.  out has size entries; all are true if the
// type is unknown.
void values_loose(struct values *v, const char *type, size_t size, bool *out);
// Offsets of all numbers in the struct that are of this type, "tr_time" or
// "tr_timer", those in nested structs and arrays too, but not in unions: *n of
// them.  The values'.
const uint32_t *values_of_type(struct values *v, const char *type, size_t size,
                               const char *alias, uint32_t *n);

#endif

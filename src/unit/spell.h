// Debug types as C source.
//
// A test declares what a function needs, so it must name types as the source
// does: typedefs by their names, const kept.  A struct without any name is
// reached by __typeof__ through a member or a variable that has it.
#ifndef UNIT_SPELL_H
#define UNIT_SPELL_H

#include <stdbool.h>
#include <stdint.h>

struct ir;
struct text;

// Add a declaration: "const char *names[3]" of a name and its type.  An empty
// name gives a type name.  False if the type cannot be named in a test.
bool spell(const struct ir *ir, uint32_t type, const char *name,
           struct text *to);
// The same, without qualifiers at the top: a local that is written to.
bool spell_plain(const struct ir *ir, uint32_t type, const char *name,
                 struct text *to);
// An array of `count` elements of a type.
bool spell_array(const struct ir *ir, uint32_t element, uint64_t count,
                 const char *name, struct text *to);
// A type without typedefs and qualifiers at the top; IR_NOTHING: void.
const struct ir_dtype *spell_bare(const struct ir *ir, uint32_t type);
// Is it the type behind FILE?
bool spell_is_file(const struct ir *ir, uint32_t type);
// What bytes of no type are written as: the program need not use char.
uint32_t spell_byte_type(const struct ir *ir);

#endif

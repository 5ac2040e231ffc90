// Values as C source.
#ifndef UNIT_LITERAL_H
#define UNIT_LITERAL_H

#include "ir/eval.h"

struct text;

// A number of this debug type: "-1", "'a'", "GREEN", "4294967295u", "0x1.8p-3".
// `bits` is its width, that of the type unless it is a bit-field.
void literal(const struct ir *ir, uint32_t type, uint32_t bits,
             union ir_bits value, struct text *to);
// Bytes as a string literal.
void literal_text(const uint8_t *bytes, uint64_t n, struct text *to);
// Are these bytes a text that can be printed, then zeros to the end, at least
// one?
bool literal_is_text(const uint8_t *bytes, uint64_t n, uint64_t *length);
// How far a character is from plain: letters are nearest, then other characters
// that can be printed, then the rest.
unsigned literal_char_weight(uint8_t c);
// Is it a type of characters: char, with or without qualifiers?
bool literal_is_char(const struct ir *ir, uint32_t type);

#endif

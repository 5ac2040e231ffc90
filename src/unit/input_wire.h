// Inputs on the way from one process to another.
#ifndef UNIT_INPUT_WIRE_H
#define UNIT_INPUT_WIRE_H

#include "base/wire.h"
#include "unit/input.h"

void input_send(const struct input *in, struct text *to);
// What is damaged makes the reader bad.  Lives in a, but for the arrays.
void input_receive(struct wire_reader *r, struct arena *a, struct input *out);

#endif

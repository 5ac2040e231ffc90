// How the process of the engine tells its result.
#ifndef UNIT_ENGINE_WIRE_H
#define UNIT_ENGINE_WIRE_H

#include "base/wire.h"
#include "unit/engine.h"

void engine_send(const struct engine_result *r, uint32_t n_sides, int fd);
// out->taken has room for the sides; a message cut short makes the reader bad.
void engine_receive(struct wire_reader *r, struct arena *a, uint32_t n_sides,
                    struct engine_result *out);

#endif

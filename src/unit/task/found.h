// What a search found, between processes.
#ifndef UNIT_TASK_FOUND_H
#define UNIT_TASK_FOUND_H

#include "base/wire.h"
#include "unit/task/task.h"

void found_send(struct task_found *f, uint32_t sides, int fd);
void found_take(struct wire_reader *r, struct arena *a, uint32_t sides,
                struct task_found *f);

#endif

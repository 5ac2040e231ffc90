// Values beside a line of the program's source.
#ifndef REPORT_SOURCE_LINES_H
#define REPORT_SOURCE_LINES_H

#include <stdbool.h>

struct text;

// "self->balance = 100, msg->amount = 120" for each field that the line
// mentions and the texts know; "" if none.
void source_values(const char *line, const char *self, const char *msg,
                   struct text *to);

#endif

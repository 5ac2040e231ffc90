// Options and results of a search as bytes, for other processes and for files.
#ifndef EXPLORE_BYTES_H
#define EXPLORE_BYTES_H

#include "explore/explore.h"

struct text;
struct wire_reader;

void explore_options_put(struct text *t, const struct explore_options *o);
void explore_result_put(struct text *t, const struct explore_result *r);

// A number that its field cannot have makes the reader bad.
void explore_options_get(struct wire_reader *in, struct explore_options *o);
void explore_result_get(struct wire_reader *in, struct explore_result *r);

#endif

// Tables and effects as bytes, between the search and the process apart.
#ifndef STAGE_ISOLATE_TABLES_H
#define STAGE_ISOLATE_TABLES_H

#include "stage/native_inner.h"

struct text;
struct wire_reader;
struct mark {
    uint32_t n, free;
};
// How far the tables go.
struct marks {
    uint32_t actors, kinds, classes;
    struct mark states, msgs;
};
struct marks tables_mark(const struct native *n);
void tables_put(struct text *t, struct native *n, const struct marks *since);
void tables_take(struct native *n, struct wire_reader *r);
void effect_put(struct text *t, const struct effect *e);
void effect_take(struct native *n, struct wire_reader *r, struct effect *out);

#endif

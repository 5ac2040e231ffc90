// What handlers print.
#ifndef STAGE_OUTPUT_H
#define STAGE_OUTPUT_H

#include "stage/native_inner.h"

void output_open(struct native *n);
void output_close(struct native *n);
void output_begin(struct native *n); // the program's streams are ours
void output_end(struct native *n);   // and are not any more

#endif

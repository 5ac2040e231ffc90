// What a terminal can show.
#ifndef REPORT_TERMINAL_H
#define REPORT_TERMINAL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct text;

// Columns of the terminal that a file is, by COLUMNS or by what it says; 0 if
// the file is no terminal.
uint32_t terminal_width(FILE *f);
// Cut each line behind this offset to `width` columns; 0: leave all as it is.
void terminal_cut(struct text *t, size_t from, uint32_t width);
// Break each line behind this offset between words so that it fits `width`
// columns; what follows a break is indented.  0: leave all as it is.
void terminal_wrap(struct text *t, size_t from, uint32_t width,
                   uint32_t indent);

// Print words, broken between words if the file is a terminal.
void terminal_print(FILE *f, const char *words);

#endif

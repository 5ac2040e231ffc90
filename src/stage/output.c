// What handlers print belongs to the step, and there is nothing for them to
// read.
//
// While task code runs, the C library's stdout and stderr are streams that
// write to the effect under way, and stdin is one that is at its end.
#include "stage/output.h"

#include "base/die.h"

#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>

enum { BUFFER = 4096, OUTPUT_MOST = 1 << 20 };

struct output {
    FILE *stream[2], *empty;
    FILE *real[2], *in;
    char buffer[2][BUFFER];
};

static ssize_t take(void *cookie, const char *p, size_t size)
{
    struct native *n = cookie;
    if (n->now.output.n < OUTPUT_MOST)
        text_bytes(&n->now.output, p, size);
    return (ssize_t)size;
}

void output_open(struct native *n)
{
    struct output *o = need_zero(sizeof *o);
    cookie_io_functions_t how = {.write = take};
    n->output = o;
    for (int i = 0; i < 2; i++) {
        o->stream[i] = fopencookie(n, "w", how);
        if (!o->stream[i])
            die("no memory for output");
        setvbuf(o->stream[i], o->buffer[i], _IOFBF, BUFFER);
    }
    o->empty = fopencookie(NULL, "r", (cookie_io_functions_t){0});
    if (!o->empty)
        die("no memory for input");
}

void output_close(struct native *n)
{
    for (int i = 0; i < 2; i++)
        fclose(n->output->stream[i]);
    fclose(n->output->empty);
    free(n->output);
}

void output_begin(struct native *n)
{
    struct output *o = n->output;
    o->real[0] = stdout;
    o->real[1] = stderr;
    stdout = o->stream[0];
    stderr = o->stream[1];
    o->in = stdin;
    stdin = o->empty;
}

void output_end(struct native *n)
{
    struct output *o = n->output;
    for (int i = 0; i < 2; i++)
        if (__fpending(o->stream[i]))
            fflush(o->stream[i]);
    stdout = o->real[0];
    stderr = o->real[1];
    stdin = o->in;
}

// What a request to the stage costs: a miss (load, run, save, hash, intern,
// effect) and a hit in the memo, on a small program of its own.
//
// usage: miss [runs [apart|add|tell|fill]]     prints: what, nanoseconds each
//
// With `apart` handlers run in a process of their own, and the time is that of
// the clock instead of the processor's: both processes count.  With the name of
// a message only misses of that message are made, for those who count.
#include "base/arena.h"
#include "base/diag.h"
#include "program/build.h"
#include "stage/native.h"
#include "play/play.h"
#include "program/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char source[] =
    "#include \"troupe_short.h\"\n"
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "struct add { int n; }; TR_MESSAGE(add);\n"
    "struct tell { int n; }; TR_MESSAGE(tell);\n"
    "TR_SIGNAL(fill);\n"
    "TR_PROTOCOL(sink, tell);\n"
    "struct sink { int sum; };\n"
    "TR_BEHAVIOUR(sink, open, TR_IGNORE(tell));\n"
    "TR_CLASS(sink, .start = &sink_open);\n"
    "TR_PROTOCOL(cell, add, tell, fill);\n"
    "struct cell { long sum; sink_ref to; char *block; };\n"
    "TR_HANDLER(cell, add) { self->sum += msg->n; }\n"
    "TR_HANDLER(cell, tell) {\n"
    "    self->sum += msg->n;\n"
    "    send(self->to, tell, .n = 7);\n"
    "}\n"
    "TR_HANDLER(cell, fill) {\n"
    "    free(self->block);\n"
    "    self->block = malloc(100);\n"
    "    memset(self->block, (int)++self->sum, 100);\n"
    "}\n"
    "TR_BEHAVIOUR(cell, open, TR_ON(add, cell_add), TR_ON(tell, cell_tell),\n"
    "             TR_ON(fill, cell_fill));\n"
    "TR_CLASS(cell, .start = &cell_open);\n"
    "TR_TEST(start) {\n"
    "    cell_ref c = spawn(cell, .to = spawn(sink));\n"
    "    send(c, add, .n = 1);\n"
    "    send(c, tell, .n = 1);\n"
    "    send(c, fill);\n"
    "}\n";

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct program *load(const char *dir)
{
    struct arena arena = {0};
    struct diag d = {0};
    struct built b;
    char file[64];
    const char *input = file;
    snprintf(file, sizeof file, "%s/cell.c", dir);
    FILE *f = fopen(file, "w");
    if (!f || fputs(source, f) < 0 || fclose(f))
        exit(3);
    struct build_options o = {.inputs = &input, .n_inputs = 1, .cache = dir};
    struct program *p =
        build_program(&arena, &o, &b, &d) ? program_load(b.path, &d) : NULL;
    if (!p)
        exit(diag_print(&d, stderr));
    return p;
}

static void measure(struct play *p, clockid_t clock, const char *what,
                    uint32_t from, uint32_t msg, uint32_t n, const char *only)
{
    if (only && strncmp(only, what, strlen(only)) != 0)
        return;
    for (int round = 0; round < (only ? 1 : 2); round++) {
        uint32_t state = from;
        double t = now(clock);
        for (uint32_t i = 0; i < n; i++)
            state = play_run(p, state, msg, PLAY_ENV, NULL, 0)->state;
        printf("%-28s %8.0f ns %s\n", what, (now(clock) - t) * 1e9 / n,
               round ? "hit" : "miss");
    }
}

int main(int argc, char **argv)
{
    char dir[] = "/tmp/troupe-bench-XXXXXX", command[64];
    uint32_t n = argc > 1 ? (uint32_t)atoi(argv[1]) : 200000;
    struct diag d = {0};
    if (!mkdtemp(dir))
        return 3;
    struct program *program = load(dir);
    bool apart = argc > 2 && !strcmp(argv[2], "apart");
    const char *only = argc > 2 && !apart ? argv[2] : NULL;
    clockid_t clock = apart ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID;
    struct native_options o = {.test = "start", .isolated = apart};
    struct native *native = native_open(program, &o, &d);
    if (!native)
        return diag_print(&d, stderr);
    struct play *p = play_new(native_ops(native), native, 0);
    const struct effect *e = play_body(p, PLAY_NONE, NULL, 0, NULL, 0, NULL, 0);
    uint32_t cell = e->births[1].state;
    measure(p, clock, "add: 24 bytes of state", cell, e->sends[0].msg, n, only);
    measure(p, clock, "tell: and a send", cell, e->sends[1].msg, n, only);
    measure(p, clock, "fill: and free, malloc(100)", cell, e->sends[2].msg, n,
            only);
    printf("%lu bytes for %lu runs\n", (unsigned long)play_bytes(p),
           (unsigned long)play_counts(p)->runs);
    play_free(p);
    native_close(native);
    program_free(program);
    snprintf(command, sizeof command, "rm -rf '%s'", dir);
    return system(command) != 0;
}

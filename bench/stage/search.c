// A whole search in one process, to be counted: no workers, no files.
//
// usage: search PROGRAM.c TEST PARAMS STRATEGY DELIVERY SCHEDULES CACHE
//
// SCHEDULES 0: all of them.  Prints what was done.
#include "base/arena.h"
#include "base/diag.h"
#include "explore/explore.h"
#include "play/play.h"
#include "program/build.h"
#include "program/program.h"
#include "stage/native.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    struct arena arena = {0};
    struct diag d = {0};
    struct built built;
    if (argc != 8)
        return 2;
    const char *input = argv[1];
    struct build_options how = {
        .inputs = &input, .n_inputs = 1, .cache = argv[7]};
    struct program *program = build_program(&arena, &how, &built, &d)
                                  ? program_load(built.path, &d)
                                  : NULL;
    struct native_options what = {.test = argv[2], .params = argv[3]};
    struct native *native = program ? native_open(program, &what, &d) : NULL;
    if (!native)
        return diag_print(&d, stderr);
    struct play *play = play_new(native_ops(native), native, 0);
    struct explore_options o = {.strategy = strategy_of(argv[4]),
                                .delivery = delivery_of(argv[5]),
                                .schedules = strtoul(argv[6], NULL, 10),
                                .keep_going = true};
    struct explore_result r;
    explore(play, &o, &(struct explore_sink){0}, &r);
    printf("%lu schedules, %lu handler runs\n", (unsigned long)r.executions,
           (unsigned long)play_counts(play)->runs);
    fflush(stdout);
    _Exit(0); // nothing of the end is to be counted
}

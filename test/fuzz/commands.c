// Fuzzing the reader of compile_commands.json: it ends, with an error or with
// flags for the source.
#include "base/arena.h"
#include "base/command.h"
#include "base/diag.h"
#include "ir/commands.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a = {0};
    struct diag d = {0};
    struct args flags = {0};
    const char *folder = NULL;
    FILE *f = fopen("commands.json", "w");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f) != 0)
        abort();
    if (commands_find(&a, "commands.json", "a.c", &flags, &folder, &d) !=
        !d.status)
        abort();
    vec_free(&flags);
    diag_free(&d);
    arena_free(&a);
    return 0;
}

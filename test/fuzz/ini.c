// Fuzzing the reader of troupe.ini: it ends, with an error or without.
#include "base/arena.h"
#include "base/diag.h"
#include "cli/shell/config.h"
#include "cli/shell/options.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a = {0};
    struct config c = {0};
    struct diag d = {0};
    struct options *o = options_new("explore", true);
    FILE *f = fopen("troupe.ini", "w");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f) != 0)
        abort();
    if (config_read(&c, &a, o, "explore", &d))
        config_apply_test(&c, o, "t", &d);
    config_free(&c);
    options_free(o);
    diag_free(&d);
    arena_free(&a);
    return 0;
}

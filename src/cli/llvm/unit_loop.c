#include "cli/llvm/unit_loop.h"

#include "base/diag.h"
#include "base/number.h"
#include "cli/session.h"

#include <string.h>

static bool bound(const char *s, uint32_t *out)
{
    uint64_t v;
    if (!*s || !number_parse(s, &v) || v > UNIT_LOOP_MOST)
        return false;
    *out = (uint32_t)v;
    return true;
}

bool unit_loop(struct session *s, uint32_t *from, uint32_t *to)
{
    char *text = arena_text(&s->arena, option_text(s->options, OPT_loop));
    char *dots = strstr(text, "..");
    if (dots)
        *dots = '\0';
    if (bound(text, from) && bound(dots ? dots + 2 : text, to) && *from <= *to)
        return true;
    return diag_set(&s->diag, EXIT_USAGE,
                    "--loop takes a number of turns up to %d, or two as in "
                    "1..3, not '%s'",
                    UNIT_LOOP_MOST, option_text(s->options, OPT_loop));
}

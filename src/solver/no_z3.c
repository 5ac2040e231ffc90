// In place of Z3 in a build without it: every question stays open.
#include "solver/backend.h"

#include "base/die.h"

#include <stdlib.h>
#include <string.h>

struct backend {
    struct terms *ts;
};

struct backend *backend_new(struct terms *ts)
{
    struct backend *b = need_zero(sizeof *b);
    b->ts = ts;
    return b;
}

void backend_free(struct backend *b)
{
    free(b);
}

bool backend_exists(void)
{
    return false;
}

const char *backend_version(void)
{
    return "";
}

void backend_ask(struct backend *b, const struct backend_query *q,
                 struct backend_result *r)
{
    (void)b;
    (void)q;
    r->answer = SOLVER_UNKNOWN;
    r->reason = "this build has no Z3";
}

bool backend_core(struct backend *b, const struct backend_query *q,
                  const uint32_t *groups, uint32_t n_groups, bool *in)
{
    (void)b;
    (void)q;
    (void)groups;
    memset(in, 0, n_groups * sizeof *in);
    return false;
}

void backend_script(struct backend *b, const struct backend_query *q,
                    struct text *out)
{
    (void)b;
    (void)q;
    (void)out;
}

// Names of the kinds of bug.
#include "play/play.h"

#include <string.h>

static const struct {
    const char *id, *text;
} kinds[BUG_KINDS_N] = {
#define BUG_KIND_(name, id, text) [BUG_##name] = {id, text},
    BUG_KINDS(BUG_KIND_)
#undef BUG_KIND_
};

const char *bug_kind_id(enum bug_kind k)
{
    return kinds[k].id;
}

const char *bug_kind_text(enum bug_kind k)
{
    return kinds[k].text;
}

bool bug_kind_warns(enum bug_kind k)
{
    return k == BUG_STOPPED || k == BUG_NOBODY || k == BUG_LEAK;
}

enum bug_kind bug_kind_of(const char *id)
{
    for (int k = 0; k < BUG_KINDS_N; k++)
        if (!strcmp(kinds[k].id, id))
            return (enum bug_kind)k;
    return BUG_NONE;
}

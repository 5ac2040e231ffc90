#include "cli/resume.h"

#include "base/wire.h"
#include "crew/kept.h"
#include "report/store.h"

#include <stdio.h>

void unfinished_keep(struct store *s, const char *key,
                     const struct unfinished *u)
{
    struct text t = {0};
    store_keep_begin(s, key, &t);
    crew_kept_put(&t, &u->figures, &u->rest);
    wire_put_string(&t, u->found);
    store_keep(s, key, &t);
    text_free(&t);
}

static bool take(struct wire_reader *in, struct arena *a,
                 struct unfinished *out)
{
    bool good = crew_kept_get(in, a, &out->figures, &out->rest);
    out->found = wire_get_string(in);
    return good && out->found && wire_done(in);
}

void unfinished_recall(struct store *s, struct arena *a, const char *key,
                       const char *test, struct unfinished *out)
{
    static const char *const whys[] = {
        [STORE_NONE] = "nothing is kept of this search",
        [STORE_FOREIGN] = "another build of troupe wrote what is kept",
        [STORE_DAMAGED] = "what is kept is damaged",
    };
    struct wire_reader in;
    enum store_state state = store_recall(s, a, key, &in);
    *out = (struct unfinished){0};
    if (state == STORE_HERE && !take(&in, a, out))
        state = STORE_DAMAGED;
    out->here = state == STORE_HERE;
    if (!out->here)
        fprintf(stderr,
                "troupe: %s: --resume: %s; the search starts from the "
                "beginning\n",
                test, whys[state]);
}

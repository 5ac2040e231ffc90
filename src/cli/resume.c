#include "cli/resume.h"

#include "base/arena.h"
#include "base/wire.h"
#include "crew/kept.h"
#include "report/store.h"

#include <stdio.h>

struct recalled {
    struct arena *arena;
    struct unfinished *out;
};

size_t unfinished_keep(struct store *s, const char *key,
                       const struct unfinished *u)
{
    struct text t = {0};
    store_keep_begin(s, key, &t);
    crew_kept_put(&t, &u->figures, &u->rest);
    wire_put_string(&t, u->found);
    store_keep(s, key, &t);
    size_t size = t.n;
    text_free(&t);
    return size;
}

size_t unfinished_change(struct store *s, const char *key,
                         const struct crew_figures *f,
                         const struct crew_change *change, const char *found)
{
    struct text t = {0};
    store_keep_begin(s, key, &t);
    crew_change_put(&t, f, change);
    wire_put_string(&t, found);
    store_keep_change(s, key, &t);
    size_t size = t.n;
    text_free(&t);
    return size;
}

// A change that is damaged ends what can be believed.
static bool take_change(void *self, struct wire_reader *in)
{
    struct recalled *r = self;
    struct unfinished *u = r->out;
    if (!crew_change_apply(in, r->arena, &u->figures, &u->rest))
        return false;
    const char *found = wire_get_string(in);
    if (found && *found)
        u->found = arena_format(r->arena, "%s%s", u->found, found);
    return found && wire_done(in);
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
    if (state == STORE_HERE)
        store_each_change(s, a, key, take_change, &(struct recalled){a, out});
    out->here = state == STORE_HERE;
    if (!out->here)
        fprintf(stderr,
                "troupe: %s: --resume: %s; the search starts from the "
                "beginning\n",
                test, whys[state]);
}

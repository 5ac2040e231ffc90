#include "program/behaviours.h"

#include "program/program.h"

#include <string.h>

static void add(struct behaviours *to, const tr_behaviour *b)
{
    for (uint32_t i = 0; i < to->list.n; i++)
        if (to->list.at[i] == b)
            return;
    vec_push(&to->list, b);
}

struct looking {
    struct behaviours *to;
    const tr_class *cls;
};

static void maybe(void *user, const char *name, uintptr_t at, size_t size)
{
    const struct looking *look = user;
    size_t n = strlen(look->cls->name);
    if (size != sizeof(tr_behaviour) ||
        strncmp(name, look->cls->name, n) != 0 || name[n] != '_')
        return;
    const tr_behaviour *b = (const tr_behaviour *)at;
    if (b->name && (b->on || !b->n) && strcmp(b->name, name + n + 1) == 0)
        add(look->to, b);
}

void program_behaviours(const struct program *p, const tr_class *cls,
                        struct behaviours *out)
{
    struct looking look = {out, cls};
    if (cls->start)
        add(out, cls->start);
    program_each_object(p, maybe, &look);
}

const char *program_policy(const tr_handler *row)
{
    static const char *const policies[] = {
        [TR_RUN] = "on", [TR_PUT_OFF] = "defer", [TR_DROP] = "ignore"};
    return policies[row->policy];
}

#include "program/declared.h"

#include "base/diag.h"

#include <string.h>

static bool check_class(const tr_class *c, struct diag *d)
{
    if (c->start)
        return true;
    diag_set(d, EXIT_USAGE,
             "class %s does not say in which behaviour it starts", c->name);
    diag_hint(d, "TR_CLASS(%s, .start = &%s_BEHAVIOUR);", c->name, c->name);
    return false;
}

static bool check_hook(const tr_hook *h, struct diag *d)
{
    const char *class = h->cls->name;
    const char *word = h->fini ? "fini" : "init";
    if ((h->fini ? h->cls->fini : h->cls->init) == h->fn)
        return true;
    diag_at(d, EXIT_USAGE, h->file, h->line,
            "TR_%s(%s) is never run: the class does not name it",
            h->fini ? "FINI" : "INIT", class);
    diag_hint(d, "TR_CLASS(%s, ..., .%s = %s_%s_);", class, word, class, word);
    return false;
}

bool declared_check(const tr_class *const *classes, uint32_t n_classes,
                    const tr_hook *const *hooks, uint32_t n_hooks,
                    struct diag *d)
{
    for (uint32_t i = 0; i < n_classes; i++)
        if (!check_class(classes[i], d))
            return false;
    for (uint32_t i = 0; i < n_hooks; i++)
        if (!check_hook(hooks[i], d))
            return false;
    return true;
}

bool declared_names(const tr_test *const *tests, uint32_t n, struct diag *d)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(tests[i]->name, tests[k]->name) == 0)
                return diag_at(d, EXIT_USAGE, tests[i]->file, tests[i]->line,
                               "two tests are named %s, the other one at %s:%d",
                               tests[i]->name, tests[k]->file, tests[k]->line);
    return true;
}

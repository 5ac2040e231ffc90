#include "unit/names.h"

#include "base/hash.h"
#include "base/map.h"
#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DECISIONS_MOST = 8 };

// Does the case take all sides of this condition?
static bool takes_both(const struct sides *s, const struct unit_case *c,
                       uint32_t i)
{
    for (uint32_t k = 0; k < s->at.n; k++)
        if (s->at.at[k].inst == s->at.at[i].inst && k != i && c->sides[k])
            return true;
    return false;
}

// What is new first, if not all can be told; then in the order of the source.
static void tell_decisions(const struct sides *s,
                           const struct side_result *before,
                           struct unit_case *c)
{
    bool *told = calloc(s->at.n + 1ul, sizeof *told);
    uint32_t n = 0;
    for (int new = 1; new >= 0 && told; new --)
        for (uint32_t i = 0; i < s->at.n && n < DECISIONS_MOST; i++) {
            bool is_new = before[i].state != SIDE_COVERED;
            if (!c->sides[i] || is_new != (new == 1) ||
                (!is_new && takes_both(s, c, i)))
                continue;
            told[i] = true;
            n++;
        }
    for (uint32_t i = 0; i < s->at.n && told; i++) {
        const struct side *d = &s->at.at[i];
        if (told[i])
            vec_push(&c->call.decisions,
                     ((struct call_decision){d->line, d->which,
                                             *d->text ? d->text : "?"}));
    }
    free(told);
    for (uint32_t i = 1; i < c->call.decisions.n; i++)
        for (uint32_t k = i; k && c->call.decisions.at[k - 1].line >
                                      c->call.decisions.at[k].line;
             k--) {
            struct call_decision d = c->call.decisions.at[k];
            c->call.decisions.at[k] = c->call.decisions.at[k - 1];
            c->call.decisions.at[k - 1] = d;
        }
}

static const char *name_of_trap(struct arena *a, const struct unit_case *c)
{
    if (c->null_parameter != IR_NOTHING)
        return arena_format(a, "%s_is_null",
                            c->in.objects.at[c->null_parameter].name);
    return arena_format(a, "%s_at_line_%u", c->call.trap.kind,
                        c->call.trap.line);
}

void names_of(struct arena *a, const struct sides *sides,
              const struct side_result *before, struct unit_case *c)
{
    struct text t = {0};
    uint32_t last = IR_NOTHING;
    for (uint32_t i = 0; i < sides->at.n; i++)
        if (c->sides[i] && before[i].state != SIDE_COVERED)
            if (last == IR_NOTHING ||
                sides->at.at[i].line >= sides->at.at[last].line)
                last = i;
    tell_decisions(sides, before, c);
    if (c->ends) {
        c->call.name = name_of_trap(a, c);
        return;
    }
    if (last != IR_NOTHING)
        side_name(&sides->at.at[last], &t);
    c->call.name = arena_text(a, t.n ? text_get(&t) : "returns");
    text_free(&t);
}

// By name: the number that the next one of it gets.
static uint32_t *next_of(struct map *names, const char *name)
{
    return map_at(names, hash_bytes(name, strlen(name)));
}

void names_unique(struct arena *a, struct unit_case *cases, uint32_t n)
{
    struct map used = {0};
    for (uint32_t i = 0; i < n; i++) {
        const char *first = cases[i].call.name, *name = first;
        uint32_t k = *next_of(&used, first);
        for (k = k == MAP_NONE ? 1 : k; *next_of(&used, name) != MAP_NONE;)
            name = arena_format(a, "%s_%u", first, ++k);
        *next_of(&used, first) = k;
        *next_of(&used, name) = name == first ? k : 1;
        cases[i].call.name = name;
    }
    map_free(&used);
}

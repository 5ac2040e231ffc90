// Of the cases that were confirmed, the simplest ones that add a side or a
// trap.
#include "unit/searching.h"

#include "unit/names.h"

#include <stdlib.h>
#include <string.h>

enum { SPARE_MOST = 200 };
enum { LISTED_MOST = 500 }; // tests of a list

static int by_simplicity(const void *x, const void *y)
{
    const struct unit_case *a = x, *b = y;
    if (a->ends != b->ends)
        return a->ends ? 1 : -1;
    if (!a->in.fails != !b->in.fails)
        return a->in.fails ? 1 : -1;
    if (a->in.earlier != b->in.earlier)
        return a->in.earlier < b->in.earlier ? -1 : 1;
    if (a->untyped != b->untyped)
        return a->untyped ? 1 : -1;
    if (a->loose != b->loose)
        return a->loose ? 1 : -1;
    if (a->steps != b->steps)
        return a->steps < b->steps ? -1 : 1;
    if (a->telling != b->telling)
        return a->telling ? -1 : 1;
    return a->weight < b->weight ? -1 : a->weight > b->weight;
}

bool unit_same_trap(const struct unit_case *a, const struct unit_case *b)
{
    const struct call_trap *s = &a->call.trap, *t = &b->call.trap;
    return a->null_parameter == b->null_parameter && s->line == t->line &&
           strcmp(s->kind, t->kind) == 0 && strcmp(s->file, t->file) == 0 &&
           strcmp(s->text, t->text) == 0;
}

static bool is_known_trap(const struct unit_result *r,
                          const struct unit_case *c)
{
    for (uint32_t i = 0; i < r->cases.n; i++)
        if (r->cases.at[i].ends && unit_same_trap(&r->cases.at[i], c))
            return true;
    return false;
}

static bool adds(struct search *w, const struct unit_case *c)
{
    struct unit_result *r = w->out;
    bool new = false;
    if (case_counts(c))
        for (uint32_t i = 0; i < r->sides.at.n; i++)
            new |= c->sides[i] && r->of[i].state != SIDE_COVERED;
    if (!r->sides.at.n && !c->ends && !r->cases.n)
        new = true;
    if (c->ends && !is_known_trap(r, c) && !w->o->no_traps)
        new = true;
    return new || search_guided(w->o) ||
           (w->o->all && r->cases.n < LISTED_MOST);
}

static uint32_t count_new(const struct search *w, const struct unit_case *c,
                          const uint8_t *seen)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < w->out->sides.at.n; k++)
        n += c->sides[k] && !seen[k] && case_counts(c);
    return n;
}

// Greedy order: next is always the case that adds the most sides.
static void sort_for_fewest(struct search *w)
{
    uint8_t *seen = arena_zero(w->a, w->out->sides.at.n + 1ul);
    for (uint32_t i = 0; i < w->found.n; i++) {
        uint32_t best = i;
        for (uint32_t k = i + 1; k < w->found.n; k++)
            if (count_new(w, &w->found.at[k], seen) >
                count_new(w, &w->found.at[best], seen))
                best = k;
        struct unit_case c = w->found.at[best];
        w->found.at[best] = w->found.at[i];
        w->found.at[i] = c;
        for (uint32_t k = 0; k < w->out->sides.at.n; k++)
            seen[k] |= c.sides[k] && case_counts(&c);
    }
}

static bool passes(const struct search *w, const struct unit_case *c,
                   const char *function)
{
    for (uint32_t i = 0; i < c->in.objects.n; i++) {
        const struct input_object *o = &c->in.objects.at[i];
        for (uint32_t k = 0; k < o->links.n; k++)
            if (o->links.at[k].fn != IR_NOTHING &&
                strcmp(w->ir->fns.at[o->links.at[k].fn]->name, function) == 0)
                return true;
    }
    return false;
}

static void drop_stub(struct call_case *c, const char *name)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->stubs.n; i++)
        if (strcmp(c->stubs.at[i].name, name) != 0)
            c->stubs.at[kept++] = c->stubs.at[i];
    c->stubs.n = kept;
}

// A callback that no case passes is not defined.  A spare case may bring its
// own along.
static void drop_callbacks(struct search *w)
{
    struct unit_result *r = w->out;
    for (uint32_t i = 0; i < w->s->callbacks.n; i++) {
        const char *name = w->s->callbacks.at[i].name;
        bool used = false;
        for (uint32_t k = 0; k < r->cases.n && !used; k++)
            used = passes(w, &r->cases.at[k], name);
        for (uint32_t k = 0; k < r->cases.n && !used; k++)
            drop_stub(&r->cases.at[k].call, name);
        for (uint32_t k = 0; k < r->spare.n && !used; k++)
            if (!passes(w, &r->spare.at[k], name))
                drop_stub(&r->spare.at[k].call, name);
    }
}

void search_choose(struct search *w)
{
    struct unit_result *r = w->out;
    if (w->found.n)
        qsort(w->found.at, w->found.n, sizeof *w->found.at, by_simplicity);
    if (w->o->fewest)
        sort_for_fewest(w);
    for (uint32_t i = 0; i < w->found.n; i++) {
        struct unit_case *c = &w->found.at[i];
        if (!adds(w, c) && r->spare.n < SPARE_MOST) {
            vec_push(&r->spare, *c);
            continue;
        }
        if (!adds(w, c)) {
            call_release(&c->call);
            input_release(&c->in);
            continue;
        }
        names_of(w->a, &r->sides, r->of, c);
        c->counts = case_counts(c);
        for (uint32_t k = 0; k < r->sides.at.n && c->counts; k++)
            if (c->sides[k])
                r->of[k].state = SIDE_COVERED;
        vec_push(&r->cases, *c);
    }
    if (w->o->all && r->cases.n < w->found.n)
        search_note(w, arena_format(w->a,
                                    "%u of %u cases are written: the simplest "
                                    "and those that add a side or a trap.",
                                    r->cases.n, w->found.n));
    r->with_traps = !w->o->no_traps;
    drop_callbacks(w);
    names_unique(w->a, r->cases.at, r->cases.n);
}

// ---- once more
// ------------------------------------------------------------------

// Put it among the cases, before those that end.
static void insert(struct unit_result *r, struct arena *a, struct unit_case c)
{
    uint32_t at = r->cases.n;
    names_of(a, &r->sides, r->of, &c);
    c.counts = case_counts(&c);
    vec_push(&r->cases, c);
    for (; !c.ends && at && r->cases.at[at - 1].ends; at--)
        r->cases.at[at] = r->cases.at[at - 1];
    r->cases.at[at] = c;
    for (uint32_t k = 0; k < r->sides.at.n && c.counts; k++)
        if (c.sides[k])
            r->of[k].state = SIDE_COVERED;
}

static void take_spare(struct unit_result *r, struct arena *a, uint32_t i)
{
    insert(r, a, r->spare.at[i]);
    for (r->spare.n--; i < r->spare.n; i++)
        r->spare.at[i] = r->spare.at[i + 1];
}

static bool cover_again(struct unit_result *r, struct arena *a, uint32_t side)
{
    for (uint32_t i = 0; i < r->spare.n; i++)
        if (r->spare.at[i].sides[side] && case_counts(&r->spare.at[i])) {
            take_spare(r, a, i);
            return true;
        }
    return false;
}

bool unit_recount(struct unit_result *r, struct arena *a)
{
    bool all = true;
    for (uint32_t i = 0; i < r->sides.at.n; i++) {
        bool was = r->of[i].state == SIDE_COVERED, is = false;
        for (uint32_t k = 0; k < r->cases.n; k++)
            is |= r->cases.at[k].sides[i] && r->cases.at[k].counts;
        if (was && !is) {
            r->of[i].state = SIDE_OPEN;
            r->of[i].why = r->outside
                               ? r->outside
                               : "its test does not pass with every compiler";
        }
    }
    for (uint32_t i = 0; i < r->sides.at.n; i++)
        if (r->of[i].state == SIDE_OPEN && !cover_again(r, a, i))
            all = false;
    for (uint32_t i = 0; i < r->spare.n; i++)
        if (r->spare.at[i].ends && r->with_traps &&
            !is_known_trap(r, &r->spare.at[i]))
            take_spare(r, a, i--);
    names_unique(a, r->cases.at, r->cases.n);
    return all;
}

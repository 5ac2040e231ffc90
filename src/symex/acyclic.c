// unit_acyclic(a): following pointers from a never comes back.
//
// Every object below a has a rank, a number that grows along pointers.  Equal
// references have the same rank.  So if another input leads into the structure,
// the objects behind that input are ranked, too.
#include "symex/engine.h"

enum { RANK_BITS = 12 };

static term rank_var(struct sx_run *r, uint32_t ref)
{
    uint32_t *at = map_at(&r->ranks, ref);
    if (*at == MAP_NONE)
        *at = term_var(
            r->ts, arena_format(&r->arena, "rank(%s)", r->refs.at[ref].name),
            RANK_BITS, TERM_INT);
    return *at;
}

// Make the condition hold.  If it cannot, the state is dead, and step() drops
// it.
static void require(struct sx_run *r, struct sx_state *s, term condition)
{
    struct model *m = NULL;
    if (path_decides(r->ts, &s->path, condition) == 1)
        return;
    if (!path_holds(r->ts, &s->path, condition)) {
        if (ask(r, s, condition, &m) != SOLVER_SAT) {
            s->dead = true;
            return;
        }
        path_take_model(&s->path, m);
    }
    path_add(r->ts, &s->path, condition);
}

// The rank of a reference on this path, equal where references are.
static term rank_of(struct sx_run *r, struct sx_state *s, uint32_t ref)
{
    struct terms *ts = r->ts;
    term rank = rank_var(r, ref);
    if (state_meets(s, met_key(MET_ACYCLIC, ref)))
        return rank;
    for (const struct number *p = s->refs; p; p = p->up) {
        uint64_t met;
        if (p->n == ref || r->refs.at[p->n].region != r->refs.at[ref].region ||
            !pmap_get(&s->met, met_key(MET_ACYCLIC, p->n), &met))
            continue;
        term same = term_eq(ts, r->refs.at[ref].var, r->refs.at[p->n].var);
        require(r, s,
                term_or(ts, term_not(ts, same),
                        term_eq(ts, rank, rank_var(r, p->n))));
    }
    return rank;
}

static bool is_below_root(const struct sx_run *r, const struct sx_state *s,
                          uint32_t ref)
{
    for (const struct number *p = s->acyclic; p; p = p->up)
        if (ref_is_below(r, ref, p->n))
            return true;
    return false;
}

// `child` was found behind `parent`: its rank is higher where `when` holds.
static void ranked(struct sx_run *r, struct sx_state *s, uint32_t parent,
                   uint32_t child, term when)
{
    struct terms *ts = r->ts;
    term null =
        term_eq(ts, r->refs.at[child].var, term_const(ts, SX_OBJECT_BITS, 0));
    term grows =
        term_binary(ts, IR_ULT, rank_of(r, s, parent), rank_of(r, s, child));
    require(r, s, term_or(ts, term_not(ts, when), term_or(ts, null, grows)));
}

void acyclic_cell(struct sx_run *r, struct sx_state *s, uint32_t parent,
                  uint32_t child)
{
    if (!s->acyclic)
        return;
    if (is_below_root(r, s, parent)) {
        ranked(r, s, parent, child, term_bool(r->ts, true));
        return;
    }
    for (const struct number *p = s->refs; p; p = p->up)
        if (p->n != child && is_below_root(r, s, p->n) &&
            r->refs.at[p->n].region == r->refs.at[parent].region)
            ranked(
                r, s, parent, child,
                term_eq(r->ts, r->refs.at[parent].var, r->refs.at[p->n].var));
}

void acyclic_from(struct sx_run *r, struct sx_state *s, uint32_t root)
{
    struct number *new = arena_get(&r->arena, sizeof *new);
    *new = (struct number){s->acyclic, root};
    s->acyclic = new;
    for (const struct number *p = s->refs; p; p = p->up) {
        const struct sx_ref *ref = &r->refs.at[p->n];
        if (ref->place.from == SX_CELL)
            acyclic_cell(r, s, ref->place.index, p->n);
    }
}

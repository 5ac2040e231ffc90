// A function that was inlined leaves a concrete entry, which names only what is
// left of it, and an abstract one with everything.  A name that only the
// abstract one has was optimised away: it must hide the same name outside.
#include "program/scope.h"

#include <dwarf.h>
#include <string.h>

#include "program/debug.h"

static bool is_inner(int tag)
{
    return tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine ||
           tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

// The function is in the unit itself or in a namespace or class of it.
static bool find_function(Dwarf_Die *in, uint64_t pc, Dwarf_Die *out)
{
    Dwarf_Die die;
    if (dwarf_child(in, &die) != 0)
        return false;
    do {
        int tag = dwarf_tag(&die);
        if (tag == DW_TAG_subprogram && dwarf_haspc(&die, pc) > 0) {
            *out = die;
            return true;
        }
        bool outer = tag == DW_TAG_namespace || tag == DW_TAG_structure_type ||
                     tag == DW_TAG_class_type;
        if (outer && find_function(&die, pc, out))
            return true;
    } while (dwarf_siblingof(&die, &die) == 0);
    return false;
}

static bool find_inner(Dwarf_Die *in, uint64_t pc, Dwarf_Die *out)
{
    Dwarf_Die die;
    if (dwarf_child(in, &die) != 0)
        return false;
    do
        if (is_inner(dwarf_tag(&die)) && dwarf_haspc(&die, pc) > 0) {
            *out = die;
            return true;
        }
    while (dwarf_siblingof(&die, &die) == 0);
    return false;
}

bool scope_find(struct program_debug *f, uint64_t pc, struct scope *s)
{
    s->n = 0;
    s->pc = pc;
    for (uint32_t i = 0; i < f->units.n && !s->n; i++) {
        const struct debug_unit *u = &f->units.at[i];
        if (pc >= u->low && pc < u->high &&
            dwarf_offdie(f->dwarf, u->die, &s->unit) &&
            find_function(&s->unit, pc, &s->at[0]))
            s->n = 1;
    }
    while (s->n && s->n < SCOPE_MOST &&
           find_inner(&s->at[s->n - 1], pc, &s->at[s->n]))
        s->n++;
    return s->n;
}

bool scope_is_function(const struct scope *s, uint32_t i)
{
    Dwarf_Die die = s->at[i];
    int tag = dwarf_tag(&die);
    return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

// ---- variables ------------------------------------------------------------

static bool child_named(const Dwarf_Die *in, const char *name, Dwarf_Die *out)
{
    Dwarf_Die die, of = *in;
    if (dwarf_child(&of, &die) != 0)
        return false;
    do {
        int tag = dwarf_tag(&die);
        const char *have = dwarf_diename(&die);
        if ((tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) &&
            have && strcmp(have, name) == 0 &&
            !dwarf_hasattr(&die, DW_AT_declaration)) {
            *out = die;
            return true;
        }
    } while (dwarf_siblingof(&die, &die) == 0);
    return false;
}

static bool abstract_of(const Dwarf_Die *die, Dwarf_Die *out)
{
    Dwarf_Attribute a;
    Dwarf_Die d = *die;
    return dwarf_attr(&d, DW_AT_abstract_origin, &a) &&
           dwarf_formref_die(&a, out);
}

bool scope_variable(const struct scope *s, const char *name, Dwarf_Die *out,
                    bool *lost)
{
    *lost = false;
    for (uint32_t i = s->n; i-- > 0;) {
        Dwarf_Die abstract;
        if (child_named(&s->at[i], name, out))
            return true;
        if (abstract_of(&s->at[i], &abstract) &&
            child_named(&abstract, name, out)) {
            *lost = true;
            return false;
        }
        if (scope_is_function(s, i))
            break;
    }
    return child_named(&s->unit, name, out);
}

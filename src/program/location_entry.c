// DW_OP_entry_value: a register as it was when the function was called.
//
// Of the outermost function the stage knows the arguments.  For others the
// caller's debug information may tell what it passed (DWARF 5, section 3.4.1),
// if the call went to that very function.
#include "program/location_inner.h"

#include <dwarf.h>
#include <string.h>

#include "program/frames.h"
#include "program/program.h"

static bool arg_register(uint32_t i, uint64_t r)
{
#if defined __aarch64__
    return i == r;
#else
    static const uint64_t args[FRAME_ARGS] = {5, 4, 1}; // rdi, rsi, rdx
    return args[i] == r;
#endif
}

// The value of an argument of the outermost function, as the stage knows it.
static bool handed_in(const struct location_in *in, uint64_t r, uint64_t *out)
{
    Dwarf_Die function = in->scope.at[0];
    Dwarf_Addr entry;
    if (!in->frames->entry || dwarf_entrypc(&function, &entry) != 0 ||
        entry + in->program->bias != in->frames->entry)
        return false;
    for (uint32_t i = 0; i < FRAME_ARGS; i++)
        if (arg_register(i, r)) {
            *out = in->frames->args[i];
            return true;
        }
    return false;
}

// The entry of the call that the caller's frame is in.
static bool call_site(const struct location_in *caller, Dwarf_Die *out)
{
    for (uint32_t i = caller->scope.n; i-- > 0;) {
        Dwarf_Die in = caller->scope.at[i];
        if (dwarf_child(&in, out) != 0)
            continue;
        do {
            Dwarf_Attribute a;
            Dwarf_Addr back;
            int tag = dwarf_tag(out);
            bool call = tag == DW_TAG_call_site || tag == DW_TAG_GNU_call_site;
            if (call &&
                (dwarf_attr(out, DW_AT_call_return_pc, &a) ||
                 dwarf_attr(out, DW_AT_low_pc, &a)) &&
                dwarf_formaddr(&a, &back) == 0 && back == caller->scope.pc + 1)
                return true;
        } while (dwarf_siblingof(out, out) == 0);
    }
    return false;
}

// Did the call go to the function of this frame?  After a tail call it did not:
// another function was called and has left.
static bool calls(Dwarf_Die *site, const struct location_in *callee)
{
    Dwarf_Attribute a;
    Dwarf_Die to, function = callee->scope.at[0];
    if (!(dwarf_attr(site, DW_AT_call_origin, &a) ||
          dwarf_attr(site, DW_AT_abstract_origin, &a)) ||
        !dwarf_formref_die(&a, &to))
        return false;
    const char *name = dwarf_diename(&to), *have = dwarf_diename(&function);
    return name && have && strcmp(name, have) == 0;
}

bool location_is_register(Dwarf_Op *op, uint64_t *r)
{
    *r = op->atom == DW_OP_regx ? op->number : (uint64_t)op->atom - DW_OP_reg0;
    return op->atom == DW_OP_regx ||
           (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31);
}

static bool passes_in(Dwarf_Die *parameter, uint64_t want)
{
    Dwarf_Attribute a;
    Dwarf_Op *ops;
    size_t n;
    uint64_t r;
    return dwarf_attr(parameter, DW_AT_location, &a) &&
           dwarf_getlocation(&a, &ops, &n) == 0 && n == 1 &&
           location_is_register(&ops[0], &r) && r == want;
}

static bool passed_value(const struct location_in *caller, Dwarf_Die *parameter,
                         uint32_t depth, uint64_t *out)
{
    Dwarf_Attribute a;
    Dwarf_Op *ops;
    size_t n;
    struct location l;
    if (!(dwarf_attr(parameter, DW_AT_call_value, &a) ||
          dwarf_attr(parameter, DW_AT_GNU_call_site_value, &a)) ||
        dwarf_getlocation(&a, &ops, &n) != 0 ||
        !location_evaluate(caller, &a, ops, n, depth, &l) ||
        l.kind != LOCATION_MEMORY)
        return false;
    *out = l.address; // what is left on the stack
    return true;
}

bool location_entry_value(const struct location_in *in, uint64_t r,
                          uint32_t depth, uint64_t *out)
{
    struct location_in caller;
    Dwarf_Die site, die;
    if (in->i + 1 == in->frames->n)
        return handed_in(in, r, out);
    if (depth > LOCATION_DEPTH ||
        !location_open(&caller, in->program, in->frames, in->i + 1) ||
        !call_site(&caller, &site) || !calls(&site, in) ||
        dwarf_child(&site, &die) != 0)
        return false;
    do
        if (passes_in(&die, r))
            return passed_value(&caller, &die, depth + 1, out);
    while (dwarf_siblingof(&die, &die) == 0);
    return false;
}

#include "stage/seal.h"

#include "base/die.h"

#include <sys/mman.h>

enum { OTHERS_MOST = 256 }; // regions that are protected for one run

static void set(unsigned char *at, size_t size, bool open)
{
    if (mprotect(at, size, open ? PROT_READ | PROT_WRITE : PROT_NONE))
        die("cannot protect the memory of actors");
}

// ---- the test body's heap -------------------------------------------------

void seal_body_later(struct native *n, const struct region *body)
{
    n->body_open = body->head.heaps & 1;
}

void seal_body(struct native *n)
{
    const struct region *r = n->actors.at[PLAY_ENV].region;
    n->body_open = false;
    if (!r || n->sealed & SEALED_BODY)
        return;
    set(region_slot(r) + USER_HEAP_AT, USER_ROOM, false);
    n->sealed |= SEALED_BODY;
}

static void lift_body(struct native *n, const struct region *r)
{
    set(region_slot(r) + USER_HEAP_AT, USER_ROOM, true);
    n->sealed &= (uint8_t)~SEALED_BODY;
    n->body_open = true;
}

// ---- all others -----------------------------------------------------------

// Open or close a region: these of its stacks, and all that is not a stack.
static void set_region(const struct region *r, uint32_t stacks, bool open)
{
    for (uint32_t k = stacks; k; k &= k - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(k);
        set(region_stack(r, i) - region_stack_size(r), region_stack_size(r),
            open);
    }
    set(region_slot(r) + LISTS_AT, REGION_SIZE - LISTS_AT, open);
}

static bool is_closed(const struct native *n, const struct region *r)
{
    for (uint32_t i = 0; i < n->closed.n; i++)
        if (n->closed.at[i].region == r)
            return true;
    return false;
}

void seal_others(struct native *n, const struct region *own)
{
    if (n->mapped > OTHERS_MOST)
        return;
    for (uint32_t a = 0; a < n->actors.n; a++) {
        const struct region *r = n->actors.at[a].region;
        if (!r || r == own || is_closed(n, r))
            continue;
        vec_push(&n->closed, ((struct closed){r, r->stacks}));
        set_region(r, r->stacks, false);
    }
    n->sealed |= SEALED_OTHERS;
}

static void lift(struct native *n, uint32_t i)
{
    struct closed c = n->closed.at[i];
    n->closed.at[i] = vec_last(&n->closed);
    n->closed.n--;
    set_region(c.region, c.stacks, true);
    if (n->sealed & SEALED_BODY && c.region == n->actors.at[PLAY_ENV].region)
        lift_body(n, c.region);
}

void seal_lift_others(struct native *n)
{
    while (n->closed.n)
        lift(n, n->closed.n - 1);
    n->sealed &= (uint8_t)~SEALED_OTHERS;
}

// ---- for the stage --------------------------------------------------------

void seal_lift(struct native *n, const struct region *r)
{
    for (uint32_t i = 0; i < n->closed.n; i++)
        if (n->closed.at[i].region == r) {
            lift(n, i);
            return;
        }
    if (n->sealed & SEALED_BODY && r == n->actors.at[PLAY_ENV].region)
        lift_body(n, r);
}

void seal_forget(struct native *n)
{
    vec_clear(&n->closed);
    n->sealed = 0;
    n->body_open = false;
}

uint32_t seal_owner(const struct native *n, const struct region *own,
                    uintptr_t address)
{
    uint32_t slot = (uint32_t)((address - REGION_BASE) >> REGION_SHIFT);
    if (!in_regions(address) || region_at(slot) == own)
        return PLAY_NONE;
    for (uint32_t a = 0; a < n->actors.n; a++)
        if (n->actors.at[a].slot == slot && n->actors.at[a].region)
            return a;
    return PLAY_NONE;
}

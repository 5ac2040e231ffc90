// Runs that note what is read cost some ten microseconds a read, so their
// number is bounded by how often an answer was known.  Beyond that all of the
// state counts as read.
#include "stage/sight.h"

#include "base/die.h"
#include "base/hash.h"
#include "stage/raw.h"
#include "stage/region.h"
#include "stage/tables.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum {
    PAGE = 4096,
    COVERED_MOST = 64, // actors in one scene
    OPEN_MOST = 8,     // pages for one instruction
    NOTED_MOST = 4096, // runs that note what is read,
    NOTED_SHARE = 16,  // and one more for each NOTED_SHARE answers from memory
    WIDEST = 64,       // bytes that one instruction reads
    TRAP_FLAG = 0x100,
};

struct seen_class {
    const tr_class *cls;
    unsigned char *mask; // 0xff: this byte of the struct was read
    bool whole;          // everything was, it must be assumed
};

// A region that is shown and out of reach.
struct covered {
    const struct region *region;
    uint32_t cls; // of `classes`
    bool closed, heaps;
};

struct looked {
    uint64_t hash, at; // at: what `grown` was, plus 1; 0: never
};

struct sight {
    VEC(struct seen_class) classes;
    struct map class_of; // address -> index
    uint64_t grown;
    VEC(struct looked) looked; // by state
    struct hashset known;      // scenes in which all invariants hold
    uint64_t known_at, watched_at;
    uint64_t noted, answered;
    bool on, blunt; // blunt: everything is read
    struct covered covered[COVERED_MOST];
    uint32_t n_covered;
    uintptr_t open[OPEN_MOST]; // pages
    uint32_t n_open;
};

static struct sight *sight(struct native *n)
{
    if (!n->sight)
        n->sight = need_zero(sizeof *n->sight);
    return n->sight;
}

void sight_close(struct native *n)
{
    if (!n->sight)
        return;
    for (uint32_t i = 0; i < n->sight->classes.n; i++)
        free(n->sight->classes.at[i].mask);
    vec_free(&n->sight->classes);
    map_free(&n->sight->class_of);
    vec_free(&n->sight->looked);
    hashset_free(&n->sight->known);
    free(n->sight);
    n->sight = NULL;
}

uint64_t sight_grown(const struct native *n)
{
    return n->sight ? n->sight->grown : 0;
}

void sight_forget(struct native *n)
{
    if (n->sight)
        vec_clear(&n->sight->looked);
}

void sight_class(struct native *n, const tr_class *cls)
{
    struct sight *s = sight(n);
    uint32_t *i = map_at(&s->class_of, (uint64_t)(uintptr_t)cls);
    if (*i != MAP_NONE)
        return;
    *i = s->classes.n;
    struct seen_class c = {
        .cls = cls, .mask = need_zero(cls->size + 1ul), .whole = s->blunt};
    vec_push(&s->classes, c);
    s->grown++;
}

static void see_all(struct sight *s, struct seen_class *c)
{
    s->grown += !c->whole;
    c->whole = true;
}

// ---- states and scenes ------------------------------------------------------

static uint64_t read_of(struct native *n, const struct seen_class *c,
                        uint32_t state)
{
    struct head h;
    uint64_t hash = 1, word = 0;
    const unsigned char *at = image_head(n->states.at.at[state].bytes, &h);
    for (uint32_t i = 0, k = 0; i < c->cls->size; i++) {
        if (!c->mask[i])
            continue;
        word = word << 8 | at[i];
        if (++k % 8 == 0)
            hash = hash_join(hash, word);
    }
    return hash_join(hash, word);
}

static uint64_t look(struct native *n, uint32_t state)
{
    const struct sight *s = sight(n);
    const struct play_state *info = state_info(n, state);
    const tr_class *cls = n->actors.at[info->actor].cls;
    uint32_t i = map_get(&s->class_of, (uint64_t)(uintptr_t)cls);
    if (i == MAP_NONE)
        return 0;
    if (info->flags & (STATE_STOPPED | STATE_CRASHED))
        return 2 + !!(info->flags & STATE_STOPPED);
    const struct seen_class *c = &s->classes.at[i];
    return c->whole ? hash_join(info->hash.low, 1) : read_of(n, c, state);
}

uint64_t sight_of(struct native *n, uint32_t state)
{
    struct sight *s = sight(n);
    while (s->looked.n <= state)
        vec_push(&s->looked, ((struct looked){0}));
    struct looked *l = &s->looked.at[state];
    if (l->at != s->grown + 1)
        *l = (struct looked){look(n, state), s->grown + 1};
    return s->looked.at[state].hash;
}

static uint64_t scene_hash(struct native *n)
{
    uint64_t hash = 0;
    for (uint32_t a = 1; a < n->scene.n; a++) {
        uint32_t state = n->scene.states[a];
        uint64_t seen = state == PLAY_NONE ? 0 : sight_of(n, state);
        if (seen)
            hash += hash_join(seen, n->actors.at[a].handle);
    }
    for (uint32_t i = 0; i < n->scene.n_in_flight; i++) {
        uint32_t msg = n->scene.in_flight[i].msg;
        if (!play_is_timer(msg) && n->ops.watches_msg(n, msg))
            hash = hash_join(hash, n->msgs.at.at[msg].info.hash.low);
    }
    return hash;
}

// Known verdicts are of no use once more is read.
static void check_known(struct native *n, struct sight *s)
{
    if (s->known_at == s->grown && s->watched_at == n->watched.n)
        return;
    hashset_clear(&s->known);
    s->known_at = s->grown;
    s->watched_at = n->watched.n;
}

bool sight_knows(struct native *n)
{
    struct sight *s = sight(n);
    check_known(n, s);
    bool known = hashset_has(&s->known, scene_hash(n));
    s->answered += known;
    return known;
}

// ---- a run that is noted ----------------------------------------------------

static void set(uintptr_t from, uintptr_t to, bool open)
{
    from &= ~(uintptr_t)(PAGE - 1);
    to = (to + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
    if (mprotect((void *)from, to - from,
                 open ? PROT_READ | PROT_WRITE : PROT_NONE))
        die("cannot protect the memory of actors");
}

static void set_struct(const struct covered *c, bool open)
{
    uintptr_t self = (uintptr_t)region_self(c->region);
    set((uintptr_t)c->region, self + STRUCT_MOST, open);
}

static void set_heaps(struct covered *c, bool open)
{
    if (c->heaps == open)
        set((uintptr_t)region_own_heap(c->region),
            (uintptr_t)region_slot(c->region) + REGION_SIZE, open);
    c->heaps = !open;
}

static struct covered *covered_at(struct sight *s, const struct region *r)
{
    for (uint32_t i = 0; i < s->n_covered; i++)
        if (s->covered[i].region == r)
            return &s->covered[i];
    return NULL;
}

static void uncover(struct covered *c)
{
    if (c->closed)
        set_struct(c, true);
    if (c->heaps)
        set_heaps(c, true);
    c->closed = false;
}

void sight_lift(struct native *n, const struct region *r)
{
    struct covered *c =
        n->sight && n->sight->on ? covered_at(n->sight, r) : NULL;
    if (c)
        uncover(c);
}

static void see_everything(struct sight *s)
{
    s->blunt = true;
    for (uint32_t i = 0; i < s->classes.n; i++)
        see_all(s, &s->classes.at[i]);
}

void sight_cover(struct native *n, struct region *r, const tr_class *cls)
{
    struct sight *s = n->sight;
    if (!s || !s->on)
        return;
    uint32_t i = map_get(&s->class_of, (uint64_t)(uintptr_t)cls);
    if (i == MAP_NONE || s->classes.at[i].whole)
        return;
    struct covered *c = covered_at(s, r);
    if (!c && s->n_covered == COVERED_MOST) {
        see_everything(s);
        return;
    }
    if (r->head.n[LIST_TASKS]) { // pointers may lead to its stack
        see_all(s, &s->classes.at[i]);
        return;
    }
    if (!c)
        c = &s->covered[s->n_covered++];
    uint8_t heaps = r->head.heaps;
    *c = (struct covered){.region = r, .cls = i, .closed = true};
    set_struct(c, false);
    if (heaps)
        set_heaps(c, false);
}

void sight_begin(struct native *n)
{
    struct sight *s = sight(n);
    s->n_covered = s->n_open = 0;
    s->noted++;
#ifndef __x86_64__
    s->noted = UINT64_MAX;
#endif
    if (!s->blunt && s->noted > NOTED_MOST + s->answered / NOTED_SHARE)
        see_everything(s);
    s->on = !s->blunt;
}

void sight_end(struct native *n, bool holds)
{
    struct sight *s = n->sight;
    s->on = false;
    s->n_open = 0;
    for (uint32_t i = 0; i < s->n_covered; i++)
        uncover(&s->covered[i]);
    check_known(n, s);
    if (holds)
        hashset_add(&s->known, scene_hash(n));
}

// ---- reads ----------------------------------------------------------------

#ifdef __x86_64__

// How many bytes an instruction with a first byte of this kind may read.
static uint32_t width_of_byte(unsigned char op, bool half, bool wide)
{
    uint32_t word = half ? 2 : wide ? 8 : 4;
    if (op < 0x40 && (op & 7) < 4)
        return op & 1 ? word : 1; // arithmetic
    switch (op) {
    case 0x80:
    case 0x84:
    case 0x86:
    case 0x88:
    case 0x8a:
    case 0xc6:
    case 0xf6:
        return 1;
    case 0x63:
        return 4;
    case 0x69:
    case 0x6b:
    case 0x81:
    case 0x83:
    case 0x85:
    case 0x87:
    case 0x89:
    case 0x8b:
    case 0xc7:
    case 0xf7:
        return word;
    case 0xff:
        return 8;
    default:
        return WIDEST;
    }
}

static uint32_t width_of_two(unsigned char op)
{
    switch (op) {
    case 0xb6:
    case 0xbe:
        return 1;
    case 0xb7:
    case 0xbf:
        return 2;
    default:
        return 16;
    }
}

// A gather, behind VEX or EVEX: it reads from several places.
RAW static bool gathers(const unsigned char *pc)
{
    bool vex = *pc == 0xc4 && (pc[1] & 0x1f) == 2;
    bool evex = *pc == 0x62 && (pc[1] & 7) == 2;
    unsigned char op = vex ? pc[3] : evex ? pc[4] : 0;
    return op >= 0x90 && op <= 0x93;
}

// How many bytes the instruction may read from where it reads first; 0: from
// other places, too.
RAW static uint32_t width(const unsigned char *pc)
{
    bool half = false, wide = false;
    for (;; pc++)
        if (*pc == 0x66)
            half = true;
        else if (*pc != 0xf2 && *pc != 0xf3 && *pc != 0x2e && *pc != 0x36 &&
                 *pc != 0x3e && *pc != 0x26 && *pc != 0x64 && *pc != 0x65)
            break;
    if ((*pc & 0xf0) == 0x40)
        wide = *pc++ & 8;
    if (*pc == 0x0f)
        return width_of_two(pc[1]);
    if (gathers(pc))
        return 0;
    if (*pc == 0xc4 || *pc == 0xc5)
        return 32;
    return width_of_byte(*pc, half, wide);
}

static void see(struct sight *s, const struct covered *c, uintptr_t address,
                uint32_t bytes)
{
    struct seen_class *of = &s->classes.at[c->cls];
    uintptr_t self = (uintptr_t)region_self(c->region);
    for (uintptr_t at = address; at < address + bytes; at++)
        if (at >= self && at - self < of->cls->size && !of->mask[at - self]) {
            of->mask[at - self] = 0xff;
            s->grown++;
        }
}

static bool is_struct(const struct covered *c, uintptr_t address)
{
    uintptr_t from = (uintptr_t)c->region & ~(uintptr_t)(PAGE - 1);
    return c->closed && address >= from &&
           address < (uintptr_t)region_own_heap(c->region);
}

static bool is_heap(const struct covered *c, uintptr_t address)
{
    uintptr_t from = (uintptr_t)region_own_heap(c->region);
    return c->heaps && address >= from &&
           address < (uintptr_t)region_slot(c->region) + REGION_SIZE;
}

bool sight_fault(struct native *n, uintptr_t address, void *context)
{
    struct sight *s = n->sight;
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    if (!s || !s->on)
        return false;
    for (uint32_t i = 0; i < s->n_covered; i++) {
        struct covered *c = &s->covered[i];
        if (is_heap(c, address)) {
            see_all(s, &s->classes.at[c->cls]);
            set_heaps(c, true);
            return true;
        }
        if (!is_struct(c, address))
            continue;
        if (s->n_open == OPEN_MOST)
            return false;
        uint32_t bytes =
            width((const unsigned char *)(uintptr_t)registers[REG_RIP]);
        if (bytes)
            see(s, c, address, bytes);
        else
            see_all(s, &s->classes.at[c->cls]);
        s->open[s->n_open++] = address;
        set(address, address + 1, true);
        registers[REG_EFL] |= TRAP_FLAG;
        return true;
    }
    return false;
}

bool sight_step(struct native *n, void *context)
{
    struct sight *s = n->sight;
    if (!s || !s->n_open)
        return false;
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
    for (; s->n_open; s->n_open--)
        if (s->on)
            set(s->open[s->n_open - 1], s->open[s->n_open - 1] + 1, false);
    return true;
}

#else

bool sight_fault(struct native *n, uintptr_t address, void *context)
{
    (void)n, (void)address, (void)context;
    return false;
}

bool sight_step(struct native *n, void *context)
{
    (void)n, (void)context;
    return false;
}

#endif

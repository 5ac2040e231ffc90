// The stage's tables: actors by handle, message types and classes, states and
// messages by content, texts, lines.
#include "stage/tables.h"

#include "base/die.h"
#include "base/hash.h"
#include "program/values.h"
#include "stage/future.h"
#include "stage/relative.h"
#include "stage/seal.h"
#include "stage/timers.h"
#include "stage/names.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash_name(const char *s)
{
    return hash_bytes(s, strlen(s));
}

const char *keep_text(struct native *n, const char *s)
{
    uint32_t *at = map_at(&n->texts, hash_name(s));
    if (*at == MAP_NONE) {
        *at = n->text_at.n;
        vec_push(&n->text_at, arena_text(&n->names, s));
    }
    return n->text_at.at[*at];
}

// ---- actors ---------------------------------------------------------------

uint32_t actor_of(struct native *n, uint64_t handle)
{
    return map_get(&n->actor_of, handle); // MAP_NONE is PLAY_NONE
}

static bool slot_of_ancestor(const struct native *n, uint32_t slot,
                             uint32_t creator)
{
    for (uint32_t a = creator; a != PLAY_NONE; a = n->actors.at[a].creator)
        if (n->actors.at[a].slot == slot)
            return true;
    return false;
}

// While an actor is born its creator's region is in use, so the slots of
// ancestors are passed over; other actors may share one.
static uint32_t find_slot(const struct native *n, uint64_t hash,
                          uint32_t creator)
{
    uint32_t slot = (uint32_t)(hash >> 4) % REGION_SLOTS;
    while (slot < SLOT_ACTORS || slot_of_ancestor(n, slot, creator))
        slot = (slot + 1) % REGION_SLOTS;
    return slot;
}

// Add the names of the creators, the first one first, then its own.
static void add_names(const struct native *n, uint32_t id, struct text *to)
{
    VEC(uint32_t) chain = {0};
    for (; id != PLAY_ENV; id = n->actors.at[id].creator)
        vec_push(&chain, id);
    while (chain.n) {
        const struct actor *a = &n->actors.at[vec_pop(&chain)];
        text_format(to, "%s%s#%u", to->n ? "/" : "", a->cls->name, a->nth);
    }
    vec_free(&chain);
}

// Made when somebody asks: in a long chain of creations the names of all are
// much longer than the chain.
const char *actor_name(struct native *n, uint32_t id)
{
    struct actor *a = &n->actors.at[id];
    struct text t = {0};
    if (a->name)
        return a->name;
    add_names(n, id, &t);
    a->name = keep_text(n, text_get(&t));
    text_free(&t);
    return a->name;
}

uint32_t actor_born(struct native *n, uint32_t creator, const tr_class *cls,
                    uint32_t nth)
{
    const struct class *c = class_of(n, cls);
    uint64_t key[3] = {n->actors.at[creator].handle, c->hash, nth};
    uint64_t hash = hash_bytes(key, sizeof key);
    uint64_t place = n->scattered ? ~hash : hash;
    uint64_t handle = HANDLE_BIT | (place & UINT64_C(0x00fffffffffffff0));
    uint32_t *known = map_at(&n->actor_of, handle);
    if (*known != MAP_NONE)
        return *known;
    *known = n->actors.n;
    struct actor a = {.handle = handle,
                      .creator = creator,
                      .nth = nth,
                      .cls = cls,
                      .mask = c->mask,
                      .slot = find_slot(n, hash, creator),
                      .order = n->actors.at[creator].order + 1};
    vec_push(&n->actors, a);
    return n->actors.n - 1;
}

struct region *actor_region(struct native *n, uint32_t actor)
{
    struct actor *a = &n->actors.at[actor];
    if (!a->region) {
        uint32_t *is = map_at(&n->slot_mapped, a->slot);
        a->region = *is == MAP_NONE ? region_map(a->slot) : region_at(a->slot);
        if (!a->region)
            die("no memory for the region of %s", actor_name(n, actor));
        if (*is == MAP_NONE)
            n->mapped++;
        else if (n->sealed)
            seal_lift(n, a->region);
        *is = 1;
        a->region->ctx.ops = &stage_ops;
        a->region->native = n;
        a->region->freed = n->freed.n; // from before it was unmapped
    }
    if (n->sealed)
        seal_lift(n, a->region);
    return a->region;
}

// ---- types ----------------------------------------------------------------

// A mask without padding bytes is stored as NULL.
static const unsigned char *mask_of(struct native *n, const char *type,
                                    size_t size)
{
    const unsigned char *mask = values_mask(n->values, type, size);
    for (size_t i = 0; mask && i < size; i++)
        if (mask[i] != 0xff)
            return mask;
    return NULL;
}

static void apply(unsigned char *p, const unsigned char *mask, size_t size)
{
    for (size_t i = 0; mask && i < size; i++)
        p[i] &= mask[i];
}

struct kind *kind_of(struct native *n, const tr_msg *type)
{
    uint32_t at = map_get(&n->kind_of, (uintptr_t)type);
    if (at == MAP_NONE) {
        struct kind k = {.type = type, .hash = hash_name(type->name)};
        k.mask = mask_of(n, type->name, type->size);
        k.times = values_of_type(n->values, type->name, type->size, "tr_time",
                                 &k.n_times);
        if (type->reply) {
            k.reply_mask = mask_of(n, type->reply, type->reply_size);
            k.reply_times =
                values_of_type(n->values, type->reply, type->reply_size,
                               "tr_time", &k.n_reply_times);
        }
        at = n->kinds.n;
        vec_push(&n->kinds, k);
        map_put(&n->kind_of, (uintptr_t)type, at);
        map_put(&n->kind_named, k.hash, at);
        n->known_types[k.hash % KNOWN_TYPES].type = NULL;
    }
    return &n->kinds.at[at];
}

struct class *class_of(struct native *n, const tr_class *cls)
{
    uint32_t at = map_get(&n->class_of, (uintptr_t)cls);
    if (at == MAP_NONE) {
        struct class c = {.cls = cls, .hash = hash_name(cls->name)};
        c.mask = mask_of(n, cls->name, cls->size);
        c.times = values_of_type(n->values, cls->name, cls->size, "tr_time",
                                 &c.n_times);
        at = n->classes.n;
        vec_push(&n->classes, c);
        map_put(&n->class_of, (uintptr_t)cls, at);
    }
    return &n->classes.at[at];
}

// ---- messages -------------------------------------------------------------

uint32_t message_id(struct native *n, const struct message *m,
                    const void *payload, const unsigned char *mask)
{
    size_t size = sizeof *m + m->size;
    vec_clear(&n->scratch);
    vec_room(&n->scratch, size);
    unsigned char *at = n->scratch.at;
    memcpy(at, m, sizeof *m);
    if (m->size)
        memcpy(at + sizeof *m, payload, m->size);
    apply(at + sizeof *m, mask, m->size);
    return images_intern(&n->msgs, 0, message_digest(at, size), at, size);
}

uint32_t message_of(struct native *n, uint64_t hash)
{
    return images_find(&n->msgs, hash);
}

const tr_msg *message_type_find(struct native *n, uint64_t hash)
{
    const tr_msg *type = n->kinds.at[map_get(&n->kind_named, hash)].type;
    n->known_types[hash % KNOWN_TYPES] = (struct known_type){hash, type};
    return type;
}

const char *message_name(struct native *n, uint32_t msg)
{
    if (play_is_timer(msg))
        return "timer";
    const struct message *m = message_at(n, msg);
    switch ((enum message_kind)m->kind) {
    case MSG_PLAIN:
    case MSG_REQUEST:
        return message_type(n, m)->name;
    case MSG_REPLY:
    case MSG_NO_REPLY:
        return message_type(n, m)->reply;
    case MSG_WATCH:
        return "watch";
    }
    return "?";
}

// ---- states ---------------------------------------------------------------

struct region *state_place(struct native *n, uint32_t state)
{
    uint32_t actor = state_info(n, state)->actor;
    struct region *r = actor_region(n, actor);
    if (r->actor != actor || r->state != state) {
        const tr_class *cls = n->actors.at[actor].cls;
        bool moves_in = r->actor != actor;
        r->actor = actor;
        r->size = cls ? cls->size : 0;
        if (moves_in) // perhaps where a larger struct was
            memset(region_fence(r), 0, STRUCT_FENCE);
        region_load(r, n->states.at.at[state].bytes);
        r->state = state;
    }
    return r;
}

static uint32_t task_flags(const struct region *r)
{
    const struct task *t = region_list(r, LIST_TASKS);
    uint32_t flags = 0;
    for (uint32_t i = 0; i < r->head.n[LIST_TASKS]; i++)
        if (t[i].wait == WAIT_PAUSE)
            flags |= STATE_UNTIL;
    const struct future *f = region_list(r, LIST_FUTURES);
    for (uint32_t i = 0; i < r->head.n[LIST_FUTURES]; i++)
        if (!f[i].done)
            flags |= STATE_WAITS;
    return flags;
}

// A test body: does it wait for a reply?
static uint32_t body_flags(const struct region *r)
{
    const struct task *t = region_list(r, LIST_TASKS);
    const struct future *f = NULL;
    if (r->head.n[LIST_TASKS] && t->wait == WAIT_BODY && t->future)
        f = future_at(r, t->future);
    return f && !f->done ? STATE_BODY_WAITS : 0;
}

static uint32_t timer_flags(const struct region *r)
{
    struct folded f = folded_of(
        r->native, region_list(r, LIST_BOUNDS), r->head.n[LIST_BOUNDS],
        region_list(r, LIST_TIMERS), r->head.n[LIST_TIMERS]);
    return timers_flags(&f);
}

static uint32_t state_flags(struct native *n, const struct region *r)
{
    const struct head *h = &r->head;
    const tr_class *cls = n->actors.at[r->actor].cls;
    uint32_t flags = 0;
    if (h->flags & HEAD_STOPPED)
        return STATE_STOPPED;
    if (h->flags & HEAD_CRASHED)
        return STATE_CRASHED;
    if (h->n[LIST_TIMERS])
        flags |= timer_flags(r);
    if (h->n[LIST_TIMERS] || h->n[LIST_TICKS])
        flags |= STATE_TIMED;
    if (cls && cls->fini)
        flags |= STATE_FINI;
    flags |= cls ? task_flags(r) : body_flags(r);
    if (h->n[LIST_KEPT] || h->n[LIST_HELD])
        flags |= STATE_KEPT;
    if (cls && n->program->n_hots &&
        program_hot(n->program, cls, behaviour_of(n, h)))
        flags |= STATE_HOT;
    return flags;
}

// Words of a suspended stack that differ from process to process: addresses of
// the tool, of libraries, of their heap and of the host's stack.  They lie
// above regions and program, but for the heap of a tool at a fixed address; of
// that, functions of the stage have n in a register while they wait.
static void blank_addresses(const struct native *n, unsigned char *at,
                            size_t size)
{
    for (size_t i = 0; i + sizeof(uint64_t) <= size; i += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, at + i, sizeof word);
        if ((word >> 40 >= 0x40 && word >> 40 < 0x80) || word == (uintptr_t)n)
            memset(at + i, 0, sizeof word);
    }
}

// Stacks come last in an image, and what precedes them may have any size.
static size_t stacks_size(const struct actor *a, const unsigned char *image)
{
    const struct region *r = region_at(a->slot);
    struct head h;
    const unsigned char *from = image_head(image, &h);
    size_t at = image_list_at(&h, (size_t)(from - image),
                              a->cls ? a->cls->size : 0, LIST_TASKS);
    size_t size = 0;
    for (uint32_t i = 0; i < h.n[LIST_TASKS]; i++) {
        struct task t;
        memcpy(&t, image + at + i * sizeof t, sizeof t);
        size += (uintptr_t)region_stack(r, t.stack) - t.sp;
    }
    return size;
}

struct digest image_hash(const struct native *n, uint32_t actor,
                         unsigned char *copy, size_t size)
{
    const struct actor *a = &n->actors.at[actor];
    size_t stacks = stacks_size(a, copy);
    blank_addresses(n, copy + size - stacks, stacks);
    return digest_bytes(copy, size, a->handle);
}

static struct digest state_hash(const struct native *n, const struct region *r,
                                const unsigned char *at, size_t size)
{
    if (!r->head.n[LIST_TASKS])
        return digest_bytes(at, size, n->actors.at[r->actor].handle);
    unsigned char *copy = need(size);
    memcpy(copy, at, size);
    struct digest hash = image_hash(n, r->actor, copy, size);
    free(copy);
    return hash;
}

static void settle_heads(struct native *n, struct region *r)
{
    struct head *h = &r->head;
    apply(region_self(r), n->actors.at[r->actor].mask, r->size);
    if (h->n[LIST_NAMES])
        names_settle(n, r);
    if (h->heaps & 1 && !region_heap(r)->mask)
        h->heaps &= (uint8_t)~1u;
    if (h->heaps & 2 && !region_own_heap(r)->mask)
        h->heaps &= (uint8_t)~2u;
}

uint32_t state_keep(struct native *n, struct region *r)
{
    if (r->timed)
        timers_fold(r);
    settle_heads(n, r);
    size_t size = region_image_size(r);
    vec_clear(&n->scratch);
    vec_room(&n->scratch, size);
    unsigned char *at = n->scratch.at;
    region_save(r, at);
    struct digest hash = state_hash(n, r, at, size);
    uint32_t id = images_intern(&n->states, r->actor, hash, at, size);
    if (n->own_clocks)
        state_info(n, id)->hash = own_hash(n, id);
    state_info(n, id)->flags = state_flags(n, r);
    r->state = id;
    return id;
}

// ---- lines ----------------------------------------------------------------

uint32_t line_of(struct native *n, uint32_t place)
{
    if (!place)
        return 0;
    uint32_t *at = map_at(&n->lines, place);
    if (*at == MAP_NONE) {
        int line = program_where(n->program, n->text.from + place - 1).line;
        *at = line > 0 ? (uint32_t)line : 0;
    }
    return *at;
}

// The same request twice, with other contents of fresh memory: does the effect
// depend on something besides state and message?
//
// The second run finds 0xAA on its stack and 0x55 in fresh blocks, where the
// first found zeros.  Bytes of blocks that were never written, or only as the
// padding of a copied struct, show exactly these values in the second image;
// they are no difference, and neither are the dead bytes of suspended frames.
// What counts: other sends, births, bugs or output, another struct, other
// bytes in blocks.
#include "stage/recheck.h"

#include "base/hash.h"
#include "program/values.h"
#include "stage/check.h"
#include "stage/receive.h"
#include "stage/seal.h"
#include "stage/tables.h"
#include "stage/verdict.h"

#include <string.h>

enum {
    EVERY = 64,
    MEASURED = 16,
    SEALED = 256,
    STACK_FILL = 0xaa,
    HEAP_FILL = 0x55
};

// The first run of each (class, behaviour, message type), and then one in 64.
// Where a single schedule is followed, all of them.
bool recheck_wanted(struct native *n, uint32_t state, uint32_t msg)
{
    struct head h;
    if (n->unchecked || n->now.flags & EFFECT_PICK || n->now.bugs.n ||
        state_info(n, state)->actor == PLAY_ENV)
        return false;
    const tr_class *cls = n->actors.at[state_info(n, state)->actor].cls;
    image_head(n->states.at.at[state].bytes, &h);
    uint64_t key[3] = {(uintptr_t)cls, h.behaviour,
                       play_is_timer(msg) ? 0
                       : msg == PLAY_FINI ? 2 // no hash: these are odd
                                          : message_at(n, msg)->type};
    uint32_t *count = map_at(&n->sampled, hash_bytes(key, sizeof key));
    *count = *count == MAP_NONE ? 0 : *count + 1;
    n->rare = *count == 0 || n->frames;
    return *count % EVERY == 0 || n->frames;
}

// ---- comparing ------------------------------------------------------------

static bool same_byte(unsigned char a, unsigned char b)
{
    return a == b || (a == 0 && (b == STACK_FILL || b == HEAP_FILL));
}

static bool same_bytes(const unsigned char *a, const unsigned char *b,
                       size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (!same_byte(a[i], b[i]))
            return false;
    return true;
}

// The first byte of the struct that differs, or its size.
static size_t struct_difference(const struct native *n, const tr_class *cls,
                                const unsigned char *a, const unsigned char *b)
{
    bool exact = values_known(n->values);
    for (size_t i = 0; i < cls->size; i++)
        if (exact ? a[i] != b[i] : !same_byte(a[i], b[i]))
            return i;
    return cls->size;
}

// What differs between two states, "" if nothing does; *field is named if it
// is in the struct.
static const char *state_difference(struct native *n, uint32_t s, uint32_t t,
                                    struct text *field)
{
    const struct image *a = &n->states.at.at[s], *b = &n->states.at.at[t];
    const tr_class *cls = n->actors.at[a->info.actor].cls;
    struct head g, h;
    if (s == t)
        return NULL;
    const unsigned char *p = image_head(a->bytes, &g);
    const unsigned char *q = image_head(b->bytes, &h);
    if (memcmp(&g, &h, sizeof g) != 0)
        return "what the actor waits for, keeps or becomes";
    size_t at = struct_difference(n, cls, p, q);
    if (at < cls->size) {
        values_field_at(n->values, cls->name, cls->size, at, field);
        return "the state";
    }
    if (g.n[LIST_TASKS]) // frames are in the way
        return NULL;
    size_t rest = a->size - (size_t)(p + cls->size - a->bytes);
    if (a->size != b->size || !same_bytes(p + cls->size, q + cls->size, rest))
        return "the actor's heap";
    return NULL;
}

static bool same_message(struct native *n, uint32_t a, uint32_t b)
{
    const struct image *x = &n->msgs.at.at[a], *y = &n->msgs.at.at[b];
    if (a == b)
        return true;
    const struct message *m = message_at(n, a);
    bool owner = m->blocks || !values_known(n->values);
    return owner && x->size == y->size &&
           same_bytes(x->bytes, y->bytes, x->size);
}

static const char *send_difference(struct native *n, const struct making *a,
                                   const struct making *b)
{
    if (a->sends.n != b->sends.n)
        return "the number of messages sent";
    for (uint32_t i = 0; i < a->sends.n; i++) {
        const struct send *s = &a->sends.at[i], *t = &b->sends.at[i];
        if (s->sender != t->sender)
            return "the sender of a message";
        if (s->to != t->to)
            return "the receiver of a message";
        if (!same_message(n, s->msg, t->msg))
            return "the contents of a message";
    }
    return NULL;
}

static const char *difference(struct native *n, const struct making *a,
                              const struct making *b, struct text *field)
{
    const char *what = send_difference(n, a, b);
    if (what)
        return what;
    if (a->births.n != b->births.n)
        return "the number of actors created";
    for (uint32_t i = 0; i < a->births.n && !what; i++)
        what = state_difference(n, a->births.at[i].state, b->births.at[i].state,
                                field);
    if (!what && a->bugs.n != b->bugs.n)
        what = "whether it fails";
    if (!what && a->shared != b->shared)
        what = "the memory that actors share";
    if (!what && strcmp(text_get(&a->output), text_get(&b->output)) != 0)
        what = "what it prints";
    return what;
}

static void tell(struct native *n, const char *what, const struct text *field)
{
    struct bug *b = bug_note(
        n, BUG_NONDET, "%s%s%s depends on something besides state and message",
        what, field->n ? ", field " : "", text_get(field));
    bug_at_handler(n, b);
    b->thing = field->n ? keep_text(n, field->at) : keep_text(n, what);
}

// ---- running --------------------------------------------------------------

// The repetition touched memory that was out of reach: that is a bug of the
// run.
static bool take_isolation(struct native *n, struct making *first)
{
    const struct bug *b;
    vec_each(&n->now.bugs, b) if (b->kind == BUG_ISOLATION)
    {
        vec_push(&first->bugs, *b);
        return true;
    }
    return false;
}

uint32_t recheck_run(struct native *n, uint32_t after, run_fn *run,
                     uint32_t state, uint32_t msg, uint32_t sender,
                     const uint16_t *picks, uint32_t n_picks)
{
    struct making first;
    struct text field = {0};
    bool sealed = n->twice % SEALED == 0 || n->rare;
    if (n->twice++ % MEASURED == 0 || n->rare)
        task_measure(n, n->receiver, n->stack);
    check_state(n, n->receiver);
    if (sealed)
        seal_others(n, n->receiver);
    first = n->now;
    n->now = n->spare;
    n->fill = STACK_FILL;
    uint32_t again;
    do
        again = run(n, state, msg, sender, picks, n_picks);
    while (verdicts_again(n));
    n->fill = 0;
    seal_lift_others(n);
    const char *what = NULL;
    if (take_isolation(n, &first))
        what = NULL;
    else if ((first.flags ^ n->now.flags) & EFFECT_PICK)
        what = "what is chosen from";
    else
        what = difference(n, &first, &n->now, &field);
    if (!what && !n->now.bugs.n)
        what = state_difference(n, after, again, &field);
    n->spare = n->now;
    n->now = first;
    if (what)
        tell(n, what, &field);
    text_free(&field);
    return after;
}

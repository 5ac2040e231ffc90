// The same request twice, with other contents of fresh memory: does the effect
// depend on something besides state and message?
//
// The second run finds 0xAA on its stack and 0x55 in fresh blocks, where the
// first found zeros.  Bytes of blocks that were never written, or only as the
// padding of a copied struct, show exactly these values in the second image;
// they are no difference, and neither are the dead bytes of suspended frames.
// What counts: other sends, births, bugs or output, another struct, other
// bytes in blocks.
//
// A program that calls functions which are run for real is asked once more with
// nothing changed.  If that differs, too, it is because of such a call: a
// limit.
//
// In the first of these repetitions, until 128 regions of others were closed
// for a kind, and in one of 256 after that, the memory of all other actors is
// out of reach (seal.h).
//
// Memory that nobody may read is poisoned at the same time (poison.h).  If the
// effects differ the run is made with each change alone: the one that makes the
// difference says what is wrong.
#include "stage/recheck.h"

#include "base/die.h"
#include "base/hash.h"
#include "program/values.h"
#include "stage/check.h"
#include "stage/poison.h"
#include "stage/task.h"
#include "stage/seal.h"
#include "stage/tables.h"
#include "stage/verdict.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIRST = 512,
    EVERY = 64,
    MEASURED = 16,
    SEALED = 256,
    SEALED_FIRST = 128,
    BEYOND = 4096,
    BEYOND_RARE = 256 << 10,
    STACK_FILL = 0xaa,
    HEAP_FILL = 0x55
};

static bool failed(const struct making *m)
{
    const struct bug *b;
    vec_each(&m->bugs, b) if (!b->warning) return true;
    return false;
}

// The handler: class, behaviour, message type, by the hash of its name.  Two
// with the same key would only be counted together.
static uint64_t handler_key(struct native *n, uint32_t state, uint32_t msg)
{
    const struct image *i = &n->states.at.at[state];
    uint64_t cls = (uintptr_t)n->actors.at[i->info.actor].cls;
    uint64_t key = cls * UINT64_C(0x9e3779b97f4a7c15);
    key = (key ^ image_behaviour(i->bytes)) * UINT64_C(0xd6e8feb86659fd93);
    if (play_is_timer(msg))
        return key;
    return key ^ (msg == PLAY_FINI ? 2 : message_at(n, msg)->type);
}

// The first runs of each (class, behaviour, message type), and then one in 64.
// Where a single schedule is followed, all of them.  Of a run that failed
// nothing more is asked.
bool recheck_wanted(struct native *n, uint32_t state, uint32_t msg)
{
    if (n->unchecked || n->now.flags & EFFECT_PICK || failed(&n->now) ||
        state_info(n, state)->actor == PLAY_ENV)
        return false;
    uint32_t *count = map_at(&n->sampled, handler_key(n, state, msg));
    *count = *count == MAP_NONE ? 0 : *count + 1;
    n->rare = *count == 0 || n->frames;
    n->early = (uint64_t)*count * n->mapped < SEALED_FIRST;
    bool wanted = *count < FIRST || *count % EVERY == 0 || n->frames;
    if (!wanted)
        n->now.flags |= EFFECT_ONCE;
    return wanted;
}

static const char printed[] = "what it prints";

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

// The first byte of a struct that differs, or its size.  Bytes of unions and
// texts may not be set at all; code that was compiled elsewhere copies them.
static size_t struct_difference(const struct native *n, const char *type,
                                size_t size, const unsigned char *a,
                                const unsigned char *b)
{
    size_t i = 0;
    if (!size || memcmp(a, b, size) == 0)
        return size;
    bool *loose = need(size * sizeof *loose);
    values_loose(n->values, type, size, loose);
    while (i < size && (loose[i] ? same_byte(a[i], b[i]) : a[i] == b[i]))
        i++;
    free(loose);
    return i;
}

static void name_field(struct native *n, const char *type, size_t size,
                       size_t at, struct text *to)
{
    if (!values_field_at(n->values, type, size, at, to))
        text_format(to, "byte %zu", at);
}

// The same for two images of an actor; *field is named if it is in the struct.
static const char *image_difference(struct native *n, const struct image *a,
                                    const unsigned char *b, size_t size,
                                    struct text *field)
{
    const tr_class *cls = n->actors.at[a->info.actor].cls;
    struct head g, h;
    const unsigned char *p = image_head(a->bytes, &g);
    const unsigned char *q = image_head(b, &h);
    if (memcmp(&g, &h, sizeof g) != 0)
        return "what the actor waits for, keeps or becomes";
    size_t at = struct_difference(n, cls->name, cls->size, p, q);
    if (at < cls->size) {
        name_field(n, cls->name, cls->size, at, field);
        return "the state";
    }
    if (g.n[LIST_TASKS]) // frames are in the way
        return NULL;
    size_t rest = a->size - (size_t)(p + cls->size - a->bytes);
    if (a->size != size || !same_bytes(p + cls->size, q + cls->size, rest))
        return "the actor's heap";
    return NULL;
}

// What differs between two states, NULL if nothing does.
static const char *state_difference(struct native *n, uint32_t s, uint32_t t,
                                    struct text *field)
{
    const struct image *a = &n->states.at.at[s], *b = &n->states.at.at[t];
    if (s == t)
        return NULL;
    unsigned char *copy = need(b->size);
    memcpy(copy, b->bytes, b->size);
    poison_unmove(n, copy, b->size);
    const char *what = image_difference(n, a, copy, b->size, field);
    free(copy);
    return what;
}

// If not, *field says where they differ.
static bool same_message(struct native *n, uint32_t a, uint32_t b,
                         struct text *field)
{
    const struct image *x = &n->msgs.at.at[a], *y = &n->msgs.at.at[b];
    const struct message *m = message_at(n, a), *o = message_at(n, b);
    const char *type = message_name(n, a);
    if (a == b)
        return true;
    if (memcmp(m, o, sizeof *m) != 0 || x->size != y->size)
        return false;
    if (m->blocks)
        return same_bytes(x->bytes, y->bytes, x->size);
    size_t at =
        struct_difference(n, type, m->size, (const unsigned char *)(m + 1),
                          (const unsigned char *)(o + 1));
    if (at == m->size)
        return true;
    name_field(n, type, m->size, at, field);
    text_format(field, " of '%s'", type);
    return false;
}

static const char *send_difference(struct native *n, const struct making *a,
                                   const struct making *b, struct text *field)
{
    if (a->sends.n != b->sends.n)
        return "the number of messages sent";
    for (uint32_t i = 0; i < a->sends.n; i++) {
        const struct send *s = &a->sends.at[i], *t = &b->sends.at[i];
        if (s->sender != t->sender)
            return "the sender of a message";
        if (s->to != t->to)
            return "the receiver of a message";
        if (!same_message(n, s->msg, t->msg, field))
            return "the contents of a message";
    }
    return NULL;
}

static const char *difference(struct native *n, const struct making *a,
                              const struct making *b, struct text *field)
{
    const char *what = send_difference(n, a, b, field);
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
        what = printed;
    return what;
}

// ---- running --------------------------------------------------------------

struct request {
    run_fn *run;
    uint32_t state, msg, sender;
    const uint16_t *picks;
    uint32_t n_picks;
    struct making first; // what the run did, and the state it led to
    uint32_t after;
};

// Make the run again with other bytes in memory; what differs, NULL if nothing
// does.
static const char *run_altered(struct native *n, const struct request *q,
                               uint8_t alter, struct text *field)
{
    uint32_t again;
    const char *what;
    n->now = n->spare;
    n->alter = alter;
    n->fill = alter & ALTER_FILL ? STACK_FILL : 0;
    n->proved = false;
    do
        again = q->run(n, q->state, q->msg, q->sender, q->picks, q->n_picks);
    while (verdicts_again(n));
    n->alter = n->fill = 0;
    text_clear(field);
    if ((q->first.flags ^ n->now.flags) & EFFECT_PICK)
        what = "what is chosen from";
    else
        what = difference(n, &q->first, &n->now, field);
    if (!what)
        what = state_difference(n, q->after, again, field);
    n->spare = n->now;
    return what;
}

// ---- telling --------------------------------------------------------------

// A bug that the repetition showed beyond doubt is one of the run: a write to
// memory that nobody has, a touch of what was out of reach.
static bool take_proved(const struct making *again, struct making *first,
                        bool proved)
{
    const struct bug *b;
    vec_each(&again->bugs, b) if (proved || b->kind == BUG_ISOLATION)
    {
        vec_push(&first->bugs, *b);
        return true;
    }
    return false;
}

static void tell(struct native *n, enum bug_kind kind, const char *what,
                 const struct text *field, const char *why)
{
    struct bug *b = bug_note(n, kind, "%s%s%s %s", what,
                             field->n ? ", field " : "", text_get(field), why);
    bug_at_handler(n, b);
    b->thing = field->n ? keep_text(n, field->at) : keep_text(n, what);
}

static void tell_read(struct native *n, const char *text)
{
    bug_at_handler(n, bug_note(n, BUG_CRASH, "%s", text));
}

// A file, a descriptor or what the C library made of a regular expression is
// another one each time.
static bool tell_outside(struct native *n, const struct request *q)
{
    struct text field = {0}, why = {0};
    const char *calls = program_uncontrolled(n->program, &n->names);
    const char *what = calls ? run_altered(n, q, 0, &field) : NULL;
    n->now = q->first;
    text_format(&why,
                "differs when the handler is run again: what functions give "
                "that are run for real is not part of the state (%s)",
                calls ? calls : "");
    if (what)
        tell(n, BUG_LIMIT, what, &field, text_get(&why));
    text_free(&why);
    text_free(&field);
    return what;
}

// A freed block that makes the difference by itself, PLAY_NONE if none does.
static uint32_t block_read(struct native *n, const struct request *q)
{
    struct text field = {0};
    uint32_t found = PLAY_NONE;
    for (uint32_t i = n->freed.n; i-- > freed_first(n) && found == PLAY_NONE;) {
        n->only = i;
        if (heap_in(region_heap(n->receiver), USER_ROOM, n->freed.at[i].at) &&
            run_altered(n, q, ALTER_FREED, &field))
            found = i;
    }
    n->only = PLAY_NONE;
    text_free(&field);
    return found;
}

// What a run read, if that is memory that nobody may read; "" if it is not.
static void find_read(struct native *n, const struct request *q,
                      struct text *words)
{
    struct text field = {0};
    if (run_altered(n, q, ALTER_FREED, &field)) {
        uint32_t i = block_read(n, q);
        if (i != PLAY_NONE)
            check_describe_use(n, &n->freed.at[i], "read", words);
        else
            text_add(words, "read past the end of a block or of the actor's "
                            "struct, or other memory that is not allocated");
    } else if (run_altered(n, q, ALTER_MESSAGE, &field)) {
        text_add(words, "use of a message that is gone: an earlier handler "
                        "kept a pointer to it");
    }
    text_free(&field);
}

static bool is_output(const char *what)
{
    return what && strcmp(what, printed) == 0;
}

// The effects differ: which change of memory makes them?
static void explain_difference(struct native *n, const struct request *q,
                               const char *what, struct text *field)
{
    struct text words = {0}, other = {0};
    if (tell_outside(n, q))
        return;
    const char *unset = run_altered(n, q, ALTER_FILL, &other);
    if (!unset)
        find_read(n, q, &words);
    n->now = q->first;
    if (words.n && is_output(what))
        ; // an address was printed
    else if (words.n)
        tell_read(n, words.at);
    else
        tell(n, BUG_NONDET, what, field,
             "depends on something besides state and message");
    text_free(&words);
    text_free(&other);
}

// Once more with all changes; sealed: with the memory of all others out of
// reach. A bug that shows beyond doubt is taken.
static const char *repeat(struct native *n, struct request *q, bool sealed,
                          struct text *field, bool *taken)
{
    if (sealed)
        seal_others(n, n->receiver);
    const char *what = run_altered(n, q, ALTER_ALL, field);
    if (sealed)
        seal_lift_others(n);
    *taken = take_proved(&n->now, &q->first, n->proved);
    return what;
}

uint32_t recheck_run(struct native *n, uint32_t after, run_fn *run,
                     uint32_t state, uint32_t msg, uint32_t sender,
                     const uint16_t *picks, uint32_t n_picks)
{
    struct text field = {0};
    bool sealed = n->twice % SEALED == 0 || n->rare || n->early;
    if (n->twice++ % MEASURED == 0 || n->rare)
        task_measure(n, n->receiver, n->stack);
    check_state(n, n->receiver);
    struct request q = {run, state, msg, sender, picks, n_picks, n->now, after};
    n->beyond = n->rare ? BEYOND_RARE : BEYOND;
    bool taken;
    const char *what = repeat(n, &q, sealed, &field, &taken);
    if (what && !taken && !sealed) // is it another actor's memory?
        what = repeat(n, &q, true, &field, &taken);
    n->now = q.first;
    if (what && !taken)
        explain_difference(n, &q, what, &field);
    text_free(&field);
    return after;
}

// What a run brings, put into a message and taken out again: what it added to
// the tables, and its effect.
//
// Both sides have equal tables before the run.  Additions are made here in the
// order they were made there, so they must get the same ids; a message for
// which they do not is bad, like one whose effect names something unknown.
#include "stage/isolate_tables.h"

#include "base/wire.h"
#include "stage/tables.h"

#include <string.h>

static struct mark mark_images(const struct images *m)
{
    return (struct mark){m->at.n, m->free.n};
}

// Ids are taken from the end of the free ones, then from behind the last.
static uint32_t nth_new(const struct images *m, struct mark since, uint32_t i)
{
    uint32_t reused = since.free - m->free.n;
    return i < reused ? m->free.at[since.free - 1 - i] : since.n + i - reused;
}

static void put_images(struct text *t, const struct images *m,
                       struct mark since)
{
    uint32_t n = since.free - m->free.n + m->at.n - since.n;
    wire_put32(t, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t id = nth_new(m, since, i);
        const struct image *image = &m->at.at[id];
        wire_put32(t, id);
        wire_put(t, &image->info, sizeof image->info);
        wire_put(t, &image->key, sizeof image->key);
        wire_put32(t, image->size);
        wire_put(t, image->bytes, image->size);
    }
}

static void take_images(struct images *m, struct wire_reader *r,
                        uint32_t owners)
{
    struct play_state info;
    for (uint32_t n = wire_get32(r); n && !r->bad; n--) {
        uint32_t id = wire_get32(r);
        uint64_t key = 0;
        wire_get(r, &info, sizeof info);
        wire_get(r, &key, sizeof key);
        uint32_t size = wire_get32(r);
        const void *bytes = wire_take(r, size);
        r->bad |= info.actor >= owners && info.actor != PLAY_NONE;
        if (r->bad)
            return;
        uint32_t here =
            images_intern(m, info.actor, (struct digest){key, 0}, bytes, size);
        m->at.at[here].info = info;
        r->bad |= here != id;
    }
}

struct marks tables_mark(const struct native *n)
{
    return (struct marks){
        .actors = n->actors.n,
        .kinds = n->kinds.n,
        .classes = n->classes.n,
        .states = mark_images(&n->states),
        .msgs = mark_images(&n->msgs)};
}

static void put_actors(struct text *t, struct native *n, uint32_t from)
{
    wire_put32(t, n->actors.n - from);
    for (uint32_t i = from; i < n->actors.n; i++) {
        const struct actor *a = &n->actors.at[i];
        wire_put32(t, a->creator);
        wire_put32(t, (uint32_t)(class_of(n, a->cls) - n->classes.at));
        wire_put32(t, a->nth);
        wire_put_string(t, a->label);
    }
}

static void take_actors(struct native *n, struct wire_reader *r)
{
    for (uint32_t k = wire_get32(r); k && !r->bad; k--) {
        uint32_t id = n->actors.n;
        uint32_t creator = wire_get32(r), cls = wire_get32(r);
        uint32_t nth = wire_get32(r);
        const char *label = wire_get_string(r);
        r->bad |= creator >= id || cls >= n->classes.n;
        if (!r->bad)
            r->bad |= actor_born(n, creator, n->classes.at[cls].cls, nth) != id;
        if (!r->bad && label)
            n->actors.at[id].label = keep_text(n, label);
    }
}

// Types that no table of the program mentions, by address: it is the same.
static void put_types(struct text *t, const struct native *n,
                      const struct marks *since)
{
    wire_put32(t, n->kinds.n - since->kinds);
    for (uint32_t i = since->kinds; i < n->kinds.n; i++)
        wire_put(t, &n->kinds.at[i].type, sizeof n->kinds.at[i].type);
    wire_put32(t, n->classes.n - since->classes);
    for (uint32_t i = since->classes; i < n->classes.n; i++)
        wire_put(t, &n->classes.at[i].cls, sizeof n->classes.at[i].cls);
}

static const void *take_type(const struct native *n, struct wire_reader *r)
{
    const void *p;
    const struct range *in = &n->program->image;
    wire_get(r, &p, sizeof p);
    r->bad |= (uintptr_t)p - in->from >= in->to - in->from;
    return r->bad ? NULL : p;
}

static void take_types(struct native *n, struct wire_reader *r)
{
    const void *p;
    for (uint32_t k = wire_get32(r); k && !r->bad; k--)
        if ((p = take_type(n, r)))
            kind_of(n, p);
    for (uint32_t k = wire_get32(r); k && !r->bad; k--)
        if ((p = take_type(n, r)))
            class_of(n, p);
}

void tables_put(struct text *t, struct native *n, const struct marks *since)
{
    put_types(t, n, since);
    put_actors(t, n, since->actors);
    put_images(t, &n->msgs, since->msgs);
    put_images(t, &n->states, since->states);
}

void tables_take(struct native *n, struct wire_reader *r)
{
    take_types(n, r);
    take_actors(n, r);
    take_images(&n->msgs, r, 1);
    take_images(&n->states, r, n->actors.n);
}

// ---- effects --------------------------------------------------------------

void effect_put(struct text *t, const struct effect *e)
{
    wire_put(t, e, sizeof *e);
    wire_put(t, e->sends, e->n_sends * sizeof *e->sends);
    wire_put(t, e->births, e->n_births * sizeof *e->births);
    for (uint32_t i = 0; i < e->n_bugs; i++) {
        wire_put(t, &e->bugs[i], sizeof e->bugs[i]);
#define PUT_(name) wire_put_string(t, e->bugs[i].name);
        BUG_STRINGS(PUT_)
#undef PUT_
    }
    wire_put_string(t, e->output);
}

static const char *keep_string(struct native *n, const char *s)
{
    return s ? keep_text(n, s) : NULL;
}

static void take_bugs(struct native *n, struct wire_reader *r,
                      struct effect *out)
{
    struct bug *bugs = arena_get(&n->effects, out->n_bugs * sizeof *bugs);
    for (uint32_t i = 0; i < out->n_bugs && !r->bad; i++) {
        wire_get(r, &bugs[i], sizeof bugs[i]);
        r->bad |= bugs[i].kind >= BUG_KINDS_N;
#define TAKE_(name) bugs[i].name = keep_string(n, wire_get_string(r));
        BUG_STRINGS(TAKE_)
#undef TAKE_
    }
    out->bugs = bugs;
}

// Does it name only what is known here?
static bool fits(const struct native *n, const struct effect *e)
{
    if ((e->state >= n->states.at.n && e->state != PLAY_NONE) ||
        (e->flags & EFFECT_SHARED && e->shared >= n->states.at.n))
        return false;
    for (uint32_t i = 0; i < e->n_sends; i++)
        if (e->sends[i].sender >= n->actors.n ||
            (e->sends[i].to >= n->actors.n && e->sends[i].to != PLAY_NONE) ||
            e->sends[i].msg >= n->msgs.at.n)
            return false;
    for (uint32_t i = 0; i < e->n_births; i++)
        if (e->births[i].actor >= n->actors.n ||
            e->births[i].state >= n->states.at.n)
            return false;
    return true;
}

void effect_take(struct native *n, struct wire_reader *r, struct effect *out)
{
    struct arena *a = &n->effects;
    wire_get(r, out, sizeof *out);
    const void *sends = wire_take(r, out->n_sends * sizeof *out->sends);
    const void *births = wire_take(r, out->n_births * sizeof *out->births);
    out->sends = NULL;
    out->births = NULL;
    out->bugs = NULL;
    if (r->bad)
        return;
    if (out->n_sends)
        out->sends = arena_copy(a, sends, out->n_sends * sizeof *out->sends);
    if (out->n_births)
        out->births =
            arena_copy(a, births, out->n_births * sizeof *out->births);
    if (out->n_bugs)
        take_bugs(n, r, out);
    const char *output = wire_get_string(r);
    r->bad |= !fits(n, out);
    out->output = output && !r->bad ? arena_text(a, output) : NULL;
}

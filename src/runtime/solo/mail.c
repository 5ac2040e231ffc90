// Mail: copies of messages, the channels they are in flight in, and how they
// are lost.
//
// A channel holds the mail of one sender-receiver pair in order; it exists
// while there is some, so that a random choice among the heads of channels is
// one index.  tr_single needs no channels and has none.
#include "runtime/solo/core.h"

#include <string.h>

void tr__solo_mails_before(struct mails *l, struct mail *at, struct mail *m)
{
    m->next = at;
    m->prev = at ? at->prev : l->last;
    *(m->prev ? &m->prev->next : &l->first) = m;
    *(at ? &at->prev : &l->last) = m;
    l->n++;
}

void tr__solo_mails_add(struct mails *l, struct mail *m)
{
    tr__solo_mails_before(l, NULL, m);
}

struct mail *tr__solo_mails_take(struct mails *l, struct mail *m)
{
    if (!m)
        return NULL;
    *(m->prev ? &m->prev->next : &l->first) = m->next;
    *(m->next ? &m->next->prev : &l->last) = m->prev;
    m->next = m->prev = NULL;
    l->n--;
    return m;
}

// ---- making and losing ----------------------------------------------------

// Payload and mail are one block each, so that a sanitizer sees a payload's
// end; alignment beyond malloc's is made inside the block.
struct mail *tr__solo_mail_new(struct solo *s, const tr_msg *type, size_t size,
                               size_t align)
{
    size_t over = align > 16 ? align : 0;
    struct mail *m = tr__get_zero(&s->config, sizeof *m);
    if (!m)
        return NULL;
    m->type = type;
    if (size && !over) {
        m->payload = tr__get(&s->config, size);
    } else if (size) {
        uint64_t *raw = tr__get(&s->config, size + align + sizeof(void *));
        uintptr_t at = (uintptr_t)raw + sizeof(void *) + align - 1;
        if (raw) {
            m->payload = (void *)(at & ~(uintptr_t)(align - 1));
            ((void **)m->payload)[-1] = raw;
        }
    }
    if (size && !m->payload) {
        tr__put(&s->config, m);
        return NULL;
    }
    return m;
}

static size_t payload_size(const struct mail *m)
{
    if (m->what == SOLO_REPLY)
        return m->type->reply_size;
    return m->type ? m->type->size : 0;
}

void tr__solo_mail_free(struct solo *s, struct mail *m)
{
    bool over = m->what != SOLO_REPLY && m->type && m->type->align > 16;
    if (m->answer)
        tr__solo_mail_free(s, m->answer);
    if (m->payload && s->opt.testing)
        memset(m->payload, 0xa5, payload_size(m));
    tr__put(&s->config,
            m->payload && over ? ((void **)m->payload)[-1] : m->payload);
    tr__put(&s->config, m->clock);
    tr__put(&s->config, m);
}

void tr__solo_mail_drop(struct solo *s, struct mail *m)
{
    if (!m)
        return;
    if (m->what != SOLO_REPLY && m->type && m->type->drop && !m->moved &&
        !s->escape) {
        solo_enters(s, SOLO_DROP, 0, m->type, m->payload, NULL);
        m->type->drop(m->payload);
    }
    tr__solo_mail_free(s, m);
}

void tr__solo_fault(struct solo *s, tr_fault_kind kind, const struct mail *m)
{
    bool known = m->to && m->to < s->n_actors;
    struct actor *to = known ? s->actors[m->to] : NULL;
    tr_fault f = {.kind = kind,
                  .msg = m->type,
                  .payload = m->payload,
                  .from = solo_ref(m->from),
                  .to = solo_ref(m->to),
                  .cls = known ? s->classes[s->rows[m->to]].cls : NULL,
                  .behaviour =
                      to && to->behaviour ? to->behaviour->name : NULL};
    if (!s->ending)
        tr__fault(&s->config, &f);
}

void tr__solo_mail_dead(struct solo *s, struct mail *m)
{
    s->classes[s->rows[m->to]].stats.dead++;
    tr__solo_fault(s, TR_FAULT_STOPPED, m);
    tr__solo_mail_refuse(s, m);
}

void tr__solo_mail_refuse(struct solo *s, struct mail *m)
{
    struct mail *answer = m->answer;
    m->answer = NULL;
    tr__solo_mail_drop(s, m);
    if (answer) {
        answer->nothing = true;
        if (!tr__solo_mail_post(s, answer))
            tr__solo_future_done(s, answer->future, answer);
    }
}

// ---- channels -------------------------------------------------------------

static uint32_t bucket_of(const struct solo *s, uint32_t from, uint32_t to)
{
    uint64_t key = ((uint64_t)from << 32 | to) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(key >> 32) & (s->n_buckets - 1);
}

static void rehash(struct solo *s)
{
    uint32_t n = s->n_buckets ? 2 * s->n_buckets : 64;
    struct channel **b = tr__get_zero(&s->config, n * sizeof *b);
    if (!b)
        return; // only slower
    tr__put(&s->config, s->buckets);
    s->buckets = b;
    s->n_buckets = n;
    for (uint32_t i = 0; i < s->n_channels; i++) {
        struct channel *c = s->channels[i];
        uint32_t at = bucket_of(s, c->from, c->to);
        c->next = b[at];
        b[at] = c;
    }
}

static struct channel *channel_new(struct solo *s, uint32_t from, uint32_t to)
{
    struct channel *c = s->spare_channels;
    uint32_t at;
    if (!tr__solo_room(s, &s->channels, &s->cap_channels, s->n_channels + 1,
                       sizeof *s->channels))
        return NULL;
    if (c)
        s->spare_channels = c->next;
    else if (!(c = tr__get(&s->config, sizeof *c)))
        return NULL;
    at = bucket_of(s, from, to);
    *c = (struct channel){.from = from, .to = to, .next = s->buckets[at]};
    c->at = s->n_channels;
    s->buckets[at] = c;
    s->channels[s->n_channels++] = c;
    return c;
}

static struct channel *channel_of(struct solo *s, uint32_t from, uint32_t to)
{
    if (s->n_channels >= s->n_buckets)
        rehash(s);
    if (!s->n_buckets)
        return NULL;
    for (struct channel *c = s->buckets[bucket_of(s, from, to)]; c; c = c->next)
        if (c->from == from && c->to == to)
            return c;
    return channel_new(s, from, to);
}

static void channel_close(struct solo *s, struct channel *c)
{
    struct channel **p = &s->buckets[bucket_of(s, c->from, c->to)];
    while (*p != c)
        p = &(*p)->next;
    *p = c->next;
    s->channels[c->at] = s->channels[--s->n_channels];
    s->channels[c->at]->at = c->at;
    c->next = s->spare_channels;
    s->spare_channels = c;
}

static void channel_take(struct solo *s, struct mail *m)
{
    struct channel *c = m->channel;
    struct mail **p = &c->first, *before = NULL;
    while (*p != m) {
        before = *p;
        p = &before->behind;
    }
    *p = m->behind;
    if (c->last == m)
        c->last = before;
    m->behind = NULL;
    m->channel = NULL;
    if (!c->first)
        channel_close(s, c);
}

// ---- in flight ------------------------------------------------------------

// The send is an event of its sender; the mail knows all sends it depends on.
static bool stamp(struct solo *s, struct mail *m)
{
    struct actor *a = s->actors[m->from];
    if (s->opt.delivery != SOLO_CAUSAL || !s->opt.choose || !a)
        return true;
    if (!tr__solo_room(s, &a->clock, &a->n_clock, m->from + 1,
                       sizeof *a->clock))
        return false;
    m->clock = tr__get(&s->config, a->n_clock * sizeof *m->clock);
    if (!m->clock)
        return false;
    a->clock[m->from]++;
    m->n_clock = a->n_clock;
    memcpy(m->clock, a->clock, a->n_clock * sizeof *m->clock);
    return true;
}

static void count(struct solo *s, struct actor *to, struct mail *m)
{
    tr_stats *stats = tr__solo_stats(s, to);
    m->counted = true;
    if (++to->waiting > to->most)
        to->most = to->waiting;
    if (stats->high_water < to->most)
        stats->high_water = to->most;
}

bool tr__solo_mail_post(struct solo *s, struct mail *m)
{
    struct actor *to = s->actors[m->to];
    bool channels = s->opt.random || s->opt.choose;
    struct channel *c = channels ? channel_of(s, m->from, m->to) : NULL;
    if ((channels && !c) || !stamp(s, m)) {
        if (c && !c->first)
            channel_close(s, c);
        return false;
    }
    m->nr = ++s->last_nr;
    tr__solo_mails_add(&s->flight, m);
    if (c) {
        *(c->last ? &c->last->behind : &c->first) = m;
        c->last = m;
        m->channel = c;
    }
    if (to && !to->stopped && m->what == SOLO_MESSAGE)
        count(s, to, m);
    s->effects++;
    return true;
}

static void learn(struct solo *s, struct actor *a, const uint32_t *clock,
                  uint32_t n)
{
    if (!tr__solo_room(s, &a->clock, &a->n_clock, n, sizeof *a->clock))
        return;
    for (uint32_t i = 0; i < n; i++)
        if (a->clock[i] < clock[i])
            a->clock[i] = clock[i];
}

void tr__solo_learn(struct solo *s, struct actor *a, const struct actor *from)
{
    learn(s, a, from->clock, from->n_clock);
}

void tr__solo_mail_landed(struct solo *s, struct mail *m)
{
    struct actor *to = s->actors[m->to];
    if (m == s->flying_at)
        s->flying_at = NULL;
    tr__solo_mails_take(&s->flight, m);
    if (m->channel)
        channel_take(s, m);
    if (!m->clock || !to)
        return;
    learn(s, to, m->clock, m->n_clock);
    tr__put(&s->config, m->clock);
    m->clock = NULL;
}

void tr__solo_mail_release(struct solo *s)
{
    while (s->flight.first) {
        struct mail *m = s->flight.first;
        tr__solo_mail_landed(s, m);
        tr__solo_mail_drop(s, m);
    }
    while (s->spare_channels) {
        struct channel *c = s->spare_channels;
        s->spare_channels = c->next;
        tr__put(&s->config, c);
    }
    tr__put(&s->config, s->channels);
    tr__put(&s->config, s->buckets);
}

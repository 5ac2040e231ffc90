// The operations that send: send, try_send, ask, reply, watch.
//
// Ownership (troupe.h, tr_msg): with .copy the mail owns a deep copy and the
// sender keeps its own; with .drop alone the mail takes over, so a message that
// cannot be sent is dropped here, and one sent on from its handler is not
// dropped after it.
#include "runtime/solo/core.h"

#include <string.h>

// The payload is lost before a mail was made of it.
static void lose(struct solo_ctx *x, const tr_msg *type, const void *payload)
{
    if (x->mail && payload == x->mail->payload)
        return; // still owned by the mail it came in
    if (type->drop && !type->copy) {
        solo_enters(x->solo, SOLO_DROP, 0, type, payload, NULL);
        type->drop((void *)(uintptr_t)payload);
    }
}

static struct mail *wrap(struct solo_ctx *x, uint32_t to, const tr_msg *type,
                         const void *payload)
{
    struct mail *m = tr__solo_mail_new(x->solo, type, type->size, type->align);
    if (!m)
        return NULL;
    m->to = to;
    m->from = x->self->id;
    memcpy(m->payload, payload, type->size);
    solo_copied(x->solo, m->payload, payload, type->size);
    return m;
}

static void own(struct solo_ctx *x, struct mail *m, const void *payload)
{
    if (m->type->copy) {
        solo_enters(x->solo, SOLO_COPY, 0, m->type, m->payload, payload);
        m->type->copy(m->payload, payload);
    } else if (x->mail && payload == x->mail->payload)
        x->mail->moved = true;
}

static void fault(struct solo_ctx *x, tr_fault_kind kind, uint32_t to,
                  const tr_msg *type, const void *payload)
{
    struct mail m = {.type = type,
                     .to = to,
                     .from = x->self->id,
                     .payload = (void *)(uintptr_t)payload};
    tr__solo_fault(x->solo, kind, &m);
}

struct mail *tr__solo_mail_take(struct solo_ctx *x, uint32_t to,
                                const tr_msg *type, const void *payload)
{
    struct mail *m = wrap(x, to, type, payload);
    if (m) {
        own(x, m, payload);
        return m;
    }
    fault(x, TR_FAULT_NOMEM, to, type, payload);
    lose(x, type, payload);
    return NULL;
}

static bool full(struct solo *s, uint32_t to)
{
    struct actor *a = s->actors[to];
    return a && !a->stopped && a->cls && a->cls->mailbox &&
           a->waiting >= a->cls->mailbox;
}

// An outside sender that asked to wait lets the system run until there is room.
static bool refused(struct solo_ctx *x, uint32_t to)
{
    while (full(x->solo, to)) {
        if (x->self != x->solo->env || !x->block || !tr__solo_step(x->solo))
            return true;
    }
    return false;
}

// 0, or why nothing has happened.
static int put(struct solo_ctx *x, tr_ref ref, const tr_msg *type,
               const void *payload, struct mail *answer)
{
    struct solo *s = x->solo;
    uint32_t to = tr__solo_id(ref);
    struct mail *m;
    if (!ref || to >= s->n_actors)
        return TR_EINVAL;
    if (refused(x, to))
        return TR_EFULL;
    m = wrap(x, to, type, payload);
    if (!m)
        return TR_ENOMEM;
    m->answer = answer;
    m->future = answer ? answer->future : 0;
    if (!tr__solo_mail_post(s, m)) {
        m->answer = NULL;
        tr__solo_mail_free(s, m);
        return TR_ENOMEM;
    }
    own(x, m, payload);
    if (x->self->cls)
        tr__solo_stats(s, x->self)->sent++;
    return 0;
}

static tr_fault_kind fault_of(int error)
{
    return error == TR_EFULL    ? TR_FAULT_OVERFLOW
           : error == TR_ENOMEM ? TR_FAULT_NOMEM
                                : TR_FAULT_NOBODY;
}

void tr__solo_send(tr_ctx *ctx, tr_ref ref, const tr_msg *type,
                   const void *payload)
{
    struct solo_ctx *x = solo_ctx_of(ctx);
    int error;
    if (x->solo->ending) {
        lose(x, type, payload);
        return;
    }
    error = put(x, ref, type, payload, NULL);
    if (error) {
        fault(x, fault_of(error), tr__solo_id(ref), type, payload);
        lose(x, type, payload);
    }
}

int tr__solo_try_send(tr_ctx *ctx, tr_ref ref, const tr_msg *type,
                      const void *payload)
{
    struct solo_ctx *x = solo_ctx_of(ctx);
    struct actor *a = tr__solo_actor(x->solo, ref);
    if (x->solo->ending || x->solo->shutdown)
        return TR_ESHUTDOWN;
    if (ref && (!a || a->stopped))
        return TR_ESTOPPED;
    return put(x, ref, type, payload, NULL);
}

static struct mail *answer_new(struct solo *s, const tr_msg *type,
                               uint32_t asker, uint32_t asked, uint64_t future)
{
    struct mail *m = tr__solo_mail_new(s, type, type->reply_size, 16);
    if (m) {
        m->what = SOLO_REPLY;
        m->to = asker;
        m->from = asked;
        m->future = future;
    }
    return m;
}

// A timer without a message limits the wait.
static bool limit(struct solo *s, struct actor *a, uint64_t future, uint64_t ms)
{
    struct mail *m = tr__solo_mail_new(s, NULL, 0, 1);
    if (!m)
        return false;
    m->to = m->from = a->id;
    m->future = future;
    tr__solo_future_of(s, future)->limit = tr__solo_timer_set(s, a, ms, m);
    if (!tr__solo_future_of(s, future)->limit) {
        tr__solo_mail_free(s, m);
        return false;
    }
    return true;
}

tr_future tr__solo_ask(tr_ctx *ctx, tr_ref ref, const tr_msg *type,
                       const void *payload, uint64_t within_ms)
{
    struct solo_ctx *x = solo_ctx_of(ctx);
    struct solo *s = x->solo;
    uint32_t to = tr__solo_id(ref);
    uint64_t f = s->ending ? 0 : tr__solo_future_new(s, x->self);
    struct mail *answer = f ? answer_new(s, type, x->self->id, to, f) : NULL;
    int error = answer ? 0 : TR_ENOMEM;
    if (f) {
        tr__solo_future_of(s, f)->request = type;
        tr__solo_future_of(s, f)->asked = to;
    }
    if (answer && within_ms && !limit(s, x->self, f, within_ms))
        error = TR_ENOMEM;
    if (!error)
        error = put(x, ref, type, payload, answer);
    if (error) {
        fault(x, fault_of(error), to, type, payload);
        lose(x, type, payload);
        if (answer)
            tr__solo_mail_free(s, answer);
        if (f)
            tr__solo_future_free(s, f);
        return NULL;
    }
    return (tr_future)(uintptr_t)f;
}

void tr__solo_reply(tr_ctx *ctx, const tr_msg *request, const void *payload,
                    size_t size)
{
    struct solo_ctx *x = solo_ctx_of(ctx);
    struct mail *m = x->mail, *answer;
    if (!m || m->type != request || !m->future || m->answered) {
        fault(x, TR_FAULT_REPLY, x->self->id, request, NULL);
        return;
    }
    answer = m->answer;
    m->answer = NULL;
    m->answered = true;
    memcpy(answer->payload, payload, size);
    solo_copied(x->solo, answer->payload, payload, size);
    if (x->self->cls)
        tr__solo_stats(x->solo, x->self)->sent++;
    if (!tr__solo_mail_post(x->solo, answer)) {
        fault(x, TR_FAULT_NOMEM, answer->to, request, NULL);
        answer->nothing = true;
        tr__solo_future_done(x->solo, answer->future, answer);
    }
}

// The watch goes to the watched, and comes back as the notice.
void tr__solo_watch(tr_ctx *ctx, tr_ref ref, const tr_msg *type,
                    const void *payload)
{
    struct solo_ctx *x = solo_ctx_of(ctx);
    uint32_t to = tr__solo_id(ref);
    struct mail *m;
    if (!ref || to >= x->solo->n_actors || x->solo->ending) {
        fault(x, TR_FAULT_NOBODY, 0, type, payload);
        lose(x, type, payload);
        return;
    }
    m = tr__solo_mail_take(x, to, type, payload);
    if (!m)
        return;
    m->what = SOLO_WATCH;
    if (!tr__solo_mail_post(x->solo, m)) {
        tr__solo_fault(x->solo, TR_FAULT_NOMEM, m);
        tr__solo_mail_drop(x->solo, m);
    }
}

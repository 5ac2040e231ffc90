// The threads manager without memory: the 1st, 2nd, 3rd ... allocation fails,
// until the job is done without one that did.
#include "troupe_short.h"
#include "test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum { COUNTERS = 64 * 8 * 8 }; // bytes of a page of counters

struct memory {
    pthread_mutex_t lock;
    long until; // this many more allocations succeed; negative: all
    long fired, live, calls;
    size_t refused; // the last size
    _Atomic int nomem;
    bool lasting; // from then on all fail
};

static void *fail_at(void *user, void *p, size_t size)
{
    struct memory *m = user;
    void *q = NULL;
    bool fail;
    pthread_mutex_lock(&m->lock);
    if (size == 0) {
        m->live--;
        pthread_mutex_unlock(&m->lock);
        free(p);
        return NULL;
    }
    m->calls++;
    fail = m->until == 0;
    if (m->until > 0 || (m->until == 0 && !m->lasting))
        m->until--;
    m->fired += fail;
    if (fail)
        m->refused = size;
    if (!fail) {
        q = realloc(p, size);
        m->live += q && !p;
    }
    pthread_mutex_unlock(&m->lock);
    return q;
}

static void on_fault(void *user, const tr_fault *f)
{
    struct memory *m = user;
    if (f->kind == TR_FAULT_NOMEM)
        atomic_fetch_add(&m->nomem, 1);
}

static void on_log(void *user, tr_level level, const char *text)
{
    (void)user, (void)level, (void)text;
}

// ---- a program that uses everything that allocates ------------------------

TR_PROTOCOL(maker, go, child_gone, tick, unlock);
TR_PROTOCOL(child, question, later, bulk, end);
TR_SIGNAL(go);
TR_SIGNAL(child_gone);
TR_SIGNAL(tick);
TR_SIGNAL(unlock);
struct number {
    long value;
};
struct question {
    long n;
};
TR_REQUEST(question, number);
TR_SIGNAL(later);
TR_SIGNAL(end);
static void bulk_drop(void *);
struct bulk {
    char *text;
    char bytes[4000];
};
TR_MESSAGE(bulk, .drop = bulk_drop);
static void bulk_drop(void *payload)
{
    free(((struct bulk *)payload)->text);
}

struct child {
    char large[300];
    int later;
};
TR_HANDLER(child, question)
{
    if (msg->n % 2)
        await_until(self->later > 0);
    reply(question, .value = msg->n);
}
TR_HANDLER(child, later)
{
    self->later++;
}
TR_HANDLER(child, bulk)
{
    self->later += msg->text[0] != 0;
}
TR_HANDLER(child, end)
{
    stop();
}
TR_BEHAVIOUR(child, on, TR_ON(question, child_question),
             TR_ON(later, child_later), TR_ON(bulk, child_bulk),
             TR_ON(end, child_end));
TR_CLASS(child, .start = &child_on);

struct maker {
    long sum;
    int gone, ticks;
};
TR_STATES(maker, locked, on);
TR_HANDLER(maker, go)
{
    child_ref c = spawn(child), d = spawn(child);
    const struct number *v;
    TR_FUTURE(question) f;
    if (!c || !d)
        return;
    watch(c, maker, child_gone);
    send(c, bulk, .text = strdup("text"));
    send_after(1, me(maker), tick);
    send_after(30, me(maker), tick); // ends with us
    every(5, me(maker), tick);
    f = ask(c, question, .n = 2);
    v = get(f);
    self->sum += v ? v->value : 0;
    f = ask_within(20, d, question, .n = 1);
    send(d, later);
    v = await(f);
    self->sum += v ? v->value : 0;
    send(c, end);
    expose(d);
    stop();
}
TR_HANDLER(maker, child_gone)
{
    self->gone++;
}
TR_HANDLER(maker, tick)
{
    self->ticks++;
}
TR_HANDLER(maker, unlock)
{
    become(maker, on);
}
TR_BEHAVIOUR(maker, locked, TR_DEFER(go), TR_ON(unlock, maker_unlock));
TR_BEHAVIOUR(maker, on, TR_ON(go, maker_go),
             TR_ON(child_gone, maker_child_gone), TR_ON(tick, maker_tick));
TR_CLASS(maker, .start = &maker_locked);

static int job(struct memory *m, uint32_t threads)
{
    tr_runtime *r;
    tr_ctx *ctx;
    maker_ref a;
    child_ref c;
    int error = tr_start_(NULL,
                          &(tr_config){.threads = threads,
                                       .params = "n=1",
                                       .user = m,
                                       .alloc = fail_at,
                                       .on_fault = on_fault,
                                       .on_log = on_log},
                          &r);
    if (error)
        return error;
    ctx = tr_enter(r);
    if (!ctx) {
        tr_end(r);
        return TR_ENOMEM;
    }
    a = spawn(maker);
    c = spawn(child);
    if (a) {
        send(a, go);
        send(a, unlock);
    }
    if (c) {
        char *text = strdup("mine");
        get(ask_within(50, c, question, .n = 4));
        if (tr_try_send(ctx, c, bulk, .text = text) == TR_ENOMEM) {
            free(text);
            atomic_fetch_add(&m->nomem, 1);
        }
        cancel(send_after(100000, c, later));
        expose(c);
    }
    if (m->lasting) { // some handler may wait for memory
        usleep(20000);
        tr_shutdown(r);
    } else {
        drain();
    }
    tr_leave(ctx);
    tr_end(r);
    return 0;
}

static void fail_each(bool lasting, uint32_t threads)
{
    long fired = 0, errors = 0, silent = 0, faults = 0, n = 0;
    for (;; n++) {
        struct memory m = {.until = n, .lasting = lasting};
        int error;
        pthread_mutex_init(&m.lock, NULL);
        error = job(&m, threads);
        CHECK(error == 0 || error == TR_ENOMEM);
        CHECK_EQ(m.live, 0);
        // Only counters do without memory in silence.
        silent += m.fired > 0 && !error && !m.nomem && m.refused != COUNTERS;
        pthread_mutex_destroy(&m.lock);
        fired += m.fired;
        errors += error != 0;
        faults += m.nomem;
        if (m.fired == 0)
            break;
    }
    CHECK(n > 15); // the job allocates, and each of them was refused once
    CHECK(fired >= n);
    CHECK(errors > 3);
    CHECK(faults > 3);
    CHECK_EQ(silent, 0);
}

TEST(one_allocation_fails)
{
    fail_each(false, 1);
    fail_each(false, 2);
}

TEST(all_fail_from_some_point_on)
{
    fail_each(true, 1);
}

TEST_MAIN()

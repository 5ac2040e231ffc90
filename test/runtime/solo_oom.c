// Out of memory at every allocation: the job is run with the 1st, 2nd, 3rd...
// allocation failing until it succeeds.  It must never crash, leak or hang, and
// what was refused must have been told.
#include "troupe_short.h"

#include "runtime/solo/solo.h"
#include "test.h"

#include <stdlib.h>

struct text {
    char *s;
};
static int owned;
static void text_copy(void *to, const void *from)
{
    (void)from;
    ((struct text *)to)->s = malloc(8);
    owned++;
}
static void text_drop(void *p)
{
    free(((struct text *)p)->s);
    owned--;
}
TR_MESSAGE(text, .copy = text_copy, .drop = text_drop);
struct gift {
    char *s;
};
static void gift_drop(void *p)
{
    free(((struct gift *)p)->s);
    owned--;
}
TR_MESSAGE(gift, .drop = gift_drop);
static char *present(void)
{
    owned++;
    return malloc(8);
}

TR_SIGNAL(go);
TR_SIGNAL(tick);
TR_SIGNAL(gone);
TR_SIGNAL(wake);
struct answer {
    int n;
};
struct question {
    int n;
};
TR_REQUEST(question, answer);

TR_PROTOCOL(helper, question, text, gift, go);
struct helper {
    int texts;
};
TR_STATES(helper, shut, open);
TR_HANDLER(helper, question)
{
    reply(question, .n = msg->n + 1);
}
TR_HANDLER(helper, text)
{
    self->texts++;
}
TR_HANDLER(helper, gift)
{
    self->texts++;
}
TR_HANDLER(helper, go)
{
    become(helper, open);
    if (self->texts)
        stop();
}
TR_BEHAVIOUR(helper, shut, TR_DEFER(text), TR_DEFER(gift), TR_ON(go, helper_go),
             TR_ON(question, helper_question));
TR_BEHAVIOUR(helper, open, TR_ON(text, helper_text), TR_ON(gift, helper_gift),
             TR_ON(go, helper_go), TR_ON(question, helper_question));
TR_CLASS(helper, .start = &helper_shut);

TR_PROTOCOL(user, go, tick, gone, wake);
struct user {
    helper_ref helper;
    int answers, ticks, gone;
};
TR_HANDLER(user, go)
{
    helper_ref h = spawn(helper);
    const struct answer *a;
    tr_timer t;
    self->helper = h;
    watch(h, user, gone);
    send(h, text, .s = NULL);
    send(h, gift, .s = present());
    a = await(ask(h, question, .n = 1));
    self->answers += a ? a->n : 0;
    a = get(ask_within(50, h, question, .n = 2));
    self->answers += a ? a->n : 0;
    send_after(5, me(user), tick);
    t = send_after(6, me(user), tick);
    cancel(t);
    every(7, me(user), wake);
    send(h, go);
    send(h, go);
    send(me(user), wake);
}
TR_HANDLER(user, tick)
{
    self->ticks++;
}
TR_HANDLER(user, gone)
{
    self->gone++;
}
TR_BEHAVIOUR(user, on, TR_ON(go, user_go), TR_ON(tick, user_tick),
             TR_ON(gone, user_gone), TR_IGNORE(wake));
TR_CLASS(user, .start = &user_on);

struct memory {
    long left;     // allocations until one fails; < 0: none does
    bool failed;   // it did
    long live;     // blocks
    int faults[8]; // told
};

static void *limited(void *user, void *p, size_t size)
{
    struct memory *m = user;
    if (!size) {
        m->live--;
        free(p);
        return NULL;
    }
    if (m->left == 0 && !m->failed) {
        m->failed = true;
        return NULL;
    }
    m->left--;
    m->live += !p;
    return realloc(p, size);
}

static void on_fault(void *user, const tr_fault *f)
{
    ((struct memory *)user)->faults[f->kind]++;
}

static void quiet(void *user, tr_level level, const char *text)
{
    (void)user, (void)level, (void)text;
}

// The whole job; true if all of it was done.
static bool job(const tr_manager *manager, enum solo_delivery delivery,
                struct memory *m)
{
    tr_config c = {.manager = manager,
                   .seed = 5,
                   .params = "n=1",
                   .user = m,
                   .on_fault = on_fault,
                   .on_log = quiet,
                   .alloc = limited};
    tr_runtime *r = NULL;
    tr_ctx *ctx;
    bool done = false;
    int error = tr_start_(NULL, &c, &r);
    (void)delivery;
    if (error) {
        CHECK_EQ(error, TR_ENOMEM);
        CHECK(r == NULL);
        return false;
    }
    ctx = tr_enter(r);
    if (ctx) {
        user_ref u = spawn(user);
        const struct user *s;
        expose(u);
        if (u) {
            send(u, go);
            drain();
            s = peek(user, u);
            done = s && s->answers == 5 && s->ticks == 1 && s->gone == 1 &&
                   receptionist(user, "u") == u;
        }
        tr_leave(ctx);
    }
    tr_end(r);
    return done;
}

static void every_allocation(const tr_manager *manager)
{
    int failures = 0, untold = 0;
    for (long i = 0; i < 1000; i++) {
        struct memory m = {.left = i};
        bool done;
        owned = 0;
        done = job(manager, SOLO_PAIR, &m);
        CHECK_EQ(m.live, 0);
        CHECK_EQ(owned, 0);
        if (!m.failed) {
            CHECK(done);
            break;
        }
        failures++;
        untold += !done && !m.faults[TR_FAULT_NOMEM];
    }
    CHECK(failures > 30); // the faults really fired
    // Opening, entering and exposing tell by their result or the log.
    CHECK(untold < failures / 2);
}

TEST(single_survives_every_failing_allocation)
{
    every_allocation(&tr_single);
}

TEST(random_survives_every_failing_allocation)
{
    every_allocation(&tr_random);
}

TEST_MAIN()

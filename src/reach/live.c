#include "reach/live.h"

#include "base/child.h"
#include "base/map.h"
#include "base/text.h"
#include "program/program.h"
#include "program/values.h"
#include "runtime/seam.h"
#include "runtime/solo/solo.h"
#include "stage/guest.h"
#include "testlib/script.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT_S = 120 };

struct live {
    const struct program *program;
    const struct test_case *c;
    enum delivery delivery;
    tr_runtime *runtime;
    tr_ctx *ctx;
    struct values *values;
    struct script script;
    bool astray;
    uint32_t post, sent; // the next post, and how often it was sent
    struct map ahead;    // by actor: posted and not received
};

// ---- following --------------------------------------------------------------

static uint32_t on_choose(void *user, const struct solo_option *o, uint32_t n)
{
    struct live *l = user;
    uint32_t i = script_choose(&l->script, l->runtime, o, n);
    if (i == UINT32_MAX && !l->script.misfit)
        return (uint32_t)SOLO_NOTHING; // the body's turn
    if (i == UINT32_MAX) {
        l->astray = true;
        tr_shutdown(l->runtime);
        return 0;
    }
    return i;
}

static uint32_t on_pick(void *user, uint32_t n)
{
    struct live *l = user;
    struct solo_now now;
    uint32_t pick = 0;
    script_pick(&l->script, !tr__solo_now(l->runtime, &now), n, &pick);
    return pick;
}

static void on_bug(void *user, const struct solo_bug *b)
{
    (void)user;
    (void)b;
}

static void on_fault(void *user, const tr_fault *f)
{
    (void)user;
    (void)f;
}

// ---- memory that runs out ---------------------------------------------------

static bool on_refuse(void *user)
{
    return on_pick(user, 2) == 1;
}

static void *on_get(void *user, size_t size, size_t align)
{
    void *p = NULL;
    (void)user;
    if (posix_memalign(&p, align, size ? size : 1) == 0)
        memset(p, 0, size);
    return p;
}

static void on_put(void *user, void *p)
{
    (void)user;
    free(p);
}

static size_t on_size(void *user, const void *p)
{
    (void)user;
    return malloc_usable_size((void *)(uintptr_t)p);
}

// The C library's blocks are given back to it.
static bool on_owns(void *user, const void *p)
{
    (void)user;
    (void)p;
    return false;
}

// ---- posting ----------------------------------------------------------------

static bool ref_of(void *user, const char *name, uintptr_t *out)
{
    struct live *l = user;
    *out = (uintptr_t)tr_receptionist_(l->ctx, name, NULL);
    return *out != 0;
}

static void *block_of(void *user, size_t size)
{
    (void)user;
    return calloc(1, size);
}

// The actor it goes to, by id; 0: nobody.
static uint32_t send_next(struct live *l)
{
    const struct case_post *p = &l->c->posts.at[l->post];
    const tr_msg *type = program_msg(l->program, p->msg);
    tr_ref to = tr_receptionist_(l->ctx, p->to, NULL);
    struct values_makers makers = {.user = l, .ref = ref_of, .block = block_of};
    if (++l->sent == p->times) {
        l->sent = 0;
        l->post++;
    }
    if (!type || !to)
        return 0;
    void *payload = calloc(1, type->size + 16ul);
    if (payload && values_parse(l->values, type->name, p->fields, payload,
                                type->size, &makers, NULL))
        tr_send_(l->ctx, to, type, payload);
    free(payload);
    return tr__solo_id(to);
}

static bool is_from_test(const struct words_step *s)
{
    return s->sender && strcmp(s->sender, "test") == 0;
}

static uint32_t *ahead_of(struct live *l, uint32_t actor)
{
    uint32_t *n = map_at(&l->ahead, actor);
    if (*n == MAP_NONE)
        *n = 0;
    return n;
}

// The actor of this name that a post is on its way to, 0: none.
static uint32_t awaits(struct live *l, const char *actor)
{
    char name[512];
    for (uint32_t a = 1; tr__solo_class(l->runtime, a); a++)
        if (map_get(&l->ahead, a) != MAP_NONE && *ahead_of(l, a) &&
            strcmp(tr__solo_name(l->runtime, a, name, sizeof name), actor) == 0)
            return a;
    return 0;
}

// Send posts until the message that this step receives is on its way.
static void send_for(struct live *l, const struct words_step *s)
{
    uint32_t to = awaits(l, s->actor);
    while (!to && l->post < l->c->posts.n) {
        ++*ahead_of(l, send_next(l));
        to = awaits(l, s->actor);
    }
    if (to)
        --*ahead_of(l, to);
}

static void play(struct live *l)
{
    const tr_system *system = program_system(l->program, l->c->test);
    system->setup(l->ctx);
    while (script_left(&l->script) && !l->astray) {
        const struct words_step *s = &l->script.steps.at[l->script.at];
        if (is_from_test(s))
            send_for(l, s);
        if (!tr_deliver_one_(l->ctx))
            break;
    }
    while (l->post < l->c->posts.n && !l->astray)
        send_next(l);
}

static bool open_runtime(struct live *l, const char *params)
{
    static const enum solo_delivery models[] = {[DELIVERY_PAIR] = SOLO_PAIR,
                                                [DELIVERY_ANY] = SOLO_ANY,
                                                [DELIVERY_CAUSAL] = SOLO_CAUSAL,
                                                [DELIVERY_MAILBOX] =
                                                    SOLO_MAILBOX};
    struct solo_options opt = {.user = l,
                               .delivery = models[l->delivery],
                               .choose = on_choose,
                               .pick = on_pick,
                               .on_bug = on_bug,
                               .ticks = l->c->ticks,
                               .testing = true};
    tr_config c = {.params = params, .user = l, .on_fault = on_fault};
    if (tr__solo_open(&opt, &c, &l->runtime) != 0)
        return false;
    l->ctx = tr_enter(l->runtime);
    return l->ctx;
}

static void follow(void *self, int fd)
{
    struct live *l = self;
    struct text params = {0}, reply = {0};
    for (uint32_t i = 0; i < l->c->params.n; i++)
        text_format(&params, "%s ", l->c->params.at[i]);
    for (uint32_t i = 0; i < l->c->steps.n; i++) {
        vec_push(&l->script.steps, l->c->steps.at[i]);
        vec_push(&l->script.done, script_passes(&l->c->steps.at[i]));
    }
    l->script.strict = true;
    l->values = values_new(l->program);
    struct guest_host host = {.user = l,
                              .get = on_get,
                              .put = on_put,
                              .size = on_size,
                              .owns = on_owns,
                              .refuses = on_refuse};
    if (!open_runtime(l, text_get(&params)))
        return;
    if (l->c->alloc_fails)
        guest_use(&host);
    play(l);
    guest_use(NULL);
    wire_begin(&reply, 0);
    wire_put32(&reply, !l->astray && !script_left(&l->script));
    wire_put32(&reply, l->script.at);
    wire_send(fd, &reply);
}

bool live_replay(const struct program *p, const struct test_case *c,
                 enum delivery d, struct live_outcome *out)
{
    struct live l = {.program = p, .c = c, .delivery = d};
    struct child_plan plan = {
        .body = follow, .self = &l, .signals = CHILD_DIES, .quiet = true};
    struct wire_in in = {0};
    struct wire_message m;
    int status;
    enum child_answer answer = child_ask(&plan, LIMIT_S, &in, &m, &status);
    *out = (struct live_outcome){.died = answer == CHILD_DIED,
                                 .fits = answer == CHILD_DIED};
    if (answer == CHILD_ANSWERED) {
        out->fits = wire_get32(&m.body);
        out->at = wire_get32(&m.body);
    }
    wire_free(&in);
    return answer != CHILD_LATE;
}

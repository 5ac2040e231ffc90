// Random actor programs as C source: generate COUNT SEED [LEFT_OUT...].
//
// Prints COUNT programs, those of the seeds SEED, SEED + 1, ...; the program of
// seed s is the test gS with the classes gSa, gSb, ... and depends on s alone.
// A program uses a random part of the library's words, so that each meets each
// other somewhere.  Every message carries how many more messages may follow
// from it, values are below 4: runs end and states meet again.
//
// Every statement has a number, in order.  Those named by LEFT_OUT are made
// and then taken back, so that the rest stays as it was: the reducer drives it.
//
// All classes accept all messages, and references are kept as those of `peer`,
// a protocol without actors.
#include "base/rng.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS(X)                                                               \
    X(SPAWN)                                                                   \
    X(BECOME)                                                                  \
    X(STOP)                                                                    \
    X(WATCH)                                                                   \
    X(TIMER)                                                                   \
    X(CANCEL)                                                                  \
    X(AWAIT)                                                                   \
    X(GET)                                                                     \
    X(WITHIN)                                                                  \
    X(UNTIL)                                                                   \
    X(CHOOSE)                                                                  \
    X(ASSERT)                                                                  \
    X(HEAP)                                                                    \
    X(HOOKS)                                                                   \
    X(SENDER)                                                                  \
    X(BODY)                                                                    \
    X(HOLES)                                                                   \
    X(LOG)                                                                     \
    X(FUTURE)                                                                  \
    X(IDS)                                                                     \
    X(PACKED)                                                                  \
    X(EXPOSE)                                                                  \
    X(EVERY)

enum word {
#define WORD_(name) W_##name,
    WORDS(WORD_)
#undef WORD_
        WORDS_N
};

enum { MAX_TEXT = 1 << 16, INVARIANT_BATCH = 25, MESSAGES = 7 };
static const char *const message[MESSAGES] = {"m0",   "m1", "m2", "tick",
                                              "gone", "q0", "q1"};
enum { OWNER = 2, PLAIN = 3, TICK = 3, GONE = 4, REQUEST = 5 };

struct gen {
    struct rng r;
    unsigned words; // 1 << enum word
    unsigned seed;
    int classes, behaviours[3];
    int cls, statement;
    int at;                // message of the handler at hand
    bool request, replied; // the handler at hand
    const int *left_out;
    int n_left_out;
    char text[MAX_TEXT];
    size_t n;
    int depth;
};

static uint32_t below(struct gen *g, uint32_t n)
{
    return rng_below(&g->r, n);
}

static bool has(const struct gen *g, enum word w)
{
    return g->words >> w & 1;
}

__attribute__((format(printf, 2, 3))) static void put(struct gen *g,
                                                      const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(g->text + g->n, MAX_TEXT - g->n, format, args);
    va_end(args);
    if (n < 0 || (size_t)n >= MAX_TEXT - g->n) {
        fprintf(stderr, "generate: program %u is too long\n", g->seed);
        exit(1);
    }
    g->n += (size_t)n;
}

static void indent(struct gen *g)
{
    put(g, "%*s", 4 * g->depth, "");
}

__attribute__((format(printf, 2, 3))) static void line(struct gen *g,
                                                       const char *format, ...)
{
    char s[512];
    va_list args;
    va_start(args, format);
    vsnprintf(s, sizeof s, format, args);
    va_end(args);
    indent(g);
    put(g, "%s\n", s);
}

static bool left_out(const struct gen *g, int statement)
{
    for (int i = 0; i < g->n_left_out; i++)
        if (g->left_out[i] == statement)
            return true;
    return false;
}

// ---- expressions ------------------------------------------------------------

struct text {
    char s[96];
};

static struct text value(struct gen *g)
{
    struct text t;
    unsigned k = below(g, 4);
    switch (below(g, 6)) {
    case 0:
    case 1:
        snprintf(t.s, sizeof t.s, "%u", k);
        break;
    case 2:
        snprintf(t.s, sizeof t.s, "msg->v");
        break;
    case 3:
        snprintf(t.s, sizeof t.s, "self->x");
        break;
    case 4:
        snprintf(t.s, sizeof t.s, "(msg->v + %u) %% 4", k);
        break;
    default:
        snprintf(t.s, sizeof t.s, "(self->x + msg->v) %% 4");
        break;
    }
    return t;
}

static struct text reference(struct gen *g)
{
    static const char *const form[] = {
        "SOME(self->a)", "SOME(self->a)", "SOME(self->b)", "SOME(self->b)",
        "SOME(msg->to)", "SOME(msg->to)", "SOME(NULL)"};
    struct text t;
    unsigned k = below(g, 8);
    if (k < 7)
        snprintf(t.s, sizeof t.s, "%s", form[k]);
    else if (has(g, W_SENDER))
        snprintf(t.s, sizeof t.s, "SOME((peer_ref)sender())");
    else
        snprintf(t.s, sizeof t.s, "self->a");
    return t;
}

static struct text condition(struct gen *g)
{
    struct text t, v = value(g);
    unsigned k = below(g, 4);
    switch (below(g, has(g, W_SENDER) ? 6 : 5)) {
    case 0:
        snprintf(t.s, sizeof t.s, "self->x > %u", below(g, 3));
        break;
    case 1:
        snprintf(t.s, sizeof t.s, "self->x == %s", v.s);
        break;
    case 2:
        snprintf(t.s, sizeof t.s, "msg->v != %u", k);
        break;
    case 3:
        snprintf(t.s, sizeof t.s, "self->y == %u", k);
        break;
    case 4:
        snprintf(t.s, sizeof t.s, "msg->to == self->a");
        break;
    default:
        snprintf(t.s, sizeof t.s, "(peer_ref)sender() == self->a");
        break;
    }
    return t;
}

// The fields of a message that follows from the one at hand.
static struct text fields(struct gen *g)
{
    struct text v = value(g), to = reference(g), t;
    snprintf(t.s, sizeof t.s, ".v = %s, .hops = msg->hops - 1, .to = %s", v.s,
             to.s);
    return t;
}

// ---- statements ---------------------------------------------------------

static void block(struct gen *g, unsigned most);

static void do_send(struct gen *g)
{
    struct text to = reference(g), f = fields(g);
    line(g, "if (msg->hops > 0)");
    uint32_t m = below(g, PLAIN);
    line(g, "    send(%s, %s, %s%s);", to.s, message[m], f.s,
         m == OWNER && has(g, W_HEAP) ? ", .p = self->p" : "");
}

static void do_set(struct gen *g)
{
    struct text v = value(g);
    if (below(g, 3) == 0)
        line(g, "self->%c = msg->to;", "ab"[below(g, 2)]);
    else if (below(g, 4) == 0)
        line(g, "self->y = %s;", v.s);
    else if (below(g, 2) == 0)
        line(g, "self->x = (self->x * 2 + %s) %% 4;", v.s);
    else
        line(g, "self->x = %s;", v.s);
}

static void do_if(struct gen *g)
{
    struct text c = condition(g);
    line(g, "if (%s) {", c.s);
    g->depth++;
    block(g, 2);
    g->depth--;
    if (below(g, 2) == 0) {
        line(g, "} else {");
        g->depth++;
        block(g, 2);
        g->depth--;
    }
    line(g, "}");
}

static void do_spawn(struct gen *g)
{
    struct text v = value(g), to = reference(g), f = fields(g);
    char into = "ab"[below(g, 2)];
    line(g, "if (msg->hops > 0) {");
    line(g,
         "    self->%c = (peer_ref)spawn(g%u%c, .x = %s, .a = %s, "
         ".hops = msg->hops - 1);",
         into, g->seed, 'a' + (char)below(g, (uint32_t)g->classes), v.s, to.s);
    if (below(g, 3))
        line(g, "    send(self->%c, %s, %s);", into, message[below(g, PLAIN)],
             f.s);
    line(g, "}");
}

static void do_watch(struct gen *g)
{
    struct text to = reference(g), f = fields(g);
    line(g, "if (msg->hops > 0)");
    line(g, "    watch(%s, g%u%c, gone, %s);", to.s, g->seed, 'a' + g->cls,
         f.s);
}

static void do_timer(struct gen *g)
{
    struct text to = reference(g), f = fields(g);
    if (below(g, 2))
        snprintf(to.s, sizeof to.s, "SOME(NULL)");
    line(g, "if (msg->hops > 0)");
    line(g, "    self->t = send_after(%u, %s, %s, %s);", below(g, 4) * 5, to.s,
         below(g, 4) ? "tick" : message[below(g, PLAIN)], f.s);
}

static void do_every(struct gen *g)
{
    struct text to = reference(g), f = fields(g);
    if (below(g, 2))
        snprintf(to.s, sizeof to.s, "SOME(NULL)");
    line(g, "if (msg->hops > 0)");
    line(g, "    self->t = every(%u, %s, %s, %s);", 200 + below(g, 2) * 100,
         to.s, below(g, 4) ? "tick" : message[below(g, PLAIN)], f.s);
}

// Ask once or twice, wait at once or after another statement.
static void do_ask(struct gen *g)
{
    bool holds = has(g, W_GET) && (!has(g, W_AWAIT) || below(g, 2));
    bool limit = has(g, W_WITHIN) && below(g, 2), both = below(g, 4) == 0;
    const char *q = message[REQUEST + below(g, 2)];
    struct text to = reference(g), f = fields(g), v = value(g);
    line(g, "if (msg->hops > 0) {");
    g->depth++;
    for (int i = 0; i <= both; i++) {
        if (limit)
            line(g, "TR_FUTURE(%s) f%d = ask_within(%u, %s, %s, %s);", q, i,
                 5 + 5 * below(g, 2), to.s, q, f.s);
        else
            line(g, "TR_FUTURE(%s) f%d = ask(%s, %s, %s);", q, i, to.s, q, f.s);
        to = reference(g);
    }
    if (below(g, 3) == 0)
        block(g, 1);
    for (int i = both; i >= 0; i--) {
        line(g, "const struct answer *r%d = %s(f%d);", i,
             holds ? "get" : "await", i);
        line(g, "self->x = r%d ? r%d->v : %s;", i, i, v.s);
    }
    g->depth--;
    line(g, "}");
}

static void do_heap(struct gen *g)
{
    if (g->at == OWNER && below(g, 2)) {
        line(g, "if (msg->p)");
        line(g, "    self->x = *msg->p %% 4;");
        return;
    }
    switch (below(g, 3)) {
    case 0:
        line(g, "if (!self->p && (self->p = malloc(sizeof *self->p)))");
        line(g, "    *self->p = msg->v;");
        break;
    case 1:
        line(g, "if (self->p)");
        line(g, "    self->x = (*self->p)++ %% 4;");
        break;
    default:
        line(g, "free(self->p);");
        line(g, "self->p = NULL;");
        break;
    }
}

static void do_reply(struct gen *g)
{
    struct text v = value(g);
    if (!g->request)
        do_send(g);
    else
        line(g, "REPLY(.v = %s);", v.s);
    g->replied = true;
}

static void do_become(struct gen *g)
{
    line(g, "become(g%u%c, b%u);", g->seed, 'a' + g->cls,
         below(g, (uint32_t)g->behaviours[g->cls]));
}

static void do_stop(struct gen *g)
{
    line(g, "stop();");
}

static void do_cancel(struct gen *g)
{
    line(g, "cancel(self->t);");
}

// Names of timers that travel, and are used wherever they arrive.
static void do_ids(struct gen *g)
{
    struct text to = reference(g), f = fields(g);
    switch (below(g, 3)) {
    case 0:
        line(g, "if (msg->hops > 0)");
        line(g, "    send(%s, %s, %s, .t = self->t);", to.s,
             message[below(g, PLAIN)], f.s);
        break;
    case 1:
        line(g, "cancel(msg->t);");
        break;
    default:
        line(g, "self->t = msg->t;");
        break;
    }
}

static void wait_for_it(struct gen *g, const char *from)
{
    struct text v = value(g);
    bool holds = below(g, 2);
    line(g, "if (%s->f) {", from);
    line(g, "    TR_FUTURE(q0) f = %s->f;", from);
    if (!strcmp(from, "self"))
        line(g, "    self->f = NULL;");
    line(g, "    const struct answer *r = %s(f);", holds ? "get" : "await");
    line(g, "    self->x = r ? r->v : %s;", v.s);
    line(g, "}");
}

// Futures that are waited for in another handler: kept, or in a message.
static void do_future(struct gen *g)
{
    struct text to = reference(g), f = fields(g);
    switch (below(g, 5)) {
    case 0:
    case 1:
        line(g, "if (msg->hops > 0)");
        line(g, "    self->f = ask(%s, q0, %s);", to.s, f.s);
        break;
    case 2:
        if (below(g, 3))
            snprintf(to.s, sizeof to.s, "SOME(NULL)");
        line(g, "if (msg->hops > 0 && self->f) {");
        line(g, "    send(%s, %s, %s, .f = self->f);", to.s,
             message[below(g, PLAIN)], f.s);
        line(g, "    self->f = NULL;");
        line(g, "}");
        break;
    case 3:
        wait_for_it(g, "self");
        break;
    default:
        wait_for_it(g, "msg");
        break;
    }
}

static void do_expose(struct gen *g)
{
    struct text to = reference(g), v = value(g);
    unsigned name = below(g, 2);
    char cls = (char)('a' + (char)below(g, (uint32_t)g->classes));
    if (below(g, 2)) {
        line(g, "expose_as(%s, \"n%u\");", to.s, name);
        return;
    }
    line(g, "{");
    line(g, "    g%u%c_ref found = receptionist(g%u%c, \"n%u\");", g->seed, cls,
         g->seed, cls, name);
    line(g, "    if (found)");
    line(g, "        self->%c = (peer_ref)found;", "ab"[below(g, 2)]);
    line(g, "    else");
    line(g, "        self->x = %s;", v.s);
    line(g, "}");
}

static void do_until(struct gen *g)
{
    line(g, "await_until(self->%c > %u);", "xxy"[below(g, 3)], below(g, 2));
}

static void do_choose(struct gen *g)
{
    line(g, "self->%c = (int)choose(%u);", "xy"[below(g, 2)], 2 + below(g, 2));
}

static void do_assert(struct gen *g)
{
    struct text c = condition(g), d = condition(g);
    line(g, "assert(!(%s) || %s);", c.s, d.s);
}

// What a statement may be: those without a word are always there.
static const struct kind {
    void (*write)(struct gen *g);
    int word; // -1: none
    unsigned weight;
} kinds[] = {
    {do_send, -1, 8},         {do_set, -1, 6},
    {do_if, -1, 3},           {do_reply, -1, 1},
    {do_spawn, W_SPAWN, 3},   {do_watch, W_WATCH, 3},
    {do_timer, W_TIMER, 3},   {do_ask, W_AWAIT, 3},
    {do_ask, W_GET, 3},       {do_heap, W_HEAP, 2},
    {do_become, W_BECOME, 4}, {do_stop, W_STOP, 1},
    {do_cancel, W_CANCEL, 2}, {do_until, W_UNTIL, 2},
    {do_choose, W_CHOOSE, 2}, {do_assert, W_ASSERT, 1},
    {do_future, W_FUTURE, 6}, {do_ids, W_IDS, 4},
    {do_expose, W_EXPOSE, 3}, {do_every, W_EVERY, 3},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const struct kind *some_kind(struct gen *g, const struct kind *of, int n)
{
    unsigned all = 0, k;
    for (int i = 0; i < n; i++)
        if (of[i].word < 0 || has(g, of[i].word))
            all += of[i].weight;
    k = below(g, all);
    for (int i = 0;; i++) {
        if (of[i].word >= 0 && !has(g, of[i].word))
            continue;
        if (k < of[i].weight)
            return &of[i];
        k -= of[i].weight;
    }
}

static void statement(struct gen *g)
{
    size_t before = g->n;
    int number = g->statement++;
    const struct kind *k = some_kind(g, kinds, KINDS);
    if (g->depth > 3)
        do_set(g);
    else
        k->write(g);
    if (left_out(g, number))
        g->n = before;
}

static void block(struct gen *g, unsigned most)
{
    for (unsigned n = 1 + below(g, most); n > 0; n--)
        statement(g);
}

// ---- classes ------------------------------------------------------------

static void handler(struct gen *g, int behaviour, int m)
{
    g->at = m;
    g->request = m >= REQUEST;
    g->replied = false;
    put(g, "TR_HANDLER_AS(g%u%c_%d_%s, g%u%c, %s)\n{\n", g->seed, 'a' + g->cls,
        behaviour, message[m], g->seed, 'a' + g->cls, message[m]);
    if (g->request)
        put(g, "#undef REPLY\n#define REPLY(...) reply(%s, __VA_ARGS__)\n",
            message[m]);
    if (has(g, W_LOG))
        put(g, "    self->log = (self->log * 5 + %u + msg->v) %% 1009;\n",
            below(g, 5));
    g->depth = 1;
    block(g, 3);
    if (g->request && !g->replied && below(g, 8)) {
        struct text v = value(g);
        line(g, "REPLY(.v = %s);", v.s);
    }
    put(g, "}\n");
}

// Whether anybody sends message m after the first ones.
static bool used(const struct gen *g, int m)
{
    if (m == TICK)
        return has(g, W_TIMER);
    if (m == GONE)
        return has(g, W_WATCH);
    return m < PLAIN || has(g, W_AWAIT) || has(g, W_GET) || has(g, W_BODY) ||
           has(g, W_FUTURE);
}

static const char *row(struct gen *g, int behaviour, int m)
{
    if (!used(g, m))
        return "TR_IGNORE";
    unsigned k = below(g, 12);
    if (k == 0 && has(g, W_HOLES))
        return NULL;
    if (k <= 2 && has(g, W_BECOME) && g->behaviours[g->cls] > 1)
        return "TR_DEFER";
    if (k == 3 && (has(g, W_HOLES) || behaviour > 0))
        return "TR_IGNORE";
    return "TR_ON";
}

// ---- init hooks -----------------------------------------------------------
//
// They act on `a`, if the actor's hops allow it: these count like a message's.

// What it sends may be answered, and names it.
static void first_send(struct gen *g)
{
    line(g,
         "send(self->a, m%u, .v = %u, .hops = self->hops - 1, "
         ".to = SOME(NULL));",
         below(g, PLAIN), below(g, 4));
}

static void first_timer(struct gen *g)
{
    line(g, "self->t = send_after(%u, SOME(self->b), tick, .v = %u);",
         5 * below(g, 3), below(g, 4));
}

static void first_ask(struct gen *g)
{
    line(g, "(void)ask(self->a, q%u, .v = %u);", below(g, 2), below(g, 4));
}

static void first_spawn(struct gen *g)
{
    line(g,
         "self->b = (peer_ref)spawn(g%u%c, .x = %u, .hops = self->hops - 1, "
         ".%c = self->a);",
         g->seed, 'a' + (char)below(g, (uint32_t)g->classes), below(g, 4),
         "ab"[below(g, 2)]);
}

static void first_watch(struct gen *g)
{
    line(g, "watch(self->a, g%u%c, gone, .v = %u);", g->seed, 'a' + g->cls,
         below(g, 4));
}

static const struct kind first[] = {
    {first_send, -1, 4},       {first_timer, W_TIMER, 2},
    {first_ask, W_AWAIT, 1},   {first_ask, W_GET, 1},
    {first_spawn, W_SPAWN, 2}, {first_watch, W_WATCH, 1},
    {do_choose, W_CHOOSE, 1},  {do_stop, W_STOP, 1},
};
enum { FIRST = sizeof first / sizeof *first };

static void init_hook(struct gen *g, const char *name)
{
    put(g,
        "TR_INIT(%s)\n{\n    self->y = %u;\n"
        "    if (self->a && self->hops > 0) {\n",
        name, below(g, 3));
    g->depth = 2;
    for (unsigned n = below(g, 4); n > 0; n--) {
        size_t before = g->n;
        int number = g->statement++;
        some_kind(g, first, FIRST)->write(g);
        if (left_out(g, number))
            g->n = before;
    }
    put(g, "    }\n}\n");
}

static void hooks(struct gen *g, const char *name)
{
    init_hook(g, name);
    put(g, "TR_FINI(%s)\n{\n    free(self->p);\n", name);
    if (below(g, 2))
        put(g, "    if (self->b)\n        send(self->b, m%u, .v = %u);\n",
            below(g, PLAIN), below(g, 4));
    if (has(g, W_ASSERT))
        put(g, "    assert(self->x != %u);\n", below(g, 4));
    put(g, "}\n");
}

static void table(struct gen *g, const char *name, int b,
                  const char *const policy[MESSAGES])
{
    int n = 0;
    put(g, "TR_BEHAVIOUR(%s, b%d", name, b);
    for (int m = 0; m < MESSAGES; m++) {
        if (!policy[m])
            continue;
        n++;
        if (!strcmp(policy[m], "TR_ON"))
            put(g, ",\n             TR_ON(%s, %s_%d_%s)", message[m], name, b,
                message[m]);
        else
            put(g, ",\n             %s(%s)", policy[m], message[m]);
    }
    if (n == 0)
        put(g, ", TR_IGNORE(m0)");
    put(g, ");\n");
}

static void class(struct gen *g, int cls)
{
    char name[16];
    bool hooked = has(g, W_HOOKS) && below(g, 2);
    g->cls = cls;
    snprintf(name, sizeof name, "g%u%c", g->seed, 'a' + (char)cls);
    put(g, "\nTR_STATES(%s, b0, b1);\n", name);
    for (int b = 0; b < g->behaviours[cls]; b++) {
        const char *policy[MESSAGES];
        for (int m = 0; m < MESSAGES; m++) {
            policy[m] = row(g, b, m);
            if (policy[m] && !strcmp(policy[m], "TR_ON"))
                handler(g, b, m);
        }
        table(g, name, b, policy);
    }
    if (hooked)
        hooks(g, name);
    put(g, "TR_CLASS(%s, .start = &%s_b0", name, name);
    if (hooked)
        put(g, ", .init = %s_init_, .fini = %s_fini_", name, name);
    put(g, ");\n");
    if (g->behaviours[cls] > 1 && below(g, 4) == 0)
        put(g, "TR_HOT(%s, b1);\n", name);
}

// ---- the test -----------------------------------------------------------

static void first_message(struct gen *g, int actors)
{
    size_t before = g->n;
    int number = g->statement++;
    uint32_t k = below(g, 12);
    const char *m = message[k < 9 ? k % PLAIN : k == 9 ? TICK : REQUEST];
    line(g, "send(r%u, %s, .v = %u, .hops = %u, .to = r%u);",
         below(g, (uint32_t)actors), m, below(g, 4), 1 + below(g, 2),
         below(g, (uint32_t)actors));
    if (left_out(g, number))
        g->n = before;
}

static void look(struct gen *g, const int *cls, int actors)
{
    uint32_t i = below(g, (uint32_t)actors), limit = below(g, 4);
    line(g, "LOOK(g%u%c, r%u, s->x != %u);", g->seed, 'a' + cls[i], i, limit);
}

// Something a test body may do between two parts.
static void between(struct gen *g, const int *cls, int actors)
{
    uint32_t i = below(g, (uint32_t)actors);
    switch (below(g, 6)) {
    case 0:
        line(g, "{");
        line(g, "    TR_FUTURE(q0) f = ask(r%u, q0, .v = %u, .hops = 1);", i,
             below(g, 4));
        line(g, "    const struct answer *r = get(f);");
        line(g, "    if (r)");
        line(g, "        assert(r->v != %u);", below(g, 4));
        line(g, "}");
        break;
    case 1:
        line(g, "deliver_one();");
        break;
    case 2:
        line(g, "if (choose(2))");
        line(g, "    send(r%u, m1, .v = 1, .hops = 1, .to = r0);", i);
        break;
    case 3:
        line(g, "DRAIN_UNTIL(g%u%c, r%u, s->x == %u);", g->seed, 'a' + cls[i],
             i, below(g, 4));
        break;
    default:
        line(g, "drain();");
        if (below(g, 2))
            look(g, cls, actors);
        break;
    }
}

static void body(struct gen *g)
{
    int actors = 2 + (int)below(g, 2), cls[3];
    g->depth = 1;
    put(g, "\nTR_TEST(g%u)\n{\n", g->seed);
    for (int i = 0; i < actors; i++) {
        cls[i] = i < g->classes ? i : (int)below(g, (uint32_t)g->classes);
        line(g, "peer_ref r%d = (peer_ref)spawn(g%u%c, .x = %u", i, g->seed,
             'a' + cls[i], below(g, 3));
        g->n--;
        if (i > 0)
            put(g, ", .a = r%u, .b = r%u, .hops = %u", below(g, (uint32_t)i),
                below(g, (uint32_t)i), below(g, 3));
        put(g, ");\n");
    }
    for (int i = 0; i < actors; i++)
        line(g, "(void)r%d;", i);
    for (uint32_t n = 2 + below(g, 2); n > 0; n--)
        first_message(g, actors);
    if (has(g, W_BODY))
        for (uint32_t n = 1 + below(g, 2); n > 0; n--) {
            size_t before = g->n;
            int number = g->statement++;
            between(g, cls, actors);
            if (left_out(g, number))
                g->n = before;
            first_message(g, actors);
        }
    put(g, "}\n");
}

static void invariant(struct gen *g)
{
    put(g, "TR_INVARIANT(g%u_invariant)\n{\n    int n = 0;\n", g->seed);
    put(g, "    for (each(g%ua, s))\n        n += s->x;\n", g->seed);
    if (g->classes > 1)
        put(g, "    for (each(g%ub, s))\n        n += s->x;\n", g->seed);
    if (below(g, 2))
        put(g, "    for (flying(m%u, m))\n        n += m->v;\n",
            below(g, PLAIN));
    put(g, "    return n < %u;\n}\n", 5 + below(g, 6));
}

static void program(struct gen *g)
{
    unsigned density = 1 + below(g, 3); // few words or many
    for (int w = 0; w < WORDS_N; w++)
        if (below(g, 6) < density)
            g->words |= 1u << w;
    if (has(g, W_EXPOSE) && below(g, 3)) // optimal and eta refuse it
        g->words &= ~(1u << W_EXPOSE);
    g->classes = 1 + (int)below(g, 3);
    for (int c = 0; c < g->classes; c++)
        g->behaviours[c] = 1 + (has(g, W_BECOME) && below(g, 4));
    put(g, "\n/* ---- %u:", g->seed);
#define WORD_(name)                                                            \
    if (has(g, W_##name))                                                      \
        put(g, " %s", #name);
    WORDS(WORD_)
#undef WORD_
    put(g, " */\n");
    for (int c = 0; c < g->classes; c++)
        put(g, "TR_PROTOCOL(g%u%c, ALL);\nstruct g%u%c { %s };\n", g->seed,
            'a' + c, g->seed, 'a' + c, has(g, W_PACKED) ? "PACKED" : "STATE;");
    for (int c = 0; c < g->classes; c++)
        class(g, c);
    if (g->seed / INVARIANT_BATCH % 4 == 0)
        invariant(g);
    body(g);
}

static const char prelude[] =
    "#include \"troupe_short.h\"\n"
    "#include <assert.h>\n"
    "#include <stdlib.h>\n\n"
    "#define ALL m0, m1, m2, tick, gone, q0, q1\n"
    "TR_PROTOCOL(peer, ALL);\n"
    "#define FIELDS int v, hops; peer_ref to; tr_timer t; TR_FUTURE(q0) f\n"
    "#define STATE int x, y, log, hops; peer_ref a, b; tr_timer t; int *p; \\\n"
    "    TR_FUTURE(q0) f\n"
    "#define PACKED \\\n"
    "    char odd; \\\n"
    "    struct { STATE; } __attribute__((packed));\n"
    "struct answer { int v; };\n"
    "struct m0 { FIELDS; };\nTR_MESSAGE(m0);\n"
    "struct m1 { FIELDS; };\nTR_MESSAGE(m1);\n"
    "struct m2 { FIELDS; int *p; }; /* owns what p points to */\n"
    "static void m2_copy(void *to, const void *from)\n"
    "{\n"
    "    const struct m2 *old = from;\n"
    "    struct m2 *new = to;\n"
    "    new->p = old->p ? malloc(sizeof *new->p) : NULL;\n"
    "    if (new->p)\n"
    "        *new->p = *old->p;\n"
    "}\n"
    "static void m2_drop(void *m)\n"
    "{\n    free(((struct m2 *)m)->p);\n}\n"
    "TR_MESSAGE(m2, .copy = m2_copy, .drop = m2_drop);\n"
    "struct tick { FIELDS; };\nTR_MESSAGE(tick);\n"
    "struct gone { FIELDS; };\nTR_MESSAGE(gone);\n"
    "struct q0 { FIELDS; };\nTR_REQUEST(q0, answer);\n"
    "struct q1 { FIELDS; };\nTR_REQUEST(q1, answer);\n"
    "/* r, or the actor itself if r is nobody */\n"
    "static inline peer_ref some(tr_ctx *ctx, peer_ref r)\n"
    "{\n    return r ? r : (peer_ref)tr_self_(ctx);\n}\n"
    "#define SOME(r) some(ctx, r)\n"
    "#define LOOK(c, r, ok) \\\n"
    "    do { \\\n"
    "        const struct c *s = peek(c, (c##_ref)r); \\\n"
    "        if (s) \\\n"
    "            assert(ok); \\\n"
    "    } while (0)\n"
    "#define DRAIN_UNTIL(c, r, ok) \\\n"
    "    do { \\\n"
    "        const struct c *s = peek(c, (c##_ref)r); \\\n"
    "        if (s && (ok)) \\\n"
    "            break; \\\n"
    "    } while (deliver_one())\n";

int main(int argc, char **argv)
{
    static struct gen g;
    static int drop[4096];
    int n_drop = 0;
    if (argc < 3) {
        fprintf(stderr, "usage: generate COUNT SEED [LEFT_OUT...]\n");
        return 2;
    }
    bool count_only = argc == 4 && !strcmp(argv[3], "count");
    for (int i = 3; i < argc && n_drop < 4096; i++)
        drop[n_drop++] = atoi(argv[i]);
    if (!count_only)
        fputs(prelude, stdout);
    unsigned count = (unsigned)atoi(argv[1]), seed = (unsigned)atoi(argv[2]);
    for (unsigned i = 0; i < count; i++) {
        memset(&g, 0, sizeof g);
        g.r = rng_of(seed + i);
        g.seed = seed + i;
        g.left_out = drop;
        g.n_left_out = n_drop;
        program(&g);
        if (count_only)
            printf("%d\n", g.statement);
        else
            fwrite(g.text, 1, g.n, stdout);
    }
    return 0;
}

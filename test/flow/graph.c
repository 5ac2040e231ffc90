// What the graph says beyond TAP's rules: the other operations, C's own ways of
// moving references, TAP's optimisations, and the products.
#include "program.h"

static const char request[] =
    "struct price { int n; }; struct quote { tr_ref from; };\n"
    "TR_REQUEST(quote, price); TR_SIGNAL(go); TR_SIGNAL(tick);\n"
    "TR_PROTOCOL(shop, quote); TR_PROTOCOL(buyer, go, tick);\n"
    "struct shop { int n; };\n"
    "TR_HANDLER(shop, quote) { reply(quote, .n = self->n); }\n"
    "TR_BEHAVIOUR(shop, open, TR_ON(quote, shop_quote));\n"
    "TR_CLASS(shop, .start = &shop_open);\n"
    "struct buyer { shop_ref shop; tr_timer t; int paid; };\n"
    "TR_HANDLER(buyer, go) {\n"
    "    const struct price *p = await(ask(self->shop, quote));\n"
    "    if (p) self->paid = p->n;\n"
    "    self->t = send_after(5, me(buyer), tick);\n"
    "    watch(self->shop, buyer, tick);\n"
    "}\n"
    "TR_HANDLER(buyer, tick) { self->paid = 0; }\n"
    "TR_BEHAVIOUR(buyer, on, TR_ON(go, buyer_go), TR_ON(tick, buyer_tick));\n"
    "TR_CLASS(buyer, .start = &buyer_on);\n"
    "TR_SYSTEM(market) { shop_ref s = spawn(shop); buyer_ref b ="
    " spawn(buyer, .shop = s); expose(b); }\n";

TEST(asks_replies_timers_and_notices_are_edges)
{
    struct program p = program_of(request, "market", false);
    uint32_t shop = actor_of(&p, "shop"), buyer = actor_of(&p, "buyer");
    CHECK(flow_has(p.f, buyer, shop, FLOW_SEND, msg_of(&p, "quote")));
    CHECK(flow_has(p.f, shop, buyer, FLOW_REPLY, msg_of(&p, "quote")));
    CHECK(flow_has(p.f, buyer, buyer, FLOW_TIMER, msg_of(&p, "tick")));
    CHECK(flow_has(p.f, shop, buyer, FLOW_NOTICE, msg_of(&p, "tick")));
    CHECK(flow_has(p.f, flow_env(p.f), buyer, FLOW_OUTSIDE, msg_of(&p, "go")));
    CHECK(p.f->receptionist[buyer] && !p.f->receptionist[shop]);
    CHECK_EQ(p.f->doubts.n, 0);
    program_free(&p);
}

static bool writes(const struct program *p, const char *fn, const char *field)
{
    for (uint32_t i = 0; i < p->f->handlers.n; i++) {
        const struct flow_handler *h = &p->f->handlers.at[i];
        if (strcmp(p->ir->fns.at[h->fn]->name, fn) != 0)
            continue;
        for (uint32_t k = 0; k < h->n; k++) {
            char path[64] = "";
            ir_path(p->ir, p->ir->classes.at[h->cls].type,
                    h->accesses[k].offset, path, sizeof path);
            if (h->accesses[k].write && !h->accesses[k].global &&
                strcmp(path, field) == 0)
                return true;
        }
    }
    return false;
}

TEST(handlers_tell_the_fields_they_write)
{
    struct program p = program_of(request, "market", false);
    CHECK(writes(&p, "buyer_go", "paid") && writes(&p, "buyer_go", "t"));
    CHECK(!writes(&p, "buyer_go", "shop") && !writes(&p, "shop_quote", "n"));
    CHECK(writes(&p, "buyer_tick", "paid") && !writes(&p, "buyer_tick", "t"));
    program_free(&p);
}

static void count_cycle(void *n, const uint32_t *cls, uint32_t length)
{
    (void)cls;
    *(uint32_t *)n += length;
}

TEST(requests_in_a_ring_are_told)
{
    struct program p = program_of(
        "struct r { int n; }; struct q { int n; }; TR_REQUEST(q, r);\n"
        "TR_PROTOCOL(a, q); TR_PROTOCOL(b, q);\n"
        "struct a { b_ref x; };\n"
        "TR_HANDLER(a, q) { get(ask(self->x, q)); reply(q); }\n"
        "TR_BEHAVIOUR(a, on, TR_ON(q, a_q)); TR_CLASS(a, .start = &a_on);\n"
        "struct b { a_ref x; };\n"
        "TR_HANDLER(b, q) { get(ask((a_ref)sender(), q)); reply(q); }\n"
        "TR_BEHAVIOUR(b, on, TR_ON(q, b_q)); TR_CLASS(b, .start = &b_on);\n"
        "TR_TEST(t) { get(ask(spawn(a, .x = spawn(b)), q)); }\n",
        NULL, false);
    uint32_t n = 0;
    flow_request_cycles(p.f, count_cycle, &n);
    CHECK_EQ(n, 2);
    program_free(&p);
}

static void join_payload(void *to, const char *field, uint32_t actor)
{
    char *s = to;
    size_t n = strlen(s);
    snprintf(s + n, 128 - n, "%s=%u ", field, actor);
}

TEST(edges_tell_the_references_they_carry)
{
    struct program p = program_of(
        "struct go { int n; tr_ref x, y; }; TR_MESSAGE(go);\n"
        "TR_PROTOCOL(a, go); TR_PROTOCOL(b, go);\n"
        "struct b { int n; }; TR_HANDLER(b, go) { }\n"
        "TR_BEHAVIOUR(b, on, TR_ON(go, b_go)); TR_CLASS(b, .start = &b_on);\n"
        "struct a { int n; b_ref b; };\n"
        "TR_HANDLER(a, go) { send(self->b, go, .y = (tr_ref)me(a)); }\n"
        "TR_BEHAVIOUR(a, on, TR_ON(go, a_go)); TR_CLASS(a, .start = &a_on);\n"
        "TR_TEST(t) { send(spawn(a, .b = spawn(b)), go); }\n",
        NULL, false);
    uint32_t a = actor_of(&p, "a"), b = actor_of(&p, "b");
    char sent[128] = "", made[128] = "", want[64];
    for (uint32_t i = 0; i < p.f->edges.n; i++) {
        const struct flow_edge *e = &p.f->edges.at[i];
        if (e->from == a && e->to == b)
            flow_payload(p.f, e, join_payload, sent);
        if (e->kind == FLOW_CREATE && e->to == a)
            flow_payload(p.f, e, join_payload, made);
    }
    snprintf(want, sizeof want, "y=%u ", a);
    CHECK_TEXT(sent, want);
    snprintf(want, sizeof want, "b=%u ", b);
    CHECK_TEXT(made, want);
    program_free(&p);
}

// ---- C's ways -----------------------------------------------------------

#define WORLD                                                                  \
    "#include <stdlib.h>\n#include <string.h>\n#include <stdarg.h>\n"          \
    "#include <stddef.h>\n"                                                    \
    "struct go { tr_ref x, y; int n; }; TR_MESSAGE(go); TR_SIGNAL(hit);\n"     \
    "TR_PROTOCOL(a, go); TR_PROTOCOL(b, hit); TR_PROTOCOL(c, hit);\n"          \
    "struct b { int n; }; TR_HANDLER(b, hit) { }\n"                            \
    "TR_BEHAVIOUR(b, on, TR_ON(hit, b_hit)); TR_CLASS(b, .start = &b_on);\n"   \
    "struct c { int n; }; TR_HANDLER(c, hit) { }\n"                            \
    "TR_BEHAVIOUR(c, on, TR_ON(hit, c_hit)); TR_CLASS(c, .start = &c_on);\n"
#define A(state, helpers, body)                                                \
    WORLD helpers "struct a { " state " };\n"                                  \
                  "TR_HANDLER(a, go) { " body " }\n"                           \
                  "TR_BEHAVIOUR(a, on, TR_ON(go, a_go));\n"                    \
                  "TR_CLASS(a, .start = &a_on);\n"                             \
                  "TR_TEST(t) { send(spawn(a), go, .x = (tr_ref)spawn(b),"     \
                  " .y = (tr_ref)spawn(c)); }\n"

// The reference in x reaches b; the one in y reaches c only if it must.
static const struct {
    const char *what, *source;
    bool also_c;
} ways[] = {
    {"a struct copied by assignment",
     A("struct go kept;", "",
       "self->kept = *msg; send_any(self->kept.x, hit);"),
     false},
    {"memcpy of a stretch",
     A("tr_ref k[2];", "",
       "memcpy(self->k, &msg->x, sizeof self->k);"
       "send_any(self->k[0], hit);"),
     false},
    {"bytes copied one by one",
     A("tr_ref k;",
       "static void copy(void *to, const void *from, size_t n) {"
       "    char *t = to; const char *f = from;"
       "    while (n--) *t++ = *f++; }\n",
       "copy(&self->k, &msg->x, sizeof self->k); send_any(self->k, hit);"),
     true},
    {"a member's container",
     A("struct { int n; tr_ref r; int link; } in;",
       "struct item { int n; tr_ref r; int link; };\n"
       "static tr_ref of(int *link) { return ((struct item *)((char *)link -"
       " offsetof(struct item, link)))->r; }\n",
       "self->in.r = msg->x; send_any(of(&self->in.link), hit);"),
     false},
    {"variable arguments",
     A("int n;",
       "static tr_ref last(int n, ...) { va_list l; va_start(l, n);"
       " tr_ref r = NULL; while (n--) r = va_arg(l, tr_ref);"
       " va_end(l); return r; }\n",
       "send_any(last(2, msg->y, msg->x), hit);"),
     true},
    {"a comparator that sends",
     A("int n; tr_ref k[2];",
       "struct w { tr_ref r; tr_ctx *ctx; };\n"
       "static int order(const void *p, const void *q) {"
       " const struct w *w = p; tr_ctx *ctx = w->ctx; (void)q;"
       " send_any(w->r, hit); return 0; }\n",
       "struct w w[2] = {{msg->x, ctx}, {msg->x, ctx}};"
       "qsort(w, 2, sizeof *w, order);"),
     false},
    {"realloc",
     A("tr_ref *k;", "",
       "self->k = malloc(8); self->k[0] = msg->x;"
       "self->k = realloc(self->k, 80);"
       "send_any(self->k[msg->n], hit);"),
     false},
    {"bsearch",
     A("int n;", "static int cmp(const void *k, const void *e) { return 0; }\n",
       "tr_ref k = msg->y, all[2] = {msg->x, msg->x};"
       "tr_ref *p = bsearch(&k, all, 2, sizeof *all, cmp);"
       "if (p) send_any(*p, hit);"),
     false},
    {"memory stored through an argument",
     A("tr_ref *k;", "",
       "void *p; if (posix_memalign(&p, 64, 64)) return; self->k = p;"
       "self->k[1] = msg->x; self->k[0] = msg->y;"
       "send_any(self->k[1], hit);"),
     false},
    {"recursion through a list",
     A("struct node *l;",
       "struct node { struct node *next; tr_ref r; };\n"
       "static tr_ref end(struct node *n) {"
       " return n->next ? end(n->next) : n->r; }\n",
       "struct node *n = calloc(1, sizeof *n); n->next = self->l;"
       "n->r = msg->x; self->l = n; send_any(end(self->l), hit);"),
     false},
    {"goto and a table of references",
     A("tr_ref k[2][2];", "",
       "int i = 0; again: self->k[i][1] = msg->x; self->k[i][0] = msg->y;"
       " if (++i < 2) goto again; send_any(self->k[msg->n][1], hit);"),
     false},
};

TEST(references_are_followed_through_c)
{
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct program p = program_of(ways[i].source, NULL, false);
        if (!p.f || !sends(&p, "a", "b", "hit") ||
            (sends(&p, "a", "c", "hit") && !ways[i].also_c)) {
            fprintf(stderr, "%s\n", ways[i].what);
            CHECK(false);
        }
        program_free(&p);
    }
}

// ---- code that is not given ---------------------------------------------

// A library without a body gets a function, and calls it or not.  The function
// sends hit to what it is given, or finds there.
static const struct {
    const char *what, *source;
    bool reaches; // b gets hit
} libraries[] = {
    {"a function and what to call it with",
     A("int n;",
       "struct job { tr_ctx *ctx; tr_ref r; };\n"
       "void later(void (*)(void *), void *); void run(void);\n"
       "static void fire(void *p) { struct job *j = p; tr_ctx *ctx = j->ctx;"
       " send_any(j->r, hit); }\n",
       "struct job j = {ctx, msg->x}; later(fire, &j); run();"),
     true},
    {"functions in a struct in the state",
     A("struct io { void *data; int (*put)(struct io *); } io; tr_ctx *ctx;"
       " tr_ref r;",
       "struct io; struct lib *lib_open(struct io *); void lib_step(void *);\n"
       "static int put(struct io *);\n",
       "self->ctx = ctx; self->r = msg->x; self->io.data = self;"
       "self->io.put = put; lib_step(lib_open(&self->io));") "static int "
                                                             "put(struct io "
                                                             "*io) { struct a "
                                                             "*self = io->data;"
                                                             " tr_ctx *ctx = "
                                                             "self->ctx; "
                                                             "send_any(self->r,"
                                                             " hit); return 0; "
                                                             "}\n",
     true},
    {"a constant table of functions",
     A("tr_ctx *ctx; tr_ref r;",
       "struct ops { int n; void (*f)(void *); };\n"
       "void lib(const struct ops *, void *);\n"
       "static void fire(void *); static const struct ops ops = {1, fire};\n",
       "self->ctx = ctx; self->r = msg->x; lib(&ops, self);") "static void "
                                                              "fire(void *p) { "
                                                              "struct a *self "
                                                              "= p; tr_ctx "
                                                              "*ctx = "
                                                              "self->ctx;"
                                                              " send_any(self->"
                                                              "r, hit); }\n",
     true},
    {"a function that the library gives back",
     A("int n;",
       "typedef void fn(tr_ctx *, tr_ref); fn *pass(fn *);\n"
       "static void fire(tr_ctx *ctx, tr_ref r) { send_any(r, hit); }\n",
       "pass(fire)(ctx, msg->x);"),
     true},
    {"memory that the library writes",
     A("tr_ref *slot;", "void keep(tr_ref); void fill(tr_ref **);\n",
       "keep(msg->x); fill(&self->slot);"
       "if (self->slot) send_any(*self->slot, hit);"),
     true},
    {"a function that it is not given",
     A("int n;",
       "void run(void *);\nstatic void fire(void *p) {"
       " (void)p; }\nvoid (*kept)(void *);\n",
       "kept = fire; run(&self->n);"),
     false},
};

TEST(code_that_is_not_given_may_call_what_it_gets)
{
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        struct program p = program_of(libraries[i].source, NULL, false);
        if (!p.f || sends(&p, "a", "b", "hit") != libraries[i].reaches) {
            fprintf(stderr, "%s\n", libraries[i].what);
            CHECK(false);
        }
        program_free(&p);
    }
}

// Registered by the test, called while the actor runs.
TEST(code_that_is_not_given_calls_for_whoever_calls_it)
{
    struct program p = program_of(
        "void at_work(void (*)(void *)); void work(void *);\n"
        "TR_SIGNAL(go); TR_SIGNAL(hit); TR_PROTOCOL(a, go, hit);\n"
        "struct a { tr_ctx *ctx; a_ref peer; };\n"
        "static void fire(void *p) { struct a *self = p;"
        " tr_ctx *ctx = self->ctx; send(self->peer, hit); }\n"
        "TR_HANDLER(a, go) { self->ctx = ctx; work(self); }\n"
        "TR_HANDLER(a, hit) { }\n"
        "TR_BEHAVIOUR(a, on, TR_ON(go, a_go), TR_ON(hit, a_hit));\n"
        "TR_CLASS(a, .start = &a_on);\n"
        "TR_TEST(t) { at_work(fire); a_ref x = spawn(a), y = spawn(a, .peer ="
        " x); send(y, go); }\n",
        NULL, false);
    struct lints all = {0};
    CHECK(sends(&p, "a", "a", "hit"));
    flow_lint(p.f, &all);
    CHECK_EQ(all.at.n, 0);
    vec_free(&all.at);
    program_free(&p);
}

// ---- TAP 4.3 ------------------------------------------------------------

static const char tagged[] =
    "enum { ADD, DROP, LOOK }; struct op { int kind; tr_ref r; };\n"
    "TR_MESSAGE(op); TR_SIGNAL(hit);\n"
    "TR_PROTOCOL(a, op); TR_PROTOCOL(b, hit); TR_PROTOCOL(c, hit);\n"
    "TR_PROTOCOL(d, hit);\n"
    "struct b { int n; }; TR_HANDLER(b, hit) { }\n"
    "TR_BEHAVIOUR(b, on, TR_ON(hit, b_hit)); TR_CLASS(b, .start = &b_on);\n"
    "struct c { int n; }; TR_HANDLER(c, hit) { }\n"
    "TR_BEHAVIOUR(c, on, TR_ON(hit, c_hit)); TR_CLASS(c, .start = &c_on);\n"
    "struct d { int n; }; TR_HANDLER(d, hit) { }\n"
    "TR_BEHAVIOUR(d, on, TR_ON(hit, d_hit)); TR_CLASS(d, .start = &d_on);\n"
    "struct a { int n; };\n"
    "TR_HANDLER(a, op) {\n"
    "    switch (msg->kind) {\n"
    "    case ADD: send_any(msg->r, hit); break;\n"
    "    case DROP: self->n--; break;\n"
    "    case LOOK: send(spawn(d), hit); break;\n"
    "    }\n"
    "}\n"
    "TR_BEHAVIOUR(a, on, TR_ON(op, a_op)); TR_CLASS(a, .start = &a_on);\n"
    "TR_TEST(t) { a_ref x = spawn(a);"
    " send(x, op, .kind = ADD, .r = (tr_ref)spawn(b));"
    " send(x, op, .kind = DROP, .r = (tr_ref)spawn(c)); }\n";

// No LOOK is ever sent: the branch that spawns is dead.
TEST(optimisation_1_leaves_out_branches_no_message_takes)
{
    struct program p = program_of(tagged, NULL, false);
    CHECK(!creates(&p, "a", "d"));
    program_free(&p);
    p = program_of(tagged, NULL, true);
    CHECK(creates(&p, "a", "d"));
    program_free(&p);
}

// In the branch of ADD the message is one of those with that tag.
TEST(optimisation_2_narrows_the_message_in_a_branch)
{
    struct program p = program_of(tagged, NULL, false);
    CHECK(sends(&p, "a", "b", "hit") && !sends(&p, "a", "c", "hit"));
    uint32_t labels = p.f->counts.labels;
    program_free(&p);
    p = program_of(tagged, NULL, true);
    CHECK(sends(&p, "a", "b", "hit") && sends(&p, "a", "c", "hit"));
    CHECK(p.f->counts.labels > labels);
    program_free(&p);
}

// A tag that is computed may be any.
TEST(optimisations_do_not_trust_a_computed_tag)
{
    char source[4096];
    snprintf(source, sizeof source, "%s%s", tagged,
             "TR_TEST(u) { int k = (int)param(\"k\", 0); a_ref x = spawn(a);"
             " send(x, op, .kind = k + 1, .r = (tr_ref)spawn(c)); }\n");
    struct program p = program_of(source, NULL, false);
    CHECK(creates(&p, "a", "d"));
    CHECK(sends(&p, "a", "c", "hit"));
    program_free(&p);
}

// A handler gets only messages of its type; in the baseline, all.
TEST(optimisations_are_free_with_a_handler_per_message)
{
    static const char source[] =
        "struct m { tr_ref r; }; TR_MESSAGE(m); struct n { tr_ref r; };\n"
        "TR_MESSAGE(n); TR_SIGNAL(hit);\n"
        "TR_PROTOCOL(a, m, n); TR_PROTOCOL(b, hit); TR_PROTOCOL(c, hit);\n"
        "struct b { int n; }; TR_HANDLER(b, hit) { }\n"
        "TR_BEHAVIOUR(b, on, TR_ON(hit, b_hit)); TR_CLASS(b, .start = &b_on);\n"
        "struct c { int n; }; TR_HANDLER(c, hit) { }\n"
        "TR_BEHAVIOUR(c, on, TR_ON(hit, c_hit)); TR_CLASS(c, .start = &c_on);\n"
        "struct a { int n; };\n"
        "TR_HANDLER(a, m) { send_any(msg->r, hit); }\n"
        "TR_HANDLER(a, n) { self->n++; }\n"
        "TR_BEHAVIOUR(a, on, TR_ON(m, a_m), TR_ON(n, a_n));\n"
        "TR_CLASS(a, .start = &a_on);\n"
        "TR_TEST(t) { a_ref x = spawn(a); send(x, m, .r = (tr_ref)spawn(b));"
        " send(x, n, .r = (tr_ref)spawn(c)); }\n";
    struct program p = program_of(source, NULL, false);
    CHECK(sends(&p, "a", "b", "hit") && !sends(&p, "a", "c", "hit"));
    program_free(&p);
    p = program_of(source, NULL, true);
    CHECK(sends(&p, "a", "b", "hit") && sends(&p, "a", "c", "hit"));
    program_free(&p);
}

// ---- errors and doubts --------------------------------------------------

TEST(what_is_taken_for_granted_is_listed)
{
    struct program p = program_of(
        A("tr_ref k;", "void stranger(void *);\n",
          "stranger(&self->k); send_any(self->k ? self->k : msg->x, hit);"),
        NULL, false);
    CHECK_EQ(p.f->doubts.n, 1);
    CHECK(strstr(p.f->doubts.at[0].what, "stranger()") != NULL);
    program_free(&p);
}

TEST(a_program_without_actors_is_refused)
{
    struct program p =
        program_of("int x;\nint f(void) { return x; }\n", NULL, false);
    CHECK(!p.f);
    CHECK_EQ(p.d.status, EXIT_USAGE);
    CHECK(p.d.text && strstr(p.d.text, "no actors found"));
    program_free(&p);
}

// ---- calls of the C library ---------------------------------------------

// A worker that is sent "hit" by what is written in the handler of "go".
#define HIT(rest)                                                              \
    "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"           \
    "TR_SIGNAL(go); TR_SIGNAL(hit); struct m { int kind; }; TR_MESSAGE(m);\n"  \
    "TR_PROTOCOL(worker, hit); TR_PROTOCOL(boss, go, m);\n"                    \
    "struct worker { int n; }; TR_HANDLER(worker, hit) { self->n++; }\n"       \
    "TR_BEHAVIOUR(worker, on, TR_ON(hit));\n"                                  \
    "TR_CLASS(worker, .start = &worker_on);\n"                                 \
    "struct row { int key; worker_ref to; };\n"                                \
    "struct boss { struct row rows[2]; char text[8]; int n; };\n" rest         \
    "TR_BEHAVIOUR(boss, on, TR_ON(go), TR_ON(m));\n"                           \
    "TR_CLASS(boss, .start = &boss_on);\n"                                     \
    "TR_SYSTEM(all) { boss_ref b = spawn(boss); expose(b); }\n"

static bool hits(const char *source)
{
    struct program p = program_of(source, "all", false);
    bool sent = flow_has(p.f, actor_of(&p, "boss"), actor_of(&p, "worker"),
                         FLOW_SEND, msg_of(&p, "hit"));
    CHECK_EQ(p.f->doubts.n, 0);
    program_free(&p);
    return sent;
}

// What bsearch() finds and qsort() moves may be any element.
TEST(an_array_that_is_searched_or_sorted_has_any_element_anywhere)
{
    CHECK(hits(HIT(
        "static int by_key(const void *a, const void *b)\n"
        "{ return *(const int *)a - *(const int *)b; }\n"
        "TR_HANDLER(boss, m) {}\n"
        "TR_HANDLER(boss, go) {\n"
        "    int key = 2;\n"
        "    self->rows[1].key = 2; self->rows[1].to = spawn(worker);\n"
        "    struct row *r = bsearch(&key, self->rows, 2, sizeof *r, by_key);\n"
        "    if (r) send(r->to, hit);\n"
        "}\n")));
    CHECK(hits(
        HIT("static int by_key(const void *a, const void *b)\n"
            "{ return *(const int *)a - *(const int *)b; }\n"
            "TR_HANDLER(boss, m) {}\n"
            "TR_HANDLER(boss, go) {\n"
            "    self->rows[0].key = 2; self->rows[1].to = spawn(worker);\n"
            "    qsort(self->rows, 2, sizeof *self->rows, by_key);\n"
            "    send(self->rows[0].to, hit);\n"
            "}\n")));
}

TEST(a_step_back_from_an_index_leads_to_an_element)
{
    CHECK(hits(HIT("TR_HANDLER(boss, m) {}\n"
                   "TR_HANDLER(boss, go) {\n"
                   "    struct row *end = self->rows + self->n;\n"
                   "    self->rows[1].to = spawn(worker);\n"
                   "    send(end[-1].to, hit);\n"
                   "}\n")));
}

// A case of a switch over a field that sscanf() writes is not ruled out by what
// the sender had put there before.
TEST(a_number_that_a_library_call_writes_is_any)
{
    static const char *const writes[] = {
        "sscanf(self->text, \"%d\", &m.kind)",
        "m.kind = 1; snprintf((char *)&m, sizeof m, \"%s\", self->text)"};
    for (size_t i = 0; i < sizeof writes / sizeof *writes; i++) {
        char source[4096];
        snprintf(source, sizeof source,
                 HIT("TR_HANDLER(boss, m) {\n"
                     "    switch (msg->kind) { case 1: break;\n"
                     "    case 2: send(self->rows[0].to, hit); break; }\n"
                     "}\n"
                     "TR_HANDLER(boss, go) {\n"
                     "    self->rows[0].to = spawn(worker);\n"
                     "    struct m m = {.kind = 1};\n    %s;\n"
                     "    send_from(me(boss), m, &m);\n}\n"),
                 writes[i]);
        CHECK(hits(source));
    }
}

TEST(what_a_library_call_writes_is_told)
{
    struct program p = program_of(
        HIT("TR_HANDLER(boss, m) { self->n = (int)strlen(self->text); }\n"
            "TR_HANDLER(boss, go) {\n"
            "    char *end; sscanf(\"7\", \"%d\", &self->n);\n"
            "    strtol(self->text, &end, 10); *end = 0;\n"
            "}\n"),
        "all", false);
    CHECK(writes(&p, "boss_go", "n") && writes(&p, "boss_go", "text[]"));
    CHECK(!writes(&p, "boss_go", "rows[].key"));
    CHECK(writes(&p, "boss_m", "n") && !writes(&p, "boss_m", "text[]"));
    program_free(&p);
}

TEST_MAIN()

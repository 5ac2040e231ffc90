// The rules of TAP's figures 8 (actor operations) and 13 (local computations),
// each by a program in which an edge exists because of it and only because of
// it.
#include "program.h"

// Two classes that could be taken for each other, and messages for both.
#define TWO                                                                    \
    "struct go { tr_ref to; tr_ref other; int n; }; TR_MESSAGE(go);\n"         \
    "TR_SIGNAL(hit);\n"                                                        \
    "TR_PROTOCOL(a, go, hit); TR_PROTOCOL(b, go, hit);\n"                      \
    "TR_PROTOCOL(c, go, hit);\n"
#define PLAIN(c)                                                               \
    "struct " c " { int n; };\n"                                               \
    "TR_HANDLER(" c ", hit) { self->n++; }\n"                                  \
    "TR_BEHAVIOUR(" c ", on, TR_ON(hit, " c "_hit));\n"                        \
    "TR_CLASS(" c ", .start = &" c "_on);\n"
// Class a with this handler for go; b and c only get hit.
#define A(state, helpers, body)                                                \
    TWO PLAIN("b") PLAIN("c") "struct a { int n; " state " };\n" helpers       \
                              "TR_HANDLER(a, go) { " body " }\n"               \
                              "TR_BEHAVIOUR(a, on, TR_ON(go, a_go));\n"        \
                              "TR_CLASS(a, .start = &a_on);\n"
#define MAIN(body) "TR_TEST(t) { " body " }\n"
#define USUAL                                                                  \
    MAIN("b_ref x = spawn(b); c_ref y = spawn(c); a_ref z = spawn(a);"         \
         "send(z, go, .to = (tr_ref)x, .other = (tr_ref)y);")

// ---- figure 8 -----------------------------------------------------------

TEST(actor_creation)
{
    struct program p = program_of(A("", "", "send(spawn(b), hit);")
                                      MAIN("send(spawn(a), go);"),
                                  NULL, false);
    CHECK(creates(&p, "env", "a"));
    CHECK(creates(&p, "a", "b"));
    CHECK(!creates(&p, "env", "b") && !creates(&p, "a", "c"));
    CHECK(sends(&p, "a", "b", "hit"));
    CHECK(!p.f->created[actor_of(&p, "c")]);
    program_free(&p);
}

TEST(actor_creation_passes_constructor_parameters)
{
    struct program p =
        program_of(A("tr_ref x, y;", "", "send_any(self->y, hit);")
                       MAIN("send(spawn(a, .x = (tr_ref)spawn(b),"
                            " .y = (tr_ref)spawn(c)), go);"),
                   NULL, false);
    CHECK(sends(&p, "a", "c", "hit"));
    CHECK(!sends(&p, "a", "b", "hit"));
    program_free(&p);
}

TEST(actor_creation_merges_what_several_sites_give)
{
    struct program p =
        program_of(A("tr_ref x;", "", "send_any(self->x, hit);")
                       MAIN("send(spawn(a, .x = (tr_ref)spawn(b)), go);"
                            "send(spawn(a, .x = (tr_ref)spawn(c)), go);"),
                   NULL, false);
    CHECK(sends(&p, "a", "b", "hit") && sends(&p, "a", "c", "hit"));
    program_free(&p);
}

TEST(message_sending)
{
    struct program p =
        program_of(A("", "", "send_any(msg->to, hit);") USUAL, NULL, false);
    CHECK(sends(&p, "env", "a", "go"));
    CHECK(!sends(&p, "env", "b", "go") && !sends(&p, "env", "b", "hit"));
    CHECK(sends(&p, "a", "b", "hit"));
    CHECK(!sends(&p, "a", "c", "hit"));
    program_free(&p);
}

TEST(message_receiving_runs_handlers_of_reachable_behaviours_only)
{
    struct program p = program_of(
        TWO PLAIN("b") PLAIN(
            "c") "struct a { tr_ref x, y; };\n"
                 "TR_STATES(a, idle, busy, never);\n"
                 "TR_HANDLER(a, go) { become(a, busy); }\n"
                 "TR_HANDLER(a, hit) { send_any(self->x, hit); }\n"
                 "TR_HANDLER_AS(other_hit, a, hit) { send_any(self->y, hit); "
                 "}\n"
                 "TR_BEHAVIOUR(a, idle, TR_ON(go, a_go), TR_DEFER(hit));\n"
                 "TR_BEHAVIOUR(a, busy, TR_ON(hit, a_hit), TR_IGNORE(go));\n"
                 "TR_BEHAVIOUR(a, never, TR_ON(hit, other_hit));\n"
                 "TR_CLASS(a, .start = &a_idle);\n" MAIN(
                     "a_ref z = spawn(a, .x = (tr_ref)spawn(b), .y = "
                     "(tr_ref)spawn(c));"
                     "send(z, go); send(z, hit);"),
        NULL, false);
    CHECK(sends(&p, "a", "b", "hit"));
    CHECK(!sends(&p, "a", "c", "hit"));
    program_free(&p);
}

TEST(message_receiving_carries_what_was_sent)
{
    struct program p =
        program_of(A("", "", "send_any(msg->other, hit);") USUAL, NULL, false);
    CHECK(sends(&p, "a", "c", "hit") && !sends(&p, "a", "b", "hit"));
    program_free(&p);
}

TEST(self_reference)
{
    struct program p = program_of(
        A("", "", "send_any(msg->to, go, .to = (tr_ref)me(a));") USUAL, NULL,
        false);
    CHECK(sends(&p, "a", "b", "go"));
    program_free(&p);
    p = program_of(A("", "", "if (msg->n) send(me(a), go, .n = 0);")
                       MAIN("send(spawn(a), go, .n = 1);"),
                   NULL, false);
    CHECK(sends(&p, "a", "a", "go"));
    CHECK(!sends(&p, "a", "b", "go"));
    program_free(&p);
}

TEST(sender_reference)
{
    const char *source = TWO PLAIN(
        "c") "struct b { tr_ref x; };\n"
             "TR_HANDLER(b, go) { send_any(self->x, go); }\n"
             "TR_HANDLER(b, hit) { }\n"
             "TR_BEHAVIOUR(b, on, TR_ON(go, b_go), TR_ON(hit, b_hit));\n"
             "TR_CLASS(b, .start = &b_on);\n"
             "struct a { int n; };\n"
             "TR_HANDLER(a, go) { send_any(sender(), hit); }\n"
             "TR_BEHAVIOUR(a, on, TR_ON(go, a_go));\n"
             "TR_CLASS(a, .start = &a_on);\n" MAIN(
                 "spawn(c); send(spawn(b, .x = (tr_ref)spawn(a)), go);");
    struct program p = program_of(source, NULL, false);
    CHECK(sends(&p, "b", "a", "go"));
    CHECK(sends(&p, "a", "b", "hit"));
    CHECK(!sends(&p, "a", "c", "hit"));
    program_free(&p);
}

// ---- figure 13 ----------------------------------------------------------

TEST(variable_reference)
{
    struct program p = program_of(
        A("", "",
          "tr_ref r = msg->n ? msg->to : NULL; tr_ref s = r;"
          "for (int i = 0; i < msg->n; i++) { tr_ref t = s; s = r; r = t; }"
          "send_any(s, hit);") USUAL,
        NULL, false);
    CHECK(sends(&p, "a", "b", "hit") && !sends(&p, "a", "c", "hit"));
    program_free(&p);
}

TEST(field_reference)
{
    struct program p = program_of(
        A("struct { tr_ref x, y; } in[3]; tr_ref last;", "",
          "self->in[msg->n].x = msg->to; self->in[msg->n].y = msg->other;"
          "send_any(self->in[0].y, hit);") USUAL,
        NULL, false);
    CHECK(sends(&p, "a", "c", "hit") && !sends(&p, "a", "b", "hit"));
    program_free(&p);
}

TEST(field_reference_through_a_pointer_that_steps)
{
    struct program p =
        program_of(A("tr_ref v[8]; tr_ref w;", "",
                     "self->v[5] = msg->to; self->w = msg->other;"
                     "for (tr_ref *q = self->v; q < self->v + 8; q++)"
                     "    if (*q) send_any(*q, hit);") USUAL,
                   NULL, false);
    CHECK(sends(&p, "a", "b", "hit"));
    program_free(&p);
}

TEST(object_allocation)
{
    struct program p =
        program_of("#include <stdlib.h>\n" A(
                       "struct node *x, *y;",
                       "struct node { struct node *next; tr_ref r; };\n",
                       "self->x = malloc(sizeof *self->x); self->y = "
                       "malloc(sizeof *self->y);"
                       "self->x->r = msg->to; self->y->r = msg->other;"
                       "self->x->next = NULL;"
                       "for (struct node *n = self->x; n; n = n->next)"
                       "    send_any(n->r, hit);") USUAL,
                   NULL, false);
    CHECK(sends(&p, "a", "b", "hit") && !sends(&p, "a", "c", "hit"));
    program_free(&p);
}

TEST(object_allocation_by_a_wrapper_is_told_apart_by_caller)
{
    struct program p =
        program_of("#include <stdlib.h>\n" A(
                       "struct box *x, *y;",
                       "struct box { int n; tr_ref r; };\n"
                       "static struct box *box_new(int n) {"
                       "    struct box *p = malloc(sizeof *p); if (!p) abort();"
                       "    p->n = n; return p; }\n",
                       "self->x = box_new(1); self->y = box_new(2);"
                       "self->x->r = msg->to; self->y->r = msg->other;"
                       "send_any(self->x->r, hit);") USUAL,
                   NULL, false);
    CHECK(sends(&p, "a", "b", "hit") && !sends(&p, "a", "c", "hit"));
    program_free(&p);
}

TEST(method_invocation)
{
    struct program p = program_of(
        A("void (*how)(tr_ctx *, tr_ref);",
          "static void tell(tr_ctx *ctx, tr_ref r) { send_any(r, hit); }\n"
          "static void tell_not(tr_ctx *ctx, tr_ref r) { (void)r; }\n",
          "self->how = msg->n ? tell : tell_not; self->how(ctx, msg->to);")
            USUAL,
        NULL, false);
    CHECK(sends(&p, "a", "b", "hit") && !sends(&p, "a", "c", "hit"));
    program_free(&p);
}

// One helper, two classes: what one hands it does not reach the other.
TEST(method_invocation_is_analysed_once_per_class)
{
    struct program p = program_of(
        TWO PLAIN(
            "c") "static void tell(tr_ctx *ctx, tr_ref r) { send_any(r, hit); "
                 "}\n"
                 "struct a { tr_ref x; };\n"
                 "TR_HANDLER(a, go) { tell(ctx, self->x); }\n"
                 "TR_HANDLER(a, hit) { }\n"
                 "TR_BEHAVIOUR(a, on, TR_ON(go, a_go), TR_ON(hit, a_hit));\n"
                 "TR_CLASS(a, .start = &a_on);\n"
                 "struct b { tr_ref x; };\n"
                 "TR_HANDLER(b, go) { tell(ctx, self->x); }\n"
                 "TR_BEHAVIOUR(b, on, TR_ON(go, b_go));\n"
                 "TR_CLASS(b, .start = &b_on);\n" MAIN(
                     "a_ref x = spawn(a, .x = (tr_ref)spawn(c));"
                     "send(x, go); send(spawn(b, .x = (tr_ref)x), go);"),
        NULL, false);
    CHECK(sends(&p, "a", "c", "hit") && sends(&p, "b", "a", "hit"));
    CHECK(!sends(&p, "a", "a", "hit") && !sends(&p, "b", "c", "hit"));
    program_free(&p);
}

TEST(return_)
{
    struct program p;
    p = program_of("struct two { tr_ref x, y; };\n" A(
                       "struct two t;",
                       "static struct two swap(struct two t) {"
                       "    return (struct two){t.y, t.x}; }\n"
                       "static tr_ref first(struct two *t) { return t->x; }\n",
                       "self->t = (struct two){msg->to, msg->to};"
                       "self->t = swap(self->t);"
                       "send_any(first(&self->t), hit);") USUAL,
                   NULL, false);
    CHECK(sends(&p, "a", "b", "hit") && !sends(&p, "a", "c", "hit"));
    program_free(&p);
}

TEST(casting)
{
    struct program p = program_of(
        A("unsigned long hidden; union { void *p; tr_ref r; } u;", "",
          "self->hidden = (unsigned long)msg->to;"
          "self->u.p = (void *)self->hidden;"
          "send((b_ref)self->u.r, hit);") USUAL,
        NULL, false);
    CHECK(sends(&p, "a", "b", "hit") && !sends(&p, "a", "c", "hit"));
    program_free(&p);
}

TEST_MAIN()

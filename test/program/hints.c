#include "program/hints.h"

#include "base/text.h"
#include "test.h"

TEST(hints_name_class_and_message)
{
    struct text t = {0};
    hints_of("a.c:3:5: error: 'union counter_protocol' has no member named "
             "'accepts_sub'; did you mean 'accepts_add'?\n"
             "a.c:3:5: error: no member named 'accepts_sub' in 'union "
             "counter_protocol'\n",
             &t);
    CHECK_TEXT(text_get(&t), "hint: counter does not accept sub: "
                             "TR_PROTOCOL(counter, ...) names what it does\n");
    text_free(&t);
}

TEST(hints_of_quotes_that_are_not_ascii)
{
    struct text t = {0};
    hints_of("error: \xe2\x80\x98union a_b_protocol\xe2\x80\x99 has no member "
             "named \xe2\x80\x98"
             "accepts_x\xe2\x80\x99",
             &t);
    CHECK_TEXT(text_get(&t), "hint: a_b does not accept x: TR_PROTOCOL(a_b, "
                             "...) names what it does\n");
    text_free(&t);
}

TEST(hints_for_a_reference_without_a_class)
{
    static const char want[] =
        "hint: this reference has no class: send_any() takes it, "
        "sender_as(CLASS) gives the sender one\n";
    struct text t = {0};
    hints_of("error: invalid use of undefined type 'union tr_any'\n"
             "error: invalid use of undefined type 'union tr_any'\n",
             &t);
    CHECK_TEXT(text_get(&t), want);
    text_free(&t);
    t = (struct text){0};
    hints_of("error: incomplete definition of type 'union tr_any'\n", &t);
    CHECK_TEXT(text_get(&t), want);
    text_free(&t);
}

TEST(hints_for_a_class_whose_struct_is_elsewhere)
{
    struct text t = {0};
    hints_of("t.c:16:19: error: invalid use of undefined type 'struct queue'\n"
             "   16 |     queue_ref q = spawn(queue, .n = 1);\n"
             "t.c:17:1: error: variable has incomplete type 'struct work'\n"
             "   17 |     spawn(worker);\n",
             &t);
    CHECK_TEXT(text_get(&t),
               "hint: spawn(queue) needs to see struct queue: put it into a "
               "header, or spawn in a function beside the class\n");
    text_free(&t);
}

TEST(hints_for_what_is_not_declared)
{
    struct text t = {0};
    hints_of("a.c:3:5: error: 'ctx' undeclared (first use in this function)\n"
             "a.c:4:5: error: use of undeclared identifier 'ctx'\n",
             &t);
    CHECK_TEXT(text_get(&t),
               "hint: a function that sends, spawns or asks takes "
               "tr_ctx *ctx, and is given that of its caller\n");
    text_free(&t);
    t = (struct text){0};
    hints_of("a.c:3:1: error: \xe2\x80\x98"
             "counter_add\xe2\x80\x99 undeclared "
             "here (not in a function)\n"
             "    3 | TR_BEHAVIOUR(counter, on, TR_ON(add));\n",
             &t);
    CHECK_TEXT(text_get(&t), "hint: TR_HANDLER(counter, add) is missing above "
                             "this behaviour\n");
    text_free(&t);
    t = (struct text){0};
    hints_of("a.c:3:1: error: 'counter_add' undeclared\n"
             "    3 |     counter_add();\n"
             "    9 | TR_BEHAVIOUR(counter, on, TR_ON(add));\n"
             "a.c:3:1: error: 'ctxt' undeclared\n",
             &t);
    CHECK_TEXT(text_get(&t), "");
    text_free(&t);
}

TEST(hints_are_for_our_macros_only)
{
    struct text t = {0};
    hints_of("error: 'union u' has no member named 'accepts_'\n"
             "error: 'struct protocol' has no member named 'x'\n"
             "union _protocol no member named accepts_a\n",
             &t);
    CHECK_TEXT(text_get(&t), "");
    hints_of("error: duplicate member 'add'\n", &t);
    CHECK_TEXT(text_get(&t),
               "hint: in a TR_BEHAVIOUR this means two rows for add\n");
    text_free(&t);
}

static void hints(const char *said, const char *want)
{
    struct text t = {0};
    hints_of(said, &t);
    CHECK_TEXT(text_get(&t), want);
    text_free(&t);
}

TEST(hints_for_a_behaviour_that_is_not_named)
{
    hints("a.c:3:5: error: 'counter_stopped' undeclared\n"
          "    3 |     become(counter, stopped);\n",
          "hint: TR_STATES(counter, stopped) above the handlers names "
          "behaviours that they become, TR_BEHAVIOUR(counter, stopped, ...) "
          "says what one does\n");
    hints("a.c:3:5: error: 'other_stopped' undeclared\n"
          "    3 |     become(counter, stopped);\n",
          "");
    hints("a.c:3:5: error: 'counter_stopped' undeclared\n"
          "    3 |     use(counter_stopped);\n"
          "    9 |     become(counter, stopped);\n",
          "");
}

TEST(hints_for_answers_and_requests)
{
    hints("a.c:3:5: error: 'tr_reply_add' undeclared\n"
          "    3 |     get(ask(c, add));\n",
          "hint: add is not a request: TR_REQUEST(add, ANSWER) in place of "
          "TR_MESSAGE(add) says what answers it\n");
    static const char answer[] =
        "hint: reply() begins with the request that it answers: "
        "reply(REQUEST, fields of the answer)\n";
    hints("a.c:3:5: error: 'tr_msg_total' undeclared\n"
          "    3 |     reply(total, .n = 1);\n"
          "a.c:3:5: error: 'tr_reply_total' undeclared\n"
          "    3 |     reply(total, .n = 1);\n",
          answer);
    hints("a.c:3:5: error: use of undeclared identifier 'tr_reply_total'\n"
          "    reply(total, .n = 1);\n"
          "troupe.h:7:5: error: use of undeclared identifier 'tr_msg_total'\n"
          "    inner;\n",
          answer);
}

TEST(hints_for_protocols)
{
    static const char missing[] =
        "hint: TR_PROTOCOL(counter, ...) is missing above this line\n";
    hints("a.c:3:1: error: invalid use of undefined type "
          "'struct counter_accepts_'\n",
          missing);
    hints("a.cc:3:1: error: 'counter_ref' was not declared in this scope\n"
          "    3 | TR_BEHAVIOUR(counter, on, TR_ON(add));\n",
          missing);
    hints("a.c:3:1: error: invalid use of undefined type 'struct accepts_'\n",
          "");
    hints(
        "a.c:3:1: error: unknown type name 'tr_at_most_40_messages_or_rows'\n",
        "hint: TR_PROTOCOL and TR_BEHAVIOUR take at most 40 names: a message "
        "with a field that says which one takes the place of several\n");
}

TEST(hints_for_what_is_not_a_reference)
{
    static const char hint[] = "hint: send, ask and forward begin with a "
                               "reference, as spawn and me give it\n";
    hints("a.c:3:5: error: invalid type argument of '->' (have 'int')\n"
          "    3 |     send(5, tick);\n",
          hint);
    hints("a.c:3:5: error: member reference type 'int' is not a pointer\n"
          "    ask(5, tick);\n",
          hint);
    hints("a.c:3:5: error: invalid type argument of '->' (have 'int')\n"
          "    3 |     n = five->next;\n",
          "");
}

TEST_MAIN()

TEST(hints_name_a_message_that_nobody_declares)
{
    static const char *const said[] = {
        "a.c:9:1: error: \xe2\x80\x98tr_msg_add\xe2\x80\x99 undeclared here\n",
        "a.c:9:1: error: use of undeclared identifier 'tr_msg_add'\n",
    };
    for (int i = 0; i < 2; i++) {
        struct text t = {0};
        hints_of(said[i], &t);
        CHECK_TEXT(
            text_get(&t),
            "hint: add is not declared as a message: TR_MESSAGE(add) behind "
            "its struct, or TR_SIGNAL(add)\n");
        text_free(&t);
    }
}

TEST(hints_of_headers_behind_the_short_names)
{
    struct text t = {0};
    hints_of(
        "/usr/include/c++/12/bits/stl_pair.h:8:31: error: macro \"get\" passed "
        "2 arguments, but takes just 1\n"
        "/usr/include/c++/12/bits/move.h:9: error: 'forward' is no member\n",
        &t);
    CHECK_TEXT(text_get(&t),
               "hint: in C++ the standard headers come before "
               "<troupe_short.h>, whose get and forward are macros\n");
    text_free(&t);
    hints_of("a.cc:8:31: error: macro \"max\" passed 2 arguments\n"
             "/usr/include/c++/12/bits/stl_pair.h:8:31: error: no match\n",
             &t);
    CHECK_TEXT(text_get(&t), "");
    text_free(&t);
}

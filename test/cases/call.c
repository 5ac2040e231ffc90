// The text of a call: read and written alike, and refused where it is wrong.
#include "test.h"

#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"
#include "cases/call.h"

static const char whole[] = "troupe-call 1\n"
                            "tool 0.1.0\n"
                            "program list.c\n"
                            "flag -DLIMIT=3\n"
                            "own dup\n"
                            "function drop\n"
                            "place list.c:10\n"
                            "name first_goes\n"
                            "decision 13 true n > 0\n"
                            "decision 14 case 3 kind\n"
                            "label a stub is used\n"
                            "object local a struct node a\n"
                            "field .data signed 1\n"
                            "field .next pointer &b\n"
                            "object heap b struct node *b\n"
                            "size sizeof *b\n"
                            "freed\n"
                            "object local x int x\n"
                            "field . signed -3\n"
                            "before unsigned counter 3\n"
                            "stub signed get\n"
                            "argument &a\n"
                            "argument 'x'\n"
                            "result int result\n"
                            "end return\n"
                            "after pointer a.next NULL\n"
                            "after text b->name \"a b\"\n";

TEST(a_call_is_read_as_it_was_written)
{
    struct arena a = {0};
    struct diag d = {0};
    struct call_case c;
    struct text t = {0};
    CHECK(call_is(whole));
    CHECK(call_parse(&a, "x", whole, &c, &d));
    call_print(&c, &t);
    CHECK(strcmp(text_get(&t), whole) == 0);
    CHECK(c.objects.n == 3);
    CHECK(strcmp(c.objects.at[2].fields.at[0].place, "") == 0);
    CHECK(strcmp(c.after.at[1].value, "\"a b\"") == 0);
    text_free(&t);
    call_release(&c);
    arena_free(&a);
}

static void refused(const char *text, const char *why)
{
    struct arena a = {0};
    struct diag d = {0};
    struct call_case c;
    CHECK(!call_parse(&a, "f.call", text, &c, &d));
    CHECK(d.text && strstr(d.text, why));
    if (d.text && !strstr(d.text, why))
        fprintf(stderr, "%s\n", d.text);
    diag_free(&d);
    call_release(&c);
    arena_free(&a);
}

TEST(what_is_wrong_has_its_line)
{
    refused("function f\n", "f.call:1: ");
    refused("troupe-call 1\nnonsense\n", "f.call:2: ");
    refused("troupe-call 2\n", "version 1");
    refused("troupe-call 1\nfield .a signed 3\n", "object before it");
    refused("troupe-call 1\nobject round a int a\n", "FORM NAME");
    refused("troupe-call 1\nafter number a 3\n", "not a kind");
    refused("troupe-call 1\nplace here\n", "FILE:LINE");
    refused("troupe-call 1\nprogram a.c\n", "function");
    refused("troupe-call 1\nfunction f\n", "program");
    refused("troupe-call 1\nfunction f\nprogram a.c\nend trap\n", "which");
}

TEST(show_puts_before_and_after_side_by_side)
{
    struct arena a = {0};
    struct diag d = {0};
    struct call_case c;
    struct text t = {0};
    CHECK(call_parse(&a, "x", whole, &c, &d));
    call_show(&c, &t);
    CHECK(strstr(text_get(&t), "drop(&a, 'x')"));
    CHECK(strstr(text_get(&t), "&b -> NULL"));
    CHECK(strstr(text_get(&t), "->name"));
    CHECK(strstr(text_get(&t), "  13  n > 0: true"));
    text_free(&t);
    call_release(&c);
    arena_free(&a);
}

TEST_MAIN()

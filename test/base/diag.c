#include "base/diag.h"

#include "test.h"

TEST(diag_keeps_the_first_error)
{
    struct diag d = {0};
    CHECK(!diag_at(&d, EXIT_USAGE, "a.c", 3, "no %s", "this"));
    CHECK(!diag_set(&d, EXIT_FAULT, "no that"));
    CHECK_TEXT(d.text, "a.c:3: error: no this");
    CHECK_EQ(d.status, EXIT_USAGE);
    diag_free(&d);
    CHECK(!d.status && !d.text);
}

TEST(diag_places)
{
    struct diag d = {0};
    diag_at(&d, EXIT_USAGE, "a.c", 0, "x");
    CHECK_TEXT(d.text, "a.c: error: x");
    diag_free(&d);
    diag_at(&d, EXIT_USAGE, NULL, 0, "x");
    CHECK_TEXT(d.text, "error: x");
    diag_free(&d);
}

// The hint of an error that was dropped stuck to the first one.
TEST(diag_hints_are_about_the_error_that_is_kept)
{
    struct diag d = {0};
    diag_set(&d, EXIT_USAGE, "first");
    diag_set(&d, EXIT_USAGE, "second");
    diag_hint(&d, "about the second");
    CHECK(!d.hint);
    diag_free(&d);
    diag_set(&d, EXIT_USAGE, "first");
    diag_hint(&d, "about the %s", "first");
    diag_hint(&d, "more");
    CHECK_TEXT(d.hint, "about the first");
    diag_free(&d);
}

TEST(diag_shown_has_a_status_and_no_text)
{
    struct diag d = {0};
    CHECK(!diag_shown(&d, EXIT_USAGE));
    CHECK_EQ(diag_print(&d, stderr), EXIT_USAGE);
    CHECK(!d.text);
    diag_free(&d);
}

TEST_MAIN()

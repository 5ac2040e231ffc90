#include "base/json.h"

#include "base/diag.h"
#include "test.h"

#include <string.h>

TEST(json_puts_commas_and_escapes)
{
    struct text t = {0};
    struct json j = {.to = &t, .compact = true};
    json_object(&j, NULL);
    json_text(&j, "a", "x\"\\\n\t\x01");
    json_array(&j, "b");
    json_number(&j, NULL, -3);
    json_object(&j, NULL);
    json_end(&j);
    json_bool(&j, NULL, true);
    json_end(&j);
    json_array(&j, "c");
    json_end(&j);
    json_real(&j, "d", 0.5);
    json_text(&j, "e", NULL);
    json_end(&j);
    CHECK_TEXT(text_get(&t),
               "{\"a\":\"x\\\"\\\\\\n\\t\\u0001\",\"b\":[-3,{},true],"
               "\"c\":[],\"d\":0.5,\"e\":null}");
    text_free(&t);
}

TEST(json_is_utf8_whatever_comes)
{
    struct text t = {0};
    struct json j = {.to = &t, .compact = true};
    json_text(&j, NULL, "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80");
    CHECK_TEXT(text_get(&t), "\"\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80\"");
    static const char *const bad[] = {
        "\xff", "\xc0\x80",         "\xed\xa0\x80",    "\xe2\x82",
        "\x80", "\xf5\x80\x80\x80", "\xf0\x8f\xbf\xbf"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        text_clear(&t);
        j = (struct json){.to = &t, .compact = true};
        json_text(&j, NULL, bad[i]);
        CHECK(strncmp(text_get(&t), "\"\\ufffd", 7) == 0);
        for (const char *c = text_get(&t); *c; c++)
            CHECK(!(*c & 0x80));
    }
    text_clear(&t);
    j = (struct json){.to = &t, .compact = true};
    json_text(&j, NULL, "a\xe2\x82z\x7f");
    CHECK_TEXT(text_get(&t), "\"a\\ufffd\\ufffdz\\u007f\"");
    text_free(&t);
}

TEST(json_indents)
{
    struct text t = {0};
    struct json j = {.to = &t};
    json_object(&j, NULL);
    json_array(&j, "a");
    json_number(&j, NULL, 1);
    json_end(&j);
    json_end(&j);
    CHECK_TEXT(text_get(&t), "{\n  \"a\": [\n    1\n  ]\n}\n");
    text_free(&t);
}

TEST(diag_keeps_the_first_error)
{
    struct diag d = {0};
    CHECK(!diag_at(&d, EXIT_USAGE, "a.c", 3, "no %s", "end"));
    CHECK(!diag_set(&d, EXIT_FAULT, "later"));
    CHECK_EQ(d.status, EXIT_USAGE);
    CHECK_TEXT(d.text, "a.c:3: error: no end");
    diag_free(&d);
    diag_set(&d, EXIT_FAULT, "x");
    CHECK_TEXT(d.text, "error: x");
    diag_free(&d);
}

TEST_MAIN()

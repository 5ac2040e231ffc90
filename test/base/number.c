#include "base/number.h"

#include "test.h"

static long long number(const char *s)
{
    uint64_t n;
    return number_parse(s, &n) ? (long long)n : -1;
}

static long long ms(const char *s)
{
    uint64_t ns;
    return duration_parse(s, &ns) ? (long long)(ns / 1000000) : -1;
}

TEST(numbers_as_users_write_them)
{
    CHECK_EQ(number("0"), 0);
    CHECK_EQ(number("10_000"), 10000);
    CHECK_EQ(number("10k"), 10000);
    CHECK_EQ(number("1.5M"), 1500000);
    CHECK_EQ(number("0x5eed"), 0x5eed);
    uint64_t n;
    CHECK(number_parse("18446744073709551615", &n) && n == UINT64_MAX);
    CHECK(number_parse("0xffffffffffffffff", &n) && n == UINT64_MAX);
}

TEST(what_is_no_number)
{
    static const char *const bad[] = {"",
                                      "x",
                                      "-1",
                                      "1.5",
                                      "10kk",
                                      "10 ",
                                      "0x",
                                      "0xg",
                                      "1..2",
                                      "_1",
                                      "18446744073709551616",
                                      "0x10000000000000000",
                                      "1e3",
                                      "."};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK_EQ(number(bad[i]), -1);
    }
}

TEST(signed_numbers_reach_both_ends)
{
    int64_t n;
    CHECK(number_parse_signed("-9223372036854775808", &n) && n == INT64_MIN);
    CHECK(number_parse_signed("+5", &n) && n == 5);
    CHECK(!number_parse_signed("9223372036854775808", &n));
    CHECK(!number_parse_signed("--5", &n));
}

TEST(durations)
{
    CHECK_EQ(ms("60s"), 60000);
    CHECK_EQ(ms("60"), 60000);
    CHECK_EQ(ms("0.5"), 500);
    CHECK_EQ(ms("1h30m"), 5400000);
    CHECK_EQ(ms("500ms"), 500);
    CHECK_EQ(ms("2min"), 120000);
    CHECK_EQ(ms("10m"), 600000);
    CHECK_EQ(ms("1d"), 86400000);
    CHECK_EQ(ms(""), -1);
    CHECK_EQ(ms("1x"), -1);
    CHECK_EQ(ms("1h30"), -1);
    CHECK_EQ(ms("-1s"), -1);
    uint64_t ns;
    CHECK(duration_parse("20us", &ns) && ns == 20000);
}

TEST(bits_of_doubles)
{
    CHECK_EQ(double_bits(1.0), UINT64_C(0x3ff0000000000000));
    CHECK(double_bits(0.0) != double_bits(-0.0));
}

TEST_MAIN()

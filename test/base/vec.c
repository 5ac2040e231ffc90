#include "base/vec.h"

#include "dies.h"
#include "test.h"

typedef VEC(uint32_t) numbers;

TEST(vec_keeps_what_was_pushed)
{
    numbers v = {0};
    for (uint32_t i = 0; i < 1000; i++)
        vec_push(&v, i * i);
    CHECK_EQ(v.n, 1000);
    for (uint32_t i = 0; i < 1000; i++)
        CHECK_EQ(v.at[i], i * i);
    vec_last(&v) = 7;
    CHECK_EQ(vec_pop(&v), 7);
    CHECK_EQ(vec_last(&v), 998 * 998);
    vec_free(&v);
    CHECK(!v.at && !v.n && !v.cap);
}

TEST(vec_room_is_made_once)
{
    numbers v = {0};
    vec_room(&v, 100);
    CHECK(v.cap >= 100 && v.n == 0);
    const uint32_t *before = v.at, room = v.cap;
    for (uint32_t i = 0; i < room; i++)
        vec_push(&v, i);
    CHECK(v.at == before && v.cap == room);
    vec_clear(&v);
    CHECK(v.n == 0 && v.at == before);
    vec_free(&v);
}

TEST(vec_each_visits_all)
{
    numbers v = {0};
    uint32_t *p, sum = 0;
    vec_each(&v, p) sum++;
    CHECK_EQ(sum, 0);
    for (uint32_t i = 1; i <= 10; i++)
        vec_push(&v, i);
    vec_each(&v, p) sum += *p;
    CHECK_EQ(sum, 55);
    vec_free(&v);
}

static void pop(void *v)
{
    vec_pop((numbers *)v);
}

static void last(void *v)
{
    vec_last((numbers *)v) = 1;
}

TEST(vec_asserts_that_it_is_not_empty)
{
    numbers v = {0};
    CHECK(asserts(pop, &v));
    CHECK(asserts(last, &v));
    vec_push(&v, 1);
    CHECK(!asserts(pop, &v));
    vec_free(&v);
}

// Once, these sizes wrapped, and room for too few was made.
static void room_for_too_many(void *v)
{
    vec_room((numbers *)v, UINT32_MAX);
}

static void room_for_more_than_fits(void *v)
{
    volatile size_t much = (size_t)1 << 32;
    vec_room((numbers *)v, much);
}

TEST(vec_dies_rather_than_wrap)
{
    numbers v = {0};
    vec_push(&v, 1);
    CHECK_EQ(ending_of(room_for_too_many, &v), 3);
    CHECK_EQ(ending_of(room_for_more_than_fits, &v), 3);
    vec_free(&v);
}

TEST_MAIN()

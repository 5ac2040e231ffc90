// The points-to solver by itself: arrays, copies and wrap-around.
#include "flow/pts.h"

#include "dies.h"
#include "test.h"

static uint32_t object(struct pts *p, uint32_t size)
{
    return pts_object(p, (struct pts_object){.kind = OBJECT_HEAP,
                                             .type = IR_NOTHING,
                                             .size = size});
}

static uint32_t pointer(struct pts *p, uint32_t object, uint32_t offset)
{
    uint32_t node = pts_node(p);
    pts_add(p, node, pts_loc(p, object, offset));
    return node;
}

// *at = what
static void store(struct pts *p, uint32_t at, uint32_t what)
{
    pts_on(p, at, (struct pts_constraint){ON_STORE, what, 8, 0});
}

static bool holds(struct pts *p, uint32_t object, uint32_t offset,
                  uint32_t what)
{
    pts_solve(p);
    return set_has(pts_of(p, pts_cell(p, object, offset)), pts_loc(p, what, 0));
}

// An array by index: at[...] with this stride, of so many elements.
static uint32_t element(struct pts *p, uint32_t at, int64_t stride,
                        uint32_t count)
{
    uint32_t e = pts_node(p);
    pts_on(p, at, (struct pts_constraint){ON_INDEX, e, count, stride});
    return e;
}

static void call_pts_check(void *p)
{
    pts_check(p);
}

TEST(a_constraint_that_is_not_satisfied_is_noticed)
{
    struct pts p = {0};
    uint32_t a = object(&p, 16), x = object(&p, 8);
    uint32_t at = pointer(&p, a, 8), what = pointer(&p, x, 0);
    uint32_t loaded = pts_node(&p), copied = pts_node(&p);
    store(&p, at, what);
    pts_on(&p, at, (struct pts_constraint){ON_LOAD, loaded, 8, 0});
    pts_copy(&p, loaded, copied);
    pts_solve(&p);
    CHECK(!asserts(call_pts_check, &p));
    uint32_t each[] = {pts_cell(&p, a, 8), loaded, copied};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
        struct set kept = p.nodes.at[each[i]].has;
        p.nodes.at[each[i]].has = (struct set){0};
        CHECK(asserts(call_pts_check, &p));
        p.nodes.at[each[i]].has = kept;
    }
    p.nodes.at[at].queued = true;
    CHECK(asserts(call_pts_check, &p));
    pts_free(&p);
}

TEST(an_array_that_ends_beyond_all_offsets_is_an_array)
{
    struct pts p = {0};
    uint32_t a = object(&p, UINT32_MAX), x = object(&p, 8);
    uint32_t at = element(&p, pointer(&p, a, 16), 0x10000, 0x10000);
    store(&p, at, pointer(&p, x, 0));
    CHECK(holds(&p, a, 16, x) && holds(&p, a, 16 + 0x50000, x));
    CHECK(!holds(&p, a, 24, x));
    pts_free(&p);
}

TEST(a_stride_too_wide_for_an_offset_makes_no_other_array)
{
    struct pts p = {0};
    uint32_t a = object(&p, UINT32_MAX), x = object(&p, 8);
    uint32_t at = element(&p, pointer(&p, a, 0), INT64_C(-0x100000008), 0);
    store(&p, at, pointer(&p, x, 0));
    CHECK(holds(&p, a, 0, x));
    CHECK(!holds(&p, a, 8, x));
    pts_free(&p);
}

// Row 2 of an array of arrays is copied out.
TEST(an_element_of_an_array_of_arrays_is_copied)
{
    struct pts p = {0};
    uint32_t a = object(&p, 128), b = object(&p, 32), x = object(&p, 8);
    uint32_t row = element(&p, pointer(&p, a, 0), 32, 4);
    store(&p, element(&p, row, 8, 4), pointer(&p, x, 0));
    pts_solve(&p);
    pts_copy_range(&p, (struct pts_loc){b, 0}, (struct pts_loc){a, 64}, 32);
    CHECK(holds(&p, b, 0, x) && holds(&p, b, 24, x));
    pts_free(&p);
}

// What is in both arrays is in both, whichever way it is looked at.
TEST(arrays_that_overlap_are_one)
{
    struct pts p = {0};
    uint32_t a = object(&p, 128), x = object(&p, 8);
    element(&p, pointer(&p, a, 0), 16, 3);
    element(&p, pointer(&p, a, 24), 8, 10);
    store(&p, pointer(&p, a, 48), pointer(&p, x, 0));
    CHECK(holds(&p, a, 24, x) && holds(&p, a, 8, x) && holds(&p, a, 40, x));
    CHECK(!holds(&p, a, 120, x));
    pts_free(&p);
}

// A long array is copied through two others that nobody looks into.
TEST(a_long_array_is_copied_on)
{
    struct pts p = {0};
    uint32_t a = object(&p, 8000), b = object(&p, 8000), c = object(&p, 8000);
    uint32_t x = object(&p, 8);
    pts_copy_range(&p, (struct pts_loc){b, 0}, (struct pts_loc){a, 0}, 8000);
    pts_copy_range(&p, (struct pts_loc){c, 0}, (struct pts_loc){b, 0}, 8000);
    store(&p, element(&p, pointer(&p, a, 0), 8, 1000), pointer(&p, x, 0));
    CHECK(holds(&p, c, 4000, x));
    pts_free(&p);
}

// p = p + 8, again and again, makes an array; q = p + 8 once does not.
TEST(a_pointer_that_walks_makes_an_array_and_one_that_steps_does_not)
{
    struct pts p = {0};
    uint32_t a = object(&p, 800), b = object(&p, 800), x = object(&p, 8);
    uint32_t walks = pointer(&p, a, 0), next = pts_node(&p);
    pts_on(&p, walks, (struct pts_constraint){ON_FIELD, next, 0, 8});
    pts_copy(&p, next, walks);
    store(&p, walks, pointer(&p, x, 0));
    CHECK(holds(&p, a, 792, x));
    uint32_t steps = pointer(&p, b, 0), once = pts_node(&p);
    pts_add(&p, steps, pts_loc(&p, b, 8));
    pts_on(&p, steps, (struct pts_constraint){ON_FIELD, once, 0, 8});
    store(&p, once, pointer(&p, x, 0));
    CHECK(holds(&p, b, 16, x) && holds(&p, b, 8, x));
    CHECK(!holds(&p, b, 0, x) && !holds(&p, b, 24, x));
    pts_free(&p);
}

TEST_MAIN()

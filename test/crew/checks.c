// crew_check() accepts a supervisor in order, and refuses one in which a field
// is wrong or a unit is in two places.
#include "dies.h"
#include "test.h"

#include "crew/inner.h"

static void call_check(void *c)
{
    crew_check(c);
}

// Near worker 0 holds two units and has written down what is left of them, far
// worker 1 is idle, worker 2 has no process; three units wait.
struct setting {
    struct crew crew;
    struct member members[3];
    char bytes[8];
};

static void add(struct work_list *to, struct setting *s, uint32_t i,
                uint32_t size)
{
    vec_push(&to->list, ((struct work){&s->bytes[i], size}));
}

static void set_up(struct setting *s)
{
    *s = (struct setting){0};
    s->crew.members = s->members;
    s->crew.n = 3;
    s->crew.busy = 1;
    s->crew.queue.sorted = true;
    s->members[0].here = s->members[0].busy = s->members[0].written = true;
    s->members[1].here = s->members[1].far = true;
    add(&s->members[0].holds, s, 0, 3);
    add(&s->members[0].holds, s, 1, 4);
    add(&s->members[0].last.rest, s, 2, 5);
    add(&s->crew.queue.units, s, 3, 2);
    add(&s->crew.queue.units, s, 4, 7);
    add(&s->crew.suspect.units, s, 5, 9);
}

static void tear_down(struct setting *s)
{
    vec_free(&s->members[0].holds.list);
    vec_free(&s->members[0].last.rest.list);
    vec_free(&s->crew.queue.units.list);
    vec_free(&s->crew.suspect.units.list);
}

TEST(a_wrong_field_is_noticed)
{
    struct setting s;
    set_up(&s);
    CHECK(!asserts(call_check, &s.crew));
    struct member *idle = &s.members[1];
    bool *const flags[] = {&idle->whole,   &idle->aside,      &idle->yielding,
                           &idle->ending,  &idle->busy,       &idle->discard,
                           &idle->written, &s.members[2].busy};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        *flags[i] = true;
        CHECK(asserts(call_check, &s.crew));
        *flags[i] = false;
        CHECK(!asserts(call_check, &s.crew));
    }
    s.members[0].written = false; // then nothing is written down
    CHECK(asserts(call_check, &s.crew));
    s.members[0].written = true;
    s.crew.far_busy++;
    CHECK(asserts(call_check, &s.crew));
    tear_down(&s);
}

TEST(a_unit_in_two_places_is_noticed)
{
    struct setting s;
    set_up(&s);
    for (uint32_t i = 0; i < 6; i++) {
        add(&s.crew.set_aside, &s, i, 1);
        CHECK(asserts(call_check, &s.crew));
        vec_clear(&s.crew.set_aside.list);
    }
    add(&s.crew.set_aside, &s, 6, 1);
    CHECK(!asserts(call_check, &s.crew));
    vec_free(&s.crew.set_aside.list);
    tear_down(&s);
}

TEST(a_queue_out_of_order_is_noticed)
{
    struct setting s;
    set_up(&s);
    s.crew.queue.units.list.at[0].size = 8;
    CHECK(asserts(call_check, &s.crew));
    s.crew.queue.sorted = false;
    CHECK(!asserts(call_check, &s.crew));
    tear_down(&s);
}

TEST_MAIN()

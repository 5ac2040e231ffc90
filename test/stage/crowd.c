// Test code looks at actors whose regions have the same address.
#include "stage/native_inner.h"

#include "player.h"
#include "test.h"

static uint32_t sharing(const struct native *n)
{
    uint32_t k = 0;
    for (uint32_t a = 1; a < n->actors.n; a++)
        for (uint32_t b = a + 1; b < n->actors.n; b++)
            k += n->actors.at[a].slot == n->actors.at[b].slot;
    return k;
}

TEST(actors_that_share_a_slot_are_all_seen)
{
    struct program *crowd =
        player_build("test/stage/programs/crowd.c", NULL, 0);
    struct native_options o = {.test = "looks", .limit_ms = 10000};
    struct player *p = player_open_as(crowd, &o);
    player_run(p);
    CHECK(sharing(p->native) > 5);
    CHECK_EQ(p->bugs.n, 0);
    if (p->bugs.n)
        fprintf(stderr, "%s\n", p->bugs.at[0].text);
    CHECK(p->body & EFFECT_BODY_DONE);
    player_close(p);
    program_free(crowd);
}

TEST_MAIN()

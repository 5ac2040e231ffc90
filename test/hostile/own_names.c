// Functions and variables with names that the C library and the tool have too:
// each means the program's own.
//
// Native: ok
// Explore: ok
#include <troupe_short.h>

#include <assert.h>

int dup(int x) { return x + 1; }
int map_get(int x) { return x + 2; }
int die(int x) { return x + 3; }
int play_run(int x) { return x + 4; }
static int close(int x) { return x + 5; }
static int text_add(int x) { return x + 6; }
int buffer_add, stage_now = 7, data_start = 8, etext = 9, vec_room = 10;

TR_SIGNAL(go);
TR_PROTOCOL(a, go);
struct a {
    int n;
};
TR_HANDLER(a, go)
{
    assert(dup(1) == 2 && map_get(1) == 3 && die(1) == 4 && play_run(1) == 5);
    assert(close(1) == 6 && text_add(1) == 7);
    assert(stage_now == 7 && data_start == 8 && etext == 9 && vec_room == 10);
    assert(!buffer_add);
    self->n++;
}
TR_BEHAVIOUR(a, on, TR_ON(go, a_go));
TR_CLASS(a, .start = &a_on);

TR_TEST(t)
{
    a_ref x = spawn(a);
    send(x, go);
    send(x, go);
}

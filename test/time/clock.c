/* What programs may count on when they look at the clock, under every manager
 * and in exploration. */
#include "troupe_short.h"

#include <assert.h>
#include <poll.h>
#include <semaphore.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static uint64_t ms_of(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* ---- a timer is never early ------------------------------------------- */

TR_PROTOCOL(node, go, x);
TR_SIGNAL(go);
TR_SIGNAL(x);
struct node {
    uint64_t began, real;
    tr_time at;
    int times;
};
TR_HANDLER(node, go)
{
    self->began = ms_of(CLOCK_MONOTONIC);
    self->real = ms_of(CLOCK_REALTIME_COARSE);
    self->at = now();
    send_after(200, me(node), x);
}
TR_HANDLER(node, x)
{
    assert(ms_of(CLOCK_MONOTONIC) - self->began >= 190);
    assert(ms_of(CLOCK_REALTIME_COARSE) - self->real >= 190);
    assert(now() - self->at >= 200);
    self->times++;
}
TR_BEHAVIOUR(node, open, TR_ON(go, node_go), TR_ON(x, node_x));
TR_CLASS(node, .start = &node_open);

TR_TEST(a_timer_is_never_early)
{
    node_ref n = spawn(node);
    tr_time before = now();
    send(n, go);
    drain();
    assert(peek(node, n)->times == 1);
    assert(now() - before >= 200);
}

/* ---- it never goes back ----------------------------------------------- */

TR_PROTOCOL(reader, look_at);
struct look_at {
    tr_time before;
    int left;
    tr_ref next;
};
TR_MESSAGE(look_at);
struct reader {
    int n;
};
TR_HANDLER(reader, look_at)
{
    tr_time t = now();
    assert(t >= msg->before);
    assert(now() == t); /* it stands still while a handler runs */
    if (msg->left)
        tr_after_(ctx, 10, msg->next, &tr_msg_look_at,
                  &(struct look_at){t, msg->left - 1, (tr_ref)me(reader)});
}
TR_BEHAVIOUR(reader, open, TR_ON(look_at, reader_look_at));
TR_CLASS(reader, .start = &reader_open);

TR_TEST(it_never_goes_back)
{
    reader_ref a = spawn(reader), b = spawn(reader);
    send(a, look_at, .left = 3, .next = (tr_ref)b);
    send(b, look_at, .left = 2, .next = (tr_ref)a);
}

/* ---- sleeps ----------------------------------------------------------- */

TR_PROTOCOL(sleeper, doze, woken);
TR_SIGNAL(doze);
TR_SIGNAL(woken);
struct sleeper {
    int order;
};
static void sleep_ways(void)
{
    struct timespec t = {0, 10000000};
    uint64_t at = ms_of(CLOCK_MONOTONIC);
    usleep(10000);
    nanosleep(&t, NULL);
    clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
    poll(NULL, 0, 10);
    assert(ms_of(CLOCK_MONOTONIC) - at >= 40);
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec++;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
    assert(ms_of(CLOCK_MONOTONIC) - at >= 1000);
}
TR_HANDLER(sleeper, doze)
{
    send_after(100, me(sleeper), woken);
    sleep_ways();
    self->order = self->order * 10 + 1;
}
TR_HANDLER(sleeper, woken)
{
    self->order = self->order * 10 + 2;
}
TR_BEHAVIOUR(sleeper, open, TR_ON(doze, sleeper_doze),
             TR_ON(woken, sleeper_woken));
TR_CLASS(sleeper, .start = &sleeper_open);

TR_TEST(sleeps_take_time)
{
    sleeper_ref s = spawn(sleeper);
    send(s, doze);
    drain();
    assert(peek(sleeper, s)->order == 12);
}

/* ---- clocks of the C library ------------------------------------------ */

TR_TEST(clocks_agree)
{
    struct timeval v;
    struct timespec t;
    uint64_t s = (uint64_t)time(NULL);
    gettimeofday(&v, NULL);
    timespec_get(&t, TIME_UTC);
    assert((uint64_t)v.tv_sec - s <= 1);
    assert((uint64_t)t.tv_sec - s <= 1);
    assert(ms_of(CLOCK_REALTIME) / 1000 - s <= 1);
    assert(ms_of(CLOCK_BOOTTIME) >= ms_of(CLOCK_MONOTONIC_COARSE));
}

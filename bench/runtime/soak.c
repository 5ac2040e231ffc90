// Soak: everything that takes and gives back memory, for as many seconds as
// told (60); fails if the process grows after the first tenth of that time.
//   cc -O2 -Iinclude bench/runtime/soak.c -ltroupe -o soak && ./soak 600
#include "bench.h"

TR_PROTOCOL(boss, round_, gone, alarm);
TR_PROTOCOL(hand, work, weigh);
TR_SIGNAL(round_);
TR_SIGNAL(gone);
TR_SIGNAL(alarm);
struct weight {
    int64_t value;
};
struct weigh {
    int64_t n;
};
TR_REQUEST(weigh, weight);
static void work_drop(void *);
struct work {
    char *text;
};
TR_MESSAGE(work, .drop = work_drop);
static void work_drop(void *payload)
{
    free(((struct work *)payload)->text);
}

struct hand {
    int64_t done;
    char state[100];
};
TR_HANDLER(hand, work)
{
    self->done++;
    if (self->done == 3)
        stop();
}
TR_HANDLER(hand, weigh)
{
    reply(weigh, .value = msg->n + self->done);
}
TR_BEHAVIOUR(hand, on, TR_ON(work, hand_work), TR_ON(weigh, hand_weigh));
TR_CLASS(hand, .start = &hand_on);

struct boss {
    int64_t gone, sum;
};
TR_HANDLER(boss, round_)
{
    for (int i = 0; i < 50; i++) {
        hand_ref h = spawn(hand);
        const struct weight *w;
        watch(h, boss, gone);
        for (int k = 0; k < 4; k++) // the last is a dead letter
            send(h, work, .text = calloc(1, 100));
        w = await(ask_within(1000, h, weigh, .n = i));
        self->sum += w ? w->value : 0;
        cancel(send_after(10000, me(boss), alarm));
    }
    send_after(1, me(boss), alarm);
}
TR_HANDLER(boss, gone)
{
    self->gone++;
}
TR_HANDLER(boss, alarm)
{
}
TR_BEHAVIOUR(boss, on, TR_ON(round_, boss_round_), TR_ON(gone, boss_gone),
             TR_ON(alarm, boss_alarm));
TR_CLASS(boss, .start = &boss_on);

static void nothing(void *user, const tr_fault *f)
{
    (void)user, (void)f;
}

static int64_t resident(void)
{
    long all = 0, pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%ld %ld", &all, &pages) != 2)
        pages = 0;
    if (f)
        fclose(f);
    return pages * 4096;
}

static void one_round(tr_runtime *r, boss_ref *bosses)
{
    tr_ctx *ctx = tr_enter(r);
    for (int i = 0; i < 4; i++)
        send(bosses[i], round_);
    for (int i = 0; i < 100; i++) {
        hand_ref h = spawn(hand);
        get(ask(h, weigh, .n = 1));
        for (int k = 0; k < 3; k++)
            send(h, work, .text = calloc(1, 10));
    }
    drain();
    tr_leave(ctx);
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? atof(argv[1]) : 60, start = bench_now();
    int64_t rounds = 0, early = 0, late;
    tr_runtime *r;
    boss_ref bosses[4];
    tr_ctx *ctx;
    if (tr_start_(NULL, &(tr_config){.threads = 2, .on_fault = nothing}, &r))
        return 1;
    ctx = tr_enter(r);
    for (int i = 0; i < 4; i++)
        bosses[i] = spawn(boss);
    tr_leave(ctx);
    while (bench_now() - start < seconds) {
        one_round(r, bosses);
        rounds++;
        if (!early && bench_now() - start > seconds / 10)
            early = resident();
    }
    late = resident();
    tr_end(r);
    printf("soak %.6f %" PRId64 " rounds, %" PRId64 " then %" PRId64 " bytes\n",
           bench_now() - start, rounds, early, late);
    return late > early + (1 << 20) ? 1 : 0;
}

// Phils(n) by hand: every schedule under `mailbox`, without any tool.
//
// The same program as programs/eta/phils.c, as short as C can have it: actors
// are small integers, a mailbox is a ring, the world is one struct that is
// copied before each receive.  Prints schedules and seconds: the yardstick for
// `troupe explore --strategy=exhaustive`, which runs compiled handlers of any
// program.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 6, BOX = 4 };
enum { THINK, TAKE, PUT, TAKEN };

struct message {
    uint8_t type, from;
};

struct box {
    uint8_t first, n;
    struct message at[BOX];
};

struct world {
    uint8_t held[MOST], waiting[MOST]; // forks; waiting: philosopher + 1
    uint8_t meals[MOST];
    struct box box[2 * MOST]; // forks, then philosophers
};

static int n;
static uint64_t schedules;

static void post(struct world *w, int to, int type, int from)
{
    struct box *b = &w->box[to];
    b->at[(b->first + b->n++) % BOX] =
        (struct message){(uint8_t)type, (uint8_t)from};
}

static void fork_receives(struct world *w, int f, struct message m)
{
    if (m.type == TAKE && w->held[f]) {
        w->waiting[f] = (uint8_t)(m.from + 1);
    } else if (m.type == TAKE) {
        w->held[f] = 1;
        post(w, m.from, TAKEN, f);
    } else if (w->waiting[f]) {
        post(w, w->waiting[f] - 1, TAKEN, f);
        w->waiting[f] = 0;
    } else {
        w->held[f] = 0;
    }
}

static void philosopher_receives(struct world *w, int p, struct message m)
{
    int first = p - n, second = (p - n + 1) % n;
    if (m.type == THINK) {
        post(w, first, TAKE, p);
    } else if (m.from == first) {
        post(w, second, TAKE, p);
    } else {
        w->meals[first]++;
        post(w, first, PUT, p);
        post(w, second, PUT, p);
    }
}

static void visit(const struct world *w)
{
    int leaf = 1;
    for (int a = 0; a < 2 * n; a++) {
        if (!w->box[a].n)
            continue;
        struct world next = *w;
        struct box *b = &next.box[a];
        struct message m = b->at[b->first];
        b->first = (uint8_t)((b->first + 1) % BOX);
        b->n--;
        if (a < n)
            fork_receives(&next, a, m);
        else
            philosopher_receives(&next, a, m);
        visit(&next);
        leaf = 0;
    }
    schedules += (uint64_t)leaf;
}

int main(int argc, char **argv)
{
    static struct world w;
    struct timespec t0, t1;
    n = argc > 1 ? atoi(argv[1]) : 3;
    if (n < 2 || n > MOST)
        return 2;
    for (int p = n; p < 2 * n; p++)
        post(&w, p, THINK, p);
    clock_gettime(CLOCK_MONOTONIC, &t0);
    visit(&w);
    clock_gettime(CLOCK_MONOTONIC, &t1);
    printf("%llu %.6f\n", (unsigned long long)schedules,
           (double)(t1.tv_sec - t0.tv_sec) +
               (double)(t1.tv_nsec - t0.tv_nsec) / 1e9);
    return 0;
}

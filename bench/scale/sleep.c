// What a worker runs in a replay: sleep FACTOR, beside the files `tree` and
// `order`.  See scale.c.
//
// A unit of a replay is a node of the tree and how much of its time is left.
#include "tree.h"

#include "base/clock.h"
#include "base/vec.h"
#include "crew/remote.h"
#include "explore/optimal/work.h"

#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

struct piece {
    uint32_t node;
    bool bare;   // only time: another piece has the parts of the node
    double left; // seconds, as measured
};

#define SPLIT 0.2 // seconds

// As many bytes as the unit had.
static void put(struct work_list *to, const struct tree *t, struct piece p)
{
    struct work_bytes b = {0};
    work_put(&b, (uint64_t)p.node * 2 + p.bare);
    work_put(&b, (uint64_t)(p.left * 1e9));
    while (b.bytes.n < t->nodes[p.node].bytes)
        work_put(&b, 0);
    work_list_add(to, b.bytes.at, b.bytes.n);
    work_free(&b);
}

// A search can be split at any time, so what is stretched to be long is.
static void put_parts(struct work_list *to, const struct tree *t,
                      struct piece p)
{
    if (p.left * t->factor > SPLIT) {
        p.left /= 2;
        put(to, t, (struct piece){p.node, true, p.left});
    }
    put(to, t, p);
}

static struct piece get(const struct work *w)
{
    struct work_reader r = {w->bytes, (const uint8_t *)w->bytes + w->size,
                            false};
    uint64_t node = work_get(&r);
    return (struct piece){(uint32_t)(node / 2), node % 2,
                          (double)work_get(&r) * 1e-9};
}

#define NAP 0.02

static void nap(double seconds)
{
    struct timespec t = {(time_t)seconds,
                         (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&t, NULL);
}

struct sleeper {
    struct tree tree;
    VEC(struct piece) stack;
    double slept, owed; // seconds
    struct play_counts counts;
};

// Sleep for a piece, or until it is asked to stop.  True: it is done.
static bool sleep_for(struct sleeper *s, struct piece *p,
                      const struct explore_sink *sink)
{
    double began = clock_now(), wanted = p->left * s->tree.factor + s->owed;
    while (wanted - (clock_now() - began) > NAP / 10) {
        double left = wanted - (clock_now() - began);
        if (sink->stop(sink->self)) {
            p->left = left / s->tree.factor;
            s->owed = 0;
            return false;
        }
        nap(left < NAP ? left : NAP);
    }
    s->owed = wanted - (clock_now() - began); // or what was too long
    return true;
}

static bool job_open(void *self, bool isolated)
{
    const struct sleeper *s = self;
    (void)isolated;
    nap(s->tree.start);
    return true;
}

static bool job_run(void *self, const struct explore_options *o,
                    const struct work *units, uint32_t n,
                    const struct explore_sink *sink, struct explore_result *r,
                    struct work_list *rest)
{
    struct sleeper *s = self;
    bool goes_on = true;
    double began = clock_now();
    (void)o;
    *r = (struct explore_result){.estimate = -1, .progress = -1};
    for (uint32_t i = n; i-- > 0;)
        vec_push(&s->stack, get(&units[i]));
    if (!n)
        vec_push(&s->stack,
                 ((struct piece){0, false, s->tree.nodes[0].seconds}));
    while (s->stack.n && goes_on) {
        struct piece *p = &s->stack.at[s->stack.n - 1];
        goes_on = sleep_for(s, p, sink);
        if (!goes_on)
            break;
        struct node x = s->tree.nodes[p->node];
        s->stack.n--;
        if (p->bare)
            continue;
        r->executions += x.schedules;
        for (uint32_t i = x.n; i-- > 0;)
            vec_push(&s->stack,
                     ((struct piece){x.first + i, false,
                                     s->tree.nodes[x.first + i].seconds}));
        goes_on = !sink->stop(sink->self);
    }
    r->stopped_by = s->stack.n ? STOP_ASKED : STOP_DONE;
    r->seconds = clock_now() - began;
    for (uint32_t i = 0; i < s->stack.n; i++) // the largest were put first
        put_parts(rest, &s->tree, s->stack.at[i]);
    vec_free(&s->stack);
    return true;
}

static const struct play_counts *job_counts(void *self)
{
    const struct sleeper *s = self;
    return &s->counts;
}

static struct crew_job job_of(struct sleeper *s)
{
    return (struct crew_job){
        .self = s, .open = job_open, .run = job_run, .counts = job_counts};
}

int main(int argc, char **argv)
{
    struct sleeper s = {.tree.factor = argc > 1 ? strtod(argv[1], NULL) : 1};
    struct crew_job job = job_of(&s);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    read_tree(&s.tree, "tree");
    return worker_do_file(&job, "order", "result") ? 0 : 2;
}

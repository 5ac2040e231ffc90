#include "cli/worker_job.h"

#include "base/die.h"
#include "base/diag.h"
#include "base/text.h"
#include "cases/subject.h"
#include "cover/lane.h"
#include "cover/record_native.h"
#include "explore/optimal/optimal.h"
#include "explore/optimal/work.h"
#include "explore/portfolio.h"
#include "explore/sample_units.h"
#include "program/final.h"
#include "stage/native.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

static bool job_open(void *self, bool isolated)
{
    struct worker_job *j = self;
    j->subject->isolate |= isolated;
    struct diag d = {0};
    if (subject_open(j->subject, &d))
        return true;
    diag_print(&d, stderr);
    return false;
}

enum { DESCENTS = 10000 };

// Only estimate: Knuth's estimator on the optimal tree, until the time is up.
static void estimate(struct play *p, const struct explore_options *o,
                     const struct explore_sink *sink, struct explore_result *r)
{
    struct search s;
    search_init(&s, p, o, sink, r);
    uint32_t n = o->schedules && o->schedules < DESCENTS
                     ? (uint32_t)o->schedules
                     : DESCENTS;
    struct spread found = optimal_estimate(&s, n, o->seed);
    search_release(&s);
    r->estimate = found.mean;
    r->estimate_low = found.low;
    r->estimate_high = found.high;
    r->complete = false;
    r->stopped_by = STOP_SAMPLED;
}

static bool job_run(void *self, const struct explore_options *given,
                    const struct work *units, uint32_t n,
                    const struct explore_sink *sink, struct explore_result *r,
                    struct work_list *rest)
{
    struct worker_job *j = self;
    struct play *p = j->subject->play;
    struct look look = look_native(j->subject->native);
    struct engine_above cover = cover_above(&look);
    struct explore_options with_cover = *given, *o = &with_cover;
    with_cover.cover = &cover;
    if (o->strategy == STRATEGY_OPTIMAL && j->estimate)
        estimate(p, o, sink, r);
    else if (o->strategy == STRATEGY_OPTIMAL)
        explore_work(p, o, units, n, sink, r, rest);
    else if (strategy_samples(o->strategy) && n)
        sample_units_explore(p, o, units, n, sink, r, rest);
    else if (o->strategy == STRATEGY_AUTO && !o->bounded_delays)
        return portfolio_explore(p, o, units, n, sink, r, rest);
    else
        explore(p, o, sink, r);
    return true;
}

static bool job_tainted(void *self)
{
    struct worker_job *j = self;
    return native_tainted(j->subject->native);
}

static void job_tell(void *self, const struct bug *bug,
                     const struct schedule *s, struct text *out)
{
    struct worker_job *j = self;
    subject_tell(j->subject, bug, s, out);
}

// One line of the file is enough for each; another worker may add it as well.
static void job_ended(void *self, const struct ending *e)
{
    struct worker_job *j = self;
    struct text t = {0};
    if (!hashset_add(&j->seen, e->hash))
        return;
    subject_final(j->subject, e, &t);
    if (!final_append(j->finals, &t))
        die("cannot write %s: %s", j->finals, strerror(errno));
    text_free(&t);
}

static const struct play_counts *job_counts(void *self)
{
    struct worker_job *j = self;
    return play_counts(j->subject->play);
}

struct crew_job worker_job(struct worker_job *j)
{
    return (struct crew_job){.self = j,
                             .open = job_open,
                             .run = job_run,
                             .tainted = job_tainted,
                             .tell = job_tell,
                             .ended = j->finals ? job_ended : NULL,
                             .counts = job_counts};
}

// ---- a guess --------------------------------------------------------------

enum { GUESS_MS = 300 };

static void make_guess(void *self, int fd)
{
    struct subject *s = self;
    struct explore_options o = s->explore;
    struct explore_sink sink = {0};
    struct explore_result r;
    struct diag d = {0};
    struct text t = {0};
    if (!subject_open(s, &d))
        return;
    o.seconds = GUESS_MS * 1e-3;
    o.keep_going = true;
    estimate(s->play, &o, &sink, &r);
    wire_begin(&t, 0);
    wire_put_real(&t, r.estimate);
    wire_put_real(&t, r.estimate_low);
    wire_put_real(&t, r.estimate_high);
    wire_send(fd, &t);
}

void guess_begin(struct guess *g, struct subject *s)
{
    struct child_plan plan = {
        .body = make_guess, .self = s, .signals = CHILD_IGNORES};
    if (!g->begun && child_start(&g->child, &plan))
        g->number = spread_none();
    g->begun = true;
}

struct spread guess_look(struct guess *g, int ms)
{
    struct pollfd p = {.fd = g->child.fd, .events = POLLIN};
    struct wire_message m;
    if (g->child.pid && poll(&p, 1, ms) > 0) {
        bool more = wire_receive(g->child.fd, &g->in);
        enum wire_state state = wire_next(&g->in, &m);
        if (state == WIRE_HERE) {
            g->number.mean = wire_get_real(&m.body);
            g->number.low = wire_get_real(&m.body);
            g->number.high = wire_get_real(&m.body);
        }
        if (!more || state != WIRE_NONE)
            child_kill(&g->child);
    }
    return g->number.mean > 0 ? g->number : spread_none();
}

void guess_end(struct guess *g)
{
    child_kill(&g->child);
    wire_free(&g->in);
}

#include "cli/worker_job.h"

#include "base/die.h"
#include "base/diag.h"
#include "base/text.h"
#include "cases/subject.h"
#include "explore/optimal/optimal.h"
#include "explore/optimal/work.h"
#include "program/final.h"
#include "stage/native.h"

#include <errno.h>
#include <stdlib.h>
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

enum { DESCENTS = 10000, BATCH = 100 };

// Only estimate: Knuth's estimator on the optimal tree, in batches until the
// time is up; the first ones are small, since a handler may take a second.
static void estimate(struct play *p, const struct explore_options *o,
                     const struct explore_sink *sink, struct explore_result *r)
{
    struct search s;
    double sum = 0;
    uint32_t n = 0;
    search_init(&s, p, o, sink, r);
    while (n < DESCENTS && !s.over) {
        uint32_t batch = n + 1 < BATCH ? n + 1 : BATCH;
        sum += optimal_estimate(&s, batch, o->seed + n) * batch;
        n += batch;
        search_look(&s);
    }
    search_release(&s);
    r->estimate = sum / n;
    r->complete = false;
    r->stopped_by = STOP_SAMPLED;
}

static void job_run(void *self, const struct explore_options *o,
                    const struct work *units, uint32_t n,
                    const struct explore_sink *sink, struct explore_result *r,
                    struct work_list *rest)
{
    struct worker_job *j = self;
    struct play *p = j->subject->play;
    if (o->strategy == STRATEGY_OPTIMAL && j->estimate)
        estimate(p, o, sink, r);
    else if (o->strategy == STRATEGY_OPTIMAL)
        explore_work(p, o, units, n, sink, r, rest);
    else
        explore(p, o, sink, r);
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

static void guess_job(struct subject *s, void *arg, struct text *reply)
{
    struct explore_options o = s->explore;
    struct explore_sink sink = {0};
    struct explore_result r;
    (void)arg;
    o.seconds = GUESS_MS * 1e-3;
    o.keep_going = true;
    estimate(s->play, &o, &sink, &r);
    text_format(reply, "%.6g", r.estimate);
}

double worker_guess(struct subject *s)
{
    struct text t = {0};
    struct diag d = {0};
    double n = -1;
    if (subject_apart(s, guess_job, NULL, &t, &d))
        n = strtod(text_get(&t), NULL);
    diag_free(&d);
    text_free(&t);
    return n;
}

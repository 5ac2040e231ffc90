// A worker waits for units, explores them, and tells what it finds.
#include "crew/worker.h"

#include "base/text.h"
#include "crew/frame.h"
#include "base/hashset.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

struct worker {
    const struct crew_job *job;
    int out;
    struct worker_board *board;
    uint32_t me;
    struct hashset bugs; // told by this worker
    struct work_list units;
};

static void say(struct worker *w, enum frame_kind kind, const void *p, size_t n)
{
    if (!frame_put(w->out, kind, p, n))
        _exit(0); // the supervisor is gone
}

// Telling a bug costs shrinking it: once is enough.
static bool told(struct worker *w, uint64_t key)
{
    // Partner: the supervisor's store in pool.c, after the key is written.
    uint32_t n = atomic_load_explicit(&w->board->n_known, memory_order_acquire);
    for (uint32_t i = 0; i < n; i++)
        if (w->board->known[i] == key)
            return true;
    return !hashset_add(&w->bugs, key);
}

static void on_bug(void *self, const struct bug *bug, const struct schedule *s)
{
    struct worker *w = self;
    struct text t = {0};
    uint64_t key = bug_key(bug);
    if (told(w, key))
        return;
    text_bytes(&t, &key, sizeof key);
    w->job->tell(w->job->self, bug, s, &t);
    say(w, FRAME_BUG, t.at, t.n);
    text_free(&t);
}

static bool on_final(void *self, uint64_t hash)
{
    const struct worker *w = self;
    return shared_set_add(w->board->finals, hash);
}

static void on_progress(void *self, const struct explore_result *r)
{
    say(self, FRAME_PROGRESS, r, sizeof *r);
}

static bool on_stop(void *self)
{
    struct worker *w = self;
    // Partner: the supervisor's store in pool.c.
    if (atomic_load_explicit(&w->board->yield[w->me], memory_order_relaxed))
        return true;
    // A search that cannot be handed over goes on as well as it can: to stop
    // it here would pass for its end.
    return w->board->divisible && w->job->tainted &&
           w->job->tainted(w->job->self);
}

static void work(struct worker *w, const struct explore_options *o)
{
    const struct explore_sink sink = {.self = w,
                                      .bug = on_bug,
                                      .progress = on_progress,
                                      .stop = on_stop,
                                      .final = on_final};
    struct worker_done done;
    struct work_list rest = {0};
    memset(&done, 0, sizeof done);
    w->job->run(w->job->self, o, w->units.list.at, w->units.list.n, &sink,
                &done.result, &rest);
    for (uint32_t i = 0; i < rest.list.n; i++)
        say(w, FRAME_REST, rest.list.at[i].bytes, rest.list.at[i].size);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    done.peak_bytes = (uint64_t)usage.ru_maxrss * 1024;
    done.counts = *w->job->counts(w->job->self);
    done.tainted = w->job->tainted && w->job->tainted(w->job->self);
    say(w, FRAME_DONE, &done, sizeof done);
    work_list_free(&rest);
    work_list_free(&w->units);
}

_Noreturn void worker_serve(const struct crew_job *job, int in, int out,
                            struct worker_board *board, uint32_t me)
{
    struct worker w = {.job = job, .out = out, .board = board, .me = me};
    struct frames frames = {0};
    struct frame f;
    if (!job->open(job->self))
        _exit(3);
    while (frames_fill(&frames, in))
        while (frames_next(&frames, &f)) {
            struct explore_options o;
            if (f.kind == FRAME_UNIT) {
                work_list_add(&w.units, f.bytes, f.size);
            } else {
                memcpy(&o, f.bytes, sizeof o);
                work(&w, &o);
            }
        }
    _exit(0);
}

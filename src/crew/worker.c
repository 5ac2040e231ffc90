// A near worker waits for units, explores them, and tells what it finds.  While
// it searches it listens now and then.  A far one has one order and nobody to
// listen to: what it has to say is written down, and it ends with its slice.
#include "crew/worker.h"

#include "base/clock.h"
#include "base/hashset.h"
#include "base/wire.h"
#include "crew/shared_set.h"
#include "crew/sketch.h"
#include "crew/words.h"
#include "explore/bytes.h"

#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

struct worker {
    const struct crew_job *job;
    int fd; // -1: a far worker
    struct wire_in in;
    struct text out; // the message being written
    struct shared_set *finals;
    struct far_worker *far;              // or NULL
    struct hashset bugs;                 // told, by this worker or another
    const struct explore_result *result; // of the work under way
    bool divisible;         // what is left of the search can be handed back
    bool yield, end, write; // what the supervisor asked for
    double listened;
};

// What only a far one has.
struct far_worker {
    struct text *result; // all messages
    double until;
    struct hashset finals;
    struct sketch sketch; // of those that did not fit
};

static void say(struct worker *w)
{
    if (w->far) {
        wire_end(&w->out);
        text_bytes(w->far->result, w->out.at, w->out.n);
        return;
    }
    if (!wire_send(w->fd, &w->out))
        _exit(0); // the supervisor is gone
}

// ---- what the supervisor says ----------------------------------------------

// Take in a message that comes during a search.
static void take(struct worker *w, struct wire_message *m)
{
    switch ((enum crew_word)m->kind) {
    case WORD_YIELD:
        w->yield = true;
        break;
    case WORD_END:
        w->yield = w->end = true;
        break;
    case WORD_WRITE:
        w->write = true;
        break;
    case WORD_KNOWN:
        hashset_add(&w->bugs, wire_get64(&m->body));
        break;
    case WORD_GO:
    case WORD_FAILED:
    case WORD_BUG:
    case WORD_PROGRESS:
    case WORD_WRITTEN:
    case WORD_DONE:
    case WORD_FINALS:
        break;
    }
}

// Is there anything to receive?
static bool is_ready(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    return poll(&p, 1, 0) > 0;
}

static void take_all(struct worker *w)
{
    struct wire_message m;
    while (wire_next(&w->in, &m) == WIRE_HERE)
        take(w, &m);
    if (w->in.bad)
        _exit(1);
}

// What came together with the order was received with it.
static void listen_now(struct worker *w)
{
    if (!w->far)
        take_all(w);
    while (!w->far && is_ready(w->fd)) {
        if (!wire_receive(w->fd, &w->in))
            _exit(0);
        take_all(w);
    }
    w->listened = clock_now();
}

enum { LISTEN_US = 500 };

static void listen_sometimes(struct worker *w)
{
    if (clock_now() - w->listened > LISTEN_US * 1e-6)
        listen_now(w);
}

// ---- what the search says --------------------------------------------------

#define BUG_SECONDS 0.25

// What a far worker has found is told when its order ends.  If the search goes
// on after a bug, let the order end soon.
static void end_soon(struct worker *w)
{
    double until = clock_now() + BUG_SECONDS;
    if (w->far && until < w->far->until)
        w->far->until = until;
}

// Tell a bug once only: each time it would be shrunk again.
static void on_bug(void *self, const struct bug *bug, const struct schedule *s)
{
    struct worker *w = self;
    struct text t = {0};
    uint64_t key = bug_key(bug);
    listen_now(w);
    if (!hashset_add(&w->bugs, key))
        return;
    w->job->tell(w->job->self, bug, s, &t);
    wire_begin(&w->out, WORD_BUG);
    wire_put64(&w->out, key);
    wire_put64(&w->out, explore_made(w->result) + 1);
    wire_put_string(&w->out, text_get(&t));
    say(w);
    text_free(&t);
    end_soon(w);
}

static bool on_final(void *self, uint64_t hash)
{
    struct worker *w = self;
    if (w->far) {
        bool fresh = hashset_add(&w->far->finals, hash);
        if (fresh && w->far->finals.more)
            sketch_add(&w->far->sketch, hash);
        return fresh;
    }
    return shared_set_add(w->finals, hash);
}

static void on_execution(void *self, const struct ending *e)
{
    const struct worker *w = self;
    w->job->ended(w->job->self, e);
}

static void on_progress(void *self, const struct explore_result *r)
{
    struct worker *w = self;
    if (w->far)
        return;
    wire_begin(&w->out, WORD_PROGRESS);
    explore_result_put(&w->out, r);
    say(w);
}

static bool is_tainted(const struct worker *w)
{
    return w->job->tainted && w->job->tainted(w->job->self);
}

static bool on_stop(void *self)
{
    struct worker *w = self;
    if (w->far)
        w->yield |= w->divisible && clock_now() > w->far->until;
    else
        listen_sometimes(w);
    // If the search cannot be divided, a tainted worker goes on: stopping here
    // would look like the end of the search.
    return w->yield || (w->divisible && is_tainted(w));
}

static bool on_ends(void *self)
{
    struct worker *w = self;
    if (!w->far)
        listen_sometimes(w);
    return w->end;
}

static bool wants_rest(void *self)
{
    struct worker *w = self;
    return w->write;
}

static void say_return(struct worker *w, enum crew_word word,
                       struct crew_return *r)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    r->peak_bytes = (uint64_t)usage.ru_maxrss * 1024;
    r->counts = *w->job->counts(w->job->self);
    r->tainted = is_tainted(w);
    crew_return_put(&w->out, word, r);
    say(w);
}

static void on_rest(void *self, const struct explore_result *so_far,
                    const struct work_list *left)
{
    struct worker *w = self;
    struct crew_return r = {.result = *so_far, .rest = *left};
    w->write = false;
    say_return(w, WORD_WRITTEN, &r);
}

static void say_finals(struct worker *w);

// ---- the worker ------------------------------------------------------------

static void work(struct worker *w, const struct crew_order *o)
{
    const struct explore_sink sink = {.self = w,
                                      .bug = on_bug,
                                      .execution =
                                          w->job->ended ? on_execution : NULL,
                                      .progress = on_progress,
                                      .stop = on_stop,
                                      .ends = on_ends,
                                      .final = on_final,
                                      .wants_rest = wants_rest,
                                      .rest = on_rest};
    struct crew_return r = {0};
    w->yield = w->end = w->write = false;
    w->divisible = o->divisible;
    w->result = &r.result;
    r.undivided = !w->job->run(w->job->self, &o->options, o->units.list.at,
                               o->units.list.n, &sink, &r.result, &r.rest);
    if (w->far)
        say_finals(w);
    say_return(w, WORD_DONE, &r);
    work_list_free(&r.rest);
}

static void serve_one(struct worker *w, struct wire_message *m)
{
    struct crew_order o;
    if (m->kind != WORD_GO) {
        take(w, m);
        return;
    }
    if (!crew_order_get(&m->body, &o))
        _exit(1);
    work(w, &o);
    work_list_free(&o.units);
    vec_free(&o.known);
}

void worker_serve(const struct crew_job *job, int fd, struct shared_set *finals,
                  bool isolated)
{
    struct worker w = {.job = job, .fd = fd, .finals = finals};
    struct wire_message m;
    if (!job->open(job->self, isolated)) {
        wire_begin(&w.out, WORD_FAILED);
        say(&w);
        return;
    }
    do
        while (wire_next(&w.in, &m) == WIRE_HERE)
            serve_one(&w, &m);
    while (!w.in.bad && wire_receive(fd, &w.in));
}

// ---- far -------------------------------------------------------------------

enum { FAR_FINALS = 1 << 20 }; // hashes told; more than that by a sketch

static void say_finals(struct worker *w)
{
    struct far_worker *f = w->far;
    VEC(uint64_t) all = {0};
    uint64_t at = 0, hash;
    while (hashset_next(&f->finals, &at, &hash))
        vec_push(&all, hash);
    struct crew_finals finals = {.hashes = all.at,
                                 .n = all.n,
                                 .sketch =
                                     f->finals.more ? f->sketch.at : NULL};
    crew_finals_put(&w->out, &finals);
    say(w);
    vec_free(&all);
}

bool worker_do(const struct crew_job *job, const struct crew_order *o,
               struct text *result)
{
    struct far_worker far = {.result = result,
                             .until = clock_now() + o->slice,
                             .finals = {.cap = FAR_FINALS}};
    struct worker w = {.job = job, .fd = -1, .far = &far};
    if (!job->open(job->self, o->isolated))
        return false;
    for (uint32_t i = 0; i < o->known.n; i++)
        hashset_add(&w.bugs, o->known.at[i]);
    far.until = clock_now() + o->slice;
    work(&w, o);
    hashset_free(&w.bugs);
    hashset_free(&far.finals);
    text_free(&w.out);
    return true;
}

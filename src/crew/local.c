#include "crew/local.h"

#include "base/child.h"
#include "base/clock.h"
#include "base/die.h"
#include "crew/shared_set.h"
#include "crew/supervisor.h"
#include "crew/worker.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>

struct local {
    const struct crew_job *job;
    struct shared_set *finals;
    uint32_t n;
    bool isolated; // for the worker that is being started
    uint32_t next; // the worker that hear() looks at first, each in turn
    struct {
        struct child child;
        struct wire_in in;
        bool lost;
    } workers[CREW_MOST];
};

static void serve(void *self, int fd)
{
    const struct local *l = self;
    worker_serve(l->job, fd, l->finals, l->isolated);
}

// A worker that reads nothing for this time while we write to it is lost.
static const struct timeval patience = {5, 0};

static bool hire(void *self, uint32_t i, bool isolated)
{
    struct local *l = self;
    struct child_plan plan = {
        .body = serve, .self = l, .signals = CHILD_IGNORES};
    l->isolated = isolated;
    l->workers[i].lost = false;
    if (!child_start(&l->workers[i].child, &plan))
        return false;
    setsockopt(l->workers[i].child.fd, SOL_SOCKET, SO_SNDTIMEO, &patience,
               sizeof patience);
    return true;
}

static bool give(void *self, uint32_t i, struct text *message)
{
    struct local *l = self;
    return wire_send(l->workers[i].child.fd, message);
}

static void dismiss(void *self, uint32_t i)
{
    struct local *l = self;
    child_kill(&l->workers[i].child);
    wire_free(&l->workers[i].in);
}

// Something that has arrived already.
static enum crew_news pending(struct local *l, uint32_t *i,
                              struct wire_message *m)
{
    for (uint32_t k = 0; k < CREW_MOST; k++) {
        *i = (l->next + k) % CREW_MOST;
        if (!l->workers[*i].child.pid)
            continue;
        enum wire_state s = wire_next(&l->workers[*i].in, m);
        if (s == WIRE_NONE && !l->workers[*i].lost)
            continue;
        l->next = *i + 1;
        return s == WIRE_HERE ? NEWS_WORD : NEWS_LOST;
    }
    return NEWS_NONE;
}

static void receive(struct local *l, uint32_t ms)
{
    struct pollfd fds[CREW_MOST];
    for (uint32_t i = 0; i < CREW_MOST; i++)
        fds[i] = (struct pollfd){
            l->workers[i].child.pid ? l->workers[i].child.fd : -1, POLLIN, 0};
    if (poll(fds, CREW_MOST, (int)ms) <= 0)
        return;
    for (uint32_t i = 0; i < CREW_MOST; i++)
        if (fds[i].revents)
            l->workers[i].lost =
                !wire_receive(l->workers[i].child.fd, &l->workers[i].in);
}

static enum crew_news hear(void *self, uint32_t ms, uint32_t *i,
                           struct wire_message *m)
{
    struct local *l = self;
    enum crew_news n = pending(l, i, m);
    if (n != NEWS_NONE)
        return n;
    receive(l, ms);
    return pending(l, i, m);
}

static struct crew_places look(void *self, uint32_t left)
{
    const struct local *l = self;
    (void)left;
    return (struct crew_places){.near = l->n};
}

struct crew_transport local_open(const struct crew_job *job, uint32_t workers,
                                 struct shared_set *finals)
{
    struct local *l = need_zero(sizeof *l);
    l->job = job;
    l->finals = finals;
    l->n = workers < CREW_MOST ? workers : CREW_MOST;
    return (struct crew_transport){l, hire, give, hear, dismiss, look};
}

void local_close(struct crew_transport *t)
{
    free(t->self);
}

void crew_explore(const struct crew_job *job, const struct explore_options *o,
                  const struct crew_options *co, const struct crew_sink *sink,
                  struct crew_figures *out)
{
    struct shared_set *finals = shared_set_new();
    struct crew_transport t =
        local_open(job, co->workers ? co->workers : 1, finals);
    crew_supervise(&t, finals, o, co, sink, out);
    local_close(&t);
    shared_set_free(finals);
}

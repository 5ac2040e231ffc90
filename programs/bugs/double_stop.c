/* double-stop: two stop messages for one actor; the second meets freed memory.
 *
 * Source: the sixth finding of TAP.
 *
 * The test sends go to two workers and tick to the watchdog.  A worker asks the
 * dictionary twice and then tells the manager that it has finished; when both
 * have, the manager cancels the watchdog and stops the dictionary, which frees
 * its table.  The watchdog sends itself L ticks and at the last stops the
 * dictionary, unless it was cancelled.  When it fires before the cancel lands,
 * the table is freed twice.
 *
 * Repaired: the watchdog acknowledges the cancel unless it has fired, and the
 * manager stops the dictionary only then.
 *
 * Kind of bug: crash
 * Models with the bug: mailbox causal pair any
 * Models without it: none
 * Repaired, clean in: mailbox causal pair any
 * Oracle: double free.  Parameter L: ticks of the watchdog (16).
 * Find it: troupe explore programs/bugs/double_stop.c
 */
#include "repaired.h"
#include "troupe_short.h"
#include <stdlib.h>

TR_PROTOCOL(dictionary, request, halt);
TR_PROTOCOL(worker, go, response);
TR_PROTOCOL(watchdog, tick, call_off);
TR_PROTOCOL(manager, finished, called_off);

struct request {
    worker_ref from;
};
TR_MESSAGE(request);
TR_SIGNAL(response);
TR_SIGNAL(halt);
TR_SIGNAL(go);
TR_SIGNAL(finished);
TR_SIGNAL(tick);
struct call_off {
    manager_ref from;
};
TR_MESSAGE(call_off);
TR_SIGNAL(called_off);

struct dictionary {
    int *table;
    bool stopped;
};

TR_INIT(dictionary)
{
    self->table = calloc(4, sizeof *self->table);
}

TR_FINI(dictionary)
{
    if (!self->stopped)
        free(self->table);
}

TR_HANDLER(dictionary, request)
{
    if (!self->stopped)
        send(msg->from, response);
}

TR_HANDLER(dictionary, halt)
{
    free(self->table);
    self->stopped = true;
}

TR_BEHAVIOUR(dictionary, open, TR_ON(request, dictionary_request),
             TR_ON(halt, dictionary_halt));
TR_CLASS(dictionary, .start = &dictionary_open, .init = dictionary_init_,
         .fini = dictionary_fini_);

struct watchdog {
    dictionary_ref dictionary;
    int left; /* ticks; 0: fired */
    bool off;
};

TR_HANDLER(watchdog, tick)
{
    if (self->off)
        return;
    if (--self->left == 0)
        send(self->dictionary, halt);
    else
        send(me(watchdog), tick);
}

TR_HANDLER(watchdog, call_off)
{
    self->off = true;
    if (repaired && self->left > 0)
        send(msg->from, called_off);
}

TR_BEHAVIOUR(watchdog, watching, TR_ON(tick, watchdog_tick),
             TR_ON(call_off, watchdog_call_off));
TR_CLASS(watchdog, .start = &watchdog_watching);

struct manager {
    dictionary_ref dictionary;
    watchdog_ref watchdog;
    int finished;
};

TR_HANDLER(manager, finished)
{
    if (++self->finished < 2)
        return;
    send(self->watchdog, call_off, .from = me(manager));
    if (!repaired)
        send(self->dictionary, halt);
}

TR_HANDLER(manager, called_off)
{
    send(self->dictionary, halt);
}

TR_BEHAVIOUR(manager, open, TR_ON(finished, manager_finished),
             TR_ON(called_off, manager_called_off));
TR_CLASS(manager, .start = &manager_open);

struct worker {
    dictionary_ref dictionary;
    manager_ref manager;
    int responses;
};

TR_HANDLER(worker, go)
{
    send(self->dictionary, request, .from = me(worker));
}

TR_HANDLER(worker, response)
{
    if (++self->responses < 2)
        send(self->dictionary, request, .from = me(worker));
    else
        send(self->manager, finished);
}

TR_BEHAVIOUR(worker, open, TR_ON(go, worker_go),
             TR_ON(response, worker_response));
TR_CLASS(worker, .start = &worker_open);

struct cast {
    watchdog_ref watchdog;
    worker_ref worker1, worker2;
};

static struct cast make_cast(tr_ctx *ctx)
{
    dictionary_ref dictionary = spawn(dictionary);
    watchdog_ref watchdog =
        spawn(watchdog, .dictionary = dictionary, .left = (int)param("L", 16));
    manager_ref manager =
        spawn(manager, .dictionary = dictionary, .watchdog = watchdog);
    return (struct cast){
        watchdog,
        spawn(worker, .dictionary = dictionary, .manager = manager),
        spawn(worker, .dictionary = dictionary, .manager = manager),
    };
}

TR_SYSTEM(watched_dictionary)
{
    struct cast cast = make_cast(ctx);
    watchdog_ref watchdog = cast.watchdog;
    worker_ref worker1 = cast.worker1, worker2 = cast.worker2;
    expose(worker1);
    expose(worker2);
    expose(watchdog);
}

TR_TEST(double_stop)
{
    struct cast cast = make_cast(ctx);
    send(cast.worker1, go);
    send(cast.worker2, go);
    send(cast.watchdog, tick);
    drain();
}

/* Concurrent dictionary (DIC): workers read and write one dictionary.
 *
 * The master creates the dictionary, preloaded with k -> k for k < limit, and e
 * workers, and sends do_work to each.  On do_work and on each answer a worker
 * draws whether to write (w of 100) or to read, m times, and then sends
 * end_work to the master; when all have, the dictionary and the master stop.
 *
 * No entry points: all follows from the creation of the master.
 * Parameters e, m, w, limit: workers, requests of each, percentage of writes,
 * keys (20, 10000, 10, 524287; in the test 2, 2, 50, 8).
 * Expected: the dictionary still has `limit` entries, each worker gets m
 * answers, a read of k gives k or something that was written, and all stop.
 * The order of requests decides what is read.
 *
 * Known defects: none of order, in any model.
 * DIC-P1  the original's |key| of the most negative int is negative; draws of
 *         16 bits never give that key, and indices here are unsigned.
 */
#include "savina.h"

TR_PROTOCOL(master, end_work);
TR_PROTOCOL(worker, do_work, answer);
TR_PROTOCOL(dictionary, write, read, end_work);

TR_SIGNAL(do_work);
struct write {
    worker_ref from;
    uint32_t key, value;
};
TR_MESSAGE(write);
struct read {
    worker_ref from;
    uint32_t key;
};
TR_MESSAGE(read);
struct answer {
    uint32_t key, value;
    bool written; /* or read */
};
TR_MESSAGE(answer);
TR_SIGNAL(end_work);

struct dictionary {
    uint32_t limit;
    uint32_t *value; /* of each key */
};

TR_INIT(dictionary)
{
    self->value = calloc(self->limit, sizeof *self->value);
    assert(self->value);
    for (uint32_t k = 0; k < self->limit; k++)
        self->value[k] = k;
}

TR_FINI(dictionary)
{
    free(self->value);
}

TR_HANDLER(dictionary, write)
{
    self->value[msg->key] = msg->value; /* [7] */
    send(msg->from, answer, .key = msg->key, .value = msg->value,
         .written = true);
}

TR_HANDLER(dictionary, read)
{
    send(msg->from, answer, .key = msg->key, /* [8] */
         .value = self->value[msg->key]);
}

TR_HANDLER(dictionary, end_work)
{
    result("%u entries", self->limit); /* [9] */
    stop();
}

TR_BEHAVIOUR(dictionary, open, TR_ON(write, dictionary_write),
             TR_ON(read, dictionary_read),
             TR_ON(end_work, dictionary_end_work));
TR_CLASS(dictionary, .start = &dictionary_open, .init = dictionary_init_,
         .fini = dictionary_fini_);
TR_HOT(dictionary, open);

struct worker {
    master_ref master;
    dictionary_ref dictionary;
    int quota;
    uint32_t percent, limit;
    int count;
    struct draws draws;
};

static void go_on(tr_ctx *ctx, struct worker *self)
{
    if (++self->count > self->quota) { /* [6] */
        send(self->master, end_work);
        stop();
    } else if (draw_below(&self->draws, 100) < self->percent) { /* [4] */
        uint32_t key = draw(&self->draws) % self->limit;
        send(self->dictionary, write, .from = me(worker), .key = key,
             .value = draw(&self->draws));
    } else { /* [5] */
        send(self->dictionary, read, .from = me(worker),
             .key = draw(&self->draws) % self->limit);
    }
}

TR_HANDLER(worker, do_work)
{
    go_on(ctx, self);
}

TR_HANDLER(worker, answer)
{
    assert(msg->key < self->limit);
    assert(msg->value == msg->key || msg->value <= 65535);
    go_on(ctx, self);
}

TR_BEHAVIOUR(worker, open, TR_ON(do_work, worker_do_work),
             TR_ON(answer, worker_answer));
TR_CLASS(worker, .start = &worker_open);
TR_HOT(worker, open);

struct master {
    int workers, quota;
    uint32_t percent, limit;
    dictionary_ref dictionary;
    int ended;
};

TR_INIT(master)
{
    self->dictionary = spawn(dictionary, .limit = self->limit);
    for (int i = 0; i < self->workers; i++) {
        uint64_t seed = (uint64_t)i + (uint64_t)self->quota + self->percent;
        worker_ref worker =
            spawn(worker, .master = me(master), .dictionary = self->dictionary,
                  .quota = self->quota, .percent = self->percent,
                  .limit = self->limit, .draws = {seed});
        send(worker, do_work);
    }
}

TR_HANDLER(master, end_work)
{
    if (++self->ended == self->workers) { /* [1] */
        send(self->dictionary, end_work);
        stop();
    } /* else [2]; [3], anything else, has no row */
}

TR_BEHAVIOUR(master, open, TR_ON(end_work, master_end_work));
TR_CLASS(master, .start = &master_open, .init = master_init_);
TR_HOT(master, open);

TR_SYSTEM(savina)
{
    spawn(master, .workers = (int)param("e", 20),
          .quota = (int)param("m", 10000), .percent = (uint32_t)param("w", 10),
          .limit = (uint32_t)param("limit", 524287));
}

TR_TEST(dictionary)
{
    spawn(master, .workers = (int)param("e", 2), .quota = (int)param("m", 2),
          .percent = (uint32_t)param("w", 50),
          .limit = (uint32_t)param("limit", 8));
    drain();
}

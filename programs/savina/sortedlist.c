/* Concurrent sorted list (SLL): workers insert into one sorted list and ask it.
 *
 * The master creates the list and e workers and sends do_work to each.  On
 * do_work and on each answer a worker draws whether to ask for the size (s of
 * 100), to write a value (w of 100) or to ask whether one is contained, m
 * times, and then sends end_work to the master; when all have, the list and the
 * master stop.
 *
 * No entry points: all follows from the creation of the master.
 * Parameters e, m, w, s, range: workers, requests of each, percentages of
 * writes and of sizes, values are drawn below range (20, 8000, 10, 1, 65536; in
 * the test 2, 2, 30, 20, 65536; with 4 values are found, [9]).  w < 50 and
 * 2 w + s < 100.
 * Expected: the list's length is the number of writes, it is sorted, sizes seen
 * by one worker never shrink, and all stop.  The order of requests decides the
 * answers.
 * Known defects: none, in any model.
 */
#include "savina.h"

TR_PROTOCOL(master, end_work);
TR_PROTOCOL(worker, do_work, answer);
TR_PROTOCOL(sorted, write, contains, size, end_work);

TR_SIGNAL(do_work);
struct write {
    worker_ref from;
    uint32_t value;
};
TR_MESSAGE(write);
struct contains {
    worker_ref from;
    uint32_t value;
};
TR_MESSAGE(contains);
struct size {
    worker_ref from;
};
TR_MESSAGE(size);
struct answer {
    uint32_t value;
};
TR_MESSAGE(answer);
struct end_work {
    uint32_t writes; /* of the worker, of all workers */
};
TR_MESSAGE(end_work);

struct link {
    struct link *next;
    uint32_t value;
};

struct sorted {
    struct link *head;
};

TR_FINI(sorted)
{
    while (self->head) {
        struct link *next = self->head->next;
        free(self->head);
        self->head = next;
    }
}

/* Equal values go behind their equals. */
static void insert(struct sorted *self, uint32_t value)
{
    struct link **at = &self->head, *new = malloc(sizeof *new);
    assert(new);
    while (*at && (*at)->value <= value)
        at = &(*at)->next;
    *new = (struct link){.next = *at, .value = value};
    *at = new;
}

static bool is_there(const struct sorted *self, uint32_t value)
{
    const struct link *l = self->head;
    while (l && l->value < value)
        l = l->next;
    return l && l->value == value;
}

/* The length, by counting. */
static uint32_t count_sorted(const struct sorted *self)
{
    uint32_t n = 0;
    for (const struct link *l = self->head; l; l = l->next, n++)
        assert(!l->next || l->value <= l->next->value);
    return n;
}

TR_HANDLER(sorted, write)
{
    insert(self, msg->value); /* [8] */
    send(msg->from, answer, .value = msg->value);
}

TR_HANDLER(sorted, contains)
{
    if (is_there(self, msg->value)) /* [9] */
        send(msg->from, answer, .value = 1);
    else /* [10] */
        send(msg->from, answer, .value = 0);
}

TR_HANDLER(sorted, size)
{
    send(msg->from, answer, .value = count_sorted(self)); /* [11] */
}

TR_HANDLER(sorted, end_work)
{
    assert(count_sorted(self) == msg->writes); /* [12] */
    result("%u values", msg->writes);
    stop();
}

TR_BEHAVIOUR(sorted, open, TR_ON(write, sorted_write),
             TR_ON(contains, sorted_contains), TR_ON(size, sorted_size),
             TR_ON(end_work, sorted_end_work));
TR_CLASS(sorted, .start = &sorted_open, .fini = sorted_fini_);
TR_HOT(sorted, open);

struct worker {
    master_ref master;
    sorted_ref list;
    int quota;
    uint32_t writes_of_100, sizes_of_100, range;
    int count;
    uint32_t writes;
    bool asked_size;
    uint32_t last_size;
    struct draws draws;
};

static void go_on(tr_ctx *ctx, struct worker *self)
{
    self->asked_size = false;
    if (++self->count > self->quota) { /* [7] */
        send(self->master, end_work, .writes = self->writes);
        stop();
        return;
    }
    uint32_t x = draw_below(&self->draws, 100);
    if (x < self->sizes_of_100) { /* [4] */
        self->asked_size = true;
        send(self->list, size, .from = me(worker));
    } else if (x < self->sizes_of_100 + self->writes_of_100) { /* [5] */
        self->writes++;
        send(self->list, write, .from = me(worker),
             .value = draw(&self->draws) % self->range);
    } else { /* [6] */
        send(self->list, contains, .from = me(worker),
             .value = draw(&self->draws) % self->range);
    }
}

TR_HANDLER(worker, do_work)
{
    go_on(ctx, self);
}

TR_HANDLER(worker, answer)
{
    if (self->asked_size) {
        assert(msg->value >= self->last_size);
        self->last_size = msg->value;
    }
    go_on(ctx, self);
}

TR_BEHAVIOUR(worker, open, TR_ON(do_work, worker_do_work),
             TR_ON(answer, worker_answer));
TR_CLASS(worker, .start = &worker_open);
TR_HOT(worker, open);

struct master {
    int workers, quota;
    uint32_t writes_of_100, sizes_of_100, range;
    sorted_ref list;
    int ended;
    uint32_t writes;
};

TR_INIT(master)
{
    assert(self->writes_of_100 < 50);
    assert(2 * self->writes_of_100 + self->sizes_of_100 < 100);
    self->list = spawn(sorted);
    for (int i = 0; i < self->workers; i++) {
        uint64_t seed = (uint64_t)i + (uint64_t)self->quota +
                        self->writes_of_100 + self->sizes_of_100;
        worker_ref worker =
            spawn(worker, .master = me(master), .list = self->list,
                  .quota = self->quota, .writes_of_100 = self->writes_of_100,
                  .sizes_of_100 = self->sizes_of_100, .range = self->range,
                  .draws = {seed});
        send(worker, do_work);
    }
}

TR_HANDLER(master, end_work)
{
    self->writes += msg->writes;
    if (++self->ended == self->workers) { /* [1] */
        send(self->list, end_work, .writes = self->writes);
        stop();
    } /* else [2]; [3], anything else, has no row */
}

TR_BEHAVIOUR(master, open, TR_ON(end_work, master_end_work));
TR_CLASS(master, .start = &master_open, .init = master_init_);
TR_HOT(master, open);

TR_SYSTEM(savina)
{
    spawn(master, .workers = (int)param("e", 20),
          .quota = (int)param("m", 8000),
          .writes_of_100 = (uint32_t)param("w", 10),
          .sizes_of_100 = (uint32_t)param("s", 1),
          .range = (uint32_t)param("range", 65536));
}

TR_TEST(sortedlist)
{
    spawn(master, .workers = (int)param("e", 2), .quota = (int)param("m", 2),
          .writes_of_100 = (uint32_t)param("w", 30),
          .sizes_of_100 = (uint32_t)param("s", 20),
          .range = (uint32_t)param("range", 65536));
    drain();
}

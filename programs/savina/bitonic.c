/* Bitonic sort (BIT): a sorting network of actors.
 *
 * The driver sends start to the source, which sends n values and then exit into
 * the kernel; what comes out goes to a validator.  The kernel is a chain of
 * merge stages, a stage a chain of steps.  A step splits the stream into runs
 * of length l, one per worker, and joins the workers' output in the same order;
 * a worker compares two values (l = 2) or is a partition: again a splitter (run
 * length 1), l / 2 compares and a joiner.  Workers send data, a value with the
 * number of the worker, so that the joiner can restore the order.  Every actor
 * sends exit on and stops.
 *
 * Compared with the original one thing is moved: a splitter creates its workers
 * itself, from a plan that its creator gives it.
 *
 * Entry point: source.
 * Parameter n: values, a power of two (4096; in the test 2).
 * Expected: the validator gets n values in order, with the sum of the source's,
 * then exit; all stop, nothing is lost.  The compares run freely against each
 * other.
 *
 * Known defect:
 * BIT-1  exit overtakes values ([6]), or values each other ([2], [4]): model
 *        any.  It is what ordered channels exclude, so there is no repair here.
 * Find it: troupe explore programs/savina/bitonic.c --delivery=any
 */
#include "savina.h"

TR_PROTOCOL(source, start);
TR_PROTOCOL(validator, value, exit);
TR_PROTOCOL(to_data, value, data, exit);
TR_PROTOCOL(to_value, value, data, exit);
TR_PROTOCOL(splitter, value, exit);
TR_PROTOCOL(joiner, data, exit);
TR_PROTOCOL(compare, value, exit);
TR_PROTOCOL(partition, value, exit);
TR_PROTOCOL(step, value, exit);
TR_PROTOCOL(last_step, value, exit);
TR_PROTOCOL(merge_stage, value, exit);
TR_PROTOCOL(last_merge_stage, value, exit);
TR_PROTOCOL(kernel, value, exit);
TR_PROTOCOL(line, value, exit); /* no class: any that takes values */

TR_SIGNAL(start);
struct value {
    uint32_t v;
};
TR_MESSAGE(value);
struct data {
    int order;
    uint32_t v;
};
TR_MESSAGE(data);
TR_SIGNAL(exit);

/* ---- both ends ------------------------------------------------------------
 */

struct source {
    int n;
    struct draws draws;
    line_ref to;
};

TR_HANDLER(source, start)
{
    for (int i = 0; i < self->n; i++) /* [1] */
        send(self->to, value, .v = draw(&self->draws));
    send(self->to, exit);
    stop();
}

TR_BEHAVIOUR(source, open, TR_ON(start, source_start));
TR_CLASS(source, .start = &source_open);
TR_HOT(source, open);

struct validator {
    int n, seen;
    struct draws draws; /* the source's */
    uint32_t previous;
    bool error;
    uint64_t sum;
};

TR_HANDLER(validator, value)
{
    self->seen++;
    if (msg->v < self->previous && !self->error) /* [2] */
        self->error = true;
    /* else [3] */
    self->previous = msg->v;
    self->sum += msg->v;
}

TR_HANDLER(validator, exit)
{
    uint64_t sum = 0;
    for (int i = 0; i < self->n; i++)
        sum += draw(&self->draws);
    if (self->seen != self->n) /* [6] */
        assert(false && "BIT-1: early exit");
    else if (self->error) /* [4] */
        assert(false && "BIT-1: not sorted");
    else /* [5] */
        result("sum %llu", (unsigned long long)self->sum);
    assert(self->sum == sum);
    stop();
}

TR_BEHAVIOUR(validator, open, TR_ON(value, validator_value),
             TR_ON(exit, validator_exit));
TR_CLASS(validator, .start = &validator_open);
TR_HOT(validator, open);

/* ---- adapters --------------------------------------------------------------
 */

struct to_data {
    int order;
    joiner_ref to;
};

TR_HANDLER(to_data, value)
{
    send(self->to, data, .order = self->order, .v = msg->v); /* [7] */
}

TR_HANDLER(to_data, data)
{
    forward(self->to, data); /* [8] */
}

TR_HANDLER(to_data, exit)
{
    send(self->to, exit); /* [9] */
    stop();
}

TR_BEHAVIOUR(to_data, open, TR_ON(value, to_data_value),
             TR_ON(data, to_data_data), TR_ON(exit, to_data_exit));
TR_CLASS(to_data, .start = &to_data_open);
TR_HOT(to_data, open);

struct to_value {
    line_ref to;
};

TR_HANDLER(to_value, value)
{
    forward(self->to, value); /* [10] */
}

TR_HANDLER(to_value, data)
{
    send(self->to, value, .v = msg->v); /* [11] */
}

TR_HANDLER(to_value, exit)
{
    send(self->to, exit); /* [12] */
    stop();
}

TR_BEHAVIOUR(to_value, open, TR_ON(value, to_value_value),
             TR_ON(data, to_value_data), TR_ON(exit, to_value_exit));
TR_CLASS(to_value, .start = &to_value_open);
TR_HOT(to_value, open);

/* ---- splitting and joining
 * --------------------------------------------------- */

/* The workers of a splitter. */
struct plan {
    int n;      /* workers */
    int length; /* of the runs that each sorts; 2: it is a compare */
    int same;   /* neighbours with one direction; 0: all are like up */
    bool up;
    joiner_ref to;
};

struct splitter {
    int run_length;
    struct plan plan;
    line_ref *to;
    int now, run;
};

static line_ref make_worker(tr_ctx *ctx, const struct plan *plan, int i);

TR_INIT(splitter)
{
    self->to = calloc((size_t)self->plan.n, sizeof *self->to);
    assert(self->to);
    for (int i = 0; i < self->plan.n; i++)
        self->to[i] = make_worker(ctx, &self->plan, i);
}

TR_FINI(splitter)
{
    free(self->to);
}

TR_HANDLER(splitter, value)
{
    forward(self->to[self->now], value);
    if (++self->run == self->run_length) { /* [13] */
        self->now = (self->now + 1) % self->plan.n;
        self->run = 0;
    } /* else [14] */
}

TR_HANDLER(splitter, exit)
{
    for (int i = 0; i < self->plan.n; i++) /* [15] */
        send(self->to[i], exit);
    stop();
}

TR_BEHAVIOUR(splitter, open, TR_ON(value, splitter_value),
             TR_ON(exit, splitter_exit));
TR_CLASS(splitter, .start = &splitter_open, .init = splitter_init_,
         .fini = splitter_fini_);
TR_HOT(splitter, open);

struct queue {
    LIST(uint32_t) values;
};

struct joiner {
    int run_length, inputs;
    line_ref to;
    struct queue *queue; /* of each input */
    int now, run, exits;
};

TR_INIT(joiner)
{
    self->queue = calloc((size_t)self->inputs, sizeof *self->queue);
    assert(self->queue);
}

TR_FINI(joiner)
{
    for (int i = 0; i < self->inputs; i++)
        list_free(&self->queue[i].values);
    free(self->queue);
}

TR_HANDLER(joiner, data)
{
    struct queue *q = &self->queue[self->now];
    list_add(&self->queue[msg->order].values, msg->v); /* [16] */
    while (list_length(&q->values) > 0) {
        send(self->to, value, .v = list_first(&q->values));
        list_drop(&q->values);
        if (++self->run == self->run_length) { /* [17] */
            self->now = (self->now + 1) % self->inputs;
            self->run = 0;
            q = &self->queue[self->now];
        } /* else [18] */
    }
}

TR_HANDLER(joiner, exit)
{
    if (++self->exits == self->inputs) { /* [19] */
        send(self->to, exit);
        stop();
    } /* else [20] */
}

TR_BEHAVIOUR(joiner, open, TR_ON(data, joiner_data), TR_ON(exit, joiner_exit));
TR_CLASS(joiner, .start = &joiner_open, .init = joiner_init_,
         .fini = joiner_fini_);
TR_HOT(joiner, open);

/* ---- workers
 * ----------------------------------------------------------------- */

struct compare {
    int order;
    bool up;
    joiner_ref to;
    bool holds;
    uint32_t held;
};

TR_HANDLER(compare, value)
{
    if (!self->holds) { /* [21] */
        self->holds = true;
        self->held = msg->v;
        return;
    }
    bool rising = self->held <= msg->v; /* [22], else [23] */
    uint32_t least = rising ? self->held : msg->v;
    uint32_t most = rising ? msg->v : self->held;
    self->holds = false;
    self->held = 0;
    send(self->to, data, .order = self->order, /* [24], else [25] */
         .v = self->up ? least : most);
    send(self->to, data, .order = self->order, .v = self->up ? most : least);
}

TR_HANDLER(compare, exit)
{
    send(self->to, exit); /* [26] */
    stop();
}

TR_BEHAVIOUR(compare, open, TR_ON(value, compare_value),
             TR_ON(exit, compare_exit));
TR_CLASS(compare, .start = &compare_open);
TR_HOT(compare, open);

struct partition {
    int order, length;
    bool up;
    joiner_ref to;
    splitter_ref first;
};

TR_INIT(partition)
{
    int half = self->length / 2;
    to_data_ref out = spawn(to_data, .order = self->order, .to = self->to);
    joiner_ref joiner =
        spawn(joiner, .run_length = 1, .inputs = half, .to = (line_ref)out);
    self->first =
        spawn(splitter, .run_length = 1,
              .plan = {.n = half, .length = 2, .up = self->up, .to = joiner});
}

TR_HANDLER(partition, value)
{
    forward(self->first, value); /* [27] */
}

TR_HANDLER(partition, exit)
{
    send(self->first, exit); /* [28] */
    stop();
}

TR_BEHAVIOUR(partition, open, TR_ON(value, partition_value),
             TR_ON(exit, partition_exit));
TR_CLASS(partition, .start = &partition_open, .init = partition_init_);
TR_HOT(partition, open);

static line_ref make_worker(tr_ctx *ctx, const struct plan *plan, int i)
{
    /* Up [29], down [30]. */
    bool up = plan->same ? i / plan->same % 2 == 0 : plan->up;
    if (plan->length > 2) /* [31], [35] */
        return (line_ref)spawn(partition, .order = i, .length = plan->length,
                               .up = up, .to = plan->to);
    return (line_ref)spawn(compare, .order = i, .up = up, /* [32], [36] */
                           .to = plan->to);
}

/* ---- steps and stages
 * ---------------------------------------------------------- */

struct step {
    int length, parts, same;
    line_ref to;
    splitter_ref first;
};

TR_INIT(step)
{
    to_value_ref out = spawn(to_value, .to = self->to);
    joiner_ref joiner = spawn(joiner, .run_length = self->length,
                              .inputs = self->parts, .to = (line_ref)out);
    self->first = spawn(splitter, .run_length = self->length,
                        .plan = {.n = self->parts,
                                 .length = self->length,
                                 .same = self->same,
                                 .to = joiner});
}

TR_HANDLER(step, value)
{
    forward(self->first, value); /* [33] */
}

TR_HANDLER(step, exit)
{
    send(self->first, exit); /* [34] */
    stop();
}

TR_BEHAVIOUR(step, open, TR_ON(value, step_value), TR_ON(exit, step_exit));
TR_CLASS(step, .start = &step_open, .init = step_init_);
TR_HOT(step, open);

struct last_step {
    int length, parts;
    bool up;
    line_ref to;
    splitter_ref first;
};

TR_INIT(last_step)
{
    joiner_ref joiner = spawn(joiner, .run_length = self->length,
                              .inputs = self->parts, .to = self->to);
    self->first = spawn(splitter, .run_length = self->length,
                        .plan = {.n = self->parts,
                                 .length = self->length,
                                 .up = self->up,
                                 .to = joiner});
}

TR_HANDLER(last_step, value)
{
    forward(self->first, value); /* [37] */
}

TR_HANDLER(last_step, exit)
{
    send(self->first, exit); /* [38] */
    stop();
}

TR_BEHAVIOUR(last_step, open, TR_ON(value, last_step_value),
             TR_ON(exit, last_step_exit));
TR_CLASS(last_step, .start = &last_step_open, .init = last_step_init_);
TR_HOT(last_step, open);

/* Merges runs of p / 2 into runs of p, every other one falling. */
struct merge_stage {
    int p, n;
    line_ref to, first;
};

TR_INIT(merge_stage)
{
    self->first = self->to;
    for (int i = self->p / 2; i >= 1; i /= 2)
        self->first = (line_ref)spawn(step, .length = self->p / i,
                                      .parts = self->n / self->p * i, .same = i,
                                      .to = self->first);
}

TR_HANDLER(merge_stage, value)
{
    forward(self->first, value); /* [39] */
}

TR_HANDLER(merge_stage, exit)
{
    send(self->first, exit); /* [40] */
    stop();
}

TR_BEHAVIOUR(merge_stage, open, TR_ON(value, merge_stage_value),
             TR_ON(exit, merge_stage_exit));
TR_CLASS(merge_stage, .start = &merge_stage_open, .init = merge_stage_init_);
TR_HOT(merge_stage, open);

struct last_merge_stage {
    int n;
    bool up;
    line_ref to, first;
};

TR_INIT(last_merge_stage)
{
    self->first = self->to;
    for (int i = self->n / 2; i >= 1; i /= 2)
        self->first =
            (line_ref)spawn(last_step, .length = self->n / i, .parts = i,
                            .up = self->up, .to = self->first);
}

TR_HANDLER(last_merge_stage, value)
{
    forward(self->first, value); /* [41] */
}

TR_HANDLER(last_merge_stage, exit)
{
    send(self->first, exit); /* [42] */
    stop();
}

TR_BEHAVIOUR(last_merge_stage, open, TR_ON(value, last_merge_stage_value),
             TR_ON(exit, last_merge_stage_exit));
TR_CLASS(last_merge_stage, .start = &last_merge_stage_open,
         .init = last_merge_stage_init_);
TR_HOT(last_merge_stage, open);

struct kernel {
    int n;
    bool up;
    line_ref to, first;
};

TR_INIT(kernel)
{
    self->first = (line_ref)spawn(last_merge_stage, .n = self->n,
                                  .up = self->up, .to = self->to);
    for (int p = self->n / 2; p >= 2; p /= 2)
        self->first = (line_ref)spawn(merge_stage, .p = p, .n = self->n,
                                      .to = self->first);
}

TR_HANDLER(kernel, value)
{
    forward(self->first, value); /* [43] */
}

TR_HANDLER(kernel, exit)
{
    send(self->first, exit); /* [44] */
    stop();
}

TR_BEHAVIOUR(kernel, open, TR_ON(value, kernel_value),
             TR_ON(exit, kernel_exit));
TR_CLASS(kernel, .start = &kernel_open, .init = kernel_init_);
TR_HOT(kernel, open);

static source_ref make(tr_ctx *ctx, int n)
{
    assert(n >= 2 && (n & (n - 1)) == 0);
    validator_ref validator = spawn(validator, .n = n, .draws = {2048});
    to_value_ref out = spawn(to_value, .to = (line_ref)validator);
    kernel_ref kernel = spawn(kernel, .n = n, .up = true, .to = (line_ref)out);
    return spawn(source, .n = n, .draws = {2048}, .to = (line_ref)kernel);
}

TR_SYSTEM(savina)
{
    source_ref source = make(ctx, (int)param("n", 4096));
    expose(source);
    if (starts())
        send(source, start);
}

TR_TEST(bitonic)
{
    source_ref source = make(ctx, (int)param("n", 2));
    send(source, start);
    drain();
}

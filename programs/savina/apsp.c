/* All-pairs shortest path (APSP): Floyd and Warshall in blocks.
 *
 * The driver makes an n * n matrix of distances and (n/b)^2 blocks of it, sends
 * neighbours (its column, then its row) to each, then initial to each.  On
 * initial a block sends its data to all neighbours (data); with data of all of
 * them it makes round k, sends the outcome to all, and stops after n rounds.
 *
 * Entry points: the blocks.
 * Parameters n, b, w: nodes, side of a block, greatest weight (300, 50, 100; in
 * the test 2, 1, 10); graph: 0 draws the weights, 1 is a path of weight 1 whose
 * other edges have weight 10 (in the test 1).  b divides n.
 * Expected: each block has made n rounds and holds the shortest distances; all
 * stop.  A neighbour may be one round ahead, and its newer data replace the
 * older: under ordered channels that does no harm.  Data for a block that has
 * finished are lost.
 *
 * Known defects:
 * APSP-1   data comes before neighbours ([1]): models pair, any
 * APSP-2   initial overtakes neighbours, nothing is sent and all wait for ever,
 *          or older data overwrite newer: model any
 * APSP-P1  a single block (b = n) has no neighbours: nothing ever happens
 * Repaired: data and initial wait until neighbours has come (older data may
 * still overwrite newer under any).
 *
 * Find it: troupe explore programs/savina/apsp.c
 * (APSP-2: --delivery=any --ignore=assertion)
 */
#include "savina.h"

enum { MAX_SIDE = 16, MAX_NEAR = 2 * (MAX_SIDE - 1) };

TR_PROTOCOL(block, neighbours, initial, data);

struct neighbours {
    int n;
    block_ref at[MAX_NEAR];
};
TR_MESSAGE(neighbours);
TR_SIGNAL(initial);
/* The payload is the message's own. */
struct data {
    int k, id, n; /* n: numbers */
    int *at;
};
static void data_drop(void *payload)
{
    struct data *d = payload;
    free(d->at);
}
TR_MESSAGE(data, .drop = data_drop);

/* What a block needs to know of the matrix. */
struct shape {
    int n, b; /* nodes, side of a block */
    int weight, graph;
};

static int *copy_of(const int *from, int n)
{
    int *to = malloc((size_t)n * sizeof *to);
    assert(to);
    memcpy(to, from, (size_t)n * sizeof *to);
    return to;
}

/* The distances at the start; the caller frees them. */
static int *first_matrix(const struct shape *s)
{
    struct draws draws = {(uint64_t)s->n};
    int *m = calloc((size_t)(s->n * s->n), sizeof *m);
    assert(m);
    for (int i = 0; i < s->n; i++)
        for (int j = i + 1; j < s->n; j++) {
            int drawn = (int)draw_below(&draws, (uint32_t)s->weight) + 1;
            int w = s->graph == 0 ? drawn : j == i + 1 ? 1 : 10;
            m[i * s->n + j] = m[j * s->n + i] = w;
        }
    return m;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* The same after all rounds, sequentially. */
static int *shortest_matrix(const struct shape *s)
{
    int *m = first_matrix(s), n = s->n;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                m[i * n + j] = least(m[i * n + j], m[i * n + k] + m[k * n + j]);
    return m;
}

struct block {
    struct shape shape;
    int id, row, column; /* of the first cell */
    int n_near, n_got, k;
    block_ref near[MAX_NEAR];
    int *now;                      /* b * b numbers */
    int *got[MAX_SIDE * MAX_SIDE]; /* of block id, this round */
};
TR_STATES(block, loose, wired);

TR_INIT(block)
{
    const struct shape *s = &self->shape;
    int *m = first_matrix(s);
    self->now = malloc((size_t)(s->b * s->b) * sizeof *self->now);
    assert(self->now);
    for (int i = 0; i < s->b; i++)
        memcpy(self->now + i * s->b, m + (self->row + i) * s->n + self->column,
               (size_t)s->b * sizeof *m);
    free(m);
}

static void forget(struct block *self)
{
    for (int i = 0; i < MAX_SIDE * MAX_SIDE; i++) {
        free(self->got[i]);
        self->got[i] = NULL;
    }
    self->n_got = 0;
}

TR_FINI(block)
{
    forget(self);
    free(self->now);
}

static void tell(tr_ctx *ctx, struct block *self)
{
    int n = self->shape.b * self->shape.b;
    for (int i = 0; i < self->n_near; i++)
        send(self->near[i], data, .k = self->k, .id = self->id, .n = n,
             .at = copy_of(self->now, n));
}

/* The distance at row i, column j of the whole matrix. */
static int element(const struct block *self, const int *now, int i, int j)
{
    int b = self->shape.b, side = self->shape.n / b;
    int id = i / b * side + j / b;
    if (id != self->id) /* [10], else [9] */
        now = self->got[id];
    assert(now);
    return now[i % b * b + j % b];
}

static void compute(struct block *self)
{
    int b = self->shape.b, k = self->k;
    int *next = malloc((size_t)(b * b) * sizeof *next);
    assert(next);
    for (int i = 0; i < b; i++)
        for (int j = 0; j < b; j++)
            next[i * b + j] =
                least(self->now[i * b + j],
                      element(self, self->now, self->row + i, k) +
                          element(self, self->now, k, self->column + j));
    free(self->now);
    self->now = next;
}

/* At the suite's size one block checks for all. */
static void check(const struct block *self)
{
    const struct shape *s = &self->shape;
    if (s->n > 64 && self->id != 1)
        return;
    int *m = shortest_matrix(s);
    for (int i = 0; i < s->b; i++)
        assert(memcmp(self->now + i * s->b,
                      m + (self->row + i) * s->n + self->column,
                      (size_t)s->b * sizeof *m) == 0);
    free(m);
}

TR_HANDLER(block, data)
{
    assert(self->n_near > 0 && "APSP-1"); /* [1], else [2] */
    if (!self->got[msg->id])
        self->n_got++;
    free(self->got[msg->id]);
    self->got[msg->id] = copy_of(msg->at, msg->n);
    if (self->n_got < self->n_near) /* [6] */
        return;
    self->k++; /* [3] */
    compute(self);
    tell(ctx, self);
    forget(self);
    if (self->k == self->shape.n - 1) { /* [4] */
        check(self);
        if (self->id == 0)
            result("%d nodes", self->shape.n);
        stop();
    } /* else [5] */
}

TR_HANDLER(block, initial)
{
    tell(ctx, self); /* [7] */
}

TR_HANDLER(block, neighbours)
{
    self->n_near = msg->n; /* [8] */
    for (int i = 0; i < msg->n; i++)
        self->near[i] = msg->at[i];
    become(block, wired);
}

TR_BEHAVIOUR(block, wired, TR_ON(data, block_data),
             TR_ON(initial, block_initial),
             TR_ON(neighbours, block_neighbours));
TR_BEHAVIOUR(block, loose, TR_DEFER(data), TR_DEFER(initial),
             TR_ON(neighbours, block_neighbours));
TR_CLASS(block, .start = repaired ? &block_loose : &block_wired,
         .init = block_init_, .fini = block_fini_);
TR_HOT(block, wired);
TR_HOT(block, loose);

static void make(tr_ctx *ctx, const struct shape *s, block_ref *blocks)
{
    int side = s->n / s->b;
    assert(s->n % s->b == 0 && side <= MAX_SIDE);
    for (int i = 0; i < side * side; i++)
        blocks[i] = spawn(block, .shape = *s, .id = i, .row = i / side * s->b,
                          .column = i % side * s->b, .k = -1);
}

static void begin(tr_ctx *ctx, const struct shape *s, block_ref *blocks)
{
    int side = s->n / s->b;
    for (int i = 0; i < side * side; i++) {
        struct neighbours near = {0};
        for (int r = 0; r < side; r++)
            if (r != i / side)
                near.at[near.n++] = blocks[r * side + i % side];
        for (int c = 0; c < side; c++)
            if (c != i % side)
                near.at[near.n++] = blocks[i / side * side + c];
        tr_forward(ctx, blocks[i], neighbours,
                   (const struct neighbours *)&near);
    }
    for (int i = 0; i < side * side; i++)
        send(blocks[i], initial);
}

TR_SYSTEM(savina)
{
    struct shape s = {.n = (int)param("n", 300),
                      .b = (int)param("b", 50),
                      .weight = (int)param("w", 100),
                      .graph = (int)param("graph", 0)};
    block_ref blocks[MAX_SIDE * MAX_SIDE];
    make(ctx, &s, blocks);
    block_ref block = blocks[0];
    expose(block);
    if (starts())
        begin(ctx, &s, blocks);
}

TR_TEST(apsp)
{
    struct shape s = {.n = (int)param("n", 2),
                      .b = (int)param("b", 1),
                      .weight = (int)param("w", 10),
                      .graph = (int)param("graph", 1)};
    block_ref blocks[MAX_SIDE * MAX_SIDE];
    make(ctx, &s, blocks);
    begin(ctx, &s, blocks);
    drain();
}

/* Cases that explore found, kept: they must go on to show the bug. */
#ifndef REPAIRED
TR_REPLAY(apsp_1, "apsp", "pair",
          "block#2 neighbours<test; "
          "block#2 initial<test; "
          "block#4 data<block#2",
          .expect = "assertion")
{
}

TR_REPLAY(apsp_2, "apsp", "any",
          "block#1 initial<test; "
          "block#1 neighbours<test; "
          "block#2 initial<test; "
          "block#2 neighbours<test; "
          "block#3 initial<test; "
          "block#3 neighbours<test; "
          "block#4 initial<test; "
          "block#4 neighbours<test",
          .expect = "deadlock")
{
}

#endif

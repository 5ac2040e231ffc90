/* Successive over-relaxation (SOR): a grid of cells, one actor each.
 *
 * The driver sends boot to the runner, which creates the cells of the left half
 * of an s * s grid and a peer for the right half; both tell each other the
 * column of cells at the border and send start to their cells.  Cells are
 * coloured like a chessboard.  Those of colour 1 send their value to all
 * neighbours; a cell that has heard all its neighbours relaxes its value, sends
 * it on, and after the given number of rounds sends result to its owner and
 * stops.  Values that come before start are stored and re-sent to itself.
 *
 * Entry point: runner.
 * Parameters s, n: side, rounds (20, 100; in the test 2, 2); matrix: 0 is
 * drawn, 1 holds 1, 2, 3, ... (in the test 1).  s <= 20, n >= 2.
 * Expected: the sum of all values is that of a sequential relaxation (colour 0
 * relaxed n times, colour 1 n - 1 times), and all stop.  s=2 n=2: -0.595703125,
 * 14 messages counted; s=2 n=3: -0.364532471; s=3 n=2: 9.2578125; s=4 n=3:
 * 20.960412979.  A neighbour is never two rounds ahead, so values need no round
 * numbers; those sent to a cell that has finished are lost.
 *
 * Known defects: none of order, in any model.
 * SOR-P1  one round: cells of colour 1 never report, a deadlock (n=1)
 */
#include "savina.h"

#include <math.h>

enum { SIDE = 20, CELLS = SIDE * (SIDE / 2 + 1) };
#define OMEGA 1.25

TR_PROTOCOL(runner, boot, border, outcome);
TR_PROTOCOL(peer, boot, outcome);
TR_PROTOCOL(owner, outcome); /* no class: the runner or the peer */
TR_PROTOCOL(cell, start, value);

struct table {
    cell_ref at[CELLS]; /* row by row */
};
TR_SIGNAL(boot);
struct border {
    cell_ref at[SIDE];
};
TR_MESSAGE(border);
struct start {
    int rounds;
    struct table table;
};
TR_MESSAGE(start);
struct value {
    double v;
};
TR_MESSAGE(value);
struct outcome {
    int x, y;
    double v;
    int messages;
};
TR_MESSAGE(outcome);

/* ---- the problem
 * --------------------------------------------------------------- */

struct problem {
    int side, rounds, matrix;
};
struct grid {
    double at[SIDE][SIDE];
};

static struct grid grid_of(const struct problem *p)
{
    struct draws draws = {10101010};
    struct grid g = {0};
    for (int i = 0; i < p->side; i++)
        for (int j = 0; j < p->side; j++)
            g.at[i][j] =
                p->matrix ? i * p->side + j + 1 : draw_double(&draws) * 1e-6;
    return g;
}

static int colour_of(int i, int j)
{
    return 1 - (i + j) % 2;
}

static double relaxed(double sum, double value)
{
    return OMEGA / 4 * sum + (1 - OMEGA) * value;
}

static void relax_colour(struct grid *g, int side, int colour)
{
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++)
            if (colour_of(i, j) == colour)
                g->at[i][j] = relaxed((i > 0 ? g->at[i - 1][j] : 0) +
                                          (i < side - 1 ? g->at[i + 1][j] : 0) +
                                          (j > 0 ? g->at[i][j - 1] : 0) +
                                          (j < side - 1 ? g->at[i][j + 1] : 0),
                                      g->at[i][j]);
}

static double sequential_total(const struct problem *p)
{
    struct grid g = grid_of(p);
    double total = 0;
    for (int round = 1; round <= p->rounds; round++) {
        relax_colour(&g, p->side, 0);
        if (round < p->rounds)
            relax_colour(&g, p->side, 1);
    }
    for (int i = 0; i < p->side; i++)
        for (int j = 0; j < p->side; j++)
            total += g.at[i][j];
    return total;
}

/* ---- cells
 * ---------------------------------------------------------------------- */

struct cell {
    owner_ref owner;
    int at, nx, ny; /* place in the owner's table of nx rows, ny columns */
    int colour;
    double value;
    int n_near, near[4]; /* places */
    cell_ref near_cell[4];
    int round, rounds, messages;
    int heard;
    double sum;
    LIST(double) store;
};
TR_STATES(cell, early, started);

static void add_near(struct cell *self, int dx, int dy)
{
    self->near[self->n_near++] = self->at + dx * self->ny + dy;
}

TR_INIT(cell)
{
    int x = self->at / self->ny, y = self->at % self->ny;
    bool top = x == 0, bottom = x == self->nx - 1;
    bool left = y == 0, right = y == self->ny - 1;
    /* Inside [11]: four; a corner [12]: two, by [13] or [14] and [15] or [16];
     * the upper or lower edge [17]: three, [18] or [19]; the left or right edge
     * [20]: three, [21] or [22]. */
    if (!top)
        add_near(self, -1, 0);
    if (!bottom)
        add_near(self, 1, 0);
    if (!left)
        add_near(self, 0, -1);
    if (!right)
        add_near(self, 0, 1);
}

TR_FINI(cell)
{
    list_free(&self->store);
}

static void tell(tr_ctx *ctx, struct cell *self)
{
    for (int i = 0; i < self->n_near; i++)
        send(self->near_cell[i], value, .v = self->value);
    self->round++;
}

TR_HANDLER(cell, start)
{
    self->rounds = msg->rounds;
    for (int i = 0; i < self->n_near; i++)
        self->near_cell[i] = msg->table.at[self->near[i]];
    if (self->colour == 1) { /* [23], else [24] */
        tell(ctx, self);
        self->messages++;
    }
    for (uint32_t i = 0; i < self->store.n; i++)
        send(me(cell), value, .v = self->store.at[i]);
    list_free(&self->store);
    become(cell, started);
}

/* A value before start [25]. */
TR_HANDLER_AS(cell_early_value, cell, value)
{
    list_add(&self->store, msg->v);
}

TR_HANDLER(cell, value)
{
    self->messages++;
    if (self->round == self->rounds) /* [31], else [26] */
        return;
    self->sum += msg->v;
    if (++self->heard == self->n_near) { /* [27], else [28] */
        self->value = relaxed(self->sum, self->value);
        self->sum = 0;
        self->heard = 0;
        tell(ctx, self);
    }
    if (self->round == self->rounds) { /* [29], else [30] */
        send(self->owner, outcome, .x = self->at / self->ny,
             .y = self->at % self->ny, .v = self->value,
             .messages = self->messages);
        stop();
    }
}

TR_BEHAVIOUR(cell, early, TR_ON(start, cell_start),
             TR_ON(value, cell_early_value));
TR_BEHAVIOUR(cell, started, TR_ON(value, cell_value));
TR_CLASS(cell, .start = &cell_early, .init = cell_init_, .fini = cell_fini_);
TR_HOT(cell, early);
TR_HOT(cell, started);

/* ---- halves
 * ---------------------------------------------------------------------- */

/* Columns [from, to) of the grid, which are columns first, first + 1, ... of
 * the table. */
struct half {
    struct problem problem;
    struct table cells;
    int from, to, first, ny;
    double total;
    int returned, messages;
};

static void make_cells(tr_ctx *ctx, struct half *h, owner_ref owner)
{
    struct grid g = grid_of(&h->problem);
    for (int i = 0; i < h->problem.side; i++)
        for (int j = h->from; j < h->to; j++) {
            int at = i * h->ny + h->first + j - h->from;
            h->cells.at[at] = spawn(
                cell, .owner = owner, .at = at, .nx = h->problem.side,
                .ny = h->ny, .colour = colour_of(i, j), .value = g.at[i][j]);
        }
}

/* Column y of the table. */
static struct border column_of(const struct half *h, int y)
{
    struct border b = {0};
    for (int i = 0; i < h->problem.side; i++)
        b.at[i] = h->cells.at[i * h->ny + y];
    return b;
}

static void set_column(struct half *h, int y, const struct border *b)
{
    for (int i = 0; i < h->problem.side; i++)
        h->cells.at[i * h->ny + y] = b->at[i];
}

static void start_cells(tr_ctx *ctx, const struct half *h)
{
    for (int i = 0; i < h->problem.side; i++)
        for (int j = h->from; j < h->to; j++)
            send(h->cells.at[i * h->ny + h->first + j - h->from], start,
                 .rounds = h->problem.rounds, .table = h->cells);
}

static void take(struct half *h, const struct outcome *o)
{
    h->messages += o->messages;
    h->returned++;
    h->total += o->v;
}

struct peer {
    struct half half;
    runner_ref runner;
    struct border border; /* of the runner */
    bool booted;
};

TR_HANDLER(peer, boot)
{
    struct half *h = &self->half; /* [7] */
    self->booted = true;
    set_column(h, 0, &self->border);
    make_cells(ctx, h, (owner_ref)me(peer));
    struct border first = column_of(h, 1);
    tr_forward(ctx, self->runner, border, (const struct border *)&first);
    start_cells(ctx, h);
}

TR_HANDLER(peer, outcome)
{
    struct half *h = &self->half;
    assert(self->booted); /* [8] */
    take(h, msg);
    if (h->returned == h->problem.side * (h->to - h->from)) { /* [9] */
        send(self->runner, outcome, .x = -1, .y = -1, .v = h->total,
             .messages = h->messages);
        stop();
    } /* else [10] */
}

TR_BEHAVIOUR(peer, open, TR_ON(boot, peer_boot), TR_ON(outcome, peer_outcome));
TR_CLASS(peer, .start = &peer_open);
TR_HOT(peer, open);

struct runner {
    struct problem problem;
    struct half half;
    bool booted;
};

TR_HANDLER(runner, boot)
{
    int side = self->problem.side, part = side / 2; /* [1] */
    assert(side >= 2 && side <= SIDE);
    self->booted = true;
    self->half =
        (struct half){.problem = self->problem, .to = part, .ny = part + 1};
    make_cells(ctx, &self->half, (owner_ref)me(runner));
    peer_ref peer =
        spawn(peer,
              .half = {.problem = self->problem,
                       .from = part,
                       .to = side,
                       .first = 1,
                       .ny = side - part + 1},
              .runner = me(runner), .border = column_of(&self->half, part - 1));
    send(peer, boot);
}

TR_HANDLER(runner, border)
{
    assert(self->booted); /* [5], else [6] */
    set_column(&self->half, self->half.to, msg);
    start_cells(ctx, &self->half);
}

TR_HANDLER(runner, outcome)
{
    struct half *h = &self->half;
    assert(self->booted); /* [2] */
    take(h, msg);
    if (h->returned < h->problem.side * h->to + 1) /* [4] */
        return;
    double expected = sequential_total(&self->problem); /* [3] */
    assert(fabs(h->total - expected) <= 1e-12 + 1e-9 * fabs(expected));
    result("total %.9g, %d messages", h->total, h->messages);
    stop();
}

TR_BEHAVIOUR(runner, open, TR_ON(boot, runner_boot),
             TR_ON(border, runner_border), TR_ON(outcome, runner_outcome));
TR_CLASS(runner, .start = &runner_open);
TR_HOT(runner, open);

TR_SYSTEM(savina)
{
    runner_ref runner =
        spawn(runner, .problem = {.side = (int)param("s", 20),
                                  .rounds = (int)param("n", 100),
                                  .matrix = (int)param("matrix", 0)});
    expose(runner);
    if (starts())
        send(runner, boot);
}

TR_TEST(sor)
{
    runner_ref runner =
        spawn(runner, .problem = {.side = (int)param("s", 2),
                                  .rounds = (int)param("n", 2),
                                  .matrix = (int)param("matrix", 1)});
    send(runner, boot);
    drain();
}

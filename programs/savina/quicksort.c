/* Quicksort (QS): a tree of sorters.
 *
 * The driver sends sort (a list of numbers) to the root.  A sorter with fewer
 * than t numbers sorts them; else it takes the middle one as pivot, keeps its
 * equals, and sends the smaller to a left child and the greater to a right
 * one.  Their answers it puts around its own; with both in it sends sorted to
 * its parent and stops.
 *
 * Entry point: root.
 * Parameters n, t: numbers, threshold (1000000, 2048; in the test 3, 2); data:
 * 0 draws them, 1 is (2,1,3), 2 (2,1,2,3), 3 (2,2), 4 (3,1,2,6,5,4) (in the
 * test 1).
 * Expected: the root has the sorted input, and all stop.  The left answer may
 * come before or after the right.
 *
 * Known defects: none of order, in any model.
 * QS-P1  threshold 0 reaches an empty list and takes its middle (t=0)
 */
#include "savina.h"

TR_PROTOCOL(sorter, sort, sorted);

/* The numbers are the message's own. */
struct sort {
    int n;
    uint64_t *at;
};
static void sort_drop(void *payload)
{
    struct sort *s = payload;
    free(s->at);
}
TR_MESSAGE(sort, .drop = sort_drop);
enum position { INITIAL, LEFT, RIGHT };
struct sorted {
    int n;
    uint64_t *at;
    enum position position;
};
static void sorted_drop(void *payload)
{
    struct sorted *s = payload;
    free(s->at);
}
TR_MESSAGE(sorted, .drop = sorted_drop);

static uint64_t *new_numbers(int n)
{
    uint64_t *at = calloc((size_t)n + 1, sizeof *at);
    assert(at);
    return at;
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

struct sorter {
    sorter_ref parent; /* NULL: the root */
    enum position position;
    int threshold;
    int total;         /* the root: numbers in all */
    uint64_t checksum; /* the root: their sum */
    int n;
    uint64_t *result;
    int fragments;
};

TR_FINI(sorter)
{
    free(self->result);
}

static void check(const struct sorter *self)
{
    uint64_t sum = 0;
    assert(self->n == self->total);
    for (int i = 0; i < self->n; i++) {
        assert(i == 0 || self->result[i - 1] <= self->result[i]);
        sum += self->result[i];
    }
    assert(sum == self->checksum);
}

static void finish(tr_ctx *ctx, struct sorter *self)
{
    if (self->position == INITIAL) { /* [8], else [9] */
        check(self);
        result("%d numbers", self->n);
    }
    if (self->parent) { /* [10], else [11] */
        send(self->parent, sorted, .n = self->n, .at = self->result,
             .position = self->position);
        self->result = NULL;
    }
    stop();
}

/* Those of the numbers that compare so with the pivot. */
static uint64_t *filtered(const struct sort *s, uint64_t pivot, int sign,
                          int *n)
{
    uint64_t *at;
    *n = 0;
    for (int i = 0; i < s->n; i++)
        *n += compare(&s->at[i], &pivot) == sign;
    at = new_numbers(*n);
    for (int i = 0, k = 0; i < s->n; i++)
        if (compare(&s->at[i], &pivot) == sign)
            at[k++] = s->at[i];
    return at;
}

static void delegate(tr_ctx *ctx, struct sorter *self, const struct sort *s,
                     uint64_t pivot, enum position position)
{
    sorter_ref child = spawn(sorter, .parent = me(sorter), .position = position,
                             .threshold = self->threshold);
    int n;
    uint64_t *at = filtered(s, pivot, position == LEFT ? -1 : 1, &n);
    send(child, sort, .n = n, .at = at);
}

TR_HANDLER(sorter, sort)
{
    if (msg->n < self->threshold) { /* [1] */
        self->n = msg->n;
        self->result = new_numbers(msg->n);
        memcpy(self->result, msg->at, (size_t)msg->n * sizeof *msg->at);
        qsort(self->result, (size_t)self->n, sizeof *self->result, compare);
        finish(ctx, self);
    } else { /* [2] */
        assert(msg->n > 0 && "QS-P1");
        uint64_t pivot = msg->at[msg->n / 2];
        delegate(ctx, self, msg, pivot, LEFT);
        delegate(ctx, self, msg, pivot, RIGHT);
        self->result = filtered(msg, pivot, 0, &self->n);
        self->fragments++;
    }
}

/* Put what has come around what is there. */
static void join(struct sorter *self, const struct sorted *s)
{
    uint64_t *both = new_numbers(self->n + s->n);
    bool left = s->position == LEFT; /* [3], else [4] */
    memcpy(both + (left ? s->n : 0), self->result,
           (size_t)self->n * sizeof *both);
    memcpy(both + (left ? 0 : self->n), s->at, (size_t)s->n * sizeof *both);
    free(self->result);
    self->result = both;
    self->n += s->n;
}

TR_HANDLER(sorter, sorted)
{
    if (msg->n > 0) /* else [5] */
        join(self, msg);
    if (++self->fragments == 3) /* [6] */
        finish(ctx, self);
    /* else [7] */
}

TR_BEHAVIOUR(sorter, open, TR_ON(sort, sorter_sort),
             TR_ON(sorted, sorter_sorted));
TR_CLASS(sorter, .start = &sorter_open, .fini = sorter_fini_);
TR_HOT(sorter, open);

/* ---- the numbers ----------------------------------------------------------
 */

static const struct {
    int n;
    uint64_t at[6];
} fixed[] = {
    {3, {2, 1, 3}},
    {4, {2, 1, 2, 3}},
    {2, {2, 2}},
    {6, {3, 1, 2, 6, 5, 4}},
};

static struct sort numbers(int n, int data)
{
    struct draws draws = {1024};
    struct sort s = {.n = data ? fixed[data - 1].n : n};
    s.at = new_numbers(s.n);
    for (int i = 0; i < s.n; i++)
        s.at[i] = data ? fixed[data - 1].at[i] : draw(&draws);
    return s;
}

static void begin(tr_ctx *ctx, int n, int t, int data, bool starting)
{
    struct sort s = numbers(n, data);
    uint64_t sum = 0;
    for (int i = 0; i < s.n; i++)
        sum += s.at[i];
    sorter_ref root =
        spawn(sorter, .threshold = t, .total = s.n, .checksum = sum);
    expose(root);
    if (starting)
        tr_forward(ctx, root, sort, (const struct sort *)&s);
    else
        free(s.at);
}

TR_SYSTEM(savina)
{
    begin(ctx, (int)param("n", 1000000), (int)param("t", 2048),
          (int)param("data", 0), starts());
}

TR_TEST(quicksort)
{
    begin(ctx, (int)param("n", 3), (int)param("t", 2), (int)param("data", 1),
          true);
    drain();
}

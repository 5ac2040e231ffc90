/* Unbalanced cobwebbed tree (UCT): a tree grows at random, then is traversed.
 *
 * The driver sends generate_tree to the root, which creates b nodes and sends
 * try_generate to each.  A node asks the root (should_generate); while the tree
 * has room the root draws a coin: tails, the node stays a leaf; heads, it sends
 * generate or urgent_generate, and the node creates b children, tells its
 * parent (grant) and sends try_generate to each.  The first request that finds
 * the tree full makes the root report its size and height, send traverse and
 * terminate down the tree and stop.
 *
 * Entry point: root.
 * Parameters b, max, urgent: children of a node, nodes, percentage of urgent
 * ones (10, 200000, 50; in the test 2, 5, 50); coin: 0 is drawn, 1 heads, 2
 * tails, 3 tails once and then heads, 4 chosen by whoever runs the program (in
 * the test 1); work: 0 leaves out the busy loops (1; in the test 0).
 * Expected: size <= max < size + b, size mod b = 1 mod b, and all stop.  The
 * order of requests decides the shape and the height.
 *
 * Known defects: none of order, in any model.
 * UCT-P1  if every coin is tails before the tree is full, nobody ever asks
 *         again and all wait for ever (coin=2)
 * Requests, grants and growth for actors that have stopped are lost, which does
 * no harm.
 */
#include "savina.h"

enum { MAX = 16 };
enum coin { DRAWN, HEADS, TAILS, TAILS_FIRST, CHOSEN };

TR_PROTOCOL(root, generate_tree, should_generate, grant, print_info, terminate);
TR_PROTOCOL(node, try_generate, generate, urgent_generate, grant, traverse,
            urgent_traverse, print_info, get_id, terminate);
TR_PROTOCOL(parent, grant); /* no class: the root or a node */

TR_SIGNAL(generate_tree);
TR_SIGNAL(try_generate);
struct should_generate {
    node_ref from;
    int height;
};
TR_MESSAGE(should_generate);
struct generate {
    int first_id, work;
};
TR_MESSAGE(generate);
struct urgent_generate {
    int urgent, first_id, work;
};
TR_MESSAGE(urgent_generate);
struct grant {
    int index;
};
TR_MESSAGE(grant);
TR_SIGNAL(traverse);
TR_SIGNAL(urgent_traverse);
TR_SIGNAL(print_info);
TR_SIGNAL(get_id);
TR_SIGNAL(terminate);

/* ---- nodes -----------------------------------------------------------------
 */

struct node {
    parent_ref parent;
    root_ref root;
    int branches, height, id, work;
    bool is_urgent, has_children;
    int urgent_child;
    node_ref child[MAX];
    bool granted[MAX];
};

static void busy(int work)
{
    for (volatile int i = 0; i < work; i++)
        ;
}

TR_HANDLER(node, try_generate)
{
    busy(self->work); /* [14] */
    send(self->root, should_generate, .from = me(node), .height = self->height);
}

static void grow(tr_ctx *ctx, struct node *self, int first_id, int work,
                 int urgent)
{
    send(self->parent, grant, .index = self->id % self->branches);
    for (int i = 0; i < self->branches; i++)
        self->child[i] =
            spawn(node, .parent = (parent_ref)me(node), .root = self->root,
                  .branches = self->branches, .height = self->height + 1,
                  .id = first_id + i, .work = work, .is_urgent = i == urgent);
    self->has_children = true;
    for (int i = 0; i < self->branches; i++)
        send(self->child[i], try_generate);
}

TR_HANDLER(node, generate)
{
    grow(ctx, self, msg->first_id, msg->work, -1); /* [15] */
}

TR_HANDLER(node, urgent_generate)
{
    self->urgent_child = msg->urgent; /* [16] */
    grow(ctx, self, msg->first_id, msg->work, msg->urgent);
}

TR_HANDLER(node, grant)
{
    self->granted[msg->index] = true; /* [17] */
}

TR_HANDLER(node, traverse)
{
    busy(self->work);
    for (int i = 0; i < self->branches && self->has_children; i++)
        send(self->child[i], traverse); /* [18], no children: [19] */
}

TR_HANDLER(node, urgent_traverse)
{
    busy(self->work); /* [20] */
    for (int i = 0; i < self->branches && self->has_children; i++)
        if (i == self->urgent_child)
            send(self->child[i], urgent_traverse);
        else
            send(self->child[i], traverse);
    tr_log(ctx, TR_DEBUG, "node %d%s", self->id,
           self->is_urgent ? ", urgent" : "");
}

TR_HANDLER(node, print_info)
{
    for (int i = 0; i < self->branches && self->has_children; i++) /* [21] */
        send(self->child[i], print_info);
}

TR_HANDLER(node, get_id)
{
    tr_log(ctx, TR_DEBUG, "node %d", self->id); /* [22] */
}

TR_HANDLER(node, terminate)
{
    for (int i = 0; i < self->branches && self->has_children; i++)
        send(self->child[i], terminate); /* [23], no children: [24] */
    stop();
}

TR_BEHAVIOUR(node, open, TR_ON(try_generate, node_try_generate),
             TR_ON(generate, node_generate),
             TR_ON(urgent_generate, node_urgent_generate),
             TR_ON(grant, node_grant), TR_ON(traverse, node_traverse),
             TR_ON(urgent_traverse, node_urgent_traverse),
             TR_ON(print_info, node_print_info), TR_ON(get_id, node_get_id),
             TR_ON(terminate, node_terminate));
TR_CLASS(node, .start = &node_open);
TR_HOT(node, open);

/* ---- the root ---------------------------------------------------------------
 */

struct root {
    int branches, max;
    uint32_t urgent; /* percentage */
    enum coin coin;
    bool works;
    struct draws draws;
    int height, size;
    bool tossed;
    node_ref child[MAX];
    bool granted[MAX];
};

/* About normal, mean 500, deviation 100: a sum of twelve even draws. */
static int draw_work(struct root *self)
{
    int work = 0;
    if (!self->works)
        return 0;
    do { /* again: [13] */
        double sum = -6;
        for (int i = 0; i < 12; i++)
            sum += draw(&self->draws) / 65536.0;
        work = (int)(500.5 + 100 * sum);
    } while (work <= 0);
    return work;
}

static bool toss(tr_ctx *ctx, struct root *self)
{
    bool first = !self->tossed;
    self->tossed = true;
    switch (self->coin) {
    case DRAWN:
        return (draw(&self->draws) >> 8 & 1) != 0;
    case TAILS:
        return false;
    case TAILS_FIRST:
        return !first;
    case CHOSEN:
        return choose(2) == 1;
    case HEADS:
        break;
    }
    return true;
}

TR_HANDLER(root, generate_tree)
{
    self->height++; /* [1] */
    int work = draw_work(self);
    for (int i = 0; i < self->branches; i++)
        self->child[i] =
            spawn(node, .parent = (parent_ref)me(root), .root = me(root),
                  .branches = self->branches, .height = self->height,
                  .id = self->size + i, .work = work);
    self->size += self->branches;
    for (int i = 0; i < self->branches; i++)
        send(self->child[i], try_generate);
}

static void raise_to(struct root *self, int height)
{
    if (height > self->height) /* [4] or [6], else [5] or [7] */
        self->height = height;
}

static void let_grow(tr_ctx *ctx, struct root *self, node_ref node)
{
    int work = draw_work(self);
    if (draw_below(&self->draws, 100) > self->urgent) { /* [2] */
        send(node, generate, .first_id = self->size, .work = work);
    } else { /* [3] */
        uint32_t urgent = draw_below(&self->draws, (uint32_t)self->branches);
        send(node, urgent_generate, .urgent = (int)urgent,
             .first_id = self->size, .work = work);
    }
    self->size += self->branches;
}

static void to_children(tr_ctx *ctx, struct root *self)
{
    for (int i = 0; i < self->branches; i++)
        send(self->child[i], terminate);
    stop();
}

TR_HANDLER(root, should_generate)
{
    if (self->size + self->branches > self->max) { /* [8], [9] */
        assert(self->size <= self->max);
        assert(self->size % self->branches == 1 % self->branches);
        result("%d nodes, height %d", self->size, self->height);
        for (int i = 0; i < self->branches; i++)
            send(self->child[i], traverse);
        to_children(ctx, self);
    } else if (toss(ctx, self)) {
        let_grow(ctx, self, msg->from);
        raise_to(self, msg->height + 1);
    } else {
        raise_to(self, msg->height);
    }
}

TR_HANDLER(root, grant)
{
    self->granted[msg->index] = true; /* [10] */
}

TR_HANDLER(root, print_info)
{
    for (int i = 0; i < self->branches; i++) /* [11] */
        send(self->child[i], print_info);
}

TR_HANDLER(root, terminate)
{
    to_children(ctx, self); /* [12] */
}

TR_BEHAVIOUR(root, open, TR_ON(generate_tree, root_generate_tree),
             TR_ON(should_generate, root_should_generate),
             TR_ON(grant, root_grant), TR_ON(print_info, root_print_info),
             TR_ON(terminate, root_terminate));
TR_CLASS(root, .start = &root_open);
TR_HOT(root, open);

static root_ref make(tr_ctx *ctx, int b, int max, enum coin coin, bool works)
{
    assert(b >= 1 && b <= MAX);
    return spawn(root, .branches = b, .max = max, .coin = coin, .works = works,
                 .urgent = (uint32_t)param("urgent", 50), .draws = {74755},
                 .height = 1, .size = 1);
}

TR_SYSTEM(savina)
{
    root_ref root =
        make(ctx, (int)param("b", 10), (int)param("max", 200000),
             (enum coin)param("coin", DRAWN), param("work", 1) != 0);
    expose(root);
    if (starts())
        send(root, generate_tree);
}

TR_TEST(uct)
{
    root_ref root =
        make(ctx, (int)param("b", 2), (int)param("max", 5),
             (enum coin)param("coin", HEADS), param("work", 0) != 0);
    send(root, generate_tree);
    drain();
}

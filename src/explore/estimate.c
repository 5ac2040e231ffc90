// A node's size is the average of its visited children times their number.
// When the root was left, its value stays in a node that has no parent.
#include "explore/estimate.h"

void estimate_enter(struct estimate *e, uint32_t children)
{
    struct estimate_node n = {.children = children, .planned = children};
    vec_push(&e->path, n);
}

static double node_size(const struct estimate_node *n, double below)
{
    double sum = n->sum + (below > 0 ? below : 0);
    uint32_t k = n->visited + (below > 0);
    return k ? sum / k * n->children : -1;
}

void estimate_leave(struct estimate *e)
{
    if (e->path.n < 2)
        return;
    double size = node_size(&vec_last(&e->path), -1);
    e->path.n--;
    struct estimate_node *up = &vec_last(&e->path);
    if (size > 0) {
        up->sum += size;
        up->visited++;
    }
}

void estimate_leaf(struct estimate *e)
{
    vec_last(&e->path).sum += 1;
    vec_last(&e->path).visited++;
}

double estimate_size(const struct estimate *e)
{
    double size = -1;
    for (uint32_t i = e->path.n; i-- > 0;)
        size = node_size(&e->path.at[i], size);
    return size;
}

double estimate_done(const struct estimate *e)
{
    double done = 0, weight = 1;
    for (uint32_t i = 0; i < e->path.n; i++) {
        const struct estimate_node *n = &e->path.at[i];
        uint32_t all = n->planned > n->visited ? n->planned : n->visited;
        if (!all)
            break;
        done += weight * n->visited / all;
        weight /= all;
    }
    return done;
}

void estimate_free(struct estimate *e)
{
    vec_free(&e->path);
}

// A trie over a hash of the key, 5 bits a level.  The hash is a bijection, so
// two keys part at the latest when its 64 bits are used up.  A node has one
// slot per used branch, in the order of branches; a slot is a pair or a node.
#include "symex/pmap.h"

#include "base/die.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct slot {
    uint64_t key;
    union {
        uint64_t value;
        struct pmap_node *node;
    } u;
};

struct pmap_node {
    uint32_t refs;
    uint32_t used; // branches that have a slot
    uint32_t deep; // of those the ones that are nodes
    struct slot at[];
};

static uint64_t mix(uint64_t x)
{
    x ^= x >> 32;
    x *= UINT64_C(0xd6e8feb86659fd93);
    x ^= x >> 32;
    x *= UINT64_C(0xd6e8feb86659fd93);
    return x ^ x >> 32;
}

static uint32_t count(uint32_t mask)
{
    return (uint32_t)__builtin_popcount(mask);
}

static uint32_t bit_of(uint64_t hash, unsigned level)
{
    return UINT32_C(1) << (hash >> 5 * level & 31);
}

static uint32_t place(const struct pmap_node *n, uint32_t bit)
{
    return count(n->used & (bit - 1));
}

static struct pmap_node *node_new(uint32_t slots)
{
    struct pmap_node *n = need(sizeof *n + slots * sizeof n->at[0]);
    n->refs = 1;
    n->used = n->deep = 0;
    return n;
}

static void node_release(struct pmap_node *n)
{
    if (--n->refs)
        return;
    uint32_t i = 0;
    for (uint32_t left = n->used; left; left &= left - 1, i++)
        if (n->deep & (left & -left))
            node_release(n->at[i].u.node);
    free(n);
}

struct pmap pmap_share(const struct pmap *m)
{
    if (m->root)
        m->root->refs++;
    return *m;
}

void pmap_release(struct pmap *m)
{
    if (m->root)
        node_release(m->root);
    m->root = NULL;
}

bool pmap_get(const struct pmap *m, uint64_t key, uint64_t *value)
{
    const struct pmap_node *n = m->root;
    uint64_t hash = mix(key);
    for (unsigned level = 0; n; level++) {
        uint32_t bit = bit_of(hash, level);
        if (!(n->used & bit))
            return false;
        const struct slot *s = &n->at[place(n, bit)];
        if (!(n->deep & bit)) {
            *value = s->u.value;
            return s->key == key;
        }
        n = s->u.node;
    }
    return false;
}

// ---- changing -----------------------------------------------------------

// A node with these contents that only the caller has, with room for one slot
// more at `gap` (UINT32_MAX: no gap), or without slot `out`.
static struct pmap_node *node_with(struct pmap_node *n, uint32_t gap,
                                   uint32_t out)
{
    uint32_t have = count(n->used), to = 0;
    struct pmap_node *copy = node_new(have + 1);
    copy->used = n->used;
    copy->deep = n->deep;
    for (uint32_t i = 0; i < have; i++) {
        if (i == gap)
            to++;
        if (i != out)
            copy->at[to++] = n->at[i];
    }
    if (n->refs == 1) {
        free(n); // what it owned is the copy's now
        return copy;
    }
    uint32_t i = 0;
    for (uint32_t left = n->used; left; left &= left - 1, i++)
        if (n->deep & (left & -left) && i != out)
            n->at[i].u.node->refs++;
    n->refs--;
    return copy;
}

static struct pmap_node *own(struct pmap_node *n)
{
    return n->refs == 1 ? n : node_with(n, UINT32_MAX, UINT32_MAX);
}

// A node that has these two, which differ.
static struct pmap_node *node_of_two(const struct slot *a, const struct slot *b,
                                     unsigned level)
{
    uint32_t x = bit_of(mix(a->key), level), y = bit_of(mix(b->key), level);
    struct pmap_node *n = node_new(2);
    n->used = x | y;
    if (x == y) {
        n->deep = x;
        n->at[0].u.node = node_of_two(a, b, level + 1);
    } else {
        n->at[x > y] = *a;
        n->at[y > x] = *b;
    }
    return n;
}

static struct pmap_node *put(struct pmap_node *n, const struct slot *new,
                             uint64_t hash, unsigned level)
{
    uint32_t bit = bit_of(hash, level), i = place(n, bit);
    if (!(n->used & bit)) {
        n = node_with(n, i, UINT32_MAX);
        n->used |= bit;
        n->at[i] = *new;
        return n;
    }
    n = own(n);
    struct slot *s = &n->at[i];
    if (n->deep & bit) {
        s->u.node = put(s->u.node, new, hash, level + 1);
    } else if (s->key == new->key) {
        s->u.value = new->u.value;
    } else {
        s->u.node = node_of_two(s, new, level + 1);
        n->deep |= bit;
    }
    return n;
}

void pmap_put(struct pmap *m, uint64_t key, uint64_t value)
{
    struct slot s = {.key = key, .u.value = value};
    if (!m->root)
        m->root = node_new(1);
    m->root = put(m->root, &s, mix(key), 0);
}

// The key is there.  Nodes that become empty stay: they cost little.
static struct pmap_node *take(struct pmap_node *n, uint64_t hash,
                              unsigned level)
{
    uint32_t bit = bit_of(hash, level), i = place(n, bit);
    if (n->deep & bit) {
        n = own(n);
        n->at[i].u.node = take(n->at[i].u.node, hash, level + 1);
        return n;
    }
    n = node_with(n, UINT32_MAX, i);
    n->used &= ~bit;
    return n;
}

void pmap_remove(struct pmap *m, uint64_t key)
{
    uint64_t value;
    if (pmap_get(m, key, &value))
        m->root = take(m->root, mix(key), 0);
}

static void each_of(const struct pmap_node *n,
                    void (*each)(void *self, uint64_t key, uint64_t value),
                    void *self)
{
    uint32_t i = 0;
    for (uint32_t left = n->used; left; left &= left - 1, i++) {
        if (n->deep & (left & -left))
            each_of(n->at[i].u.node, each, self);
        else
            each(self, n->at[i].key, n->at[i].u.value);
    }
}

void pmap_each(const struct pmap *m,
               void (*each)(void *self, uint64_t key, uint64_t value),
               void *self)
{
    if (m->root)
        each_of(m->root, each, self);
}

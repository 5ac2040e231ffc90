// A map from 64-bit keys to 64-bit values that is cheap to copy: a copy shares
// everything, and a change copies only the few nodes on the way to the key.
// What only one owner has is changed in place.  All zero is an empty map.
#ifndef SYMEX_PMAP_H
#define SYMEX_PMAP_H

#include <stdbool.h>
#include <stdint.h>

struct pmap_node;

struct pmap {
    struct pmap_node *root;
};

// A second owner of the same contents.
struct pmap pmap_share(const struct pmap *m);
void pmap_release(struct pmap *m);

// Is the key there?  Then *value is its value.
bool pmap_get(const struct pmap *m, uint64_t key, uint64_t *value);
void pmap_put(struct pmap *m, uint64_t key, uint64_t value);
void pmap_remove(struct pmap *m, uint64_t key);
// All pairs, in an order that depends only on the keys.
void pmap_each(const struct pmap *m,
               void (*each)(void *self, uint64_t key, uint64_t value),
               void *self);

#endif

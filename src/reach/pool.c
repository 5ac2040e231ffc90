#include "reach/pool.h"

#include "base/clock.h"
#include "base/number.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static size_t room(size_t n, size_t size)
{
    return (n * size + 63) & ~(size_t)63;
}

static size_t size_of(uint32_t hits, uint32_t compares, uint32_t inputs)
{
    return room(1, sizeof(struct pool)) + room(hits, 1) + room(hits, 4) +
           room(hits, 8) + room(hits, sizeof(struct pool_asked)) +
           room(compares, 1) +
           room(compares * (size_t)NEAR_N, sizeof(struct near)) +
           room(inputs, sizeof(struct kept_input));
}

struct pool *pool_new(uint32_t n_hits, uint32_t n_compares)
{
    uint32_t inputs = n_hits + 2 * n_compares + 64;
    char *at =
        mmap(NULL, size_of(n_hits, n_compares, inputs), PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        return NULL;
    struct pool *p = (struct pool *)(void *)at;
    p->n_hits = n_hits;
    p->n_compares = n_compares;
    p->n_room = inputs;
    p->began = clock_now();
    at += room(1, sizeof *p);
    p->hit = (unsigned char *)at;
    p->first = (uint32_t *)(void *)(at += room(n_hits, 1));
    p->when = (uint64_t *)(void *)(at += room(n_hits, 4));
    p->asked = (struct pool_asked *)(void *)(at += room(n_hits, 8));
    p->side = (unsigned char *)(at += room(n_hits, sizeof(struct pool_asked)));
    p->near = (struct near *)(void *)(at += room(n_compares, 1));
    at += room(n_compares * (size_t)NEAR_N, sizeof *p->near);
    p->inputs = (struct kept_input *)(void *)at;
    return p;
}

void pool_free(struct pool *p)
{
    if (p)
        munmap(p, size_of(p->n_hits, p->n_compares, p->n_room));
}

bool pool_keep(struct pool *p, const struct input *in, enum run_end end,
               uint32_t receives, uint64_t cost)
{
    if (p->n_inputs == p->n_room)
        return false;
    struct kept_input *k = &p->inputs[p->n_inputs];
    k->end = end;
    k->receives = receives;
    k->cost = cost;
    input_copy(&k->input, in);
    p->n_inputs++;
    return true;
}

uint32_t pool_name(struct pool *p, const char *name, uint32_t cls)
{
    for (uint32_t i = 0; i < p->n_names; i++)
        if (strcmp(p->names[i].name, name) == 0)
            return i;
    if (p->n_names == POOL_NAMES || strlen(name) >= POOL_NAME)
        return POOL_NAMES;
    snprintf(p->names[p->n_names].name, POOL_NAME, "%s", name);
    p->names[p->n_names].cls = cls;
    return p->n_names++;
}

// The next free slot; if the table is full, one at random.
static uint32_t slot(uint32_t *n, uint32_t most, uint64_t chance)
{
    return *n < most ? (*n)++ : (uint32_t)(chance % most);
}

void pool_number(struct pool *p, uint64_t v, uint64_t chance)
{
    for (uint32_t i = 0; i < p->n_numbers; i++)
        if (p->numbers[i] == v)
            return;
    p->numbers[slot(&p->n_numbers, POOL_NUMBERS, chance)] = v;
}

void pool_float(struct pool *p, double v, uint64_t chance)
{
    for (uint32_t i = 0; i < p->n_floats; i++)
        if (double_bits(p->floats[i]) == double_bits(v))
            return;
    p->floats[slot(&p->n_floats, POOL_NUMBERS, chance)] = v;
}

void pool_text(struct pool *p, const char *s, size_t n, uint64_t chance)
{
    n = n < POOL_TEXT - 1 ? n : POOL_TEXT - 1;
    for (uint32_t i = 0; i < p->n_texts; i++)
        if (strncmp(p->texts[i], s, n) == 0 && !p->texts[i][n])
            return;
    char *to = p->texts[slot(&p->n_texts, POOL_TEXTS, chance)];
    memcpy(to, s, n);
    to[n] = 0;
}

bool pool_open(const struct pool *p, uint32_t site)
{
    return p->side[site] == SIDE_FALSE || p->side[site] == SIDE_TRUE;
}

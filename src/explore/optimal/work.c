// Bytes of units, and a search over several of them.
#include "explore/optimal/work.h"

#include "base/die.h"
#include "explore/optimal/optimal.h"

#include <stdlib.h>
#include <string.h>

void work_free(struct work_bytes *u)
{
    vec_free(&u->bytes);
}

// Seven bits to a byte, the last one below 128.
void work_put(struct work_bytes *u, uint64_t number)
{
    for (; number >= 128; number >>= 7)
        vec_push(&u->bytes, (uint8_t)(number | 128));
    vec_push(&u->bytes, (uint8_t)number);
}

void work_put_hash(struct work_bytes *u, uint64_t hash)
{
    for (int i = 0; i < 8; i++)
        vec_push(&u->bytes, (uint8_t)(hash >> (8 * i)));
}

struct work_reader work_read(const struct work_bytes *u)
{
    return (struct work_reader){u->bytes.at, u->bytes.at + u->bytes.n, false};
}

static uint8_t get_byte(struct work_reader *r)
{
    if (r->at < r->end)
        return *r->at++;
    r->bad = true;
    return 0;
}

uint64_t work_get(struct work_reader *r)
{
    uint64_t number = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        uint8_t byte = get_byte(r);
        number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return number;
    }
    r->bad = true;
    return 0;
}

uint32_t work_get_below(struct work_reader *r, uint64_t limit)
{
    uint64_t number = work_get(r);
    if (number < limit)
        return (uint32_t)number;
    r->bad = true;
    return 0;
}

uint64_t work_get_hash(struct work_reader *r)
{
    uint64_t hash = 0;
    for (int i = 0; i < 8; i++)
        hash |= (uint64_t)get_byte(r) << (8 * i);
    return hash;
}

// ---- lists -----------------------------------------------------------------

void work_list_add(struct work_list *u, const void *bytes, uint32_t size)
{
    struct work unit = {memcpy(need(size), bytes, size), size};
    vec_push(&u->list, unit);
}

void work_list_free(struct work_list *u)
{
    for (uint32_t i = 0; i < u->list.n; i++)
        free(u->list.at[i].bytes);
    vec_free(&u->list);
}

// ---- several units --------------------------------------------------------

enum { PARTS = 16 }; // for several to work on

static void add_unit(struct work_list *rest, struct work_bytes *u)
{
    work_list_add(rest, u->bytes.at, u->bytes.n);
    vec_clear(&u->bytes);
}

static struct optimal *open_unit(struct search *s, const struct work *u)
{
    struct work_bytes v = {0};
    vec_room(&v.bytes, u->size);
    if (u->size)
        memcpy(v.bytes.at, u->bytes, u->size);
    v.bytes.n = u->size;
    struct optimal *o = optimal_of_unit(s, &v);
    work_free(&v);
    return o;
}

// What is left of this unit, and the units behind it.
static void tell_rest(struct search *s, struct optimal *o,
                      const struct work *behind, uint32_t n)
{
    struct work_list left = {0};
    struct work_bytes u = {0};
    if (optimal_rest(o, &u))
        add_unit(&left, &u);
    for (uint32_t i = 0; i < n; i++)
        work_list_add(&left, behind[i].bytes, behind[i].size);
    s->sink->rest(s->sink->self, s->result, &left);
    work_list_free(&left);
    work_free(&u);
}

enum { LOOK_AFTER = 64 }; // executions

static void work(struct search *s, struct optimal *o, const struct work *behind,
                 uint32_t n, struct work_list *rest)
{
    const struct explore_sink *k = s->sink;
    while (optimal_run(o, k->wants_rest ? LOOK_AFTER : UINT64_MAX))
        if (k->wants_rest && k->wants_rest(k->self))
            tell_rest(s, o, behind, n);
    if (s->over)
        optimal_leave(o, PARTS, rest);
    optimal_free(o);
}

void explore_work(struct play *p, const struct explore_options *o,
                  const struct work *units, uint32_t n,
                  const struct explore_sink *sink, struct explore_result *r,
                  struct work_list *rest)
{
    struct search s;
    search_init(&s, p, o, sink, r);
    if (!n)
        work(&s, optimal_new(&s), NULL, 0, rest);
    for (uint32_t i = 0; i < n; i++) {
        if (s.over) {
            work_list_add(rest, units[i].bytes, units[i].size);
            continue;
        }
        struct optimal *one = open_unit(&s, &units[i]);
        if (one)
            work(&s, one, units + i + 1, n - i - 1, rest);
        else
            search_refuse(&s, REFUSAL_UNIT);
    }
    search_release(&s);
}

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

struct work_search {
    struct search *search;
    struct optimal *now;   // NULL: none is under way
    struct work_list todo; // from `next` on
    uint32_t next;
};

struct work_search *work_search_new(struct search *s, const struct work *units,
                                    uint32_t n)
{
    struct work_search *w = need_zero(sizeof *w);
    w->search = s;
    if (!n)
        w->now = optimal_new(s);
    for (uint32_t i = 0; i < n; i++)
        work_list_add(&w->todo, units[i].bytes, units[i].size);
    return w;
}

static void close_unit(struct work_search *w)
{
    optimal_free(w->now);
    w->now = NULL;
}

static bool has_next(const struct work_search *w)
{
    return w->next < w->todo.list.n;
}

// Units that are done keep their place in the list: it is freed at the end.
static void open_next(struct work_search *w)
{
    w->now = open_unit(w->search, &w->todo.list.at[w->next++]);
    if (!w->now)
        search_refuse(w->search, REFUSAL_UNIT);
}

static void add_todo(const struct work_search *w, struct work_list *to)
{
    for (uint32_t i = w->next; i < w->todo.list.n; i++)
        work_list_add(to, w->todo.list.at[i].bytes, w->todo.list.at[i].size);
}

// Tell the sink what is left, and go on.
static void tell_rest(struct work_search *w)
{
    struct search *s = w->search;
    struct work_list left = {0};
    struct work_bytes u = {0};
    if (w->now && optimal_rest(w->now, &u))
        add_unit(&left, &u);
    add_todo(w, &left);
    s->sink->rest(s->sink->self, s->result, &left);
    work_list_free(&left);
    work_free(&u);
}

enum { LOOK_AFTER = 64 }; // executions

// False: the unit is done.
static bool go_on_with_unit(struct work_search *w)
{
    const struct explore_sink *k = w->search->sink;
    do {
        if (!optimal_run(w->now, k->wants_rest ? LOOK_AFTER : UINT64_MAX))
            return false;
        if (k->wants_rest && k->wants_rest(k->self))
            tell_rest(w);
    } while (!search_pauses(w->search));
    return true;
}

bool work_search_go(struct work_search *w)
{
    struct search *s = w->search;
    while (!search_pauses(s)) {
        if (!w->now && !has_next(w))
            break;
        if (!w->now)
            open_next(w);
        if (w->now && !go_on_with_unit(w) && !s->over)
            close_unit(w);
    }
    bool more = w->now || has_next(w);
    if (!more && !s->over)
        s->result->progress = 1;
    return more && !s->over;
}

void work_search_turn(struct work_search *w)
{
    if (!w->now)
        return;
    optimal_leave(w->now, PARTS, &w->todo);
    close_unit(w);
}

void work_search_leave(struct work_search *w, struct work_list *rest)
{
    if (w->now)
        optimal_leave(w->now, PARTS, rest);
    add_todo(w, rest);
}

void work_search_free(struct work_search *w)
{
    optimal_free(w->now);
    work_list_free(&w->todo);
    free(w);
}

void explore_work(struct play *p, const struct explore_options *o,
                  const struct work *units, uint32_t n,
                  const struct explore_sink *sink, struct explore_result *r,
                  struct work_list *rest)
{
    struct search s;
    search_init(&s, p, o, sink, r);
    struct work_search *w = work_search_new(&s, units, n);
    while (work_search_go(w))
        ;
    work_search_leave(w, rest);
    work_search_free(w);
    search_release(&s);
}

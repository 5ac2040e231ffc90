#include "crew/kept.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/wire.h"
#include "crew/words.h"
#include "explore/bytes.h"

#include <string.h>

static void put_figures(struct text *t, const struct crew_figures *f)
{
    explore_result_put(t, &f->result);
    wire_put64(t, f->handler_runs);
    wire_put64(t, f->runs_once);
    wire_put64(t, f->memo_hits);
    wire_put64(t, f->peak_bytes);
    wire_put32(t, f->workers);
    wire_put32(t, f->replaced);
    wire_put32(t, f->lost);
    wire_put64(t, f->orders);
    wire_put32(t, f->died);
}

static void put_rest(struct text *t, const struct crew_rest *rest)
{
    crew_units_put(t, rest->units, rest->n_units);
    wire_put64(t, rest->n_finals);
    wire_put(t, rest->finals, rest->n_finals * sizeof *rest->finals);
}

void crew_kept_put(struct text *t, const struct crew_figures *f,
                   const struct crew_rest *rest)
{
    put_figures(t, f);
    put_rest(t, rest);
}

void crew_change_put(struct text *t, const struct crew_figures *f,
                     const struct crew_change *change)
{
    put_figures(t, f);
    wire_put32(t, change->n_gone);
    wire_put(t, change->gone, change->n_gone * sizeof *change->gone);
    put_rest(t, &change->came);
}

static void get_figures(struct wire_reader *in, struct crew_figures *f)
{
    explore_result_get(in, &f->result);
    f->handler_runs = wire_get64(in);
    f->runs_once = wire_get64(in);
    f->memo_hits = wire_get64(in);
    f->peak_bytes = wire_get64(in);
    f->workers = wire_get32(in);
    f->replaced = wire_get32(in);
    f->lost = wire_get32(in);
    f->orders = wire_get64(in);
    f->died = wire_get32(in);
}

static void get_units(struct wire_reader *in, struct arena *a,
                      struct crew_rest *rest)
{
    struct work_list units;
    if (!crew_units_get(in, &units))
        return;
    struct work *list = arena_get(a, (units.list.n + 1) * sizeof *list);
    for (uint32_t i = 0; i < units.list.n; i++) {
        const struct work *w = &units.list.at[i];
        list[i] = (struct work){arena_copy(a, w->bytes, w->size), w->size};
    }
    rest->units = list;
    rest->n_units = units.list.n;
    work_list_free(&units);
}

static void get_finals(struct wire_reader *in, struct arena *a,
                       struct crew_rest *rest)
{
    uint64_t n = wire_get64(in);
    if (!wire_has(in, n, sizeof *rest->finals))
        return;
    size_t size = n * sizeof *rest->finals;
    rest->finals = arena_copy(a, wire_take(in, size), size);
    rest->n_finals = n;
}

bool crew_kept_get(struct wire_reader *in, struct arena *a,
                   struct crew_figures *f, struct crew_rest *rest)
{
    *f = (struct crew_figures){0};
    *rest = (struct crew_rest){0};
    get_figures(in, f);
    get_units(in, a, rest);
    get_finals(in, a, rest);
    return !in->bad;
}

// ---- changes ---------------------------------------------------------------

// Units that are neither gone nor new stay; each that is gone must be there.
static bool replace_units(struct arena *a, struct map *gone, uint32_t n_gone,
                          const struct crew_rest *came, struct crew_rest *rest)
{
    struct work *list =
        arena_get(a, (rest->n_units + came->n_units + 1) * sizeof *list);
    uint32_t n = 0;
    for (uint32_t i = 0; i < rest->n_units; i++) {
        const struct work *w = &rest->units[i];
        uint32_t times = map_get(gone, hash_bytes(w->bytes, w->size));
        if (times == MAP_NONE || !times) {
            list[n++] = *w;
            continue;
        }
        map_put(gone, hash_bytes(w->bytes, w->size), times - 1);
        n_gone--;
    }
    for (uint32_t i = 0; i < came->n_units; i++)
        list[n++] = came->units[i];
    rest->units = list;
    rest->n_units = n;
    return n_gone == 0;
}

static void add_finals(struct arena *a, const struct crew_rest *came,
                       struct crew_rest *rest)
{
    uint64_t n = rest->n_finals + came->n_finals;
    uint64_t *all = arena_get(a, (n + 1) * sizeof *all);
    if (rest->n_finals)
        memcpy(all, rest->finals, rest->n_finals * sizeof *all);
    if (came->n_finals)
        memcpy(all + rest->n_finals, came->finals,
               came->n_finals * sizeof *all);
    rest->finals = all;
    rest->n_finals = n;
}

bool crew_change_apply(struct wire_reader *in, struct arena *a,
                       struct crew_figures *f, struct crew_rest *rest)
{
    struct crew_figures figures = {0};
    struct crew_rest came = {0};
    struct map gone = {0};
    get_figures(in, &figures);
    uint32_t n = wire_get32(in);
    for (uint32_t i = 0; i < n && !in->bad; i++) {
        uint32_t *times = map_at(&gone, wire_get64(in));
        *times = *times == MAP_NONE ? 1 : *times + 1;
    }
    get_units(in, a, &came);
    get_finals(in, a, &came);
    bool good = !in->bad && replace_units(a, &gone, n, &came, rest);
    map_free(&gone);
    if (!good)
        return false;
    add_finals(a, &came, rest);
    *f = figures;
    return true;
}

#include "crew/kept.h"

#include "base/arena.h"
#include "base/wire.h"
#include "crew/words.h"
#include "explore/bytes.h"

void crew_kept_put(struct text *t, const struct crew_figures *f,
                   const struct crew_rest *rest)
{
    explore_result_put(t, &f->result);
    wire_put64(t, f->handler_runs);
    wire_put64(t, f->runs_once);
    wire_put64(t, f->memo_hits);
    wire_put64(t, f->peak_bytes);
    wire_put32(t, f->workers);
    wire_put32(t, f->replaced);
    wire_put32(t, f->lost);
    crew_units_put(t, rest->units, rest->n_units);
    wire_put64(t, rest->n_finals);
    wire_put(t, rest->finals, rest->n_finals * sizeof *rest->finals);
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

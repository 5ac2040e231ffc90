#include "crew/words.h"

#include "base/wire.h"
#include "crew/sketch.h"
#include "explore/bytes.h"

void crew_units_put(struct text *t, const struct work *units, uint32_t n)
{
    wire_put32(t, n);
    for (uint32_t i = 0; i < n; i++) {
        wire_put32(t, units[i].size);
        wire_put(t, units[i].bytes, units[i].size);
    }
}

bool crew_units_get(struct wire_reader *in, struct work_list *out)
{
    uint32_t n = wire_get32(in);
    *out = (struct work_list){0};
    for (uint32_t i = 0; i < n && !in->bad; i++) {
        uint32_t size = wire_get32(in);
        const void *bytes = wire_take(in, size);
        if (bytes)
            work_list_add(out, bytes, size);
    }
    if (in->bad)
        work_list_free(out);
    return !in->bad;
}

void crew_order_put(struct text *t, const struct crew_order *o)
{
    wire_begin(t, WORD_GO);
    explore_options_put(t, &o->options);
    wire_put32(t, o->divisible);
    wire_put_real(t, o->slice);
    wire_put32(t, o->isolated);
    wire_put32(t, o->known.n);
    wire_put(t, o->known.at, o->known.n * sizeof *o->known.at);
    crew_units_put(t, o->units.list.at, o->units.list.n);
}

// Was the message read to its end?  If not, its units are freed.
static bool whole(const struct wire_reader *in, struct work_list *units)
{
    if (!wire_done(in))
        work_list_free(units);
    return wire_done(in);
}

static void known_get(struct wire_reader *in, struct crew_order *out)
{
    uint32_t n = wire_get32(in);
    for (uint32_t i = 0; i < n && !in->bad; i++)
        vec_push(&out->known, wire_get64(in));
}

bool crew_order_get(struct wire_reader *in, struct crew_order *out)
{
    *out = (struct crew_order){0};
    explore_options_get(in, &out->options);
    out->divisible = wire_get_below(in, 2);
    out->slice = wire_get_real(in);
    out->isolated = wire_get_below(in, 2);
    known_get(in, out);
    if (crew_units_get(in, &out->units) && whole(in, &out->units))
        return true;
    vec_free(&out->known);
    return false;
}

void crew_finals_put(struct text *t, const struct crew_finals *f)
{
    wire_begin(t, WORD_FINALS);
    wire_put64(t, f->n);
    wire_put(t, f->hashes, f->n * sizeof(uint64_t));
    wire_put32(t, f->sketch != NULL);
    if (f->sketch)
        wire_put(t, f->sketch, SKETCH_BYTES);
}

bool crew_finals_get(struct wire_reader *in, struct crew_finals *out)
{
    *out = (struct crew_finals){.n = wire_get64(in)};
    if (!wire_has(in, out->n, sizeof(uint64_t)))
        return false;
    out->hashes = wire_take(in, out->n * sizeof(uint64_t));
    if (wire_get_below(in, 2))
        out->sketch = wire_take(in, SKETCH_BYTES);
    return wire_done(in);
}

void crew_return_put(struct text *t, enum crew_word word,
                     const struct crew_return *r)
{
    wire_begin(t, word);
    explore_result_put(t, &r->result);
    wire_put64(t, r->counts.runs);
    wire_put64(t, r->counts.once);
    wire_put64(t, r->counts.hits);
    wire_put64(t, r->peak_bytes);
    wire_put32(t, r->tainted);
    wire_put32(t, r->undivided);
    crew_units_put(t, r->rest.list.at, r->rest.list.n);
}

bool crew_return_get(struct wire_reader *in, struct crew_return *out)
{
    *out = (struct crew_return){0};
    explore_result_get(in, &out->result);
    out->counts.runs = wire_get64(in);
    out->counts.once = wire_get64(in);
    out->counts.hits = wire_get64(in);
    out->peak_bytes = wire_get64(in);
    out->tainted = wire_get_below(in, 2);
    out->undivided = wire_get_below(in, 2);
    return crew_units_get(in, &out->rest) && whole(in, &out->rest);
}

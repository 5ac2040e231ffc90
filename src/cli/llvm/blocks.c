#include "cli/llvm/blocks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/llvm/analysis.h"
#include "cli/llvm/lcov.h"
#include "cli/session.h"
#include "ir/instrument.h"
#include "ir/targets.h"
#include "program/program.h"
#include "stage/hits.h"
#include "troupe.h"

struct blocks {
    struct ir *ir;
    struct ir_targets targets;
    const uint32_t *map; // n_hits counters for each test
};

struct blocks *blocks_program(struct session *s)
{
    struct blocks *b = need_zero(sizeof *b);
    b->ir = analysis_instrumented(s, IR_COUNT);
    if (!b->ir || !s->program) {
        blocks_free(b);
        return NULL;
    }
    ir_targets(b->ir, &b->targets);
    return b;
}

void blocks_free(struct blocks *b)
{
    ir_targets_free(&b->targets);
    ir_free(b->ir);
    hits_close();
    free(b);
}

bool blocks_open(struct blocks *b, uint32_t n, struct diag *d)
{
    if (!hits_open((size_t)n * b->ir->n_hits * sizeof *b->map))
        return diag_set(d, EXIT_FAULT, "no memory for hits: %s",
                        strerror(errno));
    b->map = hits_map();
    return true;
}

void blocks_clear(struct blocks *b, uint32_t n)
{
    memset((void *)hits_map(), 0, (size_t)n * b->ir->n_hits * sizeof *b->map);
}

void blocks_use(struct blocks *b, uint32_t i)
{
    hits_use((uint32_t *)hits_map() + (size_t)i * b->ir->n_hits);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// "everybody, nobody and 3 more"
static void print_tests(const struct blocks *b, uint32_t hit,
                        const struct tr_test *const *tests, uint32_t n,
                        struct text *to)
{
    enum { NAMED = 3 };
    uint32_t shown = 0, more = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!b->map[(size_t)i * b->ir->n_hits + hit])
            continue;
        if (shown == NAMED)
            more++;
        else
            text_format(to, "%s%s", shown++ ? ", " : "  ", tests[i]->name);
    }
    if (more)
        text_format(to, " and %u more", more);
}

static uint64_t print_block(const struct blocks *b, const struct ir_target *t,
                            const struct tr_test *const *tests, uint32_t n,
                            struct text *to)
{
    uint64_t hits = 0;
    char place[256];
    for (uint32_t i = 0; i < n; i++)
        hits += b->map[(size_t)i * b->ir->n_hits + t->hit];
    snprintf(place, sizeof place, "%s:%u", base_name(b->ir->files.at[t->file]),
             t->line);
    text_format(to, "%10llu  %-24s %-28s", (unsigned long long)hits, place,
                b->ir->fns.at[t->fn]->name);
    print_tests(b, t->hit, tests, n, to);
    while (to->n && to->at[to->n - 1] == ' ')
        to->at[--to->n] = 0;
    text_char(to, '\n');
    return hits;
}

void blocks_print(const struct blocks *b, const struct tr_test *const *tests,
                  uint32_t n, struct text *to)
{
    uint32_t blocks = 0, hit = 0;
    text_format(to, "%10s  %-24s %-28s  tests\n", "hits", "block", "function");
    for (uint32_t i = 0; i < b->targets.at.n; i++) {
        const struct ir_target *t = &b->targets.at.at[i];
        if (t->trap != IR_TRAPS_N)
            continue;
        blocks++;
        hit += print_block(b, t, tests, n, to) != 0;
    }
    text_format(to, "%u of %u blocks hit (%u %%)\n", hit, blocks,
                blocks ? 100 * hit / blocks : 100);
}

static void json_block(const struct blocks *b, const struct ir_target *t,
                       const struct tr_test *const *tests, uint32_t n,
                       struct json *j)
{
    int64_t hits = 0;
    json_object(j, NULL);
    json_text(j, "file", b->ir->files.at[t->file]);
    json_number(j, "line", t->line);
    json_text(j, "function", b->ir->fns.at[t->fn]->name);
    json_array(j, "tests");
    for (uint32_t i = 0; i < n; i++) {
        uint32_t of_test = b->map[(size_t)i * b->ir->n_hits + t->hit];
        hits += of_test;
        if (of_test)
            json_text(j, NULL, tests[i]->name);
    }
    json_end(j);
    json_number(j, "hits", hits);
    json_end(j);
}

void blocks_json(const struct blocks *b, const struct tr_test *const *tests,
                 uint32_t n, struct json *j)
{
    json_array(j, "blocks");
    for (uint32_t i = 0; i < b->targets.at.n; i++)
        if (b->targets.at.at[i].trap == IR_TRAPS_N)
            json_block(b, &b->targets.at.at[i], tests, n, j);
    json_end(j);
}

void blocks_lcov(const struct blocks *b, uint32_t n, struct text *to)
{
    uint64_t *hits = need_zero((b->targets.at.n + 1) * sizeof *hits);
    for (uint32_t i = 0; i < b->targets.at.n; i++)
        for (uint32_t k = 0; k < n; k++)
            hits[i] +=
                b->map[(size_t)k * b->ir->n_hits + b->targets.at.at[i].hit];
    lcov_print(b->ir, b->targets.at.at, hits, b->targets.at.n, to);
    free(hits);
}

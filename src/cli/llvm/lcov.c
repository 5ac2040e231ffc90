#include "cli/llvm/lcov.h"

#include <stdlib.h>

#include "base/text.h"
#include "base/vec.h"

struct line {
    uint32_t file, line;
    uint64_t hits;
};

static int by_place(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

typedef VEC(struct line) lines;

static void collect(const struct ir_target *at, const uint64_t *hits,
                    uint32_t n, lines *out)
{
    for (uint32_t i = 0; i < n; i++)
        if (at[i].trap == IR_TRAPS_N && at[i].line)
            vec_push(out, ((struct line){at[i].file, at[i].line, hits[i]}));
    if (out->n)
        qsort(out->at, out->n, sizeof *out->at, by_place);
}

void lcov_print(const struct ir *ir, const struct ir_target *at,
                const uint64_t *hits, uint32_t n, struct text *to)
{
    lines all = {0};
    collect(at, hits, n, &all);
    for (uint32_t i = 0; i < all.n;) {
        uint32_t file = all.at[i].file, found = 0, hit = 0;
        text_format(to, "TN:\nSF:%s\n", ir->files.at[file]);
        while (i < all.n && all.at[i].file == file) {
            struct line l = all.at[i++];
            for (; i < all.n && by_place(&all.at[i], &l) == 0; i++)
                if (all.at[i].hits > l.hits)
                    l.hits = all.at[i].hits;
            text_format(to, "DA:%u,%llu\n", l.line, (unsigned long long)l.hits);
            found++;
            hit += l.hits > 0;
        }
        text_format(to, "LF:%u\nLH:%u\nend_of_record\n", found, hit);
    }
    vec_free(&all);
}

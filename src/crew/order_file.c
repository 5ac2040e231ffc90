// One order on another machine: read from a file, done, and its result written
// to a file.
#include "crew/remote.h"

#include "base/hash.h"
#include "base/wire.h"
#include "crew/words.h"
#include "crew/worker.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool read_file(const char *path, struct text *out)
{
    char part[65536];
    FILE *f = fopen(path, "r");
    for (size_t n; f && (n = fread(part, 1, sizeof part, f));)
        text_bytes(out, part, n);
    bool good = f && !ferror(f);
    if (f)
        fclose(f);
    return good;
}

// Write under another name first, then rename: a file with this name is whole.
static bool write_file(const char *path, const struct text *t)
{
    struct text other = {0};
    text_format(&other, "%s.part", path);
    FILE *f = fopen(text_get(&other), "w");
    bool good = f && fwrite(t->at, 1, t->n, f) == t->n;
    good = f && fclose(f) == 0 && good && rename(text_get(&other), path) == 0;
    if (!good)
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
    text_free(&other);
    return good;
}

bool worker_do_file(const struct crew_job *job, const char *order,
                    const char *result)
{
    struct text in = {0}, out = {0};
    struct wire_reader body;
    struct crew_order o;
    bool good = read_file(order, &in) &&
                wire_open(in.at, in.n, WORD_GO, &body) &&
                crew_order_get(&body, &o);
    if (!good) {
        fprintf(stderr, "%s: not an order\n", order);
    } else {
        wire_begin(&out, WORD_GO);
        wire_put64(&out, hash_bytes(in.at, in.n));
        wire_end(&out);
        good = worker_do(job, &o, &out) && write_file(result, &out);
        work_list_free(&o.units);
        vec_free(&o.known);
    }
    text_free(&in);
    text_free(&out);
    return good;
}

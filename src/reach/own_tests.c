// The program's own tests as the first engine: what they pass is covered by
// them, and needs no case.  Some start from other actors than the system does.
#include "reach/reach.h"

#include "base/die.h"
#include "base/diag.h"
#include "program/program.h"
#include "stage/hits.h"
#include "testlib/sections.h"
#include "testlib/testlib.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { LIMIT_MS = 10000 };

struct own_tests {
    struct reach *r;
    const struct program *program;
};

static void mark(struct reach *r, const char *test)
{
    for (uint32_t i = 0; i < r->targets.n; i++) {
        struct reach_target *t = &r->targets.at[i];
        if (t->status == REACH_COVERED || !hits_count(hits_map(), t->at.hit))
            continue;
        t->status = REACH_COVERED;
        t->test = test;
        t->seconds = reach_elapsed(r);
        t->why = NULL;
    }
}

static void done(void *user, uint32_t i)
{
    struct own_tests *o = user;
    mark(o->r, arena_text(&o->r->arena, o->program->tests[i]->name));
    memset(hits_map(), 0, o->r->pool->n_hits * sizeof(uint32_t));
}

static void run_all(struct own_tests *o)
{
    const struct program *p = o->program;
    size_t size = (p->n_tests + 1) * sizeof(struct report);
    struct report *reports = mmap(NULL, size, PROT_READ | PROT_WRITE,
                                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct sections sections = sections_of(p);
    struct test_options t = {.program = "troupe reach",
                             .sections = &sections,
                             .lines = p,
                             .seed = o->r->o.seed,
                             .repeat = 1,
                             .jobs = 1,
                             .timeout_ms = LIMIT_MS};
    if (reports == MAP_FAILED)
        die("no memory for reports");
    run_tests(p->tests, p->n_tests, &t, reports, done, o);
    for (uint32_t i = 0; i < p->n_tests; i++)
        free(reports[i].output);
    munmap(reports, size);
}

bool reach_own_tests(struct reach *r, struct diag *d)
{
    struct program *p = program_load(r->builds.counted, d);
    struct own_tests o = {.r = r, .program = p};
    if (!p)
        return false;
    if (!hits_open(r->pool->n_hits * sizeof(uint32_t))) {
        program_free(p);
        return diag_set(d, EXIT_FAULT, "no memory: %s", strerror(errno));
    }
    run_all(&o);
    hits_close();
    program_free(p);
    return true;
}

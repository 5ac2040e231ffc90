// A program given as text, analysed: for tests of the graph.
#ifndef TEST_FLOW_PROGRAM_H
#define TEST_FLOW_PROGRAM_H

#include "flow/flow.h"

#include "base/diag.h"
#include "scratch.h"
#include "test.h"

#include <stdlib.h>
#include <unistd.h>

struct program {
    struct ir *ir;
    struct flow *f;
    struct diag d;
};

static void program_write(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    if (f) {
        fputs(text, f);
        fclose(f);
    }
}

// Source text behind the short header; system NULL: all roots.
static struct program program_of(const char *source, const char *system,
                                 bool baseline)
{
    scratch_path dir;
    char path[SCRATCH + 16];
    const char *flags[] = {"-Iinclude"}, *paths[] = {path};
    struct program p = {0};
    scratch_new(dir);
    snprintf(path, sizeof path, "%s/program.c", dir);
    size_t n = strlen(source) + 64;
    char *whole = malloc(n);
    if (!whole)
        return p;
    snprintf(whole, n, "#include \"troupe_short.h\"\n%s", source);
    program_write(path, whole);
    free(whole);
    struct ir_options o = {.flags = flags, .n_flags = 1, .cache = dir};
    struct flow_options fo = {.system = system, .baseline = baseline};
    p.ir = ir_load(paths, 1, &o, &p.d);
    if (p.ir)
        p.f = flow_new(p.ir, &fo, &p.d);
    if (!p.f)
        diag_print(&p.d, stderr);
    scratch_remove(dir);
    return p;
}

static void program_free(struct program *p)
{
    flow_free(p->f);
    ir_free(p->ir);
    diag_free(&p->d);
}

static inline uint32_t actor_of(const struct program *p, const char *name)
{
    uint32_t c = ir_find_class(p->ir, name);
    return c == IR_NOTHING ? flow_env(p->f) : c;
}

static inline uint32_t msg_of(const struct program *p, const char *name)
{
    for (uint32_t i = 0; i < p->ir->msgs.n; i++)
        if (strcmp(p->ir->msgs.at[i].name, name) == 0)
            return i;
    return IR_NOTHING;
}

// "env" is the environment.
static inline bool creates(const struct program *p, const char *from, const char *to)
{
    return flow_has(p->f, actor_of(p, from), actor_of(p, to), FLOW_CREATE,
                    IR_NOTHING);
}

static inline bool sends(const struct program *p, const char *from, const char *to,
                  const char *msg)
{
    return flow_sends(p->f, actor_of(p, from), actor_of(p, to), msg_of(p, msg));
}

#endif

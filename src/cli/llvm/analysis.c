#include "cli/llvm/analysis.h"

#include <string.h>
#include <unistd.h>

#include "cli/shell/command.h"
#include "cli/session.h"
#include "flow/flow.h"
#include "ir/ir.h"
#include "program/build.h"

static bool ends(const char *s, const char *with)
{
    size_t n = strlen(s), m = strlen(with);
    return n >= m && strcmp(s + n - m, with) == 0;
}

static bool check_word(struct session *s, const char *w)
{
    if (access(w, R_OK) != 0)
        return diag_at(&s->diag, EXIT_USAGE, w, 0, "no such file");
    if (ends(w, ".c") || ends(w, ".bc") || ends(w, ".ll"))
        return true;
    return diag_at(&s->diag, EXIT_USAGE, w, 0,
                   "neither C (.c) nor LLVM bitcode (.bc)");
}

static bool collect(struct session *s, struct args *files)
{
    for (uint32_t i = 0; i < s->words.n; i++)
        vec_push(files, s->words.at[i]);
    for (uint32_t i = 0; !files->n && i < s->config.program.n; i++)
        vec_push(files, s->config.program.at[i]);
    for (uint32_t i = 0; i < files->n; i++)
        if (!check_word(s, files->at[i]))
            return false;
    if (files->n)
        return true;
    diag_set(&s->diag, EXIT_USAGE, "no source given");
    diag_hint(&s->diag, "troupe %s FILE.c...", s->command->name);
    return false;
}

// What only a linker needs is left out.
static void add_flags(const struct args *from, struct args *to)
{
    for (uint32_t i = 0; i < from->n; i++)
        if (strncmp(from->at[i], "-l", 2) != 0 &&
            strncmp(from->at[i], "-L", 2) != 0 &&
            strncmp(from->at[i], "-Wl,", 4) != 0)
            vec_push(to, from->at[i]);
}

static struct ir_options ir_options_of(struct session *s, struct args *flags)
{
    const char *include = build_include(&s->arena);
    const char *database = options_has(s->options, OPT_compile_commands)
                               ? option_text(s->options, OPT_compile_commands)
                               : NULL;
    if (include)
        vec_push(flags, arena_format(&s->arena, "-I%s", include));
    add_flags(&s->config.flags, flags);
    add_flags(&s->flags, flags);
    return (struct ir_options){
        .flags = flags->at,
        .n_flags = flags->n,
        .cache = build_cache(&s->arena),
        .database = database ? database : s->config.commands,
    };
}

struct ir *analysis_ir(struct session *s)
{
    struct args files = {0}, flags = {0};
    struct ir *ir = NULL;
    struct ir_options o = ir_options_of(s, &flags);
    if (collect(s, &files))
        ir = ir_load(files.at, files.n, &o, &s->diag);
    vec_free(&files);
    vec_free(&flags);
    return ir;
}

struct ir *analysis_objects(struct session *s, enum ir_watch watch,
                            struct args *inputs)
{
    struct args sources = {0}, flags = {0};
    struct ir_options o = ir_options_of(s, &flags);
    struct ir *ir = NULL;
    const char *object = NULL;
    for (uint32_t i = 0; i < s->inputs.n; i++)
        if (ends(s->inputs.at[i], ".c"))
            vec_push(&sources, s->inputs.at[i]);
        else
            vec_push(inputs, s->inputs.at[i]);
    if (!sources.n)
        diag_at(&s->diag, EXIT_USAGE, s->inputs.at[0], 0,
                "only C sources (.c) can be instrumented");
    else
        ir = ir_instrument(&s->arena, sources.at, sources.n, &o, watch, &object,
                           &s->diag);
    if (ir)
        vec_push(inputs, object);
    vec_free(&sources);
    vec_free(&flags);
    return ir;
}

struct ir *analysis_instrumented(struct session *s, enum ir_watch watch)
{
    struct args inputs = {0};
    struct ir *ir =
        session_inputs(s) ? analysis_objects(s, watch, &inputs) : NULL;
    if (ir)
        session_load(s, &inputs);
    vec_free(&inputs);
    return ir;
}

struct flow *analysis_flow(struct session *s, const struct ir *ir,
                           bool baseline)
{
    struct flow_options o = {.system = option_text(s->options, OPT_system),
                             .baseline = baseline};
    return flow_new(ir, &o, &s->diag);
}

#include "cli/open_case.h"

#include "base/command.h"
#include "base/text.h"
#include "cli/shell/command.h"
#include "program/home.h"
#include "report/store.h"
#include "program/program.h"

#include <string.h>
#include <unistd.h>

static const char *find(struct session *s)
{
    const char *word = s->words.at[0];
    if (access(word, F_OK) == 0)
        return word;
    struct diag none = {0};
    const char *found = NULL;
    if (options_has(s->options, OPT_delivery) &&
        option_given(s->options, OPT_delivery) && !strchr(word, '@'))
        found =
            store_find_case(home_path(&s->arena, ""), &s->arena,
                            arena_format(&s->arena, "%s@%s", word,
                                         option_text(s->options, OPT_delivery)),
                            &none);
    diag_free(&none);
    return found ? found
                 : store_find_case(home_path(&s->arena, ""), &s->arena, word,
                                   &s->diag);
}

bool open_case_read(struct open_case *k, struct session *s)
{
    memset(k, 0, sizeof *k);
    if (s->words.n != 1) {
        diag_set(&s->diag, EXIT_USAGE,
                 s->words.n ? "one case at a time" : "no case given");
        diag_hint(&s->diag, "%s %s CASE, a file or the id of a bug",
                  command_typed(), s->command->name);
        return false;
    }
    k->name = s->words.at[0];
    k->path = find(s);
    if (!k->path || !case_read(&s->arena, k->path, &k->c, &s->diag))
        return false;
    for (uint32_t i = 0; i < k->c.programs.n; i++)
        k->c.programs.at[i] = home_here(&s->arena, k->c.programs.at[i]);
    case_id_of(&k->c, k->id);
    return true;
}

// For a debugger: each variable needs a place in memory.
static bool for_debugger(const struct session *s)
{
    return options_has(s->options, OPT_gdb) &&
           (option_flag(s->options, OPT_gdb) ||
            option_flag(s->options, OPT_no_fork));
}

// The case names its program, flags and parameters: they take the place of
// what a command line would give.
static bool take_over(struct open_case *k, struct session *s)
{
    if (!k->c.programs.n)
        return diag_at(&s->diag, EXIT_USAGE, k->path, 1,
                       "the case names no program");
    s->words.n = 0;
    for (uint32_t i = 0; i < k->c.programs.n; i++)
        vec_push(&s->words, k->c.programs.at[i]);
    for (uint32_t i = 0; i < k->c.flags.n; i++)
        vec_push(&s->flags, k->c.flags.at[i]);
    if (for_debugger(s))
        vec_push(&s->flags, "-O0");
    if (option_count(s->options, OPT_param) == 0)
        for (uint32_t i = 0; i < k->c.params.n; i++)
            if (!options_set(s->options, OPT_param, k->c.params.at[i],
                             FROM_COMMAND_LINE, k->path, &s->diag))
                return false;
    return true;
}

static void warn_if_changed(const struct open_case *k, const struct session *s)
{
    char build[24];
    snprintf(build, sizeof build, "%016llx",
             (unsigned long long)s->program->hash[0]);
    if (option_flag(s->options, OPT_quiet) || !k->c.build ||
        strcmp(k->c.build, build) == 0)
        return;
    fputs(for_debugger(s) ? "troupe: note: built with -O0 for the debugger\n"
                          : "troupe: note: the program has changed since this "
                            "case was recorded\n",
          stderr);
}

bool open_case_load(struct open_case *k, struct session *s)
{
    if (!open_case_read(k, s) || !take_over(k, s) || !session_program(s))
        return false;
    const tr_test *t = program_test(s->program, k->c.test);
    if (!t)
        t = session_system(s, k->c.test); // a case may be of a system alone
    if (!t)
        return diag_at(&s->diag, EXIT_USAGE, k->path, 1,
                       "the program has no test or system '%s'", k->c.test);
    if (!trial_init(&k->trial, s, t, NULL))
        return false;
    for (uint32_t i = 0; i < k->c.posts.n; i++)
        vec_push(&k->trial.subject.origin.posts, k->c.posts.at[i]);
    if (!option_given(s->options, OPT_delivery))
        k->trial.subject.explore.delivery = delivery_of(k->c.delivery);
    k->trial.subject.explore.shared |= k->c.shared;
    k->trial.subject.origin.alloc_fails = k->c.alloc_fails;
    if (!option_given(s->options, OPT_clock))
        k->trial.subject.explore.own_clocks = k->c.own_clocks;
    if (!option_given(s->options, OPT_ticks))
        k->trial.subject.explore.ticks = k->c.ticks;
    warn_if_changed(k, s);
    return true;
}

void open_case_close(struct open_case *k)
{
    if (k->trial.options)
        trial_release(&k->trial);
    case_release(&k->c);
}

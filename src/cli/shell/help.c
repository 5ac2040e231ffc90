#include "cli/shell/help.h"

#include <stdio.h>
#include <string.h>

#include "base/exits.h"
#include "base/text.h"
#include "cli/shell/command.h"
#include "cli/shell/examples.h"
#include "cli/shell/options.h"
#include "play/play.h"
#include "troupe.h"

static const struct {
    int code;
    const char *text;
} exits[] = {
#define EXIT_ROW_(name, code, text) {code, text},
    EXITS(EXIT_ROW_)
#undef EXIT_ROW_
};
enum { EXITS_N = sizeof exits / sizeof *exits };

static void dashed(struct text *to, const char *name, const char *dash)
{
    for (; *name; name++)
        if (*name == '_')
            text_add(to, dash);
        else
            text_char(to, *name);
}

// ---- help -----------------------------------------------------------------

static void wrapped(struct text *to, const char *words)
{
    size_t column = 0;
    while (*words) {
        size_t n = strcspn(words, " ");
        if (column && column + 1 + n > 78) {
            text_char(to, '\n');
            column = 0;
        }
        if (column) {
            text_char(to, ' ');
            column++;
        }
        text_bytes(to, words, n);
        column += n;
        words += n;
        words += strspn(words, " ");
    }
    text_char(to, '\n');
}

void help_overview(struct text *to)
{
    text_add(to, "troupe tests programs of actors in C.\n\n"
                 "usage: troupe COMMAND [OPTION...] ...\n\n");
    for (unsigned i = 0; i < commands_n; i++)
        text_format(to, "  %-10s %s\n", command_table[i].name,
                    command_table[i].summary);
    text_add(to, "\ntroupe COMMAND --help says more; troupe --version shows "
                 "versions.\n");
}

struct example {
    const char *command, *words, *text;
};

static const struct example examples[] = {
#define EXAMPLE_(command, words, text) {command, words, text},
    EXAMPLES(EXAMPLE_)
#undef EXAMPLE_
};
enum { EXAMPLES_N = sizeof examples / sizeof *examples };

// The commands that can end with a status; NULL: all.
static const char *commands_of(int code)
{
    switch (code) {
    case EXIT_BUG:
        return " test run explore cover replay lint unit reach diff doctor ";
    case EXIT_NO_ANSWER:
        return " test explore cover replay shrink unit reach ";
    case EXIT_NO_MATCH:
        return " test run explore cover list known ";
    case EXIT_UNREACHABLE:
        return " reach ";
    case EXIT_INTERRUPTED:
        return " test run explore cover unit reach shrink ";
    }
    return NULL;
}

static bool can_end_with(const struct command *c, int code)
{
    char word[64];
    const char *all = commands_of(code);
    snprintf(word, sizeof word, " %s ", c->name);
    return !all || strstr(all, word);
}

void help_command(const struct command *c, const struct options *o,
                  struct text *to)
{
    text_format(to, "usage: troupe %s [OPTION...] %s\n\n", c->name,
                c->operands);
    wrapped(to, c->description);
    text_add(to, "\nExamples:\n");
    for (unsigned i = 0; i < EXAMPLES_N; i++)
        if (strcmp(examples[i].command, c->name) == 0)
            text_format(to, "  %s\n      %s\n", examples[i].words,
                        examples[i].text);
    text_add(to, "\nOptions:\n");
    options_help(o, to);
    text_add(to, "\nExit status:\n");
    for (unsigned i = 0; i < EXITS_N; i++)
        if (can_end_with(c, exits[i].code))
            text_format(to, "  %3d  %s\n", exits[i].code, exits[i].text);
}

// ---- the man page -----------------------------------------------------------

static void roff(struct text *to, const char *s)
{
    for (; *s; s++)
        if (*s == '-')
            text_add(to, "\\-");
        else if (*s == '\\')
            text_add(to, "\\e");
        else if (*s == '|')
            text_add(to, "|\\:"); // a long list may be broken there
        else
            text_char(to, *s);
}

static void man_option(struct text *to, const struct option_row *row)
{
    text_add(to, ".TP\n");
    if (row->letter)
        text_format(to, "\\fB\\-%c\\fR, ", row->letter);
    text_add(to, "\\fB\\-\\-");
    dashed(to, row->name, "\\-");
    text_add(to, "\\fR");
    if (row->values) {
        text_add(to, option_may_stand_alone(row->kind) ? "[=\\fI" : "=\\fI");
        roff(to, row->values);
        text_add(to, option_may_stand_alone(row->kind) ? "\\fR]" : "\\fR");
    }
    text_char(to, '\n');
    roff(to, row->help);
    if (row->otherwise) {
        text_add(to, "; default ");
        roff(to, row->otherwise);
    }
    text_add(to, ".\n");
}

static void man_command(struct text *to, const struct command *c)
{
    struct options *o = options_new(c->name, c->takes_program);
    text_format(to, ".SS \"troupe %s ", c->name);
    roff(to, c->operands);
    text_add(to, "\"\n");
    roff(to, c->description);
    text_char(to, '\n');
    for (enum option_id i = 0; i < OPTIONS_N; i++)
        if (options_has(o, i) && strcmp(option_table[i].commands, "*") != 0)
            man_option(to, &option_table[i]);
    options_free(o);
}

static void man_bugs(struct text *to)
{
    text_add(to,
             ".SH KINDS OF BUG\n"
             "As reports name them, and \\fB\\-\\-ignore\\fR takes them.\n");
    for (int k = BUG_NONE + 1; k < BUG_KINDS_N; k++) {
        text_add(to, ".TP\n.B ");
        roff(to, bug_kind_id((enum bug_kind)k));
        text_char(to, '\n');
        roff(to, bug_kind_text((enum bug_kind)k));
        text_add(to,
                 bug_kind_warns((enum bug_kind)k) ? "; a warning.\n" : ".\n");
    }
}

static void man_json(struct text *to)
{
    static const char *const fields[][2] = {
        {"program, test, params, delivery, strategy, seed",
         "What was explored, and how."},
        {"complete, stopped_by",
         "Whether everything was tried; if not, which bound ended it."},
        {"executions, blocked, cut, receives, max_depth",
         "Complete schedules, those given up as redundant, those cut at the "
         "bound on steps; receives in all and in the longest."},
        {"clock, ruled_out",
         "One for all actors or each its own, null for programs that look at "
         "none; findings whose times contradict each other."},
        {"ticks",
         "How often timers that are set again and again fired at most; null if "
         "this bound left out nothing."},
        {"final_states, finals_hash",
         "Distinct ones, and a hash of their set."},
        {"handler_runs, memo_hits",
         "Handler runs done natively and answered from memory. With one "
         "worker, and while memory suffices, the former are the distinct "
         "triples of actor state, message and sender; each worker makes its "
         "own."},
        {"estimate", "Of the number of schedules in all; null if unknown."},
        {"seconds, peak_bytes, workers, workers_lost, workers_replaced",
         "What it took."},
        {"bugs",
         "For each: kind, file, line (0 where no line is at fault), class, "
         "message, and the file of its case."},
    };
    text_add(to,
             ".SH JSON\nEvery result is an object with schema "
             "(\"troupe\\-result 1\"), command and version; after an error it "
             "has error and status. Fields of each of the tests that "
             "\\fBexplore \\-\\-json\\fR writes:\n");
    for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++) {
        text_add(to, ".TP\n.B ");
        roff(to, fields[i][0]);
        text_char(to, '\n');
        roff(to, fields[i][1]);
        text_char(to, '\n');
    }
    text_add(to, ".PP\n\\fBcover\\fR has executions, initial_schedules, "
                 "generated, infeasible, missed (the order a schedule was made "
                 "for did not come about), idle (raised nothing), and for each "
                 "criterion, and each actor, the goals, covered and impossible "
                 "(or ruled out by every schedule) ones; complete says that "
                 "every execution was recorded.\n");
}

static void man_rest(struct text *to)
{
    man_json(to);
    text_add(to, ".SH EXIT STATUS\n");
    for (unsigned i = 0; i < EXITS_N; i++)
        text_format(to, ".TP\n.B %d\n%s.\n", exits[i].code, exits[i].text);
    text_add(to,
             ".SH ENVIRONMENT\n"
             "Every option can be given in a variable: \\fBTR_SEED\\fR for "
             "\\fB\\-\\-seed\\fR. \\fBCC\\fR and \\fBCXX\\fR name the "
             "compilers. \\fBNO_COLOR\\fR, \\fBFORCE_COLOR\\fR, "
             "\\fBCLICOLOR_FORCE\\fR and \\fBCI\\fR are honoured.\n"
             ".SH FILES\n"
             ".TP\n.I troupe.ini\nConfiguration, in the working directory or "
             "above: [build] with cc, flags and program; a section for each "
             "command, for [profile.NAME] and for [test.NAME], with names of "
             "options as keys. The command line is stronger than variables, "
             "these than the file.\n"
             ".TP\n.I .troupe/\nCached objects, runs and cases.\n"
             ".SH SEE ALSO\n.BR troupe (3)\n");
}

void help_man(struct text *to)
{
    text_add(to, ".TH TROUPE 1 \"\" \"troupe " TR_VERSION "\" "
                 "\"User Commands\"\n.ad l\n"
                 ".SH NAME\ntroupe \\- test programs of actors in C\n"
                 ".SH SYNOPSIS\n.B troupe\n.I COMMAND\n"
                 "[\\fIOPTION\\fR...] ...\n"
                 ".SH DESCRIPTION\n"
                 "Numbers take _ and k, M; durations take units: 500ms, 60s, "
                 "10m. Long options take \\fB\\-\\-name=value\\fR and "
                 "\\fB\\-\\-name value\\fR.\n"
                 ".SH COMMANDS\n");
    for (unsigned i = 0; i < commands_n; i++)
        man_command(to, &command_table[i]);
    text_add(to, ".SH COMMON OPTIONS\n");
    for (enum option_id i = 0; i < OPTIONS_N; i++)
        if (strcmp(option_table[i].commands, "*") == 0)
            man_option(to, &option_table[i]);
    man_bugs(to);
    man_rest(to);
}

static void man_examples(struct text *to, const struct command *c)
{
    text_add(to, ".SH EXAMPLES\n");
    for (unsigned i = 0; i < EXAMPLES_N; i++) {
        if (strcmp(examples[i].command, c->name) != 0)
            continue;
        text_add(to, ".TP\n.B ");
        roff(to, examples[i].words);
        text_char(to, '\n');
        roff(to, examples[i].text);
        text_add(to, ".\n");
    }
}

void help_man_command(const struct command *c, struct text *to)
{
    struct options *o = options_new(c->name, c->takes_program);
    text_format(to,
                ".TH TROUPE\\-%s 1 \"\" \"troupe " TR_VERSION "\" "
                "\"User Commands\"\n.ad l\n.SH NAME\ntroupe\\-%s \\- ",
                c->name, c->name);
    roff(to, c->summary);
    text_format(to, "\n.SH SYNOPSIS\n.B troupe %s\n[\\fIOPTION\\fR...] ",
                c->name);
    roff(to, c->operands);
    text_add(to, "\n.SH DESCRIPTION\n");
    roff(to, c->description);
    text_add(to, "\n.SH OPTIONS\n");
    for (enum option_id i = 0; i < OPTIONS_N; i++)
        if (options_has(o, i))
            man_option(to, &option_table[i]);
    man_examples(to, c);
    text_add(to, ".SH EXIT STATUS\n");
    for (unsigned i = 0; i < EXITS_N; i++)
        if (can_end_with(c, exits[i].code))
            text_format(to, ".TP\n.B %d\n%s.\n", exits[i].code, exits[i].text);
    text_add(to, ".SH SEE ALSO\n.BR troupe (1),\n.BR troupe.ini (5)\n");
    options_free(o);
}

// ---- completion -------------------------------------------------------------

// A text within single quotes of a shell.
static void shell_quoted(struct text *to, const char *s)
{
    for (; *s; s++)
        if (*s != '\'' && *s != '[' && *s != ']' && *s != ':')
            text_char(to, *s);
}

static void zsh_command(struct text *to, const struct command *c)
{
    struct options *o = options_new(c->name, c->takes_program);
    text_format(to, "    %s) _arguments", c->name);
    for (enum option_id i = 0; i < OPTIONS_N; i++) {
        const struct option_row *row = &option_table[i];
        if (!options_has(o, i))
            continue;
        text_add(to, " \\\n        '--");
        dashed(to, row->name, "-");
        if (row->values)
            text_add(to, option_may_stand_alone(row->kind) ? "=-" : "=");
        text_char(to, '[');
        shell_quoted(to, row->help);
        text_char(to, ']');
        if (option_is_choice(row->kind)) {
            text_add(to, ":which:(");
            for (const char *p = row->values; *p; p++)
                text_char(to, *p == '|' ? ' ' : *p);
            text_char(to, ')');
        } else if (row->values) {
            text_add(to, ":value:_files");
        }
        text_char(to, '\'');
    }
    text_add(to, " \\\n        '*:file:_files' ;;\n");
    options_free(o);
}

void help_zsh(struct text *to)
{
    text_add(to, "#compdef troupe\n"
                 "# Made by troupe --completion zsh.\n"
                 "local -a commands\ncommands=(\n");
    for (unsigned i = 0; i < commands_n; i++) {
        text_format(to, "    '%s:", command_table[i].name);
        shell_quoted(to, command_table[i].summary);
        text_add(to, "'\n");
    }
    text_add(to, ")\nif (( CURRENT == 2 )); then\n"
                 "    _describe command commands\n    return\nfi\n"
                 "case $words[2] in\n");
    for (unsigned i = 0; i < commands_n; i++)
        zsh_command(to, &command_table[i]);
    text_add(to, "esac\n");
}

static void fish_command(struct text *to, const struct command *c)
{
    struct options *o = options_new(c->name, c->takes_program);
    text_format(to, "complete -c troupe -n '__fish_use_subcommand' -a %s -d '",
                c->name);
    shell_quoted(to, c->summary);
    text_add(to, "'\n");
    for (enum option_id i = 0; i < OPTIONS_N; i++) {
        const struct option_row *row = &option_table[i];
        if (!options_has(o, i))
            continue;
        text_format(to,
                    "complete -c troupe -n '__fish_seen_subcommand_from %s' "
                    "-l ",
                    c->name);
        dashed(to, row->name, "-");
        if (row->letter)
            text_format(to, " -s %c", row->letter);
        if (option_is_choice(row->kind)) {
            text_add(to, " -x -a '");
            for (const char *p = row->values; *p; p++)
                text_char(to, *p == '|' ? ' ' : *p);
            text_char(to, '\'');
        } else if (row->values && !option_may_stand_alone(row->kind)) {
            text_add(to, " -r");
        }
        text_add(to, " -d '");
        shell_quoted(to, row->help);
        text_add(to, "'\n");
    }
    options_free(o);
}

void help_fish(struct text *to)
{
    text_add(to, "# Made by troupe --completion fish.\n");
    for (unsigned i = 0; i < commands_n; i++)
        fish_command(to, &command_table[i]);
}

static void bash_options(struct text *to, const struct command *c)
{
    struct options *o = options_new(c->name, c->takes_program);
    text_format(to, "    %s) options=\"", c->name);
    for (enum option_id i = 0; i < OPTIONS_N; i++) {
        if (!options_has(o, i))
            continue;
        text_add(to, " --");
        dashed(to, option_table[i].name, "-");
        if (option_table[i].values &&
            !option_may_stand_alone(option_table[i].kind))
            text_char(to, '=');
    }
    text_add(to, "\" ;;\n");
    options_free(o);
}

static void bash_choices(struct text *to)
{
    for (enum option_id i = 0; i < OPTIONS_N; i++) {
        if (!option_is_choice(option_table[i].kind))
            continue;
        text_add(to, "    --");
        dashed(to, option_table[i].name, "-");
        text_add(to, ") values=\"");
        for (const char *p = option_table[i].values; *p; p++)
            text_char(to, *p == '|' ? ' ' : *p);
        text_add(to, "\" ;;\n");
    }
}

void help_bash(struct text *to)
{
    text_add(to,
             "# bash completion for troupe, made by: troupe --completion bash\n"
             "_troupe() {\n"
             "    local word=${COMP_WORDS[COMP_CWORD]}\n"
             "    local before=${COMP_WORDS[COMP_CWORD-1]} options= values=\n"
             "    COMPREPLY=()\n"
             "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
             "        COMPREPLY=($(compgen -W \"");
    for (unsigned i = 0; i < commands_n; i++)
        text_format(to, "%s ", command_table[i].name);
    text_add(to, "--help --version\" -- \"$word\"))\n"
                 "        return\n"
                 "    fi\n"
                 "    [ \"$word\" = = ] && word=\n"
                 "    [ \"$before\" = = ] && "
                 "before=${COMP_WORDS[COMP_CWORD-2]}\n"
                 "    case $before in\n");
    bash_choices(to);
    text_add(to, "    esac\n"
                 "    if [ -n \"$values\" ]; then\n"
                 "        COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))\n"
                 "        return\n"
                 "    fi\n"
                 "    case ${COMP_WORDS[1]} in\n");
    for (unsigned i = 0; i < commands_n; i++)
        bash_options(to, &command_table[i]);
    text_add(
        to, "    esac\n"
            "    case $word in\n"
            "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
            "        [[ ${COMPREPLY[0]} == *= ]] && "
            "compopt -o nospace ;;\n"
            "    *) COMPREPLY=($(compgen -f -- \"$word\"))\n"
            "        case ${COMP_WORDS[1]} in replay | shrink | show | known)\n"
            "            COMPREPLY+=($(compgen -W "
            "\"$(ls .troupe/cases 2>/dev/null)\" -- \"$word\")) ;;\n"
            "        esac ;;\n"
            "    esac\n"
            "}\n"
            "complete -F _troupe troupe\n");
}

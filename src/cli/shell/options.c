// getopt_long does the parsing, told from the table; the words behind an
// error are ours, so that they can name what was probably meant.
#include "cli/shell/options.h"

#include <ctype.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/command.h"
#include "base/diag.h"
#include "base/die.h"
#include "base/number.h"
#include "base/text.h"
#include "play/play.h"

#define ROW_(id, letter, kind, values, otherwise, commands, help)              \
    [OPT_##                                                                    \
        id] = {#id, letter, OPTION_##kind, values, otherwise, commands, help},
const struct option_row option_table[OPTIONS_N] = {OPTIONS(ROW_)};
#undef ROW_

struct value {
    const char *text; // the last one given
    struct args all;
    enum option_origin origin;
    const char *where;
};

struct options {
    struct arena arena;
    const char *command;
    bool takes_program;
    struct value values[OPTIONS_N];
};

struct options *options_new(const char *command, bool takes_program)
{
    struct options *o = need_zero(sizeof *o);
    o->command = command;
    o->takes_program = takes_program;
    return o;
}

struct options *options_copy(const struct options *from)
{
    struct options *o = options_new(from->command, from->takes_program);
    for (int i = 0; i < OPTIONS_N; i++) {
        const struct value *v = &from->values[i];
        struct value *to = &o->values[i];
        if (!v->text)
            continue;
        for (uint32_t k = 0; k < v->all.n; k++)
            vec_push(&to->all, arena_text(&o->arena, v->all.at[k]));
        to->text = arena_text(&o->arena, v->text);
        to->where = arena_text(&o->arena, v->where);
        to->origin = v->origin;
    }
    return o;
}

void options_free(struct options *o)
{
    if (!o)
        return;
    for (int i = 0; i < OPTIONS_N; i++)
        vec_free(&o->values[i].all);
    arena_free(&o->arena);
    free(o);
}

static bool has_word(const char *words, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = words; (p = strstr(p, word)); p += n)
        if ((p == words || p[-1] == ' ') && (p[n] == ' ' || !p[n]))
            return true;
    return false;
}

bool options_has(const struct options *o, enum option_id id)
{
    const char *commands = option_table[id].commands;
    return has_word(commands, "*") || has_word(commands, o->command) ||
           (o->takes_program && has_word(commands, "PROG"));
}

// Names are written with - by users and with _ in the table.
static bool same_name(const char *table, const char *name, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (table[i] != (name[i] == '-' ? '_' : name[i]))
            return false;
    return !table[n];
}

enum option_id options_id(const char *name, size_t n)
{
    for (enum option_id i = 0; i < OPTIONS_N; i++)
        if (same_name(option_table[i].name, name, n))
            return i;
    return OPTIONS_N;
}

static const char *dashed(struct arena *a, const char *name)
{
    char *s = arena_text(a, name);
    for (char *p = s; *p; p++)
        *p = *p == '_' ? '-' : *p;
    return s;
}

const char *options_near(const struct options *o, const char *name)
{
    struct arena a = {0};
    unsigned best = strlen(name) < 4 ? 2 : 3; // anything below is near
    const char *near = NULL;
    for (enum option_id i = 0; i < OPTIONS_N; i++) {
        unsigned d = text_distance(name, dashed(&a, option_table[i].name));
        if (options_has(o, i) && d < best) {
            best = d;
            near = option_table[i].name;
        }
    }
    arena_free(&a);
    return near;
}

// ---- setting --------------------------------------------------------------

static bool is_yes(const char *s)
{
    return !strcmp(s, "yes") || !strcmp(s, "true") || !strcmp(s, "on") ||
           !strcmp(s, "1");
}

static bool is_no(const char *s)
{
    return !strcmp(s, "no") || !strcmp(s, "false") || !strcmp(s, "off") ||
           !strcmp(s, "0");
}

static bool is_choice(const char *choices, const char *s)
{
    size_t n = strlen(s);
    for (const char *p = choices; p; p = strchr(p, '|'), p += p != NULL)
        if (strncmp(p, s, n) == 0 && (p[n] == '|' || !p[n]))
            return true;
    return false;
}

// NAME=NUMBER; NAME=any, which only reach knows.
static bool is_param(const char *value)
{
    const char *is = strchr(value, '=');
    return is && is > value &&
           (strcmp(is, "=any") == 0 ||
            number_parse_signed(is + 1, &(int64_t){0}));
}

static bool is_percent(const char *value)
{
    char *end;
    double n = strtod(value, &end);
    return end > value && (!*end || strcmp(end, "%") == 0) && n > 0 && n <= 100;
}

// What is wrong with a value, in words; NULL if nothing is.
static const char *fault(struct arena *a, const struct option_row *row,
                         const char *value)
{
    uint64_t n;
    switch (row->kind) {
    case OPTION_FLAG:
        return is_yes(value) || is_no(value) ? NULL : "is neither yes nor no";
    case OPTION_NUMBER:
        return number_parse(value, &n) ? NULL
                                       : "is not a number (10_000, 10k, 0x5e)";
    case OPTION_COUNT:
        return !number_parse(value, &n) ? "is not a number (10_000, 10k, 0x5e)"
               : !n                     ? "is not at least 1"
                                        : NULL;
    case OPTION_DURATION:
        return !duration_parse(value, &n) ? "is not a duration (500ms, 60s, "
                                            "10m)"
               : !n                       ? "leaves no time"
                                          : NULL;
    case OPTION_CHOICE:
    case OPTION_SOME:
        return is_choice(row->values, value)
                   ? NULL
                   : arena_format(a, "must be one of %s", row->values);
    case OPTION_LIST:
        return !row->values || strcmp(row->values, "NAME=N") != 0 ||
                       is_param(value)
                   ? NULL
                   : "is not NAME=NUMBER";
    case OPTION_PERCENT:
        return is_percent(value) ? NULL : "is not a percentage, e.g. 90 or 90%";
    case OPTION_TEXT:
    case OPTION_FILE:
    case OPTION_OUT:
    case OPTION_NAMED:
        return *value ? NULL : "is empty";
    }
    return NULL;
}

bool options_check(struct options *o, enum option_id id, const char *value,
                   enum option_origin origin, const char *where, struct diag *d)
{
    const struct option_row *row = &option_table[id];
    const char *wrong = fault(&o->arena, row, value);
    const char *name = dashed(&o->arena, row->name);
    if (!wrong)
        return true;
    if (origin == FROM_COMMAND_LINE)
        return diag_set(d, EXIT_USAGE, "--%s: '%s' %s", name, value, wrong);
    return diag_at(d, EXIT_USAGE, where, 0, "%s: '%s' %s", name, value, wrong);
}

bool options_set(struct options *o, enum option_id id, const char *value,
                 enum option_origin origin, const char *where, struct diag *d)
{
    struct value *v = &o->values[id];
    if (!options_check(o, id, value, origin, where, d))
        return false;
    if (origin < v->origin)
        return true;
    if (origin > v->origin)
        vec_clear(&v->all);
    v->text = arena_text(&o->arena, value);
    vec_push(&v->all, v->text);
    v->origin = origin;
    v->where = where ? arena_text(&o->arena, where) : "command line";
    return true;
}

bool options_read_environment(struct options *o, struct diag *d)
{
    for (enum option_id i = 0; i < OPTIONS_N; i++) {
        char name[64] = "TR_";
        size_t n = 3;
        for (const char *p = option_table[i].name; *p && n < 60; p++)
            name[n++] = (char)toupper((unsigned char)*p);
        name[n] = 0;
        const char *value = i == OPT_help ? NULL : getenv(name);
        if (value && *value && options_has(o, i) &&
            !options_set(o, i, value, FROM_ENVIRONMENT, name, d))
            return false;
    }
    return true;
}

// ---- the command line -----------------------------------------------------

enum { LONG = 0x100 }; // getopt's value of a long option: LONG + id

struct parser {
    char letters[4 + 2 * OPTIONS_N];
    struct option longs[OPTIONS_N + 1];
};

bool option_is_choice(enum option_kind kind)
{
    return kind == OPTION_CHOICE || kind == OPTION_SOME;
}

bool option_may_stand_alone(enum option_kind kind)
{
    return kind == OPTION_OUT || kind == OPTION_NAMED || kind == OPTION_SOME;
}

static int wants_value(enum option_kind kind)
{
    return kind == OPTION_FLAG            ? no_argument
           : option_may_stand_alone(kind) ? optional_argument
                                          : required_argument;
}

static void prepare(struct options *o, struct parser *p)
{
    size_t letters = 0, longs = 0;
    p->letters[letters++] = ':'; // say ':' for a missing value
    for (enum option_id i = 0; i < OPTIONS_N; i++) {
        const struct option_row *row = &option_table[i];
        if (!options_has(o, i))
            continue;
        int wants = wants_value(row->kind);
        p->longs[longs++] = (struct option){dashed(&o->arena, row->name), wants,
                                            NULL, LONG + (int)i};
        if (row->letter) {
            p->letters[letters++] = row->letter;
            if (wants == required_argument)
                p->letters[letters++] = ':';
        }
    }
    p->letters[letters] = 0;
    p->longs[longs] = (struct option){0};
}

static enum option_id of_letter(const struct options *o, int letter)
{
    for (enum option_id i = 0; i < OPTIONS_N; i++)
        if (option_table[i].letter == letter && options_has(o, i))
            return i;
    return OPTIONS_N;
}

static bool no_option(const struct options *o, struct diag *d, const char *name)
{
    diag_set(d, EXIT_USAGE, "%s has no option %s", o->command, name);
    diag_hint(d, "see %s %s --help", command_typed(), o->command);
    return false;
}

static bool unknown(struct options *o, const char *word, struct diag *d)
{
    if (strncmp(word, "--", 2) != 0)
        return no_option(o, d, arena_format(&o->arena, "-%c", optopt));
    size_t n = strcspn(word, "=");
    const char *name = arena_format(&o->arena, "%.*s", (int)n - 2, word + 2);
    if (options_id(name, n - 2) < OPTIONS_N && optopt)
        return diag_set(d, EXIT_USAGE, "--%s takes no value", name);
    const char *near = options_near(o, name);
    if (!near)
        return no_option(o, d, arena_format(&o->arena, "--%s", name));
    diag_set(d, EXIT_USAGE, "%s has no option --%s", o->command, name);
    diag_hint(d, "did you mean --%s?", dashed(&o->arena, near));
    return false;
}

// "--json FILE" for options whose value may be left out: only what is plainly
// a file for output is taken.
static const char *loose_value(struct options *o, int argc, char **argv,
                               enum option_id id)
{
    const struct option_row *row = &option_table[id];
    if (row->kind == OPTION_SOME)
        return arena_format(&o->arena, "%.*s", (int)strcspn(row->values, "|"),
                            row->values);
    const char *alone = row->kind == OPTION_NAMED
                            ? arena_format(&o->arena, "troupe.%s", row->name)
                            : "-";
    if (!option_may_stand_alone(row->kind) || optind >= argc)
        return alone;
    const char *next = argv[optind];
    const char *dot = strrchr(next, '.');
    if (strcmp(next, "-") != 0 && !(dot && strcmp(dot + 1, row->name) == 0))
        return alone;
    optind++;
    return next;
}

static bool set_one(struct options *o, int c, int argc, char **argv,
                    struct diag *d)
{
    enum option_id id =
        c >= LONG ? (enum option_id)(c - LONG) : of_letter(o, c);
    const char *value = optarg;
    if (!value)
        value = option_table[id].kind == OPTION_FLAG
                    ? "yes"
                    : loose_value(o, argc, argv, id);
    return options_set(o, id, value, FROM_COMMAND_LINE, NULL, d);
}

static bool needs_value(const struct options *o, int c, const char *word,
                        struct diag *d)
{
    enum option_id id =
        c >= LONG ? (enum option_id)(c - LONG) : of_letter(o, c);
    diag_set(d, EXIT_USAGE, "%s needs a value", word);
    if (id < OPTIONS_N && option_table[id].kind == OPTION_CHOICE)
        diag_hint(d, "one of %s", option_table[id].values);
    return false;
}

bool options_read_words(struct options *o, const struct args *words,
                        struct args *rest, struct diag *d)
{
    struct parser p;
    prepare(o, &p);
    int argc = (int)words->n + 1;
    char **argv = arena_zero(&o->arena, ((size_t)argc + 1) * sizeof *argv);
    argv[0] = arena_text(&o->arena, o->command);
    for (int i = 1; i < argc; i++)
        argv[i] = arena_text(&o->arena, words->at[i - 1]);
    opterr = 0;
    optind = 0; // start afresh
    for (;;) {
        optopt = 0;
        int at = optind ? optind : 1;
        int c = getopt_long(argc, argv, p.letters, p.longs, NULL);
        if (c < 0)
            break;
        // permuted words move the option's own word to optind - 1
        const char *word = argv[optind > at ? optind - 1 : at];
        if (c == ':')
            return needs_value(o, optopt, word, d);
        if (c == '?')
            return unknown(o, word, d);
        if (!set_one(o, c, argc, argv, d))
            return false;
    }
    for (; optind < argc; optind++)
        vec_push(rest, argv[optind]);
    return true;
}

// ---- reading --------------------------------------------------------------

bool option_given(const struct options *o, enum option_id id)
{
    return o->values[id].text != NULL;
}

const char *option_text(const struct options *o, enum option_id id)
{
    const char *text = o->values[id].text;
    return text ? text : option_table[id].otherwise;
}

bool option_flag(const struct options *o, enum option_id id)
{
    const char *text = option_text(o, id);
    return text && is_yes(text);
}

uint64_t option_number(const struct options *o, enum option_id id)
{
    const char *text = option_text(o, id);
    uint64_t n = 0;
    return text && number_parse(text, &n) ? n : 0;
}

uint32_t option_ticks(const struct options *o)
{
    uint64_t n = option_number(o, OPT_ticks);
    if (!options_has(o, OPT_ticks) || !option_given(o, OPT_ticks))
        return 0;
    return n && n < TICKS_ANY ? (uint32_t)n : TICKS_ANY;
}

uint64_t option_duration(const struct options *o, enum option_id id)
{
    const char *text = option_text(o, id);
    uint64_t ns = 0;
    return text && duration_parse(text, &ns) ? ns : 0;
}

uint32_t option_count(const struct options *o, enum option_id id)
{
    return o->values[id].all.n;
}

const char *option_item(const struct options *o, enum option_id id, uint32_t i)
{
    return o->values[id].all.at[i];
}

const char *option_where(const struct options *o, enum option_id id)
{
    return o->values[id].text ? o->values[id].where : "default";
}

// Words in lines of at most 79 columns, those after the first indented.
static void wrap(struct text *to, size_t column, size_t indent,
                 const char *words)
{
    for (bool first = true; *words; first = false) {
        size_t n = strcspn(words, " ");
        if (!first && column + 1 + n > 79) {
            text_format(to, "\n%*s", (int)indent, "");
            column = indent;
        } else if (!first) {
            text_char(to, ' ');
            column++;
        }
        text_bytes(to, words, n);
        column += n;
        words += n + strspn(words + n, " ");
    }
    text_char(to, '\n');
}

enum { HELP_COLUMN = 31 };

static void help_left(struct text *to, const struct option_row *row,
                      const char *name)
{
    if (row->letter)
        text_format(to, "  -%c, --%s", row->letter, name);
    else
        text_format(to, "      --%s", name);
    if (option_may_stand_alone(row->kind))
        text_format(to, "[=%s]",
                    row->kind == OPTION_SOME ? "WHICH" : row->values);
    else if (option_is_choice(row->kind))
        text_add(to, "=WHICH");
    else if (row->values)
        text_format(to, "=%s", row->values);
}

static void help_right(struct text *to, const struct option_row *row)
{
    text_add(to, row->help);
    if (option_is_choice(row->kind)) {
        text_add(to, ": ");
        for (const char *p = row->values; *p; p++)
            if (*p == '|')
                text_add(to, ", ");
            else
                text_char(to, *p);
    }
    if (row->otherwise)
        text_format(to, " (default %s)", row->otherwise);
}

void options_help(const struct options *o, struct text *to)
{
    struct arena a = {0};
    for (enum option_id i = 0; i < OPTIONS_N; i++) {
        struct text left = {0}, right = {0};
        if (!options_has(o, i))
            continue;
        help_left(&left, &option_table[i], dashed(&a, option_table[i].name));
        help_right(&right, &option_table[i]);
        text_format(to, "%-*s", HELP_COLUMN, text_get(&left));
        if (left.n >= HELP_COLUMN)
            text_format(to, "\n%*s", HELP_COLUMN, "");
        wrap(to, HELP_COLUMN, HELP_COLUMN, text_get(&right));
        text_free(&left);
        text_free(&right);
    }
    arena_free(&a);
}

// The text format of cases.  One table says which words there are; reading and
// printing follow it.
#include "play/case.h"

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/number.h"
#include "base/text.h"
#include "play/delivery.h"
#include "play/play.h"
#include "play/spot.h"
#include "play/schedule.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct arena *arena;
    const char *name; // of the file
    int line;
    bool versioned;
    struct test_case *c;
    struct diag *d;
};

static bool wrong(struct reader *r, const char *what, const char *rest)
{
    return diag_at(r->d, EXIT_USAGE, r->name, r->line, "%s: '%s'", what, rest);
}

static const char *keep(struct reader *r, const char *s)
{
    return arena_text(r->arena, s);
}

static bool read_version(struct reader *r, const char *rest)
{
    if (strcmp(rest, "1") != 0 && strcmp(rest, "2") != 0 &&
        strcmp(rest, "3") != 0 && strcmp(rest, "4") != 0 &&
        strcmp(rest, "5") != 0)
        return wrong(r, "this tool reads cases of versions 1 to 5", rest);
    r->versioned = true;
    return true;
}

static bool read_expect(struct reader *r, const char *rest)
{
    if (strcmp(rest, "pass") == 0)
        return true;
    r->c->bug.kind = bug_kind_of(rest);
    if (r->c->bug.kind == BUG_NONE)
        return wrong(r, "no such kind of bug", rest);
    return true;
}

static bool read_shared(struct reader *r, const char *rest)
{
    if (*rest)
        return wrong(r, "nothing follows 'shared'", rest);
    r->c->shared = true;
    return true;
}

static bool read_alloc_fails(struct reader *r, const char *rest)
{
    if (*rest)
        return wrong(r, "nothing follows 'alloc-fails'", rest);
    r->c->alloc_fails = true;
    return true;
}

static bool read_clock(struct reader *r, const char *rest)
{
    r->c->own_clocks = strcmp(rest, "own") == 0;
    return r->c->own_clocks || strcmp(rest, "one") == 0 ||
           wrong(r, "a clock is one or own", rest);
}

static bool read_ticks(struct reader *r, const char *rest)
{
    uint64_t n;
    if (!number_parse(rest, &n) || n >= TICKS_ANY)
        return wrong(r, "a number of ticks is missing", rest);
    r->c->ticks = n ? (uint32_t)n : TICKS_ANY;
    return true;
}

static bool read_delivery(struct reader *r, const char *rest)
{
    if (delivery_of(rest) == DELIVERIES_N)
        return wrong(r, "no such delivery model", rest);
    r->c->delivery = keep(r, rest);
    return true;
}

static bool read_where(struct reader *r, const char *rest, const char **name,
                       int *number)
{
    const char *colon = strrchr(rest, ':');
    char *end = NULL;
    bool digits = colon && isdigit((unsigned char)colon[1]);
    long line = digits ? strtol(colon + 1, &end, 10) : 0;
    if (!digits || *end || line > INT_MAX)
        return wrong(r, "a place is FILE:LINE", rest);
    char *file = arena_copy(r->arena, rest, (size_t)(colon - rest) + 1);
    file[colon - rest] = '\0';
    *name = file;
    *number = (int)line;
    return true;
}

static bool read_place(struct reader *r, const char *rest)
{
    return read_where(r, rest, &r->c->bug.file, &r->c->bug.line);
}

static bool read_reach(struct reader *r, const char *rest)
{
    return read_where(r, rest, &r->c->reach_file, &r->c->reach_line);
}

static bool read_label(struct reader *r, const char *rest)
{
    char *copy = arena_text(r->arena, rest);
    char *label = strchr(copy, ' ');
    if (!label)
        return wrong(r, "a label is ACTOR WORD", rest);
    *label++ = '\0';
    vec_push(&r->c->labels, ((struct case_label){copy, label}));
    return true;
}

static bool read_send(struct reader *r, const char *rest)
{
    char *copy = arena_text(r->arena, rest);
    char *msg = strchr(copy, ' ');
    if (!msg)
        return wrong(r, "a send is RECEIVER MESSAGE {FIELDS}", rest);
    *msg++ = '\0';
    char *fields = strchr(msg, ' ');
    if (fields)
        *fields++ = '\0';
    struct case_send s = {copy, msg, fields ? fields : ""};
    vec_push(&r->c->sends, s);
    return true;
}

static bool is_word(const char *s)
{
    return *s && !strpbrk(s, " \t\"{}");
}

// A word, or a name in quotes; what follows it, NULL if there is none.
static char *take_name(char *text, const char **name)
{
    bool quoted = *text == '"';
    char *end = quoted ? strchr(text + 1, '"') : strpbrk(text, " \t");
    *name = quoted ? text + 1 : text;
    if (!end)
        return NULL;
    *end++ = '\0';
    return end + strspn(end, " \t");
}

// Nothing, or {...}.
static bool is_fields(const char *s)
{
    size_t n = strlen(s);
    return !n || (n > 1 && s[0] == '{' && s[n - 1] == '}');
}

static bool read_post(struct reader *r, const char *rest)
{
    struct case_post p = {.line = r->line, .msg = "", .fields = ""};
    char *copy = arena_text(r->arena, rest), *more;
    if (!words_times(copy, &p.times))
        return wrong(r, WORDS_TIMES_WRONG, rest);
    bool quoted = *copy == '"';
    more = take_name(copy, &p.to);
    if (more)
        more = take_name(more, &p.msg);
    if (more)
        p.fields = more;
    if (!(quoted || is_word(p.to)) || !is_word(p.msg) || !is_fields(p.fields))
        return wrong(r, "a post is RECEPTIONIST MESSAGE {FIELDS}", rest);
    vec_push(&r->c->posts, p);
    return true;
}

static bool read_step(struct reader *r, const char *rest)
{
    struct words_step s;
    uint32_t times;
    char *copy = arena_text(r->arena, rest);
    if (!words_times(copy, &times) || r->c->steps.n > WORDS_TIMES - times)
        return wrong(r, WORDS_TIMES_WRONG, rest);
    // A name with these words in it would not be read again as it is printed.
    if (strlen(copy) < strlen(rest) && strstr(copy, " times "))
        return wrong(r, WORDS_TIMES_WRONG, rest);
    const char *what = words_parse(r->arena, copy, &s);
    if (what)
        return wrong(r, what, rest);
    s.line = r->line;
    while (times--)
        vec_push(&r->c->steps, s);
    return true;
}

static bool read_again(struct reader *r, const char *rest)
{
    uint32_t times, n = r->c->steps.n, last;
    char *copy = arena_format(r->arena, "again %s", rest);
    if (!words_times(copy, &times))
        return wrong(r, WORDS_TIMES_WRONG, rest);
    last = words_again(copy);
    if (!last || last > n || (uint64_t)last * times > WORDS_TIMES - n)
        return wrong(r, "it repeats the last steps: again 3 times 100", rest);
    for (uint64_t i = 0; i < (uint64_t)last * times; i++) {
        struct words_step s = r->c->steps.at[n - last + i % last];
        s.line = r->line;
        vec_push(&r->c->steps, s);
    }
    return true;
}

#define ONE_(name, field)                                                      \
    static bool read_##name(struct reader *r, const char *rest)                \
    {                                                                          \
        r->c->field = keep(r, rest);                                           \
        return true;                                                           \
    }
ONE_(tool, tool)
ONE_(build, build)
ONE_(test, test)
ONE_(source, bug.spot)
ONE_(class, bug.cls)
ONE_(message, bug.msg)
ONE_(thing, bug.thing)
ONE_(text, bug.text)
#undef ONE_

#define MANY_(name, field)                                                     \
    static bool read_##name(struct reader *r, const char *rest)                \
    {                                                                          \
        vec_push(&r->c->field, keep(r, rest));                                 \
        return true;                                                           \
    }
MANY_(program, programs)
MANY_(flag, flags)
MANY_(param, params)
#undef MANY_

#define WORDS(X)                                                               \
    X(tool)                                                                    \
    X(program)                                                                 \
    X(flag)                                                                    \
    X(build)                                                                   \
    X(test)                                                                    \
    X(param)                                                                   \
    X(delivery)                                                                \
    X(shared)                                                                  \
    X(clock)                                                                   \
    X(ticks)                                                                   \
    X(expect)                                                                  \
    X(place)                                                                   \
    X(source)                                                                  \
    X(class)                                                                   \
    X(message)                                                                 \
    X(thing)                                                                   \
    X(text)                                                                    \
    X(label)                                                                   \
    X(send)                                                                    \
    X(reach)                                                                   \
    X(post)                                                                    \
    X(step)                                                                    \
    X(again)

static const struct {
    const char *word;
    bool (*read)(struct reader *, const char *rest);
} words[] = {{"troupe-case", read_version},
             {"alloc-fails", read_alloc_fails},
#define WORD_(w) {#w, read_##w},
             WORDS(WORD_)
#undef WORD_
};

static bool read_line(struct reader *r, char *line)
{
    size_t n = strlen(line);
    while (n && isspace((unsigned char)line[n - 1]))
        line[--n] = '\0';
    while (isspace((unsigned char)*line))
        line++;
    if (!*line || *line == '#')
        return true;
    char *rest = strpbrk(line, " \t");
    if (rest)
        for (*rest++ = '\0'; isspace((unsigned char)*rest);)
            rest++;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].word, line) == 0)
            return words[i].read(r, rest ? rest : "");
    return wrong(r, "not a case file: unknown keyword", line);
}

bool case_parse(struct arena *a, const char *name, const char *text,
                struct test_case *c, struct diag *d)
{
    struct reader r = {.arena = a, .name = name, .c = c, .d = d};
    memset(c, 0, sizeof *c);
    while (*text) {
        const char *end = strchr(text, '\n');
        size_t n = end ? (size_t)(end - text) : strlen(text);
        char *line = arena_copy(a, text, n + 1);
        line[n] = '\0';
        r.line++;
        if (!read_line(&r, line))
            return false;
        text += n + (end != NULL);
    }
    if (!r.versioned)
        return diag_at(d, EXIT_USAGE, name, 1,
                       "not a case: no line 'troupe-case 1'");
    if (!c->test || !c->delivery)
        return diag_at(d, EXIT_USAGE, name, r.line, "a case needs a %s",
                       c->test ? "delivery" : "test");
    return true;
}

bool case_read(struct arena *a, const char *path, struct test_case *c,
               struct diag *d)
{
    struct text text = {0};
    bool ok = file_read(path, &text);
    if (!ok)
        diag_set(d, EXIT_USAGE, "%s: %s", path, strerror(errno));
    else if (memchr(text_get(&text), '\0', text.n))
        ok = diag_at(d, EXIT_USAGE, path, 1, "not a case: not text");
    else
        ok = case_parse(a, arena_text(a, path), text_get(&text), c, d);
    text_free(&text);
    return ok;
}

static void line_of(struct text *to, const char *word, const char *rest)
{
    if (!rest)
        return;
    text_format(to, "%s ", word);
    for (; *rest; rest++)
        text_char(to, *rest == '\n' ? ' ' : *rest);
    text_char(to, '\n');
}

static void print_bug(const struct bug *b, struct text *to)
{
    line_of(to, "expect", b->kind ? bug_kind_id(b->kind) : "pass");
    if (b->file)
        text_format(to, "place %s:%d\n", b->file, b->line);
    line_of(to, "source", b->spot);
    line_of(to, "class", b->cls);
    line_of(to, "message", b->msg);
    line_of(to, "thing", b->thing);
    line_of(to, "text", b->text);
}

// The lowest version that has the words: 2 has clocks, ticks, and timers by
// what they bring; 3 has posts; 4 has memory that runs out and lines in words.
static int version_of(const struct test_case *c)
{
    if (c->alloc_fails || c->bug.spot)
        return 4;
    if (c->posts.n || c->reach_file)
        return 3;
    for (uint32_t i = 0; i < c->steps.n; i++)
        if (words_is_timer(&c->steps.at[i]) && c->steps.at[i].msg[5])
            return 2;
    return c->own_clocks || c->ticks ? 2 : 1;
}

static void print_post(const struct case_post *p, struct text *to)
{
    const char *quote = is_word(p->to) ? "" : "\"";
    text_format(to, "post %s%s%s %s%s%s", quote, p->to, quote, p->msg,
                *p->fields ? " " : "", p->fields);
    if (p->times > 1)
        text_format(to, " times %u", p->times);
    text_char(to, '\n');
}

// Do the n steps from i on come again behind them?
static bool comes_again(const struct test_case *c, uint32_t i, uint32_t n)
{
    if (i + 2 * n > c->steps.n)
        return false;
    for (uint32_t k = 0; k < n; k++)
        if (!words_same(&c->steps.at[i + k], &c->steps.at[i + n + k]))
            return false;
    return true;
}

enum { ROUND_MOST = 32, ROUNDS_FEW = 3 };

uint32_t case_round(const struct test_case *c, uint32_t i, uint32_t *times)
{
    for (uint32_t n = 2; n <= ROUND_MOST; n++) {
        for (*times = 1; comes_again(c, i + (*times - 1) * n, n); ++*times)
            continue;
        if (*times > ROUNDS_FEW && *times * n > case_run(c, i))
            return n;
    }
    *times = 1;
    return 0;
}

uint32_t case_run(const struct test_case *c, uint32_t i)
{
    uint32_t n = 1;
    while (i + n < c->steps.n &&
           words_same(&c->steps.at[i], &c->steps.at[i + n]))
        n++;
    return n;
}

// Equal steps are one line with their number.
static bool is_together(const struct test_case *c)
{
    return c->posts.n || c->reach_file || c->alloc_fails;
}

static bool has_rounds(const struct test_case *c)
{
    uint32_t times;
    for (uint32_t i = 0; is_together(c) && i < c->steps.n; i += case_run(c, i))
        if (case_round(c, i, &times))
            return true;
    return false;
}

static void print_range(const struct test_case *c, uint32_t i, uint32_t end,
                        struct text *to)
{
    for (uint32_t n; i < end; i += n) {
        n = is_together(c) ? case_run(c, i) : 1;
        n = n < end - i ? n : end - i;
        text_add(to, "step ");
        words_print(&c->steps.at[i], to);
        if (n > 1)
            text_format(to, " times %u", n);
        text_char(to, '\n');
    }
}

static void print_steps(const struct test_case *c, struct text *to)
{
    for (uint32_t i = 0, n, times; i < c->steps.n; i += n * times) {
        n = is_together(c) ? case_round(c, i, &times) : 0;
        if (n) {
            print_range(c, i, i + n, to);
            text_format(to, "again %u times %u\n", n, times - 1);
            continue;
        }
        times = 1;
        n = is_together(c) ? case_run(c, i) : 1;
        print_range(c, i, i + n, to);
    }
}

void case_print(const struct test_case *c, struct text *to)
{
    text_format(to, "troupe-case %d\n", has_rounds(c) ? 5 : version_of(c));
    line_of(to, "tool", c->tool);
    for (uint32_t i = 0; i < c->programs.n; i++)
        line_of(to, "program", c->programs.at[i]);
    for (uint32_t i = 0; i < c->flags.n; i++)
        line_of(to, "flag", c->flags.at[i]);
    line_of(to, "build", c->build);
    line_of(to, "test", c->test);
    for (uint32_t i = 0; i < c->params.n; i++)
        line_of(to, "param", c->params.at[i]);
    line_of(to, "delivery", c->delivery);
    if (c->shared)
        text_add(to, "shared\n");
    if (c->own_clocks)
        text_add(to, "clock own\n");
    if (c->alloc_fails)
        text_add(to, "alloc-fails\n");
    if (c->ticks)
        text_format(to, "ticks %u\n", ticks_bound(c->ticks));
    print_bug(&c->bug, to);
    for (uint32_t i = 0; i < c->labels.n; i++)
        text_format(to, "label %s %s\n", c->labels.at[i].actor,
                    c->labels.at[i].label);
    for (uint32_t i = 0; i < c->sends.n; i++)
        text_format(to, "send %s %s%s%s\n", c->sends.at[i].to,
                    c->sends.at[i].msg, *c->sends.at[i].fields ? " " : "",
                    c->sends.at[i].fields);
    if (c->reach_file)
        text_format(to, "reach %s:%d\n", c->reach_file, c->reach_line);
    for (uint32_t i = 0; i < c->posts.n; i++)
        print_post(&c->posts.at[i], to);
    print_steps(c, to);
}

bool case_write(const struct test_case *c, const char *path, struct diag *d)
{
    struct text text = {0};
    case_print(c, &text);
    bool ok = file_put(path, &text, d);
    text_free(&text);
    return ok;
}

void case_params(struct arena *a, struct test_case *c, const char *params)
{
    for (const char *s = params; s && *(s += strspn(s, " "));) {
        size_t n = strcspn(s, " ");
        vec_push(&c->params, arena_format(a, "%.*s", (int)n, s));
        s += n;
    }
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool same_if_known(const char *want, const char *have)
{
    return !want || (have && strcmp(want, have) == 0);
}

// Two assertions may stand on one line; other texts tell of values, too.
static bool same_assertion(const struct bug *want, const struct bug *b)
{
    return want->kind != BUG_ASSERTION || !want->text || !b->text ||
           spot_same(want->text, b->text);
}

// The same line, or one with the same words: lines move.
static bool same_place(const struct bug *want, const struct bug *b)
{
    return b->file && strcmp(base_name(want->file), base_name(b->file)) == 0 &&
           (want->line == b->line ||
            (want->spot && spot_is(want->spot, b->file, b->line)));
}

bool case_meets(const struct test_case *c, const struct bug *b)
{
    const struct bug *want = &c->bug;
    if (want->kind != b->kind)
        return false;
    bool placed = want->file && want->kind != BUG_ENDLESS;
    if (placed && !same_place(want, b))
        return false;
    return same_if_known(want->cls, b->cls) &&
           same_if_known(want->msg, b->msg) &&
           same_if_known(want->thing, b->thing) && same_assertion(want, b);
}

void case_release(struct test_case *c)
{
    vec_free(&c->programs);
    vec_free(&c->flags);
    vec_free(&c->params);
    vec_free(&c->sends);
    vec_free(&c->posts);
    vec_free(&c->labels);
    vec_free(&c->steps);
}

void case_take(struct arena *a, struct test_case *c, struct play *p,
               const struct schedule *s, const uint32_t *twins,
               const char *const *timers)
{
    for (uint32_t i = 0; i < s->steps.n; i++) {
        const struct step *step = &s->steps.at[i];
        bool early = timers && timers[i];
        if (step->msg != PLAY_NONE || step->n_picks || early)
            vec_push(&c->steps,
                     words_of(a, p, step, s->picks.at + step->picks,
                              twins ? twins[i] : 1, timers ? timers[i] : NULL));
    }
}

static void id_of(const struct bug *b, uint64_t key, const char *test,
                  char id[9])
{
    if (!b->file && test) {
        uint64_t both[2] = {key, hash_bytes(test, strlen(test))};
        key = hash_bytes(both, sizeof both);
    }
    snprintf(id, 9, "%08x", (unsigned)(key >> 32));
}

void case_id(const struct bug *b, const char *test, char id[9])
{
    id_of(b, bug_lasting_key(b), test, id);
}

void case_id_by_line(const struct bug *b, const char *test, char id[9])
{
    id_of(b, bug_key(b), test, id);
}

void case_note_spot(struct arena *a, struct bug *b)
{
    struct text t = {0};
    if (b->file && !b->spot && spot_words(b->file, b->line, &t))
        b->spot = arena_text(a, text_get(&t));
    text_free(&t);
}

void case_id_of(const struct test_case *c, char id[9])
{
    if (c->bug.kind || !c->reach_file) {
        case_id(&c->bug, c->test, id);
        return;
    }
    const char *file = base_name(c->reach_file);
    uint64_t key[3] = {hash_bytes(file, strlen(file)), (uint64_t)c->reach_line,
                       hash_bytes(c->test, strlen(c->test))};
    snprintf(id, 9, "%08x", (unsigned)(hash_bytes(key, sizeof key) >> 32));
}

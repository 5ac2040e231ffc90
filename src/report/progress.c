#include "report/progress.h"

#include "report/terminal.h"

#include "base/die.h"
#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct progress {
    enum progress_kind kind;
    char *command, *program, *test;
    uint64_t seed;
    uint32_t drawn; // lines on the terminal
    double shown;   // seconds at which they were drawn
    double next;    // seconds at which the next log line is due
};

enum progress_kind progress_kind_of(const char *option)
{
    const char *term = getenv("TERM");
    if (option && strcmp(option, "none") == 0)
        return PROGRESS_NONE;
    if (option && strcmp(option, "lines") == 0)
        return PROGRESS_LINES;
    if (option && strcmp(option, "tty") == 0)
        return PROGRESS_TTY;
    if (!isatty(STDERR_FILENO) || getenv("CI") || !term ||
        strcmp(term, "dumb") == 0)
        return PROGRESS_LINES;
    return PROGRESS_TTY;
}

struct progress *progress_new(enum progress_kind kind, const char *command,
                              const char *program, const char *test,
                              uint64_t seed)
{
    struct progress *p = need_zero(sizeof *p);
    p->kind = kind;
    p->command = need_text(command);
    p->program = need_text(program);
    p->test = need_text(test);
    p->seed = seed;
    p->shown = -1;
    p->next = 30;
    return p;
}

const char *progress_count(char *buffer, uint64_t n)
{
    return number_grouped(buffer, n);
}

const char *progress_about(char *buffer, double n)
{
    static const char *const units[] = {"", "k", "M", "G", "T", "P", "E"};
    size_t unit = 0;
    if (!(n >= 0) || isinf(n)) {
        snprintf(buffer, 32, "?");
        return buffer;
    }
    while (n >= 9999.5 && unit < 6) {
        n /= 1000;
        unit++;
    }
    if (n >= 9999.5)
        snprintf(buffer, 32, "~%.1e", n * 1e18);
    else
        snprintf(buffer, 32, n < 10 && unit ? "~%.1f%s" : "~%.0f%s", n,
                 units[unit]);
    return buffer;
}

const char *progress_time(char *buffer, double seconds)
{
    unsigned long s = seconds < 3.6e9 ? (unsigned long)seconds : 0;
    if (!(seconds < 3.6e9))
        snprintf(buffer, 32, "very long");
    else
        snprintf(buffer, 32, "%lu:%02lu:%02lu", s / 3600, s / 60 % 60, s % 60);
    return buffer;
}

// Executions a second.
static double rate_of(const struct progress_now *n)
{
    return n->seconds > 0 && n->executions > n->before
               ? (double)(n->executions - n->before) / n->seconds
               : 0;
}

static double to_go(const struct progress_now *n)
{
    double rate = rate_of(n);
    if (n->part > 0.001)
        return n->seconds * (1 - n->part) / n->part;
    if (n->estimate >= (double)n->executions && rate > 0)
        return (n->estimate - (double)n->executions) / rate;
    return -1;
}

static void figures(const struct progress_now *n, struct text *to)
{
    char a[32], b[32];
    text_format(to, "%s schedules", progress_count(a, n->executions));
    if (n->estimate >= (double)n->executions)
        text_format(to, " (%s in all)", progress_about(b, n->estimate));
    text_format(to, "   %s/s", progress_count(a, (uint64_t)(rate_of(n) + 0.5)));
    if (n->depth)
        text_format(to, "   depth %u", n->depth);
    if (n->blocked)
        text_format(to, "   blocked %.0f %%",
                    100.0 * (double)n->blocked /
                        (double)(n->blocked + n->executions));
    double left = to_go(n);
    if (left >= 0)
        text_format(to, "   ~%s to go", progress_time(a, left));
}

static void line(struct progress *p, const char *s)
{
    uint32_t width = terminal_width(stderr);
    fprintf(stderr, "\033[2K%.*s\n", (int)(width ? width : 80) - 1, s);
    p->drawn++;
}

static void draw(struct progress *p, const struct progress_now *n)
{
    char a[32], b[32];
    struct text t = {0};
    progress_clear(p);
    text_format(&t, " %-8s %s  %s   %s", p->command, p->program, p->test,
                progress_time(a, n->seconds));
    if (n->of_seconds > 0)
        text_format(&t, " of %s", progress_time(b, n->of_seconds));
    line(p, text_get(&t));
    text_clear(&t);
    text_format(&t, " %-8s ", n->strategy);
    figures(n, &t);
    line(p, text_get(&t));
    if (n->note)
        line(p, n->note);
    text_clear(&t);
    text_format(&t, " bugs     %llu   seed 0x%llx", (unsigned long long)n->bugs,
                (unsigned long long)p->seed);
    if (n->workers > 1)
        text_format(&t, "   workers %u", n->workers);
    line(p, text_get(&t));
    text_free(&t);
    fflush(stderr);
}

// The note, which is made for columns, within a line of text.
static void add_words(struct text *to, const char *note)
{
    text_char(to, ',');
    for (char last = 0; *note; last = *note++)
        if (*note != ' ' || last != ' ')
            text_char(to, *note);
}

static void log_line(struct progress *p, const struct progress_now *n)
{
    if (n->seconds < p->next)
        return;
    p->next += 30;
    struct text t = {0};
    char a[32];
    figures(n, &t);
    if (n->note)
        add_words(&t, n->note);
    fprintf(stderr, "troupe: %s: %s, %llu bug%s, %s\n", p->test, text_get(&t),
            (unsigned long long)n->bugs, n->bugs == 1 ? "" : "s",
            progress_time(a, n->seconds));
    text_free(&t);
}

void progress_show(struct progress *p, const struct progress_now *n)
{
    bool due = n->seconds < p->shown || n->seconds >= p->shown + 0.2;
    if (p->kind == PROGRESS_TTY && due) {
        p->shown = n->seconds;
        draw(p, n);
    } else if (p->kind == PROGRESS_LINES) {
        log_line(p, n);
    }
}

void progress_clear(struct progress *p)
{
    if (p->drawn)
        fprintf(stderr, "\r\033[%uA\033[J", p->drawn); // behind an echoed ^C
    p->drawn = 0;
}

void progress_free(struct progress *p)
{
    progress_clear(p);
    free(p->command);
    free(p->program);
    free(p->test);
    free(p);
}

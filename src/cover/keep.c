#include "cover/keep.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void coverage_print(const struct coverage *c, struct text *to)
{
    for (uint32_t i = 0; i < c->goals.n; i++) {
        const struct goal *g = &c->goals.at[i];
        text_format(to, "%s %u %u %016" PRIx64 " %016" PRIx64 " %s\t%s\t%s\n",
                    criterion_id(g->criterion), g->flags, (unsigned)g->why,
                    g->a, g->b, g->actor ? g->actor : "",
                    g->a_name ? g->a_name : "", g->b_name ? g->b_name : "");
    }
    if (c->full)
        text_add(to, "full\n");
}

static bool read_line(struct coverage *c, char *line)
{
    char id[8];
    unsigned flags, why;
    uint64_t a, b;
    int at = 0;
    if (strcmp(line, "full") == 0)
        return c->full = true;
    if (sscanf(line, "%7s %u %u %" SCNx64 " %" SCNx64 " %n", id, &flags, &why,
               &a, &b, &at) != 5 ||
        !at || criterion_of(id) == CRITERIA_N || why >= CONSTRAINTS_N)
        return false;
    char *first = strchr(line + at, '\t');
    char *second = first ? strchr(first + 1, '\t') : NULL;
    if (!second)
        return false;
    *first = *second = '\0';
    struct coverage one = {0};
    struct goal g = {
        criterion_of(id), flags,     (enum constraint)why, a, b, line + at,
        first + 1,        second + 1};
    vec_push(&one.goals, g);
    coverage_merge(c, &one);
    vec_free(&one.goals);
    return true;
}

uint32_t coverage_read(struct coverage *c, const char *lines)
{
    struct text line = {0};
    uint32_t number = 0, wrong = 0;
    while (*lines && !wrong) {
        size_t n = strcspn(lines, "\n");
        text_clear(&line);
        text_bytes(&line, lines, n);
        number++;
        if (!read_line(c, line.at))
            wrong = number;
        lines += n + (lines[n] != '\0');
    }
    text_free(&line);
    return wrong;
}

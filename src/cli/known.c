// troupe known: the file, and the command that writes it.
#include "cli/known.h"

#include "base/arena.h"
#include "base/command.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "cases/findings.h"
#include "cli/session.h"
#include "cli/shell/command.h"
#include "cli/shell/config.h"
#include "program/home.h"
#include "report/store.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

const char *known_path(const struct config *c, struct arena *a)
{
    return c->path && *c->dir ? arena_format(a, "%s/troupe.known", c->dir)
                              : "troupe.known";
}

static bool is_id(const char *s, size_t n)
{
    return n == 8 && strspn(s, "0123456789abcdef") >= 8;
}

static bool read_line(struct known *k, const char *line, struct arena *a)
{
    struct known_bug b = {0};
    size_t n = strcspn(line, " \t");
    if (!is_id(line, n))
        return false;
    memcpy(b.id, line, 8);
    line += n + strspn(line + n, " \t");
    n = strcspn(line, " \t");
    b.test = arena_format(a, "%.*s", (int)n, line);
    line += n + strspn(line + n, " \t");
    b.text = arena_text(a, line);
    if (!*b.test)
        return false;
    vec_push(&k->list, b);
    return true;
}

bool known_read(struct known *k, const char *path, struct arena *a,
                struct diag *d)
{
    struct text t = {0};
    bool ok = true;
    int number = 0;
    if (access(path, F_OK) != 0)
        return true;
    if (!file_read(path, &t))
        return diag_at(d, EXIT_USAGE, path, 0, "%s", strerror(errno));
    for (const char *at = text_get(&t); ok && *at; number++) {
        size_t n = strcspn(at, "\n");
        const char *line = arena_format(a, "%.*s", (int)n, at);
        line += strspn(line, " \t");
        if (*line && *line != '#' && !read_line(k, line, a))
            ok = diag_at(d, EXIT_USAGE, path, number + 1,
                         "not a known bug: the id (8 hex digits), the test, "
                         "words");
        at += n + (at[n] != 0);
    }
    text_free(&t);
    return ok;
}

static bool has_id(const struct known *k, const char *id)
{
    for (uint32_t i = 0; i < k->list.n; i++)
        if (strcmp(k->list.at[i].id, id) == 0)
            return true;
    return false;
}

// The older id: the number of the line was in it.
static bool has_by_line(const struct known *k, const struct test_case *c)
{
    char id[9];
    case_id_by_line(&c->bug, c->test, id);
    return has_id(k, id);
}

bool known_is(const struct known *k, const struct test_case *c)
{
    char id[9];
    case_id_of(c, id);
    return has_id(k, id) || has_by_line(k, c);
}

bool known_of_test(const struct known *k, const char *test)
{
    for (uint32_t i = 0; i < k->list.n; i++)
        if (strcmp(k->list.at[i].test, test) == 0)
            return true;
    return false;
}

// The words of a bug on one line.
static const char *one_line(struct arena *a, const struct bug *b)
{
    char *s =
        arena_format(a, "%s: %s", bug_kind_id(b->kind), b->text ? b->text : "");
    for (char *c = s; *c; c++)
        if (*c == '\n' || *c == '\r')
            *c = ' ';
    return s;
}

const struct known_bug *known_by_words(const struct known *k, const char *test,
                                       const struct bug *b)
{
    struct arena a = {0};
    const struct known_bug *found = NULL;
    const char *words = one_line(&a, b);
    for (uint32_t i = 0; i < k->list.n && !found; i++)
        if (strcmp(k->list.at[i].test, test) == 0 &&
            strcmp(k->list.at[i].text, words) == 0)
            found = &k->list.at[i];
    arena_free(&a);
    return found;
}

static bool was_found(const struct findings *f, const char *id)
{
    char old[9];
    for (uint32_t i = 0; i < f->list.n; i++) {
        const struct test_case *c = &f->list.at[i].c;
        case_id_by_line(&c->bug, c->test, old);
        if (strcmp(f->list.at[i].id, id) == 0 || strcmp(old, id) == 0)
            return true;
    }
    return false;
}

// The id of a bug that is not known and has the words of this one, or NULL: its
// line was changed, or the id has the number of the line in it.
static const char *moved_to(const struct known *k, const struct known_bug *b,
                            const struct findings *f)
{
    const char *id = NULL;
    struct arena a = {0};
    for (uint32_t i = 0; i < f->list.n && !id; i++) {
        const struct finding *g = &f->list.at[i];
        if (!known_is(k, &g->c) &&
            strcmp(one_line(&a, &g->c.bug), b->text) == 0)
            id = g->id;
    }
    arena_free(&a);
    return id;
}

void known_tell_gone(const struct known *k, const char *test,
                     const struct findings *f, FILE *to)
{
    for (uint32_t i = 0; i < k->list.n; i++) {
        const struct known_bug *b = &k->list.at[i];
        if (strcmp(b->test, test) != 0 || was_found(f, b->id))
            continue;
        const char *now = moved_to(k, b, f), *tool = command_typed();
        if (now)
            fprintf(to,
                    "troupe: %s: known bug %s is gone, or is %s now (its line "
                    "was changed): %s known %s, %s known --remove %s\n",
                    test, b->id, now, tool, now, tool, b->id);
        else
            fprintf(to,
                    "troupe: %s: known bug %s is gone; remove it with %s "
                    "known --remove %s\n",
                    test, b->id, tool, b->id);
    }
}

// ---- the command ----------------------------------------------------------

static bool write_known(const struct known *k, const char *path, struct diag *d)
{
    struct text t = {0};
    text_add(&t, "# Bugs that troupe shows and that do not fail: id, test, "
                 "words.\n");
    for (uint32_t i = 0; i < k->list.n; i++)
        text_format(&t, "%s %s %s\n", k->list.at[i].id, k->list.at[i].test,
                    k->list.at[i].text);
    bool ok = file_put(path, &t, d);
    text_free(&t);
    return ok;
}

static bool add(struct session *s, struct known *k, const char *word)
{
    struct test_case c = {0};
    struct known_bug b = {0};
    const char *path = access(word, F_OK) == 0
                           ? word
                           : store_find_case(home_path(&s->arena, ""),
                                             &s->arena, word, &s->diag);
    if (!path || !case_read(&s->arena, path, &c, &s->diag))
        return false;
    bool bug = c.bug.kind != BUG_NONE;
    case_id_of(&c, b.id);
    b.test = arena_text(&s->arena, c.test);
    b.text = one_line(&s->arena, &c.bug);
    case_release(&c);
    if (!bug)
        return diag_set(&s->diag, EXIT_USAGE, "%s is not a bug", word);
    if (!has_id(k, b.id))
        vec_push(&k->list, b);
    fprintf(session_say(s), "known: %s %s %s\n", b.id, b.test, b.text);
    return true;
}

static bool take_out(struct session *s, struct known *k, const char *word)
{
    uint32_t n = 0, was = k->list.n;
    for (uint32_t i = 0; i < was; i++)
        if (strncmp(k->list.at[i].id, word, strlen(word)) != 0)
            k->list.at[n++] = k->list.at[i];
        else
            fprintf(session_say(s), "known no longer: %s %s %s\n",
                    k->list.at[i].id, k->list.at[i].test, k->list.at[i].text);
    k->list.n = n;
    return n < was ||
           diag_set(&s->diag, EXIT_NO_MATCH, "bug '%s' is not known", word);
}

// What is known now.
static bool known_json(struct session *s, const struct known *k)
{
    struct text t = {0};
    struct json j;
    if (!session_json_begin(s, &j, &t))
        return true;
    json_array(&j, "known");
    for (uint32_t i = 0; i < k->list.n; i++) {
        json_object(&j, NULL);
        json_text(&j, "id", k->list.at[i].id);
        json_text(&j, "test", k->list.at[i].test);
        json_text(&j, "text", k->list.at[i].text);
        json_end(&j);
    }
    json_end(&j);
    return session_json_end(s, &j);
}

int cmd_known(struct session *s)
{
    struct known k = {0};
    const char *path = known_path(&s->config, &s->arena);
    bool ok = known_read(&k, path, &s->arena, &s->diag);
    for (uint32_t i = 0; ok && i < s->words.n; i++)
        ok = option_flag(s->options, OPT_remove)
                 ? take_out(s, &k, s->words.at[i])
                 : add(s, &k, s->words.at[i]);
    if (ok && !s->words.n)
        for (uint32_t i = 0; i < k.list.n; i++)
            fprintf(session_say(s), "%s %s %s\n", k.list.at[i].id,
                    k.list.at[i].test, k.list.at[i].text);
    else if (ok)
        ok = write_known(&k, path, &s->diag);
    ok = ok && known_json(s, &k);
    vec_free(&k.list);
    return ok ? EXIT_GOOD : s->diag.status;
}

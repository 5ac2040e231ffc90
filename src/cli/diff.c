// troupe diff: which bugs are new, gone, still there.  Warnings are told with
// the others and counted apart: they do not fail.
#include "base/json.h"
#include "base/number.h"
#include "base/text.h"
#include "base/command.h"
#include "cli/session.h"
#include "cli/shell/command.h"
#include "play/bug.h"
#include "program/home.h"
#include "report/store.h"

#include <string.h>

struct bugs {
    struct arena *a;
    VEC(struct store_bug) list;
};

static void add(void *self, const struct store_bug *b)
{
    struct bugs *to = self;
    struct store_bug copy = {arena_text(to->a, b->id),
                             arena_text(to->a, b->kind),
                             arena_text(to->a, b->test)};
    vec_push(&to->list, copy);
}

static bool has(const struct bugs *in, const struct store_bug *b)
{
    for (uint32_t i = 0; i < in->list.n; i++)
        if (strcmp(in->list.at[i].id, b->id) == 0 &&
            strcmp(in->list.at[i].test, b->test) == 0)
            return true;
    return false;
}

static bool warns(const struct store_bug *b)
{
    return bug_kind_warns(bug_kind_of(b->kind));
}

// What is told, and where.
struct telling {
    FILE *to;
    struct json *json; // NULL: none
    uint32_t warnings;
};

static void tell_json(struct json *j, const struct store_bug *b)
{
    json_object(j, NULL);
    json_text(j, "id", b->id);
    json_text(j, "test", b->test);
    json_text(j, "kind", b->kind);
    json_bool(j, "warning", warns(b));
    json_end(j);
}

static uint32_t tell(struct telling *t, const char *word, const struct bugs *of,
                     const struct bugs *other, bool in_both)
{
    uint32_t n = 0;
    if (t->json)
        json_array(t->json, word);
    for (uint32_t i = 0; i < of->list.n; i++) {
        const struct store_bug *b = &of->list.at[i];
        if (has(other, b) != in_both)
            continue;
        fprintf(t->to, "%-6s %s  %s  %s%s\n", word, b->id, b->test, b->kind,
                warns(b) ? " (warning)" : "");
        if (t->json)
            tell_json(t->json, b);
        *(warns(b) ? &t->warnings : &n) += 1;
    }
    if (t->json)
        json_end(t->json);
    return n;
}

static bool read_run(struct session *s, struct store *store, const char *word,
                     struct bugs *to)
{
    uint64_t run;
    to->a = &s->arena;
    if (!number_parse(word, &run) || !run || run > UINT32_MAX)
        return diag_set(&s->diag, EXIT_USAGE, "'%s' is not the number of a run",
                        word);
    return store_bugs(store, (uint32_t)run, add, to, &s->diag);
}

int cmd_diff(struct session *s)
{
    struct bugs before = {0}, after = {0};
    if (s->words.n != 2) {
        diag_set(&s->diag, EXIT_USAGE, "diff compares two runs");
        diag_hint(&s->diag, "%s diff 3 7, numbers as in .troupe/runs",
                  command_typed());
        return s->diag.status;
    }
    struct store *store = store_open(home_path(&s->arena, ""), &s->diag);
    bool ok = store && read_run(s, store, s->words.at[0], &before) &&
              read_run(s, store, s->words.at[1], &after);
    uint32_t new = 0;
    if (ok) {
        struct text result = {0};
        struct json j;
        struct telling t = {session_say(s),
                            session_json_begin(s, &j, &result) ? &j : NULL, 0};
        new = tell(&t, "new", &after, &before, false);
        uint32_t gone = tell(&t, "gone", &before, &after, false);
        uint32_t still = tell(&t, "still", &after, &before, true);
        fprintf(t.to, "%u new, %u gone, %u still there", new, gone, still);
        if (t.warnings)
            fprintf(t.to, "; %u warning%s", t.warnings,
                    t.warnings == 1 ? "" : "s");
        fputc('\n', t.to);
        ok = !t.json || session_json_end(s, t.json);
    }
    store_close(store);
    vec_free(&before.list);
    vec_free(&after.list);
    return !ok ? s->diag.status : new ? EXIT_BUG : EXIT_GOOD;
}

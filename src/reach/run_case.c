// A run as a case: posts with their fields, then the receives as steps.
#include "reach/runner.h"

#include "base/text.h"
#include "program/program.h"
#include "program/values.h"
#include "reach/heap.h"
#include "testlib/script.h"

#include <string.h>

static bool same_option(const struct solo_option *a,
                        const struct solo_option *b)
{
    return a->what == b->what && a->to == b->to && a->from == b->from &&
           a->msg == b->msg && a->soonest == b->soonest &&
           a->brings == b->brings && a->nth == b->nth;
}

void runner_note_step(struct runner *r, const struct solo_option *o, uint32_t i)
{
    struct text words = {0};
    struct words_step step;
    uint32_t twin = script_twin(o, i);
    if (r->steps && twin == r->noted_twin && same_option(&r->noted, &o[i])) {
        step = vec_last(&r->c->steps);
        vec_push(&r->c->steps, step);
        r->steps++;
        return;
    }
    r->noted = o[i];
    r->noted_twin = twin;
    script_words(r->runtime, &o[i], twin, &words);
    if (!words_parse(r->case_arena, text_get(&words), &step))
        vec_push(&r->c->steps, step);
    r->steps++;
    text_free(&words);
}

static size_t read_block(void *user, uintptr_t at, char *out, size_t most)
{
    struct runner *r = user;
    if (!heap_arena_has(r->heap, (const void *)at))
        return 0;
    size_t n = heap_arena_size(r->heap, (const void *)at);
    n = n < most ? n : most;
    memcpy(out, (const void *)at, n);
    return n;
}

static bool is_word(const char *s)
{
    return *s && !strpbrk(s, " \t\"{},");
}

static bool print_ref(void *user, uintptr_t ref, struct text *out)
{
    const struct runner *r = user;
    for (uint32_t i = 0; i < r->o.pool->n_names; i++)
        if ((uintptr_t)r->refs[i] == ref) {
            const char *name = r->o.pool->names[i].name;
            text_format(out, is_word(name) ? "%s" : "\"%s\"", name);
            return true;
        }
    return false;
}

void runner_note_post(struct runner *r, const struct gene *g,
                      const unsigned char *payload, uint32_t before)
{
    if (before) {
        vec_last(&r->c->posts).times++;
        return;
    }
    const tr_msg *type = r->types[g->msg];
    struct text fields = {0};
    struct values_names names = {
        .user = r, .ref = print_ref, .read = read_block, .exact = true};
    struct values *v = values_new(r->o.program);
    values_print(v, type->name, payload, type->size, &names, &fields);
    struct case_post p = {
        .to = arena_text(r->case_arena, r->o.pool->names[g->to].name),
        .msg = arena_text(r->case_arena, type->name),
        .fields = arena_text(r->case_arena, text_get(&fields)),
        .times = 1};
    vec_push(&r->c->posts, p);
    text_free(&fields);
    values_free(v);
}

// Answers about memory are needed only where an allocation fails, and in a step
// only up to the last of these or of choose().
static bool needs_memory(const struct runner *r)
{
    for (uint32_t i = 0; i < r->picks.n; i++)
        if (r->picks.at[i].allocates && r->picks.at[i].pick)
            return true;
    return false;
}

// The answers of one step, in their order.
static uint32_t picks_of(const struct runner *r, uint32_t step, bool memory,
                         uint16_t *list)
{
    uint32_t n = 0, needed = 0;
    for (uint32_t i = 0; i < r->picks.n; i++) {
        const struct picked *p = &r->picks.at[i];
        if (p->step != step || (p->allocates && !memory))
            continue;
        list[n++] = (uint16_t)p->pick;
        if (p->pick || !p->allocates)
            needed = n;
    }
    return needed;
}

static void put_body_first(struct test_case *c, struct words_step body)
{
    vec_push(&c->steps, body);
    for (uint32_t k = c->steps.n - 1; k > 0; k--) {
        c->steps.at[k] = c->steps.at[k - 1];
        c->steps.at[k - 1] = body;
    }
}

// Picks go to the step that was under way; before the first, to the body.
static void note_picks(struct runner *r)
{
    struct test_case *c = r->c;
    struct words_step body = {.actor = "test", .msg = "body"};
    uint16_t *list = arena_zero(r->case_arena, (r->picks.n + 1) * sizeof *list);
    uint32_t last = UINT32_MAX;
    c->alloc_fails = needs_memory(r);
    for (uint32_t i = 0; i < r->picks.n; i++) {
        uint32_t step = r->picks.at[i].step;
        if (step == last || step > c->steps.n)
            continue;
        struct words_step *at = step ? &c->steps.at[step - 1] : &body;
        last = step;
        at->n_picks = picks_of(r, step, c->alloc_fails, list);
        at->picks = arena_copy(r->case_arena, list, at->n_picks * sizeof *list);
    }
    if (body.n_picks)
        put_body_first(c, body);
}

bool runner_case(struct runner *r, const struct input *in, uint32_t hit,
                 struct arena *a, struct test_case *c)
{
    char params[MODEL_PARAMS * 80];
    r->recording = true;
    r->case_arena = a;
    r->c = c;
    vec_clear(&r->picks);
    runner_play(r, in);
    r->recording = false;
    note_picks(r);
    for (uint32_t i = 0; i < c->steps.n; i++)
        if (words_is_timer(&c->steps.at[i]))
            c->ticks = RUN_TICKS;
    runner_params(r, params, sizeof params);
    case_params(a, c, params);
    return r->map[hit];
}

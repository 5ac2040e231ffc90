// From inputs to cases that were replayed.
//
// A process per case runs the program: its parent loads one build after the
// other, since all lie at the same address.
#include "reach/reach.h"

#include "base/child.h"
#include "base/diag.h"
#include "base/text.h"
#include "cases/replay_apart.h"
#include "program/program.h"
#include "reach/fuzz.h"
#include "reach/live.h"
#include "reach/native.h"
#include "stage/hits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHRINK_TRIES = 3000,
    SHRINK_EFFORT = 50000000, // of one case, as runner_cost() has it
    SHRINK_ALL = 16000000,    // of several together
    SHRINK_PARTS = 25,        // at most
    LIMIT_S = 60,
    STEPS_LONG = 20000,
    COST_LONG = 2000000
};

// ---- an input as a case -----------------------------------------------------

struct writing {
    struct reach *r;
    struct run_options run;
    uint32_t target;
    bool plainly;    // do not shrink
    uint64_t effort; // to shrink each
};

static void head_of(const struct reach *r, uint32_t target, struct test_case *c)
{
    const struct ir_target *t = &r->targets.at[target].at;
    c->tool = r->origin.tool;
    c->build = r->origin.build;
    for (uint32_t i = 0; i < r->origin.programs.n; i++)
        vec_push(&c->programs, r->origin.programs.at[i]);
    for (uint32_t i = 0; i < r->origin.flags.n; i++)
        vec_push(&c->flags, r->origin.flags.at[i]);
    c->test = r->o.system;
    c->delivery = delivery_id(r->o.delivery);
    c->shared = r->o.shared;
    c->reach_file = r->ir->files.at[t->file];
    c->reach_line = (int)t->line;
}

// The reply: did it pass the place, the case in text, all places passed.
static void write_case(void *self, int fd)
{
    static struct input in; // large
    struct writing *w = self;
    struct reach *r = w->r;
    struct diag d = {0};
    struct test_case c = {0};
    struct text reply = {0}, text = {0};
    struct arena a = {0};
    uint32_t hit = r->targets.at[w->target].at.hit;
    const struct kept_input *from = &r->pool->inputs[r->pool->first[hit]];
    struct runner *runner = runner_new(&w->run, &d);
    if (!runner)
        return;
    input_copy(&in, &from->input);
    if (!w->plainly)
        fuzz_shrink(runner, &in, hit, SHRINK_TRIES, w->effort);
    head_of(r, w->target, &c);
    bool passed = runner_case(runner, &in, hit, &a, &c);
    case_print(&c, &text);
    wire_begin(&reply, 0);
    wire_put32(&reply, passed);
    wire_put64(&reply, runner_cost(runner));
    wire_put_string(&reply, text_get(&text));
    wire_put(&reply, runner_map(runner), r->pool->n_hits);
    wire_send(fd, &reply);
}

// False if the run made no case.  *map: the places that it passed.
static bool make_case(struct writing *w, struct reach_case *made,
                      unsigned char *map)
{
    struct reach *r = w->r;
    struct test_case *c = &made->c;
    struct child_plan plan = {
        .body = write_case, .self = w, .signals = CHILD_DIES, .quiet = true};
    struct wire_in in = {0};
    struct wire_message m;
    struct diag d = {0};
    int status;
    bool ok = child_ask(&plan, LIMIT_S, &in, &m, &status) == CHILD_ANSWERED;
    if (ok) {
        ok = wire_get32(&m.body);
        made->cost = wire_get64(&m.body);
        const char *text = wire_get_string(&m.body);
        wire_get(&m.body, map, r->pool->n_hits);
        ok = ok && text && !m.body.bad &&
             case_parse(&r->arena, "found", arena_text(&r->arena, text), c, &d);
    }
    wire_free(&in);
    diag_free(&d);
    return ok;
}

// ---- replaying --------------------------------------------------------------

static struct replay_outcome
replay_long(struct reach *r, const struct program *p, const struct test_case *c)
{
    struct live_outcome live;
    struct replay_outcome o = {.why = "it took too long"};
    o.ran = live_replay(p, c, r->o.delivery, &live);
    o.fits = live.fits;
    o.at = live.at;
    if (o.ran)
        o.why = "another message came";
    if (live.died)
        o.bug = (struct bug){.kind = BUG_CRASH, .text = "the process ended"};
    return o;
}

static struct replay_outcome replay(struct reach *r, const struct program *p,
                                    const struct reach_case *made,
                                    struct diag *d)
{
    const struct test_case *c = &made->c;
    if (c->steps.n > STEPS_LONG || made->cost > COST_LONG)
        return replay_long(r, p, c);
    struct text params = {0};
    tr_test test = {.name = c->test};
    for (uint32_t i = 0; i < c->params.n; i++)
        text_format(&params, "%s ", c->params.at[i]);
    struct subject s = {.program = p,
                        .test = &test,
                        .params = text_get(&params),
                        .explore = {.delivery = r->o.delivery,
                                    .steps = c->steps.n + 1,
                                    .ticks = c->ticks,
                                    .shared = c->shared},
                        .isolate = true};
    s.origin.alloc_fails = c->alloc_fails;
    for (uint32_t i = 0; i < c->posts.n; i++)
        vec_push(&s.origin.posts, c->posts.at[i]);
    struct replay_outcome o = replay_apart(&s, c, &r->arena, d);
    vec_free(&s.origin.posts);
    text_free(&params);
    return o;
}

// ---- rounds -----------------------------------------------------------------

struct batch {
    VEC(struct reach_case) cases;
    VEC(struct replay_outcome) counted;
    VEC(unsigned char *) maps; // by case: the places that its replay passed
};

// Shrinking takes about as long for many cases as for one.
static uint64_t effort_each(const struct reach *r)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->targets.n && n < SHRINK_PARTS; i++)
        n += r->targets.at[i].wanted && r->targets.at[i].status == REACH_OPEN &&
             r->pool->hit[r->targets.at[i].at.hit];
    return n > 1 ? SHRINK_ALL / n : SHRINK_EFFORT;
}

// Cases for all targets that have an input and that no case before passes.
static bool make_batch(struct reach *r, struct batch *b, bool plainly,
                       struct diag *d)
{
    struct program *p = program_load(r->builds.traced, d);
    struct writing w = {.r = r, .plainly = plainly, .effort = effort_each(r)};
    unsigned char *passed = arena_zero(&r->arena, r->pool->n_hits + 1);
    unsigned char *map = arena_zero(&r->arena, r->pool->n_hits + 1);
    bool ok = p && native_prepare(r, p, &w.run, d);
    for (uint32_t i = 0; ok && i < r->targets.n; i++) {
        struct reach_target *t = &r->targets.at[i];
        if (!t->wanted || t->status != REACH_OPEN || passed[t->at.hit] ||
            !r->pool->hit[t->at.hit])
            continue;
        struct reach_case c = {.target = i};
        w.target = i;
        if (!make_case(&w, &c, map)) {
            t->why = "the run that passed it could not be repeated";
            continue;
        }
        vec_push(&b->cases, c);
        for (uint32_t k = 0; k < r->pool->n_hits; k++)
            passed[k] |= map[k];
    }
    program_free(p);
    return ok;
}

static bool replay_counted(struct reach *r, struct batch *b, struct diag *d)
{
    struct program *p = program_load(r->builds.counted, d);
    size_t size = r->pool->n_hits * sizeof(uint32_t);
    if (!p || !hits_open(size)) {
        program_free(p);
        return d->status
                   ? false
                   : diag_set(d, EXIT_FAULT, "no memory: %s", strerror(errno));
    }
    for (uint32_t i = 0; i < b->cases.n; i++) {
        struct diag lost = {0};
        unsigned char *map = arena_zero(&r->arena, r->pool->n_hits + 1);
        memset(hits_map(), 0, size);
        struct replay_outcome o = replay(r, p, &b->cases.at[i], &lost);
        if (!o.ran)
            o.why = arena_text(&r->arena, lost.text ? lost.text : "lost");
        diag_free(&lost);
        for (uint32_t k = 0; k < r->pool->n_hits; k++)
            map[k] = hits_count(hits_map(), k) != 0;
        vec_push(&b->counted, o);
        vec_push(&b->maps, map);
    }
    hits_close();
    program_free(p);
    return true;
}

static const char *differs(struct reach *r, const struct test_case *c,
                           const struct replay_outcome *counted,
                           const struct replay_outcome *plain)
{
    const struct replay_outcome *bad = !counted->ran || !counted->fits ? counted
                                       : !plain->ran || !plain->fits   ? plain
                                                                       : NULL;
    if (bad && !bad->ran)
        return bad->why;
    if (bad)
        return arena_format(&r->arena, "step %u does not fit; %s", bad->at + 1,
                            bad->why);
    (void)c;
    if (counted->bug.kind != plain->bug.kind)
        return arena_format(
            &r->arena, "instrumented it ends with '%s', plain with '%s'",
            counted->bug.kind ? bug_kind_id(counted->bug.kind) : "pass",
            plain->bug.kind ? bug_kind_id(plain->bug.kind) : "pass");
    return NULL;
}

static void mark(struct reach *r, uint32_t which, const unsigned char *map)
{
    for (uint32_t i = 0; i < r->targets.n; i++) {
        struct reach_target *t = &r->targets.at[i];
        if (!map[t->at.hit] || t->status == REACH_COVERED)
            continue;
        t->status = REACH_COVERED;
        t->found = which;
        t->why = NULL;
        t->seconds = (double)r->pool->when[t->at.hit] * 1e-3;
        r->cases.at[which].covers++;
    }
}

static bool judge(struct reach *r, struct batch *b, struct diag *d)
{
    struct program *p = program_load(r->builds.plain, d);
    for (uint32_t i = 0; p && i < b->cases.n; i++) {
        struct reach_case *c = &b->cases.at[i];
        struct reach_target *t = &r->targets.at[c->target];
        struct diag lost = {0};
        struct replay_outcome plain = replay(r, p, c, &lost);
        if (!plain.ran)
            plain.why = arena_text(&r->arena, lost.text ? lost.text : "lost");
        diag_free(&lost);
        const char *why = differs(r, &c->c, &b->counted.at[i], &plain);
        if (!why && !b->maps.at[i][t->at.hit])
            why = "the replay does not pass it";
        if (why && plain.ran && plain.bug.kind == BUG_ISOLATION)
            r->shares = arena_format(
                &r->arena,
                "a replay keeps the memory of actors apart, and here %s",
                plain.bug.text ? plain.bug.text : "they share some");
        if (why) {
            t->why = why;
            case_release(&c->c);
            continue;
        }
        c->confirmed = true;
        c->c.bug = plain.bug;
        vec_push(&r->cases, *c);
        mark(r, r->cases.n - 1, b->maps.at[i]);
    }
    program_free(p);
    return p != NULL;
}

static bool round_of(struct reach *r, bool plainly, struct diag *d)
{
    struct batch b = {0};
    bool ok = make_batch(r, &b, plainly, d);
    if (ok && b.cases.n)
        ok = replay_counted(r, &b, d) && judge(r, &b, d);
    vec_free(&b.cases);
    vec_free(&b.counted);
    vec_free(&b.maps);
    return ok;
}

// What was found before an interruption is kept, too.
bool reach_confirm(struct reach *r, struct diag *d)
{
    uint64_t runs = r->pool->runs, news = r->pool->news;
    if (!round_of(r, false, d) || !round_of(r, true, d))
        return false;
    r->pool->runs = runs; // those of shrinking are no part of the search
    r->pool->news = news;
    reach_over(r);
    for (uint32_t i = 0; i < r->targets.n; i++) {
        struct reach_target *t = &r->targets.at[i];
        if (t->wanted && t->status == REACH_OPEN && r->pool->hit[t->at.hit]) {
            t->status = r->interrupted ? REACH_TIMEOUT
                        : r->shares    ? REACH_UNSUPPORTED
                                       : REACH_UNCONFIRMED;
            if (r->interrupted)
                t->why = "interrupted before it was confirmed";
            else if (r->shares)
                t->why = r->shares;
            else if (!t->why)
                t->why = "another run did";
        }
    }
    return true;
}

// A trace that went through bytes is the same trace; damaged bytes are noticed,
// or give a trace whose indices can be followed.
#include "base/arena.h"
#include "base/text.h"
#include "cases/trace_bytes.h"
#include "test.h"

static struct bug bug = {.kind = BUG_ASSERTION,
                         .text = "assertion 'x' failed",
                         .file = "a.c",
                         .line = 7,
                         .cls = "server",
                         .msg = "put"};

static struct trace *made(struct arena *a)
{
    struct trace *t = arena_zero(a, sizeof *t);
    struct trace_actor test = {.name = "test",
                               .cls = "",
                               .state = "",
                               .first = "",
                               .changed = " ",
                               .behaviour = "",
                               .kept = "",
                               .held_by = PLAY_NONE,
                               .last_step = 0};
    struct trace_actor server = {.name = "server#1",
                                 .cls = "server",
                                 .id = 1,
                                 .flags = STATE_WAITS,
                                 .label = "store",
                                 .state = "{.n = 1}",
                                 .first = "{.n = 0}",
                                 .changed = " n ",
                                 .behaviour = "open",
                                 .kept = "take",
                                 .held_by = 0,
                                 .last_step = 1};
    struct trace_wait wait = {"put of server#1", 1, true, "a.c", 12};
    struct trace_send send = {1, 0, "server#1", "put", "{.n = 1}", 30, 1};
    struct trace_step body = {.fields = "",
                              .sent_at = PLAY_NONE,
                              .change = "",
                              .kept = "",
                              .before = "",
                              .after = "",
                              .from = "",
                              .to = ""};
    static const char *const others[] = {"a#1 get<b#1", "a#1 timer"};
    struct trace_step put = {.actor = 1,
                             .msg = "put",
                             .fields = "{.n = 1}",
                             .number = 1,
                             .change = "n 0 -> 1",
                             .kept = "deferred",
                             .before = "{.n = 0}",
                             .after = "{.n = 1}",
                             .file = "a.c",
                             .line = 7,
                             .others = others,
                             .n_others = 2,
                             .more_others = true,
                             .from = "open",
                             .to = "open",
                             .output = "hello\n",
                             .bugs = &bug,
                             .n_bugs = 1,
                             .picks = {3, 1},
                             .n_picks = 2};
    vec_push(&server.waits, wait);
    vec_push(&body.sends, send);
    vec_push(&body.births, 1u);
    vec_push(&t->actors, test);
    vec_push(&t->actors, server);
    vec_push(&t->steps, body);
    vec_push(&t->steps, put);
    return t;
}

static struct trace *take(struct arena *a, const struct text *t, bool *bad)
{
    struct wire_reader r = {.at = t->at, .end = t->at + t->n};
    struct trace *back = trace_take(&r, a);
    *bad = !wire_done(&r);
    return back;
}

TEST(a_trace_comes_back_as_it_was)
{
    struct arena a = {0};
    struct text first = {0}, again = {0};
    bool bad;
    struct trace *t = made(&a);
    trace_put(&first, t);
    struct trace *back = take(&a, &first, &bad);
    CHECK(!bad);
    CHECK_EQ(back->steps.n, 2);
    CHECK_TEXT(back->steps.at[1].bugs[0].text, bug.text);
    CHECK_TEXT(back->actors.at[1].waits.at[0].what, "put of server#1");
    CHECK_TEXT(back->actors.at[1].title, "server#1(store)");
    CHECK_TEXT(back->actors.at[1].changed, " n ");
    CHECK(!back->steps.at[0].msg && !back->steps.at[0].output);
    trace_put(&again, back);
    CHECK(again.n == first.n && memcmp(again.at, first.at, first.n) == 0);
    trace_release(t);
    trace_release(back);
    text_free(&first);
    text_free(&again);
    arena_free(&a);
}

static bool within(const struct trace *t)
{
    for (uint32_t i = 0; i < t->steps.n; i++) {
        const struct trace_step *s = &t->steps.at[i];
        bool ok = s->actor < t->actors.n && s->sender < t->actors.n &&
                  (s->sent_at < t->steps.n || s->sent_at == PLAY_NONE);
        for (uint32_t k = 0; k < s->sends.n; k++)
            ok &= s->sends.at[k].by < t->actors.n && s->sends.at[k].to;
        if (!ok)
            return false;
    }
    return true;
}

TEST(damaged_bytes_do_no_harm)
{
    struct arena a = {0};
    struct text whole = {0};
    struct trace *t = made(&a);
    trace_put(&whole, t);
    trace_release(t);
    for (size_t i = 0; i < whole.n; i++)
        for (int bit = 0; bit < 8; bit++) {
            bool bad;
            whole.at[i] ^= (char)(1 << bit);
            t = take(&a, &whole, &bad);
            CHECK(bad || within(t));
            trace_release(t);
            whole.at[i] ^= (char)(1 << bit);
        }
    for (size_t n = 0; n < whole.n; n++) {
        struct text part = {whole.at, n, n};
        bool bad;
        t = take(&a, &part, &bad);
        CHECK(bad);
        trace_release(t);
    }
    text_free(&whole);
    arena_free(&a);
}

TEST_MAIN()

// The tool's side of an engine that loses tasks, tells results twice, late,
// damaged or of tasks that nobody gave, and dies: the totals stay the same.
//
// The engine is this executable, started as troupe-wq.
#include "test.h"

#include "base/hash.h"
#include "base/rng.h"
#include "base/wire.h"
#include "crew/engine.h"
#include "crew/remote.h"
#include "crew/words.h"
#include "crew/worker.h"
#include "toy_job.h"

#include <unistd.h>

enum { ALL = TOY_CLASSES };

// ---- what a task does
// --------------------------------------------------------

// The result of an order, as worker_do_file() writes it.  Returns the size of
// its first message.
static size_t perform(const void *bytes, size_t size, struct text *result)
{
    struct toy_job j = {.stop_after = 9};
    const struct crew_job job = toy_job_of(&j);
    struct wire_reader in;
    struct crew_order o;
    if (!wire_open(bytes, size, WORD_GO, &in) || !crew_order_get(&in, &o))
        _exit(9);
    wire_begin(result, WORD_GO);
    wire_put64(result, hash_bytes(bytes, size));
    wire_end(result);
    size_t first = result->n;
    worker_do(&job, &o, result);
    toy_free(j.toy);
    work_list_free(&o.units);
    vec_free(&o.known);
    return first;
}

// ---- the engine
// ----------------------------------------------------------------

struct engine {
    int fd;
    struct rng rng;
    struct text out, last; // last: a result that was told
    uint64_t last_number;
    bool strange;
};

static bool one_in(struct engine *e, uint32_t n)
{
    return e->strange && rng_below(&e->rng, n) == 0;
}

static void tell(struct engine *e, uint64_t number, enum engine_outcome o,
                 const void *bytes, size_t size)
{
    wire_begin(&e->out, ENGINE_RESULT);
    wire_put64(&e->out, number);
    wire_put32(&e->out, o);
    wire_put_string(&e->out, "host");
    wire_put_string(&e->out, "");
    wire_put64(&e->out, size);
    wire_put(&e->out, bytes, size);
    if (!wire_send(e->fd, &e->out))
        _exit(0);
}

static void take_task(struct engine *e, struct wire_reader *in)
{
    uint64_t number = wire_get64(in);
    size_t size = wire_get64(in);
    const void *bytes = wire_take(in, size);
    struct text result = {0};
    if (one_in(e, 25))
        _exit(1);
    if (one_in(e, 5)) { // neither ends a search, nor counts against a unit
        tell(e, number, one_in(e, 2) ? TASK_LOST : TASK_UNFIT, NULL, 0);
        return;
    }
    size_t first = perform(bytes, size, &result);
    if (one_in(e, 12)) // whole messages, but not all
        tell(e, number, TASK_DONE, result.at, first);
    else if (one_in(e, 6)) // a result for another order
        tell(e, number, TASK_DONE, e->last.at, e->last.n);
    else if (one_in(e, 12)) // cut off
        tell(e, number, TASK_DONE, result.at,
             rng_below(&e->rng, (uint32_t)result.n));
    else
        tell(e, number, TASK_DONE, result.at, result.n);
    if (one_in(e, 3)) // once more
        tell(e, number, TASK_DONE, result.at, result.n);
    if (one_in(e, 5)) // of a task that is over
        tell(e, e->last_number, TASK_DIED, NULL, 0);
    text_free(&e->last);
    e->last = result;
    e->last_number = number;
}

static void tell_numbers(struct engine *e)
{
    wire_begin(&e->out, ENGINE_READY);
    wire_put32(&e->out, 9123);
    wire_send(e->fd, &e->out);
    wire_begin(&e->out, ENGINE_STATE);
    wire_put32(&e->out, 3);
    wire_put32(&e->out, 3);
    wire_put32(&e->out, 0);
    wire_send(e->fd, &e->out);
}

static _Noreturn void be_engine(int fd)
{
    struct engine e = {.fd = fd, .rng = rng_of((uint64_t)getpid())};
    struct wire_in in = {0};
    struct wire_message m;
    while (wire_receive(fd, &in) == 1)
        while (wire_next(&in, &m) == WIRE_HERE) {
            if (m.kind == ENGINE_OPEN) {
                e.strange = wire_get32(&m.body) == 1;
                tell_numbers(&e);
            } else if (m.kind == ENGINE_TASK) {
                take_task(&e, &m.body);
            }
        }
    _exit(0);
}

// Before the tests, if this is to be the engine.
__attribute__((constructor)) static void look_who_it_is(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[0], "troupe-wq") == 0)
        be_engine(atoi(argv[1]));
}

// ---- searches
// ------------------------------------------------------------------

static void on_ready(void *self, uint32_t port)
{
    *(uint32_t *)self = port;
}

static void search(bool strange, struct crew_figures *out)
{
    uint32_t port = 0;
    char *why = NULL;
    struct crew_far far = {.engine = "/proc/self/exe",
                           .port = strange,
                           .command = "",
                           .self = &port,
                           .ready = on_ready};
    struct crew_job nobody = {0};
    struct explore_options o = {.strategy = STRATEGY_OPTIMAL,
                                .keep_going = true};
    struct crew_options co = {.divisible = true};
    struct crew_sink sink = {0};
    CHECK(crew_explore_far(&nobody, &far, &o, &co, &sink, out, &why));
    CHECK_EQ(port, 9123);
    CHECK(!why);
}

TEST(an_engine_brings_orders_and_results)
{
    struct crew_figures f;
    search(false, &f);
    CHECK(f.result.complete);
    CHECK_EQ(f.result.executions, ALL);
    CHECK_EQ(f.result.final_states, ALL);
    CHECK_EQ(f.died, 0);
    CHECK_EQ(f.far.most_cores, 3);
}

// Results that are damaged, missing or another's are no unit's fault: none is
// set aside, however often it is unlucky.
TEST(a_strange_engine_changes_no_total)
{
    for (uint64_t i = 0; i < test_share(20); i++) {
        struct crew_figures f;
        search(true, &f);
        CHECK(f.result.complete);
        CHECK_EQ(f.set_aside, 0);
        CHECK_EQ(f.died, 0);
        CHECK_EQ(f.result.executions, ALL);
        CHECK_EQ(f.result.final_states, ALL);
    }
}

TEST(an_engine_that_is_not_there_is_told)
{
    char *why = NULL;
    struct crew_far far = {.engine = "/nonexistent"};
    struct crew_job nobody = {0};
    struct explore_options o = {.strategy = STRATEGY_OPTIMAL};
    struct crew_options co = {.divisible = true};
    struct crew_sink sink = {0};
    struct crew_figures f;
    CHECK(!crew_explore_far(&nobody, &far, &o, &co, &sink, &f, &why));
    CHECK(why != NULL);
    free(why);
}

TEST_MAIN()

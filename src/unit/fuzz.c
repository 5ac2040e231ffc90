// A process makes all random runs of a function and tells what it kept at its
// end.  Traps, signals and exit() leave a run by a jump.  A run may damage the
// process: the input of zeros is run again now and then, and when it ends in
// another way than at first, another process goes on with the same corpus.
#include "unit/fuzz.h"

#include "base/child.h"
#include "base/clock.h"
#include "base/die.h"
#include "stage/hits.h"
#include "unit/callees.h"
#include "unit/fuzzer.h"
#include "unit/input_wire.h"
#include "unit/literal.h"
#include "unit/spell.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

enum { TICK_US = 5000, LATE_TICKS = 2 };
enum { ALT_STACK = 1 << 16 };
enum { REPLY = 1, SPOILED = 2 };
enum { CHECK_EVERY = 64, ROUNDS_MOST = 12 };

static const double ENOUGH = 0.05; // seconds of looking for simpler inputs

static struct fuzzer *here;
static sigjmp_buf back;
static volatile sig_atomic_t ticks;
static volatile sig_atomic_t in_call;

// ---- one run ----------------------------------------------------------------

static void on_trap(void *user, uint32_t hit)
{
    (void)user;
    here->trap = hit;
    if (in_call)
        siglongjmp(back, TRAPPED);
}

static void note_pair(uint64_t a, uint64_t b)
{
    here->steps++;
    if (here->n_pairs < FUZZ_PAIRS)
        here->pairs[here->n_pairs++] = (struct pair){a, b};
}

static void on_compare(void *user, uint32_t site, uint32_t op, uint32_t bits,
                       uint64_t a, uint64_t b)
{
    (void)user, (void)site, (void)op, (void)bits;
    note_pair(a, b);
}

static void on_floats(void *user, uint32_t site, uint32_t mask, double a,
                      double b)
{
    uint64_t x, y;
    (void)user, (void)site, (void)mask;
    memcpy(&x, &a, 8);
    memcpy(&y, &b, 8);
    note_pair(x, y);
}

static void on_cases(void *user, uint32_t site, uint32_t bits, uint64_t v,
                     const uint64_t *cases, uint32_t n)
{
    (void)user, (void)site, (void)bits;
    for (uint32_t i = 0; i < n; i++)
        note_pair(v, cases[i]);
    here->steps -= n ? n - 1 : 0;
}

static void on_signal(int s)
{
    if (!in_call)
        _exit(EXIT_FAILURE);
    siglongjmp(back, s == SIGABRT ? STOPPED : BROKEN);
}

static void on_tick(int s)
{
    (void)s;
    if (in_call && ++ticks >= LATE_TICKS)
        siglongjmp(back, LATE);
}

static void on_exit_(int status)
{
    (void)status;
    siglongjmp(back, STOPPED);
}

static void put(char *to, const struct shape_cell *c, uint64_t v)
{
    if (c->kind == CALL_LONG_DOUBLE) {
        shape_long_double(to, v);
        return;
    }
    if (!c->bits) {
        memcpy(to, &v, c->bytes < 8 ? c->bytes : 8);
        return;
    }
    u128 all = 0, mask = (((u128)1 << c->bits) - 1) << c->bit;
    memcpy(&all, to, c->bytes);
    all = (all & ~mask) | (((u128)v << c->bit) & mask);
    memcpy(to, &all, c->bytes);
}

// Numbers first: in a union a pointer that is not null lies over them.
static void apply(struct fuzzer *w, const uint64_t *values)
{
    uint32_t n = w->shape.cells.n;
    for (uint32_t k = 0; k < 2 * n; k++) {
        uint32_t i = k < n ? k : k - n;
        const struct shape_cell *c = &w->shape.cells.at[i];
        if (k == n)
            runner_open_files(&w->shape.all, &w->layout, true);
        if ((c->kind == CALL_POINTER) != (k >= n) ||
            (c->kind == CALL_POINTER && c->in_union && !values[i]))
            continue;
        char *to = w->layout.at[c->object] + c->offset;
        uint64_t v = values[i];
        if (c->kind == CALL_POINTER && v) {
            const struct input_link *l = &w->shape.links.at[c->links + v - 1];
            v = l->fn != IR_NOTHING ? runner_address(w->p, l->fn)
                : w->layout.files[l->object]
                    ? (uint64_t)(uintptr_t)w->layout.files[l->object]
                    : (uint64_t)(uintptr_t)w->layout.at[l->object];
        }
        put(to, c, v);
    }
}

enum ending fuzz_run(struct fuzzer *w, const uint64_t *values)
{
    runner_reset(w->p);
    apply(w, values);
    memset(w->map, 0, w->s->ir->n_hits);
    memset(w->result, 0, w->result_size);
    w->steps = 0;
    w->n_pairs = 0;
    w->trap = IR_NOTHING;
    ticks = 0;
    w->runs++;
    int how = sigsetjmp(back, 0);
    if (how == 0) {
        in_call = 1;
        if (w->pre && !runner_allows(w->p, w->pre, &w->shape.all, &w->layout)) {
            in_call = 0;
            return BROKEN;
        }
        if (w->pre)
            memset(w->map, 0, w->s->ir->n_hits);
        w->steps = 0;
        w->n_pairs = 0;
        errno = 0;
        w->call(w->layout.params, w->result);
    }
    in_call = 0;
    runner_forget(w->p);
    w->late += how == LATE;
    return (enum ending)how;
}

// ---- keeping ----------------------------------------------------------------

// Two pointers to one object are harder to read than two objects.
static uint64_t aliases(const struct fuzzer *w, const uint64_t *values,
                        uint32_t cell)
{
    const struct shape_cell *c = &w->shape.cells.at[cell];
    uint32_t to = w->shape.links.at[c->links + values[cell] - 1].object;
    uint64_t n = 0;
    for (uint32_t i = 0; i < cell && i < 64; i++) {
        const struct shape_cell *d = &w->shape.cells.at[i];
        if (d->kind == CALL_POINTER && values[i])
            n += w->shape.links.at[d->links + values[i] - 1].object == to;
    }
    return 8 * n;
}

// Of an enumeration what has a name is plain.
static uint64_t weight_of_enum(const struct ir_dtype *t, uint64_t v)
{
    uint64_t sum = 1;
    for (uint32_t i = 0; i < t->n; i++)
        if (t->values[i].value == (int64_t)v)
            return v != 0;
    for (; v; v >>= 1)
        sum++;
    return sum;
}

uint64_t fuzz_weight(const struct fuzzer *w, const uint64_t *values)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < w->shape.cells.n; i++) {
        const struct shape_cell *c = &w->shape.cells.at[i];
        uint64_t v = values[i], mask = c->bytes < 8
                                           ? (UINT64_C(1) << 8 * c->bytes) - 1
                                           : UINT64_MAX;
        uint64_t minus = (~v + 1) & mask;
        v &= mask;
        if (c->kind == CALL_POINTER) {
            sum += v                           ? 2 + aliases(w, values, i)
                   : w->copies && i < w->n_own ? 3
                                               : 0;
            continue;
        }
        if (v && literal_is_char(w->s->ir, c->type)) {
            sum += literal_char_weight((uint8_t)v);
            continue;
        }
        const struct ir_dtype *t = spell_bare(w->s->ir, c->type);
        if (t->kind == IR_D_ENUM) {
            sum += weight_of_enum(t, v);
            continue;
        }
        for (v = v < minus ? v : minus; v; v >>= 1)
            sum++;
    }
    return sum;
}

static void keep(struct fuzzer *w, struct best *b, const uint64_t *values,
                 uint64_t weight, enum ending end)
{
    size_t n = w->shape.cells.n * sizeof *values;
    if (!b->values)
        b->values = arena_get(w->a, n + 8);
    memcpy(b->values, values, n);
    b->steps = w->steps;
    b->weight = weight;
    b->end = end;
    b->trap = w->trap;
}

static bool is_better(const struct fuzzer *w, const struct best *b,
                      uint64_t weight)
{
    return !b->values || w->steps < b->steps ||
           (w->steps == b->steps && weight < b->weight);
}

// Is a parameter null?
static bool has_null(const struct fuzzer *w, const uint64_t *values)
{
    for (uint32_t i = 0; i < w->n_own; i++)
        if (w->shape.cells.at[i].kind == CALL_POINTER && !values[i])
            return true;
    return false;
}

// Each place once; where a parameter is null, once more for other reasons.
static bool look_at_trap(struct fuzzer *w, const uint64_t *values,
                         uint64_t weight)
{
    for (uint32_t i = 0; i < w->of_trap.n; i++)
        if (w->of_trap.at[i].trap == w->trap &&
            has_null(w, w->of_trap.at[i].values) == has_null(w, values)) {
            if (is_better(w, &w->of_trap.at[i], weight))
                keep(w, &w->of_trap.at[i], values, weight, TRAPPED);
            return false;
        }
    struct best none = {0};
    vec_push(&w->of_trap, none);
    keep(w, &vec_last(&w->of_trap), values, weight, TRAPPED);
    return true;
}

// Is there anything new in this run?
static bool look(struct fuzzer *w, const uint64_t *values, enum ending end)
{
    bool new = false;
    if (end == BROKEN)
        return false;
    uint64_t weight = fuzz_weight(w, values);
    if (end == LATE) {
        if (!w->of_late.values || weight < w->of_late.weight)
            keep(w, &w->of_late, values, weight, end);
        return false;
    }
    if (end == TRAPPED)
        return look_at_trap(w, values, weight);
    struct best *best = end == RETURNED ? w->of_side : w->of_end;
    for (uint32_t i = 0; i < w->sides->at.n; i++) {
        if (!w->map[w->sides->at.at[i].hit] || !is_better(w, &best[i], weight))
            continue;
        new |= !best[i].values;
        keep(w, &best[i], values, weight, end);
    }
    struct best *any = &w->of_side[w->sides->at.n];
    if (end == RETURNED && is_better(w, any, weight)) {
        new |= !any->values;
        keep(w, any, values, weight, end);
    }
    return new;
}

static void add_to_corpus(struct fuzzer *w, const uint64_t *values)
{
    size_t n = w->shape.cells.n * sizeof *values;
    if (w->corpus.n < 4096)
        vec_push(&w->corpus, arena_copy(w->a, values, n + 8));
}

// ---- searching --------------------------------------------------------------

// Every side was taken, and there was time to find simpler ways.
static bool is_done(const struct fuzzer *w, double from)
{
    if (w->runs % 256)
        return false;
    for (uint32_t i = 0; i < w->sides->at.n; i++)
        if (!w->of_side[i].values && !w->of_end[i].values)
            return false;
    return clock_now() > from + ENOUGH;
}

// A wild write of the function may have damaged this process.  Then even the
// first input, all zero, ends in another way than before.
static bool is_spoiled(struct fuzzer *w, enum ending first)
{
    return w->runs % CHECK_EVERY == 0 && fuzz_run(w, w->corpus.at[0]) != first;
}

static void take_seeds(struct fuzzer *w)
{
    for (uint32_t i = 0; i < w->n_seeds; i++)
        if (look(w, w->seeds[i], fuzz_run(w, w->seeds[i])))
            add_to_corpus(w, w->seeds[i]);
}

// False: this process is not to be trusted any more.
static bool search(struct fuzzer *w)
{
    uint32_t n = w->shape.cells.n;
    uint64_t *values = arena_zero(w->a, (n + 1ul) * sizeof *values);
    struct pair pairs[FUZZ_PAIRS];
    uint32_t n_pairs = 0;
    uint64_t late = 0;
    double from_ = clock_now(), end = from_ + w->o->seconds;
    w->until = end + w->o->seconds + 1;
    enum ending first = fuzz_run(w, values);
    look(w, values, first);
    add_to_corpus(w, values);
    take_seeds(w);
    while (n && !is_done(w, from_)) {
        if (w->o->most && w->runs >= w->o->most)
            break;
        if ((w->runs % 256 == 0 || w->late > late) && clock_now() > end)
            break;
        late = w->late;
        if (is_spoiled(w, first))
            return false;
        const uint64_t *from = w->corpus.at[rng_below(&w->rng, w->corpus.n)];
        memcpy(values, from, n * sizeof *values);
        if (w->runs % 16 == 0) { // what does this one compare?
            fuzz_run(w, values);
            memcpy(pairs, w->pairs, sizeof pairs);
            n_pairs = w->n_pairs;
        }
        fuzz_change(w, values, pairs, n_pairs);
        if (look(w, values, fuzz_run(w, values)))
            add_to_corpus(w, values);
    }
    return fuzz_run(w, w->corpus.at[0]) == first;
}

// What the next process begins with.
static void hand_over(struct fuzzer *w, int fd)
{
    struct text t = {0};
    wire_begin(&t, SPOILED);
    wire_put64(&t, w->runs);
    wire_put32(&t, w->shape.cells.n);
    wire_put32(&t, w->corpus.n - 1);
    for (uint32_t i = 1; i < w->corpus.n; i++)
        wire_put(&t, w->corpus.at[i],
                 w->shape.cells.n * sizeof *w->corpus.at[i]);
    wire_send(fd, &t);
    text_free(&t);
}

static void answer(struct fuzzer *w, int fd)
{
    struct text t = {0}, found = {0};
    uint32_t kept = fuzz_tell(w, &found);
    wire_begin(&t, REPLY);
    wire_put64(&t, w->runs);
    wire_put64(&t, w->late);
    wire_put32(&t, kept);
    text_bytes(&t, text_get(&found), found.n);
    wire_send(fd, &t);
}

// ---- the child --------------------------------------------------------------

static void catch_signals(void)
{
    static char stack[ALT_STACK];
    static const int fatal[] = {SIGSEGV, SIGBUS,  SIGFPE, SIGILL,
                                SIGABRT, SIGTRAP, SIGSYS};
    stack_t alt = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction sa = {.sa_handler = on_signal,
                           .sa_flags = SA_ONSTACK | SA_NODEFER};
    struct itimerval every = {{0, TICK_US}, {0, TICK_US}};
    struct rlimit none = {0, 0}, much = {1 << 20, 1 << 20};
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_FSIZE, &much);
    signal(SIGXFSZ, SIG_IGN);
    sigaltstack(&alt, NULL);
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        sigaction(fatal[i], &sa, NULL);
    sa.sa_handler = on_tick;
    sigaction(SIGVTALRM, &sa, NULL);
    setitimer(ITIMER_VIRTUAL, &every, NULL);
}

static void begin(struct fuzzer *w)
{
    static const struct hits_watcher watcher = {.trapped = on_trap,
                                                .compare = on_compare,
                                                .floats = on_floats,
                                                .cases = on_cases};
    const char *why;
    uint32_t n = w->sides->at.n;
    w->p = runner_load(w->s, 0, RUNNER_BEHIND);
    w->call = w->p ? runner_function(w->p, w->f) : NULL;
    if (w->call && w->o->pre != IR_NOTHING)
        w->pre = runner_function(w->p, w->s->ir->fns.at[w->o->pre]);
    if (!w->call || !shape_of(w->s, w->a, w->f, &w->shape, &why))
        _exit(EXIT_FAILURE);
    runner_on_exit(w->p, on_exit_);
    runner_lay_out(w->p, &w->shape.all, w->a, &w->layout);
    w->result_size = spell_bare(w->s->ir, w->f->types[0])->size;
    w->result = arena_zero(w->a, w->result_size + 16);
    w->map = hits_map();
    w->rng = rng_of(w->o->seed);
    w->of_side = arena_zero(w->a, (n + 1ul) * sizeof *w->of_side);
    w->of_end = arena_zero(w->a, (n + 1ul) * sizeof *w->of_end);
    while (w->n_own < w->shape.cells.n &&
           w->shape.all.objects.at[w->shape.cells.at[w->n_own].object].role ==
               INPUT_PARAM)
        w->n_own++;
    w->copies = callees_copy(w->s->ir, w->f);
    fuzz_words(w);
    hits_watch(&watcher);
}

static void fuzz_here(void *self, int fd)
{
    struct fuzzer *w = self;
    here = w;
    begin(w);
    catch_signals();
    if (search(w))
        answer(w, fd);
    else
        hand_over(w, fd);
}

static void take(struct wire_reader *r, struct arena *a, uint32_t n_sides,
                 struct fuzz_result *out)
{
    out->runs = wire_get64(r);
    out->late = wire_get64(r);
    for (uint32_t n = wire_get32(r); n-- && !r->bad;) {
        struct fuzz_found f = {.steps = wire_get64(r)};
        f.weight = wire_get64(r);
        f.returned = wire_get32(r);
        f.late = wire_get32(r);
        f.trap = wire_get32(r);
        f.sides = arena_zero(a, n_sides + 1ul);
        wire_get(r, f.sides, n_sides);
        input_receive(r, a, &f.in);
        if (!r->bad)
            vec_push(&out->found, f);
    }
}

static void take_seed_values(struct wire_reader *r, struct arena *a,
                             struct fuzzer *w)
{
    w->runs += wire_get64(r);
    uint32_t cells = wire_get32(r), n = wire_get32(r);
    if (!cells || !wire_has(r, n, cells * sizeof **w->seeds))
        n = 0;
    w->n_seeds = 0;
    w->seeds = arena_zero(a, (n + 1ul) * sizeof *w->seeds);
    for (uint32_t i = 0; i < n && !r->bad; i++) {
        w->seeds[i] = arena_zero(a, (cells + 1ul) * sizeof **w->seeds);
        wire_get(r, w->seeds[i], cells * sizeof **w->seeds);
        w->n_seeds += !r->bad;
    }
}

// Run one process of random runs.  True: it told all results, or was lost.
static bool round_of(struct fuzzer *w, const struct fuzz_options *o,
                     struct fuzz_result *out)
{
    struct child_plan plan = {
        .body = fuzz_here, .self = w, .signals = CHILD_DIES, .quiet = true};
    struct wire_in wire = {0};
    struct wire_message m;
    int status;
    w->o = o;
    bool answered = child_ask(&plan, 3 * o->seconds + 2, &wire, &m, &status) ==
                    CHILD_ANSWERED;
    out->died = !answered;
    if (answered && m.kind == SPOILED)
        take_seed_values(&m.body, w->a, w);
    else if (answered)
        take(&m.body, w->a, w->sides->at.n, out);
    bool done = answered && m.kind != SPOILED;
    wire_free(&wire);
    return done;
}

void fuzz(const struct unit_subject *s, struct arena *a, const struct ir_fn *f,
          const struct sides *sides, const struct fuzz_options *o,
          struct fuzz_result *out)
{
    struct fuzzer w = {.s = s, .f = f, .sides = sides, .a = a};
    struct fuzz_options now = *o;
    double end = clock_now() + o->seconds;
    memset(out, 0, sizeof *out);
    for (int i = 0; i < ROUNDS_MOST; i++, now.seed++) {
        now.seconds = end - clock_now() > 0 ? end - clock_now() : 0;
        if (i && out->died) // the fewer runs, the rarer a wild write
            now.most = now.most ? now.most / 2 : 4096;
        if (round_of(&w, &now, out) || (out->died && now.seconds <= 0))
            break;
    }
    out->runs += w.runs;
}

void fuzz_free(struct fuzz_result *r)
{
    for (uint32_t i = 0; i < r->found.n; i++)
        input_release(&r->found.at[i].in);
    vec_free(&r->found);
}

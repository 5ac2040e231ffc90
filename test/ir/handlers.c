// Every handler of every program, run on the IR and natively on the same
// random states and messages: the same new state field by field, the same
// operations in the same order with the same contents, the same trap.
//
// Both sides are compiled by clang without optimisation, so that what C leaves
// open (the order of evaluation) is alike.  The library's primitives are mocks
// in this executable, which the program's shared object finds when it is
// loaded.  A handler's runs are in a process of their own.  TROUPE_SAMPLES is
// how many runs each (30).
#include "ir/interp.h"

#include "base/diag.h"
#include "base/rng.h"
#include "base/vec.h"
#include "scratch.h"
#include "test.h"
#include "troupe.h"

#include <dlfcn.h>
#include <glob.h>
#include <malloc.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

// ---- one value in two memories ------------------------------------------

enum side { NATIVE, OURS };

struct event {
    enum ir_op op;
    uint64_t to;
    char name[48];    // of the message, class or behaviour
    uint64_t payload; // address
    uint32_t type;    // debug type of the payload
};

struct world {
    const struct ir *ir;
    struct interp *p;
    struct rng rng;
    enum side side; // of what runs now
    VEC(struct event) events[2];
    uint64_t spawned[2], asked[2], chosen[2], timers[2];
    VEC(void *) owned; // native memory
    uint64_t seed;
    char said[128]; // what is different
};

static struct world *now;
static sigjmp_buf out_of_native;
static int native_end; // a signal, or -1 for an assertion
static char native_text[256];

static void *native_alloc(struct world *w, uint64_t n)
{
    void *p = calloc(1, n + 64);
    if (!p)
        abort();
    vec_push(&w->owned, p);
    return p;
}

static uint8_t *bytes_at(struct world *w, enum side side, uint64_t address,
                         uint64_t n)
{
    if (side == NATIVE)
        return (uint8_t *)(uintptr_t)address;
    return interp_bytes(w->p, address, n);
}

static bool ends(const char *s, const char *with)
{
    size_t n = strlen(s), m = strlen(with);
    return n >= m && strcmp(s + n - m, with) == 0;
}

// References, futures and contexts are opaque: plain numbers here.
static bool is_handle(const struct ir *ir, uint32_t type)
{
    for (; type != IR_NOTHING && ir->types.at[type].kind == IR_D_TYPEDEF;
         type = ir->types.at[type].base)
        if (ends(ir->types.at[type].name, "_ref") ||
            strcmp(ir->types.at[type].name, "tr_future") == 0)
            return true;
    if (type == IR_NOTHING || ir->types.at[type].kind != IR_D_POINTER)
        return false;
    uint32_t to = ir_bare_type(ir, ir->types.at[type].base);
    return to != IR_NOTHING && ir->types.at[to].kind == IR_D_UNION;
}

static uint64_t number(struct world *w)
{
    static const uint64_t odd[] = {
        0, 1, 2, 3, 7, 10, 100, (uint64_t)-1, 64, INT32_MAX, INT64_MAX, 255};
    uint32_t k = rng_below(&w->rng, 8);
    if (k == 0)
        return odd[rng_below(&w->rng, sizeof odd / sizeof *odd)];
    return k == 1 ? rng_next(&w->rng) >> 60 : rng_below(&w->rng, 5);
}

static void fill_float(struct world *w, uint64_t size, uint8_t *to)
{
    double d = (double)(int64_t)number(w) * 0.5;
    float f = (float)d;
    if (size == 4)
        memcpy(to, &f, 4);
    else if (size == 8)
        memcpy(to, &d, 8);
}

static uint64_t handle(struct world *w)
{
    uint32_t k = rng_below(&w->rng, 5);
    return k ? 0x1000 + 16 * k : 0;
}

static void fill(struct world *w, uint32_t type, uint64_t at[2], int depth);

static void fill_pointer(struct world *w, uint32_t type, uint8_t *to[2],
                         int depth)
{
    const struct ir *ir = w->ir;
    uint32_t base = ir_bare_type(ir, ir->types.at[type].base);
    uint64_t size = base == IR_NOTHING ? 0 : ir->types.at[base].size;
    if (!size || depth > 2 || rng_below(&w->rng, 4) == 0)
        return; // null
    bool text = size == 1;
    uint64_t n = text ? 16 : size;
    uint64_t at[2] = {(uintptr_t)native_alloc(w, n), interp_alloc(w->p, n)};
    if (text)
        for (int s = 0; s < 2; s++)
            memcpy(bytes_at(w, (enum side)s, at[s], n), "text", 5);
    else
        fill(w, base, at, depth + 1);
    for (int s = 0; s < 2; s++)
        memcpy(to[s], &at[s], 8);
}

static void fill_bits(struct world *w, const struct ir_member *m,
                      uint64_t at[2])
{
    uint64_t x = number(w);
    for (uint32_t i = 0; i < m->bits; i++) {
        uint64_t bit = m->bit + i;
        for (int s = 0; s < 2; s++) {
            uint8_t *b = bytes_at(w, (enum side)s, at[s] + bit / 8, 1);
            *b = (uint8_t)((*b & ~(1u << bit % 8)) | ((x >> i & 1) << bit % 8));
        }
    }
}

static void fill_parts(struct world *w, const struct ir_dtype *t,
                       uint64_t at[2], int depth)
{
    uint32_t n = t->kind == IR_D_UNION && t->n ? 1 : t->n;
    for (uint32_t i = 0; i < n; i++) {
        const struct ir_member *m = &t->members[i];
        uint64_t to[2] = {at[0] + m->bit / 8, at[1] + m->bit / 8};
        if (m->bits)
            fill_bits(w, m, at);
        else
            fill(w, m->type, to, depth);
    }
}

static void fill(struct world *w, uint32_t type, uint64_t at[2], int depth)
{
    const struct ir *ir = w->ir;
    bool opaque = is_handle(ir, type);
    type = ir_bare_type(ir, type);
    if (type == IR_NOTHING)
        return;
    const struct ir_dtype *t = &ir->types.at[type];
    uint8_t *to[2];
    for (int s = 0; s < 2; s++)
        if (!(to[s] = bytes_at(w, (enum side)s, at[s], t->size)))
            return;
    uint64_t x = opaque ? handle(w) : number(w);
    if (t->kind == IR_D_BOOL)
        x &= 1;
    if (t->kind == IR_D_ENUM && t->n)
        x = (uint64_t)t->values[rng_below(&w->rng, t->n)].value;
    if (t->kind == IR_D_STRUCT || t->kind == IR_D_UNION) {
        fill_parts(w, t, at, depth);
    } else if (t->kind == IR_D_ARRAY && t->base != IR_NOTHING) {
        uint64_t step = ir->types.at[t->base].size;
        for (uint64_t i = 0; i < t->count; i++) {
            uint64_t e[2] = {at[0] + i * step, at[1] + i * step};
            fill(w, t->base, e, depth);
        }
    } else if (t->kind == IR_D_FLOAT) {
        fill_float(w, t->size, to[0]);
        memcpy(to[1], to[0], t->size);
    } else if (t->kind == IR_D_POINTER && !opaque) {
        fill_pointer(w, type, to, depth);
    } else if (t->size <= 8) {
        memcpy(to[0], &x, t->size);
        memcpy(to[1], &x, t->size);
    }
}

// ---- comparing ----------------------------------------------------------

static bool same(struct world *w, uint32_t type, uint64_t a, uint64_t b,
                 int depth);

static bool differs(struct world *w, const char *what, uint64_t a, uint64_t b)
{
    if (!w->said[0])
        snprintf(w->said, sizeof w->said, "%s: %llx natively, %llx on the IR",
                 what, (unsigned long long)a, (unsigned long long)b);
    return false;
}

static bool same_bits(struct world *w, const struct ir_member *m, uint64_t a,
                      uint64_t b)
{
    for (uint32_t i = 0; i < m->bits; i++) {
        uint64_t bit = m->bit + i;
        uint8_t x = *bytes_at(w, NATIVE, a + bit / 8, 1);
        uint8_t y = *bytes_at(w, OURS, b + bit / 8, 1);
        if (((x ^ y) >> bit % 8) & 1)
            return differs(w, m->name, x, y);
    }
    return true;
}

// Of a union only as much as its smallest member is surely set.
static uint32_t smallest(const struct ir *ir, const struct ir_dtype *t)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < t->n; i++)
        if (ir->types.at[t->members[i].type].size <
            ir->types.at[t->members[best].type].size)
            best = i;
    return best;
}

static bool same_parts(struct world *w, const struct ir_dtype *t, uint64_t a,
                       uint64_t b, int depth)
{
    bool all = t->kind == IR_D_STRUCT;
    uint32_t one = all || !t->n ? 0 : smallest(w->ir, t);
    for (uint32_t i = one; i < (all ? t->n : t->n ? one + 1 : 0); i++) {
        const struct ir_member *m = &t->members[i];
        bool ok = m->bits
                      ? same_bits(w, m, a, b)
                      : same(w, m->type, a + m->bit / 8, b + m->bit / 8, depth);
        if (!ok)
            return differs(w, m->name, 0, 0);
    }
    return true;
}

// Pointers are alike if both are null or what they point to is alike.
static bool same_pointer(struct world *w, const struct ir_dtype *t, uint64_t a,
                         uint64_t b, int depth)
{
    uint32_t base = ir_bare_type(w->ir, t->base);
    if (!a != !b)
        return differs(w, "pointer", a, b);
    if (!a || depth > 3 || base == IR_NOTHING ||
        w->ir->types.at[base].kind == IR_D_FUNCTION)
        return true;
    uint64_t size = w->ir->types.at[base].size;
    if (!interp_bytes(w->p, b, size))
        return true; // one past the end, or to what was freed
    return same(w, base, a, b, depth + 1);
}

static bool same(struct world *w, uint32_t type, uint64_t a, uint64_t b,
                 int depth)
{
    const struct ir *ir = w->ir;
    bool opaque = is_handle(ir, type);
    type = ir_bare_type(ir, type);
    if (type == IR_NOTHING)
        return true;
    const struct ir_dtype *t = &ir->types.at[type];
    const uint8_t *x = bytes_at(w, NATIVE, a, t->size);
    const uint8_t *y = bytes_at(w, OURS, b, t->size);
    if (!y)
        return differs(w, "outside", a, b);
    if (t->kind == IR_D_STRUCT || t->kind == IR_D_UNION)
        return same_parts(w, t, a, b, depth);
    if (t->kind == IR_D_ARRAY && t->base != IR_NOTHING) {
        uint64_t step = ir->types.at[t->base].size;
        for (uint64_t i = 0; i < t->count; i++)
            if (!same(w, t->base, a + i * step, b + i * step, depth))
                return false;
        return true;
    }
    uint64_t p = 0, q = 0;
    memcpy(&p, x, t->size < 8 ? t->size : 8);
    memcpy(&q, y, t->size < 8 ? t->size : 8);
    if (t->kind == IR_D_POINTER && !opaque)
        return same_pointer(w, t, p, q, depth);
    uint64_t n = t->kind == IR_D_FLOAT && t->size == 16 ? 10 : t->size;
    return memcmp(x, y, n) == 0 || differs(w, t->name, p, q);
}

// ---- mocks of the library, for both sides -------------------------------

static uint32_t type_named(const char *name)
{
    return ir_find_struct(now->ir, name);
}

// Contents must be kept: the sender may change them afterwards.
static uint64_t keep(uint64_t payload, uint64_t size)
{
    if (now->side == NATIVE) {
        void *p = native_alloc(now, size);
        memcpy(p, (void *)(uintptr_t)payload, size);
        return (uintptr_t)p;
    }
    uint64_t at = interp_alloc(now->p, size);
    const uint8_t *from = interp_bytes(now->p, payload, size);
    if (from)
        memcpy(interp_bytes(now->p, at, size), from, size);
    else
        interp_stop(now->p, INTERP_BAD_ACCESS, "a payload nowhere");
    return at;
}

static void note(enum ir_op op, uint64_t to, const char *name, uint32_t type,
                 uint64_t payload, uint64_t size)
{
    struct event e = {.op = op, .to = to, .type = type};
    snprintf(e.name, sizeof e.name, "%s", name);
    e.payload = payload ? keep(payload, size) : 0;
    vec_push(&now->events[now->side], e);
}

// What an operation gives back: the same on both sides.
static uint64_t give(uint64_t *counter, uint64_t base)
{
    return base + 16 * counter[now->side]++;
}

static uint64_t answer(void)
{
    static const uint64_t nothing[64];
    if (now->seed % 3 == 0)
        return 0;
    if (now->side == NATIVE)
        return (uintptr_t)native_alloc(now, sizeof nothing);
    return interp_alloc(now->p, sizeof nothing);
}

static uint64_t choose(uint64_t n)
{
    return n ? (now->chosen[now->side]++ * 7 + now->seed) % n : 0;
}

#define P(x) ((uint64_t)(uintptr_t)(x))

tr_ref tr_spawn_(tr_ctx *ctx, const tr_class *c, const void *state,
                 const char *label)
{
    (void)ctx, (void)label;
    note(IR_SPAWN, 0, c->name, type_named(c->name), P(state), c->size);
    return (tr_ref)(uintptr_t)give(now->spawned, 0x5000);
}
void tr_send_(tr_ctx *ctx, tr_ref to, const tr_msg *m, const void *p)
{
    (void)ctx;
    note(IR_SEND, P(to), m->name, type_named(m->name), P(p), m->size);
}
int tr_try_send_(tr_ctx *ctx, tr_ref to, const tr_msg *m, const void *p)
{
    tr_send_(ctx, to, m, p);
    return 0;
}
tr_future tr_ask_(tr_ctx *ctx, tr_ref to, const tr_msg *m, const void *p,
                  uint64_t ms)
{
    (void)ctx, (void)ms;
    note(IR_ASK, P(to), m->name, type_named(m->name), P(p), m->size);
    return (tr_future)(uintptr_t)give(now->asked, 0x6000);
}
void tr_reply_(tr_ctx *ctx, const tr_msg *m, const void *p, size_t n)
{
    (void)ctx;
    note(IR_REPLY, 0, m->name, type_named(m->reply), P(p), n);
}
const void *tr_await_(tr_ctx *ctx, tr_future f)
{
    (void)ctx, (void)f;
    return (const void *)(uintptr_t)answer();
}
const void *tr_get_(tr_ctx *ctx, tr_future f)
{
    return tr_await_(ctx, f);
}
void tr_pause_(tr_ctx *ctx)
{
    (void)ctx;
    siglongjmp(out_of_native, 1); // it would be another run
}
tr_timer tr_after_(tr_ctx *ctx, uint64_t ms, tr_ref to, const tr_msg *m,
                   const void *p)
{
    (void)ctx;
    note(IR_AFTER, P(to) + ms, m->name, type_named(m->name), P(p), m->size);
    return give(now->timers, 1);
}
tr_timer tr_every_(tr_ctx *ctx, uint64_t ms, tr_ref to, const tr_msg *m,
                   const void *p)
{
    return tr_after_(ctx, ms, to, m, p);
}

void tr_cancel_(tr_ctx *ctx, tr_timer t)
{
    (void)ctx;
    note(IR_CANCEL, t, "", IR_NOTHING, 0, 0);
}
enum { NOW = 1234567 };
tr_time tr_now_(tr_ctx *ctx)
{
    (void)ctx;
    return NOW;
}
void tr_become_(tr_ctx *ctx, const tr_behaviour *b)
{
    (void)ctx;
    note(IR_BECOME, 0, b->name, IR_NOTHING, 0, 0);
}
void tr_stop_(tr_ctx *ctx)
{
    (void)ctx;
    note(IR_STOP, 0, "", IR_NOTHING, 0, 0);
}
void tr_watch_(tr_ctx *ctx, tr_ref r, const tr_msg *m, const void *p)
{
    (void)ctx;
    note(IR_WATCH, P(r), m->name, type_named(m->name), P(p), m->size);
}
tr_ref tr_self_(tr_ctx *ctx)
{
    (void)ctx;
    return (tr_ref)(uintptr_t)0x1000;
}
tr_ref tr_sender_(tr_ctx *ctx)
{
    (void)ctx;
    return (tr_ref)(uintptr_t)(now->seed % 4 ? 0x1010 : 0);
}
void tr_expose_(tr_ctx *ctx, tr_ref r, const char *name)
{
    (void)ctx, (void)r, (void)name;
}
tr_ref tr_receptionist_(tr_ctx *ctx, const char *name, const tr_class *c)
{
    (void)ctx, (void)name, (void)c;
    return (tr_ref)(uintptr_t)0x1020;
}
uint32_t tr_choose_(tr_ctx *ctx, uint32_t n)
{
    (void)ctx;
    return (uint32_t)choose(n);
}
int64_t tr_param_(tr_ctx *ctx, const char *name, int64_t otherwise)
{
    (void)ctx, (void)name;
    return otherwise;
}
void tr_drain_(tr_ctx *ctx)
{
    (void)ctx;
}
bool tr_deliver_one_(tr_ctx *ctx)
{
    (void)ctx;
    return false;
}
const void *tr_peek_(tr_ctx *ctx, tr_ref r, const tr_class *c)
{
    (void)ctx, (void)r, (void)c;
    return NULL;
}
const void *tr_each_(tr_ctx *ctx, const tr_class *c, const void *before)
{
    (void)ctx, (void)c, (void)before;
    return NULL;
}
const void *tr_flying_(tr_ctx *ctx, const tr_msg *m, const void *before)
{
    (void)ctx, (void)m, (void)before;
    return NULL;
}
void tr_log(tr_ctx *ctx, tr_level l, const char *format, ...)
{
    (void)ctx, (void)l, (void)format;
}
int tr_run_(const tr_system *s, const tr_config *c)
{
    (void)s, (void)c;
    return 0;
}
const char *tr_strerror(int e)
{
    (void)e;
    return "";
}
TR_API _Noreturn void __assert_fail(const char *text, const char *file,
                                    unsigned line, const char *fn)
{
    if (!now || now->side != NATIVE) {
        fprintf(stderr, "%s:%u: %s: %s\n", file, line, fn, text);
        abort();
    }
    native_end = -1;
    snprintf(native_text, sizeof native_text, "%s", text);
    siglongjmp(out_of_native, 2);
}

// Memory is zeroed and not endless on both sides: the program is compiled to
// call these.
TR_API void *test_malloc(size_t n)
{
    return n > (UINT64_C(1) << 30) ? NULL : calloc(1, n);
}
TR_API void *test_realloc(void *old, size_t n)
{
    void *to = test_malloc(n);
    size_t had = old ? malloc_usable_size(old) : 0;
    if (to && old)
        memcpy(to, old, had < n ? had : n);
    return to; // the old one stays: it may have been handed in
}
TR_API void test_free(void *p)
{
    (void)p;
}

// ---- the same operations on the IR --------------------------------------

static const char *name_in(struct world *w, uint64_t address)
{
    const struct ir *ir = w->ir;
    uint32_t g = interp_global_at(w->p, address);
    uint32_t m = ir_msg_of(ir, g), c = ir_class_of(ir, g);
    uint32_t b = ir_behaviour_of(ir, g);
    return m != IR_NOTHING   ? ir->msgs.at[m].name
           : c != IR_NOTHING ? ir->classes.at[c].name
           : b != IR_NOTHING ? ir->behaviours.at[b].name
                             : "?";
}

static uint64_t size_of(struct world *w, uint64_t address)
{
    uint32_t g = interp_global_at(w->p, address);
    uint32_t m = ir_msg_of(w->ir, g), c = ir_class_of(w->ir, g);
    return m != IR_NOTHING   ? w->ir->msgs.at[m].size
           : c != IR_NOTHING ? w->ir->classes.at[c].size
                             : 0;
}

static bool operate(void *self, struct interp *p, const struct ir_inst *i,
                    const union ir_bits *a, union ir_bits *r)
{
    struct world *w = self;
    uint64_t x[5] = {0};
    (void)p;
    for (uint32_t k = 0; k < i->n && k < 5; k++)
        x[k] = (uint64_t)a[k].i;
    enum ir_op op = (enum ir_op)i->op;
    const char *name = "";
    r->i = 0;
    switch (op) {
    case IR_SPAWN:
        name = name_in(w, x[1]);
        note(op, 0, name, type_named(name), x[2], size_of(w, x[1]));
        r->i = give(w->spawned, 0x5000);
        return true;
    case IR_SEND:
    case IR_FORWARD:
    case IR_TRY_SEND:
    case IR_ASK:
    case IR_WATCH:
        name = name_in(w, x[2]);
        note(op == IR_ASK || op == IR_WATCH ? op : IR_SEND, x[1], name,
             type_named(name), x[3], size_of(w, x[2]));
        if (op == IR_ASK)
            r->i = give(w->asked, 0x6000);
        return true;
    case IR_AFTER:
        name = name_in(w, x[3]);
        note(op, x[2] + x[1], name, type_named(name), x[4], size_of(w, x[3]));
        r->i = give(w->timers, 1);
        return true;
    case IR_REPLY: {
        uint32_t m = ir_msg_of(w->ir, interp_global_at(w->p, x[1]));
        note(op, 0, w->ir->msgs.at[m].name, type_named(w->ir->msgs.at[m].reply),
             x[2], x[3]);
        return true;
    }
    case IR_AWAIT:
    case IR_GET:
        r->i = answer();
        return true;
    case IR_CANCEL:
        note(op, x[1], "", IR_NOTHING, 0, 0);
        return true;
    case IR_BECOME:
        note(op, 0, name_in(w, x[1]), IR_NOTHING, 0, 0);
        return true;
    case IR_STOP:
        note(op, 0, "", IR_NOTHING, 0, 0);
        return true;
    case IR_SELF:
        r->i = 0x1000;
        return true;
    case IR_SENDER:
        r->i = w->seed % 4 ? 0x1010 : 0;
        return true;
    case IR_RECEPTIONIST:
        r->i = 0x1020;
        return true;
    case IR_NOW:
        r->i = NOW;
        return true;
    case IR_CHOOSE:
        r->i = choose(x[1]);
        return true;
    case IR_GETPARAM:
        r->i = x[2];
        return true;
    case IR_PAUSE:
        return false; // it would be another run
    default:
        return true;
    }
}

// A payload that is nowhere has stopped the run.
static bool ours_actor(void *self, struct interp *p, const struct ir_inst *i,
                       const union ir_bits *a, union ir_bits *r)
{
    return operate(self, p, i, a, r) && !interp_stopped(p);
}

// ---- running ------------------------------------------------------------

static void on_signal(int signal)
{
    if (!now || now->side != NATIVE)
        _exit(100 + signal);
    native_end = signal;
    siglongjmp(out_of_native, 3);
}

static void catch_signals(void)
{
    static char stack[1 << 16];
    stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction a = {.sa_handler = on_signal,
                          .sa_flags = SA_NODEFER | SA_ONSTACK};
    int all[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGALRM, SIGILL};
    sigaltstack(&alternative, NULL);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        sigaction(all[i], &a, NULL);
}

enum verdict { ALIKE, DIFFERENT, SKIPPED };

// How the native run ended, and how ours did.
static enum verdict compare_ends(struct world *w, int how,
                                 struct interp_outcome o)
{
    bool trapped = o.end == INTERP_TRAPPED;
    if (how == 1)
        return SKIPPED;
    if (native_end == SIGALRM || o.end == INTERP_STEPS)
        return native_end == SIGALRM && o.end == INTERP_STEPS ? ALIKE : SKIPPED;
    if (how == 0)
        return o.end == INTERP_RETURNED
                   ? ALIKE
                   : (differs(w, trapped ? ir_trap_id(o.trap) : "end", 0,
                              o.end),
                      DIFFERENT);
    if (native_end == -1)
        return trapped && o.trap == IR_TRAP_ASSERT && o.text &&
                       strcmp(o.text, native_text) == 0
                   ? ALIKE
                   : DIFFERENT;
    if (native_end == SIGFPE)
        return trapped && o.trap == IR_TRAP_DIVISION ? ALIKE : DIFFERENT;
    if (native_end == SIGABRT)
        return trapped && o.trap == IR_TRAP_ABORT ? ALIKE : DIFFERENT;
    return trapped && o.trap == IR_TRAP_NULL ? ALIKE : DIFFERENT;
}

static bool same_events(struct world *w)
{
    if (w->events[0].n != w->events[1].n)
        return differs(w, "operations", w->events[0].n, w->events[1].n);
    for (uint32_t i = 0; i < w->events[0].n; i++) {
        const struct event *a = &w->events[0].at[i], *b = &w->events[1].at[i];
        if (a->op != b->op || strcmp(a->name, b->name) != 0)
            return differs(w, "operation", a->op, b->op);
        if (a->to != b->to)
            return differs(w, "destination", a->to, b->to);
        if (!a->payload != !b->payload)
            return differs(w, "payload", a->payload, b->payload);
        if (a->payload && a->type != IR_NOTHING &&
            !same(w, a->type, a->payload, b->payload, 0))
            return differs(w, a->name, 0, 0);
    }
    return true;
}

static void world_free(struct world *w)
{
    interp_free(w->p);
    for (int s = 0; s < 2; s++)
        vec_free(&w->events[s]);
    // native memory stays: the program may hold on to it
    vec_free(&w->owned);
}

struct subject {
    const struct ir *ir;
    const char *file;
    tr_fn *native;
    uint32_t fn, state, msg; // IR function, debug types
};

static enum verdict run_once(const struct subject *s, uint64_t seed)
{
    struct world w = {.ir = s->ir, .rng = rng_of(seed), .seed = seed};
    struct interp_host host = {.self = &w, .actor = ours_actor};
    w.p = interp_new(s->ir, &host);
    uint64_t n = s->ir->types.at[s->state].size;
    uint64_t m = s->ir->types.at[s->msg].size;
    uint64_t state[2] = {P(native_alloc(&w, n)), interp_alloc(w.p, n)};
    uint64_t msg[2] = {P(native_alloc(&w, m)), interp_alloc(w.p, m)};
    fill(&w, s->state, state, 0);
    fill(&w, s->msg, msg, 0);
    now = &w;
    w.side = OURS;
    union ir_bits args[3] = {
        {.i = 0x900}, {.i = state[OURS]}, {.i = msg[OURS]}};
    interp_budget(w.p, 2000000);
    struct interp_outcome o = interp_call(w.p, s->fn, args, 3, NULL);
    w.side = NATIVE;
    native_end = 0;
    // outside of its memory, anything may happen natively
    bool wild = o.end == INTERP_UNSUPPORTED || o.end == INTERP_BAD_ACCESS ||
                (o.end == INTERP_TRAPPED && o.trap == IR_TRAP_BOUNDS);
    int how = wild ? 1 : sigsetjmp(out_of_native, 1);
    if (!how) {
        alarm(1);
        s->native((tr_ctx *)(uintptr_t)0x900, (void *)(uintptr_t)state[NATIVE],
                  (void *)(uintptr_t)msg[NATIVE]);
    }
    alarm(0);
    w.side = OURS;
    enum verdict v = compare_ends(&w, how, o);
    if (v == ALIKE && native_end != SIGALRM &&
        (!same_events(&w) || !same(&w, s->state, state[0], state[1], 0)))
        v = DIFFERENT;
    if (v == DIFFERENT)
        fprintf(stderr, "%s: %s, sample %llu: %s (native %d, ours %d %s)\n",
                s->file, s->ir->fns.at[s->fn]->name, (unsigned long long)seed,
                w.said, native_end, o.end,
                o.end == INTERP_TRAPPED ? ir_trap_id(o.trap) : "");
    now = NULL;
    world_free(&w);
    return v;
}

struct totals {
    uint32_t handlers, alike, different, skipped;
};

static void run_handler(const struct subject *s, struct totals *t)
{
    uint32_t counts[3] = {0, 0, 0};
    uint32_t n = (uint32_t)test_share(30);
    int fd[2];
    if (pipe(fd) != 0)
        return;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stdout))
            _exit(2);
        catch_signals();
        for (uint32_t i = 1; i <= n; i++)
            counts[run_once(s, i)]++;
        if (write(fd[1], counts, sizeof counts) != sizeof counts)
            _exit(2);
        _exit(0);
    }
    close(fd[1]);
    int status;
    waitpid(child, &status, 0);
    if (read(fd[0], counts, sizeof counts) != sizeof counts) {
        fprintf(stderr, "%s: %s: the process ended with %d\n", s->file,
                s->ir->fns.at[s->fn]->name, status);
        counts[DIFFERENT]++;
    }
    close(fd[0]);
    t->handlers++;
    t->alike += counts[ALIKE];
    t->different += counts[DIFFERENT];
    t->skipped += counts[SKIPPED];
}

static void run_program(const char *file, const char *dir, struct totals *t)
{
    char command[1024], object[SCRATCH + 16];
    const char *flags[] = {"-Iinclude"}, *paths[] = {file};
    struct ir_options o = {.flags = flags, .n_flags = 1, .cache = dir};
    struct diag d = {0};
    struct ir *ir = ir_load(paths, 1, &o, &d);
    static int count;
    snprintf(object, sizeof object, "%s/%d.so", dir, count++);
    snprintf(command, sizeof command,
             "clang-19 -std=gnu17 -w -g -O0 -ffp-contract=off -shared -fPIC "
             "'-Dmalloc(n)=test_malloc(n)' '-Dfree(p)=test_free(p)' "
             "'-Drealloc(p,n)=test_realloc(p,n)' "
             "-Iinclude %s -o %s -lm",
             file, object);
    void *so = ir && system(command) == 0 ? dlopen(object, RTLD_NOW) : NULL;
    CHECK(so);
    if (!so)
        fprintf(stderr, "%s: %s\n", file, ir ? dlerror() : d.text);
    for (uint32_t b = 0; so && b < ir->behaviours.n; b++) {
        const struct ir_behaviour *k = &ir->behaviours.at[b];
        const tr_behaviour *native = dlsym(so, ir->globals.at[k->global].name);
        for (uint32_t i = 0; native && i < k->n; i++) {
            if (k->rows[i].policy || k->rows[i].fn == IR_NOTHING)
                continue;
            const struct ir_fn *fn = ir->fns.at[k->rows[i].fn];
            struct subject s = {ir,     file,       native->on[i].fn,
                                fn->id, IR_NOTHING, IR_NOTHING};
            if (fn->n_types == 4) {
                uint32_t self = ir_bare_type(ir, fn->types[2]);
                uint32_t msg = ir_bare_type(ir, fn->types[3]);
                s.state = ir_bare_type(ir, ir->types.at[self].base);
                s.msg = ir_bare_type(ir, ir->types.at[msg].base);
            }
            CHECK(s.state != IR_NOTHING && s.msg != IR_NOTHING);
            if (s.state != IR_NOTHING && s.msg != IR_NOTHING)
                run_handler(&s, t);
        }
    }
    if (so)
        dlclose(so);
    ir_free(ir);
    diag_free(&d);
}

TEST(handlers_do_the_same_natively_and_on_the_ir)
{
    scratch_path dir;
    struct totals t = {0};
    glob_t g = {0};
    scratch_new(dir);
    glob("programs/*/*.c", 0, NULL, &g);
    glob("examples/*/*.c", GLOB_APPEND, NULL, &g);
    for (size_t i = 0; i < g.gl_pathc; i++)
        if (test_takes(i) &&
            !ends(g.gl_pathv[i], "/driver.c")) // has no program of its own
            run_program(g.gl_pathv[i], dir, &t);
    globfree(&g);
    printf("%u handlers: %u runs alike, %u different, %u not comparable\n",
           t.handlers, t.alike, t.different, t.skipped);
    CHECK_EQ(t.different, 0);
    CHECK(t.alike > 10 * t.skipped || !test_whole());
    scratch_remove(dir);
}

TEST_MAIN()

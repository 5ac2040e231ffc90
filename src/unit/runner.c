#include "unit/runner.h"

#include "base/child.h"
#include "base/diag.h"
#include "base/die.h"
#include "base/text.h"
#include "stage/hits.h"
#include "unit/literal.h"
#include "unit/places.h"
#include "unit/spell.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 1, GAP = 64, PLACES_MOST = 512, DEPTH_MOST = 3 };
enum { REPLY = 1 };

// What a child leaves even if it dies.
struct traces {
    uint32_t trap; // 1 + hit of the first failed check
    uint64_t steps;
};
static struct traces *traces;

bool runner_open(const struct unit_subject *s, struct diag *d)
{
    void *p = mmap(NULL, sizeof *traces, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED || !hits_open(s->ir->n_hits))
        return diag_set(d, EXIT_FAULT, "no memory for the map of hits");
    traces = p;
    return true;
}

void runner_close(void)
{
    if (traces)
        munmap(traces, sizeof *traces);
    traces = NULL;
    hits_close();
}

void runner_release(struct runner_outcome *o)
{
    vec_free(&o->after);
    vec_free(&o->freed);
}

// ---- in the child: memory
// -----------------------------------------------------

struct block {
    char *at;
    size_t size;
    bool live;
};

struct variable {
    char *at;
    char *first; // what it held before any call
    uint64_t size;
    uint32_t global;
};

struct runner_process {
    const struct unit_subject *s;
    void *object;
    uint8_t fill;
    VEC(struct block) blocks;
    VEC(struct variable) variables;
    // While a call runs:
    const struct input *in;
    const struct runner_layout *layout;
    VEC(uint32_t) freed;
    int fd; // to the parent
};

static struct runner_process *here;

static void *note_block(void *p, size_t size)
{
    if (p)
        vec_push(&here->blocks, ((struct block){p, size, true}));
    return p;
}

static void *hook_malloc(size_t size)
{
    void *p = malloc(size ? size : 1);
    if (p)
        memset(p, here->fill, size);
    return note_block(p, size);
}

static void *hook_calloc(size_t n, size_t size)
{
    return note_block(calloc(n, size), n * size);
}

// Was it one of the input's objects that is given back?
static bool free_object(const void *p)
{
    for (uint32_t i = 0; here->in && i < here->in->objects.n; i++)
        if (here->layout->at[i] == p) {
            for (uint32_t k = 0; k < here->freed.n; k++)
                if (here->freed.at[k] == i)
                    abort(); // twice, as the C library has it
            vec_push(&here->freed, i);
            return true;
        }
    return false;
}

static void hook_free(void *p)
{
    if (!p || free_object(p))
        return;
    for (uint32_t i = here->blocks.n; i--;)
        if (here->blocks.at[i].at == p && here->blocks.at[i].live) {
            here->blocks.at[i].live = false;
            return; // kept, so that its address means one thing only
        }
    free(p); // somebody else's, or none: the C library says what it thinks
}

static size_t size_of_block(const void *p)
{
    for (uint32_t i = here->blocks.n; i--;)
        if (here->blocks.at[i].at == p)
            return here->blocks.at[i].size;
    for (uint32_t i = 0; here->in && i < here->in->objects.n; i++)
        if (here->layout->at[i] == p)
            return here->in->objects.at[i].size;
    return 0;
}

static void *hook_realloc(void *p, size_t size)
{
    void *q = hook_malloc(size);
    if (p && q) {
        size_t old = size_of_block(p);
        memcpy(q, p, old < size ? old : size);
        hook_free(p);
    }
    return q;
}

static _Noreturn void say_end(enum runner_end end, int status)
{
    struct text t = {0};
    wire_begin(&t, REPLY);
    wire_put32(&t, end);
    wire_put32(&t, (uint32_t)status & 0xff);
    wire_put32(&t, 0);
    wire_put32(&t, 0);
    wire_send(here->fd, &t);
    _exit(0);
}

static void say_exit(int status)
{
    say_end(RUNNER_EXITED, status);
}

// The n-th call of a stub returns the n-th of its values, later ones the last.
static void hook_stub(unsigned which, void *result, size_t size)
{
    static uint32_t calls[256];
    const char *name = here->s->stubs.at[which];
    memset(result, 0, size);
    for (uint32_t i = 0; here->in && i < here->in->objects.n; i++) {
        const struct input_object *o = &here->in->objects.at[i];
        if (o->role != INPUT_STUB || strcmp(o->name, name) != 0)
            continue;
        uint32_t n = calls[which % 256]++;
        uint64_t last = o->size / 8 - 1;
        memcpy(result, here->layout->at[i] + 8 * (n < last ? n : last), size);
    }
}

// ---- assumptions of troupe_unit.h
// ---------------------------------------------

// The object that an address lies in, UINT32_MAX if it is none.
static uint32_t object_at(uint64_t address)
{
    for (uint32_t i = 0; here->in && i < here->in->objects.n; i++) {
        uint64_t at = (uint64_t)(uintptr_t)here->layout->at[i];
        if (here->in->objects.at[i].role != INPUT_PARAM && address >= at &&
            address < at + here->in->objects.at[i].size)
            return i;
    }
    return UINT32_MAX;
}

enum { UNSEEN, OPEN, DONE };

// Mark what can be reached; true if some object is reached from itself.
static bool reach(const void *from, uint8_t *state)
{
    uint32_t i = object_at((uint64_t)(uintptr_t)from);
    bool ring = false;
    if (i == UINT32_MAX || state[i] == DONE)
        return false;
    if (state[i] == OPEN)
        return true;
    state[i] = OPEN;
    for (uint64_t k = 0; k + 8 <= here->in->objects.at[i].size; k += 8) {
        uint64_t p;
        memcpy(&p, here->layout->at[i] + k, sizeof p);
        ring |= reach((const void *)(uintptr_t)p, state);
    }
    state[i] = DONE;
    return ring;
}

static int hook_distinct(const void *a, const void *b)
{
    return !a || a != b;
}

static int hook_apart(const void *a, const void *b)
{
    uint8_t x[256] = {0}, y[256] = {0};
    reach(a, x);
    reach(b, y);
    for (uint32_t i = 0; i < 256; i++)
        if (x[i] && y[i])
            return 0;
    return 1;
}

static int hook_acyclic(const void *a)
{
    uint8_t state[256] = {0};
    return !reach(a, state);
}

static int hook_count(const void *p, size_t n, size_t size)
{
    uint32_t i = object_at((uint64_t)(uintptr_t)p);
    if (!p || i == UINT32_MAX)
        return n == 0;
    const char *end = here->layout->at[i] + here->in->objects.at[i].size;
    return n <= (size_t)(end - (const char *)p) / (size ? size : 1);
}

bool runner_allows(struct runner_process *p, runner_thunk *pre,
                   const struct input *in, const struct runner_layout *l)
{
    uint64_t result[2] = {0};
    p->in = in;
    p->layout = l;
    pre(l->params, result);
    return result[0] & 0xff;
}

static void note_trap(void *user, uint32_t hit)
{
    (void)user;
    ((uint8_t *)hits_map())[hit] = 1;
    if (!traces->trap)
        traces->trap = hit + 1;
}

static void note_compare(void *user, uint32_t site, uint32_t op, uint32_t bits,
                         uint64_t a, uint64_t b)
{
    (void)user, (void)site, (void)op, (void)bits, (void)a, (void)b;
    traces->steps++;
}

static void note_floats(void *user, uint32_t site, uint32_t mask, double a,
                        double b)
{
    (void)user, (void)site, (void)mask, (void)a, (void)b;
    traces->steps++;
}

static void note_cases(void *user, uint32_t site, uint32_t bits, uint64_t v,
                       const uint64_t *cases, uint32_t n)
{
    (void)user, (void)site, (void)bits, (void)v, (void)cases, (void)n;
    traces->steps++;
}

static void find_variables(struct runner_process *p)
{
    struct arena a = {0};
    for (uint32_t i = 0; i < p->s->variables.n; i++) {
        uint32_t g = p->s->variables.at[i];
        const struct ir_global *v = &p->s->ir->globals.at[g];
        void *(*where)(void);
        void *symbol =
            dlsym(p->object, arena_format(&a, "unit_at_%s", v->name));
        memcpy(&where, &symbol, sizeof where);
        if (!symbol)
            continue;
        struct variable w = {where(), need(v->size + 1), v->size, g};
        memcpy(w.first, w.at, v->size);
        vec_push(&p->variables, w);
    }
    arena_free(&a);
}

struct runner_process *runner_load(const struct unit_subject *s, uint8_t fill)
{
    static const struct hits_watcher watcher = {.trapped = note_trap,
                                                .compare = note_compare,
                                                .floats = note_floats,
                                                .cases = note_cases};
    void *object = dlopen(s->object, RTLD_LAZY | RTLD_LOCAL);
    struct unit_hooks *hooks = object ? dlsym(object, "unit_hooks") : NULL;
    if (!hooks)
        return NULL;
    struct runner_process *p = need_zero(sizeof *p);
    p->object = object;
    *hooks = (struct unit_hooks){
        hook_malloc, hook_calloc,   hook_realloc, hook_free,    say_exit,
        hook_stub,   hook_distinct, hook_apart,   hook_acyclic, hook_count};
    p->s = s;
    p->fill = fill;
    here = p;
    hits_watch(&watcher);
    find_variables(p);
    return p;
}

uint64_t runner_address(struct runner_process *p, uint32_t fn)
{
    const char *name = p->s->ir->fns.at[fn]->name;
    return (uint64_t)(uintptr_t)dlsym(p->object, name);
}

void runner_on_exit(struct runner_process *p, void (*on_exit)(int status))
{
    struct unit_hooks *hooks = dlsym(p->object, "unit_hooks");
    hooks->exit = on_exit;
}

void runner_reset(struct runner_process *p)
{
    for (uint32_t i = 0; i < p->variables.n; i++)
        memcpy(p->variables.at[i].at, p->variables.at[i].first,
               p->variables.at[i].size);
}

void runner_forget(struct runner_process *p)
{
    for (uint32_t i = 0; i < p->blocks.n; i++)
        free(p->blocks.at[i].at);
    vec_clear(&p->blocks);
    vec_clear(&p->freed);
}

runner_thunk *runner_function(struct runner_process *p, const struct ir_fn *f)
{
    struct arena a = {0};
    runner_thunk *out;
    void *symbol = dlsym(p->object, unit_thunk(&a, f));
    memcpy(&out, &symbol, sizeof out);
    arena_free(&a);
    return symbol ? out : NULL;
}

// ---- laying out
// -----------------------------------------------------------------

static char *guarded(uint64_t size, bool before)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t room = (size + page - 1) / page * page;
    char *all =
        mmap(NULL, room + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED)
        die("no memory");
    char *inner = before ? all + page : all;
    mprotect(inner, room, PROT_READ | PROT_WRITE);
    return before ? inner : inner + room - size;
}

static char *place_for(struct runner_process *p, const struct input_object *o,
                       struct arena *a)
{
    if (o->role == INPUT_GLOBAL)
        for (uint32_t i = 0; i < p->variables.n; i++)
            if (strcmp(p->s->ir->globals.at[p->variables.at[i].global].name,
                       o->name) == 0)
                return p->variables.at[i].at;
    if (o->form == CALL_BEHIND || o->form == CALL_BEFORE)
        return guarded(o->size, o->form == CALL_BEFORE);
    char *room = arena_get(a, o->size + 2 * GAP);
    memset(room, 0, o->size + 2 * GAP);
    return room + GAP;
}

static uint64_t address_of(struct runner_process *p, const struct input_link *l,
                           const struct runner_layout *at)
{
    if (l->fn != IR_NOTHING)
        return runner_address(p, l->fn);
    if (l->object == IR_NOTHING)
        return 0;
    return (uint64_t)(uintptr_t)at->at[l->object] + (uint64_t)l->to;
}

static void fill_object(struct runner_process *p, const struct input_object *o,
                        const struct runner_layout *l, char *to)
{
    if (o->role == INPUT_GLOBAL) {
        for (uint64_t i = 0; i < o->size; i++)
            if (o->known[i])
                to[i] = (char)o->bytes[i];
    } else {
        memcpy(to, o->bytes, o->size);
    }
    for (uint32_t k = 0; k < o->links.n; k++) {
        uint64_t at = address_of(p, &o->links.at[k], l);
        memcpy(to + o->links.at[k].offset, &at, sizeof at);
    }
}

void runner_lay_out(struct runner_process *p, const struct input *in,
                    struct arena *a, struct runner_layout *l)
{
    uint32_t n = 0;
    l->at = arena_zero(a, (in->objects.n + 1ul) * sizeof *l->at);
    l->params = arena_zero(a, (in->objects.n + 1ul) * sizeof *l->params);
    for (uint32_t i = 0; i < in->objects.n; i++)
        l->at[i] = place_for(p, &in->objects.at[i], a);
    for (uint32_t i = 0; i < in->objects.n; i++) {
        fill_object(p, &in->objects.at[i], l, l->at[i]);
        if (in->objects.at[i].role == INPUT_PARAM)
            l->params[n++] = l->at[i];
    }
}

// ---- what came of it
// --------------------------------------------------------------

struct teller {
    struct runner_process *p;
    struct arena *a;
    const struct input *in;
    const struct runner_layout *l;
    struct text *out;
    uint32_t n;
    uint32_t depth;
};

static void put_value(struct teller *t, enum call_kind kind, const char *place,
                      const char *value)
{
    wire_put32(t->out, kind);
    wire_put_string(t->out, place);
    wire_put_string(t->out, value);
    t->n++;
}

static void tell_type(struct teller *t, uint32_t type, const char *memory,
                      const char *place, uint64_t room);

// New memory that a pointer leads to, by the names "place->field".
static void tell_new(struct teller *t, uint32_t type, const char *at,
                     uint64_t room, const char *place)
{
    const struct ir *ir = t->p->s->ir;
    uint32_t to = spell_bare(ir, type)->base;
    const struct ir_dtype *b = spell_bare(ir, to);
    if (literal_is_char(ir, to)) {
        struct text s = {0};
        uint64_t n = strnlen(at, room);
        literal_text((const uint8_t *)at, n < room ? n + 1 : n, &s);
        if (n < room && n < 200)
            put_value(t, CALL_TEXT, place, text_get(&s));
        text_free(&s);
        return;
    }
    if (!b->size || b->size > room || t->depth >= DEPTH_MOST)
        return;
    t->depth++;
    if (b->kind == IR_D_STRUCT)
        tell_type(t, to, at, arena_format(t->a, "%s->", place), room);
    else
        for (uint64_t i = 0; i < room / b->size && i < 64; i++)
            tell_type(
                t, to, at + i * b->size,
                arena_format(t->a, "%s[%llu]", place, (unsigned long long)i),
                b->size);
    t->depth--;
}

static bool tell_link(struct teller *t, const char *p, const char *place)
{
    for (uint32_t i = 0; i < t->in->objects.n; i++) {
        const struct input_object *o = &t->in->objects.at[i];
        const char *at = t->l->at[i];
        if (o->role == INPUT_PARAM || o->role == INPUT_STUB || p < at ||
            p >= at + o->size + (o->array ? 1 : 0))
            continue;
        put_value(t, CALL_POINTER, place,
                  input_address(t->p->s->ir, t->a, o, p - at));
        return true;
    }
    return false;
}

static void tell_pointer(struct teller *t, uint32_t type, const char *p,
                         const char *place)
{
    if (!p) {
        put_value(t, CALL_POINTER, place, "NULL");
        return;
    }
    if (tell_link(t, p, place))
        return;
    for (uint32_t i = 0; i < t->p->blocks.n; i++) {
        const struct block *b = &t->p->blocks.at[i];
        if (p != b->at || !b->live)
            continue;
        put_value(t, CALL_POINTER, place, "new");
        tell_new(t, type, b->at, b->size, place);
        return;
    }
}

struct scalars {
    struct teller *t;
    const char *memory, *prefix;
    const struct input_object *was; // NULL: tell all
    uint64_t base;
    uint64_t told; // bytes before this one
};

static bool concerns(const struct scalars *s, const struct place *p)
{
    uint64_t at = s->base + p->offset;
    if (!s->was)
        return true;
    for (uint32_t i = 0; i < p->bytes; i++)
        if (s->was->known[at + i])
            return true;
    if (input_link_at(s->was, at))
        return true;
    return memcmp(s->was->bytes + at, s->memory + p->offset, p->bytes) != 0;
}

static void tell_scalar(void *self, const struct place *p)
{
    struct scalars *s = self;
    struct teller *t = s->t;
    const struct ir *ir = t->p->s->ir;
    if (!concerns(s, p) || (p->in_union && p->offset < s->told))
        return;
    if (p->in_union && s->was &&
        (places_kind(ir, p->type) == CALL_POINTER) !=
            (input_link_at(s->was, s->base + p->offset) != NULL))
        return; // the other view of these bytes
    s->told = p->offset + p->bytes;
    const char *path = p->path;
    size_t n = strlen(s->prefix);
    if (n > 1 && s->prefix[n - 1] == '>' && *path == '.')
        path++;
    const char *place = arena_format(t->a, "%s%s", s->prefix, path);
    union ir_bits v = {.i = 0};
    memcpy(v.b, s->memory + p->offset, p->bytes < 16 ? p->bytes : 16);
    if (p->bits)
        v.i = ir_cut(v.i >> p->bit, p->bits);
    enum call_kind kind = places_kind(ir, p->type);
    if (kind == CALL_POINTER) {
        tell_pointer(t, p->type, (const char *)(uintptr_t)v.i, place);
        return;
    }
    struct text text = {0};
    literal(ir, p->type, p->bits ? p->bits : p->bytes * 8, v, &text);
    put_value(t, kind, place, text_get(&text));
    text_free(&text);
}

static void tell_type(struct teller *t, uint32_t type, const char *memory,
                      const char *place, uint64_t room)
{
    uint64_t size = spell_bare(t->p->s->ir, type)->size;
    struct scalars s = {.t = t, .memory = memory, .prefix = place};
    places(t->p->s->ir, type, room > size ? room - size : 0, PLACES_MOST,
           tell_scalar, &s);
}

static void tell_object(struct teller *t, uint32_t i)
{
    const struct ir *ir = t->p->s->ir;
    const struct input_object *o = &t->in->objects.at[i];
    uint64_t each = o->count ? o->size / o->count : o->size;
    for (uint32_t k = 0; k < t->p->freed.n; k++)
        if (t->p->freed.at[k] == i)
            return;
    for (uint64_t k = 0; k < o->count; k++) {
        const char *place = input_place(ir, t->a, o, k, "");
        if (!o->array && o->role == INPUT_OBJECT && o->form != CALL_LOCAL &&
            spell_bare(ir, o->type)->kind == IR_D_STRUCT)
            place = arena_format(t->a, "%s->", o->name);
        struct scalars s = {.t = t,
                            .memory = t->l->at[i] + k * each,
                            .prefix = place,
                            .was = o,
                            .base = o->array ? k * each : 0};
        places(ir, o->type, o->more, PLACES_MOST, tell_scalar, &s);
    }
}

static bool is_input(const struct input *in, const char *name)
{
    for (uint32_t i = 0; i < in->objects.n; i++)
        if (in->objects.at[i].role == INPUT_GLOBAL &&
            strcmp(in->objects.at[i].name, name) == 0)
            return true;
    return false;
}

// Variables that the call changed, though it was given none of them.
static void tell_variables(struct teller *t)
{
    const struct ir *ir = t->p->s->ir;
    for (uint32_t i = 0; i < t->p->variables.n; i++) {
        const struct variable *v = &t->p->variables.at[i];
        const struct ir_global *g = &ir->globals.at[v->global];
        if (is_input(t->in, g->name) || memcmp(v->at, v->first, v->size) == 0)
            continue;
        bool *none = arena_zero(t->a, v->size + 1);
        struct input_object was = {
            .bytes = (uint8_t *)v->first, .known = none, .size = v->size};
        struct scalars s = {
            .t = t, .memory = v->at, .prefix = g->name, .was = &was};
        places(ir, g->type, 0, PLACES_MOST, tell_scalar, &s);
    }
}

static void tell_all(struct teller *t, const struct ir_fn *f,
                     const char *result)
{
    const struct ir *ir = t->p->s->ir;
    if (ir_bare_type(ir, f->types[0]) != IR_NOTHING)
        tell_type(t, f->types[0], result, "result", 0);
    for (uint32_t i = 0; i < t->in->objects.n; i++)
        if (t->in->objects.at[i].role == INPUT_OBJECT ||
            t->in->objects.at[i].role == INPUT_GLOBAL)
            tell_object(t, i);
    tell_variables(t);
}

// ---- one run
// ----------------------------------------------------------------------

struct job {
    const struct unit_subject *s;
    const struct ir_fn *f;
    uint32_t pre;
    const struct input *in;
    uint8_t fill;
};

static void calm(void)
{
    struct rlimit none = {0, 0};
    int nothing = open("/dev/null", O_RDWR);
    setrlimit(RLIMIT_CORE, &none);
    dup2(nothing, STDIN_FILENO);
    for (int s = 1; s < 32; s++)
        signal(s, SIG_DFL);
    alarm(SECONDS);
}

// What the call finds on the stack where it has written nothing yet.
__attribute__((noinline)) static void dirty_stack(uint8_t fill)
{
    volatile uint8_t room[16384];
    for (size_t i = 0; i < sizeof room; i++)
        room[i] = fill;
}

// What the precondition passes does not belong to the run.
static void check_pre(struct runner_process *p, const struct job *j,
                      const struct runner_layout *l)
{
    runner_thunk *pre = runner_function(p, j->s->ir->fns.at[j->pre]);
    if (!pre || !runner_allows(p, pre, j->in, l) || traces->trap)
        say_end(RUNNER_REFUSED, 0);
    memset(hits_map(), 0, j->s->ir->n_hits);
    traces->steps = 0;
}

static void send_all(struct runner_process *p, struct arena *a,
                     const struct job *j, const char *result)
{
    struct text t = {0}, values = {0};
    struct teller w = {
        .p = p, .a = a, .in = j->in, .l = p->layout, .out = &values};
    tell_all(&w, j->f, result);
    wire_begin(&t, REPLY);
    wire_put32(&t, RUNNER_RETURNED);
    wire_put32(&t, 0);
    wire_put32(&t, p->freed.n);
    for (uint32_t i = 0; i < p->freed.n; i++)
        wire_put32(&t, p->freed.at[i]);
    wire_put32(&t, w.n);
    text_bytes(&t, text_get(&values), values.n);
    wire_send(p->fd, &t);
}

static void run_here(void *self, int fd)
{
    const struct job *j = self;
    struct arena a = {0};
    struct runner_layout l;
    struct runner_process *p = runner_load(j->s, j->fill);
    runner_thunk *call = p ? runner_function(p, j->f) : NULL;
    if (!call)
        _exit(EXIT_FAILURE);
    calm();
    p->fd = fd;
    uint64_t size = spell_bare(j->s->ir, j->f->types[0])->size;
    char *result = arena_zero(&a, size + 16);
    runner_lay_out(p, j->in, &a, &l);
    p->in = j->in;
    p->layout = &l;
    if (j->pre != IR_NOTHING)
        check_pre(p, j, &l);
    dirty_stack(j->fill);
    call(l.params, result);
    alarm(0);
    send_all(p, &a, j, result);
}

static void take(struct wire_reader *r, struct arena *a,
                 struct runner_outcome *out)
{
    out->end = (enum runner_end)wire_get_below(r, RUNNER_LATE);
    out->number = (int)wire_get32(r);
    for (uint32_t n = wire_get32(r); n-- && !r->bad;)
        vec_push(&out->freed, wire_get32(r));
    for (uint32_t n = wire_get32(r); n-- && !r->bad;) {
        struct call_value v;
        v.kind = (enum call_kind)wire_get_below(r, CALL_KINDS_N);
        const char *place = wire_get_string(r), *value = wire_get_string(r);
        v.place = arena_text(a, place ? place : "");
        v.value = arena_text(a, value ? value : "");
        if (!r->bad)
            vec_push(&out->after, v);
    }
}

bool runner_run(const struct unit_subject *s, struct arena *a,
                const struct ir_fn *f, uint32_t pre, const struct input *in,
                uint8_t fill, struct runner_outcome *out)
{
    struct job j = {s, f, pre, in, fill};
    struct child_plan plan = {
        .body = run_here, .self = &j, .signals = CHILD_DIES, .quiet = true};
    struct wire_in wire = {0};
    struct wire_message m;
    int status = 0;
    memset(out, 0, sizeof *out);
    memset(hits_map(), 0, s->ir->n_hits);
    traces->trap = 0;
    traces->steps = 0;
    enum child_answer answer =
        child_ask(&plan, SECONDS + 3, &wire, &m, &status);
    if (answer == CHILD_ANSWERED)
        take(&m.body, a, out);
    else if (answer == CHILD_LATE ||
             (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM))
        out->end = RUNNER_LATE;
    else if (WIFSIGNALED(status))
        *out = (struct runner_outcome){.end = RUNNER_SIGNALLED,
                                       .number = WTERMSIG(status)};
    bool ok =
        answer == CHILD_ANSWERED || answer == CHILD_LATE || WIFSIGNALED(status);
    out->trap = traces->trap ? traces->trap - 1 : IR_NOTHING;
    out->steps = traces->steps;
    out->hits = arena_copy(a, hits_map(), s->ir->n_hits + 1ul);
    wire_free(&wire);
    return ok;
}

static const struct call_value *find(const struct runner_outcome *o,
                                     const char *place, enum call_kind kind)
{
    for (uint32_t i = 0; i < o->after.n; i++)
        if (strcmp(o->after.at[i].place, place) == 0 &&
            o->after.at[i].kind == kind)
            return &o->after.at[i];
    return NULL;
}

int runner_agree(struct runner_outcome *a, const struct runner_outcome *b)
{
    uint32_t kept = 0, n = a->after.n;
    if (a->end != b->end || a->number != b->number)
        return -1;
    for (uint32_t i = 0; i < n; i++) {
        struct call_value v = a->after.at[i];
        const struct call_value *w = find(b, v.place, v.kind);
        if (w && strcmp(w->value, v.value) == 0)
            a->after.at[kept++] = v;
    }
    a->after.n = kept;
    return (int)(n - kept);
}

// Memory of the program under test: what it allocates, what an input lays out.
#include "unit/runner_process.h"

#include "base/arena.h"
#include "base/die.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { GAP = 64 };
enum { FILLED_MOST = 1 << 16 }; // bytes of an allocation that nobody wrote yet

// ---- memory -----------------------------------------------------------------

static struct runner_process *here;

// Addresses in the middle of 64 GB that nothing else uses: an index of 32 bits
// does not lead out of these.  They go up, but with BEFORE they go down, and
// the first object's address differs from that with BEHIND in each of the bits
// 12 to 31: what looks at these differs between the two runs.
static char *desert(uint64_t size)
{
    static const uint64_t all = UINT64_C(64) << 30, quarter = UINT64_C(1) << 32;
    static const uint64_t up_from = 0x2aaaa000, down_from = 0xd5556000;
    static char *from, *at;
    bool down = here->guard == RUNNER_BEFORE;
    if (!from) {
        from = at = mmap(NULL, all, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (from != MAP_FAILED)
            at = (char *)(((uintptr_t)from + all / 2) / quarter * quarter) +
                 (down ? down_from : up_from);
    }
    uint64_t used = from == MAP_FAILED ? all : (uint64_t)(at - from);
    if (size > (down ? used : all - used) / 2) { // not there, or used up
        char *own =
            mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return own == MAP_FAILED ? NULL : own;
    }
    at += down ? -(int64_t)size : (int64_t)size;
    return down ? at : at - size;
}

static char *guarded(uint64_t size, bool before)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t room = (size + page - 1) / page * page;
    room = room ? room : page;
    char *all = desert(room + page);
    if (!all)
        die("no memory");
    char *inner = before ? all + page : all;
    mprotect(inner, room, PROT_READ | PROT_WRITE);
    return before ? inner : inner + room - size;
}

static void *note_block(void *p, size_t size)
{
    if (p)
        vec_push(&here->blocks, ((struct block){p, size, true}));
    return p;
}

// What is given back may not be touched any more.
static bool is_fenced(const struct runner_process *p)
{
    return p->guard == RUNNER_FENCED || p->guard == RUNNER_BEFORE;
}

static uint64_t pages(uint64_t size)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    return (size + page - 1) / page * page;
}

// Nobody may touch it any more.
static void forbid(void *p, uint64_t size)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uintptr_t at = (uintptr_t)p / page * page;
    if (is_fenced(here))
        mprotect((void *)at, pages((uintptr_t)p - at + size), PROT_NONE);
}

// Memory before a page that may not be touched.  What is allocated for a type
// has a size that its alignment divides, so an odd size may lie anywhere.
static void *tight(uint64_t size)
{
    uint64_t align = size & -size;
    align = align && align < 16 ? align : 16;
    return guarded((size + align - 1) / align * align, false);
}

// Does the allocation at hand give NULL?
static bool fails(void)
{
    if (here->on_allocation)
        here->on_allocation();
    if (!here->in || ++here->allocations != here->in->fails)
        return false;
    errno = ENOMEM;
    return true;
}

static void *hook_malloc(size_t size)
{
    if (fails())
        return NULL;
    void *p = here->guard == RUNNER_HEAP ? tight(size)
              : is_fenced(here)          ? guarded(size ? size : 1, true)
                                         : malloc(size ? size : 1);
    if (p)
        memset(p, here->fill, size < FILLED_MOST ? size : FILLED_MOST);
    return note_block(p, size);
}

static void *hook_calloc(size_t n, size_t size)
{
    if (fails())
        return NULL;
    void *p = here->guard == RUNNER_HEAP ? tight(n * size)
              : is_fenced(here)          ? guarded(n * size + !size, true)
                                         : calloc(n, size);
    return note_block(p, n * size);
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
            if (here->on_free)
                here->on_free(i);
            forbid(here->layout->at[i], here->in->objects.at[i].size);
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
            forbid(p, here->blocks.at[i].size);
            return; // kept, so that its address means one thing only
        }
    for (uint32_t i = 0; i < here->blocks.n; i++)
        if (here->blocks.at[i].at == p)
            abort(); // twice, as the C library has it
    free(p); // somebody else's, or none: the C library says what it thinks
}

// A file of the input stays open, so that it can be looked at.
static int hook_fclose(void *file)
{
    for (uint32_t i = 0; here->in && i < here->in->objects.n; i++)
        if (here->layout->files[i] && here->layout->files[i] == file) {
            vec_push(&here->freed, i);
            if (here->on_free)
                here->on_free(i);
            return fflush(file);
        }
    return fclose(file);
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

// The n-th call of a stub returns the n-th of its values, later ones the last.
static void hook_stub(unsigned which, void *result, size_t size)
{
    static uint32_t calls[1024];
    struct arena a = {0};
    bool written = which >= unit_write(0, 0);
    uint32_t stub = written ? (which & 0xffff) >> 3 : which;
    const char *name = here->s->stubs.at[stub];
    if (written)
        name = unit_write_name(&a, name, which & 7);
    memset(result, 0, size);
    for (uint32_t i = 0; here->in && i < here->in->objects.n; i++) {
        const struct input_object *o = &here->in->objects.at[i];
        if (o->role != INPUT_STUB || strcmp(o->name, name) != 0)
            continue;
        uint32_t n =
            calls[(written ? 8 * stub + (which & 7) + 256 : stub) % 1024]++;
        uint64_t last = o->size / 8 - 1;
        memcpy(result, here->layout->at[i] + 8 * (n < last ? n : last), size);
    }
    arena_free(&a);
}

// A function of elsewhere may write anything there.
static void hook_touch(void *at, size_t size)
{
    if (at)
        memset(at, here->fill, size);
}

// ---- assumptions of troupe_unit.h -------------------------------------------

// The object that an address lies in, UINT32_MAX if it is none.
static uint32_t object_at(uint64_t address)
{
    for (uint32_t i = 0; here->in && i < here->in->objects.n; i++) {
        uint64_t at = (uint64_t)(uintptr_t)here->layout->at[i];
        if (here->in->objects.at[i].role != INPUT_PARAM &&
            here->in->objects.at[i].form != CALL_FILE && address >= at &&
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
    p->allocations = 0;
    pre(l->params, result);
    return result[0] & 0xff;
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

struct runner_process *runner_load(const struct unit_subject *s, uint8_t fill,
                                   enum runner_guard guard)
{
    void *object = dlopen(s->object, RTLD_LAZY | RTLD_LOCAL);
    struct unit_hooks *hooks = object ? dlsym(object, "unit_hooks") : NULL;
    if (!hooks)
        return NULL;
    struct runner_process *p = need_zero(sizeof *p);
    p->object = object;
    *hooks = (struct unit_hooks){hook_malloc,  hook_calloc,   hook_realloc,
                                 hook_free,    NULL,          hook_stub,
                                 hook_touch,   hook_distinct, hook_apart,
                                 hook_acyclic, hook_count,    hook_fclose};
    p->s = s;
    p->fill = fill;
    p->guard = guard;
    here = p;
    find_variables(p);
    return p;
}

uint64_t runner_address(struct runner_process *p, uint32_t fn)
{
    struct arena a = {0};
    const char *name = p->s->ir->fns.at[fn]->name;
    void *(*where)(void);
    void *symbol = dlsym(p->object, arena_format(&a, "unit_address_%s", name));
    memcpy(&where, &symbol, sizeof where);
    arena_free(&a);
    return (uint64_t)(uintptr_t)(symbol ? where() : dlsym(p->object, name));
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
    for (uint32_t i = 0;
         i < p->blocks.n && !is_fenced(p) && p->guard != RUNNER_HEAP; i++)
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

// ---- laying out -------------------------------------------------------------

static char *place_for(struct runner_process *p, const struct input_object *o,
                       struct arena *a)
{
    if (o->role == INPUT_GLOBAL)
        for (uint32_t i = 0; i < p->variables.n; i++)
            if (strcmp(p->s->ir->globals.at[p->variables.at[i].global].name,
                       o->name) == 0)
                return p->variables.at[i].at;
    if (o->form == CALL_FILE)
        return arena_zero(a, o->size + 1);
    if (o->form == CALL_BEHIND || o->form == CALL_BEFORE)
        return guarded(o->size, o->form == CALL_BEFORE);
    if (o->role == INPUT_OBJECT && p->guard != RUNNER_PLAIN &&
        p->guard != RUNNER_HEAP)
        return guarded(o->size, p->guard == RUNNER_BEFORE);
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
    if (at->files[l->object])
        return (uint64_t)(uintptr_t)at->files[l->object];
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

void runner_open_files(const struct input *in, struct runner_layout *l,
                       bool texts)
{
    for (uint32_t i = 0; i < in->objects.n; i++) {
        const struct input_object *o = &in->objects.at[i];
        if (o->form != CALL_FILE)
            continue;
        if (l->files[i])
            fclose(l->files[i]);
        FILE *f = l->files[i] = tmpfile();
        uint64_t n = texts ? strnlen(l->at[i], o->size) : o->size;
        if (!f)
            die("no file");
        fwrite(l->at[i], 1, n, f);
        rewind(f);
    }
}

void runner_lay_out(struct runner_process *p, const struct input *in,
                    struct arena *a, struct runner_layout *l)
{
    uint32_t n = 0;
    l->at = arena_zero(a, (in->objects.n + 1ul) * sizeof *l->at);
    l->params = arena_zero(a, (in->objects.n + 1ul) * sizeof *l->params);
    l->files = arena_zero(a, (in->objects.n + 1ul) * sizeof *l->files);
    for (uint32_t i = 0; i < in->objects.n; i++) {
        l->at[i] = place_for(p, &in->objects.at[i], a);
        if (in->objects.at[i].form == CALL_FILE)
            memcpy(l->at[i], in->objects.at[i].bytes, in->objects.at[i].size);
    }
    runner_open_files(in, l, false);
    p->in = in;
    p->layout = l;
    for (uint32_t i = 0; i < in->objects.n; i++) {
        fill_object(p, &in->objects.at[i], l, l->at[i]);
        if (in->objects.at[i].role == INPUT_PARAM)
            l->params[n++] = l->at[i];
    }
}

// Up to 64 KiB are compared after every run.  Pages beyond that are protected
// from writing.  The first write to one in a run saves it; the page is compared
// after the run.
//
// With --shared all pages are out of reach until a run touches one.  The state
// that the run should find is put in place then.
#include "stage/commons.h"

#include "base/die.h"
#include "base/hash.h"
#include "stage/early.h"
#include "stage/raw.h"
#include "stage/registry.h"
#include "stage/tables.h"
#include "stage/verdict.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    PAGE = 4096,
    COMPARED_MOST = 64 << 10,
    SHARED_MOST = 64 << 20,
    DIRTY_MOST = 64,
};

enum what { GLOBAL, THREAD_LOCAL, EARLY };

struct part {
    enum what what;
    struct range range;
    unsigned char *copy; // as it was at first; NULL: pages are protected
    bool shared;
};

// A page that a run wrote to, and what it held before.
struct dirty {
    uintptr_t page;
    unsigned char before[PAGE];
};

struct commons {
    VEC(struct part) parts;
    uint32_t n_dirty;
    size_t shared_size;  // 0: actors share nothing
    uint32_t first;      // state: as loaded
    uint32_t want, have; // states: to be found there, and there now
    bool open, touched;
    struct dirty dirty[DIRTY_MOST];
};

static size_t size_of(struct range r)
{
    return r.to - r.from;
}

static uintptr_t page_of(uintptr_t address)
{
    return address & ~(uintptr_t)(PAGE - 1);
}

static bool holds(struct range r, uintptr_t address)
{
    return address >= r.from && address < r.to;
}

static bool protect(struct range r, int access)
{
    uintptr_t from = page_of(r.from), to = page_of(r.to + PAGE - 1);
    return !mprotect((void *)from, to - from, access);
}

// ---- finding it -----------------------------------------------------------

// The first touch of a thread's block allocates it: do that now.
static void touch_tls(const struct program *p)
{
    struct tls_index {
        unsigned long module, offset;
    } at = {0, 0};
    extern void *__tls_get_addr(struct tls_index *);
    if (p->tls_size && p->handle &&
        !dlinfo(p->handle, RTLD_DI_TLS_MODID, &at.module) && at.module)
        __tls_get_addr(&at);
}

// Code that counts how often it runs changes its counters all the time.
static bool counts(const struct program *p)
{
    return program_address(p, "__gcov_init", NULL) ||
           program_address(p, "__llvm_profile_runtime", NULL);
}

static void add_part(struct commons *c, enum what what, struct range r,
                     bool protected)
{
    if (r.from >= r.to)
        return;
    struct part p = {.what = what, .range = r};
    if (!protected || !protect(r, PROT_READ)) {
        p.copy = need(size_of(r));
        raw_copy(p.copy, (const void *)r.from, size_of(r));
    }
    vec_push(&c->parts, p);
}

// Whole pages are protected if that is asked for; the ends are compared.
static void add(struct commons *c, enum what what, struct range r, bool large)
{
    struct range pages = {page_of(r.from + PAGE - 1), page_of(r.to)};
    if (!large || pages.from >= pages.to) {
        add_part(c, what, r, false);
        return;
    }
    add_part(c, what, (struct range){r.from, pages.from}, false);
    add_part(c, what, pages, true);
    add_part(c, what, (struct range){pages.to, r.to}, false);
}

static void add_all(struct native *n)
{
    struct commons *c = n->commons;
    early_ranges early = {0};
    const struct range *r;
    size_t sum = size_of(n->program->data);
    early_each(&early);
    vec_each(&early, r) sum += size_of(*r);
    bool share = n->shared && sum <= SHARED_MOST;
    bool large = !share && sum > COMPARED_MOST;
    add(c, GLOBAL, n->program->data, large);
    vec_each(&early, r) add(c, EARLY, *r, large);
    for (uint32_t i = 0; share && i < c->parts.n; i++) {
        c->parts.at[i].shared = true;
        c->shared_size += size_of(c->parts.at[i].range);
    }
    add(c, THREAD_LOCAL, program_tls(n->program), false);
    vec_free(&early);
}

// ---- sharing it -----------------------------------------------------------

static void copy_parts(const struct commons *c, unsigned char *to)
{
    const struct part *p;
    vec_each(&c->parts, p) if (p->shared)
    {
        raw_copy(to, (const void *)p->range.from, size_of(p->range));
        to += size_of(p->range);
    }
}

static void fill_parts(const struct commons *c, const unsigned char *from)
{
    const struct part *p;
    vec_each(&c->parts, p) if (p->shared)
    {
        raw_copy((void *)p->range.from, from, size_of(p->range));
        from += size_of(p->range);
    }
}

// What actors share: with --shared this memory, as it is or as the run should
// find it, and the registry.
static uint32_t keep_shared(struct native *n, bool in_memory)
{
    const struct commons *c = n->commons;
    vec_clear(&n->scratch);
    vec_room(&n->scratch, c->shared_size);
    n->scratch.n = (uint32_t)c->shared_size;
    if (c->shared_size && in_memory)
        copy_parts(c, n->scratch.at);
    else if (c->shared_size)
        raw_copy(n->scratch.at, n->states.at.at[c->want].bytes, c->shared_size);
    registry_save(n);
    return images_intern(&n->states, PLAY_NONE,
                         message_digest(n->scratch.at, n->scratch.n),
                         n->scratch.at, n->scratch.n);
}

static void set_open(struct commons *c, bool open)
{
    const struct part *p;
    if (c->open != open)
        vec_each(&c->parts,
                 p) if (p->shared &&
                        !protect(p->range,
                                 open ? PROT_READ | PROT_WRITE : PROT_NONE))
            die("cannot protect the program's memory");
    c->open = open;
}

void commons_share(struct native *n, uint32_t shared)
{
    n->commons->want = shared == PLAY_NONE ? n->commons->first : shared;
}

uint32_t commons_first(const struct native *n)
{
    return n->commons->first;
}

uint32_t commons_now(const struct native *n)
{
    return n->commons->want;
}

void commons_begin(struct native *n)
{
    struct commons *c = n->commons;
    n->now.shared = PLAY_NONE;
    c->touched = false;
    registry_begin(n, c->want, c->shared_size);
    if (c->shared_size)
        set_open(c, false);
}

// The first touch in a run brings in what should be there.
static bool fault_shared(struct native *n)
{
    struct commons *c = n->commons;
    if (c->open)
        return false;
    set_open(c, true);
    if (c->have != c->want)
        fill_parts(c, n->states.at.at[c->want].bytes);
    c->have = c->want;
    c->touched = n->region;
    return true;
}

static void check_shared(struct native *n)
{
    struct commons *c = n->commons;
    if (!c->touched && !registry_touched(n))
        return;
    n->now.flags |= EFFECT_SHARED;
    n->now.shared = keep_shared(n, c->touched);
    if (c->touched)
        c->have = n->now.shared;
}

// ---- opening and closing --------------------------------------------------

void commons_open(struct native *n)
{
    struct commons *c = need_zero(sizeof *c);
    n->commons = c;
    c->first = c->want = PLAY_NONE;
    registry_begin(n, PLAY_NONE, 0);
    if (counts(n->program))
        return;
    touch_tls(n->program);
    add_all(n);
    c->open = true;
    if (c->shared_size)
        c->first = c->want = c->have = keep_shared(n, true);
}

void commons_close(struct native *n)
{
    struct commons *c = n->commons;
    struct part *p;
    if (c->shared_size)
        set_open(c, true);
    vec_each(&c->parts, p)
    {
        if (p->shared)
            raw_copy((void *)p->range.from, p->copy, size_of(p->range));
        else if (!p->copy)
            protect(p->range, PROT_READ | PROT_WRITE);
        free(p->copy);
    }
    vec_free(&c->parts);
    free(c);
}

// ---- writes ---------------------------------------------------------------

static const struct part *part_of(const struct commons *c, uintptr_t address)
{
    const struct part *p;
    vec_each(&c->parts, p)
    {
        struct range r = p->range;
        if (p->shared)
            r = (struct range){page_of(r.from), page_of(r.to + PAGE - 1)};
        if (holds(r, address) && (p->shared || !p->copy))
            return p;
    }
    return NULL;
}

// In a signal handler.
bool commons_fault(struct native *n, uintptr_t address)
{
    struct commons *c = n->commons;
    const struct part *p = part_of(c, address);
    struct dirty *d = &c->dirty[c->n_dirty];
    if (!p || p->shared)
        return p && fault_shared(n);
    if (c->n_dirty == DIRTY_MOST)
        return false;
    d->page = page_of(address);
    raw_copy(d->before, (const void *)d->page, PAGE);
    c->n_dirty++;
    return protect((struct range){d->page, d->page + PAGE},
                   PROT_READ | PROT_WRITE);
}

bool commons_overrun(const struct native *n, uintptr_t address)
{
    return n->commons->n_dirty == DIRTY_MOST && part_of(n->commons, address);
}

// ---- after a run ----------------------------------------------------------

// C++ writes the length of a name before it, and the name of a variable last:
// 5cache in _ZGVZL5act_wP6tr_ctxE5cache, which guards that variable's making.
static const char *last_name(struct native *n, const char *symbol)
{
    const char *end = symbol + strlen(symbol);
    for (const char *p = symbol + 2; *p; p++) {
        char *name;
        size_t length = *p >= '1' && *p <= '9' ? strtoul(p, &name, 10) : 0;
        if (!length || (p[-1] >= '0' && p[-1] <= '9') ||
            length > (size_t)(end - name))
            continue;
        const char *behind = name + length;
        if (behind[strspn(behind, "E_0123456789")])
            continue;
        struct text t = {0};
        text_bytes(&t, name, length);
        const char *kept = keep_text(n, text_get(&t));
        text_free(&t);
        return kept;
    }
    return keep_text(n, symbol);
}

// What the source calls a variable.  The compilers mark static variables of
// functions: gcc's symbol is name.7, clang's function.name.
static const char *source_name(struct native *n, const char *symbol)
{
    if (strncmp(symbol, "_Z", 2) == 0)
        return last_name(n, symbol);
    const char *dot = strchr(symbol, '.');
    if (!dot)
        return keep_text(n, symbol);
    if (dot[1] < '0' || dot[1] > '9')
        return keep_text(n, dot + 1);
    struct text t = {0};
    text_bytes(&t, symbol, (size_t)(dot - symbol));
    const char *name = keep_text(n, text_get(&t));
    text_free(&t);
    return name;
}

// Of a function.
static bool is_static(const char *symbol)
{
    return strchr(symbol, '.') || strncmp(symbol, "_ZZ", 3) == 0 ||
           strncmp(symbol, "_ZGVZ", 5) == 0;
}

static struct bug *tell_variable(struct native *n, enum what what,
                                 uintptr_t address)
{
    const char *symbol = program_symbol(n->program, address, NULL);
    const char *name = symbol ? source_name(n, symbol) : NULL;
    struct bug *b =
        bug_note(n, BUG_ISOLATION, "the %s variable '%s' was changed",
                 what != GLOBAL                ? "thread-local"
                 : symbol && is_static(symbol) ? "static"
                                               : "global",
                 name ? name : "?");
    b->thing = name;
    return b;
}

static struct bug *tell_early(struct native *n, uintptr_t address)
{
    struct early_block e = early_block(address);
    struct where w = {0};
    struct text t = {0};
    text_format(&t, "memory that all actors share was changed: byte %zu of a ",
                (size_t)(address - e.at));
    if (e.caller)
        w = program_where(n->program, e.caller - 1);
    text_format(&t, e.caller ? "block of %zu bytes" : "mapping of %zu bytes",
                e.size);
    if (w.file && w.line)
        text_format(&t, ", allocated at %s:%d before the test", w.file, w.line);
    else
        text_add(&t, ", made before the test");
    struct bug *b = bug_note(n, BUG_ISOLATION, "%s", text_get(&t));
    text_free(&t);
    return b;
}

static void tell(struct native *n, enum what what, uintptr_t address)
{
    struct bug *b = what == EARLY ? tell_early(n, address)
                                  : tell_variable(n, what, address);
    bug_at_handler(n, b);
}

// Compare memory with what it held before, and put that back.
static void compare(struct native *n, enum what what, uintptr_t at,
                    const unsigned char *before, size_t size)
{
    unsigned char *now = (unsigned char *)at;
    size_t i = 0;
    if (raw_equal(now, before, size))
        return;
    while (raw_equal(now + i, before + i, 1))
        i++;
    if (!n->now.bugs.n && !(n->now.flags & EFFECT_PICK))
        tell(n, what, at + i);
    raw_copy(now, before, size);
}

static void check_dirty(struct native *n)
{
    struct commons *c = n->commons;
    for (uint32_t i = 0; i < c->n_dirty; i++) {
        const struct dirty *d = &c->dirty[i];
        const struct part *p = part_of(c, d->page);
        compare(n, p->what, d->page, d->before, PAGE);
        protect((struct range){d->page, d->page + PAGE}, PROT_READ);
    }
    c->n_dirty = 0;
}

void commons_check(struct native *n)
{
    const struct commons *c = n->commons;
    const struct part *p;
    check_shared(n);
    vec_each(&c->parts, p) if (p->copy && !p->shared)
        compare(n, p->what, p->range.from, p->copy, size_of(p->range));
    if (c->n_dirty)
        check_dirty(n);
}

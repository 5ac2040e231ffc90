// The dynamic linker loads the object; the file's section headers say where in
// it our pointers are.  Nothing here depends on what the program exports.
#include "program/program.h"

#include "program/hints.h"

#include <assert.h>
#include <dlfcn.h>
#include <link.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/die.h"
#include "base/hash.h"
#include "program/debug.h"
#include "program/declared.h"
#include "program/unset.h"

// The pointers in a section; *n is how many.
static void *pointers(struct program *p, const char *section, uint32_t *n)
{
    uint64_t at, size;
    *n = 0;
    if (!debug_section(p->debug, section, &at, &size))
        return NULL;
    const void *const *from = (const void *const *)(p->bias + at);
    const void **to = arena_get(&p->debug->arena, size + sizeof *to);
    for (size_t i = 0; i < size / sizeof *from; i++)
        if (from[i])
            to[(*n)++] = from[i];
    return to;
}

// Messages are mentioned once per source file: keep the first mention.
static void distinct_messages(struct program *p)
{
    const tr_msg **to =
        arena_get(&p->debug->arena, (p->n_seen + 1) * sizeof *to);
    for (uint32_t i = 0; i < p->n_seen; i++) {
        uint32_t k = 0;
        while (k < p->n_msgs && to[k] != p->seen[i]->msg)
            k++;
        if (k == p->n_msgs)
            to[p->n_msgs++] = p->seen[i]->msg;
    }
    p->msgs = to;
}

static void find_sections(struct program *p)
{
    p->tests = pointers(p, "tr_tests", &p->n_tests);
    p->systems = pointers(p, "tr_systems", &p->n_systems);
    p->classes = pointers(p, "tr_classes", &p->n_classes);
    p->seen = pointers(p, "tr_msgs", &p->n_seen);
    p->hots = pointers(p, "tr_hots", &p->n_hots);
    p->hooks = pointers(p, "tr_hooks", &p->n_hooks);
    p->invariants = pointers(p, "tr_invariants", &p->n_invariants);
    distinct_messages(p);
    uint64_t at, size;
    if (debug_section(p->debug, UNSET_SECTION, &at, &size))
        p->unset = (const char *)(p->bias + at);
}

static void add_segment(struct program *p, const GElf_Phdr *h,
                        struct range relro)
{
    struct range r = {p->bias + h->p_vaddr, p->bias + h->p_vaddr + h->p_memsz};
    p->image.from = p->image.to ? p->image.from : r.from;
    p->image.to = r.to;
    if (h->p_flags & PF_X) {
        p->text.from = p->text.to ? p->text.from : r.from;
        p->text.to = r.to;
    }
    if (!(h->p_flags & PF_W))
        return;
    if (r.from < relro.to && r.to > relro.from)
        r.from = relro.to < r.to ? relro.to : r.to;
    if (r.from == r.to)
        return;
    p->data.from = p->data.to ? p->data.from : r.from;
    p->data.to = r.to;
}

static void find_ranges(struct program *p)
{
    Elf *elf = p->debug->elf;
    size_t n = 0;
    GElf_Phdr h;
    struct range relro = {0};
    elf_getphdrnum(elf, &n);
    for (size_t i = 0; i < n; i++)
        if (gelf_getphdr(elf, (int)i, &h) && h.p_type == PT_GNU_RELRO)
            relro = (struct range){p->bias + h.p_vaddr,
                                   p->bias + h.p_vaddr + h.p_memsz};
    for (size_t i = 0; i < n; i++) {
        if (!gelf_getphdr(elf, (int)i, &h))
            continue;
        if (h.p_type == PT_LOAD)
            add_segment(p, &h, relro);
        else if (h.p_type == PT_TLS)
            p->tls_size = (uint32_t)h.p_memsz;
    }
}

static bool check_messages(const struct program *p, struct diag *d)
{
    for (uint32_t i = 0; i < p->n_seen; i++) {
        const tr_seen *s = p->seen[i];
        if (s->size != s->msg->size)
            return diag_at(d, EXIT_USAGE, s->file, 0,
                           "message '%s' has two different structs: %zu bytes "
                           "here, %u elsewhere",
                           s->msg->name, s->size, s->msg->size);
        const tr_msg *same = program_msg(p, s->msg->name);
        assert(same); // s->msg at least has this name
        if (same != s->msg && same->size != s->msg->size)
            return diag_at(d, EXIT_USAGE, s->file, 0,
                           "message '%s' is declared twice, with different "
                           "structs",
                           s->msg->name);
    }
    return true;
}

static struct program *fill(struct program *p, const char *path, struct diag *d)
{
    struct program_debug *f = p->debug;
    p->path = arena_text(&f->arena, path);
    XXH128_hash_t h = XXH3_128bits(f->bytes, f->size);
    p->hash[0] = h.low64;
    p->hash[1] = h.high64;
    p->undefined = f->undefined.at;
    p->n_undefined = f->undefined.n;
    find_ranges(p);
    find_sections(p);
    if (!p->n_tests && !p->n_systems && !p->n_classes) {
        diag_set(d, EXIT_USAGE, "the program has no tests, systems or classes");
        diag_hint(d, "declare them with TR_TEST, TR_SYSTEM, TR_CLASS of "
                     "troupe.h");
    }
    if (d->status || !check_messages(p, d) ||
        !declared_names(p->tests, p->n_tests, d) ||
        !declared_check(p->classes, p->n_classes, p->hooks, p->n_hooks, d)) {
        program_free(p);
        return NULL;
    }
    return p;
}

static struct program *load_failed(struct program *p, const char *path,
                                   struct diag *d)
{
    const char *why = dlerror();
    const char *name = why ? strstr(why, "undefined symbol: ") : NULL;
    if (name) {
        name += strlen("undefined symbol: ");
        diag_set(d, EXIT_USAGE, "'%s' is not defined anywhere",
                 arena_text(&p->debug->arena, name));
        size_t n = strlen(name), k = strlen("_class");
        if (n > k && strcmp(name + n - k, "_class") == 0)
            diag_hint(d,
                      "TR_CLASS(%.*s, .start = ...) is missing, or its "
                      "source is not named",
                      (int)(n - k), name);
        else if (strcmp(name, "assert") == 0)
            diag_hint(d, "#include <assert.h> is missing");
        else if (hints_short_form(name, strlen(name)))
            diag_hint(d, "#include <troupe_short.h>, or write tr_%s(ctx, ...)",
                      name);
        else
            diag_hint(d, "name the source that defines it, or its library "
                         "after --, as in: -- -lm");
    } else {
        diag_set(d, EXIT_USAGE, "cannot load '%s': %s", path,
                 why ? why : "unknown reason");
    }
    program_free(p);
    return NULL;
}

// Sanitizers that replace malloc or reserve thread-local memory cannot come
// later than the C library.
char *program_wants(const char *path)
{
    static const struct {
        const char *library, *symbol;
    } runtimes[] = {{"libasan.so", "__asan_init"},
                    {"libtsan.so", "__tsan_init"},
                    {"libclang_rt.asan", "__asan_init"}};
    struct diag d = {0};
    struct program_debug *f = debug_open(path, &d);
    char *wanted = NULL;
    for (size_t i = 0; f && i < sizeof runtimes / sizeof *runtimes; i++) {
        const char *name = debug_needed(f, runtimes[i].library);
        if (name && !wanted && !dlsym(RTLD_DEFAULT, runtimes[i].symbol))
            wanted = need_text(name);
    }
    debug_free(f);
    diag_free(&d);
    return wanted;
}

// A global, because the program's constructors run within dlopen() and can be
// given nothing.
static bool started;

bool program_starting(void)
{
    return !started;
}

void program_started(void)
{
    started = true;
}

struct program *program_load(const char *path, struct diag *d)
{
    struct program *p = need_zero(sizeof *p);
    p->debug = debug_open(path, d);
    if (!p->debug) {
        program_free(p);
        return NULL;
    }
    // without a slash, dlopen would search the system's folders
    const char *name =
        strchr(path, '/') ? path : arena_format(&p->debug->arena, "./%s", path);
    started = false;
    p->handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    program_started();
    struct link_map *map = NULL;
    if (!p->handle || dlinfo(p->handle, RTLD_DI_LINKMAP, &map) != 0)
        return load_failed(p, path, d);
    p->bias = map->l_addr;
    return fill(p, path, d);
}

// The first object the dynamic linker names is the executable.
static int first_object(struct dl_phdr_info *info, size_t size, void *out)
{
    (void)size;
    *(uintptr_t *)out = info->dlpi_addr;
    return 1;
}

// Code and variables of the test library are in sections of their own
// (mk/library.mk), whose bounds the linker names.
extern const char __start_tr_library[] __attribute__((weak));
extern const char __stop_tr_library[] __attribute__((weak));
extern const char __start_tr_variables[] __attribute__((weak));
extern const char __stop_tr_variables[] __attribute__((weak));

// Linkers put the variables last.  Where they do not, or where there is no such
// section, program and library cannot be told apart.
static void leave_library_out(struct program *p)
{
    uintptr_t first = (uintptr_t)__start_tr_variables;
    uintptr_t last = (uintptr_t)__stop_tr_variables;
    bool known = first >= p->data.from && p->data.to - last < 64;
    p->data.to = known ? first : p->data.from;
    p->library = (struct range){(uintptr_t)__start_tr_library,
                                (uintptr_t)__stop_tr_library};
}

struct program *program_self(struct diag *d)
{
    struct program *p = need_zero(sizeof *p);
    p->debug = debug_open("/proc/self/exe", d);
    if (!p->debug) {
        program_free(p);
        return NULL;
    }
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n > 0 ? n : 0] = 0;
    dl_iterate_phdr(first_object, &p->bias);
    p = fill(p, path, d);
    if (p)
        leave_library_out(p);
    return p;
}

void program_free(struct program *p)
{
    if (!p)
        return;
    if (p->handle)
        dlclose(p->handle);
    debug_free(p->debug);
    free(p);
}

#define BY_NAME(kind, type, list)                                              \
    const type *program_##kind(const struct program *p, const char *name)      \
    {                                                                          \
        for (uint32_t i = 0; i < p->n_##list; i++)                             \
            if (strcmp(p->list[i]->name, name) == 0)                           \
                return p->list[i];                                             \
        return NULL;                                                           \
    }
BY_NAME(test, tr_test, tests)
BY_NAME(system, tr_system, systems)
BY_NAME(msg, tr_msg, msgs)
#undef BY_NAME

bool program_hot(const struct program *p, const tr_class *cls,
                 const tr_behaviour *b)
{
    for (uint32_t i = 0; i < p->n_hots; i++)
        if (p->hots[i]->cls == cls && p->hots[i]->behaviour == b)
            return true;
    return false;
}

static int tls_of_first(struct dl_phdr_info *info, size_t size, void *out)
{
    (void)size;
    *(void **)out = info->dlpi_tls_data;
    return 1;
}

struct range program_tls(const struct program *p)
{
    void *at = NULL;
    if (p->tls_size && p->handle)
        dlinfo(p->handle, RTLD_DI_TLS_DATA, &at);
    else if (p->tls_size)
        dl_iterate_phdr(tls_of_first, &at);
    if (!at)
        return (struct range){0};
    return (struct range){(uintptr_t)at, (uintptr_t)at + p->tls_size};
}

const char *program_symbol(const struct program *p, uintptr_t address,
                           uintptr_t *offset)
{
    const struct debug_symbol *s =
        debug_symbol_at(p->debug, address - p->bias, false);
    uintptr_t start = s ? s->at + p->bias : 0;
    if (!s && p->tls_size) {
        struct range tls = program_tls(p);
        if (address < tls.from || address >= tls.to)
            return NULL;
        s = debug_symbol_at(p->debug, address - tls.from, true);
        start = s ? tls.from + s->at : 0;
    }
    if (s && offset)
        *offset = address - start;
    return s ? s->name : NULL;
}

uintptr_t program_address(const struct program *p, const char *symbol,
                          size_t *size)
{
    const struct debug_symbol *s;
    vec_each(&p->debug->symbols, s)
    {
        if (s->tls || strcmp(s->name, symbol) != 0)
            continue;
        if (size)
            *size = s->size;
        return s->at + p->bias;
    }
    return 0;
}

void program_each_object(const struct program *p,
                         void (*each)(void *user, const char *name,
                                      uintptr_t address, size_t size),
                         void *user)
{
    const struct debug_symbol *s;
    vec_each(&p->debug->symbols, s) if (!s->tls && s->object)
        each(user, s->name, s->at + p->bias, s->size);
}

struct where program_where(const struct program *p, uintptr_t pc)
{
    return debug_where(p->debug, pc - p->bias);
}

struct Dwarf *program_dwarf(const struct program *p)
{
    return p->debug->dwarf;
}

// Functions that are not called: their arguments cannot be made, or what they
// do reaches beyond the process.
#include "unit/subject.h"

#include "base/text.h"
#include "unit/callees.h"
#include "unit/spell.h"

#include <dlfcn.h>
#include <string.h>

// A va_list cannot be made without a function that has one.
static bool is_va_list(const struct ir *ir, uint32_t type)
{
    const struct ir_dtype *t = spell_bare(ir, type);
    if (t->kind == IR_D_POINTER || t->kind == IR_D_ARRAY)
        t = spell_bare(ir, t->base);
    return strcmp(t->name, "__va_list_tag") == 0;
}

static bool is_jump(const struct ir *ir, const struct ir_fn *of,
                    const struct ir_inst *i)
{
    (void)ir, (void)of;
    return i->op == IR_UNSUPPORTED && i->text && strstr(i->text, "jmp()");
}

// Functions of the C library that reach beyond the process, or bring something
// from there.  A run with random arguments may not call them: a test brings
// stubs along.
static const char *const reaching[] = {
    "getenv",      "kill",        "killpg",  "sigqueue", "tgkill", "unlink",
    "unlinkat",    "remove",      "rename",  "renameat", "rmdir",  "mkdir",
    "mkdirat",     "link",        "symlink", "truncate", "creat",  "mknod",
    "mkfifo",      "chmod",       "fchmod",  "chown",    "fchown", "lchown",
    "mount",       "umount",      "umount2", "chroot",   "reboot", "ptrace",
    "sethostname", "settimeofday"};
// ... and those that begin another process or thread, with which no stub helps.
static const char *const starting[] = {
    "fork",        "vfork",        "_Fork",          "clone",      "daemon",
    "system",      "popen",        "execl",          "execlp",     "execle",
    "execv",       "execve",       "execvp",         "execvpe",    "fexecve",
    "posix_spawn", "posix_spawnp", "pthread_create", "thrd_create"};

static bool is_among(const char *const *names, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

bool unit_starts(const char *function)
{
    return is_among(starting, sizeof starting / sizeof *starting, function);
}

static bool starts(const struct ir *ir, const struct ir_fn *of,
                   const struct ir_inst *i)
{
    const struct ir_fn *f = callees_called(ir, of, i);
    bool is = f && !f->defined && unit_starts(f->name);
    for (size_t k = 0; i->op == IR_UNSUPPORTED && i->text && !is &&
                       k < sizeof starting / sizeof *starting;
         k++) {
        const char *at = strstr(i->text, starting[k]);
        is = at && strncmp(at + strlen(starting[k]), "()", 2) == 0;
    }
    return is;
}

bool unit_reaches_out(const char *function)
{
    return unit_starts(function) ||
           is_among(reaching, sizeof reaching / sizeof *reaching, function);
}

const char *unit_refuses(const struct ir *ir, const struct ir_fn *f)
{
    struct text t = {0};
    bool ok = f->n_types > 0;
    for (uint32_t i = 0; i < f->n_types && ok; i++)
        ok = spell_plain(ir, f->types[i], "", &t);
    text_free(&t);
    if (f->variadic)
        return "it takes variable arguments";
    for (uint32_t i = 1; i < f->n_types; i++)
        if (is_va_list(ir, f->types[i]))
            return "it takes a va_list";
    if (callees_find(ir, f, is_jump, NULL))
        return "it uses setjmp() or longjmp()";
    if (callees_find(ir, f, starts, NULL))
        return "it starts a process or a thread";
    if (!ok)
        return "a type in its declaration cannot be named in a test";
    return NULL;
}

// What this tool is made of does not count.
bool unit_is_of_libc(const char *function)
{
    static const char *const libraries[] = {"libc.so.6", "libm.so.6"};
    bool found = false;
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries && !found;
         i++) {
        void *library = dlopen(libraries[i], RTLD_LAZY);
        found = library && dlsym(library, function);
        if (library)
            dlclose(library);
    }
    return found;
}

// Functions that the program takes from elsewhere and that the stage can say
// nothing about: they may keep state, or allocate what the caller must free.
#include "stage/core.h"

#include "stage/wrap.h"

#include <dlfcn.h>
#include <string.h>

// Functions without memory of their own.  Prefixes end with '*'.
static const char *const harmless[] = {
    "mem*",
    "__mem*",
    "str*",
    "__str*",
    "wcs*",
    "wmem*",
    "is*",
    "to*",
    "__ctype*",
    "printf",
    "fprintf",
    "vprintf",
    "vfprintf",
    "sprintf",
    "snprintf",
    "vsprintf",
    "vsnprintf",
    "__printf*",
    "__fprintf*",
    "__sprintf*",
    "__snprintf*",
    "__vsnprintf*",
    "__vsprintf*",
    "__vprintf*",
    "__vfprintf*",
    "puts",
    "putchar",
    "fputs",
    "fputc",
    "putc",
    "fwrite",
    "sscanf",
    "vsscanf",
    "__isoc99_*",
    "__isoc23_*",
    "abs",
    "labs",
    "llabs",
    "div",
    "ldiv",
    "lldiv",
    "ato*",
    "qsort",
    "bsearch",
    "setjmp",
    "_setjmp",
    "longjmp",
    "_longjmp",
    "__longjmp_chk",
    "rand_r",
    "htonl",
    "htons",
    "ntohl",
    "ntohs",
    "bcmp",
    "bcopy",
    "bzero",
    "ffs*",
    "stdout",
    "stderr",
    "stdin",
    "perror",
    "__errno_location",
    "__tls_get_addr",
    "__cxa_finalize",
    "_ITM_*",
    "__gmon_start__",
    "_GLOBAL_OFFSET_TABLE_",
    "tr_*",
    "__wrap_*",
    "__asan_*",
    "__ubsan_*",
    "__sanitizer_*",
    "__gcov_*",
    "__llvm_*",
};

static bool matches(const char *pattern, const char *name)
{
    size_t n = strlen(pattern);
    return pattern[n - 1] == '*' ? !strncmp(pattern, name, n - 1)
                                 : !strcmp(pattern, name);
}

// The mathematical library keeps nothing but errno.
static bool mathematical(const char *name)
{
    Dl_info info;
    void *at = dlsym(RTLD_DEFAULT, name);
    return at && dladdr(at, &info) && info.dli_fname &&
           strstr(info.dli_fname, "libm.so");
}

static bool known(const char *name)
{
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (matches(harmless[i], name))
            return true;
    // strerror, strtok and strsignal have buffers, which the prefix hides
    return wrap_knows(name) || mathematical(name);
}

void find_unknown(struct native *n)
{
    static const char *const buffers[] = {"strtok", "strerror", "strsignal"};
    for (uint32_t i = 0; i < n->program->n_undefined; i++) {
        const char *name = n->program->undefined[i];
        bool keeps = false;
        for (size_t k = 0; k < sizeof buffers / sizeof *buffers; k++)
            keeps |= !strcmp(buffers[k], name);
        if (keeps || !known(name))
            vec_push(&n->unknown, name);
    }
    vec_push(&n->unknown, NULL);
}

// Functions that the program takes from elsewhere and that the stage can say
// nothing about: they may keep state, have effects outside, or allocate what
// the caller must free.  What the stage answers is wanted as __wrap_NAME.
#include "program/program.h"

#include <dlfcn.h>
#include <string.h>

// Functions that keep nothing and change nothing outside the actor, and those
// that work on a file or stream which another one has opened: that one is told.
// A name ending with '*' stands for all that begin so.
// clang-format off
static const char *const harmless[] = {
    "mem*", "__mem*", "str*", "__str*", "wcs*", "wmem*", "is*", "to*", "mb*",
    "wc*", "__ctype*", "printf", "fprintf", "vprintf", "vfprintf", "sprintf",
    "snprintf", "vsprintf", "vsnprintf", "__printf*", "__fprintf*",
    "__sprintf*", "__snprintf*", "__vsnprintf*", "__vsprintf*", "__vprintf*",
    "__vfprintf*", "puts", "putchar", "fputs", "fputc", "putc", "fwrite",
    "sscanf", "vsscanf", "scanf", "getchar", "fscanf", "__isoc99_*",
    "__isoc23_*", "getc", "fgetc", "fgets", "fread", "ungetc", "feof", "ferror",
    "clearerr", "fileno", "fclose", "setvbuf", "setbuf", "fseek*", "ftell*",
    "rewind", "__fgets_chk", "__fread_chk", "close", "fstat", "lseek*", "abs",
    "labs", "llabs", "div", "ldiv", "lldiv", "ato*", "qsort*", "bsearch",
    "lfind", "setjmp", "_setjmp", "longjmp", "_longjmp", "__longjmp_chk",
    "__sigsetjmp", "rand_r", "htonl", "htons", "ntohl", "ntohs", "inet_pton",
    "inet_ntop", "bcmp", "bcopy", "bzero", "explicit_bzero",
    "__explicit_bzero_chk", "ffs*", "gmtime_r", "localtime_r", "mktime",
    "timegm", "difftime", "stdout", "stderr", "stdin", "perror",
    "__errno_location", "sysconf", "getpagesize", "sched_yield", "pthread_self",
    "pthread_equal", "pthread_mutex*", "pthread_rwlock*", "pthread_spin*",
    "pthread_cond*", "sem_init", "sem_destroy", "sem_post", "sem_trywait",
    "sem_getvalue", "sigemptyset", "sigfillset", "sigaddset", "sigdelset",
    "sigismember", "__fdelt_chk", "__tls_get_addr", "__cxa_*", "_Unwind_*",
    "__gxx_personality*", "_ITM_*", "__gmon_start__", "_GLOBAL_OFFSET_TABLE_",
    "tr_*", "__wrap_*", "__asan_*", "__ubsan_*", "__sanitizer_*", "__gcov_*",
    "__llvm_*",
};
// clang-format on

// These begin like some that are.
static const char *const keepers[] = {"strtok"};

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

static bool among(const char *const *table, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (matches(table[i], name))
            return true;
    return false;
}
#define AMONG(table, name) among(table, sizeof table / sizeof *table, name)

uint32_t program_uncontrolled(const struct program *p, const char **out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_undefined; i++) {
        const char *name = p->undefined[i];
        if (AMONG(keepers, name) ||
            (!AMONG(harmless, name) && !mathematical(name)))
            out[n++] = name;
    }
    return n;
}

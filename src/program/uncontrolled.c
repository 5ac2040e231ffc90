// Functions that the program takes from elsewhere and that the stage can say
// nothing about: they may keep state, have effects outside, or allocate what
// the caller must free.  What the stage answers is wanted as __wrap_NAME.
#include "program/program.h"

#include "base/arena.h"
#include "base/libc.h"
#include "base/text.h"
#include "base/vec.h"
#include "program/debug.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MOST = 12 }; // of functions, in a list

// Of the C++ library: streams that are open from the start, files, threads,
// chance, settings of the whole process.  Names that begin so.
static const char *const cxx_outside[] = {
    "_ZSt3cin",
    "_ZSt4cout",
    "_ZSt4cerr",
    "_ZSt4clog",
    "_ZSt4wcin",
    "_ZSt5wcout",
    "_ZSt5wcerr",
    "_ZSt5wclog",
    "_ZNSt13basic_filebuf",
    "_ZNSt13basic_fstream",
    "_ZNSt14basic_ifstream",
    "_ZNSt14basic_ofstream",
    "_ZNSt13random_device",
    "_ZNSt6thread",
    "_ZNSt18condition_variable",
    "_ZNSt10filesystem",
    "_ZNSt6locale6global",
    "_ZSt15set_new_handler",
    "_ZSt13set_terminate",
    "_ZNSt3pmr",
};

// The library that a function comes from, "" if unknown.
static const char *library_of(const struct program *p, const char *name)
{
    Dl_info info;
    void *at = dlsym(p->handle ? p->handle : RTLD_DEFAULT, name);
    return at && dladdr(at, &info) && info.dli_fname ? info.dli_fname : "";
}

static bool is_cxx(const char *name)
{
    return strncmp(name, "_Z", 2) == 0;
}

// The stage answers operator new and delete and the clocks; most of the rest
// works on the objects it is given.
static bool cxx_harmless(const struct program *p, const char *name)
{
    static const char *const answered[] = {"_Zn", "_Zd", "_ZNSt6chrono3_V2"};
    for (size_t i = 0; i < sizeof answered / sizeof *answered; i++)
        if (strncmp(name, answered[i], strlen(answered[i])) == 0)
            return true;
    for (size_t i = 0; i < sizeof cxx_outside / sizeof *cxx_outside; i++)
        if (strncmp(name, cxx_outside[i], strlen(cxx_outside[i])) == 0)
            return false;
    return strstr(library_of(p, name), "/libstdc++.so") ||
           strstr(library_of(p, name), "/libc++.so") ||
           strstr(library_of(p, name), "/libc++abi.so");
}

static bool harmless(const struct program *p, const char *name)
{
    if (is_cxx(name))
        return cxx_harmless(p, name);
    if (libc_harmless(name))
        return true;
    // the mathematical library keeps nothing but errno
    return !libc_find(name) && strstr(library_of(p, name), "/libm.so");
}

// "std::cout" for "_ZSt4cout", without parameters, if the program has a library
// that knows.
static const char *readable(const struct program *p, const char *name)
{
    uintptr_t at = is_cxx(name) && p->handle
                       ? (uintptr_t)dlsym(p->handle, "__cxa_demangle")
                       : 0;
    if (!at)
        return name;
    char *(*demangle)(const char *, char *, size_t *, int *) =
        (char *(*)(const char *, char *, size_t *, int *))at;
    char *words = demangle(name, NULL, NULL, NULL);
    if (!words)
        return name;
    words[strcspn(words, "(<")] = '\0';
    name = arena_text(&p->debug->arena, words);
    free(words);
    return name;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char *program_uncontrolled(const struct program *p, struct arena *a)
{
    VEC(const char *) names = {0};
    struct text t = {0};
    for (uint32_t i = 0; p->handle && i < p->n_undefined; i++)
        if (!harmless(p, p->undefined[i]))
            vec_push(&names, readable(p, p->undefined[i]));
    if (names.n)
        qsort(names.at, names.n, sizeof *names.at, by_name);
    for (uint32_t i = 0; i < names.n && i < NAMES_MOST; i++)
        text_format(&t, "%s%s", i ? ", " : "", names.at[i]);
    if (names.n > NAMES_MOST)
        text_format(&t, " and %u more", names.n - NAMES_MOST);
    const char *list = names.n ? arena_text(a, text_get(&t)) : NULL;
    text_free(&t);
    vec_free(&names);
    return list;
}

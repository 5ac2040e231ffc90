// The table of the C library: every reader finds in it what the others find.
#include "base/libc.h"

#include "test.h"

#include <dlfcn.h>

TEST(no_name_has_two_rows)
{
    for (uint32_t i = 0; i < libc_n; i++)
        CHECK(libc_find(libc_rows[i].name) == &libc_rows[i]);
}

// A misspelt row would be found by nobody.
TEST(rows_are_functions_of_the_c_library)
{
    // in other versions of the C library, or given by the compiler
    static const char *const elsewhere[] = {"__isoc23_scanf",
                                            "__isoc23_fscanf",
                                            "__isoc23_sscanf",
                                            "__isoc23_strtol",
                                            "__isoc23_strtoll",
                                            "__isoc23_strtoul",
                                            "__isoc23_strtoull",
                                            "cfree",
                                            "atexit",
                                            "at_quick_exit",
                                            "__tls_get_addr",
                                            "__stack_chk_fail",
                                            "setjmp"};
    void *maths = dlopen("libm.so.6", RTLD_NOW);
    CHECK(maths);
    for (uint32_t i = 0; i < libc_n; i++) {
        bool known = dlsym(RTLD_DEFAULT, libc_rows[i].name) ||
                     dlsym(maths, libc_rows[i].name);
        for (size_t k = 0; k < sizeof elsewhere / sizeof *elsewhere; k++)
            known |= strcmp(elsewhere[k], libc_rows[i].name) == 0;
        if (!known)
            fprintf(stderr, "%s\n", libc_rows[i].name);
        CHECK(known);
    }
}

// What has a model, on values or on terms, the analysis follows, too, and the
// stage does not report.
TEST(what_one_reader_knows_the_others_know)
{
#define MODELLED_M(n, name) true
#define MODELLED_NONE false
#define MODELLED_T(n, precision, name, detail) true
#define MODELLED_(name, stage, does, model, terms)                             \
    MODELLED_##model || MODELLED_##terms,
    static const bool modelled[] = {LIBC(MODELLED_)};
    for (uint32_t i = 0; i < libc_n; i++) {
        const struct libc_row *r = &libc_rows[i];
        bool ok = !(r->does & LIBC_ANYTHING) || !modelled[i];
        ok &= !modelled[i] || r->stage != LIBC_OUTSIDE;
        if (!ok)
            fprintf(stderr, "%s\n", r->name);
        CHECK(ok);
    }
}

TEST(names_without_a_row_are_judged_by_how_they_begin)
{
    CHECK(!libc_find("strverscmp") && libc_harmless("strverscmp"));
    CHECK(!libc_find("ptsname") && !libc_harmless("ptsname"));
    CHECK(!libc_harmless("strtok") && libc_harmless("strtok_r"));
    CHECK(!libc_harmless("malloc") && libc_harmless("__wrap_malloc"));
}

TEST_MAIN()

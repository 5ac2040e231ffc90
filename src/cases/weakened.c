#include "cases/weakened.h"

#include "base/arena.h"
#include "base/libc.h"
#include "base/number.h"
#include "program/program.h"

// Classes whose mailboxes are bounded: on the stage they are not.
static const char *bounded_mailboxes(const struct program *p, struct arena *a)
{
    const char *list = NULL;
    for (uint32_t i = 0; i < p->n_classes; i++)
        if (p->classes[i]->mailbox)
            list = list ? arena_format(a, "%s, %s", list, p->classes[i]->name)
                        : p->classes[i]->name;
    return list ? arena_format(a, "unbounded mailboxes of %s", list) : NULL;
}

// The functions of the C library that do this and that the program calls:
// "rand, getrandom"; NULL: none.
static const char *called(const struct program *p, enum libc_does does,
                          struct arena *a)
{
    const char *list = NULL;
    for (uint32_t i = 0; i < libc_n; i++) {
        const char *name = libc_rows[i].name;
        if (libc_rows[i].does & does && program_calls(p, name))
            list = list ? arena_format(a, "%s, %s", list, name) : name;
    }
    return list;
}

// What is answered in one way, though a real run may see others.
static void answered(const struct program *p, struct weakened *w,
                     struct arena *a)
{
    const char *numbers = called(p, LIBC_CHANCE, a);
    const char *ids = called(p, LIBC_THREAD, a);
    if (numbers)
        w->at[w->n++] =
            arena_format(a, "random numbers are some of many (%s)", numbers);
    if (ids)
        w->at[w->n++] = arena_format(a, "all handlers on one thread (%s)", ids);
    if (program_calls(p, "clock"))
        w->at[w->n++] = "no processor time passes (clock)";
    if (program_clocked(p))
        w->at[w->n++] = "time passes only by timers and sleeps";
}

struct weakened weakened_of(const struct program *p, uint64_t runs,
                            uint64_t once, const char *sample, struct arena *a)
{
    struct weakened w = {0};
    const char *calls = program_uncontrolled(p, a);
    const char *mail = bounded_mailboxes(p, a);
    char all[32], some[32];
    if (calls)
        w.at[w.n++] = arena_format(a, "uncontrolled calls %s", calls);
    if (mail)
        w.at[w.n++] = mail;
    answered(p, &w, a);
    if (p->unset)
        w.at[w.n++] = arena_format(
            a, "locals that may not be set are zero (%s)", p->unset);
    if (sample)
        w.at[w.n++] = sample;
    if (once)
        w.at[w.n++] =
            arena_format(a, "%s of %s handler runs made only once",
                         number_grouped(some, once), number_grouped(all, runs));
    w.n_own = w.n;
    if (!p->unset)
        w.at[w.n++] = "locals that are not set start as zero";
    return w;
}

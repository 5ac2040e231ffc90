// Handlers that damage the process they run in.
#include "troupe_short.h"

#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

TR_SIGNAL(go);

#define WILD(name, code)                                                       \
    TR_PROTOCOL(name, go);                                                     \
    struct name {                                                              \
        int n;                                                                 \
    };                                                                         \
    TR_HANDLER(name, go)                                                       \
    {                                                                          \
        self->n++;                                                             \
        code;                                                                  \
    }                                                                          \
    TR_BEHAVIOUR(name, open, TR_ON(go, name##_go));                            \
    TR_CLASS(name, .start = &name##_open)

// All of the C library's heap.
static void scribble(void)
{
    char line[256];
    unsigned long from = 0, to = 0;
    FILE *f = fopen("/proc/self/maps", "r");
    while (f && fgets(line, sizeof line, f))
        if (strstr(line, "[heap]"))
            sscanf(line, "%lx-%lx", &from, &to);
    if (to > from)
        memset((void *)from, 0x5a, to - from);
}

// Whether a page is there is nothing that images or checks know of.
static void *const page = (void *)0x10000000;

static void plant(void)
{
    syscall(SYS_mmap, page, 4096, PROT_READ,
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

static void step_on_it(void)
{
    unsigned char in;
    if (mincore(page, 4096, &in) == 0)
        syscall(SYS_exit_group, 9);
}

static void spin(void)
{
    sigset_t all;
    sigfillset(&all);
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, NULL, 8);
    for (volatile int i = 0;; i++)
        ;
}

WILD(vandal, scribble());
WILD(smasher, memset(stdout, 0x5a, 200); printf("%d", self->n));
WILD(leaver, syscall(SYS_exit_group, 7));
WILD(closer, syscall(SYS_close_range, 3, 1023, 0));
WILD(planter, plant());
WILD(stepper, step_on_it());
WILD(spinner, spin());
WILD(good, (void)0);

// One that does it, then one that is as it should be.
#define DOES(name)                                                             \
    TR_TEST(name##_test)                                                       \
    {                                                                          \
        good_ref g = spawn(good);                                              \
        name##_ref w = spawn(name);                                            \
        send(g, go);                                                           \
        send(w, go);                                                           \
        send(g, go);                                                           \
        drain();                                                               \
        assert(peek(good, g)->n == 2);                                         \
    }

DOES(vandal)
DOES(smasher)
DOES(leaver)
DOES(closer)
DOES(planter)
DOES(spinner)

// What the planter leaves behind is not the stepper's fault.
TR_TEST(stepper_test)
{
    send(spawn(planter), go);
    stepper_ref s = spawn(stepper);
    send(s, go);
    drain();
    assert(peek(stepper, s)->n == 1);
}

TR_TEST(body_leaves)
{
    send(spawn(good), go);
    syscall(SYS_exit_group, 5);
}

// What the brute force of a function's small domain needs; included before the
// function.  brute() calls it with every input of the domain by TRY(), simple
// inputs first.  main() runs the domain twice: the first time to see which
// inputs end in a trap, the second time without those, which is what llvm-cov
// counts (clang).  Edges are those that gcc has.  Prints per set of edges taken
// the simplest input, and the traps.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum { INPUTS_MOST = 1 << 20, EDGES_MOST = 512, SETS_MOST = 4096 };
struct brute_set {
    unsigned char edges[EDGES_MOST / 8];
    long steps, input;
    int written; // ends by abort, assert or exit
};
static struct {
    sigjmp_buf jump;
    int pass, active;
    long input, steps;
    unsigned char bad[INPUTS_MOST], now[EDGES_MOST / 8];
    uintptr_t low, high, before;
    uintptr_t edge[EDGES_MOST][2];
    int n_edges, n_sets;
    struct brute_set sets[SETS_MOST];
} brute_;
static void brute(void);
void __llvm_profile_reset_counters(void) __attribute__((weak));

#ifndef __clang__
__attribute__((no_sanitize_coverage)) void __sanitizer_cov_trace_pc(void)
{
    uintptr_t pc = (uintptr_t)__builtin_return_address(0);
    if (!brute_.active)
        return;
    brute_.steps++;
    if (pc < brute_.low || pc >= brute_.high)
        return;
    int i = 0;
    while (i < brute_.n_edges &&
           (brute_.edge[i][0] != brute_.before || brute_.edge[i][1] != pc))
        i++;
    if (i == brute_.n_edges && i < EDGES_MOST) {
        brute_.edge[i][0] = brute_.before;
        brute_.edge[i][1] = pc;
        brute_.n_edges++;
    }
    brute_.now[i / 8] |= (unsigned char)(1u << i % 8);
    brute_.before = pc;
}
#endif

static void brute_take(int written)
{
    int i = 0;
    brute_.active = 0;
    if (brute_.pass != 1)
        return;
    while (i < brute_.n_sets &&
           memcmp(brute_.sets[i].edges, brute_.now, sizeof brute_.now) != 0)
        i++;
    struct brute_set *s = &brute_.sets[i];
    if (i == brute_.n_sets) {
        if (i == SETS_MOST)
            return;
        brute_.n_sets++;
        memcpy(s->edges, brute_.now, sizeof brute_.now);
    } else if (s->steps <= brute_.steps) {
        return;
    }
    s->steps = brute_.steps;
    s->input = brute_.input;
    s->written = written;
}

static void brute_signal(int number, siginfo_t *info, void *context)
{
    ucontext_t *c = context;
    (void)info;
    uintptr_t pc = (uintptr_t)c->uc_mcontext.gregs[REG_RIP];
    const uintptr_t *stack = (const void *)c->uc_mcontext.gregs[REG_RSP];
    // In a function of the C library: where it was called.
    for (int i = 0; pc > UINT32_MAX && i < 64; i++)
        if (stack[i] > brute_.low && stack[i] <= brute_.high)
            pc = stack[i] - 1;
    if (brute_.active && brute_.pass == 1)
        printf("trap %d %llx\n", number, (unsigned long long)pc);
    brute_.active = 0;
    brute_.bad[brute_.input] = 1;
    siglongjmp(brute_.jump, 1);
}
// abort(), exit() and a failed assertion of the function.
__attribute__((noreturn)) static void brute_written(int line)
{
    if (brute_.pass == 1)
        printf("end %d\n", line);
    brute_take(1);
    siglongjmp(brute_.jump, 1);
}
static int brute_begin(void)
{
    if (++brute_.input >= INPUTS_MOST) {
        fputs("the domain is too large\n", stderr);
        exit(2);
    }
    memset(brute_.now, 0, sizeof brute_.now);
    brute_.steps = 0;
    brute_.before = 0;
    brute_.active = 1;
    if (brute_.pass == 2 && brute_.bad[brute_.input])
        return brute_.active = 0;
    alarm(2);
    return 1;
}
#define TRY(...)                                                               \
    do {                                                                       \
        if (brute_begin() && !sigsetjmp(brute_.jump, 1)) {                     \
            (void)(__VA_ARGS__);                                               \
            brute_take(0);                                                     \
        }                                                                      \
    } while (0)
// for (each value of a list): *v.
#define EACH(T, v, ...)                                                        \
    for (__typeof__(T) v##_[] = {__VA_ARGS__}, *v = v##_;                      \
         v < v##_ + sizeof v##_ / sizeof *v##_; v++)
// n bytes that end where a page begins that may not be touched.
static void *guarded(const void *from, size_t n)
{
    static char *page[64];
    static int turn;
    char **p = &page[turn++ % 64];
    if (!*p) {
        *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        mprotect(*p + 4096, 4096, PROT_NONE);
    }
    return memcpy(*p + 4096 - n, from, n);
}

int main(void)
{
    struct sigaction a = {.sa_sigaction = brute_signal, .sa_flags = SA_SIGINFO};
    static const int numbers[] = {SIGSEGV, SIGFPE, SIGBUS, SIGALRM};
    Dl_info info;
    const ElfW(Sym) *symbol = NULL;
    void *f = dlsym(NULL, FUNCTION);
    if (f && dladdr1(f, &info, (void **)&symbol, RTLD_DL_SYMENT) && symbol) {
        brute_.low = (uintptr_t)f;
        brute_.high = brute_.low + symbol->st_size;
    }
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &a, NULL);
    brute_.pass = 1;
    brute();
    brute_.pass = 2;
    brute_.input = 0;
    if (__llvm_profile_reset_counters)
        __llvm_profile_reset_counters();
    brute();
    for (int i = 0; i < brute_.n_sets; i++) {
        const struct brute_set *s = &brute_.sets[i];
        printf("set %ld %ld %d", s->steps, s->input, s->written);
        for (int k = 0; k < brute_.n_edges; k++)
            if (s->edges[k / 8] >> k % 8 & 1)
                printf(" %d", k);
        putchar('\n');
    }
}
#define abort() brute_written(__LINE__)
#define exit(status) brute_written(__LINE__)
#undef assert
#define BRUTE_ASSERT(x) ((x) ? (void)0 : brute_written(__LINE__))

#include "testlib/stack.h"

#include "program/program.h"

#include <execinfo.h>
#include <stdbool.h>
#include <stdio.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

extern const char __executable_start[], etext[];
// The test library's code where it is installed (mk/library.mk); else it cannot
// be told from the program's.
extern const char __start_tr_library[] __attribute__((weak));
extern const char __stop_tr_library[] __attribute__((weak));

void stack_prepare(void)
{
    void *frames[2];
    backtrace(frames, 2); // loads the unwinder
}

static uintptr_t interrupted(void *context)
{
    ucontext_t *u = context;
#if defined __x86_64__
    return u ? (uintptr_t)u->uc_mcontext.gregs[REG_RIP] : 0;
#elif defined __aarch64__
    return u ? (uintptr_t)u->uc_mcontext.pc : 0;
#else
    (void)u;
    return 0;
#endif
}

static bool inside(struct range text, const void *at)
{
    uintptr_t pc = (uintptr_t)at;
    return pc >= text.from && pc < text.to &&
           !(pc >= (uintptr_t)__start_tr_library &&
             pc < (uintptr_t)__stop_tr_library);
}

uintptr_t stack_pc(const struct program *p, void *context)
{
    struct range text = {(uintptr_t)__executable_start, (uintptr_t)etext};
    uintptr_t pc = interrupted(context);
    bool mixed = !p && !__start_tr_library;
    void *frames[64];
    if (p)
        text = p->text;
    if (inside(text, (void *)pc))
        return pc;
    // frames above the interrupted one are ours, and so are those above
    // exit() in an executable that we are linked into
    int n = backtrace(frames, 64), i = 0;
    while (pc && i < n && (uintptr_t)frames[i] != pc)
        i++;
    i = i < n ? i : 0;
    while (!pc && mixed && i < n && !inside(text, frames[i]))
        i++;
    while (!pc && mixed && i < n && inside(text, frames[i]))
        i++;
    for (; i < n; i++) {
        if (inside(text, frames[i])) // a return address is of the next line
            return (uintptr_t)frames[i] - 1;
    }
    return 0;
}

static bool runs(const char *task)
{
    char path[64], line[256], state = 0;
    snprintf(path, sizeof path, "/proc/self/task/%.20s/stat", task);
    FILE *f = fopen(path, "r");
    const char *end =
        f && fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
    if (end && end[1])
        state = end[2];
    if (f)
        fclose(f);
    return state == 'R';
}

int stack_pass_on(int signal)
{
    DIR *d = opendir("/proc/self/task");
    int found = 0;
    for (struct dirent *e; d && !found && (e = readdir(d));) {
        long tid = strtol(e->d_name, NULL, 10);
        if (tid > 0 && tid != (long)gettid() && runs(e->d_name))
            found = syscall(SYS_tgkill, getpid(), tid, signal) == 0;
    }
    if (d)
        closedir(d);
    return found;
}

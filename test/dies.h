// Does a call end the process?  It is made in a child, whose words are dropped.
#ifndef TEST_DIES_H
#define TEST_DIES_H

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// The signal that ends the child; its exit status if it is not one.
static inline int ending_of(void (*call)(void *), void *with)
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        int nowhere = open("/dev/null", O_WRONLY);
        struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        dup2(nowhere, 2);
        call(with);
        _exit(0);
    }
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

static inline bool asserts(void (*call)(void *), void *with)
{
    return ending_of(call, with) == SIGABRT;
}

#endif

#include "base/interrupt.h"

#include "test.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

// How a child ends that gets a SIGTERM after `released` of two catches were
// given back: 0 if it noted it, else the signal.
static int end_of(int released)
{
    pid_t pid = fork();
    if (pid == 0) {
        interrupt_catch();
        interrupt_catch();
        for (int i = 0; i < released; i++)
            interrupt_release();
        raise(SIGTERM);
        _exit(interrupted() ? 0 : 1);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

TEST(interrupt_is_noted_until_all_let_go)
{
    CHECK(end_of(0) == 0);
    CHECK(end_of(1) == 0);
    CHECK(end_of(2) == SIGTERM);
    CHECK(end_of(3) == SIGTERM);
}

TEST_MAIN()

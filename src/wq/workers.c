#include "wq/workers.h"

#include "base/clock.h"
#include "base/die.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

struct workers {
    uint32_t n;
    const char *password, *folder;
    char port[12];
    double looked;
    struct {
        pid_t pid;
        double began;
    } list[];
};

// In the child: become a worker, with none of our first 1024 descriptors.  The
// usual signals end it.
static _Noreturn void be_worker(const struct workers *w)
{
    int nowhere = open("/dev/null", O_RDWR);
    for (int fd = 0; fd <= 2 && nowhere >= 0; fd++)
        dup2(nowhere, fd);
    for (int fd = 3; fd < 1024; fd++)
        close(fd);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    const char *argv[16] = {
        "work_queue_worker",
        "--cores=1",
        "--parent-death",
        "--single-shot",
        "-t", // seconds without work or connection, then it ends
        "3600",
        "-b", // seconds between attempts to connect, at most
        "1",
        "-s", // where its folder is made
        w->folder};
    int n = 0;
    while (argv[n])
        n++;
    if (w->password) {
        argv[n++] = "-P";
        argv[n++] = w->password;
    }
    argv[n++] = "127.0.0.1";
    argv[n] = w->port;
    execvp(argv[0], (char *const *)(uintptr_t)argv);
    _exit(127);
}

static void start(struct workers *w, uint32_t i)
{
    w->list[i].began = clock_now();
    w->list[i].pid = fork();
    if (w->list[i].pid == 0)
        be_worker(w);
}

struct workers *workers_start(uint32_t n, uint32_t port, const char *password,
                              const char *folder)
{
    struct workers *w = need_zero(sizeof *w + n * sizeof *w->list);
    w->n = n;
    w->password = password;
    w->folder = folder;
    snprintf(w->port, sizeof w->port, "%u", port);
    for (uint32_t i = 0; i < n; i++)
        start(w, i);
    return w;
}

// Has the child ended?  The library waits for children, too: if waitpid() does
// not know the child, it has ended.
static int has_ended(pid_t pid)
{
    return pid < 0 || waitpid(pid, NULL, WNOHANG) != 0;
}

#define AGAIN_SECONDS 0.5 // from one start of a worker to its next, at least
#define LOOK_SECONDS 0.2

void workers_look(struct workers *w)
{
    if (clock_now() - w->looked < LOOK_SECONDS)
        return;
    w->looked = clock_now();
    for (uint32_t i = 0; i < w->n; i++)
        if (clock_now() - w->list[i].began > AGAIN_SECONDS &&
            has_ended(w->list[i].pid))
            start(w, i);
}

enum { LAST_MS = 2000, LOOK_MS = 10 };

// A worker removes its folder when it is asked to end.
void workers_end(struct workers *w)
{
    for (uint32_t i = 0; i < w->n; i++)
        if (w->list[i].pid > 0)
            kill(w->list[i].pid, SIGTERM);
    for (uint32_t i = 0, ms = 0; i < w->n; i++) {
        while (ms < LAST_MS && !has_ended(w->list[i].pid)) {
            usleep(LOOK_MS * 1000);
            ms += LOOK_MS;
        }
        if (ms >= LAST_MS && !has_ended(w->list[i].pid)) {
            kill(w->list[i].pid, SIGKILL);
            waitpid(w->list[i].pid, NULL, 0);
        }
    }
    free(w);
}

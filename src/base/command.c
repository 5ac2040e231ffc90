#include "base/command.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/text.h"

extern char **environ;

void args_split(struct args *a, struct arena *arena, const char *words)
{
    char *rest = arena_text(arena, words);
    for (char *w; (w = strtok_r(rest, " \t\n", &rest));)
        vec_push(a, w);
}

const char *command_path(struct arena *a, const char *name)
{
    if (strchr(name, '/'))
        return access(name, X_OK) == 0 ? arena_text(a, name) : NULL;
    const char *path = getenv("PATH");
    char *rest = arena_text(a, path ? path : "/usr/bin:/bin");
    for (char *dir; (dir = strsep(&rest, ":"));) {
        const char *file = arena_format(a, "%s/%s", *dir ? dir : ".", name);
        if (access(file, X_OK) == 0)
            return file;
    }
    return NULL;
}

static pid_t start(const struct args *argv, bool quiet, int out)
{
    if (!argv->n) {
        errno = EINVAL;
        return -1;
    }
    const char **copy = calloc(argv->n + 1, sizeof *copy);
    posix_spawn_file_actions_t files;
    if (!copy || posix_spawn_file_actions_init(&files) != 0) {
        free(copy);
        return -1;
    }
    for (uint32_t i = 0; i < argv->n; i++)
        copy[i] = argv->at[i];
    for (int fd = 1; quiet && fd <= 2; fd++)
        posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_WRONLY, 0);
    if (out >= 0)
        posix_spawn_file_actions_adddup2(&files, out, 1);
    pid_t pid;
    union { // exec never writes to its arguments
        const char **in;
        char **out;
    } words = {copy};
    int error = posix_spawnp(&pid, copy[0], &files, NULL, words.out, environ);
    posix_spawn_file_actions_destroy(&files);
    free(copy);
    errno = error;
    return error ? -1 : pid;
}

pid_t command_start(const struct args *argv, bool quiet)
{
    return start(argv, quiet, -1);
}

int command_wait(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int command_run(const struct args *argv, bool quiet, struct text *out)
{
    int ends[2] = {-1, -1};
    if (out && pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    pid_t pid = start(argv, quiet, ends[1]);
    if (out)
        close(ends[1]);
    char buf[4096];
    for (ssize_t n; out && pid > 0 && (n = read(ends[0], buf, sizeof buf)) > 0;)
        text_bytes(out, buf, (size_t)n);
    if (out)
        close(ends[0]);
    return pid > 0 ? command_wait(pid) : -1;
}

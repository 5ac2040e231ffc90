#include "base/command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/interrupt.h"
#include "base/text.h"

extern char **environ;

// The C library keeps argv[0], so that we need no variable of our own.
const char *command_typed(void)
{
    const char *name = program_invocation_name, *slash = strrchr(name, '/');
    const char *base = slash ? slash + 1 : name;
    bool tool = strncmp(base, "troupe", 6) == 0 &&
                strncmp(base, "troupe-llvm", 11) != 0;
    return tool ? name : "troupe";
}

void command_quote_typed(struct arena *a)
{
    struct text word = {0};
    command_add_word(&word, program_invocation_name);
    program_invocation_name = arena_text(a, text_get(&word));
    text_free(&word);
}

// One word from *at on, without its quotes; false at the end.
static bool take_word(const char **at, struct text *word)
{
    const char *s = *at + strspn(*at, " \t\n");
    char quote = 0;
    bool any = *s != '\0';
    text_clear(word);
    for (; *s && (quote || !strchr(" \t\n", *s)); s++) {
        if (quote ? *s == quote : *s == '\'' || *s == '"')
            quote = quote ? 0 : *s;
        else if (*s == '\\' && quote != '\'' && s[1])
            text_char(word, *++s);
        else
            text_char(word, *s);
    }
    *at = s;
    return any;
}

void args_split(struct args *a, struct arena *arena, const char *words)
{
    struct text word = {0};
    while (take_word(&words, &word))
        vec_push(a, (const char *)arena_text(arena, text_get(&word)));
    text_free(&word);
}

bool command_is_plain(const char *word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "abcdefghijklmnopqrstuvwxyz0123456789"
                                "%+,-./:=@_";
    return *word && !word[strspn(word, plain)];
}

void command_add_word(struct text *to, const char *word)
{
    if (command_is_plain(word)) {
        text_add(to, word);
        return;
    }
    text_char(to, '\'');
    for (; *word; word++)
        if (*word == '\'')
            text_add(to, "'\\''");
        else
            text_char(to, *word);
    text_char(to, '\'');
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

// Where a program runs and what it writes to.
struct setting {
    bool quiet;
    int out, err; // -1: ours
    const char *folder;
};

static pid_t start(const struct args *argv, const struct setting *s)
{
    if (!argv->n || interrupted()) {
        errno = argv->n ? EINTR : EINVAL;
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
    for (int fd = 1; s->quiet && fd <= 2; fd++)
        posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_WRONLY, 0);
    if (s->out >= 0)
        posix_spawn_file_actions_adddup2(&files, s->out, 1);
    if (s->err >= 0)
        posix_spawn_file_actions_adddup2(&files, s->err, 2);
    if (s->folder)
        posix_spawn_file_actions_addchdir_np(&files, s->folder);
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

pid_t command_start_to(const struct args *argv, int errors)
{
    return start(argv, &(struct setting){false, -1, errors, NULL});
}

int command_wait(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR)
            return -1;
        if (interrupted())
            kill(pid, SIGTERM);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Run it; what it writes to *said, a member of the setting, is added to *out.
static int run(const struct args *argv, struct setting *s, int *said,
               struct text *out)
{
    int ends[2] = {-1, -1};
    if (out && pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    *said = ends[1];
    pid_t pid = start(argv, s);
    if (out)
        close(ends[1]);
    char buf[4096];
    for (ssize_t n; out && pid > 0 && (n = read(ends[0], buf, sizeof buf)) > 0;)
        text_bytes(out, buf, (size_t)n);
    if (out)
        close(ends[0]);
    return pid > 0 ? command_wait(pid) : -1;
}

int command_run(const struct args *argv, bool quiet, struct text *out)
{
    struct setting s = {quiet, -1, -1, NULL};
    return run(argv, &s, &s.out, out);
}

int command_run_in(const struct args *argv, const char *folder,
                   struct text *errors)
{
    struct setting s = {false, -1, -1, folder};
    return run(argv, &s, &s.err, errors);
}

#include "cli/far.h"

#include "base/arena.h"
#include "base/command.h"
#include "base/diag.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "cli/helper.h"
#include "cli/session.h"
#include "cli/shell/command.h"
#include "cli/far_task.h"
#include "cli/trial.h"
#include "explore/sample_units.h"
#include "program/program.h"

#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool far_wanted(const struct session *s)
{
    return option_given(s->options, OPT_listen);
}

// ---- what is asked for -----------------------------------------------------

static bool check_alone(struct session *s)
{
    static const enum option_id ids[] = {OPT_password_file, OPT_insecure,
                                         OPT_workers, OPT_name, OPT_catalog};
    static const char *const names[] = {"password-file", "insecure", "workers",
                                        "name", "catalog"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        if (option_given(s->options, ids[i]))
            return diag_set(&s->diag, EXIT_USAGE, "--%s needs --listen=PORT",
                            names[i]);
    return true;
}

static bool check_password(struct session *s)
{
    const char *file = option_text(s->options, OPT_password_file);
    struct stat st;
    if (!file && option_flag(s->options, OPT_insecure))
        return true;
    if (!file) {
        diag_set(&s->diag, EXIT_USAGE,
                 "--listen needs --password-file=FILE, or --insecure to let "
                 "anybody in");
        return false;
    }
    if (access(file, R_OK) != 0 || stat(file, &st) != 0)
        return diag_at(&s->diag, EXIT_USAGE, file, 0, "%s", strerror(errno));
    if (S_ISDIR(st.st_mode))
        return diag_at(&s->diag, EXIT_USAGE, file, 0, "%s", strerror(EISDIR));
    return st.st_size > 0 ||
           diag_at(&s->diag, EXIT_USAGE, file, 0, "the password is empty");
}

static bool check_catalog(struct session *s)
{
    bool name = option_given(s->options, OPT_name);
    bool catalog = option_given(s->options, OPT_catalog);
    if (name != catalog)
        return diag_set(&s->diag, EXIT_USAGE, "--%s needs --%s",
                        name ? "name" : "catalog", name ? "catalog" : "name");
    const char *at = catalog ? option_text(s->options, OPT_catalog) : NULL;
    return !at || strchr(at, ':') ||
           diag_set(&s->diag, EXIT_USAGE, "--catalog is HOST:PORT, not '%s'",
                    at);
}

static bool check_engine(struct session *s)
{
    if (!helper_path(&s->arena, "troupe-wq"))
        return diag_set(&s->diag, EXIT_USAGE,
                        "this build has no Work Queue: install the package "
                        "coop-computing-tools-dev and build troupe again");
    return !option_number(s->options, OPT_workers) ||
           command_path(&s->arena, "work_queue_worker") ||
           diag_set(&s->diag, EXIT_USAGE,
                    "--workers needs work_queue_worker: install the package "
                    "coop-computing-tools");
}

enum { MOST_PORT = 65535, MOST_WORKERS = 1024 };

bool far_check(struct session *s)
{
    if (!far_wanted(s))
        return check_alone(s);
    if (option_number(s->options, OPT_listen) > MOST_PORT)
        return diag_set(&s->diag, EXIT_USAGE, "--listen: there is no port %s",
                        option_text(s->options, OPT_listen));
    if (option_number(s->options, OPT_workers) > MOST_WORKERS)
        return diag_set(&s->diag, EXIT_USAGE,
                        "--workers: at most %d on one machine", MOST_WORKERS);
    if (option_flag(s->options, OPT_estimate))
        return diag_set(&s->diag, EXIT_USAGE,
                        "--estimate takes seconds on this machine: leave out "
                        "--listen");
    if (option_given(s->options, OPT_finals))
        return diag_set(&s->diag, EXIT_USAGE,
                        "--finals writes on this machine: leave out --listen");
    return check_password(s) && check_catalog(s) && check_engine(s);
}

bool far_can_spread(struct trial *t)
{
    enum strategy s = t->subject.explore.strategy;
    if (t->subject.explore.bounded_delays)
        return diag_set(&t->session->diag, EXIT_USAGE,
                        "%s: --delay-bound cannot be spread over machines: "
                        "leave out --listen",
                        t->subject.test->name);
    return s == STRATEGY_AUTO || s == STRATEGY_OPTIMAL || strategy_samples(s) ||
           diag_set(&t->session->diag, EXIT_USAGE,
                    "%s: %s cannot be spread over machines: leave out "
                    "--listen, or explore with auto, optimal or samples",
                    t->subject.test->name, strategy_id(s));
}

// ---- what goes there -------------------------------------------------------

static void add_file(struct far *f, const char *path, const char *name)
{
    struct far_file file = {.path = path, .name = name};
    vec_push(&f->files, file);
}

// Belongs to the C library, which must fit the machine.
static bool is_of_libc(const char *name)
{
    static const char *const parts[] = {
        "ld-linux", "libc.so",      "libm.so",    "libpthread.so", "libdl.so",
        "librt.so", "libresolv.so", "linux-vdso", "libnss_"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strncmp(name, parts[i], strlen(parts[i])) == 0)
            return true;
    return false;
}

// All libraries that are loaded now: those of the tool and of the program.
static int add_library(struct dl_phdr_info *info, size_t size, void *self)
{
    struct far *f = self;
    struct session *s = f->session;
    const char *path = info->dlpi_name, *slash = strrchr(path, '/');
    (void)size;
    if (!slash || is_of_libc(slash + 1) || strcmp(path, s->program->path) == 0)
        return 0;
    add_file(f, arena_text(&s->arena, path),
             arena_format(&s->arena, "lib%s", slash));
    return 0;
}

static const char *own_path(struct arena *a)
{
    char exe[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    exe[n > 0 ? n : 0] = 0;
    return arena_text(a, exe);
}

// ---- what is told ----------------------------------------------------------

// The start of a command line that starts a worker.
static void worker_command(const struct far *f, struct text *t)
{
    text_add(t, "    work_queue_worker ");
    if (f->crew.password) {
        text_add(t, "-P ");
        command_add_word(t, f->crew.password);
        text_char(t, ' ');
    }
}

static bool stays(void *self)
{
    const struct far *f = self;
    return f->more || interrupted();
}

static void say_ready(void *self, uint32_t port)
{
    struct far *f = self;
    const struct session *s = f->session;
    struct text t = {0};
    char host[256] = "HOST";
    gethostname(host, sizeof host - 1);
    if (!f->crew.password)
        fprintf(stderr,
                "troupe: WITHOUT A PASSWORD: whoever reaches port %u "
                "CAN READ THE PROGRAM AND CHANGE THE RESULT\n",
                port);
    if (option_flag(s->options, OPT_quiet))
        return;
    worker_command(f, &t);
    text_format(&t, "%s %u\n", host, port);
    if (f->crew.name) {
        worker_command(f, &t);
        text_format(&t, "-C %s -M ", f->crew.catalog);
        command_add_word(&t, f->crew.name);
        text_char(&t, '\n');
    }
    fprintf(stderr, "troupe: port %u waits for workers; on any machine:\n%s",
            port, text_get(&t));
    text_free(&t);
}

// Was this said already?  It is noted.
static bool was_told(struct far *f, const char *what)
{
    for (uint32_t i = 0; i < f->told.n; i++)
        if (strcmp(f->told.at[i], what) == 0)
            return true;
    vec_push(&f->told, arena_text(&f->session->arena, what));
    return false;
}

static void say_failed(void *self, enum engine_outcome how, const char *host,
                       const char *said)
{
    struct far *f = self;
    struct text t = {0};
    const char *where = *host ? host : "a worker";
    size_t n = strcspn(said, "\n");
    if (how == TASK_UNFIT)
        text_format(&t, "%s cannot do tasks", where);
    else if (how == TASK_LOST)
        text_format(&t, "a task on %s did not end", where);
    else
        text_format(&t, "the process of a task ended on %s", where);
    if (!was_told(f, text_get(&t)))
        fprintf(stderr, "troupe: %s%s%.*s\n", text_get(&t), n ? ": " : "",
                (int)n, said);
    text_free(&t);
}

const char *far_note(const struct crew_figures *f, char *buffer, size_t size)
{
    char gone[32] = "";
    if (f->far.gone)
        snprintf(gone, sizeof gone, ", %u gone", f->far.gone);
    snprintf(buffer, size,
             " far      %u worker%s%s, %u core%s, %u units out, %u left, %llu "
             "tasks done",
             f->far.now, f->far.now == 1 ? "" : "s", gone, f->far.cores,
             f->far.cores == 1 ? "" : "s", f->far.out, f->far.left,
             (unsigned long long)f->orders);
    return buffer;
}

// ---- all of it -------------------------------------------------------------

// The tool is started with the libraries that came along.
#define COMMAND "LD_LIBRARY_PATH=lib exec ./" TASK_TOOL " " TASK_OPTION

void far_open(struct far *f, struct trial *t)
{
    struct session *s = t->session;
    struct options *o = s->options;
    *f = (struct far){.session = s, .more = t->more};
    add_file(f, own_path(&s->arena), TASK_TOOL);
    add_file(f, s->program->path, TASK_PROGRAM);
    dl_iterate_phdr(add_library, f);
    task_subject_put(&f->subject, &t->subject);
    vec_push(&f->files, ((struct far_file){.name = TASK_SUBJECT,
                                           .bytes = f->subject.at,
                                           .size = f->subject.n}));
    f->crew =
        (struct crew_far){.engine = helper_path(&s->arena, "troupe-wq"),
                          .port = (uint32_t)option_number(o, OPT_listen),
                          .password = option_text(o, OPT_password_file),
                          .name = option_text(o, OPT_name),
                          .catalog = option_text(o, OPT_catalog),
                          .workers = (uint32_t)option_number(o, OPT_workers),
                          .command = COMMAND,
                          .files = f->files.at,
                          .n_files = f->files.n,
                          .self = f,
                          .ready = say_ready,
                          .stays = stays,
                          .failed = say_failed};
}

void far_close(struct far *f)
{
    text_free(&f->subject);
    vec_free(&f->told);
    vec_free(&f->files);
}

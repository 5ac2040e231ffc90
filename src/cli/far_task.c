#include "cli/far_task.h"

#include "base/arena.h"
#include "base/diag.h"
#include "base/wire.h"
#include "cases/subject.h"
#include "cli/worker_job.h"
#include "crew/engine.h"
#include "crew/remote.h"
#include "explore/bytes.h"
#include "program/program.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { SUBJECT = 0x6a627573 };

typedef VEC(const char *) strings;

static void put_strings(struct text *t, const char *const *at, uint32_t n)
{
    wire_put32(t, n);
    for (uint32_t i = 0; i < n; i++)
        wire_put_string(t, at[i]);
}

// ---- the environment -------------------------------------------------------

extern char **environ;

static bool reads_environment(const struct program *p)
{
    static const char *const names[] = {"getenv",
                                        "secure_getenv",
                                        "environ",
                                        "__environ",
                                        "_environ",
                                        "__wrap_getenv",
                                        "__wrap_secure_getenv"};
    for (uint32_t i = 0; i < p->n_undefined; i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (strcmp(p->undefined[i], names[k]) == 0)
                return true;
    return false;
}

static bool is_setting(const char *variable)
{
    return strncmp(variable, "LC_", 3) == 0 ||
           strncmp(variable, "LANG=", 5) == 0 ||
           strncmp(variable, "LANGUAGE=", 9) == 0 ||
           strncmp(variable, "TZ=", 3) == 0;
}

static void put_environment(struct text *t, const struct program *p)
{
    strings all = {0};
    bool whole = reads_environment(p);
    for (char **v = environ; *v; v++)
        if (whole || is_setting(*v))
            vec_push(&all, *v);
    put_strings(t, all.at, all.n);
    vec_free(&all);
}

static void set_environment(const char *variable)
{
    const char *value = strchr(variable, '=');
    char name[256];
    if (!value || (size_t)(value - variable) >= sizeof name)
        return;
    memcpy(name, variable, (size_t)(value - variable));
    name[value - variable] = '\0';
    setenv(name, value + 1, 1);
}

// ---- the subject -----------------------------------------------------------

void task_subject_put(struct text *t, const struct subject *s)
{
    const struct test_case *c = &s->origin;
    wire_begin(t, SUBJECT);
    wire_put64(t, s->program->hash[0]);
    wire_put64(t, s->program->hash[1]);
    wire_put_string(t, s->test->name);
    wire_put_string(t, s->params);
    explore_options_put(t, &s->explore);
    wire_put32(t, s->isolate);
    wire_put32(t, s->limit_ms);
    wire_put64(t, s->memory);
    wire_put_string(t, c->tool);
    wire_put_string(t, c->build);
    put_strings(t, c->programs.at, c->programs.n);
    put_strings(t, c->flags.at, c->flags.n);
    put_strings(t, c->params.at, c->params.n);
    put_environment(t, s->program);
    wire_end(t);
}

#define GET_STRINGS(in, list)                                                  \
    do {                                                                       \
        uint32_t n_ = wire_get32(in);                                          \
        for (uint32_t i_ = 0; i_ < n_ && !(in)->bad; i_++)                     \
            vec_push(list, wire_get_string(in));                               \
    } while (0)

// What is read lies in the message.  The environment is set on the way: the
// program's constructors may read it.  The name of the test, or NULL.
static const char *subject_get(struct wire_reader *in, uint64_t hash[2],
                               struct subject *s)
{
    struct test_case *c = &s->origin;
    strings environment = {0};
    hash[0] = wire_get64(in);
    hash[1] = wire_get64(in);
    const char *test = wire_get_string(in);
    s->params = wire_get_string(in);
    explore_options_get(in, &s->explore);
    s->isolate = wire_get_below(in, 2);
    s->limit_ms = wire_get32(in);
    s->memory = wire_get64(in);
    c->tool = wire_get_string(in);
    c->build = wire_get_string(in);
    GET_STRINGS(in, &c->programs);
    GET_STRINGS(in, &c->flags);
    GET_STRINGS(in, &c->params);
    GET_STRINGS(in, &environment);
    for (uint32_t i = 0; wire_done(in) && i < environment.n; i++)
        set_environment(environment.at[i]);
    vec_free(&environment);
    return wire_done(in) ? test : NULL;
}

// ---- the task --------------------------------------------------------------

static bool read_subject(struct text *t)
{
    char part[4096];
    FILE *f = fopen(TASK_SUBJECT, "r");
    for (size_t n; f && (n = fread(part, 1, sizeof part, f));)
        text_bytes(t, part, n);
    if (f)
        fclose(f);
    else
        fprintf(stderr, "%s: %s\n", TASK_SUBJECT, strerror(errno));
    return f != NULL;
}

static bool open_subject(const struct text *bytes, struct subject *s,
                         struct diag *d)
{
    struct wire_reader in;
    uint64_t hash[2];
    const char *test = NULL;
    if (wire_open(bytes->at, bytes->n, SUBJECT, &in))
        test = subject_get(&in, hash, s);
    if (!test)
        return diag_set(d, EXIT_FAULT, "the subject is damaged");
    struct program *p = program_load("./" TASK_PROGRAM, d);
    s->program = p;
    if (!p)
        return false;
    s->test = program_test(p, test);
    return (s->test && p->hash[0] == hash[0] && p->hash[1] == hash[1]) ||
           diag_set(d, EXIT_FAULT, "the subject does not fit the program");
}

static bool do_task(const struct text *bytes)
{
    struct diag d = {0};
    struct subject s = {0};
    struct worker_job of = {.subject = &s};
    struct crew_job job = worker_job(&of);
    bool good = open_subject(bytes, &s, &d) &&
                worker_do_file(&job, ENGINE_ORDER, ENGINE_RESULT_FILE);
    diag_print(&d, stderr);
    diag_free(&d);
    case_release(&s.origin);
    return good;
}

enum { TASK_SECONDS = 120 }; // much longer than any slice

// A process that hangs counts as one that died.
static void limit_time(void)
{
    struct sigevent how = {.sigev_notify = SIGEV_SIGNAL,
                           .sigev_signo = SIGKILL};
    struct itimerspec when = {.it_value.tv_sec = TASK_SECONDS};
    timer_t timer;
    if (timer_create(CLOCK_MONOTONIC, &how, &timer) == 0)
        timer_settime(timer, 0, &when, NULL);
}

enum { UNFIT_SECONDS = 3 };

// Fail slowly, so that a machine on which tasks fail does not take them all.
static int be_unfit(void)
{
    fflush(stderr);
    sleep(UNFIT_SECONDS);
    return ENGINE_UNFIT;
}

int task_main(void)
{
    struct text bytes = {0};
    pid_t parent = getppid();
    prctl(PR_SET_PDEATHSIG, SIGKILL); // with the worker that started it
    if (getppid() != parent)
        return ENGINE_UNFIT;
    limit_time();
    setpgid(0, 0); // what a handler does to its group stays in the task
    unsetenv("LD_LIBRARY_PATH"); // was for the start
    bool good = read_subject(&bytes) && do_task(&bytes);
    text_free(&bytes);
    return good ? EXIT_GOOD : be_unfit();
}

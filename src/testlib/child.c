// Tests in child processes, some at a time.
//
// The socket of a child closes when the child ends, so one poll() waits for all
// children.  What a test prints goes to a file and is shown when it fails.  A
// child that does not keep its own time limit is killed.
#include "testlib/testlib.h"

#include "base/child.h"
#include "base/clock.h"
#include "base/descriptor.h"
#include "base/die.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "program/program.h"
#include "base/diag.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct job {
    uint32_t test;
    const struct pool *pool;
    struct child child;
    int output;
    struct report *shared;
    uint32_t runs;   // when last looked at
    double deadline; // of the run under way
    bool killed;
    bool mute; // its socket is closed, though it lives
};

enum { MOST_JOBS = 256 };

struct pool {
    const tr_test *const *tests;
    const struct test_options *options;
    struct report *reports;
    bool *done;
    struct job *jobs;
    uint32_t n_jobs;
    struct program *program; // ours, for lines of crashes; NULL: not looked yet
};

// How much longer than its test a child may take to tell that a run is late.
enum { GRACE_MS = 2000 };

static uint32_t limit_of(const struct pool *p, uint32_t test)
{
    uint32_t own = p->tests[test]->timeout_ms;
    return own ? own : p->options->timeout_ms;
}

static double deadline_of(const struct pool *p, uint32_t test)
{
    return clock_now() + ((double)limit_of(p, test) + GRACE_MS) * 1e-3;
}

// ---- start ----------------------------------------------------------------

static void run_before(const struct test_options *o, uint32_t test)
{
    if (o->before)
        o->before(o->user, test);
}

static void run_here(void *self, int fd)
{
    const struct job *j = self;
    (void)fd;
    setvbuf(stdout, NULL, _IOLBF, 0); // a run that fails ends without a flush
    run_before(j->pool->options, j->test);
    run_test(j->pool->tests[j->test], j->pool->options, j->shared, true);
    fflush(NULL);
}

static int output_file(void)
{
    FILE *f = tmpfile();
    int fd = f ? descriptor_aside(dup(fileno(f))) : -1;
    if (f)
        fclose(f);
    return fd;
}

static void job_start(struct pool *p, uint32_t test)
{
    struct job *j = &p->jobs[p->n_jobs];
    *j = (struct job){.test = test, .pool = p, .output = output_file()};
    j->shared = mmap(NULL, sizeof *j->shared, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct child_plan plan = {.body = run_here,
                              .self = j,
                              .signals = CHILD_DIES,
                              .group = true,
                              .output = j->output};
    if (j->shared == MAP_FAILED || j->output < 0 ||
        !child_start(&j->child, &plan))
        die("cannot start a test: %s", strerror(errno));
    j->deadline = deadline_of(p, test);
    p->n_jobs++;
}

// ---- end ------------------------------------------------------------------

static void tell(const struct pool *p, const struct job *j, enum bug_kind kind,
                 const char *text)
{
    struct report *r = &p->reports[j->test];
    r->kind = kind;
    r->line = p->tests[j->test]->line;
    snprintf(r->file, sizeof r->file, "%s", p->tests[j->test]->file);
    snprintf(r->text, sizeof r->text, "%s", text);
}

// A frame is "#1 0x5581 in give /dir/bank.c:7:3".  The frames above the first
// one of the program are the sanitizer's, or ours.
static bool read_frame(const char *line, char *file, int *at)
{
    return sscanf(line, " #%*d %*s in %*s %511[^:\n]:%d", file, at) == 2 &&
           !strstr(file, "sanitizer") && !strstr(file, "src/stage/");
}

// "SUMMARY: AddressSanitizer: heap-use-after-free ..." says what it was.
static void read_summary(struct report *r)
{
    const char *summary = strstr(r->output, "SUMMARY: "), *line = r->output;
    char tool[64], what[128], file[sizeof r->file], dir[sizeof r->file];
    int at;
    if (!summary || sscanf(summary, "SUMMARY: %63[^:]: %127s", tool, what) != 2)
        return;
    snprintf(r->text, sizeof r->text, "%s: %s", tool, what);
    while (line && !read_frame(line, file, &at)) {
        line = strchr(line, '\n');
        line += line != NULL;
    }
    if (!line)
        return;
    size_t n = getcwd(dir, sizeof dir) ? strlen(dir) : 0;
    bool below = n && strncmp(file, dir, n) == 0 && file[n] == '/';
    snprintf(r->file, sizeof r->file, "%s", file + (below ? n + 1 : 0));
    r->line = at;
}

static void interrupt(struct report *r)
{
    r->skipped = r->interrupted = true;
    snprintf(r->text, sizeof r->text, "interrupted");
}

// The child did not say how it ended.
static void guess(const struct pool *p, const struct job *j, int status)
{
    char text[200];
    if (interrupted()) {
        interrupt(&p->reports[j->test]);
    } else if (j->killed) {
        snprintf(text, sizeof text, "timed out after %g s",
                 limit_of(p, j->test) * 1e-3);
        tell(p, j, BUG_ENDLESS, text);
    } else if (WIFSIGNALED(status)) {
        snprintf(text, sizeof text, "killed by SIG%s",
                 sigabbrev_np(WTERMSIG(status)));
        tell(p, j, BUG_CRASH, text);
    } else {
        const char *out = p->reports[j->test].output;
        bool sanitizer =
            out && (strstr(out, "Sanitizer") || strstr(out, "runtime error:"));
        snprintf(text, sizeof text, "%s, exit status %d",
                 sanitizer ? "stopped by a sanitizer"
                           : "the test ended the process",
                 WEXITSTATUS(status));
        tell(p, j, sanitizer ? BUG_CRASH : BUG_EXIT, text);
        if (sanitizer)
            read_summary(&p->reports[j->test]);
    }
}

static char *read_output(int fd)
{
    struct text text = {0};
    char buffer[4096];
    lseek(fd, 0, SEEK_SET);
    for (ssize_t n; (n = read(fd, buffer, sizeof buffer)) > 0;)
        text_bytes(&text, buffer, (size_t)n);
    return text.n ? text_take(&text) : NULL;
}

// The child is a fork of this process, so its addresses are the same here.
static void find_line(struct pool *p, struct report *r)
{
    struct diag d = {0};
    struct where w;
    if (!r->pc)
        return;
    if (!p->program && !p->options->lines)
        p->program = program_self(&d);
    diag_free(&d);
    if (!p->program && !p->options->lines)
        return;
    w = program_where(p->options->lines ? p->options->lines : p->program,
                      r->pc);
    // a heap that the program broke may be noticed in the library's own code
    if (!w.file || (w.function && strncmp(w.function, "tr__", 4) == 0))
        return;
    snprintf(r->file, sizeof r->file, "%s", w.file);
    r->line = w.line;
    if (!*r->details && w.function)
        snprintf(r->details, sizeof r->details, "in %s\n", w.function);
}

static void job_end(struct pool *p, struct job *j)
{
    struct report *r = &p->reports[j->test];
    int status = child_wait(&j->child);
    *r = *j->shared;
    r->output = read_output(j->output);
    if (!r->told)
        guess(p, j, status);
    find_line(p, r);
    munmap(j->shared, sizeof *j->shared);
    close(j->output);
    p->done[j->test] = true;
    *j = p->jobs[--p->n_jobs];
}

// ---- in between -----------------------------------------------------------

// Kill those that are late; ms until the next one may be.
static int watch_limits(struct pool *p)
{
    double now = clock_now(), next = now + 1;
    for (uint32_t i = 0; i < p->n_jobs; i++) {
        struct job *j = &p->jobs[i];
        if (j->runs != j->shared->runs) {
            j->runs = j->shared->runs;
            j->deadline = deadline_of(p, j->test);
        }
        if (now >= j->deadline || interrupted()) {
            j->killed = true;
            child_end(&j->child);
        } else if (j->deadline < next) {
            next = j->deadline;
        }
    }
    return (int)((next - now) * 1e3) + 1;
}

// If a test writes to the socket or closes it, the child has not ended.
static bool has_ended(struct job *j)
{
    char bytes[512];
    siginfo_t info = {0};
    if (!j->mute && recv(j->child.fd, bytes, sizeof bytes, MSG_DONTWAIT) != 0)
        return false;
    waitid(P_PID, (id_t)j->child.pid, &info, WEXITED | WNOHANG | WNOWAIT);
    j->mute = !info.si_pid;
    return !j->mute;
}

enum { MUTE_MS = 10 }; // between looks at a child whose socket is closed

static void wait_for_one(struct pool *p)
{
    struct pollfd fds[MOST_JOBS];
    int ms = watch_limits(p);
    for (uint32_t i = 0; i < p->n_jobs; i++) {
        const struct job *j = &p->jobs[i];
        fds[i] =
            (struct pollfd){.fd = j->mute ? -1 : j->child.fd, .events = POLLIN};
        if (j->mute && ms > MUTE_MS)
            ms = MUTE_MS;
    }
    poll(fds, p->n_jobs, ms);
    for (uint32_t i = p->n_jobs; i-- > 0;)
        if ((fds[i].revents || p->jobs[i].mute) && has_ended(&p->jobs[i]))
            job_end(p, &p->jobs[i]);
}

static void in_children(struct pool *p, uint32_t n, uint32_t jobs,
                        void (*done)(void *user, uint32_t i), void *user)
{
    uint32_t started = 0, told = 0;
    while (told < n && !(interrupted() && !p->n_jobs)) {
        while (started < n && p->n_jobs < jobs && !interrupted())
            job_start(p, started++);
        wait_for_one(p);
        while (told < n && p->done[told])
            done(user, told++);
    }
    for (; told < n; told++) {
        if (!p->done[told])
            interrupt(&p->reports[told]);
        done(user, told);
    }
}

void run_tests(const tr_test *const *tests, uint32_t n,
               const struct test_options *o, struct report *reports,
               void (*done)(void *user, uint32_t i), void *user)
{
    struct pool p = {.tests = tests, .options = o, .reports = reports};
    uint32_t jobs = o->jobs < MOST_JOBS ? o->jobs : MOST_JOBS;
    if (o->no_fork) {
        for (uint32_t i = 0; i < n; i++) {
            run_before(o, i);
            run_test(tests[i], o, &reports[i], false);
            done(user, i);
        }
        return;
    }
    p.done = need_zero((n + 1) * sizeof *p.done);
    p.jobs = need_zero(jobs * sizeof *p.jobs);
    interrupt_catch();
    in_children(&p, n, jobs, done, user);
    interrupt_release();
    if (p.program)
        program_free(p.program);
    free(p.done);
    free(p.jobs);
}

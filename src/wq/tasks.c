#include "wq/tasks.h"

#include "base/die.h"
#include "base/text.h"

#include <cctools/debug.h>
#include <cctools/link.h>
#include <cctools/work_queue.h>

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// What a foreman of Work Queue calls: beside its workers it waits for a link of
// its own.  The library exports it, but no header declares it.
struct work_queue_task *work_queue_wait_internal(struct work_queue *q,
                                                 int timeout, struct link *own,
                                                 int *own_is_active);

struct tasks {
    const struct tasks_plan *plan;
    struct work_queue *wq;
    struct link *own;  // the socket that tasks_wait() looks at, too
    struct bell *bell; // or NULL
    struct work_queue_task *last;
    struct text bytes, path, said;
};

// ---- beginning and end ----------------------------------------------------

enum {
    KEEPALIVE_SECONDS = 5, // between two questions to a worker
    ANSWER_SECONDS = 15,   // a worker has to say that it is there
    TRANSFER_SECONDS = 60, // a worker has to take its files
};

static void set_up(struct tasks *q)
{
    work_queue_specify_algorithm(q->wq, WORK_QUEUE_SCHEDULE_FCFS);
    work_queue_specify_keepalive_interval(q->wq, KEEPALIVE_SECONDS);
    work_queue_specify_keepalive_timeout(q->wq, ANSWER_SECONDS);
    work_queue_tune(q->wq, "min-transfer-timeout", TRANSFER_SECONDS);
    if (q->plan->name && q->plan->catalog) {
        work_queue_specify_name(q->wq, q->plan->name);
        work_queue_specify_catalog_servers(q->wq, q->plan->catalog);
    }
}

// The library takes names and ports from the environment, and would advertise
// a queue with a name.
static void forget_environment(void)
{
    static const char *const names[] = {
        "WORK_QUEUE_NAME",     "WORK_QUEUE_PORT",      "WORK_QUEUE_LOW_PORT",
        "WORK_QUEUE_PRIORITY", "WORK_QUEUE_HIGH_PORT", "CATALOG_HOST",
        "CATALOG_PORT"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
}

struct tasks *tasks_open(const struct tasks_plan *plan, const char **why)
{
    struct tasks *q = need_zero(sizeof *q);
    q->plan = plan;
    forget_environment();
    q->wq = work_queue_create((int)plan->port);
    if (!q->wq) {
        *why = errno ? strerror(errno) : "the port cannot be used";
    } else if (plan->password &&
               !work_queue_specify_password_file(q->wq, plan->password)) {
        *why = "the password file cannot be read";
        work_queue_delete(q->wq);
        q->wq = NULL;
    }
    if (!q->wq) {
        free(q);
        return NULL;
    }
    set_up(q);
    return q;
}

static void drop_last(struct tasks *q)
{
    if (q->last)
        work_queue_task_delete(q->last);
    q->last = NULL;
}

void tasks_close(struct tasks *q, bool dismiss)
{
    drop_last(q);
    if (dismiss)
        work_queue_shut_down_workers(q->wq, 0);
    work_queue_delete(q->wq);
    text_free(&q->bytes);
    text_free(&q->path);
    text_free(&q->said);
    free(q);
}

uint32_t tasks_port(const struct tasks *q)
{
    return (uint32_t)work_queue_port(q->wq);
}

// ---- tasks ----------------------------------------------------------------

// Where the result of a task is put.
static const char *result_path(struct tasks *q, const char *tag)
{
    text_clear(&q->path);
    text_format(&q->path, "%s/%s." ENGINE_RESULT_FILE, q->plan->folder, tag);
    return text_get(&q->path);
}

void tasks_submit(struct tasks *q, uint64_t number, const void *bytes,
                  size_t size)
{
    struct work_queue_task *t = work_queue_task_create(q->plan->command);
    char tag[24];
    snprintf(tag, sizeof tag, "%llu", (unsigned long long)number);
    work_queue_task_specify_tag(t, tag);
    for (uint32_t i = 0; i < q->plan->files.n; i++)
        work_queue_task_specify_file(t, q->plan->files.at[i].path,
                                     q->plan->files.at[i].name,
                                     WORK_QUEUE_INPUT, WORK_QUEUE_CACHE);
    work_queue_task_specify_buffer(t, bytes, (int)size, ENGINE_ORDER,
                                   WORK_QUEUE_NOCACHE);
    work_queue_task_specify_file(t, result_path(q, tag), ENGINE_RESULT_FILE,
                                 WORK_QUEUE_OUTPUT, WORK_QUEUE_NOCACHE);
    work_queue_task_specify_cores(t, 1);
    work_queue_submit(q->wq, t);
}

void tasks_cancel(struct tasks *q, uint64_t number)
{
    char tag[24];
    snprintf(tag, sizeof tag, "%llu", (unsigned long long)number);
    struct work_queue_task *t = work_queue_cancel_by_tasktag(q->wq, tag);
    if (t)
        work_queue_task_delete(t);
    unlink(result_path(q, tag));
}

void tasks_left(struct tasks *q, uint32_t n)
{
    work_queue_specify_num_tasks_left(q->wq, n < 1000000 ? (int)n : 1000000);
}

// ---- results --------------------------------------------------------------

static bool read_result(struct tasks *q, const char *tag)
{
    char part[65536];
    const char *path = result_path(q, tag);
    FILE *f = fopen(path, "r");
    text_clear(&q->bytes);
    for (size_t n; f && (n = fread(part, 1, sizeof part, f));)
        text_bytes(&q->bytes, part, n);
    bool good = f && !ferror(f);
    if (f)
        fclose(f);
    unlink(path);
    return good;
}

// A shell's exit statuses for a command that cannot be started.  That of a
// program whose libraries do not fit is the second.
enum { NOT_STARTED = 126, NOT_FOUND = 127 };

static bool never_began(const struct work_queue_task *t)
{
    return t->result != WORK_QUEUE_RESULT_SIGNAL &&
           (t->return_status == NOT_STARTED || t->return_status == NOT_FOUND);
}

// How a process ended that left no result.
static enum engine_outcome ended_by(const struct work_queue_task *t)
{
    bool unfit = t->result != WORK_QUEUE_RESULT_SIGNAL &&
                 t->return_status == ENGINE_UNFIT;
    return unfit || never_began(t) ? TASK_UNFIT : TASK_DIED;
}

// How a task ended.  If its machine or the network failed, that does not count
// against the task: only the end of its own process does.
static enum engine_outcome outcome_of(const struct work_queue_task *t,
                                      bool there)
{
    switch (t->result) {
    case WORK_QUEUE_RESULT_SUCCESS:
        return t->return_status == 0 && there ? TASK_DONE : ended_by(t);
    case WORK_QUEUE_RESULT_OUTPUT_MISSING:
        return ended_by(t);
    case WORK_QUEUE_RESULT_SIGNAL:
    case WORK_QUEUE_RESULT_RESOURCE_EXHAUSTION:
    case WORK_QUEUE_RESULT_TASK_MAX_RUN_TIME:
        return TASK_DIED;
    case WORK_QUEUE_RESULT_INPUT_MISSING:
    case WORK_QUEUE_RESULT_STDOUT_MISSING:
    case WORK_QUEUE_RESULT_TASK_TIMEOUT:
    case WORK_QUEUE_RESULT_UNKNOWN:
    case WORK_QUEUE_RESULT_FORSAKEN:
    case WORK_QUEUE_RESULT_MAX_RETRIES:
    case WORK_QUEUE_RESULT_DISK_ALLOC_FULL:
    case WORK_QUEUE_RESULT_RMONITOR_ERROR:
        break;
    }
    return TASK_LOST;
}

// Make a link of the socket.  The library sets O_NONBLOCK on the link, which
// sets it on the socket, too: there it is cleared again.
static struct link *attach(int fd)
{
    int own = dup(fd), flags = fcntl(fd, F_GETFL);
    struct link *l = own < 0 ? NULL : link_attach_to_fd(own);
    if (!l)
        die("no descriptor for Work Queue: %s", strerror(errno));
    fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
    return l;
}

// ---- a bell ---------------------------------------------------------------

// A queue with a name advertises the address of the link as that of its own
// manager, and what it writes for a socket that has none cannot be read by the
// catalog server.  So the link is a connection over the loopback then, and a
// thread rings there when there is something to read from the socket.
struct bell {
    int socket;     // to look at
    int ring, hear; // ends of the connection
    int answer[2];  // a pipe: it was heard
};

static void *ring(void *self)
{
    const struct bell *b = self;
    char c = 0;
    for (;;) {
        struct pollfd p = {.fd = b->socket, .events = POLLIN};
        if (poll(&p, 1, -1) > 0 && (send(b->ring, &c, 1, MSG_NOSIGNAL) != 1 ||
                                    read(b->answer[0], &c, 1) != 1))
            return NULL;
    }
}

static bool connect_ends(struct bell *b)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr *any = (struct sockaddr *)&at;
    socklen_t size = sizeof at;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    b->ring = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool good = bind(listener, any, size) == 0 && listen(listener, 1) == 0 &&
                getsockname(listener, any, &size) == 0 &&
                connect(b->ring, any, size) == 0;
    b->hear = good ? accept(listener, NULL, NULL) : -1;
    close(listener);
    return b->hear >= 0 && pipe(b->answer) == 0;
}

static struct bell *bell_new(int fd)
{
    struct bell *b = need_zero(sizeof *b);
    pthread_t thread;
    b->socket = fd;
    if (!connect_ends(b) || pthread_create(&thread, NULL, ring, b) != 0)
        die("no bell for Work Queue: %s", strerror(errno));
    pthread_detach(thread);
    return b;
}

// Let the bell's thread go on after what it rang for was looked at.
static void bell_answer(struct bell *b)
{
    char c;
    if (b && recv(b->hear, &c, 1, MSG_DONTWAIT) == 1 &&
        write(b->answer[1], &c, 1) != 1)
        die("no bell for Work Queue: %s", strerror(errno));
}

static void attach_own(struct tasks *q, int fd)
{
    if (q->plan->name && q->plan->catalog)
        q->bell = bell_new(fd);
    q->own = attach(q->bell ? q->bell->hear : fd);
}

// What the process of a task said, or how it ended if it said nothing.
static const char *words_of(struct tasks *q, const struct work_queue_task *t)
{
    int status = t->return_status;
    if (t->output && *t->output)
        return t->output;
    text_clear(&q->said);
    if (t->result == WORK_QUEUE_RESULT_FORSAKEN)
        text_add(&q->said, "the worker gave it back; is its disk full?");
    else if (t->result == WORK_QUEUE_RESULT_SIGNAL)
        text_format(&q->said, "killed by signal %d", status);
    else if (status == ENGINE_UNFIT)
        text_add(&q->said, "it could not write there; is the disk full?");
    else
        text_format(&q->said, "exit status %d", status);
    return text_get(&q->said);
}

enum { BLOCK_SECONDS = 30 };

bool tasks_wait(struct tasks *q, int fd, struct tasks_result *r)
{
    int active = 0;
    drop_last(q);
    if (!q->own)
        attach_own(q, fd);
    bell_answer(q->bell);
    struct work_queue_task *t =
        work_queue_wait_internal(q->wq, 1, q->own, &active);
    q->last = t;
    if (!t)
        return false;
    bool there = read_result(q, t->tag);
    *r = (struct tasks_result){.number = strtoull(t->tag, NULL, 10),
                               .outcome = outcome_of(t, there),
                               .host = t->hostname ? t->hostname : "",
                               .bytes = &q->bytes};
    r->said = r->outcome == TASK_DONE ? "" : words_of(q, t);
    if (r->outcome == TASK_UNFIT && never_began(t) && t->hostname)
        work_queue_block_host_with_timeout(q->wq, t->hostname, BLOCK_SECONDS);
    return true;
}

struct tasks_state tasks_state(const struct tasks *q)
{
    struct work_queue_stats s;
    work_queue_get_stats(q->wq, &s);
    return (struct tasks_state){.workers = (uint32_t)s.workers_connected,
                                .cores = (uint32_t)s.total_cores,
                                .gone = (uint32_t)s.workers_removed};
}

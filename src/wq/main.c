// troupe-wq FD: a Work Queue for the tool, which speaks with it through a
// socket (crew/engine.h).
//
// CCTools is under the GNU General Public License, version 2.  So it is linked
// with this executable only, and the tool needs none of it.
//
// When the other side of the socket is gone, for whatever reason, the workers
// that were started here end and all temporary files are removed.
#include "base/arena.h"
#include "base/clock.h"
#include "base/exits.h"
#include "base/hash.h"
#include "base/temp.h"
#include "base/wire.h"
#include "wq/tasks.h"
#include "wq/workers.h"

#include <cctools/cctools.h>

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

struct engine {
    struct arena arena;
    int fd;
    struct wire_in in;
    struct text out;
    struct tasks_plan plan;
    struct tasks *tasks;
    struct workers *workers;
    struct tasks_state told;
    double told_at;
    bool dismiss; // workers end with us
    bool over;
};

static void say(struct engine *e)
{
    if (!wire_send(e->fd, &e->out))
        e->over = true;
}

static void fail(struct engine *e, const char *why)
{
    wire_begin(&e->out, ENGINE_FAILED);
    wire_put_string(&e->out, why);
    say(e);
    e->over = true;
}

static const char *get_string(struct engine *e, struct wire_reader *in)
{
    const char *s = wire_get_string(in);
    return s ? arena_text(&e->arena, s) : NULL;
}

// ---- files ----------------------------------------------------------------

// Work Queue's workers cache a file by its path on this machine.  So the path
// contains a hash of the contents: a file that is built again gets another
// path.  False with errno set.
static bool put(struct engine *e, struct tasks_file *f, const struct text *all,
                mode_t mode)
{
    const char *slash = strrchr(f->name, '/');
    f->path = arena_format(&e->arena, "%s/%016llx-%s", e->plan.folder,
                           (unsigned long long)hash_bytes(all->at, all->n),
                           slash ? slash + 1 : f->name);
    FILE *to = fopen(f->path, "w");
    bool good = to && fwrite(all->at, 1, all->n, to) == all->n;
    return to && fclose(to) == 0 && good && chmod(f->path, mode) == 0;
}

static bool copy(struct engine *e, struct tasks_file *f)
{
    struct text all = {0};
    char part[65536];
    struct stat st = {0};
    FILE *from = fopen(f->path, "r");
    for (size_t n; from && (n = fread(part, 1, sizeof part, from));)
        text_bytes(&all, part, n);
    bool good = from && !ferror(from) && fstat(fileno(from), &st) == 0;
    if (from)
        fclose(from);
    good = good && put(e, f, &all, st.st_mode & 0777);
    text_free(&all);
    return good;
}

// A file that every task has, by path or as bytes.
static bool take_file(struct engine *e, struct wire_reader *in)
{
    const char *path = get_string(e, in), *name = get_string(e, in);
    struct tasks_file f = {path, name};
    struct text all = {0};
    size_t size = wire_get64(in);
    const void *bytes = wire_take(in, size);
    if (in->bad || !name)
        return false;
    text_bytes(&all, bytes, size);
    bool good = path ? copy(e, &f) : put(e, &f, &all, 0644);
    text_free(&all);
    if (!good)
        fail(e, arena_format(&e->arena, "%s: %s", path ? path : name,
                             strerror(errno)));
    vec_push(&e->plan.files, f);
    return good;
}

// ---- what the tool says ---------------------------------------------------

enum { TRIES = 50, TRY_MS = 100 }; // somebody may be about to leave the port

// Can somebody listen there?  The library would complain at each try.  False
// with errno set.
static bool port_is_free(uint32_t port)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)port),
                             .sin_addr.s_addr = htonl(INADDR_ANY)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    bool good = fd >= 0 && bind(fd, (struct sockaddr *)&at, sizeof at) == 0 &&
                listen(fd, 1) == 0;
    int why = errno;
    if (fd >= 0)
        close(fd);
    errno = why;
    return good;
}

static void open_tasks(struct engine *e)
{
    const char *why = NULL;
    for (int i = 0; i < TRIES && !e->tasks && !e->over; i++) {
        if (i)
            usleep(TRY_MS * 1000);
        if (e->plan.port && !port_is_free(e->plan.port))
            why = strerror(errno);
        else
            e->tasks = tasks_open(&e->plan, &why);
    }
    if (!e->tasks)
        fail(e, why);
}

static void take_open(struct engine *e, struct wire_reader *in)
{
    struct tasks_plan *p = &e->plan;
    p->port = wire_get32(in);
    p->folder = get_string(e, in);
    p->password = get_string(e, in);
    p->name = get_string(e, in);
    p->catalog = get_string(e, in);
    p->command = get_string(e, in);
    uint32_t workers = wire_get32(in), n = wire_get32(in);
    if (e->tasks || !p->folder) {
        fail(e, "the tool and troupe-wq do not fit");
        return;
    }
    for (uint32_t i = 0; i < n && !e->over; i++)
        if (!take_file(e, in))
            break;
    if (!e->over && !wire_done(in))
        fail(e, "the tool and troupe-wq do not fit");
    if (!e->over)
        open_tasks(e);
    if (!e->tasks)
        return;
    uint32_t port = tasks_port(e->tasks);
    if (workers)
        e->workers = workers_start(workers, port, p->password, p->folder);
    wire_begin(&e->out, ENGINE_READY);
    wire_put32(&e->out, port);
    say(e);
}

static void take_task(struct engine *e, struct wire_reader *in)
{
    uint64_t number = wire_get64(in);
    size_t size = wire_get64(in);
    const void *bytes = wire_take(in, size);
    if (bytes)
        tasks_submit(e->tasks, number, bytes, size);
}

static void take(struct engine *e, struct wire_message *m)
{
    if (m->kind != ENGINE_OPEN && !e->tasks)
        return;
    switch ((enum engine_word)m->kind) {
    case ENGINE_OPEN:
        take_open(e, &m->body);
        break;
    case ENGINE_TASK:
        take_task(e, &m->body);
        break;
    case ENGINE_CANCEL:
        tasks_cancel(e->tasks, wire_get64(&m->body));
        break;
    case ENGINE_LEFT:
        tasks_left(e->tasks, wire_get32(&m->body));
        break;
    case ENGINE_DISMISS:
        e->dismiss = true;
        break;
    case ENGINE_READY:
    case ENGINE_FAILED:
    case ENGINE_RESULT:
    case ENGINE_STATE:
        break;
    }
}

static bool is_ready(int fd, int ms)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    return poll(&p, 1, ms) > 0;
}

static void listen_now(struct engine *e)
{
    struct wire_message m;
    for (int ms = e->tasks ? 0 : -1; !e->over && is_ready(e->fd, ms); ms = 0) {
        e->over |= wire_receive(e->fd, &e->in) == 0;
        while (!e->over && wire_next(&e->in, &m) == WIRE_HERE)
            take(e, &m);
        e->over |= e->in.bad;
    }
}

// ---- what there is to say -------------------------------------------------

static void tell_result(struct engine *e, const struct tasks_result *r)
{
    wire_begin(&e->out, ENGINE_RESULT);
    wire_put64(&e->out, r->number);
    wire_put32(&e->out, r->outcome);
    wire_put_string(&e->out, r->host);
    wire_put_string(&e->out, r->said);
    wire_put64(&e->out, r->bytes->n);
    wire_put(&e->out, text_get(r->bytes), r->bytes->n);
    say(e);
}

#define TELL_SECONDS 0.05

// Tell how many workers there are, now and then: asking the library takes as
// long as a task does.
static void tell_state(struct engine *e)
{
    if (clock_now() - e->told_at < TELL_SECONDS)
        return;
    e->told_at = clock_now();
    struct tasks_state s = tasks_state(e->tasks);
    if (memcmp(&s, &e->told, sizeof s) == 0)
        return;
    e->told = s;
    wire_begin(&e->out, ENGINE_STATE);
    wire_put32(&e->out, s.workers);
    wire_put32(&e->out, s.cores);
    wire_put32(&e->out, s.gone);
    say(e);
}

static void serve(struct engine *e)
{
    struct tasks_result r;
    while (!e->over) {
        listen_now(e);
        if (e->over || !e->tasks)
            continue;
        bool result = tasks_wait(e->tasks, e->fd, &r);
        tell_state(e);
        if (result)
            tell_result(e, &r);
        if (e->workers)
            workers_look(e->workers);
    }
}

// The tool may have said it while there was something to say to it.
static void look_for_dismissal(struct engine *e)
{
    struct wire_message m;
    while (is_ready(e->fd, 0) && wire_receive(e->fd, &e->in) == 1)
        ;
    while (wire_next(&e->in, &m) == WIRE_HERE)
        e->dismiss |= m.kind == ENGINE_DISMISS;
}

static void release(struct engine *e)
{
    look_for_dismissal(e);
    if (e->workers)
        workers_end(e->workers);
    if (e->tasks)
        tasks_close(e->tasks, e->dismiss);
    if (e->plan.folder)
        temp_remove(e->plan.folder);
    vec_free(&e->plan.files);
    wire_free(&e->in);
    text_free(&e->out);
    arena_free(&e->arena);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        cctools_version_print(stdout, "troupe-wq");
        return EXIT_GOOD;
    }
    if (argc != 2 || atoi(argv[1]) <= 0) {
        fputs("troupe-wq is started by troupe explore --listen\n", stderr);
        return EXIT_USAGE;
    }
    struct engine e = {.fd = atoi(argv[1])};
    prctl(PR_SET_PDEATHSIG, 0); // the end of the socket tells, and there is
                                // something to put away
    signal(SIGPIPE, SIG_IGN);
    serve(&e);
    release(&e);
    return EXIT_GOOD;
}

/* driver.c - runs one of the programs here as a benchmark.
 *
 *     cc -DPROGRAM='"big.c"' driver.c libtroupe.a -pthread -lm -o big
 *     big [--single | --threads=N] [--param NAME=N]...
 *
 * Prints what the program says as its results, then one line: seconds, messages
 * handled, dead letters, peak memory, actors created.  Fails if an actor has
 * not stopped when nothing is left to deliver; wrong results end the program by
 * assert. */
#include PROGRAM

#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

struct sums {
    uint64_t spawned, stopped, received, dead;
};

static void say(void *user, tr_level level, const char *text)
{
    (void)user;
    fprintf(level == TR_INFO ? stdout : stderr, "%s\n", text);
}

/* Lost messages are counted, not told one by one. */
static void no_fault(void *user, const tr_fault *fault)
{
    (void)user;
    if (fault->kind != TR_FAULT_STOPPED) {
        fprintf(stderr, "fault %d of %s\n", fault->kind, fault->msg->name);
        abort();
    }
}

static void add(void *user, const tr_class *cls, const tr_stats *s)
{
    struct sums *sums = user;
    sums->spawned += s->spawned;
    sums->stopped += s->stopped;
    sums->received += s->received;
    sums->dead += s->dead;
    if (s->spawned != s->stopped)
        fprintf(stderr, "%s: %" PRIu64 " created, %" PRIu64 " stopped\n",
                cls->name, s->spawned, s->stopped);
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int usage(const char *name)
{
    fprintf(stderr, "usage: %s [--single | --threads=N] [--param NAME=N]...\n",
            name);
    return 2;
}

int main(int argc, char **argv)
{
    struct sums sums = {0};
    struct rusage used;
    tr_config config = {
        .user = &sums, .on_log = say, .on_stats = add, .on_fault = no_fault};
    char params[1024] = "";
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    for (int i = 1; i < argc; i++) {
        size_t length = strlen(params);
        if (strcmp(argv[i], "--single") == 0)
            config.manager = &tr_single;
        else if (strncmp(argv[i], "--threads=", 10) == 0)
            config.threads = (uint32_t)atoi(argv[i] + 10);
        else if (strcmp(argv[i], "--param") == 0 && i + 1 < argc)
            snprintf(params + length, sizeof params - length, "%s ", argv[++i]);
        else
            return usage(argv[0]);
    }
    config.params = params;
    double start = seconds_now();
    int error = tr_run_(&tr_system_savina, &config);
    double seconds = seconds_now() - start;
    if (error) {
        fprintf(stderr, "%s\n", tr_strerror(error));
        return 1;
    }
    getrusage(RUSAGE_SELF, &used);
    printf("%.6f s, %" PRIu64 " messages, %" PRIu64 " dead, %ld MB, %" PRIu64
           " actors\n",
           seconds, sums.received, sums.dead, used.ru_maxrss / 1024,
           sums.spawned);
    return sums.spawned == sums.stopped && sums.spawned > 0 ? 0 : 1;
}

/* What goes wrong when handlers run where they can be caught: one class per
 * trap, each poked twice by the test of its name. */
#define _GNU_SOURCE
#include "troupe_short.h"

#include <assert.h>
#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#define TRAP(t, ...)                                                           \
    TR_SIGNAL(t##_poke);                                                       \
    TR_PROTOCOL(t, t##_poke);                                                  \
    struct t {                                                                 \
        long n;                                                                \
        __VA_ARGS__                                                            \
    };                                                                         \
    static void t##_go(tr_ctx *, struct t *, const struct t##_poke *);         \
    TR_BEHAVIOUR(t, open, TR_ON(t##_poke, t##_go));                            \
    TR_CLASS(t, .start = &t##_open);                                           \
    TR_TEST(t##_test)                                                          \
    {                                                                          \
        t##_ref r = spawn(t);                                                  \
        send(r, t##_poke);                                                     \
        send(r, t##_poke);                                                     \
    }                                                                          \
    static void t##_go(TR_UNUSED_ tr_ctx *ctx, TR_UNUSED_ struct t *self,      \
                       TR_UNUSED_ const struct t##_poke *msg)

static volatile int zero;

TRAP(fine, char *s;)
{
    self->n++;
}

TRAP(asserts)
{
    assert(self->n > 0);
}

TRAP(derefs, int *p;)
{
    self->n = *self->p;
}

TRAP(divides)
{
    self->n = 100 / zero;
}

TRAP(aborts)
{
    abort();
}

TRAP(exits)
{
    exit(3);
}

TRAP(leaf_crash, char *s;)
{
    self->n = (long)strlen(self->s);
}

TRAP(printf_crash, char *s;)
{
    printf("half a line %s", (char *)16 + zero);
    self->n++;
}

__attribute__((noinline)) static int deep(int n)
{
    char frame[200000];
    frame[0] = (char)n;
    __asm__ volatile("" : : "r"(frame) : "memory");
    int below = n ? deep(n - 1) : 0;
    __asm__ volatile("" : : "r"(frame) : "memory");
    return below + frame[0];
}

TRAP(overflows)
{
    self->n = deep(1000);
}

TRAP(loops)
{
    while (!zero)
        self->n++;
}

TRAP(sends_for_ever)
{
    for (;;)
        send(me(sends_for_ever), sends_for_ever_poke);
}

TRAP(frees_twice, char *p;)
{
    self->p = malloc(20);
    free(self->p);
    free(self->p);
    self->n++;
}

TRAP(frees_inside, char *p;)
{
    self->p = malloc(64);
    self->p += 16;
    free(self->p);
    self->n++;
}

TRAP(writes_past, char *p;)
{
    self->p = malloc(20);
    strcpy(self->p, "twenty characters...");
    self->n++;
}

TRAP(writes_past_later, char *p;)
{
    if (!self->p)
        self->p = malloc(20);
    else
        self->p[20] = 1;
    self->n++;
}

TRAP(frees_what_it_wrote_past)
{
    volatile int *p = malloc(4096);
    p[1024] = 0;
    free((void *)p);
    self->n++;
}

TRAP(frees_a_variable)
{
    static char room[32];
    free(room);
    self->n++;
}

TRAP(reallocs_foreign)
{
    char *p = setlocale(LC_ALL, NULL);
    p = realloc(p, 100);
    self->n++;
}

TRAP(resizes, char *p; char *q;)
{
    for (size_t i = 1; i < 6000; i += i / 3 + 1) {
        self->p = realloc(self->p, i);
        self->p[i - 1] = (char)i;
        self->q = reallocarray(self->q, i, 2);
        self->q[2 * i - 1] = (char)i;
    }
    for (size_t i = 5000; i; i /= 2) {
        self->p = realloc(self->p, i);
        self->q = realloc(self->q, 2 * i);
    }
    assert(self->p[0] == 1 && self->q[1] == 1);
    free(realloc(malloc(0), 1));
    self->n++;
}

TRAP(wants_much, char *p;)
{
    self->p = malloc(300 << 20);
    self->p[0] = 1;
    self->n++;
}

TRAP(wants_too_much)
{
    void *volatile p[] = {malloc(SIZE_MAX), calloc(SIZE_MAX / 2, 3),
                          reallocarray(NULL, SIZE_MAX / 2, 3)};
    assert(!p[0] && !p[1] && !p[2]);
    self->n++;
}

TRAP(has_enough, char *p;)
{
    if (!self->p)
        self->p = malloc(20 << 20);
    self->p[20000000] = 1;
    self->n++;
}

TRAP(pauses)
{
    pause();
    self->n++;
}

TRAP(polls)
{
    poll(NULL, 0, -1);
    self->n++;
}

TRAP(waits_for_a_semaphore)
{
    sem_t s;
    sem_init(&s, 0, 1);
    assert(!sem_wait(&s));
    sem_wait(&s);
    self->n++;
}

/* What takes time elsewhere is over at once. */
TRAP(sleeps)
{
    sem_t s;
    struct timespec t = {1000, 0};
    struct timeval v = {1000, 0};
    int fds[2];
    sem_init(&s, 0, 0);
    assert(!pipe(fds) && write(fds[1], "x", 1) == 1);
    assert(poll(&(struct pollfd){.fd = fds[0], .events = POLLIN}, 1, -1) == 1);
    assert(poll(&(struct pollfd){.fd = fds[1], .events = POLLIN}, 1, 9999) ==
           0);
    close(fds[0]);
    close(fds[1]);
    sleep(1000);
    usleep(999999);
    nanosleep(&t, NULL);
    clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
    assert(poll(NULL, 0, 100000) == 0);
    assert(select(0, NULL, NULL, NULL, &v) == 0);
    assert(sem_timedwait(&s, &t) < 0 && errno == ETIMEDOUT);
    self->n++;
}

/* Standard input is at its end. */
TRAP(reads)
{
    char c;
    int k = 7;
    assert(read(0, &c, 1) == 0 && scanf("%d", &k) == EOF && getchar() == EOF);
    self->n++;
}

static int counter;

TRAP(counts)
{
    self->n = ++counter;
}


TRAP(counts_calls)
{
    static int calls;
    self->n = ++calls;
}

static __thread int own_counter = 5;

TRAP(counts_own)
{
    self->n = ++own_counter;
}

TRAP(reads_own)
{
    self->n = own_counter;
}

/* Messages that carry addresses, and numbers that look like some. */
struct carried {
    int id, port;
    char *text;
};
TR_MESSAGE(carried);
TR_SIGNAL(carry);
TR_PROTOCOL(carrier, carry, carried);
struct carrier {
    char *text;
    int wrong;
};
TR_HANDLER(carrier, carry)
{
    self->text = strdup("mine");
    send(me(carrier), carried, .id = 1, .port = 9000,
         .text = self->wrong ? self->text : NULL);
}
TR_BEHAVIOUR(carrier, open, TR_ON(carry, carrier_carry), TR_IGNORE(carried));
TR_CLASS(carrier, .start = &carrier_open);
TR_TEST(carries)
{
    send(spawn(carrier, .wrong = 1), carry);
}
TR_TEST(carries_numbers)
{
    send(spawn(carrier, .wrong = 0), carry);
}

/* Memory: what the caller owns comes from the actor's region. */
TRAP(owns, char *a; char *b; char *c; char *d; size_t size; char *e;)
{
    char text[] = "first\nsecond\n";
    FILE *f = fmemopen(text, sizeof text - 1, "r");
    free(self->a);
    free(self->b);
    free(self->c);
    free(self->d);
    self->d = NULL;
    self->size = 0;
    self->a = strdup("a");
    self->b = strndup("bcd", 2);
    if (asprintf(&self->c, "%d", 7) < 0 || !f ||
        getline(&self->d, &self->size, f) < 0)
        abort();
    fclose(f);
    self->e = realloc(self->e, self->e ? 40 : 400);
    memset(self->e, 1, 40);
    assert(!strcmp(self->b, "bc") && !strcmp(self->c, "7"));
    assert(!strcmp(self->d, "first\n"));
}

/* The C library's own memory stays out of the state. */
TRAP(libc_keeps, struct tm *none; char text[32];)
{
    time_t t = 86400;
    setlocale(LC_ALL, NULL);
    self->n = localtime(&t)->tm_mday != 0;
    self->n += strlen(strerror(12345)) > 0;
    snprintf(self->text, sizeof self->text, "%g", 1.5);
}

TRAP(answers)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    self->n = rand() + random() + time(NULL) + clock() + t.tv_nsec + getpid() +
              (getenv("PATH") != NULL);
}

TRAP(clock_counter)
{
    self->n = (long)__builtin_ia32_rdtsc();
}

__attribute__((noinline)) static long garbage(void)
{
    long a[8];
    __asm__ volatile("" : : "r"(a) : "memory");
    return a[5];
}

TRAP(uninitialised)
{
    self->n = garbage();
}

__attribute__((noinline)) static long garbage_far_down(void)
{
    long a[800];
    __asm__ volatile("" : : "r"(a) : "memory");
    return a[3];
}

TRAP(uninitialised_far)
{
    self->n = garbage_far_down();
}

TRAP(uninitialised_block)
{
    long *p = malloc(64);
    __asm__ volatile("" : : "r"(p) : "memory");
    self->n = p[2];
    free(p);
}

/* Blocks with holes are no nondeterminism. */
struct holes {
    char a;
    long b;
    char c;
};

TRAP(holes_in_blocks, struct holes *h; char *name;)
{
    if (!self->h) {
        self->h = malloc(sizeof *self->h);
        self->name = malloc(100);
    }
    *self->h = (struct holes){.a = 1, .b = 2, .c = 3};
    strcpy(self->name, "short");
}

/* What foreign code copies may have bytes that were never set: padding, the
 * rest of a union or of a text.  A number that was never set is another thing.
 */
struct foreign {
    char kind;
    union {
        char letter;
        long word[4];
    } is;
    char text[24];
    int number;
};
TR_MESSAGE(foreign);
__attribute__((noinline)) static void copy_foreign(struct foreign *to, bool set)
{
    volatile struct foreign f;
    f.kind = 1;
    f.is.letter = 'a';
    strcpy((char *)f.text, "short");
    if (set)
        f.number = 5;
    memcpy(to, (struct foreign *)&f, sizeof f);
}
/* Below the frames that the library had here: they leave the same each time. */
__attribute__((noinline)) static void copy_far_down(struct foreign *to)
{
    volatile char space[8000];
    space[0] = 0;
    copy_foreign(to, false);
    space[1] = 0;
}
TR_PROTOCOL(taker, foreign);
struct taker {
    struct foreign last;
};
TR_BEHAVIOUR(taker, open, TR_IGNORE(foreign));
TR_CLASS(taker, .start = &taker_open);
TRAP(foreign_bytes, struct foreign kept; taker_ref to;)
{
    struct foreign f;
    if (!self->to)
        self->to = spawn(taker);
    copy_foreign(&self->kept, true);
    copy_foreign(&f, true);
    tr_send_(ctx, (tr_ref)self->to, &tr_msg_foreign, &f);
}
TRAP(foreign_number, taker_ref to;)
{
    struct foreign f;
    if (!self->to)
        self->to = spawn(taker);
    copy_far_down(&f);
    tr_send_(ctx, (tr_ref)self->to, &tr_msg_foreign, &f);
}

/* Equal messages are equal whatever lies in their padding. */
struct padded {
    char a;
    long b;
    char c;
};
TR_MESSAGE(padded);
TR_SIGNAL(pad);
TR_PROTOCOL(padder, pad, padded);
struct padder {
    long n;
};
__attribute__((noinline)) static void dirty_stack(int with)
{
    volatile char a[512];
    memset((char *)a, with, sizeof a);
}
TR_HANDLER(padder, pad)
{
    dirty_stack(0x11);
    send(me(padder), padded, .a = 1, .b = 2, .c = 3);
    dirty_stack(0x77);
    send(me(padder), padded, .a = 1, .b = 2, .c = 3);
}
TR_BEHAVIOUR(padder, open, TR_ON(pad, padder_pad), TR_IGNORE(padded));
TR_CLASS(padder, .start = &padder_open);
TR_TEST(pads)
{
    send(spawn(padder), pad);
}

TRAP(prints)
{
    printf("one %d\n", 1);
    puts("two");
    fprintf(stderr, "three\n");
    if (write(1, "four\n", 5) != 5)
        abort();
}

TRAP(misuses)
{
    drain();
    self->n++; // else the call is the last one, and leaves no trace
}

TRAP(peeks)
{
    self->n = peek(peeks, me(peeks))->n;
}

TRAP(replies)
{
    tr_reply_(ctx, &tr_msg_replies_poke, self, 0);
    self->n++;
}

TR_TEST(body_fails)
{
    assert(param("x", 0) == 1);
}

/* Longer than the limit, but no ten times as long. */
static long used_us(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000 +
           u.ru_utime.tv_usec + u.ru_stime.tv_usec;
}

static void linger(void)
{
    long from = used_us();
    while (used_us() - from < 150000)
        ;
}

TRAP(lingers)
{
    linger();
    self->n = 1;
}

TR_TEST(body_lingers)
{
    linger();
}

TR_TEST(body_crashes)
{
    *(volatile int *)8 = 1;
}

// One table of the functions of the C library: what the stage makes of a call,
// what the call does with pointers and whether it waits, and its two models.
//
// Every part that treats a function of the C library by its name reads it here:
//   program    links programs with --wrap=NAME for each WRAPPED one, tells
//              which OUTSIDE ones a program calls (program/uncontrolled.c), and
//              sees by those that tell the time if it has a clock (clocked.c)
//   stage      has a __wrap_NAME for each WRAPPED one (stage/wrap*.c)
//   flow       follows pointers through calls, warns of those that wait
//              (flow/extern.c)
//   ir         runs the model on values (ir/interp_libc.c)
//   symex      runs the model on terms, and needs to know which calls leave
//              memory alone (symex/libc.c)
//   unit       asks which functions run out of memory, and so does reach
// mk/library.mk, mk/install.mk and test/suites/flow read the WRAPPED rows with
// tools/wrapped: one row per line, the second column after one blank.
//
// A new row: a name, then one word or more for each column.
//   stage      WRAPPED    the program calls __wrap_NAME: in task code it draws
//                         on the actor's region or answers the same every time,
//                         elsewhere it is the C library's
//              REPLACED   the same, but the stage defines NAME itself
//              HARMLESS   called as it is: it keeps nothing and changes nothing
//                         outside the actor, or it uses a stream or descriptor
//                         and the call that opened that is OUTSIDE
//              OUTSIDE    called as it is, and reported as not under control
//   does       words of enum libc_does without LIBC_, joined with |
//   model      on values: M(N, MODEL), how many arguments a call must have, and
//              the function do_MODEL(); or NONE
//   terms      on terms: T(N, PRECISION, MODEL, DETAIL), as before, with how
//              exact it is (enum sx_precision) and a number that tells apart
//              the functions of one model; or NONE
#ifndef BASE_LIBC_H
#define BASE_LIBC_H

#include <stdbool.h>
#include <stdint.h>

enum libc_stage { LIBC_WRAPPED, LIBC_REPLACED, LIBC_HARMLESS, LIBC_OUTSIDE };

enum libc_does {
    LIBC_PLAIN = 0,       // uses what its arguments point to; keeps no pointer
    LIBC_RESULT0 = 1,     // returns its first argument
    LIBC_RESULT1 = 2,     // ... its second
    LIBC_RESULT2 = 4,     // ... its third
    LIBC_COPIES = 8,      // copies from its second argument to its first
    LIBC_FRESH = 16,      // returns new memory
    LIBC_FRESH_AT0 = 32,  // stores new memory where its first argument points
    LIBC_FROM0 = 64,      // the result is a copy of what its first points to
    LIBC_SIZED = 128,     // the result's size is the product of the arguments
    LIBC_BLOCKS = 256,    // may wait for something outside
    LIBC_CALLS3 = 512,    // moves elements of its first argument, of the size
                          // in its third, and calls its fourth on them, and on
                          // its fifth if it has one
    LIBC_CALLS4 = 1024,   // calls its fifth argument on its first and on
                          // elements of its second, of the size in its fourth;
                          // returns a pointer to one
    LIBC_ANYTHING = 2048, // may keep, copy or call whatever it is given
    LIBC_CLOCK = 4096,    // tells the time
    LIBC_READS = 8192,    // writes to no memory of the program
    LIBC_FORMAT0 = 16384, // the same, if the format, its first argument, is
                          // known and has no %n
    LIBC_FORMAT1 = 32768, // ... its second
    LIBC_INTO0 = 1 << 16, // returns a pointer to a byte of its first argument
    LIBC_END_AT1 = 1 << 17,  // stores such a pointer where its second points
    LIBC_REST_AT0 = 1 << 18, // goes on from the pointer where its first points:
                             // returns it, stores one to a later byte there
    LIBC_REST_AT2 = 1 << 19, // ... its third
    LIBC_REST_KEPT = 1 << 20, // ... the C library keeps the pointer
    LIBC_WRITES0 = 1 << 21,   // writes to no argument but its first
    LIBC_CHANCE = 1 << 22,    // gives random numbers, not by the caller's seed
    LIBC_THREAD = 1 << 23,    // tells which thread calls
};

// clang-format off
#define LIBC(X) \
    /* memory */ \
    X(malloc, WRAPPED, FRESH | SIZED, M(1, malloc), T(1, EXACT, malloc, 0)) \
    X(calloc, WRAPPED, FRESH | SIZED, M(2, calloc), T(2, EXACT, calloc, 0)) \
    X(realloc, WRAPPED, FRESH | FROM0 | RESULT0, M(2, realloc), T(2, BOUNDED, realloc, 0)) \
    X(reallocarray, WRAPPED, FRESH | FROM0 | RESULT0, NONE, T(3, BOUNDED, reallocarray, 0)) \
    X(free, WRAPPED, PLAIN, M(1, free), T(1, EXACT, free, 0)) \
    X(cfree, WRAPPED, PLAIN, NONE, NONE) \
    X(aligned_alloc, WRAPPED, FRESH, NONE, T(2, EXACT, aligned, 0)) \
    X(posix_memalign, WRAPPED, FRESH_AT0, NONE, NONE) \
    X(memalign, WRAPPED, FRESH, NONE, NONE) \
    X(malloc_usable_size, WRAPPED, PLAIN, NONE, NONE) \
    /* results that the caller frees */ \
    X(strdup, WRAPPED, FRESH, M(1, strdup), T(1, BOUNDED, strdup, 0)) \
    X(__strdup, WRAPPED, FRESH, M(1, strdup), T(1, BOUNDED, strdup, 0)) \
    X(strndup, WRAPPED, FRESH, NONE, T(2, BOUNDED, strdup, 1)) \
    X(__strndup, WRAPPED, FRESH, NONE, NONE) \
    X(wcsdup, WRAPPED, FRESH, NONE, NONE) \
    X(asprintf, WRAPPED, FRESH_AT0, NONE, NONE) \
    X(__asprintf_chk, WRAPPED, FRESH_AT0, NONE, NONE) \
    X(vasprintf, WRAPPED, FRESH_AT0, NONE, NONE) \
    X(__vasprintf_chk, WRAPPED, FRESH_AT0, NONE, NONE) \
    X(getline, WRAPPED, FRESH_AT0 | BLOCKS, NONE, NONE) \
    X(getdelim, WRAPPED, FRESH_AT0 | BLOCKS, NONE, NONE) \
    X(__getdelim, WRAPPED, FRESH_AT0 | BLOCKS, NONE, NONE) \
    X(realpath, WRAPPED, FRESH | RESULT1, NONE, NONE) \
    X(getcwd, WRAPPED, FRESH | RESULT0 | WRITES0, NONE, NONE) \
    X(open_memstream, WRAPPED, FRESH_AT0, NONE, NONE) \
    X(tsearch, WRAPPED, ANYTHING, NONE, NONE) \
    /* chance */ \
    X(rand, WRAPPED, CHANCE, NONE, T(0, EXACT, chance, 0)) \
    X(srand, WRAPPED, PLAIN, NONE, T(1, EXACT, nothing, 0)) \
    X(random, WRAPPED, CHANCE, NONE, T(0, EXACT, chance, 0)) \
    X(srandom, WRAPPED, PLAIN, NONE, T(1, EXACT, nothing, 0)) \
    X(drand48, WRAPPED, CHANCE, NONE, NONE) \
    X(lrand48, WRAPPED, CHANCE, NONE, NONE) \
    X(mrand48, WRAPPED, CHANCE, NONE, NONE) \
    X(srand48, WRAPPED, PLAIN, NONE, NONE) \
    X(getrandom, WRAPPED, CHANCE, NONE, NONE) \
    X(getentropy, WRAPPED, CHANCE, NONE, NONE) \
    X(arc4random, WRAPPED, CHANCE, NONE, NONE) \
    X(arc4random_uniform, WRAPPED, CHANCE, NONE, NONE) \
    X(rand_r, HARMLESS, PLAIN, NONE, NONE) \
    /* time */ \
    X(time, WRAPPED, CLOCK, NONE, NONE) \
    X(clock, WRAPPED, PLAIN, NONE, NONE) \
    X(clock_gettime, WRAPPED, CLOCK, NONE, NONE) \
    X(gettimeofday, WRAPPED, CLOCK, NONE, NONE) \
    X(timespec_get, WRAPPED, CLOCK, NONE, NONE) \
    X(difftime, HARMLESS, READS, NONE, NONE) \
    X(gmtime_r, HARMLESS, RESULT1, NONE, NONE) \
    X(localtime_r, HARMLESS, RESULT1, NONE, NONE) \
    X(mktime, HARMLESS, PLAIN, NONE, NONE) \
    X(timegm, HARMLESS, PLAIN, NONE, NONE) \
    /* waiting for time to pass */ \
    X(sleep, WRAPPED, BLOCKS, NONE, NONE) \
    X(usleep, WRAPPED, BLOCKS, NONE, NONE) \
    X(nanosleep, WRAPPED, BLOCKS, NONE, NONE) \
    X(clock_nanosleep, WRAPPED, BLOCKS, NONE, NONE) \
    X(thrd_sleep, WRAPPED, BLOCKS, NONE, NONE) \
    /* waiting for descriptors */ \
    X(poll, WRAPPED, BLOCKS, NONE, NONE) \
    X(__poll_chk, WRAPPED, BLOCKS, NONE, NONE) \
    X(ppoll, WRAPPED, BLOCKS, NONE, NONE) \
    X(select, WRAPPED, BLOCKS, NONE, NONE) \
    X(pselect, WRAPPED, BLOCKS, NONE, NONE) \
    X(epoll_wait, WRAPPED, BLOCKS, NONE, NONE) \
    X(epoll_pwait, OUTSIDE, BLOCKS, NONE, NONE) \
    X(epoll_pwait2, OUTSIDE, BLOCKS, NONE, NONE) \
    X(__fdelt_chk, HARMLESS, PLAIN, NONE, NONE) \
    /* waiting for signals */ \
    X(pause, WRAPPED, BLOCKS, NONE, NONE) \
    X(sigsuspend, WRAPPED, BLOCKS, NONE, NONE) \
    X(sigtimedwait, WRAPPED, BLOCKS, NONE, NONE) \
    X(sigwaitinfo, WRAPPED, BLOCKS, NONE, NONE) \
    X(sigwait, WRAPPED, BLOCKS, NONE, NONE) \
    X(sigemptyset, HARMLESS, PLAIN, NONE, NONE) \
    X(sigfillset, HARMLESS, PLAIN, NONE, NONE) \
    X(sigaddset, HARMLESS, PLAIN, NONE, NONE) \
    X(sigdelset, HARMLESS, PLAIN, NONE, NONE) \
    X(sigismember, HARMLESS, PLAIN, NONE, NONE) \
    X(signal, WRAPPED, ANYTHING, NONE, NONE) \
    X(__sysv_signal, WRAPPED, ANYTHING, NONE, NONE) \
    X(sigaction, WRAPPED, ANYTHING, NONE, NONE) \
    X(sigprocmask, WRAPPED, PLAIN, NONE, NONE) \
    X(pthread_sigmask, WRAPPED, PLAIN, NONE, NONE) \
    X(sigaltstack, WRAPPED, ANYTHING, NONE, NONE) \
    X(alarm, WRAPPED, PLAIN, NONE, NONE) \
    X(setitimer, WRAPPED, PLAIN, NONE, NONE) \
    X(timer_create, WRAPPED, PLAIN, NONE, NONE) \
    /* waiting for children */ \
    X(wait, OUTSIDE, BLOCKS, NONE, NONE) \
    X(wait3, OUTSIDE, BLOCKS, NONE, NONE) \
    X(wait4, OUTSIDE, BLOCKS, NONE, NONE) \
    X(waitid, OUTSIDE, BLOCKS, NONE, NONE) \
    X(waitpid, OUTSIDE, BLOCKS, NONE, NONE) \
    X(system, OUTSIDE, BLOCKS, NONE, NONE) \
    X(popen, OUTSIDE, PLAIN, NONE, NONE) \
    X(pclose, OUTSIDE, BLOCKS, NONE, NONE) \
    /* semaphores */ \
    X(sem_init, HARMLESS, PLAIN, NONE, NONE) \
    X(sem_destroy, HARMLESS, PLAIN, NONE, NONE) \
    X(sem_post, HARMLESS, PLAIN, NONE, NONE) \
    X(sem_trywait, HARMLESS, PLAIN, NONE, NONE) \
    X(sem_getvalue, HARMLESS, PLAIN, NONE, NONE) \
    X(sem_wait, WRAPPED, BLOCKS, NONE, NONE) \
    X(sem_timedwait, WRAPPED, BLOCKS, NONE, NONE) \
    X(sem_clockwait, WRAPPED, BLOCKS, NONE, NONE) \
    X(semop, OUTSIDE, BLOCKS, NONE, NONE) \
    X(semtimedop, OUTSIDE, BLOCKS, NONE, NONE) \
    /* threads and their locks */ \
    X(pthread_create, REPLACED, ANYTHING, NONE, NONE) \
    X(pthread_join, OUTSIDE, BLOCKS, NONE, NONE) \
    X(pthread_tryjoin_np, OUTSIDE, PLAIN, NONE, NONE) \
    X(pthread_timedjoin_np, OUTSIDE, BLOCKS, NONE, NONE) \
    X(pthread_clockjoin_np, OUTSIDE, BLOCKS, NONE, NONE) \
    X(pthread_once, OUTSIDE, ANYTHING, NONE, NONE) \
    X(pthread_self, HARMLESS, THREAD, NONE, NONE) \
    X(thrd_current, HARMLESS, THREAD, NONE, NONE) \
    X(pthread_equal, HARMLESS, PLAIN, NONE, NONE) \
    X(pthread_key_create, WRAPPED, ANYTHING, NONE, NONE) \
    X(pthread_key_delete, WRAPPED, PLAIN, NONE, NONE) \
    X(pthread_setspecific, WRAPPED, ANYTHING, NONE, NONE) \
    X(pthread_getspecific, HARMLESS, ANYTHING, NONE, NONE) \
    X(tss_create, WRAPPED, ANYTHING, NONE, NONE) \
    X(tss_delete, WRAPPED, PLAIN, NONE, NONE) \
    X(tss_set, WRAPPED, ANYTHING, NONE, NONE) \
    X(tss_get, HARMLESS, ANYTHING, NONE, NONE) \
    X(pthread_mutex_init, HARMLESS, PLAIN, NONE, NONE) \
    X(pthread_mutex_destroy, HARMLESS, PLAIN, NONE, NONE) \
    X(pthread_mutex_lock, HARMLESS, BLOCKS, NONE, NONE) \
    X(pthread_mutex_timedlock, HARMLESS, BLOCKS, NONE, NONE) \
    X(pthread_mutex_clocklock, HARMLESS, BLOCKS, NONE, NONE) \
    X(pthread_mutex_trylock, HARMLESS, PLAIN, NONE, NONE) \
    X(pthread_mutex_unlock, HARMLESS, PLAIN, NONE, NONE) \
    X(pthread_rwlock_rdlock, HARMLESS, BLOCKS, NONE, NONE) \
    X(pthread_rwlock_timedrdlock, HARMLESS, BLOCKS, NONE, NONE) \
    X(pthread_rwlock_clockrdlock, HARMLESS, BLOCKS, NONE, NONE) \
    X(pthread_rwlock_wrlock, HARMLESS, BLOCKS, NONE, NONE) \
    X(pthread_rwlock_timedwrlock, HARMLESS, BLOCKS, NONE, NONE) \
    X(pthread_rwlock_clockwrlock, HARMLESS, BLOCKS, NONE, NONE) \
    X(pthread_rwlock_unlock, HARMLESS, PLAIN, NONE, NONE) \
    X(pthread_spin_lock, HARMLESS, BLOCKS, NONE, NONE) \
    X(pthread_spin_unlock, HARMLESS, PLAIN, NONE, NONE) \
    X(pthread_cond_wait, HARMLESS, BLOCKS, NONE, NONE) \
    X(pthread_cond_timedwait, HARMLESS, BLOCKS, NONE, NONE) \
    X(pthread_cond_clockwait, HARMLESS, BLOCKS, NONE, NONE) \
    X(pthread_cond_signal, HARMLESS, PLAIN, NONE, NONE) \
    X(pthread_cond_broadcast, HARMLESS, PLAIN, NONE, NONE) \
    X(pthread_barrier_wait, OUTSIDE, BLOCKS, NONE, NONE) \
    X(thrd_create, WRAPPED, ANYTHING, NONE, NONE) \
    X(thrd_join, OUTSIDE, BLOCKS, NONE, NONE) \
    X(mtx_lock, HARMLESS, BLOCKS, NONE, NONE) \
    X(mtx_timedlock, HARMLESS, BLOCKS, NONE, NONE) \
    X(mtx_unlock, HARMLESS, PLAIN, NONE, NONE) \
    X(cnd_wait, HARMLESS, BLOCKS, NONE, NONE) \
    X(cnd_timedwait, HARMLESS, BLOCKS, NONE, NONE) \
    X(sched_yield, HARMLESS, PLAIN, NONE, NONE) \
    /* descriptors */ \
    X(read, WRAPPED, BLOCKS, NONE, NONE) \
    X(write, WRAPPED, PLAIN, NONE, NONE) \
    X(open, OUTSIDE, READS, NONE, NONE) \
    X(close, WRAPPED, PLAIN, NONE, NONE) \
    X(close_range, WRAPPED, PLAIN, NONE, NONE) \
    X(closefrom, WRAPPED, PLAIN, NONE, NONE) \
    X(dup2, WRAPPED, PLAIN, NONE, NONE) \
    X(dup3, WRAPPED, PLAIN, NONE, NONE) \
    X(fstat, HARMLESS, PLAIN, NONE, NONE) \
    X(lseek, HARMLESS, PLAIN, NONE, NONE) \
    X(__read_chk, OUTSIDE, BLOCKS, NONE, NONE) \
    X(pread, OUTSIDE, BLOCKS, NONE, NONE) \
    X(pread64, OUTSIDE, BLOCKS, NONE, NONE) \
    X(readv, OUTSIDE, BLOCKS, NONE, NONE) \
    X(preadv, OUTSIDE, BLOCKS, NONE, NONE) \
    X(preadv2, OUTSIDE, BLOCKS, NONE, NONE) \
    X(fsync, OUTSIDE, BLOCKS, NONE, NONE) \
    X(fdatasync, OUTSIDE, BLOCKS, NONE, NONE) \
    X(flock, OUTSIDE, BLOCKS, NONE, NONE) \
    X(lockf, OUTSIDE, BLOCKS, NONE, NONE) \
    /* sockets and queues */ \
    X(accept, OUTSIDE, BLOCKS, NONE, NONE) \
    X(accept4, OUTSIDE, BLOCKS, NONE, NONE) \
    X(connect, OUTSIDE, BLOCKS, NONE, NONE) \
    X(recv, OUTSIDE, BLOCKS, NONE, NONE) \
    X(__recv_chk, OUTSIDE, BLOCKS, NONE, NONE) \
    X(recvfrom, OUTSIDE, BLOCKS, NONE, NONE) \
    X(__recvfrom_chk, OUTSIDE, BLOCKS, NONE, NONE) \
    X(recvmsg, OUTSIDE, BLOCKS, NONE, NONE) \
    X(recvmmsg, OUTSIDE, BLOCKS, NONE, NONE) \
    X(msgrcv, OUTSIDE, BLOCKS, NONE, NONE) \
    X(msgsnd, OUTSIDE, BLOCKS, NONE, NONE) \
    X(mq_receive, OUTSIDE, BLOCKS, NONE, NONE) \
    X(mq_timedreceive, OUTSIDE, BLOCKS, NONE, NONE) \
    X(mq_send, OUTSIDE, BLOCKS, NONE, NONE) \
    X(mq_timedsend, OUTSIDE, BLOCKS, NONE, NONE) \
    X(getaddrinfo, OUTSIDE, BLOCKS, NONE, NONE) \
    X(getnameinfo, OUTSIDE, BLOCKS, NONE, NONE) \
    X(gethostbyname, OUTSIDE, BLOCKS, NONE, NONE) \
    X(gethostbyaddr, OUTSIDE, BLOCKS, NONE, NONE) \
    X(htonl, HARMLESS, PLAIN, NONE, NONE) \
    X(htons, HARMLESS, PLAIN, NONE, NONE) \
    X(ntohl, HARMLESS, PLAIN, NONE, NONE) \
    X(ntohs, HARMLESS, PLAIN, NONE, NONE) \
    X(inet_pton, HARMLESS, PLAIN, NONE, NONE) \
    X(inet_ntop, HARMLESS, RESULT2, NONE, NONE) \
    /* streams: opening, closing, moving */ \
    X(fopen, OUTSIDE, READS, NONE, NONE) \
    X(fclose, HARMLESS, PLAIN, NONE, T(1, OPAQUE, file_state, 5)) \
    X(fflush, WRAPPED, READS, M(1, nothing), T(1, OPAQUE, file_state, 6)) \
    X(setvbuf, HARMLESS, PLAIN, NONE, NONE) \
    X(setbuf, HARMLESS, PLAIN, M(2, nothing), NONE) \
    X(rewind, HARMLESS, PLAIN, NONE, T(1, OPAQUE, file_state, 3)) \
    X(ftell, HARMLESS, PLAIN, NONE, T(1, OPAQUE, file_state, 4)) \
    X(feof, HARMLESS, PLAIN, NONE, T(1, OPAQUE, file_state, 0)) \
    X(ferror, HARMLESS, PLAIN, NONE, T(1, OPAQUE, file_state, 1)) \
    X(clearerr, HARMLESS, PLAIN, NONE, T(1, OPAQUE, file_state, 2)) \
    X(fileno, HARMLESS, PLAIN, NONE, NONE) \
    X(stdin, HARMLESS, PLAIN, NONE, NONE) \
    X(stdout, HARMLESS, PLAIN, NONE, NONE) \
    X(stderr, HARMLESS, PLAIN, NONE, NONE) \
    /* streams: reading */ \
    X(getc, HARMLESS, BLOCKS, NONE, T(1, OPAQUE, fgetc, 0)) \
    X(_IO_getc, HARMLESS, BLOCKS, NONE, T(1, OPAQUE, fgetc, 0)) \
    X(fgetc, HARMLESS, BLOCKS, NONE, T(1, OPAQUE, fgetc, 0)) \
    X(getchar, HARMLESS, BLOCKS, NONE, NONE) \
    X(ungetc, HARMLESS, PLAIN, NONE, T(2, OPAQUE, ungetc, 0)) \
    X(fgets, HARMLESS, BLOCKS | RESULT0 | WRITES0, NONE, T(3, OPAQUE, fgets, 0)) \
    X(__fgets_chk, HARMLESS, BLOCKS | RESULT0 | WRITES0, NONE, NONE) \
    X(fread, HARMLESS, BLOCKS | WRITES0, NONE, T(4, OPAQUE, fread, 0)) \
    X(__fread_chk, HARMLESS, BLOCKS | WRITES0, NONE, NONE) \
    X(scanf, HARMLESS, BLOCKS, NONE, NONE) \
    X(__isoc99_scanf, HARMLESS, BLOCKS, NONE, NONE) \
    X(__isoc23_scanf, HARMLESS, BLOCKS, NONE, NONE) \
    X(fscanf, HARMLESS, BLOCKS, NONE, NONE) \
    X(__isoc99_fscanf, HARMLESS, BLOCKS, NONE, NONE) \
    X(__isoc23_fscanf, HARMLESS, BLOCKS, NONE, NONE) \
    X(sscanf, HARMLESS, PLAIN, NONE, T(2, BOUNDED, sscanf, 0)) \
    X(__isoc99_sscanf, HARMLESS, PLAIN, NONE, T(2, BOUNDED, sscanf, 0)) \
    X(__isoc23_sscanf, HARMLESS, PLAIN, NONE, T(2, BOUNDED, sscanf, 0)) \
    X(vsscanf, HARMLESS, ANYTHING, NONE, NONE) \
    /* streams: writing */ \
    X(printf, HARMLESS, FORMAT0, M(1, printf), T(1, OPAQUE, nothing, 0)) \
    X(fprintf, HARMLESS, FORMAT1, M(2, fprintf), T(2, OPAQUE, nothing, 5)) \
    X(sprintf, HARMLESS, WRITES0, M(2, sprintf), T(2, BOUNDED, snprintf, 1)) \
    X(snprintf, HARMLESS, WRITES0, M(3, snprintf), T(3, BOUNDED, snprintf, 0)) \
    X(vprintf, HARMLESS, PLAIN, NONE, T(2, OPAQUE, nothing, 0)) \
    X(vfprintf, HARMLESS, PLAIN, NONE, T(3, OPAQUE, nothing, 0)) \
    X(vsprintf, HARMLESS, WRITES0, NONE, NONE) \
    X(vsnprintf, HARMLESS, WRITES0, NONE, NONE) \
    X(puts, HARMLESS, READS, M(1, puts), T(1, OPAQUE, nothing, 0)) \
    X(fputs, HARMLESS, READS, M(2, fputs), T(2, OPAQUE, nothing, 4)) \
    X(putchar, HARMLESS, READS, M(1, putchar), T(1, OPAQUE, nothing, 1)) \
    X(putc, HARMLESS, READS, NONE, T(2, OPAQUE, nothing, 3)) \
    X(_IO_putc, HARMLESS, READS, NONE, T(2, OPAQUE, nothing, 3)) \
    X(fputc, HARMLESS, READS, NONE, T(2, OPAQUE, nothing, 3)) \
    X(fwrite, HARMLESS, READS, NONE, T(4, OPAQUE, nothing, 2)) \
    X(perror, HARMLESS, READS, NONE, T(1, OPAQUE, nothing, 0)) \
    /* bytes and texts */ \
    X(memcpy, HARMLESS, RESULT0 | COPIES | WRITES0, M(3, memcpy), T(3, EXACT, copy, 0)) \
    X(memmove, HARMLESS, RESULT0 | COPIES | WRITES0, M(3, memcpy), T(3, EXACT, copy, 0)) \
    X(mempcpy, HARMLESS, INTO0 | WRITES0 | COPIES, NONE, T(3, EXACT, copy, 1)) \
    X(memccpy, HARMLESS, INTO0 | WRITES0 | COPIES, NONE, NONE) \
    X(memset, HARMLESS, RESULT0 | WRITES0, M(3, memset), T(3, EXACT, memset, 0)) \
    X(memcmp, HARMLESS, READS, M(3, memcmp), T(3, EXACT, memcmp, 0)) \
    X(memchr, HARMLESS, INTO0 | READS, NONE, T(3, EXACT, memchr, 0)) \
    X(memrchr, HARMLESS, INTO0 | READS, NONE, NONE) \
    X(memmem, HARMLESS, INTO0 | READS, NONE, NONE) \
    X(bcmp, HARMLESS, READS, NONE, T(3, EXACT, memcmp, 0)) \
    X(bcopy, HARMLESS, ANYTHING, NONE, NONE) \
    X(bzero, HARMLESS, WRITES0, NONE, NONE) \
    X(explicit_bzero, HARMLESS, WRITES0, NONE, NONE) \
    X(__explicit_bzero_chk, HARMLESS, WRITES0, NONE, NONE) \
    X(strcpy, HARMLESS, RESULT0 | WRITES0, M(2, strcpy), T(2, BOUNDED, strcpy, 0)) \
    X(strncpy, HARMLESS, RESULT0 | WRITES0, M(3, strncpy), T(3, BOUNDED, strcpy, 2)) \
    X(stpcpy, HARMLESS, INTO0 | WRITES0, NONE, T(2, BOUNDED, strcpy, 1)) \
    X(stpncpy, HARMLESS, INTO0 | WRITES0, NONE, NONE) \
    X(strcat, HARMLESS, RESULT0 | WRITES0, M(2, strcat), T(2, BOUNDED, strcat, 0)) \
    X(strncat, HARMLESS, RESULT0 | WRITES0, NONE, T(3, BOUNDED, strcat, 1)) \
    X(strchr, HARMLESS, INTO0 | READS, M(2, strchr), T(2, BOUNDED, strchr, 0)) \
    X(strchrnul, HARMLESS, INTO0 | READS, NONE, T(2, BOUNDED, strchr, 2)) \
    X(strrchr, HARMLESS, INTO0 | READS, NONE, T(2, BOUNDED, strchr, 1)) \
    X(index, HARMLESS, INTO0 | READS, NONE, T(2, BOUNDED, strchr, 0)) \
    X(rindex, HARMLESS, INTO0 | READS, NONE, T(2, BOUNDED, strchr, 1)) \
    X(strstr, HARMLESS, INTO0 | READS, M(2, strstr), T(2, BOUNDED, strstr, 0)) \
    X(strcasestr, HARMLESS, INTO0 | READS, NONE, NONE) \
    X(strpbrk, HARMLESS, INTO0 | READS, NONE, T(2, BOUNDED, strspn, 2)) \
    X(strtok_r, HARMLESS, INTO0 | REST_AT2, NONE, T(3, BOUNDED, strtok, 1)) \
    X(__strtok_r, HARMLESS, INTO0 | REST_AT2, NONE, T(3, BOUNDED, strtok, 1)) \
    X(strsep, HARMLESS, REST_AT0, NONE, T(2, BOUNDED, strtok, 2)) \
    X(strtok, WRAPPED, INTO0 | REST_KEPT, NONE, T(2, BOUNDED, strtok, 0)) \
    X(strlen, HARMLESS, READS, M(1, strlen), T(1, BOUNDED, strlen, 0)) \
    X(strnlen, HARMLESS, READS, NONE, T(2, BOUNDED, strlen, 1)) \
    X(strcmp, HARMLESS, READS, M(2, strcmp), T(2, BOUNDED, strcmp, 0)) \
    X(strncmp, HARMLESS, READS, M(3, strncmp), T(3, BOUNDED, strcmp, 1)) \
    X(strcasecmp, HARMLESS, READS, NONE, T(2, BOUNDED, strcmp, 2)) \
    X(strncasecmp, HARMLESS, READS, NONE, T(3, BOUNDED, strcmp, 3)) \
    X(strcoll, HARMLESS, READS, NONE, T(2, BOUNDED, strcmp, 0)) \
    X(strspn, HARMLESS, READS, NONE, T(2, BOUNDED, strspn, 0)) \
    X(strcspn, HARMLESS, READS, NONE, T(2, BOUNDED, strspn, 1)) \
    X(strerror, WRAPPED, PLAIN, NONE, NONE) \
    X(strsignal, WRAPPED, PLAIN, NONE, NONE) \
    X(strfry, OUTSIDE, PLAIN, NONE, NONE) \
    X(wcslen, HARMLESS, READS, NONE, NONE) \
    X(wcscmp, HARMLESS, READS, NONE, NONE) \
    X(wcscpy, HARMLESS, RESULT0 | WRITES0, NONE, NONE) \
    X(mblen, OUTSIDE, PLAIN, NONE, NONE) \
    X(mbtowc, OUTSIDE, PLAIN, NONE, NONE) \
    X(wctomb, OUTSIDE, PLAIN, NONE, NONE) \
    X(isatty, OUTSIDE, READS, NONE, NONE) \
    X(memfd_create, OUTSIDE, PLAIN, NONE, NONE) \
    X(ffs, HARMLESS, READS, NONE, NONE) \
    /* characters */ \
    X(isalpha, HARMLESS, READS, M(1, isalpha), T(1, EXACT, ctype, 1)) \
    X(isdigit, HARMLESS, READS, M(1, isdigit), T(1, EXACT, ctype, 4)) \
    X(isalnum, HARMLESS, READS, M(1, isalnum), T(1, EXACT, ctype, 0)) \
    X(isspace, HARMLESS, READS, M(1, isspace), T(1, EXACT, ctype, 9)) \
    X(isupper, HARMLESS, READS, M(1, isupper), T(1, EXACT, ctype, 10)) \
    X(islower, HARMLESS, READS, M(1, islower), T(1, EXACT, ctype, 6)) \
    X(ispunct, HARMLESS, READS, M(1, ispunct), T(1, EXACT, ctype, 8)) \
    X(isxdigit, HARMLESS, READS, M(1, isxdigit), T(1, EXACT, ctype, 11)) \
    X(isblank, HARMLESS, READS, NONE, T(1, EXACT, ctype, 2)) \
    X(iscntrl, HARMLESS, READS, NONE, T(1, EXACT, ctype, 3)) \
    X(isgraph, HARMLESS, READS, NONE, T(1, EXACT, ctype, 5)) \
    X(isprint, HARMLESS, READS, NONE, T(1, EXACT, ctype, 7)) \
    X(tolower, HARMLESS, READS, M(1, tolower), T(1, EXACT, tocase, 0)) \
    X(toupper, HARMLESS, READS, M(1, toupper), T(1, EXACT, tocase, 1)) \
    X(__ctype_b_loc, HARMLESS, READS, NONE, T(0, EXACT, ctype_table, 0)) \
    X(__ctype_tolower_loc, HARMLESS, READS, NONE, T(0, EXACT, ctype_table, 2)) \
    X(__ctype_toupper_loc, HARMLESS, READS, NONE, T(0, EXACT, ctype_table, 1)) \
    /* numbers */ \
    X(abs, HARMLESS, READS, M(1, abs), T(1, EXACT, abs, 0)) \
    X(labs, HARMLESS, READS, M(1, labs), T(1, EXACT, abs, 0)) \
    X(llabs, HARMLESS, READS, M(1, labs), T(1, EXACT, abs, 0)) \
    X(div, HARMLESS, PLAIN, NONE, NONE) \
    X(ldiv, HARMLESS, PLAIN, NONE, NONE) \
    X(lldiv, HARMLESS, PLAIN, NONE, NONE) \
    X(atoi, HARMLESS, READS, M(1, atoi), T(1, BOUNDED, strtol, 2)) \
    X(atol, HARMLESS, READS, M(1, atol), T(1, BOUNDED, strtol, 2)) \
    X(atoll, HARMLESS, READS, M(1, atol), T(1, BOUNDED, strtol, 2)) \
    X(atof, HARMLESS, READS, NONE, T(1, BOUNDED, strtod, 1)) \
    X(strtol, HARMLESS, END_AT1, NONE, T(3, BOUNDED, strtol, 1)) \
    X(strtoul, HARMLESS, END_AT1, NONE, T(3, BOUNDED, strtol, 0)) \
    X(strtoll, HARMLESS, END_AT1, NONE, T(3, BOUNDED, strtol, 1)) \
    X(strtoull, HARMLESS, END_AT1, NONE, T(3, BOUNDED, strtol, 0)) \
    X(__isoc23_strtol, HARMLESS, END_AT1, NONE, T(3, BOUNDED, strtol, 1)) \
    X(__isoc23_strtoll, HARMLESS, END_AT1, NONE, T(3, BOUNDED, strtol, 1)) \
    X(__isoc23_strtoul, HARMLESS, END_AT1, NONE, T(3, BOUNDED, strtol, 0)) \
    X(__isoc23_strtoull, HARMLESS, END_AT1, NONE, T(3, BOUNDED, strtol, 0)) \
    X(strtod, HARMLESS, END_AT1, NONE, T(2, BOUNDED, strtod, 0)) \
    X(strtof, HARMLESS, END_AT1, NONE, NONE) \
    X(sin, HARMLESS, PLAIN, M(1, sin), T(1, EXACT, math, IR_M_SIN)) \
    X(sinf, HARMLESS, PLAIN, NONE, T(1, EXACT, math, IR_M_SIN)) \
    X(cos, HARMLESS, PLAIN, M(1, cos), T(1, EXACT, math, IR_M_COS)) \
    X(cosf, HARMLESS, PLAIN, NONE, T(1, EXACT, math, IR_M_COS)) \
    X(tan, HARMLESS, PLAIN, M(1, tan), T(1, OPAQUE, host_math, 0)) \
    X(asin, HARMLESS, PLAIN, M(1, asin), T(1, OPAQUE, host_math, 2)) \
    X(acos, HARMLESS, PLAIN, M(1, acos), T(1, OPAQUE, host_math, 3)) \
    X(atan, HARMLESS, PLAIN, M(1, atan), T(1, OPAQUE, host_math, 1)) \
    X(atan2, HARMLESS, PLAIN, M(2, atan2), T(2, OPAQUE, host_math, 8)) \
    X(exp, HARMLESS, PLAIN, M(1, exp), T(1, EXACT, math, IR_M_EXP)) \
    X(expf, HARMLESS, PLAIN, NONE, T(1, EXACT, math, IR_M_EXP)) \
    X(exp2, HARMLESS, PLAIN, NONE, T(1, OPAQUE, host_math, 6)) \
    X(expm1, HARMLESS, PLAIN, M(1, expm1), NONE) \
    X(log, HARMLESS, PLAIN, M(1, log), T(1, EXACT, math, IR_M_LN)) \
    X(logf, HARMLESS, PLAIN, NONE, T(1, EXACT, math, IR_M_LN)) \
    X(log1p, HARMLESS, PLAIN, M(1, log1p), NONE) \
    X(log2, HARMLESS, PLAIN, M(1, log2), T(1, OPAQUE, host_math, 4)) \
    X(log10, HARMLESS, PLAIN, M(1, log10), T(1, OPAQUE, host_math, 5)) \
    X(pow, HARMLESS, PLAIN, M(2, pow), T(1, EXACT, math, IR_M_POW)) \
    X(powf, HARMLESS, PLAIN, NONE, T(1, EXACT, math, IR_M_POW)) \
    X(sqrt, HARMLESS, PLAIN, M(1, sqrt), T(1, EXACT, math, IR_M_SQRT)) \
    X(sqrtf, HARMLESS, PLAIN, NONE, T(1, EXACT, math, IR_M_SQRT)) \
    X(cbrt, HARMLESS, PLAIN, M(1, cbrt), T(1, OPAQUE, host_math, 7)) \
    X(floor, HARMLESS, PLAIN, M(1, floor), T(1, EXACT, math, IR_M_FLOOR)) \
    X(floorf, HARMLESS, PLAIN, NONE, T(1, EXACT, math, IR_M_FLOOR)) \
    X(ceil, HARMLESS, PLAIN, M(1, ceil), T(1, EXACT, math, IR_M_CEIL)) \
    X(ceilf, HARMLESS, PLAIN, NONE, T(1, EXACT, math, IR_M_CEIL)) \
    X(round, HARMLESS, PLAIN, M(1, round), T(1, EXACT, math, IR_M_ROUND)) \
    X(roundf, HARMLESS, PLAIN, NONE, T(1, EXACT, math, IR_M_ROUND)) \
    X(lround, HARMLESS, PLAIN, NONE, T(1, EXACT, round, 0)) \
    X(llround, HARMLESS, PLAIN, NONE, T(1, EXACT, round, 0)) \
    X(lrint, HARMLESS, PLAIN, NONE, T(1, EXACT, round, 1)) \
    X(llrint, HARMLESS, PLAIN, NONE, T(1, EXACT, round, 1)) \
    X(rint, HARMLESS, PLAIN, M(1, rint), T(1, EXACT, math, IR_M_RINT)) \
    X(rintf, HARMLESS, PLAIN, NONE, T(1, EXACT, math, IR_M_RINT)) \
    X(nearbyint, HARMLESS, PLAIN, NONE, T(1, EXACT, math, IR_M_RINT)) \
    X(nearbyintf, HARMLESS, PLAIN, NONE, T(1, EXACT, math, IR_M_RINT)) \
    X(trunc, HARMLESS, PLAIN, M(1, trunc), T(1, EXACT, math, IR_M_FTRUNC)) \
    X(truncf, HARMLESS, PLAIN, NONE, T(1, EXACT, math, IR_M_FTRUNC)) \
    X(fabs, HARMLESS, PLAIN, M(1, fabs), T(1, EXACT, math, IR_M_FABS)) \
    X(fabsf, HARMLESS, PLAIN, NONE, T(1, EXACT, math, IR_M_FABS)) \
    X(copysign, HARMLESS, PLAIN, NONE, T(1, EXACT, math, IR_M_COPYSIGN)) \
    X(copysignf, HARMLESS, PLAIN, NONE, T(1, EXACT, math, IR_M_COPYSIGN)) \
    X(fmod, HARMLESS, PLAIN, M(2, fmod), T(2, EXACT, round, 2)) \
    X(fmodf, HARMLESS, PLAIN, NONE, T(2, EXACT, round, 2)) \
    X(fmin, HARMLESS, PLAIN, M(2, fmin), T(1, EXACT, math, IR_M_FMIN)) \
    X(fminf, HARMLESS, PLAIN, NONE, T(1, EXACT, math, IR_M_FMIN)) \
    X(fmax, HARMLESS, PLAIN, M(2, fmax), T(1, EXACT, math, IR_M_FMAX)) \
    X(fmaxf, HARMLESS, PLAIN, NONE, T(1, EXACT, math, IR_M_FMAX)) \
    X(fma, HARMLESS, PLAIN, NONE, T(1, EXACT, math, IR_M_FMA)) \
    X(fmaf, HARMLESS, PLAIN, NONE, T(1, EXACT, math, IR_M_FMA)) \
    X(hypot, HARMLESS, PLAIN, M(2, hypot), T(2, OPAQUE, host_math, 9)) \
    X(sinh, HARMLESS, PLAIN, M(1, sinh), NONE) \
    X(cosh, HARMLESS, PLAIN, M(1, cosh), NONE) \
    X(tanh, HARMLESS, PLAIN, M(1, tanh), NONE) \
    X(ldexp, HARMLESS, PLAIN, NONE, NONE) \
    X(frexp, HARMLESS, PLAIN, NONE, NONE) \
    X(modf, HARMLESS, PLAIN, NONE, NONE) \
    X(lgamma, HARMLESS, PLAIN, NONE, NONE) \
    X(erf, HARMLESS, PLAIN, NONE, NONE) \
    /* searching and sorting */ \
    X(qsort, HARMLESS, CALLS3 | WRITES0, M(4, qsort), T(4, EXACT, qsort, 0)) \
    X(qsort_r, HARMLESS, CALLS3 | WRITES0, NONE, NONE) \
    X(bsearch, HARMLESS, CALLS4, NONE, T(5, EXACT, bsearch, 0)) \
    X(lfind, HARMLESS, CALLS4, NONE, NONE) \
    /* jumps */ \
    X(setjmp, HARMLESS, PLAIN, NONE, NONE) \
    X(_setjmp, HARMLESS, PLAIN, NONE, NONE) \
    X(longjmp, HARMLESS, PLAIN, NONE, NONE) \
    X(_longjmp, HARMLESS, PLAIN, NONE, NONE) \
    X(__longjmp_chk, HARMLESS, PLAIN, NONE, NONE) \
    X(__sigsetjmp, HARMLESS, PLAIN, NONE, NONE) \
    /* the process and what is around it */ \
    X(__errno_location, HARMLESS, PLAIN, NONE, T(0, EXACT, errno, 0)) \
    X(getenv, HARMLESS, READS, NONE, NONE) \
    X(secure_getenv, HARMLESS, READS, NONE, NONE) \
    X(setenv, WRAPPED, READS, NONE, NONE) \
    X(unsetenv, WRAPPED, READS, NONE, NONE) \
    X(putenv, WRAPPED, ANYTHING, NONE, NONE) \
    X(clearenv, WRAPPED, PLAIN, NONE, NONE) \
    X(setlocale, WRAPPED, PLAIN, NONE, NONE) \
    X(uselocale, WRAPPED, PLAIN, NONE, NONE) \
    X(chdir, WRAPPED, READS, NONE, NONE) \
    X(fchdir, WRAPPED, PLAIN, NONE, NONE) \
    X(umask, WRAPPED, PLAIN, NONE, NONE) \
    X(getpid, WRAPPED, PLAIN, NONE, NONE) \
    X(getppid, WRAPPED, PLAIN, NONE, NONE) \
    X(gettid, WRAPPED, THREAD, NONE, NONE) \
    X(sysconf, HARMLESS, PLAIN, NONE, NONE) \
    X(getpagesize, HARMLESS, PLAIN, NONE, NONE) \
    X(__tls_get_addr, HARMLESS, PLAIN, NONE, NONE) \
    X(dlopen, WRAPPED, ANYTHING, NONE, NONE) \
    X(hcreate, WRAPPED, PLAIN, NONE, NONE) \
    X(hdestroy, WRAPPED, PLAIN, NONE, NONE) \
    X(hsearch, WRAPPED, ANYTHING, NONE, NONE) \
    X(mmap, WRAPPED, FRESH, NONE, NONE) \
    X(mmap64, WRAPPED, FRESH, NONE, NONE) \
    X(sbrk, WRAPPED, FRESH, NONE, NONE) \
    X(shmat, WRAPPED, FRESH, NONE, NONE) \
    X(__libc_single_threaded, HARMLESS, PLAIN, NONE, NONE) \
    /* the end */ \
    X(abort, WRAPPED, PLAIN, NONE, NONE) \
    X(exit, WRAPPED, PLAIN, NONE, NONE) \
    X(_exit, WRAPPED, PLAIN, NONE, NONE) \
    X(_Exit, WRAPPED, PLAIN, NONE, NONE) \
    X(quick_exit, WRAPPED, PLAIN, NONE, NONE) \
    X(kill, WRAPPED, PLAIN, NONE, NONE) \
    X(raise, WRAPPED, PLAIN, NONE, NONE) \
    X(fork, WRAPPED, PLAIN, NONE, NONE) \
    X(vfork, WRAPPED, PLAIN, NONE, NONE) \
    X(atexit, WRAPPED, ANYTHING, NONE, NONE) \
    X(on_exit, WRAPPED, ANYTHING, NONE, NONE) \
    X(at_quick_exit, WRAPPED, ANYTHING, NONE, NONE) \
    X(__cxa_atexit, WRAPPED, ANYTHING, NONE, NONE) \
    X(__assert_fail, WRAPPED, PLAIN, NONE, NONE) \
    X(__assert_perror_fail, WRAPPED, PLAIN, NONE, NONE) \
    X(__stack_chk_fail, WRAPPED, PLAIN, NONE, NONE)
// clang-format on

struct libc_row {
    const char *name;
    uint8_t stage; // enum libc_stage
    uint32_t does; // enum libc_does
};

// In the order of LIBC.
extern const struct libc_row libc_rows[];
extern const uint32_t libc_n;

// The row of a name, NULL if it has none.
const struct libc_row *libc_find(const char *name);

// Does the function give NULL, or no block, when memory runs out?
bool libc_allocates(const char *name);

// Does the stage let the program call this function as it is, without a word?
// Names without a row are judged by how they begin.
bool libc_harmless(const char *name);

#endif

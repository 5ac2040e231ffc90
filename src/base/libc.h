// One table of the functions of the C library: what the stage makes of a call,
// what the call does with pointers and whether it waits, and its model.
//
// Every part that treats a function of the C library by its name reads it here:
//   program    links programs with --wrap=NAME for each WRAPPED one, names those
//              OUTSIDE that a program calls (program/uncontrolled.c), and sees
//              by those that tell the time whether it has a clock (clocked.c)
//   stage      has a __wrap_NAME for each WRAPPED one (stage/wrap*.c)
//   flow       follows pointers through calls, warns of those that wait
//              (flow/extern.c)
//   ir         runs the MODEL (ir/interp_libc.c)
// One part does not: the models on terms, and how exact each is, have a table
// of their own (symex/libc.c).
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
//   model      M(N, MODEL), the model and how many arguments it must have, or
//              NONE
#ifndef BASE_LIBC_H
#define BASE_LIBC_H

#include <stdbool.h>
#include <stdint.h>

enum libc_stage { LIBC_WRAPPED, LIBC_REPLACED, LIBC_HARMLESS, LIBC_OUTSIDE };

enum libc_does {
    LIBC_PLAIN = 0,       // uses what its arguments point to; keeps no pointer
    LIBC_RESULT0 = 1,     // returns its first argument or a pointer into it
    LIBC_RESULT1 = 2,     // ... its second
    LIBC_RESULT2 = 4,     // ... its third
    LIBC_COPIES = 8,      // copies from its second argument to its first
    LIBC_FRESH = 16,      // returns new memory
    LIBC_FRESH_AT0 = 32,  // stores new memory where its first argument points
    LIBC_FROM0 = 64,      // the result is a copy of what its first points to
    LIBC_SIZED = 128,     // the result's size is the product of the arguments
    LIBC_BLOCKS = 256,    // may wait for something outside
    LIBC_CALLS3 = 512,    // calls its fourth argument on elements of its first,
                          // and on its fifth if it has one
    LIBC_CALLS4 = 1024,   // calls its fifth argument on its first and second
    LIBC_ANYTHING = 2048, // may keep, copy or call whatever it is given
    LIBC_CLOCK = 4096,    // tells the time
};

// clang-format off
#define LIBC(X) \
    /* memory */ \
    X(malloc, WRAPPED, FRESH | SIZED, M(1, malloc)) \
    X(calloc, WRAPPED, FRESH | SIZED, M(2, calloc)) \
    X(realloc, WRAPPED, FRESH | FROM0 | RESULT0, M(2, realloc)) \
    X(reallocarray, WRAPPED, FRESH | FROM0 | RESULT0, NONE) \
    X(free, WRAPPED, PLAIN, M(1, free)) \
    X(cfree, WRAPPED, PLAIN, NONE) \
    X(aligned_alloc, WRAPPED, FRESH, NONE) \
    X(posix_memalign, WRAPPED, FRESH_AT0, NONE) \
    X(memalign, WRAPPED, FRESH, NONE) \
    X(malloc_usable_size, WRAPPED, PLAIN, NONE) \
    /* results that the caller frees */ \
    X(strdup, WRAPPED, FRESH, M(1, strdup)) \
    X(__strdup, WRAPPED, FRESH, M(1, strdup)) \
    X(strndup, WRAPPED, FRESH, NONE) \
    X(__strndup, WRAPPED, FRESH, NONE) \
    X(wcsdup, WRAPPED, FRESH, NONE) \
    X(asprintf, WRAPPED, FRESH_AT0, NONE) \
    X(__asprintf_chk, WRAPPED, FRESH_AT0, NONE) \
    X(vasprintf, WRAPPED, FRESH_AT0, NONE) \
    X(__vasprintf_chk, WRAPPED, FRESH_AT0, NONE) \
    X(getline, WRAPPED, FRESH_AT0 | BLOCKS, NONE) \
    X(getdelim, WRAPPED, FRESH_AT0 | BLOCKS, NONE) \
    X(__getdelim, WRAPPED, FRESH_AT0 | BLOCKS, NONE) \
    X(realpath, WRAPPED, FRESH | RESULT1, NONE) \
    X(getcwd, WRAPPED, FRESH | RESULT0, NONE) \
    X(open_memstream, WRAPPED, FRESH_AT0, NONE) \
    X(tsearch, WRAPPED, ANYTHING, NONE) \
    /* chance */ \
    X(rand, WRAPPED, PLAIN, NONE) \
    X(srand, WRAPPED, PLAIN, NONE) \
    X(random, WRAPPED, PLAIN, NONE) \
    X(srandom, WRAPPED, PLAIN, NONE) \
    X(drand48, WRAPPED, PLAIN, NONE) \
    X(lrand48, WRAPPED, PLAIN, NONE) \
    X(mrand48, WRAPPED, PLAIN, NONE) \
    X(srand48, WRAPPED, PLAIN, NONE) \
    X(getrandom, WRAPPED, PLAIN, NONE) \
    X(getentropy, WRAPPED, PLAIN, NONE) \
    X(arc4random, WRAPPED, PLAIN, NONE) \
    X(arc4random_uniform, WRAPPED, PLAIN, NONE) \
    X(rand_r, HARMLESS, PLAIN, NONE) \
    /* time */ \
    X(time, WRAPPED, CLOCK, NONE) \
    X(clock, WRAPPED, PLAIN, NONE) \
    X(clock_gettime, WRAPPED, CLOCK, NONE) \
    X(gettimeofday, WRAPPED, CLOCK, NONE) \
    X(timespec_get, WRAPPED, CLOCK, NONE) \
    X(difftime, HARMLESS, PLAIN, NONE) \
    X(gmtime_r, HARMLESS, RESULT1, NONE) \
    X(localtime_r, HARMLESS, RESULT1, NONE) \
    X(mktime, HARMLESS, PLAIN, NONE) \
    X(timegm, HARMLESS, PLAIN, NONE) \
    /* waiting for time to pass */ \
    X(sleep, WRAPPED, BLOCKS, NONE) \
    X(usleep, WRAPPED, BLOCKS, NONE) \
    X(nanosleep, WRAPPED, BLOCKS, NONE) \
    X(clock_nanosleep, WRAPPED, BLOCKS, NONE) \
    X(thrd_sleep, WRAPPED, BLOCKS, NONE) \
    /* waiting for descriptors */ \
    X(poll, WRAPPED, BLOCKS, NONE) \
    X(__poll_chk, WRAPPED, BLOCKS, NONE) \
    X(ppoll, WRAPPED, BLOCKS, NONE) \
    X(select, WRAPPED, BLOCKS, NONE) \
    X(pselect, WRAPPED, BLOCKS, NONE) \
    X(epoll_wait, WRAPPED, BLOCKS, NONE) \
    X(epoll_pwait, OUTSIDE, BLOCKS, NONE) \
    X(epoll_pwait2, OUTSIDE, BLOCKS, NONE) \
    X(__fdelt_chk, HARMLESS, PLAIN, NONE) \
    /* waiting for signals */ \
    X(pause, WRAPPED, BLOCKS, NONE) \
    X(sigsuspend, WRAPPED, BLOCKS, NONE) \
    X(sigtimedwait, WRAPPED, BLOCKS, NONE) \
    X(sigwaitinfo, WRAPPED, BLOCKS, NONE) \
    X(sigwait, WRAPPED, BLOCKS, NONE) \
    X(sigemptyset, HARMLESS, PLAIN, NONE) \
    X(sigfillset, HARMLESS, PLAIN, NONE) \
    X(sigaddset, HARMLESS, PLAIN, NONE) \
    X(sigdelset, HARMLESS, PLAIN, NONE) \
    X(sigismember, HARMLESS, PLAIN, NONE) \
    X(signal, WRAPPED, ANYTHING, NONE) \
    X(__sysv_signal, WRAPPED, ANYTHING, NONE) \
    X(sigaction, WRAPPED, ANYTHING, NONE) \
    X(sigprocmask, WRAPPED, PLAIN, NONE) \
    X(pthread_sigmask, WRAPPED, PLAIN, NONE) \
    X(sigaltstack, WRAPPED, ANYTHING, NONE) \
    X(alarm, WRAPPED, PLAIN, NONE) \
    X(setitimer, WRAPPED, PLAIN, NONE) \
    X(timer_create, WRAPPED, PLAIN, NONE) \
    /* waiting for children */ \
    X(wait, OUTSIDE, BLOCKS, NONE) \
    X(wait3, OUTSIDE, BLOCKS, NONE) \
    X(wait4, OUTSIDE, BLOCKS, NONE) \
    X(waitid, OUTSIDE, BLOCKS, NONE) \
    X(waitpid, OUTSIDE, BLOCKS, NONE) \
    X(system, OUTSIDE, BLOCKS, NONE) \
    X(popen, OUTSIDE, PLAIN, NONE) \
    X(pclose, OUTSIDE, BLOCKS, NONE) \
    /* semaphores */ \
    X(sem_init, HARMLESS, PLAIN, NONE) \
    X(sem_destroy, HARMLESS, PLAIN, NONE) \
    X(sem_post, HARMLESS, PLAIN, NONE) \
    X(sem_trywait, HARMLESS, PLAIN, NONE) \
    X(sem_getvalue, HARMLESS, PLAIN, NONE) \
    X(sem_wait, WRAPPED, BLOCKS, NONE) \
    X(sem_timedwait, WRAPPED, BLOCKS, NONE) \
    X(sem_clockwait, WRAPPED, BLOCKS, NONE) \
    X(semop, OUTSIDE, BLOCKS, NONE) \
    X(semtimedop, OUTSIDE, BLOCKS, NONE) \
    /* threads and their locks */ \
    X(pthread_create, REPLACED, ANYTHING, NONE) \
    X(pthread_join, OUTSIDE, BLOCKS, NONE) \
    X(pthread_tryjoin_np, OUTSIDE, PLAIN, NONE) \
    X(pthread_timedjoin_np, OUTSIDE, BLOCKS, NONE) \
    X(pthread_clockjoin_np, OUTSIDE, BLOCKS, NONE) \
    X(pthread_once, OUTSIDE, ANYTHING, NONE) \
    X(pthread_self, HARMLESS, PLAIN, NONE) \
    X(pthread_equal, HARMLESS, PLAIN, NONE) \
    X(pthread_key_create, WRAPPED, ANYTHING, NONE) \
    X(pthread_key_delete, WRAPPED, PLAIN, NONE) \
    X(pthread_setspecific, WRAPPED, ANYTHING, NONE) \
    X(pthread_getspecific, HARMLESS, ANYTHING, NONE) \
    X(tss_create, WRAPPED, ANYTHING, NONE) \
    X(tss_delete, WRAPPED, PLAIN, NONE) \
    X(tss_set, WRAPPED, ANYTHING, NONE) \
    X(tss_get, HARMLESS, ANYTHING, NONE) \
    X(pthread_mutex_init, HARMLESS, PLAIN, NONE) \
    X(pthread_mutex_destroy, HARMLESS, PLAIN, NONE) \
    X(pthread_mutex_lock, HARMLESS, BLOCKS, NONE) \
    X(pthread_mutex_timedlock, HARMLESS, BLOCKS, NONE) \
    X(pthread_mutex_clocklock, HARMLESS, BLOCKS, NONE) \
    X(pthread_mutex_trylock, HARMLESS, PLAIN, NONE) \
    X(pthread_mutex_unlock, HARMLESS, PLAIN, NONE) \
    X(pthread_rwlock_rdlock, HARMLESS, BLOCKS, NONE) \
    X(pthread_rwlock_timedrdlock, HARMLESS, BLOCKS, NONE) \
    X(pthread_rwlock_clockrdlock, HARMLESS, BLOCKS, NONE) \
    X(pthread_rwlock_wrlock, HARMLESS, BLOCKS, NONE) \
    X(pthread_rwlock_timedwrlock, HARMLESS, BLOCKS, NONE) \
    X(pthread_rwlock_clockwrlock, HARMLESS, BLOCKS, NONE) \
    X(pthread_rwlock_unlock, HARMLESS, PLAIN, NONE) \
    X(pthread_spin_lock, HARMLESS, BLOCKS, NONE) \
    X(pthread_spin_unlock, HARMLESS, PLAIN, NONE) \
    X(pthread_cond_wait, HARMLESS, BLOCKS, NONE) \
    X(pthread_cond_timedwait, HARMLESS, BLOCKS, NONE) \
    X(pthread_cond_clockwait, HARMLESS, BLOCKS, NONE) \
    X(pthread_cond_signal, HARMLESS, PLAIN, NONE) \
    X(pthread_cond_broadcast, HARMLESS, PLAIN, NONE) \
    X(pthread_barrier_wait, OUTSIDE, BLOCKS, NONE) \
    X(thrd_create, WRAPPED, ANYTHING, NONE) \
    X(thrd_join, OUTSIDE, BLOCKS, NONE) \
    X(mtx_lock, HARMLESS, BLOCKS, NONE) \
    X(mtx_timedlock, HARMLESS, BLOCKS, NONE) \
    X(mtx_unlock, HARMLESS, PLAIN, NONE) \
    X(cnd_wait, HARMLESS, BLOCKS, NONE) \
    X(cnd_timedwait, HARMLESS, BLOCKS, NONE) \
    X(sched_yield, HARMLESS, PLAIN, NONE) \
    /* descriptors */ \
    X(read, WRAPPED, BLOCKS, NONE) \
    X(write, WRAPPED, PLAIN, NONE) \
    X(open, OUTSIDE, PLAIN, NONE) \
    X(close, WRAPPED, PLAIN, NONE) \
    X(close_range, WRAPPED, PLAIN, NONE) \
    X(closefrom, WRAPPED, PLAIN, NONE) \
    X(dup2, WRAPPED, PLAIN, NONE) \
    X(dup3, WRAPPED, PLAIN, NONE) \
    X(fstat, HARMLESS, PLAIN, NONE) \
    X(lseek, HARMLESS, PLAIN, NONE) \
    X(__read_chk, OUTSIDE, BLOCKS, NONE) \
    X(pread, OUTSIDE, BLOCKS, NONE) \
    X(pread64, OUTSIDE, BLOCKS, NONE) \
    X(readv, OUTSIDE, BLOCKS, NONE) \
    X(preadv, OUTSIDE, BLOCKS, NONE) \
    X(preadv2, OUTSIDE, BLOCKS, NONE) \
    X(fsync, OUTSIDE, BLOCKS, NONE) \
    X(fdatasync, OUTSIDE, BLOCKS, NONE) \
    X(flock, OUTSIDE, BLOCKS, NONE) \
    X(lockf, OUTSIDE, BLOCKS, NONE) \
    /* sockets and queues */ \
    X(accept, OUTSIDE, BLOCKS, NONE) \
    X(accept4, OUTSIDE, BLOCKS, NONE) \
    X(connect, OUTSIDE, BLOCKS, NONE) \
    X(recv, OUTSIDE, BLOCKS, NONE) \
    X(__recv_chk, OUTSIDE, BLOCKS, NONE) \
    X(recvfrom, OUTSIDE, BLOCKS, NONE) \
    X(__recvfrom_chk, OUTSIDE, BLOCKS, NONE) \
    X(recvmsg, OUTSIDE, BLOCKS, NONE) \
    X(recvmmsg, OUTSIDE, BLOCKS, NONE) \
    X(msgrcv, OUTSIDE, BLOCKS, NONE) \
    X(msgsnd, OUTSIDE, BLOCKS, NONE) \
    X(mq_receive, OUTSIDE, BLOCKS, NONE) \
    X(mq_timedreceive, OUTSIDE, BLOCKS, NONE) \
    X(mq_send, OUTSIDE, BLOCKS, NONE) \
    X(mq_timedsend, OUTSIDE, BLOCKS, NONE) \
    X(getaddrinfo, OUTSIDE, BLOCKS, NONE) \
    X(getnameinfo, OUTSIDE, BLOCKS, NONE) \
    X(gethostbyname, OUTSIDE, BLOCKS, NONE) \
    X(gethostbyaddr, OUTSIDE, BLOCKS, NONE) \
    X(htonl, HARMLESS, PLAIN, NONE) \
    X(htons, HARMLESS, PLAIN, NONE) \
    X(ntohl, HARMLESS, PLAIN, NONE) \
    X(ntohs, HARMLESS, PLAIN, NONE) \
    X(inet_pton, HARMLESS, PLAIN, NONE) \
    X(inet_ntop, HARMLESS, RESULT2, NONE) \
    /* streams: opening, closing, moving */ \
    X(fopen, OUTSIDE, PLAIN, NONE) \
    X(fclose, HARMLESS, PLAIN, NONE) \
    X(fflush, WRAPPED, PLAIN, M(1, nothing)) \
    X(setvbuf, HARMLESS, PLAIN, NONE) \
    X(setbuf, HARMLESS, PLAIN, M(2, nothing)) \
    X(rewind, HARMLESS, PLAIN, NONE) \
    X(feof, HARMLESS, PLAIN, NONE) \
    X(ferror, HARMLESS, PLAIN, NONE) \
    X(clearerr, HARMLESS, PLAIN, NONE) \
    X(fileno, HARMLESS, PLAIN, NONE) \
    X(stdin, HARMLESS, PLAIN, NONE) \
    X(stdout, HARMLESS, PLAIN, NONE) \
    X(stderr, HARMLESS, PLAIN, NONE) \
    /* streams: reading */ \
    X(getc, HARMLESS, BLOCKS, NONE) \
    X(fgetc, HARMLESS, BLOCKS, NONE) \
    X(getchar, HARMLESS, BLOCKS, NONE) \
    X(ungetc, HARMLESS, PLAIN, NONE) \
    X(fgets, HARMLESS, BLOCKS | RESULT0, NONE) \
    X(__fgets_chk, HARMLESS, BLOCKS | RESULT0, NONE) \
    X(fread, HARMLESS, BLOCKS, NONE) \
    X(__fread_chk, HARMLESS, BLOCKS, NONE) \
    X(scanf, HARMLESS, BLOCKS, NONE) \
    X(__isoc99_scanf, HARMLESS, BLOCKS, NONE) \
    X(__isoc23_scanf, HARMLESS, BLOCKS, NONE) \
    X(fscanf, HARMLESS, BLOCKS, NONE) \
    X(__isoc99_fscanf, HARMLESS, BLOCKS, NONE) \
    X(__isoc23_fscanf, HARMLESS, BLOCKS, NONE) \
    X(sscanf, HARMLESS, PLAIN, NONE) \
    X(__isoc99_sscanf, HARMLESS, PLAIN, NONE) \
    X(__isoc23_sscanf, HARMLESS, PLAIN, NONE) \
    X(vsscanf, HARMLESS, PLAIN, NONE) \
    /* streams: writing */ \
    X(printf, HARMLESS, PLAIN, M(1, printf)) \
    X(fprintf, HARMLESS, PLAIN, M(2, fprintf)) \
    X(sprintf, HARMLESS, PLAIN, M(2, sprintf)) \
    X(snprintf, HARMLESS, PLAIN, M(3, snprintf)) \
    X(vprintf, HARMLESS, PLAIN, NONE) \
    X(vfprintf, HARMLESS, PLAIN, NONE) \
    X(vsprintf, HARMLESS, PLAIN, NONE) \
    X(vsnprintf, HARMLESS, PLAIN, NONE) \
    X(puts, HARMLESS, PLAIN, M(1, puts)) \
    X(fputs, HARMLESS, PLAIN, M(2, fputs)) \
    X(putchar, HARMLESS, PLAIN, M(1, putchar)) \
    X(putc, HARMLESS, PLAIN, NONE) \
    X(fputc, HARMLESS, PLAIN, NONE) \
    X(fwrite, HARMLESS, PLAIN, NONE) \
    X(perror, HARMLESS, PLAIN, NONE) \
    /* bytes and texts */ \
    X(memcpy, HARMLESS, RESULT0 | COPIES, M(3, memcpy)) \
    X(memmove, HARMLESS, RESULT0 | COPIES, M(3, memcpy)) \
    X(mempcpy, HARMLESS, RESULT0 | COPIES, NONE) \
    X(memccpy, HARMLESS, RESULT0 | COPIES, NONE) \
    X(memset, HARMLESS, RESULT0, M(3, memset)) \
    X(memcmp, HARMLESS, PLAIN, M(3, memcmp)) \
    X(memchr, HARMLESS, RESULT0, NONE) \
    X(memrchr, HARMLESS, RESULT0, NONE) \
    X(memmem, HARMLESS, RESULT0, NONE) \
    X(bcmp, HARMLESS, PLAIN, NONE) \
    X(bcopy, HARMLESS, ANYTHING, NONE) \
    X(bzero, HARMLESS, PLAIN, NONE) \
    X(explicit_bzero, HARMLESS, PLAIN, NONE) \
    X(__explicit_bzero_chk, HARMLESS, PLAIN, NONE) \
    X(strcpy, HARMLESS, RESULT0, M(2, strcpy)) \
    X(strncpy, HARMLESS, RESULT0, M(3, strncpy)) \
    X(stpcpy, HARMLESS, RESULT0, NONE) \
    X(stpncpy, HARMLESS, RESULT0, NONE) \
    X(strcat, HARMLESS, RESULT0, M(2, strcat)) \
    X(strncat, HARMLESS, RESULT0, NONE) \
    X(strchr, HARMLESS, RESULT0, M(2, strchr)) \
    X(strchrnul, HARMLESS, RESULT0, NONE) \
    X(strrchr, HARMLESS, RESULT0, NONE) \
    X(strstr, HARMLESS, RESULT0, M(2, strstr)) \
    X(strcasestr, HARMLESS, RESULT0, NONE) \
    X(strpbrk, HARMLESS, RESULT0, NONE) \
    X(strtok_r, HARMLESS, RESULT0, NONE) \
    X(strtok, OUTSIDE, RESULT0, NONE) \
    X(strlen, HARMLESS, PLAIN, M(1, strlen)) \
    X(strnlen, HARMLESS, PLAIN, NONE) \
    X(strcmp, HARMLESS, PLAIN, M(2, strcmp)) \
    X(strncmp, HARMLESS, PLAIN, M(3, strncmp)) \
    X(strcasecmp, HARMLESS, PLAIN, NONE) \
    X(strncasecmp, HARMLESS, PLAIN, NONE) \
    X(strspn, HARMLESS, PLAIN, NONE) \
    X(strcspn, HARMLESS, PLAIN, NONE) \
    X(strerror, WRAPPED, PLAIN, NONE) \
    X(strsignal, WRAPPED, PLAIN, NONE) \
    X(strfry, OUTSIDE, PLAIN, NONE) \
    X(wcslen, HARMLESS, PLAIN, NONE) \
    X(wcscmp, HARMLESS, PLAIN, NONE) \
    X(wcscpy, HARMLESS, RESULT0, NONE) \
    X(mblen, OUTSIDE, PLAIN, NONE) \
    X(mbtowc, OUTSIDE, PLAIN, NONE) \
    X(wctomb, OUTSIDE, PLAIN, NONE) \
    X(isatty, OUTSIDE, PLAIN, NONE) \
    X(memfd_create, OUTSIDE, PLAIN, NONE) \
    X(ffs, HARMLESS, PLAIN, NONE) \
    /* characters */ \
    X(isalpha, HARMLESS, PLAIN, M(1, isalpha)) \
    X(isdigit, HARMLESS, PLAIN, M(1, isdigit)) \
    X(isalnum, HARMLESS, PLAIN, M(1, isalnum)) \
    X(isspace, HARMLESS, PLAIN, M(1, isspace)) \
    X(isupper, HARMLESS, PLAIN, M(1, isupper)) \
    X(islower, HARMLESS, PLAIN, M(1, islower)) \
    X(ispunct, HARMLESS, PLAIN, M(1, ispunct)) \
    X(isxdigit, HARMLESS, PLAIN, M(1, isxdigit)) \
    X(tolower, HARMLESS, PLAIN, M(1, tolower)) \
    X(toupper, HARMLESS, PLAIN, M(1, toupper)) \
    X(__ctype_b_loc, HARMLESS, PLAIN, NONE) \
    X(__ctype_tolower_loc, HARMLESS, PLAIN, NONE) \
    X(__ctype_toupper_loc, HARMLESS, PLAIN, NONE) \
    /* numbers */ \
    X(abs, HARMLESS, PLAIN, M(1, abs)) \
    X(labs, HARMLESS, PLAIN, M(1, labs)) \
    X(llabs, HARMLESS, PLAIN, M(1, labs)) \
    X(div, HARMLESS, PLAIN, NONE) \
    X(ldiv, HARMLESS, PLAIN, NONE) \
    X(lldiv, HARMLESS, PLAIN, NONE) \
    X(atoi, HARMLESS, PLAIN, M(1, atoi)) \
    X(atol, HARMLESS, PLAIN, M(1, atol)) \
    X(atoll, HARMLESS, PLAIN, M(1, atol)) \
    X(atof, HARMLESS, PLAIN, NONE) \
    X(strtol, HARMLESS, PLAIN, NONE) \
    X(strtoul, HARMLESS, PLAIN, NONE) \
    X(strtoll, HARMLESS, PLAIN, NONE) \
    X(strtoull, HARMLESS, PLAIN, NONE) \
    X(strtod, HARMLESS, PLAIN, NONE) \
    X(strtof, HARMLESS, PLAIN, NONE) \
    X(sin, HARMLESS, PLAIN, M(1, sin)) \
    X(cos, HARMLESS, PLAIN, M(1, cos)) \
    X(tan, HARMLESS, PLAIN, M(1, tan)) \
    X(asin, HARMLESS, PLAIN, M(1, asin)) \
    X(acos, HARMLESS, PLAIN, M(1, acos)) \
    X(atan, HARMLESS, PLAIN, M(1, atan)) \
    X(atan2, HARMLESS, PLAIN, M(2, atan2)) \
    X(exp, HARMLESS, PLAIN, M(1, exp)) \
    X(expm1, HARMLESS, PLAIN, M(1, expm1)) \
    X(log, HARMLESS, PLAIN, M(1, log)) \
    X(log1p, HARMLESS, PLAIN, M(1, log1p)) \
    X(log2, HARMLESS, PLAIN, M(1, log2)) \
    X(log10, HARMLESS, PLAIN, M(1, log10)) \
    X(pow, HARMLESS, PLAIN, M(2, pow)) \
    X(sqrt, HARMLESS, PLAIN, M(1, sqrt)) \
    X(cbrt, HARMLESS, PLAIN, M(1, cbrt)) \
    X(floor, HARMLESS, PLAIN, M(1, floor)) \
    X(ceil, HARMLESS, PLAIN, M(1, ceil)) \
    X(round, HARMLESS, PLAIN, M(1, round)) \
    X(lround, HARMLESS, PLAIN, NONE) \
    X(rint, HARMLESS, PLAIN, M(1, rint)) \
    X(trunc, HARMLESS, PLAIN, M(1, trunc)) \
    X(fabs, HARMLESS, PLAIN, M(1, fabs)) \
    X(fmod, HARMLESS, PLAIN, M(2, fmod)) \
    X(fmin, HARMLESS, PLAIN, M(2, fmin)) \
    X(fmax, HARMLESS, PLAIN, M(2, fmax)) \
    X(hypot, HARMLESS, PLAIN, M(2, hypot)) \
    X(sinh, HARMLESS, PLAIN, M(1, sinh)) \
    X(cosh, HARMLESS, PLAIN, M(1, cosh)) \
    X(tanh, HARMLESS, PLAIN, M(1, tanh)) \
    X(ldexp, HARMLESS, PLAIN, NONE) \
    X(frexp, HARMLESS, PLAIN, NONE) \
    X(modf, HARMLESS, PLAIN, NONE) \
    X(lgamma, HARMLESS, PLAIN, NONE) \
    X(erf, HARMLESS, PLAIN, NONE) \
    /* searching and sorting */ \
    X(qsort, HARMLESS, CALLS3, M(4, qsort)) \
    X(qsort_r, HARMLESS, CALLS3, NONE) \
    X(bsearch, HARMLESS, CALLS4 | RESULT1, NONE) \
    X(lfind, HARMLESS, CALLS4 | RESULT1, NONE) \
    /* jumps */ \
    X(setjmp, HARMLESS, PLAIN, NONE) \
    X(_setjmp, HARMLESS, PLAIN, NONE) \
    X(longjmp, HARMLESS, PLAIN, NONE) \
    X(_longjmp, HARMLESS, PLAIN, NONE) \
    X(__longjmp_chk, HARMLESS, PLAIN, NONE) \
    X(__sigsetjmp, HARMLESS, PLAIN, NONE) \
    /* the process and what is around it */ \
    X(__errno_location, HARMLESS, PLAIN, NONE) \
    X(getenv, HARMLESS, PLAIN, NONE) \
    X(secure_getenv, HARMLESS, PLAIN, NONE) \
    X(setenv, WRAPPED, PLAIN, NONE) \
    X(unsetenv, WRAPPED, PLAIN, NONE) \
    X(putenv, WRAPPED, ANYTHING, NONE) \
    X(clearenv, WRAPPED, PLAIN, NONE) \
    X(setlocale, WRAPPED, PLAIN, NONE) \
    X(uselocale, WRAPPED, PLAIN, NONE) \
    X(chdir, WRAPPED, PLAIN, NONE) \
    X(fchdir, WRAPPED, PLAIN, NONE) \
    X(umask, WRAPPED, PLAIN, NONE) \
    X(getpid, WRAPPED, PLAIN, NONE) \
    X(getppid, WRAPPED, PLAIN, NONE) \
    X(gettid, WRAPPED, PLAIN, NONE) \
    X(sysconf, HARMLESS, PLAIN, NONE) \
    X(getpagesize, HARMLESS, PLAIN, NONE) \
    X(__tls_get_addr, HARMLESS, PLAIN, NONE) \
    X(dlopen, WRAPPED, ANYTHING, NONE) \
    X(hcreate, WRAPPED, PLAIN, NONE) \
    X(hdestroy, WRAPPED, PLAIN, NONE) \
    X(hsearch, WRAPPED, ANYTHING, NONE) \
    X(mmap, WRAPPED, FRESH, NONE) \
    X(mmap64, WRAPPED, FRESH, NONE) \
    X(sbrk, WRAPPED, FRESH, NONE) \
    X(shmat, WRAPPED, FRESH, NONE) \
    X(__libc_single_threaded, HARMLESS, PLAIN, NONE) \
    /* the end */ \
    X(abort, WRAPPED, PLAIN, NONE) \
    X(exit, WRAPPED, PLAIN, NONE) \
    X(_exit, WRAPPED, PLAIN, NONE) \
    X(_Exit, WRAPPED, PLAIN, NONE) \
    X(quick_exit, WRAPPED, PLAIN, NONE) \
    X(kill, WRAPPED, PLAIN, NONE) \
    X(raise, WRAPPED, PLAIN, NONE) \
    X(fork, WRAPPED, PLAIN, NONE) \
    X(vfork, WRAPPED, PLAIN, NONE) \
    X(atexit, OUTSIDE, ANYTHING, NONE) \
    X(__assert_fail, WRAPPED, PLAIN, NONE) \
    X(__assert_perror_fail, WRAPPED, PLAIN, NONE) \
    X(__stack_chk_fail, WRAPPED, PLAIN, NONE)
// clang-format on

struct libc_row {
    const char *name;
    uint8_t stage; // enum libc_stage
    uint16_t does; // enum libc_does
};

// In the order of LIBC.
extern const struct libc_row libc_rows[];
extern const uint32_t libc_n;

// The row of a name, NULL if it has none.
const struct libc_row *libc_find(const char *name);

// Does the stage let the program call this function as it is, without a word?
// Names without a row are judged by how they begin.
bool libc_harmless(const char *name);

#endif

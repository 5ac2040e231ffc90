#include "base/die.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

_Noreturn void die(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("troupe: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(3);
}

void *need(size_t size)
{
    void *p = malloc(size ? size : 1);
    if (!p)
        die("out of memory");
    return p;
}

void *need_zero(size_t size)
{
    void *p = calloc(1, size ? size : 1);
    if (!p)
        die("out of memory");
    return p;
}

enum { HUGE_PAGE = 2 << 20 };

void *need_table(size_t size)
{
    if (size < HUGE_PAGE || size % HUGE_PAGE)
        return need_zero(size);
    void *p = aligned_alloc(HUGE_PAGE, size);
    if (!p)
        die("out of memory");
    madvise(p, size, MADV_HUGEPAGE);
    return memset(p, 0, size);
}

char *need_text(const char *s)
{
    return memcpy(need(strlen(s) + 1), s, strlen(s) + 1);
}

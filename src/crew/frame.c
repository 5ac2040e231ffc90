#include "crew/frame.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static bool put_all(int fd, const void *p, size_t n)
{
    for (const char *s = p; n;) {
        ssize_t k = write(fd, s, n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return false;
        s += k;
        n -= (size_t)k;
    }
    return true;
}

bool frame_put(int fd, uint32_t kind, const void *bytes, size_t size)
{
    uint32_t head[2] = {kind, (uint32_t)size};
    return put_all(fd, head, sizeof head) && put_all(fd, bytes, size);
}

bool frames_fill(struct frames *f, int fd)
{
    char buffer[65536];
    ssize_t n;
    do
        n = read(fd, buffer, sizeof buffer);
    while (n < 0 && errno == EINTR);
    if (n <= 0)
        return false;
    if (f->read) {
        memmove(f->in.at, f->in.at + f->read, f->in.n - f->read);
        f->in.n -= f->read;
        f->read = 0;
    }
    text_bytes(&f->in, buffer, (size_t)n);
    return true;
}

bool frames_next(struct frames *f, struct frame *out)
{
    size_t left = f->in.n - f->read;
    uint32_t head[2];
    if (left < sizeof head)
        return false;
    memcpy(head, f->in.at + f->read, sizeof head);
    if (left - sizeof head < head[1])
        return false;
    *out = (struct frame){head[0], head[1], f->in.at + f->read + sizeof head};
    f->read += sizeof head + head[1];
    return true;
}

void frames_free(struct frames *f)
{
    text_free(&f->in);
    f->read = 0;
}

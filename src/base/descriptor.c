#include "base/descriptor.h"

#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

int descriptor_aside(int fd)
{
    int moved = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, DESCRIPTOR_ASIDE);
    if (moved < 0)
        return fd;
    close(fd);
    return moved;
}

bool descriptor_is_aside(int fd)
{
    return fd >= DESCRIPTOR_ASIDE;
}

void descriptors_close_aside(int but)
{
    if (!descriptor_is_aside(but)) {
        close_range(DESCRIPTOR_ASIDE, UINT_MAX, 0);
        return;
    }
    if (but > DESCRIPTOR_ASIDE)
        close_range(DESCRIPTOR_ASIDE, (unsigned)but - 1, 0);
    close_range((unsigned)but + 1, UINT_MAX, 0);
}

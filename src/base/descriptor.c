#include "base/descriptor.h"

#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

// Inodes of the descriptors that were moved aside.  When one of them is closed
// the system may give its number to the program; the inode tells whose it is.
// Only the latest are kept, because few are open at a time.
static ino_t moved_to[256];
static uint32_t moved_n;

int descriptor_aside(int fd)
{
    struct stat s;
    int moved = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, DESCRIPTOR_ASIDE);
    if (moved < 0)
        return fd;
    if (!fstat(moved, &s))
        moved_to[moved_n++ % (sizeof moved_to / sizeof *moved_to)] = s.st_ino;
    close(fd);
    return moved;
}

bool descriptor_is_aside(int fd)
{
    struct stat s;
    if (fd < DESCRIPTOR_ASIDE || fstat(fd, &s))
        return false;
    for (size_t i = 0; i < sizeof moved_to / sizeof *moved_to; i++)
        if (moved_to[i] == s.st_ino)
            return true;
    return false;
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

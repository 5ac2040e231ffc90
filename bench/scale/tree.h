// A recorded tree of units, as a file: a head, then the nodes.
#ifndef BENCH_SCALE_TREE_H
#define BENCH_SCALE_TREE_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct node {
    double seconds;
    unsigned long long schedules;
    uint32_t first, n; // its parts
    uint32_t bytes;    // of the unit
};

struct tree {
    const struct node *nodes; // the parts of a node lie behind each other
    uint32_t n;
    double factor;
    double start; // seconds that a task takes before it searches
};

struct head { // of the file; the nodes follow
    double start;
    uint64_t n;
};

static inline _Noreturn void fail(const char *why)
{
    fprintf(stderr, "scale: %s\n", why);
    exit(2);
}

// The file is mapped: a task reads what it needs.
static inline void read_tree(struct tree *t, const char *path)
{
    int fd = open(path, O_RDONLY);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) != 0)
        fail("no tree");
    const struct head *h =
        mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (h == MAP_FAILED ||
        (size_t)st.st_size != sizeof *h + h->n * sizeof *t->nodes)
        fail("the tree is damaged");
    close(fd);
    t->start = h->start;
    t->nodes = (const struct node *)(h + 1);
    t->n = (uint32_t)h->n;
}

#endif

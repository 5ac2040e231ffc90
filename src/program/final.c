#include "program/final.h"

#include "base/text.h"
#include "program/values.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct final_actor *)a)->name,
                  ((const struct final_actor *)b)->name);
}

static void print_actor(struct values *v, const struct final_actor *a,
                        const struct tr_look *l,
                        const struct values_names *names, struct text *out)
{
    text_format(out, "%s ", a->name);
    if (a->crashed || !l->state) {
        text_add(out, a->crashed ? "crashed\n" : "stopped\n");
        return;
    }
    text_format(out, "%s ", l->behaviour ? l->behaviour->name : "-");
    values_print(v, a->cls->name, l->state, a->cls->size, names, out);
    if (l->kept)
        text_format(out, ", keeps %u", l->kept);
    if (l->tasks)
        text_format(out, ", waits %u", l->tasks);
    text_char(out, '\n');
}

void final_print(struct values *v, const char *test, struct final_actor *actors,
                 uint32_t n, const struct values_names *names,
                 void (*look)(void *user, const struct final_actor *a,
                              struct tr_look *out),
                 struct text *out)
{
    if (n)
        qsort(actors, n, sizeof *actors, by_name);
    text_format(out, "test %s\n", test);
    for (uint32_t i = 0; i < n; i++) {
        struct tr_look l = {0};
        look(names->user, &actors[i], &l);
        print_actor(v, &actors[i], &l, names, out);
    }
}

void final_failed(const char *test, const char *kind, struct text *out)
{
    text_format(out, "test %s\nfailed %s\n", test, kind);
}

bool final_append(const char *path, struct text *text)
{
    text_char(text, '\n');
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return false;
    bool ok = write(fd, text_get(text), text->n) == (ssize_t)text->n;
    return close(fd) == 0 && ok;
}

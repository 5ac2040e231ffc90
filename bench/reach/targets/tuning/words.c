/* Commands as words: strtok, sscanf, strtol bases, switch on strings,
 * container_of. */
#include "troupe_short.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <stddef.h>
#include <ctype.h>
TR_PROTOCOL(shell, cmd, conf, addr);
struct cmd {
    char line[28];
};
TR_MESSAGE(cmd);
struct conf {
    char line[20];
};
TR_MESSAGE(conf);
struct addr {
    char s[20];
};
TR_MESSAGE(addr);
struct link {
    struct link *next;
};
struct job {
    int id;
    struct link link;
    long size;
    char name[8];
};
struct shell {
    struct link jobs;
    int n, level, seen;
    long port;
};
#define container_of(p, T, m) ((T *)((char *)(p)-offsetof(T, m)))
TR_HANDLER(shell, cmd)
{
    char s[29];
    memcpy(s, msg->line, 28);
    s[28] = 0;
    char *verb = strtok(s, " \t");
    if (!verb)
        return;
    if (!strcmp(verb, "add")) {
        char *name = strtok(NULL, " \t"), *size = strtok(NULL, " \t");
        if (!name || !size || self->n == 4)
            return;
        struct job *j = calloc(1, sizeof *j);
        if (!j)
            return;
        j->id = ++self->n;
        j->size = strtol(size, NULL, 0);
        snprintf(j->name, sizeof j->name, "%s", name);
        j->link.next = self->jobs.next;
        self->jobs.next = &j->link;
        if (j->size == 0x1f4 && size[1] == 'x')
            self->seen = 1; // TARGET hex_size: reachable
        if (strlen(name) > 7)
            self->seen = 2; // TARGET cut_name: reachable
    } else if (!strcasecmp(verb, "LIST")) {
        int n = 0;
        long sum = 0;
        for (struct link *l = self->jobs.next; l; l = l->next) {
            struct job *j = container_of(l, struct job, link);
            n++;
            sum += j->size;
        }
        if (n == 2 && sum == 100)
            self->seen = 3; // TARGET two_jobs: reachable
        if (n != self->n)
            self->seen = 4; // TARGET lost: impossible, each is in the list
    } else if (!strcmp(verb, "find")) {
        char *name = strtok(NULL, " ");
        for (struct link *l = self->jobs.next; l && name; l = l->next)
            if (!strcmp(container_of(l, struct job, link)->name, name))
                self->seen = 5; // TARGET found: reachable
    }
}
TR_HANDLER(shell, conf)
{
    char s[21], key[8];
    int a, b;
    memcpy(s, msg->line, 20);
    s[20] = 0;
    if (sscanf(s, "%7[a-z]=%d", key, &a) == 2) {
        if (!strcmp(key, "level") && a > 3 && a < 9)
            self->level = a;
        else if (!strcmp(key, "port")) {
            self->port = a;
            if (a == 8080)
                self->seen = 6; // TARGET port: reachable
        }
    } else if (sscanf(s, "%d-%d", &a, &b) == 2 && b - a == 36)
        self->seen = 7; // TARGET range: reachable
    if (self->level == 7 && self->port == 22)
        self->seen = 8; // TARGET both: reachable
}
TR_HANDLER(shell, addr)
{
    char s[21];
    memcpy(s, msg->s, 20);
    s[20] = 0;
    unsigned a[4];
    char *p = s, *end;
    for (int i = 0; i < 4; i++) {
        unsigned long v = strtoul(p, &end, 10);
        if (end == p || v > 255)
            return;
        a[i] = (unsigned)v;
        if (i < 3 && *end++ != '.')
            return;
        p = end;
    }
    if (*p)
        return;
    self->seen = 9; // TARGET address: reachable
    if (a[0] == 192 && a[1] == 168)
        self->seen = 10; // TARGET private: reachable
    if (a[0] == 10 && a[3] == 255)
        self->seen = 11; // TARGET ten_broadcast: reachable
}
TR_FINI(shell)
{
    for (struct link *l = self->jobs.next, *n; l; l = n) {
        n = l->next;
        free(container_of(l, struct job, link));
    }
}
TR_BEHAVIOUR(shell, open, TR_ON(cmd), TR_ON(conf), TR_ON(addr));
TR_CLASS(shell, .start = &shell_open, .fini = shell_fini_);
TR_SYSTEM(tty)
{
    shell_ref s = spawn(shell);
    expose(s);
}

TR_TEST(hex_size)
{
    shell_ref x = spawn(shell);
    send(x, cmd, .line = "add x 0x1f4");
    drain();
}
TR_TEST(cut_name)
{
    shell_ref x = spawn(shell);
    send(x, cmd, .line = "add abcdefgh 1");
    drain();
}
TR_TEST(two_jobs)
{
    shell_ref x = spawn(shell);
    send(x, cmd, .line = "add a 40");
    send(x, cmd, .line = "add b 60");
    send(x, cmd, .line = "list");
    drain();
}
TR_TEST(found)
{
    shell_ref x = spawn(shell);
    send(x, cmd, .line = "add a 1");
    send(x, cmd, .line = "find a");
    drain();
}
TR_TEST(port)
{
    shell_ref x = spawn(shell);
    send(x, conf, .line = "port=8080");
    drain();
}
TR_TEST(range)
{
    shell_ref x = spawn(shell);
    send(x, conf, .line = "4-40");
    drain();
}
TR_TEST(both)
{
    shell_ref x = spawn(shell);
    send(x, conf, .line = "level=7");
    send(x, conf, .line = "port=22");
    drain();
}
TR_TEST(address)
{
    shell_ref x = spawn(shell);
    send(x, addr, .s = "1.2.3.4");
    drain();
}
TR_TEST(private)
{
    shell_ref x = spawn(shell);
    send(x, addr, .s = "192.168.0.1");
    drain();
}
TR_TEST(ten_broadcast)
{
    shell_ref x = spawn(shell);
    send(x, addr, .s = "10.0.0.255");
    drain();
}

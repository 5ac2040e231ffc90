// What is checked instead of assumed: handlers leave the program's globals
// alone, and no message carries an address of an actor's memory.
#include "stage/core.h"

#include "base/die.h"
#include "stage/values.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

enum { RANGES = 2 };

struct check {
    struct range range[RANGES]; // data and bss; thread-local variables
    unsigned char *copy[RANGES];
};

// The first touch of a thread's block allocates it: do that now.
static void touch_tls(const struct program *p)
{
    struct tls_index {
        unsigned long module, offset;
    } at = {0, 0};
    extern void *__tls_get_addr(struct tls_index *);
    if (p->tls_size && p->handle &&
        !dlinfo(p->handle, RTLD_DI_TLS_MODID, &at.module) && at.module)
        __tls_get_addr(&at);
}

void check_open(struct native *n)
{
    struct check *c = need_zero(sizeof *c);
    n->check = c;
    // of the running executable our own variables are a part
    if (!n->program->handle)
        return;
    touch_tls(n->program);
    c->range[0] = n->program->data;
    c->range[1] = program_tls(n->program);
    for (int i = 0; i < RANGES; i++) {
        size_t size = c->range[i].to - c->range[i].from;
        c->copy[i] = need(size + 1);
        memcpy(c->copy[i], (const void *)c->range[i].from, size);
    }
}

void check_close(struct native *n)
{
    for (int i = 0; i < RANGES; i++)
        free(n->check->copy[i]);
    free(n->check);
}

static void tell_global(struct native *n, const struct check *c, int i,
                        size_t at)
{
    uintptr_t address = c->range[i].from + at;
    const char *name = program_symbol(n->program, address, NULL);
    bug_note(n, BUG_ISOLATION, "the %s variable '%s' was changed",
             i == 0 ? "global" : "thread-local", name ? name : "?")
        ->thing = name ? keep_text(n, name) : NULL;
}

void check_globals(struct native *n)
{
    struct check *c = n->check;
    for (int i = 0; i < RANGES; i++) {
        unsigned char *now = (unsigned char *)c->range[i].from;
        size_t size = c->range[i].to - c->range[i].from;
        if (!size || !memcmp(now, c->copy[i], size))
            continue;
        size_t at = 0;
        while (now[at] == c->copy[i][at])
            at++;
        if (!n->now.bugs.n && !(n->now.flags & EFFECT_PICK))
            tell_global(n, c, i, at);
        memcpy(now, c->copy[i], size);
    }
}

void check_payload(struct native *n, const char *type, const void *payload,
                   size_t size)
{
    for (size_t i = 0; i + sizeof(uint64_t) <= size; i += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, (const unsigned char *)payload + i, sizeof word);
        if (!in_regions(word))
            continue;
        struct text field = {0};
        values_field_at(n->values, type, size, i, &field);
        struct bug *b =
            bug_note(n, BUG_ISOLATION,
                     "field '%s' of '%s' points into an actor's memory",
                     field.n ? field.at : "?", type);
        b->thing = keep_text(n, text_get(&field));
        text_free(&field);
        return;
    }
}

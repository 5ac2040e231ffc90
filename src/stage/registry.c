#include "stage/registry.h"

#include "stage/tables.h"

#include <string.h>

// In the image: per name, in order, its bytes with the zero, then the handle.
static void load(struct native *n)
{
    struct registry *r = &n->registry;
    vec_clear(&r->at);
    if (r->from == PLAY_NONE)
        return;
    const struct image *i = &n->states.at.at[r->from];
    const unsigned char *p = i->bytes + r->skip, *end = i->bytes + i->size;
    while (p < end) {
        struct exposed e = {.name = keep_text(n, (const char *)p)};
        p += strlen(e.name) + 1;
        memcpy(&e.handle, p, sizeof e.handle);
        p += sizeof e.handle;
        vec_push(&r->at, e);
    }
}

static void touch(struct native *n)
{
    if (!n->registry.touched)
        load(n);
    n->registry.touched = true;
}

static void save(struct native *n, const void *bytes, size_t size)
{
    vec_room(&n->scratch, size);
    memcpy(n->scratch.at + n->scratch.n, bytes, size);
    n->scratch.n += (uint32_t)size;
}

void registry_save(struct native *n)
{
    touch(n);
    for (uint32_t i = 0; i < n->registry.at.n; i++) {
        const struct exposed *e = &n->registry.at.at[i];
        save(n, e->name, strlen(e->name) + 1);
        save(n, &e->handle, sizeof e->handle);
    }
}

void registry_release(struct native *n)
{
    vec_free(&n->registry.at);
}

// The first entry whose name is not before this one.
static uint32_t place_of(const struct native *n, const char *name)
{
    uint32_t i = 0;
    while (i < n->registry.at.n && strcmp(n->registry.at.at[i].name, name) < 0)
        i++;
    return i;
}

static bool is_at(const struct native *n, uint32_t i, const char *name)
{
    return i < n->registry.at.n && !strcmp(n->registry.at.at[i].name, name);
}

void registry_put(struct native *n, const char *name, uint64_t handle)
{
    struct registry *r = &n->registry;
    touch(n);
    uint32_t i = place_of(n, name);
    if (!handle)
        return;
    if (!is_at(n, i, name)) {
        vec_push(&r->at, ((struct exposed){0}));
        for (uint32_t k = r->at.n - 1; k > i; k--)
            r->at.at[k] = r->at.at[k - 1];
        r->at.at[i].name = keep_text(n, name);
    }
    r->at.at[i].handle = handle;
}

uint64_t registry_get(struct native *n, const char *name)
{
    touch(n);
    uint32_t i = place_of(n, name);
    return is_at(n, i, name) ? n->registry.at.at[i].handle : 0;
}

#include "stage/future.h"

#include "stage/tables.h"
#include "stage/timers.h"
#include "stage/verdict.h"

#include <string.h>

static struct future *futures(const struct region *r)
{
    return region_list(r, LIST_FUTURES);
}

struct future *future_at(const struct region *r, uint64_t id)
{
    struct future *f = futures(r);
    for (uint32_t i = 0; i < r->head.n[LIST_FUTURES]; i++)
        if (f[i].id == id)
            return &f[i];
    return NULL;
}

bool future_awaited(const struct region *r, uint64_t id)
{
    const struct task *t = region_list(r, LIST_TASKS);
    for (uint32_t i = 0; i < r->head.n[LIST_TASKS]; i++)
        if (t[i].future == id)
            return true;
    return false;
}

static void keep_value(struct native *n, struct region *r, struct future *f,
                       const struct message *m)
{
    void *value = heap_get(region_own_heap(r), OWN_ROOM, m->size, 16);
    r->head.heaps |= 2;
    if (!value) {
        bug_note(n, BUG_LIMIT, "the replies that %s keeps take more than %d MB",
                 actor_name(n, r->actor), OWN_ROOM >> 20);
        return;
    }
    memcpy(value, m + 1, m->size);
    f->value = (uintptr_t)value;
}

void future_done(struct native *n, struct region *r, uint64_t id,
                 const struct message *m)
{
    struct future *f = future_at(r, id);
    if (!f)
        return;
    if (m)
        f->answered = true;
    if (m && f->used_up)
        future_remove(r, (uint32_t)(f - futures(r)));
    else if (!f->done) {
        f->done = true;
        if (f->timer)
            timer_remove(r, f->timer);
        f->timer = 0;
        if (m && m->kind == MSG_REPLY)
            keep_value(n, r, f, m);
    }
}

static void free_value(struct region *r, struct future *f)
{
    if (f->value)
        heap_put(region_own_heap(r), OWN_ROOM, (void *)(uintptr_t)f->value);
    f->value = 0;
}

void future_remove(struct region *r, uint32_t i)
{
    free_value(r, &futures(r)[i]);
    list_remove(r, LIST_FUTURES, i);
}

// One whose reply is still on its way keeps its name until that has come.
void futures_end(struct region *r, uint32_t k)
{
    for (uint32_t i = 0; i < r->head.n[LIST_FUTURES];) {
        struct future *f = &futures(r)[i];
        if (f->taker != k + 1) {
            i++;
        } else if (f->answered) {
            future_remove(r, i);
        } else {
            f->taker = 0;
            f->used_up = true;
            i++;
        }
    }
}

// States and their frames: sharing, forking, letting go.
#include "symex/engine.h"

#include "base/die.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct sx_state *state_new(struct sx_run *r)
{
    struct sx_state *s = need_zero(sizeof *s);
    s->id = r->next_state++;
    s->behaviour = IR_NOTHING;
    r->x->counts.states++;
    return s;
}

struct sx_state *state_fork(struct sx_run *r, const struct sx_state *s)
{
    struct sx_state *copy = need(sizeof *copy);
    *copy = *s;
    copy->id = r->next_state++;
    copy->path = path_fork(&s->path);
    copy->cells = pmap_share(&s->cells);
    copy->objects = pmap_share(&s->objects);
    copy->regions = pmap_share(&s->regions);
    copy->met = pmap_share(&s->met);
    if (copy->top)
        copy->top->refs++;
    copy->scene = scene_share(s->scene);
    r->x->counts.states++;
    r->x->counts.forks++;
    return copy;
}

static void frame_release(struct frame *f)
{
    while (f && --f->refs == 0) {
        struct frame *up = f->up;
        free(f->locals);
        free(f->varargs);
        free(f->turns);
        free(f);
        f = up;
    }
}

void frame_drop(struct frame *f)
{
    frame_release(f);
}

void frame_share(struct frame *f)
{
    if (f)
        f->refs++;
}

void state_free(struct sx_state *s)
{
    scene_release(s->scene);
    frame_release(s->top);
    path_release(&s->path);
    pmap_release(&s->cells);
    pmap_release(&s->objects);
    pmap_release(&s->regions);
    pmap_release(&s->met);
    free(s);
}

// ---- frames -------------------------------------------------------------

static void *copy_of(const void *from, size_t size)
{
    return from && size ? memcpy(need(size), from, size) : NULL;
}

static struct frame *frame_copy(struct sx_run *r, const struct frame *f)
{
    size_t size = sizeof *f + f->f->insts.n * sizeof f->values[0];
    struct frame *copy = copy_of(f, size);
    copy->refs = 1;
    copy->locals = copy_of(f->locals, f->n_locals * sizeof *f->locals);
    copy->varargs = copy_of(f->varargs, f->n_varargs * sizeof *f->varargs);
    copy->turns = copy_of(f->turns, loops_of(r, f->f) * sizeof *f->turns);
    if (copy->up)
        copy->up->refs++;
    return copy;
}

struct frame *state_frame(struct sx_run *r, struct sx_state *s)
{
    if (s->top->refs > 1) {
        struct frame *copy = frame_copy(r, s->top);
        s->top->refs--;
        s->top = copy;
    }
    return s->top;
}

void state_own(struct sx_run *r, struct sx_state *s, uint32_t n)
{
    for (struct frame **at = &s->top; n > 0; n--, at = &(*at)->up) {
        if ((*at)->refs == 1)
            continue;
        struct frame *copy = frame_copy(r, *at);
        (*at)->refs--;
        *at = copy;
    }
}

void state_push(struct sx_run *r, struct sx_state *s, const struct ir_fn *f,
                enum purpose purpose)
{
    uint32_t loops = loops_of(r, f);
    struct frame *new =
        need_zero(sizeof *new + f->insts.n * sizeof new->values[0]);
    new->refs = 1;
    new->purpose = (uint8_t)purpose;
    new->f = f;
    new->up = s->top; // takes over the state's share
    new->at = f->defined ? f->blocks.at[0].first : 0;
    new->turns = loops ? need_zero(loops * sizeof *new->turns) : NULL;
    s->top = new;
    s->depth++;
}

void state_pop(struct sx_run *r, struct sx_state *s)
{
    struct frame *f = s->top;
    for (uint32_t i = 0; i < f->n_locals; i++)
        object_forget(r, s, f->locals[i]);
    s->top = f->up;
    if (s->top)
        s->top->refs++;
    frame_release(f);
    s->depth--;
}

bool state_meets(struct sx_state *s, uint64_t key)
{
    uint64_t value;
    if (pmap_get(&s->met, key, &value))
        return true;
    pmap_put(&s->met, key, 1);
    return false;
}

void frame_owns(struct frame *f, uint32_t object)
{
    uint32_t *more = need((f->n_locals + 1) * sizeof *more);
    if (f->n_locals)
        memcpy(more, f->locals, f->n_locals * sizeof *more);
    more[f->n_locals++] = object;
    free(f->locals);
    f->locals = more;
}

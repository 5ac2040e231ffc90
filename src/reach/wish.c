#include "reach/wish.h"

#include "reach/runner.h"

static bool wants(const struct runner *r, const struct run_wish *w,
                  const struct solo_option *o)
{
    static const enum solo_what whats[] = {[WISH_MESSAGE] = SOLO_MESSAGE,
                                           [WISH_REPLY] = SOLO_REPLY,
                                           [WISH_TIMER] = SOLO_TIMER,
                                           [WISH_LIMIT] = SOLO_TIMER};
    const tr_msg *msg = r->types[w->msg];
    if (o->what != whats[w->what] || o->to != w->to)
        return false;
    if (w->what == WISH_LIMIT)
        return !o->msg && o->brings == msg;
    return (o->what == SOLO_TIMER ? o->brings : o->msg) == msg &&
           (w->from == WISH_ANYBODY || o->what == SOLO_TIMER ||
            o->from == w->from);
}

// The wished receive.  If it is not offered: one that is before it in its
// channel, else a `watch`, which wishes do not name.  True if it is the wished
// one.
static bool grant(const struct runner *r, const struct run_wish *w,
                  const struct solo_option *o, uint32_t n, uint32_t *option)
{
    for (uint32_t pass = 0; pass < 3; pass++)
        for (uint32_t i = 0; i < n; i++) {
            bool fits = pass == 0 ? wants(r, w, &o[i])
                        : pass == 1
                            ? o[i].what != SOLO_TIMER && o[i].to == w->to &&
                                  o[i].from == w->from
                            : o[i].what == SOLO_WATCH;
            if (fits) {
                *option = i;
                return pass == 0;
            }
        }
    *option = 0;
    return false;
}

uint32_t runner_wished(struct runner *r, const struct solo_option *o,
                       uint32_t n)
{
    uint32_t option = 0;
    struct input *in = r->follows;
    if (r->wish == r->n_wishes)
        return tr__solo_oldest(r->runtime, n);
    const struct run_wish *w = &r->wishes[r->wish];
    if (grant(r, w, o, n, &option) && ++r->granted == w->times) {
        r->wish++;
        r->granted = 0;
    }
    if (n > 1 && in->n_order < INPUT_ORDER)
        in->order[in->n_order++] = (uint8_t)option;
    return option;
}

uint32_t runner_follow(struct runner *r, struct input *in,
                       const struct run_wish *wishes, uint32_t n)
{
    in->n_order = 0;
    in->seed = 0;
    r->follows = in;
    r->wishes = wishes;
    r->n_wishes = n;
    r->wish = r->granted = 0;
    input_copy(&r->o.pool->current, in);
    runner_play(r, in);
    r->wishes = NULL;
    r->follows = NULL;
    return r->wish;
}

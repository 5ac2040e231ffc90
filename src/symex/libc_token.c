// Models of functions that cut a text into tokens.
//
// Where a token begins and ends is decided byte by byte; bytes and the place to
// go on from are written when all is decided.
#include "symex/libc.h"

#include <string.h>

enum { TOKEN, TOKEN_R, SEPARATED };

struct cut_at {
    struct model_call *c;
    bool set[256]; // the delimiters
    term from;     // where the search begins
    uint64_t begin, end;
    bool ended; // by the end of the text
};

static term plus(struct model_call *c, term address, uint64_t n)
{
    return address_add(c->r, address, term_const(c->r->ts, 64, n));
}

// Decide what the byte is: an end, a delimiter, or neither.
static bool look(struct cut_at *t, uint64_t at, bool *end, bool *delimiter)
{
    struct model_call *c = t->c;
    struct terms *ts = c->r->ts;
    term byte;
    if (!load(c->r, c->s, plus(c, t->from, at), 1, false, &byte))
        return false;
    live_mark(c->r, 1 + 2 * at);
    *end = decide(c->r, c->s, term_eq(ts, byte, term_const(ts, 8, 0)));
    live_mark(c->r, 2 + 2 * at);
    *delimiter = !*end && decide(c->r, c->s, byte_in(ts, byte, t->set));
    live_pinned(c->r);
    return true;
}

// Inputs with more delimiters in a row are left out, and a label says so: one
// path a number of them is too many.
static bool no_more(struct cut_at *t, uint64_t at)
{
    struct model_call *c = t->c;
    term byte;
    if (!load(c->r, c->s, plus(c, t->from, at), 1, false, &byte))
        return false;
    term is = byte_in(c->r->ts, byte, t->set);
    if (term_is_const(c->r->ts, is))
        return true;
    c->s->labels |= SX_MODELLED;
    c->r->assumed = true;
    return assume(c->r, c->s, term_not(c->r->ts, is));
}

// Place of the first byte from `at` on that is a delimiter, or is none, or is
// the end.
static bool skip(struct cut_at *t, bool delimiters, uint64_t *at)
{
    bool delimiter;
    uint64_t from = *at;
    do {
        if (delimiters && *at > from && !t->c->r->start.follow &&
            !t->c->r->live && !no_more(t, *at))
            return false;
        if (!look(t, *at, &t->ended, &delimiter))
            return false;
    } while (!t->ended && delimiter == delimiters && ++*at);
    return true;
}

// Where strtok() keeps its place.
static term own_place(struct model_call *c)
{
    uint64_t at, key = met_key(MET_TOKEN, 0);
    if (pmap_get(&c->s->met, key, &at))
        return address_of(c->r, (uint32_t)at, 0);
    term p =
        allocate(c->r, c->s, term_const(c->r->ts, 64, 8), FILL_ZERO, false);
    pmap_put(&c->s->met, key, SX_MADE + c->s->made - 1);
    return p;
}

// Where the search begins: the text, or what was kept of it.
static bool find_text(struct cut_at *t, term kept)
{
    struct model_call *c = t->c;
    term null = term_const(c->r->ts, 64, 0);
    t->from = c->args[0];
    if (c->detail != SEPARATED &&
        !decide(c->r, c->s, compare_pointers(c->r, IR_EQ, t->from, null)))
        return true;
    return load(c->r, c->s, kept, 8, true, &t->from);
}

// Write the end of the token, and keep what comes after it.
static int finish(struct cut_at *t, term kept, term next)
{
    struct model_call *c = t->c;
    term token = plus(c, t->from, t->begin);
    if (!t->ended && !store(c->r, c->s, plus(c, t->from, t->end),
                            term_const(c->r->ts, 8, 0)))
        return -1;
    return store(c->r, c->s, kept, next) ? give(c, token) : -1;
}

static int do_strsep(struct cut_at *t, term kept)
{
    struct model_call *c = t->c;
    term null = term_const(c->r->ts, 64, 0);
    if (decide(c->r, c->s, compare_pointers(c->r, IR_EQ, t->from, null)))
        return give(c, null);
    if (!skip(t, false, &t->end))
        return -1;
    return finish(t, kept, t->ended ? null : plus(c, t->from, t->end + 1));
}

int do_strtok(struct model_call *c)
{
    struct cut_at t = {.c = c};
    const char *delimiters = constant_text(c, 1);
    if (!delimiters)
        return 0;
    for (const char *s = delimiters; *s; s++)
        t.set[(uint8_t)*s] = true;
    term kept = c->detail == TOKEN     ? own_place(c)
                : c->detail == TOKEN_R ? c->args[2]
                                       : c->args[0];
    if (!find_text(&t, kept))
        return -1;
    if (c->detail == SEPARATED)
        return do_strsep(&t, kept);
    if (!skip(&t, true, &t.begin))
        return -1;
    term rest = plus(c, t.from, t.begin);
    if (t.ended)
        return store(c->r, c->s, kept, rest) ? give_int(c, 0) : -1;
    t.end = t.begin;
    if (!skip(&t, false, &t.end))
        return -1;
    return finish(&t, kept, plus(c, t.from, t.end + !t.ended));
}

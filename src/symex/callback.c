// qsort and bsearch: models that call a function of the program.
//
// The model's own numbers travel in the frame of the function that it calls:
// when that returns, the model goes on from them.
#include "symex/libc.h"

#include <string.h>

enum { SORT, SEARCH };
// Numbers in frame.model.
enum { KIND, BASE, COUNT, SIZE, I, K, KEY, FN };

static term element(struct sx_run *r, const uint32_t *m, uint32_t n)
{
    return address_add(r, m[BASE],
                       term_const(r->ts, 64, (uint64_t)n * m[SIZE]));
}

static bool call_back(struct sx_run *r, struct sx_state *s, const uint32_t *m,
                      term a, term b)
{
    term args[2] = {a, b};
    uint32_t copy[8];
    memcpy(copy, m, sizeof copy); // m may lie in a frame that goes
    if (!call_fn(r, s, r->ir->fns.at[m[FN]], args, 2, FOR_MODEL))
        return false;
    memcpy(s->top->model, copy, sizeof copy);
    return true;
}

static int begin(struct model_call *c, uint32_t *m, term function)
{
    struct leaf ls[LEAVES_MAX];
    uint32_t n = leaves(c->r, c->s, function, ls);
    if (n != 1 || !ls[0].object || !term_is_const(c->r->ts, ls[0].object))
        return 0;
    m[FN] = (uint32_t)term_value(c->r->ts, ls[0].object) - SX_FUNCTIONS;
    return m[FN] < c->r->ir->fns.n && c->r->ir->fns.at[m[FN]]->defined;
}

// ---- qsort --------------------------------------------------------------

// By insertion, as the interpreter does it: is element k below its neighbour?
static bool sort_on(struct sx_run *r, struct sx_state *s, uint32_t *m)
{
    if (m[I] >= m[COUNT])
        return advance(r, s, TERM_NONE);
    return call_back(r, s, m, element(r, m, m[K] - 1), element(r, m, m[K]));
}

static bool swap(struct sx_run *r, struct sx_state *s, const uint32_t *m)
{
    term a = element(r, m, m[K] - 1), b = element(r, m, m[K]);
    term spare =
        allocate(r, s, term_const(r->ts, 64, m[SIZE]), FILL_ZERO, false);
    bool ok = copy_bytes(r, s, spare, a, m[SIZE]) &&
              copy_bytes(r, s, a, b, m[SIZE]) &&
              copy_bytes(r, s, b, spare, m[SIZE]);
    if (ok)
        object_forget(r, s, SX_MADE + s->made - 1);
    return ok;
}

static bool sort_compared(struct sx_run *r, struct sx_state *s, uint32_t *m,
                          bool above)
{
    if (above && !swap(r, s, m))
        return false;
    m[K]--;
    if (!above || !m[K])
        m[K] = ++m[I];
    return sort_on(r, s, m);
}

int do_qsort(struct model_call *c)
{
    uint64_t n, size;
    uint32_t m[8] = {SORT, c->args[0], 0, 0, 1, 1, 0, 0};
    if (!begin(c, m, c->args[3]))
        return 0;
    if (!pin(c->r, c->s, c->args[1], "qsort() of unknown length", &n) ||
        !pin(c->r, c->s, c->args[2], "elements of unknown size", &size))
        return -1;
    m[COUNT] = (uint32_t)n;
    m[SIZE] = (uint32_t)size;
    return sort_on(c->r, c->s, m) ? 2 : -1;
}

// ---- bsearch ------------------------------------------------------------

// Go on between elements I and K, by halves as the C library does.
static bool search_on(struct sx_run *r, struct sx_state *s, uint32_t *m)
{
    if (m[I] >= m[K])
        return advance(r, s, term_const(r->ts, 64, 0));
    return call_back(r, s, m, m[KEY], element(r, m, (m[I] + m[K]) / 2));
}

static bool search_compared(struct sx_run *r, struct sx_state *s, uint32_t *m,
                            term order)
{
    term zero = term_const(r->ts, term_bits(r->ts, order), 0);
    uint32_t mid = (m[I] + m[K]) / 2;
    if (decide(r, s, term_eq(r->ts, order, zero))) {
        state_pop(r, s);
        return advance(r, s, element(r, m, mid));
    }
    if (decide(r, s, term_binary(r->ts, IR_SLT, order, zero)))
        m[K] = mid;
    else
        m[I] = mid + 1;
    state_pop(r, s);
    return search_on(r, s, m);
}

int do_bsearch(struct model_call *c)
{
    uint64_t n, size;
    uint32_t m[8] = {SEARCH, c->args[1], 0, 0, 0, 0, c->args[0], 0};
    if (!begin(c, m, c->args[4]))
        return 0;
    if (!pin(c->r, c->s, c->args[2], "bsearch() of unknown length", &n) ||
        !pin(c->r, c->s, c->args[3], "elements of unknown size", &size))
        return -1;
    m[K] = m[COUNT] = (uint32_t)n;
    m[SIZE] = (uint32_t)size;
    return search_on(c->r, c->s, m) ? 2 : -1;
}

// ---- going on -----------------------------------------------------------

bool model_resume(struct sx_run *r, struct sx_state *s, term result)
{
    uint32_t m[8];
    memcpy(m, s->top->model, sizeof m);
    if (!result)
        return finish_unsupported(r, s, "a comparison without a result");
    if (m[KIND] == SEARCH)
        return search_compared(r, s, m, result);
    term zero = term_const(r->ts, term_bits(r->ts, result), 0);
    bool above = decide(r, s, term_binary(r->ts, IR_SLT, zero, result));
    state_pop(r, s);
    return sort_compared(r, s, m, above);
}

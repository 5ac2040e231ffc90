// Models of functions on text.
//
// A text is read byte by byte up to the first byte that must be its end; what
// the functions give is an ITE over the places where it may end before.  Only
// copies split the state, by the length.
#include "symex/libc.h"

#include <ctype.h>

enum { TEXT_MAX = 4096 };

static term constant(struct model_call *c, uint64_t n)
{
    return term_const(c->r->ts, 64, n);
}

static term plus(struct model_call *c, term address, uint64_t n)
{
    return address_add(c->r, address, constant(c, n));
}

static term is_end(struct model_call *c, term byte)
{
    return term_eq(c->r->ts, byte, term_const(c->r->ts, 8, 0));
}

void chars_free(struct chars *t)
{
    vec_free(&t->at);
}

// length = place of the first end; without any it is the number of bytes.
static term length_of(struct model_call *c, const struct chars *t)
{
    term length = constant(c, t->at.n);
    for (uint32_t i = t->at.n; i-- > 0;)
        length =
            term_ite(c->r->ts, is_end(c, t->at.at[i]), constant(c, i), length);
    return length;
}

// No end inside the object: a trap, or excluded where its size is not known.
static bool must_end(struct model_call *c, const struct chars *t, bool assumed)
{
    struct terms *ts = c->r->ts;
    term open = term_bool(ts, true);
    for (uint32_t i = 0; i < t->at.n; i++)
        open = term_and(ts, open, term_not(ts, is_end(c, t->at.at[i])));
    if (!assumed)
        return trap_if(c->r, c->s, open, IR_TRAP_BOUNDS);
    if (path_decides(ts, &c->s->path, open) == 0)
        return true;
    c->s->labels |= SX_ASSUMED_INSIDE;
    c->r->assumed = true;
    return assume(c->r, c->s, term_not(ts, open));
}

bool chars_read(struct model_call *c, term address, uint64_t most,
                struct chars *out)
{
    uint64_t room;
    bool assumed, ended = false;
    *out = (struct chars){.length = TERM_NONE};
    if (!most) {
        out->length = constant(c, 0);
        return true;
    }
    if (!room_at(c->r, c->s, address, &room, &assumed))
        return false;
    assumed |= room > TEXT_MAX;
    room = room > TEXT_MAX ? TEXT_MAX : room;
    for (uint64_t i = 0; !ended && i < room && i < most; i++) {
        term byte;
        if (!load(c->r, c->s, plus(c, address, i), 1, false, &byte)) {
            chars_free(out);
            return false;
        }
        vec_push(&out->at, byte);
        ended = path_decides(c->r->ts, &c->s->path, is_end(c, byte)) == 1;
    }
    // Of several objects the smallest says how far was read.
    int split =
        !ended && out->at.n < most ? room_splits(c->r, c->s, address) : 0;
    if (split < 0 || split > 0 ||
        (!ended && out->at.n < most && !must_end(c, out, assumed))) {
        chars_free(out);
        return split > 0 && chars_read(c, address, most, out);
    }
    out->length = length_of(c, out);
    return true;
}

// An argument that bounds how much is looked at.
static bool bound(struct model_call *c, uint32_t i, uint64_t *n)
{
    return pin(c->r, c->s, c->args[i], "a text of unknown length", n);
}

// ---- looking ------------------------------------------------------------

int do_strlen(struct model_call *c)
{
    struct chars t;
    uint64_t most = UINT64_MAX;
    if ((c->detail && !bound(c, 1, &most)) ||
        !chars_read(c, c->args[0], most, &t))
        return -1;
    chars_free(&t);
    return give(c, t.length);
}

static term lower(struct terms *ts, term byte)
{
    bool upper[256];
    for (int i = 0; i < 256; i++)
        upper[i] = i >= 'A' && i <= 'Z';
    return term_ite(ts, byte_in(ts, byte, upper),
                    term_binary(ts, IR_ADD, byte, term_const(ts, 8, 32)), byte);
}

// From the end: equal so far, and not ended.
static term compared(struct model_call *c, const struct chars *a,
                     const struct chars *b, bool fold)
{
    struct terms *ts = c->r->ts;
    uint32_t n = a->at.n < b->at.n ? a->at.n : b->at.n;
    term zero = term_const(ts, 32, 0), value = zero;
    for (uint32_t i = n; i-- > 0;) {
        term x = a->at.at[i], y = b->at.at[i];
        term end = is_end(c, x);
        if (fold) {
            x = lower(ts, x);
            y = lower(ts, y);
        }
        term less = term_binary(ts, IR_SUB, term_convert(ts, IR_ZEXT, 32, x),
                                term_convert(ts, IR_ZEXT, 32, y));
        value = term_ite(ts, term_eq(ts, x, y), term_ite(ts, end, zero, value),
                         less);
    }
    return value;
}

// Only as many bytes as the shorter text can have are looked at, so that the
// longer one need not end.
int do_strcmp(struct model_call *c)
{
    struct chars a, b;
    uint64_t most = UINT64_MAX;
    if (c->detail & 1 && !bound(c, 2, &most))
        return -1;
    if (!chars_read(c, c->args[1], most, &b))
        return -1;
    bool ok = chars_read(c, c->args[0], b.at.n, &a);
    if (ok) {
        give(c, compared(c, &a, &b, c->detail & 2));
        chars_free(&a);
    }
    chars_free(&b);
    return ok ? 1 : -1;
}

int do_strchr(struct model_call *c)
{
    struct terms *ts = c->r->ts;
    struct chars t;
    bool last = c->detail == 1;
    term wanted = arg_bits(c, 1, 8), value;
    if (!chars_read(c, c->args[0], UINT64_MAX, &t))
        return -1;
    // From the end: what is found behind a byte, unless the text ends there.
    term none = constant(c, 0);
    value = none;
    for (uint32_t i = t.at.n; i-- > 0;) {
        term at = plus(c, c->args[0], i), end = is_end(c, t.at.at[i]);
        term here = term_eq(ts, t.at.at[i], wanted);
        term behind = term_ite(ts, end, c->detail == 2 ? at : none, value);
        value = last ? term_ite(ts,
                                term_and(ts, here,
                                         compare_pointers(c->r, IR_EQ, behind,
                                                          none)),
                                at, behind)
                     : term_ite(ts, here, at, behind);
    }
    chars_free(&t);
    return give(c, value);
}

// Is the byte one of the text's?
static term is_among(struct model_call *c, term byte, const struct chars *set)
{
    struct terms *ts = c->r->ts;
    term any = term_bool(ts, false), open = term_bool(ts, true);
    for (uint32_t i = 0; i < set->at.n; i++) {
        term end = is_end(c, set->at.at[i]);
        open = term_and(ts, open, term_not(ts, end));
        any = term_or(ts, any,
                      term_and(ts, open, term_eq(ts, byte, set->at.at[i])));
    }
    return any;
}

// strspn, strcspn, strpbrk: where the first byte stands that is not (is) one
// of the set.
int do_strspn(struct model_call *c)
{
    struct terms *ts = c->r->ts;
    struct chars t, set;
    if (!chars_read(c, c->args[1], UINT64_MAX, &set))
        return -1;
    if (!chars_read(c, c->args[0], UINT64_MAX, &t)) {
        chars_free(&set);
        return -1;
    }
    term value = constant(c, t.at.n);
    for (uint32_t i = t.at.n; i-- > 0;) {
        term is = is_among(c, t.at.at[i], &set), end = is_end(c, t.at.at[i]);
        term stop = c->detail ? is : term_not(ts, is);
        term at = c->detail == 2 ? plus(c, c->args[0], i) : constant(c, i);
        value = c->detail == 2
                    ? term_ite(ts, end, constant(c, 0),
                               term_ite(ts, stop, at, value))
                    : term_ite(ts, term_or(ts, stop, end), at, value);
    }
    chars_free(&t);
    chars_free(&set);
    return give(c, value);
}

// Does the needle stand at place i?
static term stands_at(struct model_call *c, const struct chars *hay, uint32_t i,
                      const struct chars *needle)
{
    struct terms *ts = c->r->ts;
    term yes = term_bool(ts, true);
    for (uint32_t k = needle->at.n; k-- > 0;) {
        term end = is_end(c, needle->at.at[k]);
        term same = i + k < hay->at.n
                        ? term_eq(ts, hay->at.at[i + k], needle->at.at[k])
                        : term_bool(ts, false);
        yes = term_or(ts, end, term_and(ts, same, yes));
    }
    return yes;
}

int do_strstr(struct model_call *c)
{
    struct terms *ts = c->r->ts;
    struct chars hay, needle;
    if (!chars_read(c, c->args[1], UINT64_MAX, &needle))
        return -1;
    if (!chars_read(c, c->args[0], UINT64_MAX, &hay)) {
        chars_free(&needle);
        return -1;
    }
    term value = constant(c, 0);
    for (uint32_t i = hay.at.n; i-- > 0;) {
        term end = is_end(c, hay.at.at[i]);
        value =
            term_ite(ts, stands_at(c, &hay, i, &needle), plus(c, c->args[0], i),
                     term_ite(ts, end, constant(c, 0), value));
    }
    chars_free(&hay);
    chars_free(&needle);
    return give(c, value);
}

// ---- copying ------------------------------------------------------------

// The length of a text, as a number: the state splits.
static bool pinned_length(struct model_call *c, term address, uint64_t most,
                          uint64_t *n)
{
    struct chars t;
    if (!chars_read(c, address, most, &t))
        return false;
    chars_free(&t);
    return pin(c->r, c->s, t.length, "a text of unknown length", n);
}

static bool put_end(struct model_call *c, term address)
{
    return store(c->r, c->s, address, term_const(c->r->ts, 8, 0));
}

// A run that follows one input need not split by the length: each byte is
// written where the text has not ended before it, else `old` stays.  1 done, 0
// this is not the way, -1 the state is not to be run any more.
static int copy_whole(struct model_call *c, term to, term from, uint64_t most,
                      bool zeros)
{
    struct terms *ts = c->r->ts;
    struct chars t;
    uint64_t room;
    bool assumed;
    term inside = term_bool(ts, true);
    if (!c->r->live)
        return 0;
    if (!chars_read(c, from, most, &t))
        return -1;
    int done = term_is_const(ts, t.length) ? 0 : 1;
    if (done && (!room_at(c->r, c->s, to, &room, &assumed)))
        done = -1;
    if (done == 1 && (assumed || room < t.at.n))
        done = 0;
    for (uint32_t i = 0; done == 1 && i < t.at.n; i++) {
        term old = term_const(ts, 8, 0);
        if (!zeros && !load(c->r, c->s, plus(c, to, i), 1, false, &old))
            done = -1;
        else if (!store(c->r, c->s, plus(c, to, i),
                        term_ite(ts, inside, t.at.at[i], old)))
            done = -1;
        inside = term_and(ts, inside, term_not(ts, is_end(c, t.at.at[i])));
    }
    chars_free(&t);
    return done;
}

int do_strcpy(struct model_call *c)
{
    uint64_t n, most = UINT64_MAX;
    bool bounded = c->detail == 2;
    if (c->detail == 0) {
        int done = copy_whole(c, c->args[0], c->args[1], most, false);
        if (done)
            return done == 1 ? give(c, c->args[0]) : -1;
    }
    if ((bounded && !bound(c, 2, &most)) ||
        !pinned_length(c, c->args[1], most, &n) ||
        !copy_bytes(c->r, c->s, c->args[0], c->args[1], n))
        return -1;
    term end = plus(c, c->args[0], n);
    if (bounded
            ? !set_bytes(c->r, c->s, end, term_const(c->r->ts, 8, 0), most - n)
            : !put_end(c, end))
        return -1;
    return give(c, c->detail == 1 ? end : c->args[0]);
}

int do_strcat(struct model_call *c)
{
    uint64_t have, n, most = UINT64_MAX;
    if ((c->detail && !bound(c, 2, &most)) ||
        !pinned_length(c, c->args[0], UINT64_MAX, &have) ||
        !pinned_length(c, c->args[1], most, &n))
        return -1;
    term to = plus(c, c->args[0], have);
    if (!copy_bytes(c->r, c->s, to, c->args[1], n) ||
        !put_end(c, plus(c, to, n)))
        return -1;
    return give(c, c->args[0]);
}

int do_strdup(struct model_call *c)
{
    uint64_t n, most = UINT64_MAX;
    if (!c->detail && c->r->live) {
        uint64_t room;
        bool assumed;
        if (!room_at(c->r, c->s, c->args[0], &room, &assumed))
            return -1;
        room = room < TEXT_MAX ? room + 1 : TEXT_MAX;
        term whole = allocate(c->r, c->s, constant(c, room), FILL_ZERO, true);
        int done = copy_whole(c, whole, c->args[0], most, true);
        if (done)
            return done == 1 ? give(c, whole) : -1;
    }
    if ((c->detail && !bound(c, 1, &most)) ||
        !pinned_length(c, c->args[0], most, &n))
        return -1;
    term to = allocate(c->r, c->s, constant(c, n + 1), FILL_UNDEFINED, true);
    if (!copy_bytes(c->r, c->s, to, c->args[0], n) ||
        !put_end(c, plus(c, to, n)))
        return -1;
    c->s->labels |= SX_ALLOCATION;
    return give(c, to);
}

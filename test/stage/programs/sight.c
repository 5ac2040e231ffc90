/* Invariants that read some of what actors hold: test/stage/sight.c. */
#include "troupe_short.h"

#include <stdlib.h>
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

struct set {
    int shown, hidden;
};
TR_MESSAGE(set);
TR_PROTOCOL(cell, set);
struct cell {
    char first;
    int hidden;
    double unused;
    int shown;
};
TR_HANDLER(cell, set)
{
    self->shown = msg->shown;
    self->hidden = msg->hidden;
}
TR_BEHAVIOUR(cell, open, TR_ON(set, cell_set));
TR_CLASS(cell, .start = &cell_open);

/* Looks at `hidden` only where enough is shown. */
TR_INVARIANT(large_ones_hide_little)
{
    for (each(cell, c))
        if (c->shown > 5 && c->hidden > 8)
            return false;
    return true;
}

struct name {
    int length;
};
TR_MESSAGE(name);
TR_PROTOCOL(text, name);
struct text {
    int other;
    char *name;
};
TR_HANDLER(text, name)
{
    free(self->name);
    self->name = malloc((size_t)msg->length + 1);
    memset(self->name, 'x', (size_t)msg->length);
    self->name[msg->length] = '\0';
    self->other++;
}
TR_FINI(text)
{
    free(self->name);
}
TR_BEHAVIOUR(text, open, TR_ON(name, text_name));
TR_CLASS(text, .start = &text_open, .fini = text_fini_);

TR_INVARIANT(names_are_short)
{
    for (each(text, t))
        if (t->name && strlen(t->name) > 5)
            return false;
    return true;
}

/* Reads two numbers by one instruction, where there is one. */
TR_PROTOCOL(row, set);
struct row {
    int at[64];
};
TR_HANDLER(row, set)
{
    self->at[0] = msg->shown;
    self->at[50] = msg->hidden;
}
TR_BEHAVIOUR(row, open, TR_ON(set, row_set));
TR_CLASS(row, .start = &row_open);

#ifdef __x86_64__
__attribute__((target("avx2"))) static int two(const int *at)
{
    __m128i got = _mm_i32gather_epi32(at, _mm_set_epi32(50, 0, 0, 0), 4);
    return _mm_extract_epi32(got, 0) + _mm_extract_epi32(got, 3);
}
static int sum(const int *at)
{
    return __builtin_cpu_supports("avx2") ? two(at) : at[0] + at[50];
}
#else
static int sum(const int *at)
{
    return at[0] + at[50];
}
#endif

TR_INVARIANT(rows_are_small)
{
    for (each(row, r))
        if (sum(r->at) > 5)
            return false;
    return true;
}

TR_TEST(rows)
{
    row_ref r = spawn(row);
    send(r, set, .shown = 1, .hidden = 1);
    send(r, set, .shown = 1, .hidden = 9);
}

TR_TEST(fields)
{
    cell_ref c = spawn(cell);
    send(c, set, .shown = 1, .hidden = 1);
    send(c, set, .shown = 1, .hidden = 9);
    send(c, set, .shown = 2, .hidden = 9);
    send(c, set, .shown = 6, .hidden = 1);
    send(c, set, .shown = 6, .hidden = 2);
    send(c, set, .shown = 6, .hidden = 9);
}

TR_TEST(heaps)
{
    text_ref t = spawn(text);
    send(t, name, .length = 3);
    send(t, name, .length = 4);
    send(t, name, .length = 6);
}

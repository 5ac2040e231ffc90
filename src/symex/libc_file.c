// Models of functions that read and write files that are inputs.
//
// A file is an object behind an input pointer that holds SX_FILE_BYTES + n as
// its n-th byte and SX_FILE_SIZE as their number.  A path knows how far it has
// read, and splits where it asks for one byte more.  Two pointers lead to two
// files. What is written changes nothing that a branch can see, but then the
// file is not read any more.
#include "symex/libc.h"

#include <string.h>

enum { BYTES_MOST = 64 };
enum { AT_END = 1, WRITTEN = 2, CLOSED = 4, FLAGS = 3 };

struct file {
    uint32_t ref;
    uint64_t at; // bytes read
    unsigned flags;
};

static bool is_file(const struct ir *ir, uint32_t type)
{
    uint32_t bare = ir_bare_type(ir, type);
    return bare != IR_NOTHING && ir->types.at[bare].kind == IR_D_STRUCT &&
           strcmp(ir->types.at[bare].name, "_IO_FILE") == 0;
}

static int unsupported(struct model_call *c, const char *text)
{
    finish_unsupported(c->r, c->s, text);
    return -1;
}

// The input file that an address is; 0: it is none, -1: the state is put away.
static int file_at(struct model_call *c, term address, struct file *out)
{
    struct sx_run *r = c->r;
    struct leaf ls[LEAVES_MAX];
    uint32_t n = leaves(r, c->s, known_value(r, c->s, address), ls), i = 0;
    uint64_t state = 0;
    while (i + 1 < n && !decide(r, c->s, ls[i].condition))
        i++;
    if (r->live || i >= n || !ls[i].object)
        return 0;
    if (term_is(r->ts, ls[i].object, 0)) {
        finish_trap(r, c->s, IR_TRAP_NULL, NULL);
        return -1;
    }
    out->ref = input_ref_of(r, ls[i].object);
    if (out->ref == MAP_NONE || !is_file(r->ir, r->refs.at[out->ref].type))
        return 0;
    const struct sx_ref *ref = &r->refs.at[out->ref];
    term null = term_const(r->ts, SX_OBJECT_BITS, 0);
    term own = term_const(r->ts, SX_OBJECT_BITS, ref->own);
    if (!trap_if(r, c->s, term_eq(r->ts, ref->var, null), IR_TRAP_NULL) ||
        !assume(r, c->s, term_eq(r->ts, ref->var, own)))
        return -1;
    region_follow(r, c->s, out->ref, term_bool(r->ts, true));
    c->s->labels |= SX_MODELLED;
    r->assumed = true;
    pmap_get(&c->s->met, met_key(MET_FILE, out->ref), &state);
    out->at = state >> FLAGS;
    out->flags = (unsigned)state & ((1u << FLAGS) - 1);
    return out->flags & CLOSED ? unsupported(c, "a file is used after fclose()")
                               : 1;
}

static void keep(struct model_call *c, const struct file *f)
{
    pmap_put(&c->s->met, met_key(MET_FILE, f->ref), f->at << FLAGS | f->flags);
}

static term size_of(struct model_call *c, const struct file *f)
{
    struct slot slot = {.start = SX_FILE_SIZE, .bytes = 8, .type = IR_NOTHING};
    struct sx_place at = {SX_CELL, f->ref, SX_FILE_SIZE};
    term size = input_value(c->r, c->s, at, &slot);
    learn(c->r, c->s,
          term_binary(c->r->ts, IR_ULT, size,
                      term_const(c->r->ts, 64, BYTES_MOST + 1)));
    return size;
}

static term byte_at(struct model_call *c, const struct file *f, uint64_t n)
{
    int64_t start = (int64_t)(SX_FILE_BYTES + n);
    struct slot slot = {
        .start = (uint64_t)start, .bytes = 1, .type = IR_NOTHING};
    struct sx_place at = {SX_CELL, f->ref, start};
    return input_value(c->r, c->s, at, &slot);
}

// Is there one more byte?  It is read then.
static bool next_byte(struct model_call *c, struct file *f, term *byte)
{
    struct terms *ts = c->r->ts;
    term more =
        term_binary(ts, IR_ULT, term_const(ts, 64, f->at), size_of(c, f));
    bool is = decide(c->r, c->s, more);
    if (is)
        *byte = byte_at(c, f, f->at++);
    else
        f->flags |= AT_END;
    return is;
}

static int begin_reading(struct model_call *c, uint32_t i, struct file *f)
{
    int is = file_at(c, c->args[i], f);
    if (is == 1 && f->flags & WRITTEN)
        return unsupported(c, "a file is read after it was written");
    return is;
}

int do_fgetc(struct model_call *c)
{
    struct file f;
    term byte;
    int is = begin_reading(c, 0, &f);
    if (is != 1)
        return is;
    bool more = next_byte(c, &f, &byte);
    keep(c, &f);
    return more ? give(c, term_convert(c->r->ts, IR_ZEXT, 32, byte))
                : give_int(c, UINT64_MAX);
}

// What was read last is put back.
int do_ungetc(struct model_call *c)
{
    struct terms *ts = c->r->ts;
    struct file f;
    int is = begin_reading(c, 1, &f);
    if (is != 1)
        return is;
    term what = arg_bits(c, 0, 32);
    if (decide(c->r, c->s, term_eq(ts, what, term_const(ts, 32, UINT32_MAX))))
        return give_int(c, UINT64_MAX);
    if (!f.at || !assume(c->r, c->s,
                         term_eq(ts, term_slice(ts, what, 0, 8),
                                 byte_at(c, &f, f.at - 1))))
        return unsupported(c, "ungetc() of what was not read last");
    f.at--;
    f.flags &= ~(unsigned)AT_END;
    keep(c, &f);
    return give(c, what);
}

static bool put(struct model_call *c, term to, uint64_t n, term byte)
{
    return store(c->r, c->s, address_add(c->r, to, term_const(c->r->ts, 64, n)),
                 byte);
}

int do_fgets(struct model_call *c)
{
    struct terms *ts = c->r->ts;
    struct file f;
    uint64_t most, n = 0;
    term byte = TERM_NONE;
    int is = begin_reading(c, 2, &f);
    if (is != 1)
        return is;
    if (!pin(c->r, c->s, arg_bits(c, 1, 32), "a text of unknown length", &most))
        return -1;
    if ((int32_t)most <= 1)
        return unsupported(c, "fgets() without room");
    for (bool line = false; n + 1 < most && !line;) {
        if (!next_byte(c, &f, &byte))
            break;
        if (!put(c, c->args[0], n++, byte))
            return -1;
        line = decide(c->r, c->s, term_eq(ts, byte, term_const(ts, 8, '\n')));
    }
    keep(c, &f);
    if (!n)
        return give_int(c, 0);
    return put(c, c->args[0], n, term_const(ts, 8, 0)) ? give(c, c->args[0])
                                                       : -1;
}

int do_fread(struct model_call *c)
{
    struct terms *ts = c->r->ts;
    struct file f;
    uint64_t size, n, got = 0;
    int is = begin_reading(c, 3, &f);
    if (is != 1)
        return is;
    if (!pin(c->r, c->s, c->args[1], "a text of unknown length", &size) ||
        !pin_length(c->r, c->s, c->args[2], "a text of unknown length", &n))
        return -1;
    if (!size || !n)
        return give_int(c, 0);
    if (size > BYTES_MOST || n > BYTES_MOST)
        return unsupported(c, "fread() of much");
    term all = term_const(ts, 64, f.at + size * n);
    if (!decide(c->r, c->s, term_binary(ts, IR_ULT, size_of(c, &f), all)))
        got = size * n;
    while (got < size * n &&
           decide(c->r, c->s,
                  term_binary(ts, IR_ULT, term_const(ts, 64, f.at + got),
                              size_of(c, &f))))
        got++;
    if (got < size * n)
        f.flags |= AT_END;
    for (uint64_t i = 0; i < got; i++)
        if (!put(c, c->args[0], i, byte_at(c, &f, f.at++)))
            return -1;
    keep(c, &f);
    return give_int(c, got / size);
}

// feof, ferror, clearerr, rewind, ftell, fclose, fflush, by detail.
int do_file_state(struct model_call *c)
{
    enum { END, ERROR, CLEAR, REWIND, TELL, CLOSE, FLUSH };
    struct file f;
    int is = file_at(c, c->args[0], &f);
    if (is != 1 && c->detail == FLUSH)
        return is < 0 ? is : give_int(c, 0);
    if (is != 1)
        return is;
    switch (c->detail) {
    case END:
        return give_int(c, f.flags & AT_END);
    case CLEAR:
    case REWIND:
        f.flags &= ~(unsigned)AT_END;
        f.at = c->detail == REWIND ? 0 : f.at;
        break;
    case CLOSE:
        f.flags |= CLOSED;
        break;
    case TELL:
        if (f.flags & WRITTEN)
            return 0;
        return give_int(c, f.at);
    }
    keep(c, &f);
    return c->i->type.kind == IR_VOID ? 1 : give_int(c, 0);
}

int file_written(struct model_call *c, uint32_t i)
{
    struct file f;
    int is = file_at(c, c->args[i], &f);
    if (is == 1) {
        f.flags |= WRITTEN;
        keep(c, &f);
    }
    return is;
}

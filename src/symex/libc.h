// Models of functions of the C library, on terms.
//
// A model decides first and changes its state only then (see engine.h).  It
// returns 1 with *result set (TERM_NONE if the function has no result), 0 if it
// cannot treat this call, -1 if the state is not to be run any more, 2 if it
// has pushed a frame for a callback.
#ifndef SYMEX_LIBC_H
#define SYMEX_LIBC_H

#include "symex/engine.h"

struct model_call {
    struct sx_run *r;
    struct sx_state *s;
    const struct ir_fn *f;
    const struct ir_inst *i;
    const term *args;
    uint32_t n;
    term *result;
    int detail; // of the row: one function serves several names
};

typedef int libc_fn(struct model_call *c);

// The bytes of a text up to and including its end, and its length as a term.
struct chars {
    VEC(term) at;
    term length; // 64 bits
};

// Read a text of at most `most` bytes.  If it does not end inside its object,
// that is a trap; in an input of unknown size it is assumed to end.
bool chars_read(struct model_call *c, term address, uint64_t most,
                struct chars *out);
void chars_free(struct chars *t);

// An argument that is a text of constants; NULL if it is
// not.  Nothing is changed.
const char *constant_text(struct model_call *c, uint32_t i);
// An argument of this many bits, by its number.
term arg_bits(struct model_call *c, uint32_t i, unsigned bits);
// An integer as the call's result.
int give(struct model_call *c, term value);
int give_int(struct model_call *c, uint64_t value);
// Does the function look at this value?
bool libc_is_used(const struct ir_fn *f, const struct ir_inst *value);
term byte_in(struct terms *ts, term byte, const bool *set);

// libc_memory.c
libc_fn do_malloc, do_calloc, do_realloc, do_free, do_reallocarray, do_aligned,
    do_memchr, do_memcmp, do_copy, do_memset, do_errno;
// libc_text.c
libc_fn do_strlen, do_strcmp, do_strchr, do_strspn, do_strstr, do_strcpy,
    do_strcat, do_strdup;
// libc_token.c
libc_fn do_strtok;
// libc_number.c
libc_fn do_ctype, do_tocase, do_ctype_table, do_abs, do_math, do_round,
    do_host_math, do_nothing, do_chance;
// libc_scan.c
libc_fn do_strtol, do_strtod, do_sscanf;
// libc_print.c
libc_fn do_snprintf;
// libc_file.c
libc_fn do_fgetc, do_ungetc, do_fgets, do_fread, do_file_state;
// Something is written to the file in argument i.  1: it is an input; 0: not;
// -1: the state is put away.
int file_written(struct model_call *c, uint32_t i);
// callback.c
libc_fn do_qsort, do_bsearch;

#endif

// Paths in source text, such as `self->items[i].price`, evaluated in the
// innermost frame.  Each step of a path is a place: a shape and where its bytes
// are.  Operators, calls, constants and names of types are passed over.
#include "program/frames.h"

#include <ctype.h>
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/peek.h"
#include "base/text.h"
#include "program/debug.h"
#include "program/location.h"
#include "program/shape.h"
#include "program/values.h"

enum { FUNCTIONS_MOST = 8, VALUE_MOST = 1 << 16 };

// ---- the chain ------------------------------------------------------------

static void add_function(struct text *out, const char *name, uint32_t *n)
{
    if (name && *n < FUNCTIONS_MOST)
        text_format(out, "%s%s", *n ? " <- " : "", name);
    else if (name && *n == FUNCTIONS_MOST)
        text_add(out, " <- ...");
    *n += name != NULL;
}

// Is the outermost frame that of the function the stage called?  If that
// function ended in a tail call, it has no frame any more.
static bool has_entry(const struct program *p, const struct frames *f)
{
    uintptr_t offset = 0;
    return f->n && program_symbol(p, f->at[f->n - 1].pc, &offset) &&
           f->at[f->n - 1].pc - offset == f->entry;
}

void frames_chain(const struct program *p, const struct frames *f,
                  struct text *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->n; i++) {
        struct location_in in;
        if (!location_open(&in, p, f, i)) {
            add_function(out, program_symbol(p, f->at[i].pc, NULL), &n);
            continue;
        }
        for (uint32_t k = in.scope.n; k-- > 0;)
            if (scope_is_function(&in.scope, k))
                add_function(out, dwarf_diename(&in.scope.at[k]), &n);
    }
    if (f->entry && !has_entry(p, f))
        add_function(out, program_where(p, f->entry).function, &n);
}

// ---- places ---------------------------------------------------------------

// Where a value is to be read.
struct value_at {
    const struct shape *shape;
    enum location_kind kind;
    uintptr_t address;         // in memory
    const struct location *in; // in no memory: in these bytes,
    uint64_t offset;           // from here
    uint32_t bit, bits;        // of a bit-field, else 0
};

// Locations of a path live as long as the path is read.
enum { LOCATIONS = 4 };

struct path {
    struct values *values;
    const struct location_in *in;
    struct location locations[LOCATIONS];
    uint32_t n;
    const char *from;        // where the path begins
    struct value_at pointer; // the last one followed
    const char *pointer_end;
};

static uint32_t place_size(const struct value_at *p)
{
    return p->bits ? (p->bit + p->bits + 7) / 8 : p->shape->size;
}

static bool place_read(const struct value_at *p, void *to, size_t size)
{
    if (p->kind == LOCATION_MEMORY)
        return peek(p->address, to, size);
    if (p->kind != LOCATION_BYTES || p->offset + size > p->in->n)
        return false;
    for (size_t i = 0; i < size; i++)
        if (!p->in->known[p->offset + i])
            return false;
    memcpy(to, p->in->bytes + p->offset, size);
    return true;
}

static void place_move(struct value_at *p, uint64_t bytes)
{
    p->address += bytes;
    p->offset += bytes;
}

static bool is_pointer(const struct shape *s)
{
    return s->kind == SHAPE_POINTER || s->kind == SHAPE_TEXT ||
           s->kind == SHAPE_REF;
}

// The place of a variable.  If its value is lost, the place has no memory.
static bool variable(struct path *p, Dwarf_Die *die, bool lost,
                     struct value_at *out)
{
    Dwarf_Attribute a;
    Dwarf_Die type;
    if (p->n == LOCATIONS || !dwarf_attr_integrate(die, DW_AT_type, &a) ||
        !dwarf_formref_die(&a, &type))
        return false;
    struct location *l = &p->locations[p->n++];
    l->kind = LOCATION_NONE;
    if (!lost)
        location_of(p->in, die, l);
    *out = (struct value_at){
        .shape = shapes_at(values_shapes(p->values), dwarf_dieoffset(&type)),
        .kind = l->kind,
        .address = l->address,
        .in = l};
    return out->shape;
}

// A pointer to a variable that is in no memory.
static bool follow_implicit(struct path *p, struct value_at *at)
{
    Dwarf_Die target = at->in->target;
    int64_t offset = at->in->offset;
    if (!variable(p, &target, false, at))
        return false;
    place_move(at, (uint64_t)offset);
    return true;
}

static bool follow(struct path *p, struct value_at *at, const char *end)
{
    uintptr_t to = 0;
    const struct shape *s = at->shape;
    if (s->kind == SHAPE_ARRAY) {
        at->shape = s->of;
        return true;
    }
    if (!is_pointer(s) || s->kind == SHAPE_REF)
        return false;
    if (at->kind == LOCATION_POINTER)
        return follow_implicit(p, at);
    const struct shape *of = shapes_at(values_shapes(p->values), s->to);
    if (!of)
        return false;
    struct value_at pointer = *at;
    if (at->kind != LOCATION_NONE && place_read(at, &to, sizeof to)) {
        *at = (struct value_at){.kind = LOCATION_MEMORY, .address = to};
        p->pointer = pointer;
        p->pointer_end = end;
    } else {
        at->kind = LOCATION_NONE;
    }
    at->shape = of;
    at->bits = 0;
    return true;
}

static const struct shape_field *
field_named(const struct shape *s, const char *name, size_t n, uint32_t *bit)
{
    if (s->kind != SHAPE_STRUCT && s->kind != SHAPE_UNION)
        return NULL;
    for (uint32_t i = 0; i < s->n; i++) {
        const struct shape_field *f = &s->fields[i];
        if (f->name && strlen(f->name) == n && memcmp(f->name, name, n) == 0) {
            *bit += f->bit;
            return f;
        }
        uint32_t inner = *bit + f->bit;
        const struct shape_field *in =
            f->name ? NULL : field_named(f->shape, name, n, &inner);
        if (in) {
            *bit = inner;
            return in;
        }
    }
    return NULL;
}

static bool member(struct value_at *at, const char *name, size_t n)
{
    uint32_t bit = 0;
    const struct shape_field *f = field_named(at->shape, name, n, &bit);
    if (!f)
        return false;
    at->shape = f->shape;
    if (f->packed) {
        at->bit = bit;
        at->bits = f->bits;
    } else {
        place_move(at, bit / 8);
    }
    return true;
}

// ---- reading paths --------------------------------------------------------

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static const char *blanks(const char *s)
{
    while (isspace((unsigned char)*s))
        s++;
    return s;
}

static size_t name_length(const char *s)
{
    size_t n = 0;
    while (is_name(s[n]))
        n++;
    return n && !isdigit((unsigned char)*s) ? n : 0;
}

static bool read_path(struct path *p, const char **s, struct value_at *out);

static bool whole_number(const struct value_at *at, int64_t *out)
{
    uint64_t v = 0;
    uint32_t size = at->shape->size;
    bool whole =
        at->shape->kind == SHAPE_INT || at->shape->kind == SHAPE_CHAR ||
        at->shape->kind == SHAPE_ENUM || at->shape->kind == SHAPE_UNSIGNED;
    if (!whole || at->bits || size > 8 || !place_read(at, &v, size))
        return false;
    bool is_signed = at->shape->kind == SHAPE_INT || at->shape->is_signed;
    uint32_t shift = 64 - 8 * size;
    *out = is_signed ? (int64_t)(v << shift) >> shift : (int64_t)v;
    return true;
}

static bool read_term(struct path *p, const char **s, int64_t *out)
{
    struct value_at at;
    *s = blanks(*s);
    if (isdigit((unsigned char)**s)) {
        char *end;
        *out = strtoll(*s, &end, 0);
        *s = end;
        return true;
    }
    return read_path(p, s, &at) && whole_number(&at, out);
}

// What stands in brackets: numbers and paths, added or subtracted.
static bool read_index(struct path *p, const char **s, int64_t *out)
{
    int64_t term;
    if (!read_term(p, s, out))
        return false;
    for (*s = blanks(*s); **s == '+' || **s == '-'; *s = blanks(*s)) {
        bool minus = *(*s)++ == '-';
        if (!read_term(p, s, &term))
            return false;
        *out += minus ? -term : term;
    }
    return **s == ']' && ++*s;
}

static bool element(struct path *p, const char **s, struct value_at *at)
{
    int64_t i;
    const char *end = *s - 1;
    const struct shape *s0 = at->shape;
    struct value_at base = *at, pointer = p->pointer;
    const char *pointer_end = p->pointer_end;
    if (!read_index(p, s, &i))
        return false;
    p->pointer = pointer; // not one of the index
    p->pointer_end = pointer_end;
    bool inside =
        s0->kind != SHAPE_ARRAY || !s0->n || (i >= 0 && (uint64_t)i < s0->n);
    *at = base;
    if (!follow(p, at, end))
        return false;
    if (!inside)
        at->kind = LOCATION_NONE;
    place_move(at, (uint64_t)i * at->shape->size);
    return true;
}

static bool read_member(struct path *p, const char **s, struct value_at *at,
                        const char *from, bool arrow)
{
    const char *name = blanks(*s);
    size_t n = name_length(name);
    *s = name + n;
    return n && (!arrow || follow(p, at, from)) && member(at, name, n);
}

static bool read_rest(struct path *p, const char **s, struct value_at *at)
{
    for (;;) {
        const char *next = blanks(*s), *end = *s;
        bool arrow = next[0] == '-' && next[1] == '>';
        bool ok;
        if (arrow || *next == '.') {
            *s = next + 1 + arrow;
            ok = read_member(p, s, at, end, arrow);
        } else if (*next == '[') {
            *s = next + 1;
            ok = element(p, s, at);
        } else {
            return *next != '(';
        }
        if (!ok)
            return false;
    }
}

static bool read_variable(struct path *p, const char **s, struct value_at *out)
{
    char name[128];
    bool lost;
    Dwarf_Die die;
    size_t n = name_length(*s);
    if (!n || n >= sizeof name)
        return false;
    memcpy(name, *s, n);
    name[n] = '\0';
    *s += n;
    if (*blanks(*s) == '(') // a call
        return false;
    return (scope_variable(&p->in->scope, name, &die, &lost) || lost) &&
           variable(p, &die, lost, out);
}

// "(*p)", or a name.
static bool read_first(struct path *p, const char **s, struct value_at *out)
{
    if (**s != '(')
        return read_variable(p, s, out);
    *s = blanks(*s + 1);
    if (!read_path(p, s, out))
        return false;
    *s = blanks(*s);
    return **s == ')' && ++*s;
}

static bool read_path(struct path *p, const char **s, struct value_at *out)
{
    uint32_t stars = 0;
    for (*s = blanks(*s); **s == '*'; *s = blanks(*s + 1))
        stars++;
    if (!read_first(p, s, out) || !read_rest(p, s, out))
        return false;
    for (; stars; stars--)
        if (!follow(p, out, *s))
            return false;
    return true;
}

// ---- telling --------------------------------------------------------------

struct telling {
    struct values *values;
    const struct location_in *in;
    struct values_names names;
    struct text *out;
    struct text told; // paths, each between newlines
};

static void add_path(struct text *to, const char *from, const char *end)
{
    for (; from < end; from++)
        if (!isspace((unsigned char)*from))
            text_char(to, *from);
}

static bool told_before(struct telling *t, const char *from, const char *end)
{
    struct text path = {0};
    text_char(&path, '\n');
    add_path(&path, from, end);
    text_char(&path, '\n');
    bool before = strstr(text_get(&t->told), text_get(&path));
    if (!before)
        text_add(&t->told, text_get(&path));
    text_free(&path);
    return before;
}

static bool tell_place(struct telling *t, const struct value_at *at,
                       const char *from, const char *end)
{
    uint32_t size = place_size(at);
    unsigned char *bytes = need_zero(size + 8ul);
    bool known = at->kind != LOCATION_NONE && place_read(at, bytes, size);
    if (known && !told_before(t, from, end)) {
        text_add(t->out, t->out->n ? ", " : "");
        add_path(t->out, from, end);
        text_add(t->out, " = ");
        values_print_shape(t->values, at->shape, bytes, at->bit, at->bits,
                           &t->names, t->out);
    }
    free(bytes);
    return known;
}

static void tell_lost(struct telling *t, const char *from, const char *end)
{
    if (told_before(t, from, end))
        return;
    text_add(t->out, t->out->n ? ", " : "");
    add_path(t->out, from, end);
    text_add(t->out, " = <not available>");
}

// Tell the path at s, if there is one.  If a pointer on the way cannot be
// followed, tell the pointer.
static void tell_path(struct telling *t, const char *s)
{
    struct path p = {.values = t->values, .in = t->in, .from = s};
    struct value_at at;
    const char *end = s;
    if (!read_path(&p, &end, &at) || place_size(&at) > VALUE_MOST ||
        tell_place(t, &at, s, end))
        return;
    bool stars = *s == '*' || *s == '(';
    if (!p.pointer_end || stars || at.kind != LOCATION_MEMORY ||
        !tell_place(t, &p.pointer, s, p.pointer_end))
        tell_lost(t, s, end);
}

static const char *skip_quoted(const char *s)
{
    char quote = *s++;
    for (; *s && *s != quote; s++)
        s += *s == '\\' && s[1];
    return *s ? s + 1 : s;
}

// Is a star or a bracket here the first sign of an operand?
static bool begins(const char *code, const char *s)
{
    while (s > code && isspace((unsigned char)s[-1]))
        s--;
    return s == code || !(is_name(s[-1]) || s[-1] == ')' || s[-1] == ']');
}

static const char *tell_next(struct telling *t, const char *code, const char *s)
{
    if (*s == '"' || *s == '\'')
        return skip_quoted(s);
    if (*s == '.' || (*s == '-' && s[1] == '>')) { // of what was not a path
        s = blanks(s + 1 + (*s == '-'));
        return s + name_length(s);
    }
    bool deref = *s == '*' || (*s == '(' && *blanks(s + 1) == '*');
    if (deref && begins(code, s)) {
        tell_path(t, s);
        for (s++; *s == '*' || *s == '(' || isspace((unsigned char)*s);)
            s++;
        return s + name_length(s);
    }
    if (!is_name(*s))
        return s + 1;
    if (name_length(s))
        tell_path(t, s);
    while (is_name(*s) || (*s == '.' && is_name(s[-1]) && is_name(s[1]) &&
                           isdigit((unsigned char)s[-1])))
        s++;
    return s;
}

void frames_values(struct values *v, const struct frames *f, const char *code,
                   const struct values_names *names, struct text *out)
{
    struct location_in in;
    struct text mine = {0};
    struct telling t = {.values = v, .in = &in, .out = &mine};
    if (names)
        t.names = *names;
    t.names.read = values_read_here;
    if (!f->n || !location_open(&in, values_program(v), f, 0))
        return;
    for (const char *s = code; *s;)
        s = tell_next(&t, code, s);
    text_add(out, text_get(&mine));
    text_free(&mine);
    text_free(&t.told);
}

// What one call is given: parameters, globals and the objects that pointers
// lead to, as bytes with debug types.
//
// Engines and native runs make inputs; input_call() writes one in C.  A pointer
// in an object is a link, not bytes.
#ifndef UNIT_INPUT_H
#define UNIT_INPUT_H

#include "cases/call.h"
#include "ir/eval.h"

struct condition_file;

enum input_role {
    INPUT_PARAM,  // the i-th of these is parameter i
    INPUT_GLOBAL, // a variable of the program, set before the call
    INPUT_OBJECT, // what a pointer points to
    INPUT_STUB    // what the calls of a function of elsewhere return, 8 bytes
                  // each; it has its name and no type
};

// A pointer at `offset`.  object and fn IR_NOTHING: null.
struct input_link {
    uint64_t offset;
    uint32_t object; // in input.objects
    uint32_t fn;     // or a function of the program
    int64_t to;      // bytes from the start of the object
};

struct input_object {
    enum input_role role;
    const char *name;
    uint32_t type;  // debug type; of an element, if it is an array
    uint64_t count; // elements, 1 if it is no array
    bool array;
    uint64_t more;       // bytes behind the type, of an array without a count
    enum call_form form; // of a FILE, its bytes are what can be read there
    uint64_t size;
    uint8_t *bytes; // `size` of them; what is not known is 0
    bool *known;    // which of them matter to the call
    VEC(struct input_link) links;
};

// Bytes of one element; of an object that is no array, of all of it.
static inline uint64_t input_element_size(const struct input_object *o)
{
    return o->count ? o->size / o->count : o->size;
}

// All zero is empty.  Lives in an arena of its owner, but for the arrays.
struct input {
    VEC(struct input_object) objects;
    uint32_t earlier; // calls like this one that come before it
    uint32_t fails;   // this allocation of the call gives NULL, from 1; 0: none
};

struct input_object *input_add(struct input *in, struct arena *a,
                               enum input_role role, const char *name,
                               uint32_t type, uint64_t size);
void input_put(struct input_object *o, uint64_t offset, const void *bytes,
               uint32_t n);
void input_link(struct input_object *o, struct input_link link);
// The link at this offset, NULL if there is none.
const struct input_link *input_link_at(const struct input_object *o,
                                       uint64_t offset);
// Does a link begin before this byte and reach over it?
bool input_link_over(const struct input_object *o, uint64_t offset);
void input_copy(struct arena *a, const struct input *from, struct input *to);
void input_release(struct input *in);

// The function's parameters and globals, named and typed; false if a type
// cannot be written in a test: *why says which.
bool input_signature(const struct ir *ir, struct arena *a,
                     const struct ir_fn *f, struct input *in, const char **why);
// How far its values are from plain: 0 and null are, two pointers to one object
// are not.
uint64_t input_weight(const struct ir *ir, const struct input *in);
// Where the source, which is read into *file, declares a parameter with a
// count, name[4], what it points to has that many elements.
void input_widen(const struct ir *ir, struct arena *a, const struct ir_fn *f,
                 struct condition_file *file, struct input *in);
// Name the objects for a reader: what a parameter points to by its name, others
// by their types, with numbers where there are several.
void input_rename(const struct ir *ir, struct arena *a, struct input *in);
// The call in C: objects, arguments, globals before, declaration of the result.
// Programs, flags, name, end and what follows are the caller's.  False if
// something in it cannot be said in C: *why.
bool input_call(const struct ir *ir, struct arena *a, const struct ir_fn *f,
                const struct input *in, struct call_case *c, const char **why);
// The address of a byte of an object, as C: "&a", "a + 3", "&a.in".
const char *input_address(const struct ir *ir, struct arena *a,
                          const struct input_object *o, int64_t offset);
// The lvalue of a scalar of an object: "a.next", "a[3].n", "*a".
const char *input_place(const struct ir *ir, struct arena *a,
                        const struct input_object *o, uint64_t element,
                        const char *path);
// What a pointer to `type` holds, as C: "NULL", "&a", "&a.part", "function".
// l NULL: null.
const char *input_link_text(const struct ir *ir, struct arena *a,
                            const struct input *in, const struct input_link *l,
                            uint32_t type);

#endif

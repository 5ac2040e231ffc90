// A growing array: struct { T *at; uint32_t n, cap; }.  All zero is empty.
// Across a push keep indices, not pointers.
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define VEC(T)                                                                 \
    struct {                                                                   \
        T *at;                                                                 \
        uint32_t n, cap;                                                       \
    }

#define vec_push(v, x) (vec_room(v, 1), (v)->at[(v)->n++] = (x), (void)0)
// The last element, taken out; the vector is not empty.
#define vec_pop(v) (assert((v)->n > 0), (v)->at[--(v)->n])
// The last element, to be read or written; the vector is not empty.
#define vec_last(v) (*(assert((v)->n > 0), &(v)->at[(v)->n - 1]))
#define vec_clear(v) ((void)((v)->n = 0))
#define vec_free(v)                                                            \
    (vec_free_((v)->at), (v)->at = NULL, (v)->n = (v)->cap = 0, (void)0)
// Make room for k more.
#define vec_room(v, k)                                                         \
    ((v)->cap - (v)->n >= (size_t)(k)                                          \
         ? (void)0                                                             \
         : (void)((v)->at = vec_grow_((v)->at, &(v)->cap, (v)->n, (size_t)(k), \
                                      sizeof *(v)->at)))
#define vec_each(v, p)                                                         \
    for (uint32_t p##_i = 0; p##_i < (v)->n && ((p) = &(v)->at[p##_i], 1);     \
         p##_i++)

// Room for k more than n elements of this size.  Dies if there would be 2^32.
void *vec_grow_(void *at, uint32_t *cap, uint32_t n, size_t k, size_t size);
void vec_free_(void *at);

#endif

// A call as C source: the objects it needs, and the call itself.  Written
// tests, checks of kept calls and replays share this.
#ifndef UNIT_SOURCE_H
#define UNIT_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

struct call_case;
struct text;

// Helpers that a file must define because some call in it uses them.
enum {
    SOURCE_GUARD = 1, // memory against a page that may not be touched
    SOURCE_ALLOC = 2, // calloc
    SOURCE_FENCE = 4, // memory that may not be touched after free()
    SOURCE_FILE = 8,  // a file that holds a text
    SOURCE_TEXT = 16, // the text that a file holds
    SOURCE_FAIL = 32  // allocations that fail
};
uint32_t source_needs(const struct call_case *c);
void source_guard(struct text *to);
void source_files(uint32_t needs, struct text *to);
// Text before the #include of the source (its path), which lets an allocation
// fail: for those functions that it mentions.
void source_failing(const char *source, struct text *to);
// Text before the #include of the source, which replaces malloc and free.
void source_fence(struct text *to);

// The #include of the source, its main renamed if it has one, and so what is
// its own of the names that the C library has, too, and stubs whose names the
// test itself needs.  c: a call, NULL: none.
void source_include(const char *path, bool has_main, const struct call_case *c,
                    struct text *to);
// The stubs of a call as functions, and reset_stubs() if they have results.
void source_stubs(const struct call_case *c, struct text *to);
// Is there a reset_stubs()?
bool source_resets(const struct call_case *c);
// Declarations and assignments, indented, each object once: what a pointer
// points to comes first as far as there are no rings.
void source_arrange(const struct call_case *c, struct text *to);
// "int result = f(&a, 3);", or without a result, indented.
void source_call(const struct call_case *c, struct text *to);

#endif
